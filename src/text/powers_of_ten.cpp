#include "powers_of_ten.hpp"

namespace headrace {
namespace {

constexpr std::size_t limb_count =
    66;  // 32 bits each: 5^360 needs 836, the quotients 2048 and more

// A natural number, the lowest limb first.
struct natural {
  std::array<std::uint32_t, limb_count> limb{};

  constexpr void multiply_by_5() {
    std::uint64_t carry = 0;
    for (std::uint32_t& part : limb) {
      carry += std::uint64_t{part} * 5;
      part = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  constexpr void divide_by_5() {
    std::uint64_t rest = 0;
    for (std::size_t i = limb.size(); i-- > 0;) {
      rest = (rest << 32) | limb[i];
      limb[i] = static_cast<std::uint32_t>(rest / 5);
      rest %= 5;
    }
  }

  // The highest 128 bits, the first of them set.
  constexpr wide_power top() const {
    std::size_t first = limb.size() - 1;
    while (limb[first] == 0) --first;
    int zeros = 0;
    while (((limb[first] << zeros) & 0x80000000U) == 0) ++zeros;
    std::array<std::uint64_t, 5> part{};
    for (std::size_t i = 0; i < part.size() && i <= first; ++i) part[i] = limb[first - i];
    wide_power result{(part[0] << 32) | part[1], (part[2] << 32) | part[3]};
    if (zeros > 0) {
      result.high = (result.high << zeros) | (result.low >> (64 - zeros));
      result.low = (result.low << zeros) | (part[4] >> (32 - zeros));
    }
    return result;
  }
};

// 10^p and 5^p have the same significant bits.
constexpr auto make_powers() {
  std::array<wide_power, highest_power - lowest_power + 1> table{};
  natural positive;
  positive.limb[0] = 1;
  natural negative;
  negative.limb.back() = 0x80000000U;
  for (int p = 0; p <= highest_power; ++p) {
    table[static_cast<std::size_t>(p - lowest_power)] = positive.top();
    positive.multiply_by_5();
    if (p == 0) continue;
    negative.divide_by_5();
    table[static_cast<std::size_t>(-p - lowest_power)] = negative.top();
  }
  return table;
}

constexpr auto powers = make_powers();

constexpr auto make_ifma_powers() {
  std::array<ifma_power, powers.size()> table{};
  for (std::size_t i = 0; i < powers.size(); ++i)
    table[i] = {powers[i].high >> 12, ((powers[i].high & 0xfff) << 40) | (powers[i].low >> 24)};
  return table;
}

constexpr std::uint64_t threshold_of(int k) {
  const int e = exponent_of_power(k);
  if (e < -1022) return 0;
  if (e > 1023) return std::uint64_t{2047} << 52;  // infinity
  const wide_power ten = powers[static_cast<std::size_t>(k - lowest_power)];
  const bool exact = k >= 0 && k <= 55 && (ten.high & 0x7FF) == 0 && ten.low == 0;
  // The hidden bit adds one to the exponent.
  return (static_cast<std::uint64_t>(e + 1022) << 52) + (ten.high >> 11) + !exact;
}

constexpr auto make_thresholds() {
  std::array<std::uint64_t, highest_threshold - lowest_threshold + 1> table{};
  for (int k = lowest_threshold; k <= highest_threshold; ++k)
    table[static_cast<std::size_t>(k - lowest_threshold)] = threshold_of(k);
  return table;
}

}  // namespace

alignas(64) constexpr std::array<wide_power, highest_power - lowest_power + 1> powers_of_ten =
    powers;
alignas(64) constexpr std::array<ifma_power, highest_power - lowest_power + 1> ifma_powers_of_ten =
    make_ifma_powers();
constexpr std::array<std::uint64_t, highest_threshold - lowest_threshold + 1> decimal_thresholds =
    make_thresholds();

}  // namespace headrace
