#include "values.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace headrace::bench {
namespace {

// visit(first element in the block, first place in the global array, elements) for each row
template <class function>
void for_each_row(const extents& global, const block& own, function&& visit) {
  std::int64_t in_block = 0;
  for (std::int64_t k = 0; k < own.count[2]; ++k) {
    for (std::int64_t j = 0; j < own.count[1]; ++j) {
      const std::int64_t row = own.start[1] + j + global[1] * (own.start[2] + k);
      visit(in_block, own.start[0] + global[0] * row, own.count[0]);
      in_block += own.count[0];
    }
  }
}

}  // namespace

void fill_values(double* values, const extents& global, const block& own, std::uint64_t seed) {
  for_each_row(global, own, [&](std::int64_t at, std::int64_t place, std::int64_t elements) {
    for (std::int64_t i = 0; i < elements; ++i) {
      const std::uint64_t bits = bits_at(seed, place + i);
      std::memcpy(values + at + i, &bits, sizeof bits);
    }
  });
}

void fill_nan(double* values, const block& own) {
  std::fill_n(values, own.elements(), std::numeric_limits<double>::quiet_NaN());
}

std::int64_t count_bad_values(const double* values, const extents& global, const block& own,
                              std::uint64_t seed) {
  std::int64_t bad = 0;
  for_each_row(global, own, [&](std::int64_t at, std::int64_t place, std::int64_t elements) {
    for (std::int64_t i = 0; i < elements; ++i) {
      std::uint64_t found = 0;
      std::memcpy(&found, values + at + i, sizeof found);
      bad += found != bits_at(seed, place + i) ? 1 : 0;
    }
  });
  return bad;
}

block_memory::~block_memory() {
  std::free(values_);
}

double* block_memory::with(std::int64_t elements, bool at_page) {
  const std::int64_t wanted = std::max<std::int64_t>(elements, 1);
  if (wanted == elements_ && at_page == at_page_) return values_;
  std::free(values_);
  const std::size_t bytes = static_cast<std::size_t>(wanted) * sizeof(double);
  constexpr std::size_t page = 4096;
  values_ = static_cast<double*>(
      at_page ? std::aligned_alloc(page, (bytes + page - 1) / page * page) : std::malloc(bytes));
  elements_ = values_ == nullptr ? 0 : wanted;
  at_page_ = at_page;
  return values_;
}

}  // namespace headrace::bench
