// The part of netcdf_writer that asks the disk before the library writes, and looks at the file
// before and after it is closed.
#include <algorithm>

#include "../../disk/library_files.hpp"
#include "../../disk/mpi_io_health.hpp"
#include "../../disk/room.hpp"
#include "room.hpp"
#include "writer.hpp"

namespace headrace {
namespace {

// What the number of a step adds: an element that is a chunk of its own, and the chunk's entry in
// HDF5's index.
constexpr std::int64_t bytes_of_step_number = 128;

}  // namespace

// Collective. The disk of one machine may let each MPI rank write so much, as quotas do.
void netcdf_writer::begin(std::unique_ptr<netcdf_file> file) {
  file_ = std::move(file);
  each_reserves_ = is_together() && is_local_file_system(*comm_, path_);
}

// Any MPI rank may come to write some of it: each takes room where quotas may differ, elsewhere the
// room of one is the room of all.
status netcdf_writer::reserve(const std::vector<byte_range>& where, const char* what) {
  return reserve_room(*comm_, path_, each_reserves_, where, what);
}

status netcdf_writer::reserve_metadata(std::int64_t begin) {
  if (!metadata_needs_room()) return {};
  return reserve({{begin, begin + netcdf_metadata_bytes}}, "the metadata");
}

// HDF5 calls MPI_File_sync then, in which others would wait for an MPI rank that cannot.
status netcdf_writer::end_define() {
  if (is_together() && !file_->is_defining()) return {};
  // PnetCDF may move arrays to where nobody took room.
  if (classic_ && has_places_) can_fail_ = true;
  if (is_together() && !classic_)
    if (status s = check_mpi_sync(*comm_, path_); !s.ok()) return s;
  status done;
  if (file_ != nullptr) done = file_->end_define();
  return agree(*comm_, done);
}

// All questions before the first write.
status netcdf_writer::make_room(written_array& array, std::int64_t record) {
  // HDF5 gives a place to the records that were left out too, and closing fills them.
  const std::int64_t missing = record < 0 || classic_ ? 1 : record + 1 - array.placed;
  if (missing <= 0 && is_together()) return end_define();
  const std::int64_t bytes = std::max<std::int64_t>(1, missing) * array.bytes;
  const std::int64_t end = length_for_all(*comm_, path_);
  // A record of a classic file can lie before its end.
  const std::int64_t longest = end + (classic_ ? 0 : bytes + netcdf_metadata_bytes);
  if (status s = check_limit(*comm_, path_, longest); !s.ok()) return s;
  if (status s = check_room(*comm_, path_, bytes); !s.ok()) return s;
  for (const std::int64_t place : {end, end + bytes})
    if (status s = reserve_metadata(place); !s.ok()) return s;
  if (status s = end_define(); !s.ok()) return s;
  return place_array(array, record, end, bytes);
}

// bytes: by which the file was expected to grow.
status netcdf_writer::place_array(written_array& array, std::int64_t record, std::int64_t old_end,
                                  std::int64_t bytes) {
  const std::int64_t first = record < 0 || classic_ ? record : array.placed;
  std::vector<byte_range> places;
  const auto agreed = [&](status mine) {
    return is_together() ? agree(*comm_, std::move(mine)) : mine;
  };
  const auto find = [&](std::vector<byte_range>& found) {
    return first <= record ? file_->place(array.id, first, record, array.bytes, agreed, found)
                           : status();
  };
  status found = is_together() ? agree_on(*comm_, [&] { return find(places); })
                               : places_from_root(*comm_, find, places);
  if (!found.ok()) return found;
  has_places_ = true;
  array.placed = std::max(array.placed, record + 1);
  // One process alone gets an error where there is no room, and nobody waits for it.
  if (places.empty()) {
    can_fail_ = true;
    return reserve({{old_end, old_end + bytes + 2 * netcdf_metadata_bytes}}, "the array");
  }
  bool can_fail = true;
  if (status s = take_room(*comm_, path_, places, can_fail); !s.ok()) return s;
  can_fail_ = can_fail_ || can_fail;
  if (classic_) return {};
  std::int64_t end = 0;
  const status kept = agree_on(*comm_, [&] {
    array.places.insert(array.places.end(), places.begin(), places.end());
    end = joined(places).back().end;
    return status();
  });
  if (!kept.ok()) return kept;
  return end > old_end + bytes ? reserve_metadata(end) : status();
}

// The bytes of all arrays and their places; false where these are not known.
bool netcdf_writer::expect_file(std::int64_t& stored, std::vector<byte_range>& places) {
  bool known = file_ != nullptr;
  const auto alone = [](status mine) { return mine; };  // classic files are only asked
  for (const auto& [name, array] : arrays_) {
    const bool has_steps = array.axis != nullptr;
    stored += array.bytes * (has_steps ? static_cast<std::int64_t>(array.records.size()) : 1);
    std::vector<byte_range> found = array.places;
    // PnetCDF moves arrays for those that are defined later, and all have all records.
    const std::int64_t last =
        has_steps ? static_cast<std::int64_t>(array.axis->numbers.size()) - 1 : -1;
    if (classic_ && file_ != nullptr &&
        !file_->place(array.id, has_steps ? 0 : -1, last, array.bytes, alone, found).ok())
      found.clear();
    known = known && !found.empty();
    places.insert(places.end(), found.begin(), found.end());
  }
  return known;
}

// The libraries write no elements when they close: several MPI ranks look for lost bytes before,
// because on a full disk closing can wait for ever.
status netcdf_writer::close_here() {
  std::int64_t numbers = 0;
  for (const auto& axis : steps_.all()) numbers += static_cast<std::int64_t>(axis->numbers.size());
  const std::int64_t end = length_for_all(*comm_, path_);
  const byte_range rest{end, end + netcdf_metadata_bytes + numbers * bytes_of_step_number};
  if (!classic_)
    if (status s = check_limit(*comm_, path_, rest.end); !s.ok()) return s;
  if (metadata_needs_room())
    if (status s = reserve({rest}, "the metadata"); !s.ok()) return s;
  if (status s = finish_steps(); !s.ok()) return s;
  // PnetCDF may move arrays then.
  if (is_together() && classic_)
    if (status s = end_define(); !s.ok()) return s;
  std::int64_t stored = 0;
  std::vector<byte_range> places;
  const bool known = expect_file(stored, places);
  places = joined(places);
  const std::int64_t end_of_arrays = places.empty() ? stored : places.back().end;
  const std::int64_t length = known ? end_of_arrays : std::max(end_of_arrays, stored);
  if (!can_fail_) places.clear();
  const auto look = [&](file_use use) {
    return known || !can_fail_ ? check_written(path_, length, places, use)
                               : check_written(path_, length, stored, use);
  };
  status done;
  if (comm_->rank() == 0 && is_together()) done = look(file_use::open);
  if (status s = agree(*comm_, done); !s.ok()) return s;
  if (is_together() && !classic_)
    if (status s = check_mpi_sync(*comm_, path_); !s.ok()) return s;
  if (file_ != nullptr) done = file_->close();
  if (status s = agree(*comm_, done); !s.ok()) return s;
  if (comm_->rank() == 0) {
    release_blocks_behind_the_end(path_);
    const bool looked = is_together() && is_local_file_system(path_);
    done = looked ? check_written(path_, length, {}, file_use::closed) : look(file_use::closed);
  }
  return agree(*comm_, done);
}

}  // namespace headrace
