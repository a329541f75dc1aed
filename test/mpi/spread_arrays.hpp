// Arrays spread over MPI ranks in many ways, whose elements are known from their place.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "headrace_mpi.h"

namespace spread {

// Type and kind of elements.
struct kind {
  const char* name;
  int type;
  std::size_t bytes;
};
extern const std::vector<kind> kinds;
const kind& kind_named(const std::string& name);

// The element at a place of the whole array in element order, from 0; known_values.py knows it too.
void put_value(const kind& of, std::int64_t place, char* element);

using extents = std::vector<long long>;

// How the whole array is cut into blocks.
enum class cut {
  equal,        // as MPI_Dims_create says, extents rounded up: a chunk grid
  balanced,     // the same, extents that differ by one: no chunk grid if it does not divide
  uneven,       // the same, borders up to two elements further
  skewed,       // the same, borders one element further, where they were, or before
  few_holders,  // uneven, and the second half of the MPI ranks has nothing
  one_holder,   // the last MPI rank has everything
  last,         // slabs along the last dimension
  first,        // along the first
  bisected      // halves of halves at uneven places, along changing dimensions
};
const char* name_of(cut how);

// How a block lies in memory.
enum class memory { contiguous, halo, every_second, backwards };

// This MPI rank's block.
class spread_array {
 public:
  spread_array(MPI_Comm comm, const kind& of, const extents& global, cut how,
               memory form = memory::contiguous);
  ~spread_array();
  spread_array(const spread_array&) = delete;
  spread_array& operator=(const spread_array&) = delete;

  hr_layout layout() const { return layout_; }
  const hr_array* array() const { return &array_; }
  // first: of the values, for arrays that differ from each other.
  void fill(std::int64_t first = 0);
  void clear();  // to bytes that no value has
  // Bytes that are not as fill() makes them, and bytes beside the elements that were touched.
  std::int64_t wrong(std::int64_t first = 0) const;

 private:
  void lay_out(memory form);
  template <class Visit>
  void visit(Visit act) const;

  kind kind_;
  extents global_;
  extents start_;  // from 0
  extents count_;
  std::vector<char> bytes_;
  hr_array array_{};
  hr_layout layout_ = 0;
};

// A scalar, or an array of array rank 1, for an attribute.
hr_array scalar(void* value, int type, std::size_t bytes);
hr_array list(void* values, int type, std::size_t bytes, std::ptrdiff_t count);
template <class Value>
hr_array scalar(Value& value, int type) {
  return scalar(&value, type, sizeof value);
}
template <class Value, std::size_t count>
hr_array list(Value (&values)[count], int type) {
  return list(values, type, sizeof(Value), count);
}

}  // namespace spread
