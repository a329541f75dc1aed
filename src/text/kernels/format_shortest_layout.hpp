// Where the bytes of a shortest text come from, for the tiers that lay it out by one permutation.
#pragma once

#include <array>
#include <cstdint>

#include "format_shortest.hpp"

namespace headrace {

// Source bytes: 0 to 15 digits 2 to 17, 16 the first digit, 17 a point, 18 a zero, 19 a minus, 31
// nothing.
inline constexpr std::uint64_t shortest_characters = std::uint64_t{'0'} | std::uint64_t{'.'} << 8 |
                                                     std::uint64_t{'0'} << 16 |
                                                     std::uint64_t{'-'} << 24;

// Layouts by the exponent of the first digit from lowest_fixed to highest_fixed, then scientific;
// then all again with a minus.
inline constexpr int scientific_layout = highest_fixed - lowest_fixed + 1;
inline constexpr int shortest_layouts = scientific_layout + 1;

struct alignas(32) shortest_layout {
  std::array<std::uint8_t, 32> source{};
};

constexpr shortest_layout make_shortest_layout(int number) noexcept {
  shortest_layout layout;
  for (std::uint8_t& from : layout.source) from = 18;
  std::size_t position = 0;
  if (number >= shortest_layouts) layout.source[position++] = 19;
  const int fixed = number % shortest_layouts;
  const int exponent = fixed == scientific_layout ? 0 : fixed + lowest_fixed;
  if (exponent < 0) {
    layout.source[position + 1] = 17;
    position += static_cast<std::size_t>(1 - exponent);
  }
  for (int digit = 0; digit < 17; ++digit) {
    layout.source[position++] = static_cast<std::uint8_t>(digit == 0 ? 16 : digit - 1);
    if (digit == exponent) layout.source[position++] = 17;
  }
  return layout;
}

constexpr auto make_shortest_layouts() noexcept {
  std::array<shortest_layout, 2 * shortest_layouts> table{};
  for (int i = 0; i < 2 * shortest_layouts; ++i)
    table[static_cast<std::size_t>(i)] = make_shortest_layout(i);
  return table;
}

inline constexpr auto shortest_layout_table = make_shortest_layouts();

}  // namespace headrace
