// Numbers that are hard to write, and random ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace headrace::test {

using generator = std::mt19937_64;

template <class Real>
std::vector<Real> special_reals() {
  using limits = std::numeric_limits<Real>;
  std::vector<Real> values{0,
                           limits::infinity(),
                           limits::quiet_NaN(),
                           limits::max(),
                           limits::min(),
                           limits::denorm_min(),
                           std::nextafter(limits::min(), Real{0}),
                           Real(0.5),
                           Real(1.5),
                           Real(2.5),
                           Real(0.125),
                           Real(0.375),
                           Real(9.5),
                           Real(99.5),
                           Real(0.05),
                           Real(0.95),
                           Real(123456.789)};
  const std::size_t n = values.size();
  for (std::size_t i = 0; i < n; ++i) values.push_back(-values[i]);
  return values;
}

// Powers of ten and their neighbours, in both signs.
template <class Real>
std::vector<Real> near_powers_of_ten() {
  std::vector<Real> values;
  const int limit = std::numeric_limits<Real>::max_exponent10;
  for (int p = -limit - 15; p <= limit; ++p) {
    const auto power = static_cast<Real>(std::strtold(("1e" + std::to_string(p)).c_str(), nullptr));
    for (const Real value : {power, std::nextafter(power, Real{0}),
                             std::nextafter(power, std::numeric_limits<Real>::infinity())}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  return values;
}

// Exact halves of a decimal place: k + 0.5, k + 0.25, ... with few digits.
template <class Real>
Real halfway_case(generator& random) {
  const auto whole = static_cast<Real>(random() % 20000);
  const auto part = static_cast<Real>(random() % 64) / 64;
  const Real value = (whole + part) * std::pow(Real{10}, static_cast<Real>(random() % 6)) /
                     static_cast<Real>(std::uint64_t{1} << (random() % 8));
  return random() % 2 == 0 ? value : -value;
}

template <class Real, class Bits>
Real random_bits(generator& random) {
  const auto bits = static_cast<Bits>(random());
  Real value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// A mixture: ordinary sizes, halves, short decimals, numbers beside powers of ten, any bits.
template <class Real>
Real random_real(generator& random) {
  switch (random() % 6) {
    case 0:
      return std::normal_distribution<Real>(0, 1)(random);
    case 1:
      return halfway_case<Real>(random);
    case 2:
      return static_cast<Real>(std::uniform_real_distribution<double>(-1, 1)(random) *
                               std::pow(10.0, static_cast<double>(random() % 20) - 6));
    case 3: {
      const auto power = static_cast<Real>(std::pow(10.0, static_cast<double>(random() % 40) - 20));
      return power + power * std::numeric_limits<Real>::epsilon() *
                         static_cast<Real>(static_cast<int>(random() % 9) - 4);
    }
    case 4:
      return static_cast<Real>(static_cast<int>(random() % 2000001) - 1000000) / Real{1000};
    default:
      if constexpr (sizeof(Real) == 4)
        return random_bits<Real, std::uint32_t>(random);
      else
        return random_bits<Real, std::uint64_t>(random);
  }
}

template <class Real>
std::vector<Real> random_reals(generator& random, std::size_t n) {
  std::vector<Real> values(n);
  for (Real& value : values) value = random_real<Real>(random);
  return values;
}

template <class Integer>
std::vector<Integer> random_integers(generator& random, std::size_t n) {
  std::vector<Integer> values{0, 1, static_cast<Integer>(-1), std::numeric_limits<Integer>::min(),
                              std::numeric_limits<Integer>::max()};
  while (values.size() < n) {
    const auto value = static_cast<Integer>(random());
    values.push_back(static_cast<Integer>(value >> (random() % (8 * sizeof(Integer)))));
  }
  return values;
}

}  // namespace headrace::test
