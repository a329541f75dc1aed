// ADIOS2's C interface with its own words for failures, and with types as headrace has them. Next:
// adios2/parameters.hpp, adios2/writer.cpp, adios2/reader.cpp.
#pragma once

#include <adios2_c.h>

#include <string>
#include <string_view>
#include <vector>

#include "../../dataset/backend.hpp"
#include "../../together/function_ref.hpp"

namespace headrace {

// The C interface prints what went wrong to std::cerr and returns a number. Runs a call, catches
// what it prints, and makes a failure of it unless it returns true. It takes no memory before:
// other MPI ranks may wait in the call.
status adios2_try(std::string_view what, const std::string& file, function_ref<bool()> call);
// words: what it printed.
status adios2_try(std::string_view what, const std::string& file, function_ref<bool()> call,
                  std::string& words);

// How elements lie in a variable: characters are bytes with a fastest dimension of their length.
struct adios2_form {
  adios2_type type = adios2_type_unknown;
  std::size_t text_length = 0;  // 0: no characters
  std::string mark;             // attribute headrace_type: "logical", "character", or ""
};
inline constexpr const char* adios2_mark_name = "headrace_type";
inline constexpr const char* adios2_steps_name = "headrace_steps";
inline constexpr const char* adios2_dimensions_name = "dimensions";
inline constexpr const char* adios2_step_variable = "step";

// Failure kind_unsupported.
status adios2_form_of(const array_view& array, adios2_form& form);
// The other way; false: Fortran has no such kind.
bool adios2_kind_of(const adios2_form& form, array_info& info);

// In ADIOS2's row-major order, which is Fortran's in reverse.
struct adios2_section {
  std::vector<std::size_t> start;
  std::vector<std::size_t> count;
};
adios2_section adios2_section_of(const box& part, const adios2_form& form);

}  // namespace headrace
