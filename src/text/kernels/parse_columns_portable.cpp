// The portable and the AVX2 tier of columns of one layout. Next: parse_columns_scalar.hpp.
#include "parse_columns_scalar.hpp"

namespace headrace {
namespace portable {

std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                           double* values) noexcept {
  return scalar::parse_layout(block, layout, values);
}

std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                           float* values) noexcept {
  return scalar::parse_layout(block, layout, values);
}

}  // namespace portable

#if defined(__x86_64__)
namespace avx2 {

std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                           double* values) noexcept {
  return portable::parse_layout(block, layout, values);
}

std::uint64_t parse_layout(const layout_block& block, const column_layout& layout,
                           float* values) noexcept {
  return portable::parse_layout(block, layout, values);
}

}  // namespace avx2
#endif

}  // namespace headrace
