// What the HDF5 tests have in common: arrays spread unevenly over MPI ranks, with known values, and
// counted failures.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "headrace_mpi.h"

namespace hdf5_tests {

// Type and kind of elements.
struct kind {
  const char* name;
  int type;
  std::size_t bytes;
};
extern const std::vector<kind> kinds;
const kind& kind_named(const std::string& name);

// The value of the element with that place in the whole array, in element order.
void put_value(const kind& of, std::int64_t place, char* element);

using extents = std::vector<long long>;

// This MPI rank's part of an array, in memory with a halo around or with every second element.
enum class memory { contiguous, halo, every_second, backwards };

class spread_array {
 public:
  // cut: other numbers give other uneven decompositions. ranks: only the first so many have
  // elements, 0: all.
  spread_array(MPI_Comm comm, const kind& of, const extents& global, int cut, memory form,
               int ranks = 0);
  ~spread_array();
  spread_array(const spread_array&) = delete;
  spread_array& operator=(const spread_array&) = delete;

  hr_layout layout() const { return layout_; }
  const hr_array* array() const { return &array_; }
  void fill(std::int64_t offset);                 // values of the places, from an offset on
  void clear();                                   // bytes that no value has
  std::int64_t wrong(std::int64_t offset) const;  // elements with another value, and bytes beside

 private:
  template <class Visit>
  void for_each(Visit visit) const;

  kind kind_;
  extents global_;
  std::vector<long long> start_;
  std::vector<long long> count_;
  std::vector<char> bytes_;
  hr_array array_{};
  hr_layout layout_ = 0;
};

// Counts on all MPI ranks; a failure is printed by those that see it.
class checks {
 public:
  explicit checks(MPI_Comm comm);
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool that(bool condition, const std::string& what);
  bool ok(int code, const hr_error& error, const std::string& what);
  // The code, the same message on all MPI ranks, and the words in it.
  bool fails(int code, const hr_error& error, int expected, const std::string& words,
             const std::string& what);
  // Prints a line on MPI rank 0; the exit code for main.
  int finish(const char* name);

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
  long long done_ = 0;
  long long failed_ = 0;
};

hr_parallel_options options(const char* pattern, const char* transfer, const char* dataset);
// A scalar, or an array of array rank 1, for an attribute.
hr_array scalar(void* value, int type, std::size_t bytes);
hr_array list(void* values, int type, std::size_t bytes, std::ptrdiff_t count);

struct way {
  const char* pattern;
  const char* transfer;
};
extern const std::vector<way> ways;
std::string text_of(const way& one);

}  // namespace hdf5_tests
