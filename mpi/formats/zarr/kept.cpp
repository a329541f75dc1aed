// Small arrays that were kept, many at a time: each is one chunk, and the MPI ranks take turns in
// writing them.
#include <algorithm>

#include "store.hpp"

namespace headrace::zarr {
namespace {

chunk_grid one_chunk(const array_layout& layout) {
  chunk_grid grid;
  grid.array_rank = layout.array_rank();
  grid.global = layout.global().count;
  for (std::size_t d = 0; d < grid.chunk.size(); ++d)
    grid.chunk[d] = std::max<std::int64_t>(1, grid.global[d]);
  grid.shard.fill(1);
  return grid;
}

}  // namespace

// One that was begun in several chunks, or in a shard, goes on in them.
status writer::accept(const catalogue_entry& entry, const array_view& local,
                      const array_layout& layout) {
  const bool is_serial = settings_.pattern == write_pattern::serial;
  const bool is_in_chunks = is_serial || settings_.pattern == write_pattern::file_per_process;
  kept_chunk chunk;
  written_array*& array = chunk.array;
  if (status s = take_up(entry, local, layout, array); !s.ok()) return s;
  if (entry.is_new)
    array->grid = is_in_chunks ? one_chunk(layout) : plan_chunks(layout, settings_, nullptr).grid;
  chunk.entry = entry;
  chunk.is_one = is_in_chunks && array->grid.chunks() <= 1 && !array->grid.sharded;
  chunk.owner = is_serial ? 0 : static_cast<int>(kept_.size()) % comm_->size();
  kept_.push_back(chunk);
  return {};
}

destination writer::destination_of(const written_array& array, std::int64_t state) const {
  return {path_ + "/" + array.name,
          array.stored,
          array.grid,
          array.grid.chunk_volume() * static_cast<std::int64_t>(array.stored.type.bytes),
          state,
          make_file_,
          settings_.sync};
}

status writer::write_chunk(const kept_chunk& chunk, char* data) {
  const written_array& array = *chunk.array;
  if (array.grid.chunks() == 0) return {};
  const destination to = destination_of(array, chunk.entry.step);
  if (chunk.entry.is_new)
    if (status s = make_directory(to.directory); !s.ok()) return s;
  chunk_output output(to, written_);
  if (status s = output.begin(0); !s.ok()) return s;
  if (status s = output.put(data, to.chunk_bytes); !s.ok()) return s;
  if (status s = output.end(); !s.ok()) return s;
  return output.close();
}

// Not collective.
status writer::write_own(kept_delivery& delivery) {
  const auto during = notes_.line.during(HR_PHASE_TRANSFER);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (!delivery.is_mine(i)) continue;
    if (status s = write_chunk(kept_[i], delivery.next_whole(i)); !s.ok())
      return std::move(s).in_array(kept_[i].array->name);
  }
  return {};
}

status writer::prepare(kept_arrays& kept) {
  std::vector<int> owners;
  for (const kept_chunk& one : kept_)
    owners.push_back(one.is_one ? one.owner : kept_delivery::nobody);
  delivery_ = std::make_unique<kept_delivery>(kept, *comm_, std::move(owners));
  notes_.hints.learn(settings_.hints, hint_list{});
  return {};
}

status writer::write_kept(kept_arrays& kept) {
  bool has_others = false;  // which all MPI ranks write together
  for (const kept_chunk& one : kept_) {
    has_others = has_others || !one.is_one;
    notes_.writers = std::max(notes_.writers, one.is_one ? one.owner + 1 : 1);
  }
  notes_.redistributed = notes_.redistributed || comm_->size() > 1;
  delivery_->exchange(notes_.line);
  status written = caught([&] { return write_own(*delivery_); });
  delivery_.reset();
  if (has_others) written = agree(*comm_, std::move(written));
  for (std::size_t i = 0; written.ok() && i < kept_.size(); ++i) {
    const kept_array& one = kept.all()[i];
    written_array& array = *kept_[i].array;
    if (!kept_[i].is_one)
      written =
          write_state(array, kept_[i].entry.step, plan_chunks(*one.layout, settings_, &array.grid),
                      kept.view_of(one), *one.layout);
  }
  kept_.clear();
  return written;
}

}  // namespace headrace::zarr
