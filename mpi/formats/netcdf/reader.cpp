#include "reader.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "../../../src/core/name_text.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../together/from_root.hpp"
#include "transfer.hpp"
#include "writer.hpp"

namespace headrace {
namespace {

// What MPI rank 0 found, for those that have not opened the file.
root_message packed(const std::vector<netcdf_dimension>& dimensions,
                    const std::vector<netcdf_variable>& variables) {
  root_message all;
  std::vector<std::string> names;
  std::vector<std::int64_t>& numbers = all.numbers;
  numbers = {static_cast<std::int64_t>(dimensions.size()),
             static_cast<std::int64_t>(variables.size())};
  for (const netcdf_dimension& d : dimensions) {
    names.push_back(d.name);
    numbers.insert(numbers.end(), {d.length, d.unlimited ? 1 : 0});
  }
  for (const netcdf_variable& v : variables) {
    names.push_back(v.name);
    numbers.insert(numbers.end(), {static_cast<std::int64_t>(v.type), v.user_type ? 1 : 0,
                                   static_cast<std::int64_t>(v.dimensions.size())});
    numbers.insert(numbers.end(), v.dimensions.begin(), v.dimensions.end());
  }
  all.text = joined_texts(names);
  return all;
}

void unpack(const root_message& all, std::vector<netcdf_dimension>& dimensions,
            std::vector<netcdf_variable>& variables) {
  const std::vector<std::string> names = split_texts(all.text);
  auto name = names.begin();
  auto number = all.numbers.begin();
  dimensions.resize(static_cast<std::size_t>(*number++));
  variables.resize(static_cast<std::size_t>(*number++));
  for (netcdf_dimension& d : dimensions) {
    d.name = *name++;
    d.length = *number++;
    d.unlimited = *number++ != 0;
  }
  for (netcdf_variable& v : variables) {
    v.name = *name++;
    v.type = static_cast<netcdf_type>(*number++);
    v.user_type = *number++ != 0;
    v.dimensions.resize(static_cast<std::size_t>(*number++));
    for (int& id : v.dimensions) id = static_cast<int>(*number++);
  }
}

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

status netcdf_reader::make(std::unique_ptr<netcdf_file> file, const std::string& path,
                           const communicator_ptr& comm, const parallel_settings& settings,
                           parallel_notes& notes, std::unique_ptr<dataset_reader>& made) {
  std::unique_ptr<netcdf_reader> reader;
  const status ready = agree_on(*comm, [&] {
    reader.reset(new netcdf_reader(path, comm, settings, notes));
    return status();
  });
  if (!ready.ok()) return ready;
  reader->file_ = std::move(file);
  if (status s = reader->learn_contents(); !s.ok()) return s;
  made = std::move(reader);
  return {};
}

status netcdf_reader::learn_contents() {
  const status done = agree_on(*comm_, [&] {
    return file_ == nullptr ? status() : file_->contents(dimensions_, variables_);
  });
  if (!done.ok()) return done;
  if (serial()) {
    const auto make = [&](root_message& all) {
      all = packed(dimensions_, variables_);
      return status();
    };
    const auto take = [&](const root_message& all) { unpack(all, dimensions_, variables_); };
    if (status s = from_root(*comm_, make, take); !s.ok()) return s;
  }
  return agree_on(*comm_, [&] {
    for (std::size_t id = 0; id < variables_.size(); ++id)
      arrays_[variables_[id].name].id = static_cast<int>(id);
    return status();
  });
}

bool netcdf_reader::is_coordinate(const netcdf_variable& variable) const {
  if (variable.dimensions.size() != 1 || variable.type != netcdf_type::int64) return false;
  const netcdf_dimension& only = dimensions_[static_cast<std::size_t>(variable.dimensions[0])];
  return only.unlimited && only.name == variable.name;
}

status netcdf_reader::names(std::vector<std::string>& found) {
  for (const netcdf_variable& variable : variables_)
    if (!is_coordinate(variable)) found.push_back(variable.name);
  return {};
}

status netcdf_reader::find(const std::string& name, known_array*& found) {
  const auto known = arrays_.find(netcdf_name(name));
  if (known == arrays_.end()) {
    std::vector<std::string> there;
    if (status s = names(there); !s.ok()) return s;
    return status::failure(stat_code::array_missing, "there is no array " + shown(name))
        .in_file(path_)
        .advise("the file has " + (there.empty() ? "none" : names_text(there)));
  }
  found = &known->second;
  if (found->described) return {};
  known_array learnt;  // what an attempt found that failed would be there twice
  learnt.id = found->id;
  if (status s = learn_array(learnt); !s.ok()) return s;
  learnt.described = true;
  *found = std::move(learnt);
  return {};
}

status netcdf_reader::learn_array(known_array& array) {
  const netcdf_variable& variable = variables_[static_cast<std::size_t>(array.id)];
  std::string mark;
  status done;
  if (file_ != nullptr) {
    netcdf_type type{};
    std::int64_t count = 0;
    bool there = false;
    done = file_->find_attribute(array.id, netcdf_mark_name, type, count, there);
    if (done.ok() && there && type == netcdf_type::text) {
      mark.resize(static_cast<std::size_t>(count));
      done = file_->get_attribute(array.id, netcdf_mark_name, mark.data());
    }
  }
  if (status s = agree(*comm_, done); !s.ok()) return s;
  if (serial()) broadcast(*comm_, 0, mark);
  const status understood = agree_on(*comm_, [&] {
    std::vector<netcdf_dimension> dimensions;
    for (const int id : variable.dimensions)
      dimensions.push_back(dimensions_[static_cast<std::size_t>(id)]);
    return netcdf_array_of(variable, dimensions, mark, array.array, array.form).in_file(path_);
  });
  if (!understood.ok()) return understood;
  return array.array.has_steps ? learn_steps(array) : status();
}

status netcdf_reader::learn_steps(known_array& array) {
  const netcdf_variable& variable = variables_[static_cast<std::size_t>(array.id)];
  const netcdf_dimension& axis = dimensions_[static_cast<std::size_t>(variable.dimensions[0])];
  const int source = variable_of_numbers(axis);
  std::vector<std::int64_t> numbers;
  // All memory is there before the library is called, which may wait for all MPI ranks.
  const status prepared = agree_on(*comm_, [&] { return prepare_numbers(axis, source, numbers); });
  if (!prepared.ok()) return prepared;
  if (status s = agree(*comm_, read_numbers(source, numbers)); !s.ok()) return s;
  if (serial())
    if (status s = numbers_from_root(*comm_, numbers); !s.ok()) return s;
  std::vector<std::int64_t> own;
  netcdf_type type{};
  std::int64_t count = 0;
  bool there = false;
  const auto load = [&] {
    status done = file_->find_attribute(array.id, netcdf_steps_attribute, type, count, there);
    there = there && type == netcdf_type::int64;
    if (!done.ok() || !there) return done;
    own.resize(static_cast<std::size_t>(count));
    return file_->get_attribute(array.id, netcdf_steps_attribute, own.data());
  };
  if (status s = agree_on(*comm_, [&] { return file_ == nullptr ? status() : load(); }); !s.ok())
    return s;
  if (serial())
    if (status s = numbers_from_root(*comm_, own); !s.ok()) return s;
  return agree_on(*comm_, [&] {
    array.array.steps = own.empty() ? numbers : own;
    for (const std::int64_t step : array.array.steps)
      array.records.push_back(std::find(numbers.begin(), numbers.end(), step) - numbers.begin());
    return status();
  });
}

// -1: none, steps count from 1.
int netcdf_reader::variable_of_numbers(const netcdf_dimension& axis) const {
  const auto known = arrays_.find(axis.name);
  if (known == arrays_.end() || axis.length == 0) return -1;
  const netcdf_variable& variable = variables_[static_cast<std::size_t>(known->second.id)];
  const bool integers = variable.type == netcdf_type::int64 ||
                        variable.type == netcdf_type::int32 || variable.type == netcdf_type::int16;
  const bool is_its_own =
      integers && variable.dimensions.size() == 1 &&
      dimensions_[static_cast<std::size_t>(variable.dimensions[0])].name == axis.name;
  return is_its_own ? known->second.id : -1;
}

status netcdf_reader::prepare_numbers(const netcdf_dimension& axis, int source,
                                      std::vector<std::int64_t>& numbers) const {
  if (file_ == nullptr) return {};
  if (source >= 0) {
    const netcdf_type type = variables_[static_cast<std::size_t>(source)].type;
    const auto element_bytes = static_cast<std::int64_t>(bytes_of(type));
    if (status s = check_end(source, axis.length - 1, element_bytes); !s.ok()) return s;
  }
  numbers.resize(static_cast<std::size_t>(axis.length));
  std::iota(numbers.begin(), numbers.end(), 1);
  return {};
}

// Not collective, but made by all MPI ranks that have the file.
status netcdf_reader::read_numbers(int source, std::vector<std::int64_t>& numbers) {
  if (file_ == nullptr || source < 0) return {};
  const netcdf_type type = variables_[static_cast<std::size_t>(source)].type;
  box all;
  all.array_rank = 1;
  all.count[0] = static_cast<std::int64_t>(numbers.size());
  bool collective = false;
  status done = file_->use(source, collective);
  done.keep_first(file_->get(source, type, section_of(all, netcdf_form{type, 1, "", ""}, -1, false),
                             numbers.data()));
  if (type == netcdf_type::int32) widen<std::int32_t>(numbers);
  if (type == netcdf_type::int16) widen<std::int16_t>(numbers);
  return done;
}

status netcdf_reader::describe(const std::string& name, stored_array& found) {
  known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  found = array->array;
  return {};
}

// MPI-IO reads nothing behind the end of a file and says nothing.
status netcdf_reader::check_end(int variable, std::int64_t record, std::int64_t bytes) const {
  const std::int64_t offset = file_->offset_of(variable, record);
  if (offset < 0) return {};
  const std::int64_t end = offset + bytes;
  positioned_file file;
  std::int64_t length = 0;
  status found = file.open_to_read(path_);
  if (found.ok()) found = file.size(length);
  if (!found.ok() || length >= end) return found;
  return status::failure(stat_code::end_of_file, "the file ends within the array")
      .in_file(path_)
      .expected("at least " + bytes_text(static_cast<std::uint64_t>(end)),
                bytes_text(static_cast<std::uint64_t>(length)))
      .advise("it is cut: copy it again");
}

status netcdf_reader::check_length(const known_array& array, std::int64_t record) const {
  status found;
  if (comm_->rank() == 0)
    found = check_end(array.id, record, static_cast<std::int64_t>(array.array.info.bytes));
  return agree(*comm_, found);
}

status netcdf_reader::read(const std::string& name, std::int64_t step_index,
                           const array_view& local, const array_layout& layout) {
  known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  const std::int64_t record =
      step_index < 0 ? -1 : array->records[static_cast<std::size_t>(step_index)];
  if (status s = check_length(*array, record); !s.ok()) return s;
  const netcdf_target source{file_.get(), array->id,         array->form,
                             record,      settings_.pattern, path_.c_str()};
  return read_netcdf(source, local, layout, notes_);
}

status netcdf_reader::read_attribute(const std::string& array, const std::string& name,
                                     const array_view& value) {
  int id = netcdf_global;
  if (!array.empty()) {
    const auto known = arrays_.find(netcdf_name(array));
    if (known == arrays_.end())
      return status::failure(stat_code::array_missing, "there is no array " + shown(array))
          .in_file(path_);
    id = known->second.id;
  }
  const status done = agree_on(*comm_, [&] {
    if (file_ == nullptr) return status();
    return get_netcdf_attribute(*file_, id, name, value).in_file_once(path_).in_array(array);
  });
  if (!done.ok() || !serial()) return done;
  const auto bytes = static_cast<int>(byte_count(value).value_or(0));
  copy_from(*comm_, 0, value.base, bytes, MPI_BYTE);
  return {};
}

}  // namespace headrace
