// Values that make formatting hard, and many ordinary ones. The same in every run.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace headrace::samples {

using generator = std::mt19937_64;

template <class Real>
using bits_of = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

template <class Real>
Real from_bits(bits_of<Real> bits) {
  Real value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class Real>
std::vector<Real> random_bits(std::size_t n, std::uint64_t seed = 1) {
  generator random(seed);
  std::vector<Real> values(n);
  for (auto& value : values) value = from_bits<Real>(static_cast<bits_of<Real>>(random()));
  return values;
}

template <class Real>
std::vector<Real> normal(std::size_t n, std::uint64_t seed = 2) {
  generator random(seed);
  std::normal_distribution<Real> distribution;
  std::vector<Real> values(n);
  for (auto& value : values) value = distribution(random);
  return values;
}

template <class Real>
std::vector<Real> subnormals(std::size_t n) {
  generator random(3);
  std::vector<Real> values(n);
  const int mantissa = std::numeric_limits<Real>::digits - 1;
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = random() & ((std::uint64_t{1} << mantissa) - 1);
    values[i] = from_bits<Real>(static_cast<bits_of<Real>>(bits >> (i % 50)));
  }
  return values;
}

// Every power of two and its two neighbours.
template <class Real>
std::vector<Real> powers_of_two() {
  using limits = std::numeric_limits<Real>;
  std::vector<Real> values;
  for (int e = limits::min_exponent - limits::digits; e < limits::max_exponent; ++e) {
    const Real power = std::ldexp(Real{1}, e);
    for (const Real value :
         {power, std::nextafter(power, Real{0}), std::nextafter(power, limits::infinity())})
      values.insert(values.end(), {value, -value});
  }
  return values;
}

template <class Real>
std::vector<Real> integers(std::size_t n) {
  generator random(4);
  std::vector<Real> values(n);
  for (auto& value : values)
    value = static_cast<Real>(static_cast<std::int64_t>(random()) >> (random() % 64));
  return values;
}

// Few decimals, such as prices and measurements.
template <class Real>
std::vector<Real> decimals(std::size_t n) {
  generator random(5);
  std::vector<Real> values(n);
  for (auto& value : values)
    value = static_cast<Real>(
        static_cast<double>(static_cast<std::int64_t>(random() % 2000001) - 1000000) /
        std::pow(10.0, static_cast<double>(random() % 12)));
  return values;
}

// Powers of ten and their multiples, with neighbours.
template <class Real>
std::vector<Real> neighbours_of_decimals() {
  using limits = std::numeric_limits<Real>;
  std::vector<Real> values;
  for (int p = limits::min_exponent10 - 5; p <= limits::max_exponent10; ++p)
    for (int digit = 1; digit < 100; ++digit) {
      const Real value = static_cast<Real>(digit) * std::pow(Real{10}, static_cast<Real>(p));
      values.insert(values.end(), {value, std::nextafter(value, Real{0}),
                                   std::nextafter(value, limits::infinity())});
    }
  return values;
}

template <class Real>
std::vector<Real> special() {
  using limits = std::numeric_limits<Real>;
  std::vector<Real> values{0,
                           1,
                           limits::infinity(),
                           limits::quiet_NaN(),
                           limits::max(),
                           limits::min(),
                           limits::denorm_min(),
                           limits::epsilon()};
  const std::size_t n = values.size();
  for (std::size_t i = 0; i < n; ++i) values.push_back(-values[i]);
  return values;
}

}  // namespace headrace::samples
