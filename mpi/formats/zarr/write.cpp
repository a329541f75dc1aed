#include "write.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "../../../src/core/crc32c.hpp"
#include "../../move/lines.hpp"
#include "../../move/plans.hpp"

namespace headrace::zarr {
namespace {

constexpr std::size_t compressed_block = std::size_t{1} << 20;

void put_little(std::uint64_t number, int bytes, std::string& text) {
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFFU);
}

}  // namespace

chunk_output::chunk_output(const destination& to, std::vector<written_file>& written)
    : to_(to), written_(written) {
  for (const byte_codec codec : to.array.codecs)
    (codec == byte_codec::crc32c ? checks_ : compresses_) = true;
  known_bytes_ = to.chunk_bytes + 4 * static_cast<std::int64_t>(to.array.codecs.size());
}

std::string chunk_output::name_of(const index_list& place) const {
  const index_list file = to_.grid.shard_of(place);
  std::vector<std::int64_t> key(file.begin(), file.begin() + to_.grid.array_rank);
  if (to_.state >= 0) key.push_back(to_.state);
  return to_.directory + "/" + to_.array.key_of(key);
}

status chunk_output::open(const std::string& name, bool is_shared) {
  if (file_ != nullptr && name == name_) return {};
  if (status s = close(); !s.ok()) return s;
  name_ = name;
  end_ = 0;
  index_.clear();
  writes_index_ = false;
  file_ = to_.make_file();
  return file_->create(name, is_shared);
}

// All chunks have the same size: each has its place before it is written, and the MPI rank of the
// first one writes the index.
void chunk_output::learn_known_index(const index_list& shard) {
  const box chunks = to_.grid.chunks_of(shard);
  static_cast<void>(for_each_place(chunks, [&](const index_list& place) {
    index_.push_back({to_.grid.index_place_of(place), end_, known_bytes_});
    end_ += known_bytes_;
    return status();
  }));
}

status chunk_output::begin(std::int64_t chunk) {
  place_ = to_.grid.place_of(chunk);
  if (status s = open(name_of(place_), to_.grid.sharded && !compresses_); !s.ok()) return s;
  begin_ = 0;
  if (to_.grid.sharded) {
    const std::int64_t slot = to_.grid.slot_of(place_);
    if (slot == 0) writes_index_ = true;
    if (slot == 0 && !compresses_) learn_known_index(to_.grid.shard_of(place_));
    begin_ = compresses_ ? end_ : slot * known_bytes_;
  }
  at_ = begin_;
  crc_ = 0;
  if (!compresses_) return {};
  compressor_ = make_zstd_encoder(zstd_level, 1);
  if (compressor_ == nullptr)
    return status::failure(stat_code::compression_unavailable,
                           "the library was built without libzstd")
        .advise("write without compression, or install libzstd-dev and build again");
  compressed_.reserve(compressed_block);
  return {};
}

status chunk_output::put(const char* data, std::int64_t bytes) {
  return compresses_ ? compress(data, bytes, false) : store(data, bytes);
}

inline status chunk_output::store(const char* data, std::int64_t bytes) {
  const std::int64_t most = checks_ ? checked_block : bytes;
  while (bytes > 0) {
    const std::int64_t block = std::min(bytes, most);
    if (status s = file_->write_at(at_, data, block); !s.ok()) return s;
    if (checks_) crc_ = crc32c(crc_, data, static_cast<std::size_t>(block));
    at_ += block;
    data += block;
    bytes -= block;
  }
  return {};
}

status chunk_output::compress(const char* data, std::int64_t bytes, bool last) {
  codec_buffers buffers;
  buffers.input = data;
  buffers.input_bytes = static_cast<std::size_t>(bytes);
  for (bool finished = false; last ? !finished : buffers.input_bytes > 0;) {
    buffers.output = compressed_.data();
    buffers.output_bytes = compressed_block;
    if (const char* const wrong = compressor_->encode(buffers, last, finished); wrong != nullptr)
      return status::failure(stat_code::library_failed, std::string("libzstd: ") + wrong);
    const auto ready = static_cast<std::int64_t>(compressed_block - buffers.output_bytes);
    if (status s = store(compressed_.data(), ready); !s.ok()) return s;
  }
  return {};
}

status chunk_output::end() {
  if (compresses_)
    if (status s = compress(nullptr, 0, true); !s.ok()) return s;
  compressor_.reset();
  if (checks_) {
    std::string checksum;
    put_little(crc_, 4, checksum);
    if (status s = file_->write_at(at_, checksum.data(), 4); !s.ok()) return s;
    at_ += 4;
  }
  const std::int64_t bytes = at_ - begin_;
  if (!to_.grid.sharded) {
    written_.push_back({name_, bytes});
    return close();
  }
  if (!compresses_) return {};
  index_.push_back({to_.grid.index_place_of(place_), begin_, bytes});
  end_ = at_;
  return {};
}

status chunk_output::write_index() {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  const auto places = static_cast<std::size_t>(to_.grid.index_places());
  std::vector<std::uint64_t> numbers(2 * places, none);
  for (const index_entry& entry : index_) {
    numbers[2 * static_cast<std::size_t>(entry.place)] = static_cast<std::uint64_t>(entry.offset);
    numbers[2 * static_cast<std::size_t>(entry.place) + 1] =
        static_cast<std::uint64_t>(entry.bytes);
  }
  std::string text;
  text.reserve(8 * numbers.size() + 4);
  for (const std::uint64_t number : numbers) put_little(number, 8, text);
  put_little(crc32c(0, text.data(), text.size()), 4, text);
  written_.push_back({name_, end_ + static_cast<std::int64_t>(text.size())});
  return file_->write_at(end_, text.data(), static_cast<std::int64_t>(text.size()));
}

status chunk_output::close() {
  if (file_ == nullptr) return {};
  status result = writes_index_ ? write_index() : status();
  if (status closed = file_->close(to_.sync && result.ok()); result.ok())
    result = std::move(closed);
  file_.reset();
  writes_index_ = false;
  return result;
}

namespace {

// Copies a block into the order of its chunk, by pieces that stay in the cache; what lies beyond
// the array becomes zeros.
status put_in_pieces(chunk_output& output, const box& chunk, const array_view& local,
                     const box& own) {
  const element_form form = form_of(local);
  const auto bytes = static_cast<std::int64_t>(form.file_bytes);
  const std::int64_t most = std::max<std::int64_t>(1, default_piece_bytes / 2 / bytes);
  const bool padded = !(chunk == own);
  buffer piece_data;
  piece_data.reserve(static_cast<std::size_t>(std::min(most, volume(chunk)) * bytes));
  for (std::int64_t first = 0; first < volume(chunk); first += most) {
    const piece part{chunk, first, std::min(first + most, volume(chunk)), 0};
    const std::int64_t filled = (part.last - part.first) * bytes;
    if (padded) std::memset(piece_data.data(), 0, static_cast<std::size_t>(filled));
    store_common(part, local, own, form, piece_data.data());
    if (status s = output.put(piece_data.data(), filled); !s.ok()) return s;
  }
  return {};
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

status write_own_chunk(const destination& to, const array_view& local, const array_layout& layout,
                       timeline& line, std::vector<written_file>& written) {
  const box& own = layout.own();
  if (to.grid.chunks() == 0 || is_empty(own)) return {};
  index_list place{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(own.array_rank); ++d)
    place[d] = own.start[d] / to.grid.chunk[d];
  const std::int64_t number = to.grid.number_of(place);
  const box chunk = to.grid.box_of(number);
  chunk_output output(to, written);
  {
    const auto during = line.during(HR_PHASE_OPEN);
    if (status s = output.begin(number); !s.ok()) return s;
  }
  {
    const auto during = line.during(HR_PHASE_TRANSFER);
    const bool as_it_is = chunk == own && local.type != type_class::logical && is_contiguous(local);
    status put =
        as_it_is ? output.put(local.base, volume(own) * static_cast<std::int64_t>(local.elem_len))
                 : put_in_pieces(output, chunk, local, own);
    if (!put.ok()) return put;
  }
  const auto during = line.during(HR_PHASE_CLOSE);
  if (status s = output.end(); !s.ok()) return s;
  return output.close();
}

status write_chunks(const destination& to, const write_plan& plan, const array_view& local,
                    const array_layout& layout, timeline& line,
                    std::vector<written_file>& written) {
  const element_form form = form_of(local);
  std::vector<std::int64_t> order;
  std::unique_ptr<piece_plan> pieces;
  const status planned = agree_on(layout.comm(), [&] {
    order = order_of_writing(to.grid);
    std::vector<box> boxes;
    std::vector<int> owners;
    for (const std::int64_t chunk : order) {
      boxes.push_back(to.grid.box_of(chunk));
      owners.push_back(plan.owners[static_cast<std::size_t>(chunk)]);
    }
    pieces = plan_boxes(layout, std::move(boxes), std::move(owners),
                        static_cast<std::int64_t>(form.file_bytes), plan.piece_bytes);
    return status();
  });
  if (!planned.ok()) return planned;
  chunk_output output(to, written);
  const auto take = [&](const piece& part, char* data, std::size_t bytes) -> status {
    if (part.first == 0)
      if (status s = output.begin(order[static_cast<std::size_t>(part.target)]); !s.ok()) return s;
    if (status s = output.put(data, static_cast<std::int64_t>(bytes)); !s.ok()) return s;
    return part.last == volume(part.of) ? output.end() : status();
  };
  status result = exchange_out(layout, local, form, *pieces, line, take);
  if (!result.ok()) return result;
  const auto during = line.during(HR_PHASE_CLOSE);
  return output.close();
}

}  // namespace headrace::zarr
