// A file of Fortran's statements, which are in fortran_statements.f90.
#pragma once

#include <cstdint>
#include <string>

#include "outcome.hpp"

namespace headrace::bench {

enum class fortran_form { stream = 0, sequential = 1, list_directed = 2 };

class fortran_unit {
 public:
  explicit fortran_unit(fortran_form form) : form_(static_cast<int>(form)) {}
  outcome open(const std::string& path, bool write);
  outcome transfer(double* values, std::int64_t elements, bool write);
  outcome close();

 private:
  int form_;
  int unit_ = 0;
  std::string path_;
};

// Name and version of the Fortran compiler.
std::string fortran_compiler();

}  // namespace headrace::bench
