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

status writer::accept(const catalogue_entry& entry, const array_view& local,
                      const array_layout& layout) {
  written_array* array = nullptr;
  if (status s = take_up(entry, local, array); !s.ok()) return s;
  if (entry.is_new)
    array->grid = is_in_chunks() ? one_chunk(layout)
                                 : plan_chunks(layout, settings_, array->stored, nullptr).grid;
  return {};
}

bool writer::is_in_chunks() const noexcept {
  return settings_.pattern == write_pattern::serial ||
         settings_.pattern == write_pattern::file_per_process;
}

// One that was begun in several chunks, or in a shard, goes on in them: all write it together.
int writer::owner_of(const kept_array& one, std::size_t number) const {
  const chunk_grid& grid = find(one.entry.array->name)->grid;
  if (!is_in_chunks() || grid.chunks() > 1 || grid.sharded) return kept_delivery::nobody;
  const bool is_serial = settings_.pattern == write_pattern::serial;
  return is_serial ? 0 : static_cast<int>(number) % comm_->size();
}

chunk_files writer::files_of(const written_array& array, std::int64_t state) const {
  return {path_ + "/" + array.name, array.stored, array.grid, state, make_file_, settings_.sync};
}

// Not collective.
status writer::write_own(const std::vector<kept_array>& all) {
  const auto during = notes_.line.during(HR_PHASE_TRANSFER);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!delivery_->is_mine(i)) continue;
    const char* const data = delivery_->next_whole(i);
    const written_array& array = *find(all[i].entry.array->name);
    if (array.grid.chunks() == 0) continue;
    const chunk_files to = files_of(array, all[i].entry.step);
    status written = all[i].entry.is_new ? make_directory(to.directory) : status();
    if (written.ok()) written = write_only_chunk(to, data, written_);
    if (!written.ok()) return std::move(written).in_array(array.name);
  }
  return {};
}

status writer::prepare(kept_arrays& kept) {
  std::vector<int> owners;
  together_.clear();
  for (std::size_t i = 0; i < kept.all().size(); ++i) {
    owners.push_back(owner_of(kept.all()[i], i));
    if (owners[i] == kept_delivery::nobody) together_.push_back(i);
    notes_.writers = std::max({notes_.writers, owners[i] + 1, 1});
  }
  delivery_ = std::make_unique<kept_delivery>(kept, *comm_, std::move(owners));
  notes_.hints.learn(settings_.hints, hint_list{});
  return {};
}

status writer::write_kept(kept_arrays& kept) {
  notes_.redistributed = notes_.redistributed || comm_->size() > 1;
  delivery_->exchange(notes_.line);
  status written = caught([&] { return write_own(kept.all()); });
  delivery_.reset();
  if (together_.empty()) return written;
  return run_to_end(*comm_, [&] {
    for (std::size_t i = 0; written.ok() && i < together_.size(); ++i) {
      const kept_array& one = kept.all()[together_[i]];
      written =
          write_state(*find(one.entry.array->name), one.entry, kept.view_of(one), *one.layout);
    }
    return written;
  });
}

}  // namespace headrace::zarr
