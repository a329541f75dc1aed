// Reads columns by their layout while they have one. Next: parse_columns_layout.cpp.
#include "parse_columns.hpp"

#include "../../core/cpu.hpp"

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
    result |= portable::parse_columns(columns, values + i) << i;
  }
  return result;
}

#if defined(__x86_64__)

template <class Real>
std::uint64_t parse_with(const column_layout& layout, const column_block& columns,
                         Real* values) noexcept {
  const layout_block block{columns.text, columns.ends};
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::parse_layout(block, layout, values);
  if (tier == simd_tier::avx2) return avx2::parse_layout(block, layout, values);
  return portable::parse_layout(block, layout, values);
}

bool has_feeds(const char* text, std::size_t bytes, std::size_t n) noexcept {
  return current_tier() == simd_tier::avx512 && avx512::count_line_feeds(text, bytes) == n;
}

#else

template <class Real>
std::uint64_t parse_with(const column_layout& layout, const column_block& columns,
                         Real* values) noexcept {
  return portable::parse_layout({columns.text, columns.ends}, layout, values);
}

bool has_feeds(const char*, std::size_t, std::size_t) noexcept {
  return false;
}

#endif

// More bits than n.
bool are_more(std::uint64_t bits, int n) noexcept {
  for (; bits != 0 && n >= 0; --n) bits &= bits - 1;
  return n < 0;
}

template <class Real>
std::uint64_t parse_alike(const column_block& columns, known_layout& known, Real* values) noexcept {
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

}  // namespace

bool has_line_feeds(const char* text, std::size_t bytes, std::size_t n) noexcept {
  return has_feeds(text, bytes, n);
}

std::uint64_t parse_columns_alike(const column_block& columns, known_layout& known,
                                  double* values) noexcept {
  return parse_alike(columns, known, values);
}

std::uint64_t parse_columns_alike(const column_block& columns, known_layout& known,
                                  float* values) noexcept {
  return parse_alike(columns, known, values);
}

}  // namespace headrace
