// What the tests of failures have in common: every pattern of every format, and what is on disk.
#pragma once

#include <string>
#include <vector>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace faults {

struct way {
  const char* format;
  const char* ending;
  const char* pattern;
  const char* transfer;
  const char* hints = nullptr;

  hr_parallel_options options() const;
  std::string text() const;
  bool is_serial() const;
  bool is_store() const;  // a directory
  // transfer="library": as safe as the library is. It may fail with whatever it knows, find a way
  // around, or report a success that lacks elements.
  bool is_by_library() const;
  // HDF5 and netcdf-c wait for ever for an MPI rank that cannot write, and HDF5 may crash at the
  // end of a program whose disk was full.
  bool may_write_for_ever() const;
};
// Those that are built in.
std::vector<way> ways();

// Names and contents of all files of a file or store.
std::string contents(const std::string& path);
// As contents() returned them; nothing as long as the file is kept in memory.
bool has_contents(const std::string& path, const std::string& expected);
// What is beside a file or store: temporary ones that nobody removed.
int leftovers(const std::string& file);
// By MPI rank 0, before and after the others go on.
void empty_this_directory(const spread::checks& check);

int write(const std::string& file, const way& how, const spread::spread_array& from,
          hr_error& error);
int read(const std::string& file, const way& how, const spread::spread_array& to, hr_error& error);
// Collective: whether a file that a library wrote with success is without some of its elements, as
// it is then without headrace, or without its header. Own transfer reads it.
bool lacks_elements(const std::string& file, way how, const spread::extents& global, int value);

}  // namespace faults
