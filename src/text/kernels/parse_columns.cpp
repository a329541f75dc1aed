// Reads columns by their layout while they have one. Next: parse_columns_layout.cpp.
#include "parse_columns.hpp"

#include "number_types.hpp"

namespace headrace {
namespace {

constexpr int few_fields = 8;  // not worth a second look at the whole block
constexpr unsigned most_failures = 2;
constexpr unsigned blocks_of_pause = 15;  // where a layout brings nothing

// From field i of the block, unless the kernel has to look at what the field lacks.
void find_layout_of(const column_block& columns, std::size_t i, known_layout& known) noexcept {
  known.layout = find_layout(columns.text + columns.ends[i], columns.widths[i], columns.decimal);
  if (!known.layout.has_exponent && columns.needs_exponent) known.layout = {};
  if (!known.layout) known.pause = blocks_of_pause;
}

// Reads the fields whose bits are set one by one; returns the bits of those that are not plain.
template <class Real>
std::uint64_t parse_each(column_block columns, std::uint64_t unclear, Real* values) noexcept {
  std::uint64_t result = 0;
  columns.n = 1;
  const std::uint32_t* const ends = columns.ends;
  const std::uint32_t* const widths = columns.widths;
  for (; unclear != 0; unclear &= unclear - 1) {
    const int i = __builtin_ctzll(unclear);
    columns.ends = ends + i;
    columns.widths = widths + i;
    result |= portable::parse_real_columns(columns, values + i) << i;
  }
  return result;
}

template <class Real>
std::uint64_t parse_with(const column_layout& layout, const column_block& columns,
                         Real* values) noexcept {
  const layout_block block{columns.text, columns.ends};
#if defined(__x86_64__)
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::parse_layout(block, layout, values);
  if (tier == simd_tier::avx2) return avx2::parse_layout(block, layout, values);
#endif
  return portable::parse_layout(block, layout, values);
}

// More bits than n.
bool are_more(std::uint64_t bits, int n) noexcept {
  for (; bits != 0 && n >= 0; --n) bits &= bits - 1;
  return n < 0;
}

}  // namespace

bool has_line_feeds([[maybe_unused]] const char* text, [[maybe_unused]] std::size_t bytes,
                    [[maybe_unused]] std::size_t n) noexcept {
#if defined(__x86_64__)
  return current_tier() == simd_tier::avx512 && avx512::count_line_feeds(text, bytes) == n;
#else
  return false;
#endif
}

template <class Real>
std::uint64_t parse_columns_alike(const column_block& columns, known_layout& known,
                                  Real* values) noexcept {
  if (columns.n < layout_fields) return parse_columns(columns, values);
  if (known.pause > 0) {
    --known.pause;
    return parse_columns(columns, values);
  }
  if (!known.layout) find_layout_of(columns, 0, known);
  if (!known.layout) return parse_columns(columns, values);
  const std::uint64_t unclear = parse_with(known.layout, columns, values);
  if (!are_more(unclear, few_fields)) {
    known.failures = 0;
    return parse_each(columns, unclear, values);
  }
  if (++known.failures > most_failures) known.pause = blocks_of_pause;
  find_layout_of(columns, static_cast<std::size_t>(__builtin_ctzll(unclear)), known);
  return parse_columns(columns, values);
}

#define HEADRACE_INSTANTIATE(REAL) \
  template std::uint64_t parse_columns_alike(const column_block&, known_layout&, REAL*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace
