// What NetCDF-4 and PnetCDF have in common: types, failures, opening, attributes.
#include <algorithm>
#include <cstring>

#include "../../../src/core/byte_swap.hpp"
#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../move/element_form.hpp"
#include "contents.hpp"
#include "file.hpp"

namespace headrace::netcdf {
namespace {

struct type_entry {
  value_type type;
  type_class kind;
  std::size_t bytes;  // 0: none that Fortran has
  const char* name;
};
constexpr type_entry types[] = {
    {value_type::int8, type_class::integer, 1, "byte"},
    {value_type::text, type_class::character, 1, "char"},
    {value_type::int16, type_class::integer, 2, "short"},
    {value_type::int32, type_class::integer, 4, "int"},
    {value_type::real32, type_class::real, 4, "float"},
    {value_type::real64, type_class::real, 8, "double"},
    {value_type::uint8, type_class::integer, 0, "unsigned byte"},
    {value_type::uint16, type_class::integer, 0, "unsigned short"},
    {value_type::uint32, type_class::integer, 0, "unsigned int"},
    {value_type::int64, type_class::integer, 8, "int64"},
    {value_type::uint64, type_class::integer, 0, "unsigned int64"},
    {value_type::string, type_class::character, 0, "string"},
};
constexpr type_entry unknown = {value_type::int8, type_class::integer, 0, "(unknown)"};

const type_entry& entry_of(value_type type) noexcept {
  for (const type_entry& entry : types)
    if (entry.type == type) return entry;
  return unknown;
}

bool find_number(type_class kind, std::size_t bytes, value_type& type) noexcept {
  for (const type_entry& entry : types)
    if (entry.kind == kind && entry.bytes == bytes && bytes > 0) {
      type = entry.type;
      return true;
    }
  return false;
}

template <class Value>
std::vector<char> repeated(Value value, std::int64_t count) {
  std::vector<char> bytes(sizeof value * static_cast<std::size_t>(count));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof value)
    std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

}  // namespace

std::size_t bytes_of(value_type type) noexcept {
  return entry_of(type).bytes;
}

type_class class_of(value_type type) noexcept {
  return entry_of(type).kind;
}

std::string name_of(value_type type) {
  return entry_of(type).name;
}

std::vector<char> fill_values(value_type type, std::int64_t count) {
  switch (type) {  // NC_FILL_... of netcdf.h and pnetcdf.h
    case value_type::int8:
      return repeated<std::int8_t>(-127, count);
    case value_type::int16:
      return repeated<std::int16_t>(-32767, count);
    case value_type::int32:
      return repeated<std::int32_t>(-2147483647, count);
    case value_type::int64:
      return repeated<std::int64_t>(-9223372036854775806, count);
    case value_type::real32:
      return repeated(9.9692099683868690e+36F, count);
    case value_type::real64:
      return repeated(9.9692099683868690e+36, count);
    default:
      return repeated('\0', count);
  }
}

status form_of_kind(type_class type, std::size_t elem_len, value_form& form) {
  form = {};
  bool fits = true;
  switch (type) {
    case type_class::integer:
    case type_class::real:
      fits = find_number(type, elem_len, form.type);
      break;
    case type_class::complex:
      fits = find_number(type_class::real, elem_len / 2, form.type);
      form.parts = 2;
      form.part_dimension = "complex";
      form.mark = "complex";
      break;
    case type_class::logical:
      form.type = value_type::int8;
      form.mark = "logical";
      break;
    case type_class::character:
      form.type = value_type::text;
      form.parts = static_cast<std::int64_t>(elem_len);
      form.part_dimension = "string" + std::to_string(elem_len);
      fits = elem_len > 0;
      break;
  }
  return fits ? status() : no_such_kind("NetCDF files", type, elem_len);
}

status array_of(const file_variable& variable, const std::vector<file_dimension>& dimensions,
                const std::string& mark, described_array& array, value_form& form) {
  array = {};
  array.name = variable.name;
  form = {};
  form.type = variable.type;
  const std::size_t bytes = variable.user_type ? 0 : bytes_of(variable.type);
  if (bytes == 0)
    return status::failure(
               stat_code::kind_unsupported,
               "variable " + shown(variable.name) + " is of the NetCDF type " +
                   (variable.user_type ? "(defined in the file)" : name_of(variable.type)) +
                   ", and Fortran has no such kind")
        .advise("convert it, for example with nco: ncap2 -s '" + variable.name + "=" +
                variable.name + ".double()'");
  std::vector<file_dimension> left = dimensions;
  array.has_steps = !left.empty() && left.front().unlimited;
  if (array.has_steps) left.erase(left.begin());
  array.type = class_of(variable.type);
  if (array.type == type_class::real && mark == "complex" && !left.empty() &&
      left.back().length == 2) {
    array.type = type_class::complex;
    form.mark = mark;
  }
  if (variable.type == value_type::int8 && mark == "logical") {
    array.type = type_class::logical;
    form.mark = mark;
  }
  const bool has_parts = array.type == type_class::complex || array.type == type_class::character;
  if (has_parts && !left.empty()) {
    form.parts = left.back().length;
    form.part_dimension = left.back().name;
    left.pop_back();
  }
  if (left.size() > max_parallel_rank)
    return status::failure(stat_code::kind_unsupported,
                           "variable " + shown(variable.name) + " has too many dimensions")
        .expected("at most " + std::to_string(max_parallel_rank), std::to_string(left.size()));
  array.elem_len = bytes * static_cast<std::size_t>(form.parts);
  array.global.array_rank = static_cast<int>(left.size());
  for (std::size_t d = 0; d < left.size(); ++d) {
    const file_dimension& dimension = left[left.size() - 1 - d];
    array.global.count[d] = dimension.length;
    array.dimensions.push_back(dimension.name);
  }
  return {};
}

std::size_t swapped_word_of(value_type type) noexcept {
  const std::size_t bytes = bytes_of(type);
  return bytes > 1 && is_swapped(byte_order::big) ? bytes : 0;
}

file_section section_of(const box& part, const value_form& form, std::int64_t record, bool empty) {
  file_section section;
  const auto add = [&](std::int64_t start, std::int64_t count) {
    const auto at = static_cast<std::size_t>(section.dimensions++);
    section.start[at] = empty ? 0 : start;
    section.count[at] = empty ? 0 : count;
  };
  if (record >= 0) add(record, 1);
  for (int d = part.array_rank - 1; d >= 0; --d)
    add(part.start[static_cast<std::size_t>(d)], part.count[static_cast<std::size_t>(d)]);
  if (!form.part_dimension.empty()) add(0, form.parts);
  section.values = empty ? 0 : volume(part) * form.parts;
  return section;
}

namespace {

// Of HDF5 within NetCDF-4, and of MPI-IO within PnetCDF: not of the arguments.
bool is_of_the_system(int code) noexcept {
  constexpr int hdf5_error = -101;
  constexpr int first_of_files = -201;
  constexpr int last_of_files = -225;
  return code == hdf5_error || (code <= first_of_files && code >= last_of_files);
}

}  // namespace

status library_failure(int code, const char* words, const std::string& what) {
  const int left = disk_error_in_errno();
  // NetCDF-4 takes every failure of HDF5 to create a file for one of permissions.
  if (left != 0 && (code > 0 || is_of_the_system(code))) return status::system(left, what);
  if (code > 0) return status::system(code, what);
  if (const int error = error_in_words(words); error > 0) return status::system(error, what);
  constexpr int name_in_use = -42;
  constexpr int long_name = -53;
  const bool is_argument = code == bad_name || code == name_in_use || code == long_name;
  status failed = status::failure(
      is_argument ? stat_code::argument_invalid : stat_code::library_failed, what + ": " + words);
  if (code != bad_name) return failed;
  return std::move(failed).advise(
      "a name is UTF-8, begins with a letter, a digit or _ (or a character beyond ASCII), has no "
      "slash and no control character, and does not end with a blank");
}

status check_both_ends(const std::string& file) {
  constexpr std::int64_t most = std::int64_t{256} << 10;  // as PnetCDF reads at once
  positioned_file both;
  std::int64_t size = 0;
  status found = check_not_empty(file);
  if (found.ok()) found = both.open_to_read(file);
  if (found.ok()) found = both.size(size);
  const std::int64_t bytes = std::min(size, most);
  std::vector<char> part(static_cast<std::size_t>(bytes));
  if (found.ok()) found = both.read_at(0, part.data(), bytes);
  if (found.ok()) found = both.read_at(size - bytes, part.data(), bytes);
  return found;
}

status open(const netcdf_library& library, const dataset_opening& how,
            std::unique_ptr<dataset_reader>& made) {
  const bool together = how.settings.by_library_together();
  const bool tells_places = together || !how.settings.by_library();
  const auto open_file = [&library, how, tells_places](const communicator_ptr& comm,
                                                       std::unique_ptr<described_file>& opened) {
    // Alone an MPI rank describes, or reads what has no place.
    const bool own = comm == nullptr && tells_places;
    std::shared_ptr<library_file> file;
    std::unique_ptr<contents> one;
    status done = agreed(comm.get(), [&] {
      file = own ? library.make_own() : library.make();
      one = std::make_unique<contents>(how.file, file, own, comm);
      return comm == nullptr ? check_both_ends(how.file) : status();
    });
    if (done.ok()) done = agreed(comm.get(), [&] { return file->open(how, handle_of(comm)); });
    if (done.ok()) done = agreed(comm.get(), [&] { return one->learn(); });
    opened = std::move(one);
    return done;
  };
  if (!library.classic && !together)
    if (status s = check_readable(*how.comm, how.file); !s.ok()) return s;
  return open_described(how, open_file, made);
}

// Attributes: numbers are themselves, logicals bytes, complex numbers pairs of reals, a text loses
// the blanks that fill it up, and several texts are strings (NetCDF-4 only).
namespace {

std::int64_t elements_of(const array_view& value) {
  return static_cast<std::int64_t>(element_count(value).value_or(0));
}

status get_text(library_file& file, int variable, const std::string& name,
                const found_attribute& found, const array_view& value) {
  std::vector<std::string> texts;
  if (found.type == value_type::string) {
    if (status s = file.get_texts(variable, name, texts); !s.ok()) return s;
    return set_texts(name, texts, value);
  }
  texts.emplace_back(static_cast<std::size_t>(found.count), '\0');
  if (found.count > 0)
    if (status s = file.get_attribute(variable, name, texts[0].data()); !s.ok()) return s;
  return set_texts(name, texts, value);
}

}  // namespace

status put_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value) {
  value_form form;
  if (value.type == type_class::character) {
    const std::vector<std::string> texts = texts_of(value);
    if (value.array_rank > 0) return file.put_texts(variable, name, texts);
    return file.put_attribute(variable, name, value_type::text,
                              static_cast<std::int64_t>(texts[0].size()), texts[0].data());
  }
  if (status s = form_of_kind(value.type, value.elem_len, form); !s.ok()) return s;
  const element_form how = form_of(value);
  std::vector<char> bytes(static_cast<std::size_t>(elements_of(value)) * how.file_bytes + 1);
  store_elements(value, how, bytes.data());
  return file.put_attribute(variable, name, form.type, elements_of(value) * form.parts,
                            bytes.data());
}

status get_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value) {
  found_attribute found;
  if (status s = file.find_attribute(variable, name, found); !s.ok()) return s;
  if (!found.there) return no_attribute(name);
  if (value.type == type_class::character && class_of(found.type) == type_class::character)
    return get_text(file, variable, name, found, value);
  value_form form;
  if (status s = form_of_kind(value.type, value.elem_len, form); !s.ok()) return s;
  if (found.type != form.type) return attribute_of_another_kind(name, value, name_of(found.type));
  if (found.count != elements_of(value) * form.parts)
    return attribute_of_another_length(name, value,
                                       static_cast<std::size_t>(found.count / form.parts));
  const element_form how = form_of(value);
  std::vector<char> bytes(static_cast<std::size_t>(elements_of(value)) * how.file_bytes + 1);
  if (found.count > 0)
    if (status s = file.get_attribute(variable, name, bytes.data()); !s.ok()) return s;
  load_elements(value, how, bytes.data());
  return {};
}

}  // namespace headrace::netcdf
