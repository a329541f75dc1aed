#include "writer.hpp"

#include <algorithm>
#include <cstdlib>

#include "../../dataset/catalogue.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/mpi_io_health.hpp"
#include "../../disk/room.hpp"
#include "../../move/element_form.hpp"
#include "../../together/from_root.hpp"
#include "attributes.hpp"
#include "file.hpp"

namespace headrace {
namespace {

bool mpi_is_over() noexcept {
  int over = 0;
  MPI_Finalized(&over);
  return over != 0;
}

const char* const chunk_hint = "hdf5_chunk_bytes";

// HDF5 passes by all chunks before it says where one is.
constexpr std::int64_t most_chunks_of_a_step = 1024;

// HDF5 fills what the alignment of large arrays left free before it goes on at the end.
std::int64_t scattered_chunk(const std::vector<hdf5_segment>& chunks, std::int64_t elem_len) {
  for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
    const std::int64_t bytes = (chunks[i].last - chunks[i].first) * elem_len;
    const std::int64_t gap = chunks[i + 1].address - (chunks[i].address + bytes);
    if (gap < 0 || gap > bytes) return bytes;
  }
  return 0;
}

}  // namespace

hdf5_writer::hdf5_writer(std::string file, communicator_ptr comm, const parallel_settings& settings,
                         parallel_notes& notes)
    : path_(std::move(file)),
      comm_(std::move(comm)),
      settings_(settings),
      notes_(notes),
      descriptions_(is_together() ? comm_ : nullptr, path_),
      direct_(path_, settings_, notes_) {}

hdf5_writer::~hdf5_writer() {
  // HDF5 closes what is left itself when MPI ends, and may not be called afterwards.
  if (!file_ || mpi_is_over()) return;
  const hdf5_quiet quiet;
  for (auto& [path, array] : arrays_) array.dataset.forget();  // closed with the file
  if (descriptions_.discard(failed_))
    hdf5_close_in_memory(file_);
  else if (is_together())
    file_.forget();
  else
    hdf5_discard(file_);
}

bool hdf5_writer::is_together() const noexcept {
  return settings_.transfer == transfer_way::library && settings_.pattern != write_pattern::serial;
}

status hdf5_writer::settle(status mine) const {
  mine = std::move(mine).in_file_once(path_);
  return is_together() ? agree(*comm_, std::move(mine)) : status_of_root(*comm_, mine);
}

// What the hint asks for, within limits.
std::int64_t hdf5_writer::chunk_bytes(const box& global, std::int64_t elem_len) const {
  const auto hint = settings_.hints.find(chunk_hint);
  if (hint == settings_.hints.end()) return largest_hdf5_chunk;
  const std::int64_t asked = std::strtoll(hint->second.c_str(), nullptr, 10);
  const std::int64_t least = volume(global) / most_chunks_of_a_step * elem_len;
  return std::min(std::max({asked, least, elem_len}), largest_hdf5_chunk);
}

// The largest of all arrays is in force.
void hdf5_writer::tell_chunks(std::int64_t bytes) const {
  const auto hint = settings_.hints.find(chunk_hint);
  if (hint == settings_.hints.end()) return;
  const std::int64_t before = std::strtoll(notes_.hints.in_force[chunk_hint].c_str(), nullptr, 10);
  notes_.hints.learn({*hint}, {{chunk_hint, std::to_string(std::max(before, bytes))}});
}

status hdf5_writer::create() {
  const hdf5_quiet quiet;
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  notes_.writers = is_together() ? comm_->size() : 1;
  status result;
  if (is_together()) {
    if (status s = check_sieving(*comm_, path_, true); !s.ok()) return s;
    if (status s = create_for_library(*comm_, path_, settings_.hints, notes_.hints); !s.ok())
      return s;
  } else {
    if (is_here()) result = create_with_hints(path_, settings_.hints, notes_.hints);
    if (names_striping(settings_.hints)) broadcast_found(*comm_, notes_.hints);
    notes_.hints.learn(settings_.hints, hint_list{});
  }
  tell_chunks(chunk_bytes({}, 1));
  if (result.ok() && is_here()) result = hdf5_check_hard_limit(H5I_INVALID_HID, 0).in_file(path_);
  // They open it together.
  if (is_together()) result = settle(result);
  if (result.ok() && is_here())
    result =
        settings_.transfer == transfer_way::library
            ? hdf5_create_file(path_, is_together() ? comm_.get() : nullptr, settings_.hints, file_)
            : memory_.create(path_, file_);
  if (result.ok() && is_together()) hdf5_learn_hints(file_.get(), settings_.hints, notes_.hints);
  status created = settle(result);
  if (created.ok() && settings_.transfer == transfer_way::library && is_here())
    created = descriptions_.keep(file_.get());
  if (!is_together()) created = settle(created);
  // Not open on all MPI ranks: there is nothing that they could close together.
  if (!created.ok() && is_together()) file_.forget();
  return created;
}

// What is the same on every MPI rank, before anything is touched.
status hdf5_writer::check(const std::string& path, const array_place& place, const hdf5_kind& kind,
                          const array_layout& layout) const {
  for (const std::string& name : place.dimensions)
    if (name.empty() || name.find('/') != std::string::npos)
      return status::failure(stat_code::argument_invalid,
                             "\"" + name + "\" is no name of a dimension in an HDF5 file")
          .advise("use letters, digits and underscores");
  const auto found = arrays_.find(path);
  if (found == arrays_.end()) return {};
  const hdf5_written_array& old = found->second;
  next_step next{path, old.has_steps, place.step, false, true, old.global, layout.global()};
  next.step_is_there =
      place.step && std::find(old.steps.begin(), old.steps.end(), *place.step) != old.steps.end();
  next.same_kind = old.kind.type == kind.type && old.kind.elem_len == kind.elem_len;
  return check_next_step(next);
}

// Before HDF5 is called, by all MPI ranks together or by one. Chunks at the ends are whole, so that
// a step of several can take more than its elements.
status hdf5_writer::check_growth(const hdf5_written_array& array) const {
  const auto elem_len = static_cast<std::int64_t>(array.kind.elem_len);
  const std::int64_t bytes = volume(array.global) * elem_len;
  const bool pads = array.has_steps && bytes > chunk_bytes(array.global, elem_len);
  status mine;
  if (is_here()) mine = hdf5_check_hard_limit(file_.get(), pads ? 2 * bytes : bytes).in_file(path_);
  return is_together() ? agree(*comm_, mine) : mine;
}

status hdf5_writer::define(const std::string& path, const array_place& place, const hdf5_kind& kind,
                           const array_layout& layout) {
  hdf5_written_array array;
  array.kind = kind;
  array.global = layout.global();
  array.dimensions = place.dimensions;
  array.has_steps = place.step.has_value();
  const std::int64_t chunk = chunk_bytes(array.global, static_cast<std::int64_t>(kind.elem_len));
  status result = check_growth(array);
  hdf5_handle type;
  hdf5_handle groups;
  hdf5_dataset_plan plan;
  const auto prepare = [&] {
    status done = hdf5_type_of(kind.type, kind.elem_len, type);
    if (done.ok()) done = hdf5_plan_groups(groups);
    if (done.ok()) done = hdf5_plan_dataset(type.get(), array.global, array.has_steps, chunk, plan);
    return done;
  };
  // One MPI rank alone goes on by itself; together each part is settled before the next begins.
  const auto settled = [&](status mine) { return is_together() ? settle(std::move(mine)) : mine; };
  if (result.ok() && is_here()) result = caught(prepare);
  if (result = settled(std::move(result)); !result.ok() && is_together()) return result;
  // Where only some MPI ranks made groups, HDF5 waits for the others when it closes the file.
  const auto make_groups = [&] { return hdf5_make_groups(file_.get(), path, groups.get()); };
  if (result.ok() && is_here()) result = caught(make_groups);
  if (result = settled(std::move(result)); !result.ok() && is_together()) return result;
  if (result.ok() && is_here())
    result = hdf5_create_dataset(file_.get(), path, type.get(), plan, array.dataset);
  if (status s = settle(result); !s.ok()) return s;
  if (array.has_steps) tell_chunks(chunk);
  return agree_on(*comm_, [&] {
    arrays_.emplace(path, std::move(array));
    return status();
  });
}

// MPI rank 0 knows, and all others learn it.
status hdf5_writer::find_segments(const hdf5_written_array& array, std::int64_t step,
                                  std::vector<hdf5_segment>& segments) {
  const auto elem_len = static_cast<std::int64_t>(array.kind.elem_len);
  const auto find = [&](std::vector<hdf5_segment>& found) {
    status result = hdf5_segments_of(array.dataset.get(), array.global, step, found);
    if (result.ok() && found.empty())
      result = status::failure(stat_code::library_failed, "HDF5 gave an array no place");
    return result;
  };
  if (status s = segments_from_root(*comm_, find, segments); !s.ok())
    return std::move(s).in_file_once(path_);
  std::vector<byte_range> parts;
  for (const hdf5_segment& part : segments)
    parts.push_back({part.address, part.address + (part.last - part.first) * elem_len});
  parts = joined(parts);
  elements_.insert(elements_.end(), parts.begin(), parts.end());
  bool can_fail = true;
  status found;
  if (settings_.transfer == transfer_way::library)
    found = take_room(*comm_, path_, parts, can_fail);
  can_fail_ = can_fail_ || can_fail;
  return found;
}

status hdf5_writer::move(hdf5_written_array& array, const array_view& local,
                         const array_layout& layout) {
  const std::int64_t step =
      array.has_steps ? static_cast<std::int64_t>(array.steps.size()) - 1 : -1;
  std::vector<hdf5_segment> segments;
  {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    status result;
    if (step >= 0) result = check_growth(array);
    if (step >= 0 && result.ok() && is_here()) result = hdf5_extend(array.dataset.get(), step + 1);
    if (step >= 0) result = settle(result);
    if (!result.ok() || is_empty(array.global)) return result;
    if (status s = find_segments(array, step, segments); !s.ok()) return s;
  }
  const auto elem_len = static_cast<std::int64_t>(array.kind.elem_len);
  const hdf5_cargo cargo{layout,   local, array.kind, step, scattered_chunk(segments, elem_len),
                         can_fail_};
  status moved = settings_.transfer == transfer_way::library
                     ? hdf5_library_write(cargo, array.dataset.get(), settings_, notes_)
                     : direct_.write(cargo, segments);
  return std::move(moved).in_file_once(path_);
}

status hdf5_writer::write(const array_place& place, const array_view& local,
                          const array_layout& layout) {
  const hdf5_quiet quiet;
  hdf5_kind kind;
  kind.type = local.type;
  kind.elem_len = form_of(local).file_bytes;
  std::string path;
  // The file is closed in one way on all MPI ranks: after a failure, or not.
  const status possible = agree_on(*comm_, [&] {
    status right = hdf5_path(place.name, path);
    hdf5_handle type;
    if (right.ok()) right = hdf5_type_of(kind.type, kind.elem_len, type);
    if (right.ok() && kind.elem_len == 0)
      right = status::failure(stat_code::kind_unsupported, "HDF5 files hold no empty characters");
    if (right.ok()) right = check(path, place, kind, layout);
    return std::move(right).in_file_once(path_);
  });
  if (!possible.ok()) return possible;
  return remembered([&] {
    if (arrays_.find(path) == arrays_.end()) {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      if (status s = define(path, place, kind, layout); !s.ok()) return s;
    }
    hdf5_written_array& array = arrays_[path];
    if (place.step) array.steps.push_back(*place.step);
    return move(array, local, layout);
  });
}

status hdf5_writer::write_attribute(const std::string& array, const std::string& name,
                                    const array_view& value) {
  const hdf5_quiet quiet;
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  std::string path;
  const status possible = agree_on(*comm_, [&] {
    status right = array.empty() ? status() : hdf5_path(array, path);
    if (right.ok() && !array.empty() && arrays_.find(path) == arrays_.end())
      right = status::failure(stat_code::array_missing,
                              "there is no array \"" + array + "\" to describe")
                  .advise("write the array before its attributes");
    if (right.ok() && (name.empty() || hdf5_is_reserved_attribute(name)))
      right = status::failure(stat_code::argument_invalid,
                              "\"" + name + "\" is no name of an attribute in an HDF5 file")
                  .advise("CLASS, NAME, DIMENSION_LIST and REFERENCE_LIST belong to HDF5");
    return std::move(right).in_file_once(path_);
  });
  if (!possible.ok()) return possible;
  status result;
  const hid_t object = array.empty() ? file_.get() : arrays_[path].dataset.get();
  if (is_here()) result = caught([&] { return hdf5_write_attribute(object, name, value); });
  return remembered([&] { return settle(result); });
}

// Numbers of steps and names: they go to memory too.
status hdf5_writer::write_dimensions() {
  const auto agreed = [&](status mine) {
    return is_together() ? agree(*comm_, std::move(mine)) : mine;
  };
  return hdf5_write_dimensions(file_.get(), arrays_, comm_->rank() == 0, agreed);
}

status hdf5_writer::close_objects(bool names_dimensions) {
  status result;
  if (names_dimensions) result = caught([&] { return write_dimensions(); });
  for (auto& [path, array] : arrays_)
    if (!array.dataset.close())
      result.keep_first(hdf5_failure("cannot close the array \"" + path + "\""));
  if (!file_.close()) result.keep_first(hdf5_failure("cannot close the file"));
  return result;
}

// HDF5 writes the metadata to memory, in each of the three ways.
status hdf5_writer::close_file() {
  const auto during = notes_.line.during(HR_PHASE_CLOSE);
  status result;
  if (comm_->rank() == 0 && is_together() && can_fail_)
    result = check_written(path_, 0, elements_, file_use::open);
  if (status s = agree(*comm_, std::move(result).in_file_once(path_)); !s.ok()) return s;
  result = {};
  if (is_here() && settings_.transfer == transfer_way::library) {
    // Of one process the memory would be cut to the length of the file in between.
    if (is_together()) result = descriptions_.add([&] { return write_dimensions(); });
    if (result.ok()) result = descriptions_.close([&] { return close_objects(!is_together()); });
  } else if (is_here()) {
    {
      const no_limit_on_files unlimited;
      result = caught([&] { return close_objects(true); });
    }
    if (result.ok()) result = caught([&] { return memory_.bring_to_disk(elements_); });
  }
  result.keep_first(direct_.close());
  return agree(*comm_, std::move(result).in_file_once(path_));
}

std::int64_t hdf5_writer::end_of_elements() const {
  std::int64_t end = 0;
  for (const byte_range& part : elements_) end = std::max(end, part.end);
  return end;
}

// HDF5 compares the size with what the file says of itself when it opens it.
status hdf5_writer::check_file() const {
  // Our own calls have counted their bytes, and the library's parallel files were looked at before
  // HDF5 closed them, which writes no elements. Elsewhere bytes of other nodes may have come only
  // now, or not at all.
  const bool looked = (settings_.transfer == transfer_way::headrace || is_together()) &&
                      is_local_file_system(path_);
  const std::vector<byte_range> unseen =
      looked || !can_fail_ ? std::vector<byte_range>() : elements_;
  if (status s = check_written(path_, end_of_elements(), unseen, file_use::closed); !s.ok())
    return s;
  hdf5_handle opened;
  return hdf5_open_file(path_, nullptr, {}, opened);
}

status hdf5_writer::finish() {
  const hdf5_quiet quiet;
  if (status s = remembered([&] { return close_file(); }); !s.ok()) return s;
  status result;
  if (comm_->rank() == 0) result = caught([&] { return check_file(); });
  result = status_of_root(*comm_, result);
  if (!result.ok() || !settings_.sync) return result;
  const auto during = notes_.line.during(HR_PHASE_SYNC);
  return sync_on_all_nodes(*comm_, path_);
}

}  // namespace headrace
