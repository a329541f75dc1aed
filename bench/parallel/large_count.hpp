// MPI counts are int: more real64 than that go as elements of a contiguous type.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace headrace::bench {

class counted_type {
 public:
  explicit counted_type(std::int64_t elements);
  ~counted_type();
  counted_type(const counted_type&) = delete;
  counted_type& operator=(const counted_type&) = delete;

  int count() const noexcept { return count_; }
  MPI_Datatype type() const noexcept { return type_; }

 private:
  int count_ = 0;
  MPI_Datatype type_ = MPI_DOUBLE;
};

}  // namespace headrace::bench
