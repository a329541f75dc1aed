// One READ done twice: by gfortran and by headrace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/array_view.hpp"
#include "text/edit/edit_dialect.hpp"

namespace headrace {

// The kinds in the order of gfortran_read.f90.
enum class read_kind {
  integer1 = 1,
  integer2,
  integer4,
  integer8,
  real4,
  real8,
  complex4,
  complex8,
  logical1,
  logical2,
  logical4,
  logical8,
  character,
};

struct read_case {
  read_kind kind = read_kind::real8;
  int n = 4;       // elements
  int length = 6;  // of a character
  bool decimal_comma = false;
  std::string format = "*";
  std::string text;
};

enum class outcome { ok, end_of_file, error };

struct read_result {
  outcome state = outcome::ok;
  std::string message;
  std::string memory;  // of the elements
};

std::size_t element_bytes(const read_case& one);

// The elements before the READ: a pattern that shows which were touched.
std::string untouched_memory(const read_case& one);

read_result read_with_gfortran(const read_case& one);
// chunk: bytes that the source gives at a time.
read_result read_with_headrace(const read_case& one, const edit_dialect& dialect,
                               std::size_t chunk = 1 << 20);

// The dialect of the gfortran run time that this program runs with.
const edit_dialect& own_dialect();

// Empty when both did the same; otherwise what differs, for people.
std::string difference(const read_case& one, const read_result& gfortran,
                       const read_result& headrace);

// The case as text, with escapes.
std::string description(const read_case& one);

}  // namespace headrace
