#include "netcdf_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "../../src/core/name_text.hpp"
#include "../core/disk_probe.hpp"
#include "../core/disk_room.hpp"
#include "../core/element_form.hpp"
#include "../core/library_files.hpp"
#include "netcdf_room.hpp"
#include "netcdf_transfer.hpp"
#include "next_step.hpp"

namespace headrace {
namespace {

// "d1", "d2", ...: the user gave no names.
bool has_default_names(const std::vector<std::string>& names) {
  for (std::size_t d = 0; d < names.size(); ++d)
    if (names[d] != "d" + std::to_string(d + 1)) return false;
  return true;
}

// "x,x": one dimension for both, so they are as long.
status check_dimensions(const std::vector<std::string>& names, const box& whole) {
  for (std::size_t d = 1; d < names.size(); ++d)
    for (std::size_t before = 0; before < d; ++before)
      if (names[d] == names[before] && whole.count[d] != whole.count[before])
        return status::failure(stat_code::shape_mismatch, "the name " + shown(names[d]) +
                                                              " stands twice in dimensions=, for "
                                                              "dimensions of different lengths")
            .expected("length " + std::to_string(whole.count[before]),
                      "length " + std::to_string(whole.count[d]))
            .advise("give each of them a name of its own");
  return {};
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
  return give_up(write_here(place, local, layout));
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
  const netcdf_target target{file_.get(), array->id, array->form, record, settings_.pattern};
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

status netcdf_writer::declare(const array_place& place, const array_view& local,
                              const array_layout& layout, written_array*& array) {
  netcdf_form form;
  const std::string name = netcdf_name(place.name);
  status possible = netcdf_form_of(local, form);
  if (possible.ok()) possible = check_dimensions(place.dimensions, layout.global());
  if (!possible.ok()) return std::move(possible).in_file_once(path_ + ":" + name);
  const auto known = arrays_.find(name);
  if (known != arrays_.end()) {
    array = &known->second;
    return check_again(*array, place, form, layout.global());
  }
  written_array made;
  made.name = name;
  made.form = form;
  made.whole = layout.global();
  made.bytes = volume(made.whole) * static_cast<std::int64_t>(form_of(local).file_bytes);
  if (place.step) made.axis = &steps_.axis_for(name, *place.step, classic_);
  if (status s = agree(*comm_, define_array(place, made)); !s.ok()) return s;
  array = &arrays_.emplace(name, made).first->second;
  return {};
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
  if (file_ != nullptr)
    if (status s = file_->add_dimension(name, length, id); !s.ok()) return s;
  dimensions_[name] = {length, id};
  return {};
}

status netcdf_writer::next_record(written_array& array, std::int64_t step, std::int64_t& record) {
  record = netcdf_steps::record_of(*array.axis, step);
  if (std::find(array.records.begin(), array.records.end(), record) == array.records.end()) {
    array.records.push_back(record);
    return {};
  }
  return check_next_step({array.name, true, step, true, true, array.whole, array.whole})
      .in_file(path_);
}

status netcdf_writer::write_attribute(const std::string& array, const std::string& name,
                                      const array_view& value) {
  int id = netcdf_global;
  if (!array.empty()) {
    const auto known = arrays_.find(netcdf_name(array));
    if (known == arrays_.end())
      return status::failure(stat_code::array_missing, "there is no array " + shown(array))
          .in_file(path_)
          .advise("write the array before its attributes");
    id = known->second.id;
  }
  status done;
  if (file_ != nullptr) {
    done = file_->define();
    if (done.ok()) done = put_netcdf_attribute(*file_, id, name, value);
  }
  return give_up(agree(*comm_, std::move(done).in_file_once(path_)));
}

// Afterwards every array says which steps it has, unless it has all of them.
status netcdf_writer::finish_steps() {
  if (steps_.all().empty()) return {};
  for (const auto& [name, array] : arrays_)
    if (status s = mark_gaps(array); !s.ok()) return s;
  if (status s = end_define(); !s.ok()) return s;
  if (status s = agree(*comm_, write_step_numbers()); !s.ok()) return s;
  for (const auto& [name, array] : arrays_)
    if (status s = agree(*comm_, fill_gaps(array)); !s.ok()) return s;
  return {};
}

status netcdf_writer::mark_gaps(const written_array& array) {
  if (array.axis == nullptr || array.records.size() == array.axis->numbers.size()) return {};
  std::vector<std::int64_t> records = array.records;
  std::sort(records.begin(), records.end());
  std::vector<std::int64_t> numbers;
  for (const std::int64_t record : records)
    numbers.push_back(array.axis->numbers[static_cast<std::size_t>(record)]);
  status done;
  if (file_ != nullptr) {
    done = file_->define();
    if (done.ok())
      done = file_->put_attribute(array.id, netcdf_steps_attribute, netcdf_type::int64,
                                  static_cast<std::int64_t>(numbers.size()), numbers.data());
    if (done.ok() && array.form.type != netcdf_type::text)
      done = file_->put_attribute(array.id, "missing_value", array.form.type, 1,
                                  fill_values(array.form.type, 1).data());
  }
  return agree(*comm_, done);
}

// Not collective: the MPI ranks that have the file share the parts.
status netcdf_writer::fill_gaps(const written_array& array) {
  if (file_ == nullptr || array.axis == nullptr) return {};
  std::vector<bool> is_there(array.axis->numbers.size(), false);
  std::size_t end = 0;  // behind the last record that somebody must write
  for (const std::int64_t record : array.records) {
    is_there[static_cast<std::size_t>(record)] = true;
    end = std::max(end, static_cast<std::size_t>(record) + 1);
  }
  if (!file_->pads_records()) end = is_there.size();
  if (std::count(is_there.begin(), is_there.begin() + static_cast<std::ptrdiff_t>(end), false) == 0)
    return {};
  constexpr std::int64_t part_bytes = std::int64_t{16} << 20;
  const std::int64_t element_bytes = array.bytes / volume(array.whole);
  const std::vector<box> parts =
      parts_for_calls(array.whole, std::max<std::int64_t>(1, part_bytes / element_bytes));
  const std::vector<char> nothing =
      fill_values(array.form.type, volume(parts.front()) * array.form.parts);
  bool collective = false;
  status done = file_->use(array.id, collective);
  const bool alone = settings_.pattern == write_pattern::serial;
  const auto ranks = static_cast<std::size_t>(alone ? 1 : comm_->size());
  for (std::size_t record = 0; record < end && done.ok(); ++record)
    for (auto i = static_cast<std::size_t>(comm_->rank()); i < parts.size() && !is_there[record];
         i += ranks)
      done.keep_first(
          file_->put(array.id, array.form.type,
                     section_of(parts[i], array.form, static_cast<std::int64_t>(record), false),
                     nothing.data()));
  return done;
}

status netcdf_writer::write_step_numbers() {
  if (file_ == nullptr) return {};
  return file_->write_little([&] { return put_step_numbers(); });
}

status netcdf_writer::put_step_numbers() {
  status done;
  for (const netcdf_step_axis* axis : steps_.all()) {
    box all;
    all.array_rank = 1;
    all.count[0] = static_cast<std::int64_t>(axis->numbers.size());
    const netcdf_form form{netcdf_type::int64, 1, "", ""};
    std::vector<std::int64_t> numbers = axis->numbers;  // PnetCDF swaps bytes in place
    bool collective = true;
    done.keep_first(file_->use(axis->variable, collective));
    done.keep_first(file_->put(axis->variable, form.type,
                               section_of(all, form, -1, comm_->rank() != 0), numbers.data()));
  }
  return done;
}

status netcdf_writer::finish() {
  {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    if (status s = give_up(close_here()); !s.ok()) return s;
  }
  if (!settings_.sync) return {};
  const auto during = notes_.line.during(HR_PHASE_SYNC);
  return sync_on_all_nodes(*comm_, path_);
}

}  // namespace headrace
