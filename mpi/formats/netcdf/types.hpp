// What a Fortran array is in a NetCDF variable, for NetCDF-4 and PnetCDF alike. The two libraries
// have the same numbers for types; each checks them against its own header.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../../dataset/backend.hpp"
#include "../../move/boxes.hpp"

namespace headrace::netcdf {

enum class value_type : int {
  int8 = 1,
  text = 2,
  int16 = 3,
  int32 = 4,
  real32 = 5,
  real64 = 6,
  uint8 = 7,
  uint16 = 8,
  uint32 = 9,
  int64 = 10,
  uint64 = 11,
  string = 12
};
std::size_t bytes_of(value_type type) noexcept;  // 0: none that we read
type_class class_of(value_type type) noexcept;
std::string name_of(value_type type);  // "int", "unsigned short"

// The value of a record that nobody wrote, as the NetCDF libraries have it.
std::vector<char> fill_values(value_type type, std::int64_t count);

// NetCDF has neither complex numbers, logicals nor strings of a fixed length: they are reals with a
// fastest dimension "complex" of 2, bytes, and characters with a fastest dimension
// "string<length>".
struct value_form {
  value_type type = value_type::int8;
  std::int64_t parts = 1;      // values of an element
  std::string part_dimension;  // "": there is none
  std::string mark;            // the attribute headrace_type; "": none
};
inline constexpr const char* mark_name = "headrace_type";
inline constexpr const char* step_name = "step";
// Attribute with the numbers of the steps of an array that has not all steps of the file.
inline constexpr const char* steps_attribute = "headrace_steps";

// Failure kind_unsupported.
status form_of_kind(type_class type, std::size_t elem_len, value_form& form);

struct file_dimension {
  std::string name;
  std::int64_t length = 0;
  bool unlimited = false;
};

struct file_variable {
  std::string name;
  value_type type = value_type::int8;
  bool user_type = false;       // compound, enum and the like
  std::vector<int> dimensions;  // slowest first
};

// The array that a variable holds, and its form; dimensions: of the variable, slowest first; mark:
// its attribute headrace_type. Numbers of steps are not filled in. Failure kind_unsupported.
status array_of(const file_variable& variable, const std::vector<file_dimension>& dimensions,
                const std::string& mark, stored_array& array, value_form& form);

// Bytes of the words of such values that a classic file, which is big-endian, has the other way
// round; 0: none.
std::size_t swapped_word_of(value_type type) noexcept;

// A part of an array in the order of a NetCDF variable: the record if there is one, the slowest
// dimension first, the parts of elements last.
struct file_section {
  int dimensions = 0;
  std::array<std::int64_t, max_parallel_rank + 2> start{};
  std::array<std::int64_t, max_parallel_rank + 2> count{};
  std::int64_t values = 0;
};
// record: -1 without steps. An empty section (empty: true) has as many dimensions.
file_section section_of(const box& part, const value_form& form, std::int64_t record, bool empty);

// Where a section begins and how far it reaches, in the integers of a library.
template <class Integer>
struct library_section {
  std::array<Integer, max_parallel_rank + 2> start{};
  std::array<Integer, max_parallel_rank + 2> count{};
  explicit library_section(const file_section& part) {
    std::copy(part.start.begin(), part.start.end(), start.begin());
    std::copy(part.count.begin(), part.count.end(), count.begin());
  }
};

// "/rho" is "rho": NetCDF names have no slash, HDF5 users write one.
std::string plain_name(const std::string& name);

}  // namespace headrace::netcdf
