#include "write.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "../../move/lines.hpp"
#include "../../move/plans.hpp"

namespace headrace {
namespace {

std::ptrdiff_t first_stride(const array_view& local) noexcept {
  return local.array_rank == 0 ? static_cast<std::ptrdiff_t>(local.elem_len) : local.stride[0];
}

// Copies a block into the order of its chunk, by pieces that stay in the cache; what lies beyond
// the array becomes zeros.
status put_in_pieces(zarr_output& output, const box& chunk, const array_view& local,
                     const box& own) {
  const element_form form = form_of(local);
  const auto bytes = static_cast<std::int64_t>(form.file_bytes);
  const std::int64_t most = std::max<std::int64_t>(1, default_piece_bytes / 2 / bytes);
  const int mergeable = contiguous_dimensions(local);
  const bool padded = !(chunk == own);
  buffer piece_data;
  piece_data.reserve(static_cast<std::size_t>(std::min(most, volume(chunk)) * bytes));
  for (std::int64_t first = 0; first < volume(chunk); first += most) {
    const piece part{chunk, first, std::min(first + most, volume(chunk)), 0};
    const std::int64_t filled = (part.last - part.first) * bytes;
    if (padded) std::memset(piece_data.data(), 0, static_cast<std::size_t>(filled));
    for_each_common_line(part, own, mergeable, [&](const piece_line& line) {
      form.store(address_of(local, own, line.begin), first_stride(local),
                 piece_data.data() + line.at * bytes, static_cast<std::size_t>(line.count));
    });
    if (status s = output.put(piece_data.data(), filled); !s.ok()) return s;
  }
  return {};
}

status put_block(zarr_output& output, const box& chunk, const array_view& local, const box& own) {
  const bool as_it_is = chunk == own && local.type != type_class::logical && is_contiguous(local);
  if (!as_it_is) return put_in_pieces(output, chunk, local, own);
  return output.put(local.base, volume(own) * static_cast<std::int64_t>(local.elem_len));
}

// Every MPI rank writes its block, which is a chunk.
status write_own_chunk(const zarr_destination& to, const array_view& local,
                       const array_layout& layout, timeline& line,
                       std::vector<written_file>& written) {
  const box& own = layout.own();
  if (to.grid.chunks() == 0 || is_empty(own)) return {};
  index_list place{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(own.array_rank); ++d)
    place[d] = own.start[d] / to.grid.chunk[d];
  const std::int64_t chunk = to.grid.number_of(place);
  zarr_output output(to, written);
  {
    const auto during = line.during(HR_PHASE_OPEN);
    if (status s = output.begin(chunk); !s.ok()) return s;
  }
  {
    const auto during = line.during(HR_PHASE_TRANSFER);
    if (status s = put_block(output, to.grid.box_of(chunk), local, own); !s.ok()) return s;
  }
  const auto during = line.during(HR_PHASE_CLOSE);
  if (status s = output.end(); !s.ok()) return s;
  return output.close();
}

// Chunks in the order in which their writers take them: shard after shard.
std::vector<std::int64_t> order_of_writing(const chunk_grid& grid) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(grid.chunks()));
  std::iota(order.begin(), order.end(), 0);
  if (!grid.sharded) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t left, std::int64_t right) {
    return grid.shard_of(grid.place_of(left)) < grid.shard_of(grid.place_of(right));
  });
  return order;
}

}  // namespace

status write_zarr_chunks(const zarr_destination& to, const zarr_write_plan& plan,
                         const array_view& local, const array_layout& layout, timeline& line,
                         std::vector<written_file>& written) {
  if (plan.direct)
    return agree_on(layout.comm(),
                    [&] { return write_own_chunk(to, local, layout, line, written); });
  const element_form form = form_of(local);
  std::vector<std::int64_t> order;
  std::unique_ptr<piece_plan> pieces;
  const status planned = agree_on(layout.comm(), [&] {
    order = order_of_writing(plan.grid);
    std::vector<box> boxes;
    std::vector<int> owners;
    for (const std::int64_t chunk : order) {
      boxes.push_back(plan.grid.box_of(chunk));
      owners.push_back(plan.owners[static_cast<std::size_t>(chunk)]);
    }
    pieces = plan_boxes(layout, std::move(boxes), std::move(owners),
                        static_cast<std::int64_t>(form.file_bytes), plan.piece_bytes);
    return status();
  });
  if (!planned.ok()) return planned;
  zarr_output output(to, written);
  const auto take = [&](const piece& part, char* data, std::size_t bytes) -> status {
    if (part.first == 0)
      if (status s = output.begin(order[static_cast<std::size_t>(part.target)]); !s.ok()) return s;
    if (status s = output.put(data, static_cast<std::int64_t>(bytes)); !s.ok()) return s;
    return part.last == volume(part.of) ? output.end() : status();
  };
  status result = exchange_out(layout, local, form, *pieces, line, take);
  if (!result.ok()) return result;
  const auto during = line.during(HR_PHASE_CLOSE);
  return agree_on(layout.comm(), [&] { return output.close(); });
}

}  // namespace headrace
