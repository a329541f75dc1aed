// Spread arrays whose elements are known from their place, and counts of what was wrong with them.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "../../../include/headrace_mpi.h"

namespace zarr_tests {

struct kind {
  const char* name;
  int type;
  std::size_t bytes;
};
extern const std::vector<kind> kinds;
const kind& kind_named(const std::string& name);

// The element at a place of the global array in element order; check_stores.py knows it too.
void put_value(const kind& of, std::int64_t place, char* element);

// How the global array is cut.
enum class cut {
  equal,      // as MPI_Dims_create says, extents rounded up: a chunk grid
  balanced,   // the same, extents that differ by one: no chunk grid where it does not divide
  last,       // slabs along the last dimension
  first,      // along the first
  bisected,   // halves of halves at uneven places, along changing dimensions
  one_holder  // the last MPI rank has everything
};
extern const std::vector<cut> cuts;
const char* name_of(cut how);

// How a block lies in memory.
enum class form { contiguous, halo, every_second, backwards };

class spread {
 public:
  spread(MPI_Comm comm, const kind& of, std::vector<long long> global, cut how,
         form memory = form::contiguous);
  ~spread();
  spread(const spread&) = delete;
  spread& operator=(const spread&) = delete;

  const hr_array* array() const { return &array_; }
  hr_layout layout() const { return layout_; }
  // first: the place of the first element, for arrays that differ from each other.
  void fill(std::int64_t first = 0);
  void clear();
  // Elements that are not as fill() makes them, and bytes outside of the block that were touched.
  std::int64_t wrong(std::int64_t first = 0) const;

 private:
  template <class Visit>
  void visit(Visit act) const;
  void lay_out(form memory);

  kind kind_;
  std::vector<long long> global_;
  std::vector<long long> start_;  // from 0
  std::vector<long long> count_;
  hr_array array_{};
  hr_layout layout_ = 0;
  std::vector<char> bytes_;
};

// Says what failed, on MPI rank 0; the same number everywhere in the end.
class checks {
 public:
  checks();
  int rank() const { return rank_; }
  int size() const { return size_; }
  // Collective: it must be true on all MPI ranks.
  void that(bool good, const std::string& what);
  void ok(int code, const hr_error& error, const std::string& what);
  // Collective: the same failure everywhere, whose message has all of these words.
  void fails(int code, const hr_error& error, int expected, const std::vector<std::string>& words,
             const std::string& what);
  // Prints the counts; the exit code of the program.
  int result() const;

 private:
  int rank_ = 0;
  int size_ = 1;
  long long done_ = 0;
  long long failed_ = 0;
};

hr_parallel_options options(const char* pattern, const char* checksum = nullptr,
                            const char* compression = nullptr, const char* hints = nullptr);

// Writes and reads one array in a store of its own.
void write_store(checks& check, const std::string& file, const spread& from,
                 const hr_parallel_options& how, const std::string& what,
                 hr_parallel_report* report = nullptr);
void read_store(checks& check, const std::string& file, spread& to, const std::string& what);

}  // namespace zarr_tests
