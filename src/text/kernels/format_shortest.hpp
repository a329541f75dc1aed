// The parts that all tiers of format_shortest share. Next: format_shortest.cpp, the portable tier.
//
// Method, after R. Giulietti's Schubfach and its descendants: a value c * 2^e is scaled by the
// power of ten that makes its unit in the last place lie in [0.1, 1). Then at most one integer
// rounds to the value, and it is the shortest number; otherwise the nearest tenth is. Whether a
// candidate lies inside is decided on 64 bits of fraction. Where those cannot decide (one value in
// 10^12), and for subnormals, infinities and nan, std::to_chars does (shortest_exact).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "format_tiers.hpp"

namespace headrace {

// Texts with a first digit from 10^-4 to 10^15 are fixed.
inline constexpr int lowest_fixed = -4;
inline constexpr int highest_fixed = 15;

// Any value, without separator; returns the end of the text.
template <class Real>
char* shortest_exact(char* out, Real value) noexcept;

// "e-05", "e+300": up to five characters, their number in the highest byte.
inline constexpr int lowest_exponent = -330;
inline constexpr int highest_exponent = 330;

constexpr std::uint64_t exponent_text_of(int exponent) noexcept {
  const unsigned size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  std::uint64_t text = 'e' | (exponent < 0 ? std::uint64_t{'-'} << 8 : std::uint64_t{'+'} << 8);
  unsigned length = 2;
  if (size >= 100) text |= std::uint64_t{'0' + size / 100} << (8 * length++);
  text |= std::uint64_t{'0' + size / 10 % 10} << (8 * length++);
  text |= std::uint64_t{'0' + size % 10} << (8 * length++);
  return text | (std::uint64_t{length} << 56);
}

constexpr auto make_exponent_texts() noexcept {
  std::array<std::uint64_t, highest_exponent - lowest_exponent + 1> table{};
  for (int e = lowest_exponent; e <= highest_exponent; ++e)
    table[static_cast<std::size_t>(e - lowest_exponent)] = exponent_text_of(e);
  return table;
}

// exponent_texts[exponent - lowest_exponent]
inline constexpr auto exponent_texts = make_exponent_texts();

}  // namespace headrace
