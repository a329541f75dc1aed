#include "large_count.hpp"

#include <climits>

namespace headrace::bench {
namespace {

constexpr std::int64_t bundle = std::int64_t{1} << 20;  // real64

}  // namespace

counted_type::counted_type(std::int64_t elements) {
  // Also bytes: libraries below MPI count them in int.
  if (elements * 8 <= INT_MAX) {
    count_ = static_cast<int>(elements);
    return;
  }
  MPI_Datatype bundles = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bundle), MPI_DOUBLE, &bundles);
  int lengths[2] = {static_cast<int>(elements / bundle), static_cast<int>(elements % bundle)};
  MPI_Aint places[2] = {0, static_cast<MPI_Aint>(elements / bundle * bundle * 8)};
  MPI_Datatype types[2] = {bundles, MPI_DOUBLE};
  MPI_Type_create_struct(2, lengths, places, types, &type_);
  MPI_Type_commit(&type_);
  MPI_Type_free(&bundles);
  count_ = 1;
}

counted_type::~counted_type() {
  if (type_ != MPI_DOUBLE) MPI_Type_free(&type_);
}

}  // namespace headrace::bench
