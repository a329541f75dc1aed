// The portable tier of columns of one layout: eight digits at a time in a 64-bit word. Next:
// parse_columns_scalar.hpp.
#include "number_types.hpp"
#include "parse_columns_scalar.hpp"

namespace headrace::portable {
namespace {

constexpr std::uint64_t zero_digits = 0x3030303030303030;

// Zero digits in place of those at the beginning of a word that do not count. n < 8: those that do.
std::uint64_t bytes_before(std::uint32_t n) noexcept {
  return ~std::uint64_t{0} >> (8 * n);
}

// The digits before end, eight by eight; their number.
std::uint64_t read_fraction(const char* end, std::uint32_t n, std::uint64_t before_first,
                            bool& good) noexcept {
  const char* p = end - n / 8 * 8;
  std::uint64_t result = 0;
  good = true;
  if (n % 8 != 0) {
    const std::uint64_t word =
        (scalar::load_eight(p - 8) & ~before_first) | (zero_digits & before_first);
    good = scalar::are_digits(word);
    result = scalar::value_of_eight(word);
  }
  for (; p < end; p += 8) {
    const std::uint64_t word = scalar::load_eight(p);
    good &= scalar::are_digits(word);
    result = result * 100000000 + scalar::value_of_eight(word);
  }
  return result;
}

}  // namespace

template <class Real>
std::uint64_t parse_layout(const layout_block& block, const column_layout& given,
                           Real* values) noexcept {
  const column_layout layout = given;
  const std::uint64_t before_first = bytes_before(layout.decimals % 8);
  std::uint64_t unclear = 0;
  for (std::size_t i = 0; i < layout_fields; ++i) {
    const char* const end = block.text + block.ends[i];
    bool good = true;
    const std::uint64_t fraction =
        read_fraction(scalar::end_of_digits(end, layout), layout.decimals, before_first, good);
    good = scalar::parse_by_layout(end, layout, fraction, good, values[i]);
    unclear |= std::uint64_t{!good} << i;
  }
  return unclear;
}

#define HEADRACE_INSTANTIATE(REAL) \
  template std::uint64_t parse_layout(const layout_block&, const column_layout&, REAL*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace::portable
