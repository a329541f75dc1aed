// Rounds with whole numbers where 64 bits of fraction cannot tell a tie from its neighbours.
#include "format_fields_scalar.hpp"

namespace headrace {
namespace {

constexpr int exact_fives = 27;  // 5^27 < 2^63

constexpr auto make_fives() noexcept {
  std::array<std::uint64_t, exact_fives + 1> table{};
  table[0] = 1;
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] * 5;
  return table;
}

constexpr auto fives = make_fives();

// significand * 2^e2 * 10^power for power >= 0
bool round_product(std::uint64_t significand, int e2, int power, std::uint64_t& digits) noexcept {
  const wide_word product = wide_word{significand} * fives[static_cast<std::size_t>(power)];
  const int shift = -(e2 + power);
  if (shift < 1 || shift > 126) return false;
  const wide_word half = wide_word{1} << (shift - 1);
  const wide_word rest = product & ((half << 1) - 1);
  const wide_word whole = product >> shift;
  digits = static_cast<std::uint64_t>(whole) + (rest > half || (rest == half && (whole & 1) != 0));
  return (whole >> 63) == 0;
}

// significand * 2^e2 / unit
bool round_quotient(std::uint64_t significand, int e2, std::uint64_t unit,
                    std::uint64_t& digits) noexcept {
  const int bits = 64 - __builtin_clzll(e2 < 0 ? unit : significand);
  if (bits + (e2 < 0 ? -e2 : e2) > 63) return false;
  const std::uint64_t divisor = e2 < 0 ? unit << -e2 : unit;
  const std::uint64_t dividend = e2 < 0 ? significand : significand << e2;
  const std::uint64_t whole = dividend / divisor;
  const std::uint64_t twice = 2 * (dividend % divisor);
  digits = whole + (twice > divisor || (twice == divisor && (whole & 1) != 0));
  return true;
}

}  // namespace

bool round_exactly(double value, int power, std::uint64_t& digits) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint64_t significand =
      (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
  const int e2 = static_cast<int>((bits >> 52) & 2047) - 1075;
  if (power >= 0) return power <= exact_fives && round_product(significand, e2, power, digits);
  if (power < -18) return false;
  return round_quotient(significand, e2, decimal_units[static_cast<std::size_t>(-power)], digits);
}

}  // namespace headrace
