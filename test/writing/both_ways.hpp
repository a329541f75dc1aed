// The same WRITE by gfortran and by headrace. Next: edit_fields_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/array_view.hpp"
#include "text/edit/edit_dialect.hpp"

namespace headrace::test {

// What is written: n elements of one type after each other.
struct items {
  type_class type;
  std::size_t bytes;  // of one element
  const void* values;
  std::size_t n;
};

struct written {
  bool accepted = false;
  std::string text;
};

// The dialect of the gfortran run time that this program runs with, which headrace is to write.
const edit_dialect& own_dialect();

// format "*" is list-directed.
written by_gfortran(const std::string& format, char decimal, const items& list);
written by_headrace(const std::string& format, char decimal, const items& list);

// Fails with the format, the record and its value when the two differ; if gfortran refuses,
// headrace must refuse too, and the other way round.
bool same_both_ways(const std::string& format, const items& list, char decimal = '.');

// HEADRACE_TEST_LONG=1 asks for the long form of the tests.
bool long_test() noexcept;
// Of random tests: HEADRACE_TEST_SEED, or always the same.
std::uint64_t seed() noexcept;

}  // namespace headrace::test
