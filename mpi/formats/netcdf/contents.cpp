#include "contents.hpp"

#include <cstring>
#include <numeric>

#include "../../../src/core/name_text.hpp"
#include "../../disk/positioned_file.hpp"

namespace headrace::netcdf {
namespace {

// Integers of a shorter type, which lie at the beginning of the memory of as many longer ones.
template <class Short>
void widen(std::vector<std::int64_t>& numbers) {
  for (std::size_t i = numbers.size(); i-- > 0;) {
    Short value{};
    std::memcpy(&value, reinterpret_cast<const char*>(numbers.data()) + i * sizeof value,
                sizeof value);
    numbers[i] = value;
  }
}

}  // namespace

status contents::learn() {
  if (status s = file_->contents(dimensions_, variables_); !s.ok()) return s;
  for (std::size_t id = 0; id < variables_.size(); ++id)
    arrays_[variables_[id].name].id = static_cast<int>(id);
  return {};
}

bool contents::is_numbers_of_steps(const file_variable& variable) const {
  return variable.type == value_type::int64 && names_its_steps(variable);
}

bool contents::names_its_steps(const file_variable& variable) const {
  if (variable.dimensions.size() != 1) return false;
  const file_dimension& only = dimensions_[static_cast<std::size_t>(variable.dimensions[0])];
  return only.unlimited && only.name == variable.name;
}

status contents::names(std::vector<std::string>& found) {
  for (const file_variable& variable : variables_)
    if (!is_numbers_of_steps(variable)) found.push_back(variable.name);
  return {};
}

status contents::prepare(const std::string& name, known_array*& found) {
  const auto known = arrays_.find(name);
  if (known == arrays_.end()) {
    std::vector<std::string> there;
    if (status s = names(there); !s.ok()) return s;
    return status::failure(stat_code::array_missing, "there is no array " + shown(name))
        .advise("the file has " + (there.empty() ? "none" : names_text(there)));
  }
  found = &known->second;
  return found->is_described ? status() : learn_array(*found);
}

status contents::learn_array(known_array& array) {
  const file_variable& variable = variables_[static_cast<std::size_t>(array.id)];
  found_attribute found;
  std::string mark;
  status done = file_->find_attribute(array.id, mark_name, found);
  if (done.ok() && found.there && found.type == value_type::text) {
    mark.resize(static_cast<std::size_t>(found.count));
    done = file_->get_attribute(array.id, mark_name, mark.data());
  }
  if (!done.ok()) return done;
  std::vector<file_dimension> dimensions;
  for (const int id : variable.dimensions)
    dimensions.push_back(dimensions_[static_cast<std::size_t>(id)]);
  if (status s = array_of(variable, dimensions, mark, array.array, array.form); !s.ok()) return s;
  return array.array.has_steps ? prepare_numbers(array) : status();
}

const file_dimension& contents::axis_of(const known_array& array) const {
  const file_variable& variable = variables_[static_cast<std::size_t>(array.id)];
  return dimensions_[static_cast<std::size_t>(variable.dimensions[0])];
}

// All numbers that the dimension can have, and those that the array says it has.
status contents::prepare_numbers(known_array& array) {
  const file_dimension& axis = axis_of(array);
  const int source = variable_of_numbers(axis);
  if (source >= 0) {
    const value_type type = variables_[static_cast<std::size_t>(source)].type;
    const auto element_bytes = static_cast<std::int64_t>(bytes_of(type));
    if (status s = check_end(source, axis.length - 1, element_bytes); !s.ok()) return s;
  }
  array.numbers.resize(static_cast<std::size_t>(axis.length));
  std::iota(array.numbers.begin(), array.numbers.end(), 1);
  found_attribute found;
  if (status s = file_->find_attribute(array.id, steps_attribute, found); !s.ok()) return s;
  const bool there = found.there && found.type == value_type::int64;
  array.lists_steps = there;
  array.listed.resize(static_cast<std::size_t>(there ? found.count : axis.length));
  array.records.resize(array.listed.size());
  std::iota(array.records.begin(), array.records.end(), 0);
  return there ? file_->get_attribute(array.id, steps_attribute, array.listed.data()) : status();
}

status contents::load(known_array& array) {
  if (array.is_described) return {};
  if (array.array.has_steps) {
    const int source = variable_of_numbers(axis_of(array));
    if (status s = read_numbers(source, array.numbers); !s.ok()) return s;
    if (array.lists_steps)
      find_records(array);
    else
      array.listed = array.numbers;
    array.array.steps = step_list(std::move(array.listed));
  }
  array.is_described = true;
  return {};
}

// A program that was killed may have listed steps that have no number yet.
void contents::find_records(known_array& array) {
  const step_list all(array.numbers);
  std::vector<std::int64_t>& steps = array.listed;
  std::size_t known = 0;
  for (const std::int64_t step : steps) {
    const std::int64_t record = all.place_of(step);
    if (record < 0) continue;
    steps[known] = step;
    array.records[known++] = record;
  }
  steps.resize(known);
  array.records.resize(known);
}

status contents::find(const std::string& name, known_array*& found) {
  if (status s = prepare(name, found); !s.ok()) return s;
  return load(*found);
}

// -1: none, steps count from 1.
int contents::variable_of_numbers(const file_dimension& axis) const {
  const auto known = arrays_.find(axis.name);
  if (known == arrays_.end() || axis.length == 0) return -1;
  const file_variable& variable = variables_[static_cast<std::size_t>(known->second.id)];
  const bool integers = variable.type == value_type::int64 || variable.type == value_type::int32 ||
                        variable.type == value_type::int16;
  const bool is_its_own =
      integers && variable.dimensions.size() == 1 &&
      dimensions_[static_cast<std::size_t>(variable.dimensions[0])].name == axis.name;
  return is_its_own ? known->second.id : -1;
}

status contents::read_numbers(int source, std::vector<std::int64_t>& numbers) {
  if (source < 0) return {};
  const value_type type = variables_[static_cast<std::size_t>(source)].type;
  box all;
  all.array_rank = 1;
  all.count[0] = static_cast<std::int64_t>(numbers.size());
  bool collective = false;
  status done = file_->use(source, collective);
  done.keep_first(file_->move(direction::in, source,
                              section_of(all, value_form{type, 1, "", ""}, -1, false),
                              numbers.data()));
  if (type == value_type::int32) widen<std::int32_t>(numbers);
  if (type == value_type::int16) widen<std::int16_t>(numbers);
  return done;
}

status contents::describe(const std::string& name, described_array& found) {
  known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  found = array->array;
  return {};
}

status contents::place(const std::string& name, std::int64_t step_index, stored_place& found) {
  known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  const std::int64_t record =
      step_index < 0 ? -1 : array->records[static_cast<std::size_t>(step_index)];
  if (status s = check_length(*array, record); !s.ok()) return s;
  if (!own_) return {};
  return file_->place(array->id, record, array->form, volume(array->array.global), found);
}

status contents::begin_read(const std::string& name, std::int64_t step_index, bool collective,
                            bool& is_readable) {
  is_readable = true;
  status done = agreed(comm_.get(), [&] { return prepare(name, chosen_); });
  if (done.ok()) done = agreed(comm_.get(), [&] { return load(*chosen_); });
  if (!done.ok()) return done;
  record_ = step_index < 0 ? -1 : chosen_->records[static_cast<std::size_t>(step_index)];
  const bool checks = comm_ == nullptr || comm_->rank() == 0;
  done = agreed(comm_.get(), [&] { return checks ? check_length(*chosen_, record_) : status(); });
  return done.ok() ? file_->use(chosen_->id, collective) : done;
}

status contents::read(const box& part, char* data) {
  return file_->move(direction::in, chosen_->id,
                     section_of(part, chosen_->form, record_, is_empty(part)), data);
}

// Libraries read nothing behind the end of a file and say nothing.
status contents::check_end(int variable, std::int64_t record, std::int64_t bytes) const {
  const std::int64_t offset = file_->offset_of(variable, record);
  if (offset < 0) return {};
  const std::int64_t end = offset + bytes;
  positioned_file file;
  std::int64_t length = 0;
  status found = file.open_to_read(path_);
  if (found.ok()) found = file.size(length);
  if (!found.ok() || length >= end) return found;
  return status::failure(stat_code::end_of_file, "the file ends within the array")
      .expected("at least " + bytes_text(static_cast<std::uint64_t>(end)),
                bytes_text(static_cast<std::uint64_t>(length)))
      .advise("it is cut: copy it again");
}

status contents::check_length(const known_array& array, std::int64_t record) const {
  return check_end(array.id, record, array.array.bytes());
}

status contents::read_attribute(const std::string& array, const std::string& name,
                                const array_view& value) {
  int id = of_file;
  if (!array.empty()) {
    const auto known = arrays_.find(array);
    if (known == arrays_.end())
      return status::failure(stat_code::array_missing, "there is no array " + shown(array));
    id = known->second.id;
  }
  return get_attribute(*file_, id, name, value).in_array(array);
}

}  // namespace headrace::netcdf
