#include "writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/catalogue.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/probe.hpp"
#include "../../disk/room.hpp"
#include "../../move/element_form.hpp"
#include "room.hpp"
#include "transfer.hpp"

namespace headrace {
namespace {

// "d1", "d2", ...: the user gave no names.
bool has_default_names(const std::vector<std::string>& names) {
  for (std::size_t d = 0; d < names.size(); ++d)
    if (names[d] != "d" + std::to_string(d + 1)) return false;
  return true;
}

constexpr int first_named_code = 1000;  // below are those of errno

std::string length_text(std::int64_t length) {
  return length == 0 ? "no fixed length" : "length " + std::to_string(length);
}

// A failure of the library or of the disk, not one of the arguments.
bool leaves_file_broken(const status& failed) {
  return (failed.code() > 0 && failed.code() < first_named_code) ||
         failed.code() == static_cast<int>(stat_code::library_failed) ||
         failed.code() == static_cast<int>(stat_code::file_size_mismatch);
}

}  // namespace

status netcdf_writer::write(const array_place& place, const array_view& local,
                            const array_layout& layout) {
  return or_give_up([&] { return write_here(place, local, layout); });
}

status netcdf_writer::write_here(const array_place& place, const array_view& local,
                                 const array_layout& layout) {
  written_array* array = nullptr;
  std::int64_t record = -1;
  {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    if (status s = declare(place, local, layout, array); !s.ok()) return s;
    if (place.step)
      if (status s = next_record(*array, *place.step, record); !s.ok()) return s;
    if (status s = make_room(*array, record); !s.ok()) return s;
  }
  const netcdf_target target{file_.get(),       array->id,     array->form, record,
                             settings_.pattern, path_.c_str(), can_fail_};
  return write_netcdf(target, local, layout, notes_);
}

// A library that cannot write cannot close either. The disk is asked why, and then the file is
// emptied, which gives a full one room for what the library still writes when it closes.
status netcdf_writer::give_up(status failed) {
  if (failed.ok() || !leaves_file_broken(failed)) return failed;
  failed = explain_failed_write(*comm_, path_, std::move(failed));
  if (comm_->rank() == 0 && ::truncate(path_.c_str(), 0) != 0) errno = 0;
  if (file_ != nullptr) file_->abandon();
  return failed;
}

// What defining it needs; array is null for one that is not in the file.
status netcdf_writer::prepare(const array_place& place, const array_view& local,
                              const array_layout& layout, written_array& made,
                              written_array*& array) {
  made.name = netcdf_name(place.name);
  status possible = netcdf_form_of(local, made.form);
  if (!possible.ok()) return std::move(possible).in_file_once(path_ + ":" + made.name);
  const auto known = arrays_.find(made.name);
  if (known != arrays_.end()) {
    array = &known->second;
    return check_again(*array, place, made.form, layout.global());
  }
  made.whole = layout.global();
  made.bytes = volume(made.whole) * static_cast<std::int64_t>(form_of(local).file_bytes);
  if (steps_.has(made.name))
    return name_is_taken("array " + shown(made.name), "that of the numbers of steps",
                         "give it another name, or write it before all arrays with steps");
  const bool is_step_taken = made.name == netcdf_step_name || arrays_.count(netcdf_step_name) > 0;
  if (place.step) made.axis = &steps_.axis_for(made.name, *place.step, classic_, is_step_taken);
  return {};
}

status netcdf_writer::declare(const array_place& place, const array_view& local,
                              const array_layout& layout, written_array*& array) {
  written_array made;
  // Before the library's collective calls: one MPI rank may lack memory.
  const status ready = agree_on(*comm_, [&] { return prepare(place, local, layout, made, array); });
  if (!ready.ok()) steps_.drop_undefined();
  if (!ready.ok() || array != nullptr) return ready;
  if (status s = agree_on(*comm_, [&] { return define_array(place, made); }); !s.ok()) {
    steps_.drop_undefined();  // its name may be what was refused
    return s;
  }
  return agree_on(*comm_, [&] {
    array = &arrays_.emplace(made.name, made).first->second;
    return status();
  });
}

status netcdf_writer::check_again(const written_array& array, const array_place& place,
                                  const netcdf_form& form, const box& whole) const {
  next_step next{array.name, array.axis != nullptr, place.step, false, true, array.whole, whole};
  next.same_kind = form.type == array.form.type && form.mark == array.form.mark &&
                   form.parts == array.form.parts;
  return check_next_step(next).in_file_once(path_);
}

status netcdf_writer::define_array(const array_place& place, written_array& array) {
  if (file_ != nullptr)
    if (status s = file_->define(); !s.ok()) return s;
  netcdf_variable variable{array.name, array.form.type, false, {}};
  std::vector<std::int64_t> lengths;
  if (array.axis != nullptr) {
    if (!array.axis->defined)
      if (status s = define_axis(*array.axis); !s.ok()) return s;
    variable.dimensions.push_back(array.axis->dimension);
    lengths.push_back(0);
  }
  const bool defaults = has_default_names(place.dimensions);
  for (std::size_t d = place.dimensions.size(); d-- > 0;) {
    int id = 0;
    lengths.push_back(array.whole.count[d]);
    if (lengths.back() == 0)
      return status::failure(stat_code::argument_invalid,
                             "NetCDF has no dimension of length 0, and array " + shown(array.name) +
                                 " has one: " + place.dimensions[d])
          .in_file(path_);
    if (status s = dimension(array.name, place.dimensions[d], defaults, lengths.back(), id);
        !s.ok())
      return s;
    variable.dimensions.push_back(id);
  }
  if (!array.form.part_dimension.empty()) {
    int id = 0;
    lengths.push_back(array.form.parts);
    if (status s = dimension(array.name, array.form.part_dimension, false, array.form.parts, id);
        !s.ok())
      return s;
    variable.dimensions.push_back(id);
  }
  if (file_ == nullptr) return {};
  status done = file_->add_variable(variable, lengths, array.id);
  if (done.ok() && !array.form.mark.empty())
    done = file_->put_attribute(array.id, netcdf_mark_name, netcdf_type::text,
                                static_cast<std::int64_t>(array.form.mark.size()),
                                array.form.mark.data());
  return done;
}

status netcdf_writer::define_axis(netcdf_step_axis& axis) {
  if (arrays_.count(axis.name) > 0)
    return name_is_taken("the numbers of steps", "that of array " + shown(axis.name),
                         "give that array another name");
  if (status s = dimension("", axis.name, false, 0, axis.dimension); !s.ok()) return s;
  axis.defined = true;
  if (file_ == nullptr) return {};
  return file_->add_variable({axis.name, netcdf_type::int64, false, {axis.dimension}}, {0},
                             axis.variable);
}

status netcdf_writer::dimension(const std::string& array, const std::string& name, bool is_default,
                                std::int64_t length, int& id) {
  const auto known = dimensions_.find(name);
  if (known != dimensions_.end()) {
    id = known->second.id;
    if (known->second.length == length) return {};
    if (is_default) return dimension(array, array + "_" + name, false, length, id);
    return status::failure(stat_code::shape_mismatch,
                           "dimension " + shown(name) +
                               (array.empty() ? "" : " of array " + shown(array)) +
                               " is in the file with another length")
        .expected(length_text(known->second.length), length_text(length))
        .in_file(path_)
        .advise("give it another name with dimensions=");
  }
  // Dimensions of NetCDF-4 are HDF5's datasets, as arrays are.
  if (!classic_ && arrays_.count(name) > 0) {
    if (is_default) return dimension(array, array + "_" + name, false, length, id);
    return name_is_taken("dimension " + shown(name) + " of array " + shown(array),
                         "that of an array in the file",
                         "write array " + shown(name) + " later, with dimensions=\"" + name +
                             "\" where it has the coordinates, or give the dimension another name");
  }
  if (file_ != nullptr)
    if (status s = file_->add_dimension(name, length, id); !s.ok()) return s;
  dimensions_[name] = {length, id};
  return {};
}

status netcdf_writer::name_is_taken(const std::string& what, const std::string& name,
                                    std::string advice) const {
  return status::failure(stat_code::argument_invalid, what + " cannot have this name")
      .expected("another", name)
      .in_file(path_)
      .advise(std::move(advice));
}

status netcdf_writer::next_record(written_array& array, std::int64_t step, std::int64_t& record) {
  bool is_new = false;
  const status kept = agree_on(*comm_, [&] {
    record = netcdf_steps::record_of(*array.axis, step);
    is_new = std::find(array.records.begin(), array.records.end(), record) == array.records.end();
    if (is_new) array.records.push_back(record);
    return status();
  });
  if (is_new || !kept.ok()) return kept;
  return check_next_step({array.name, true, step, true, true, array.whole, array.whole})
      .in_file(path_);
}

status netcdf_writer::write_attribute(const std::string& array, const std::string& name,
                                      const array_view& value) {
  int id = netcdf_global;
  // A failure that is not the arguments' makes all of them give up.
  const auto find = [&] {
    const auto known = arrays_.find(netcdf_name(array));
    if (known == arrays_.end())
      return status::failure(stat_code::array_missing, "there is no array " + shown(array))
          .in_file(path_)
          .advise("write the array before its attributes");
    id = known->second.id;
    return status();
  };
  if (status s = agree_on(*comm_, [&] { return array.empty() ? status() : find(); }); !s.ok())
    return give_up(std::move(s));
  return give_up(agree_on(*comm_, [&] {
    status done;
    if (file_ != nullptr) done = file_->define();
    if (done.ok() && file_ != nullptr) done = put_netcdf_attribute(*file_, id, name, value);
    return std::move(done).in_file_once(path_);
  }));
}

status netcdf_writer::finish() {
  {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    if (status s = or_give_up([&] { return close_here(); }); !s.ok()) return s;
  }
  if (!settings_.sync) return {};
  const auto during = notes_.line.during(HR_PHASE_SYNC);
  return sync_on_all_nodes(*comm_, path_);
}

}  // namespace headrace
