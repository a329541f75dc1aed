// Every data edit descriptor with widths from 0 to 40 and all digits, against gfortran's WRITE.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "both_ways.hpp"
#include "sample_values.hpp"

namespace headrace::test {
namespace {

std::string text(int number) {
  return std::to_string(number);
}

template <class Real>
std::vector<Real> field_values(generator& random) {
  std::vector<Real> values = special_reals<Real>();
  for (const Real value : near_powers_of_ten<Real>())
    if (random() % (long_test() ? 2 : 64) == 0) values.push_back(value);
  for (const Real value : random_reals<Real>(random, long_test() ? 1000 : 20))
    values.push_back(value);
  return values;
}

// With a scale factor below zero gfortran's F cuts numbers short in a buffer for the width, and
// rounds what is left: those that are too long for the field unscaled are not compared.
template <class Real>
void drop_long_numbers(std::vector<Real>& values, int width) {
  const auto is_long = [&](Real value) {
    return std::isfinite(value) && std::fabs(value) >= std::pow(10.0, width) * 0.999;
  };
  values.erase(std::remove_if(values.begin(), values.end(), is_long), values.end());
}

// Descriptors such as F and ES with every width, number of digits and exponent in steps.
template <class Real>
bool reals_are_the_same(const std::string& name, const std::string& before, int digit_step,
                        const std::vector<int>& exponents) {
  generator random(seed());
  for (int width = 0; width <= 40; ++width)
    for (int digits = 0; digits <= 40; digits += width % 3 == 0 ? digit_step : 2 * digit_step + 1)
      for (const int exponent : exponents) {
        std::vector<Real> values = field_values<Real>(random);
        if (name == "f" && before[0] == '-' && width > 0) drop_long_numbers(values, width);
        std::string format = "(" + before + name + text(width) + "." + text(digits);
        if (exponent >= 0) format += "e" + text(exponent);
        format += ")";
        if (!same_both_ways(format, {type_class::real, sizeof(Real), values.data(), values.size()}))
          return false;
      }
  return true;
}

class RealFields : public testing::TestWithParam<const char*> {};

TEST_P(RealFields, AreThoseOfGfortran) {
  const std::string name = GetParam();
  const bool has_exponent = name != "f" && name != "d";
  const std::vector<int> exponents =
      has_exponent ? std::vector<int>{-1, 0, 1, 2, 3, 5} : std::vector<int>{-1};
  ASSERT_TRUE(reals_are_the_same<double>(name, "", 1, exponents));
  ASSERT_TRUE(reals_are_the_same<float>(name, "", 2, exponents));
}

TEST_P(RealFields, AreThoseOfGfortranWithScaleFactors) {
  for (const char* const scale : {"1p,", "2p,", "-1p,", "-3p,", "5p,", "-9p,", "20p,"}) {
    ASSERT_TRUE(reals_are_the_same<double>(GetParam(), scale, 5, {-1}));
    ASSERT_TRUE(reals_are_the_same<float>(GetParam(), scale, 7, {-1}));
  }
}

TEST_P(RealFields, AreThoseOfGfortranInEveryRoundingMode) {
  for (const char* const mode : {"ru,", "rd,", "rz,", "rn,", "rc,", "rp,"}) {
    ASSERT_TRUE(reals_are_the_same<double>(GetParam(), mode, 4, {-1}));
    ASSERT_TRUE(reals_are_the_same<float>(GetParam(), mode, 5, {-1}));
  }
}

TEST_P(RealFields, AreThoseOfGfortranWithPlusSigns) {
  ASSERT_TRUE(reals_are_the_same<double>(GetParam(), "sp,", 4, {-1}));
  ASSERT_TRUE(reals_are_the_same<double>(GetParam(), "sp,dc,", 7, {-1}));
}

INSTANTIATE_TEST_SUITE_P(Descriptors, RealFields, testing::Values("f", "e", "d", "es", "en", "g"));

// The other descriptors: I, B, O, Z, L, A and G of what is no real.
template <class Value>
bool fields_are_the_same(type_class type, const std::vector<Value>& values,
                         const std::vector<std::string>& names) {
  const items list{type, sizeof(Value), values.data(), values.size()};
  for (const std::string& name : names)
    for (int width = 0; width <= 70; ++width)
      for (int digits = -1; digits <= 20; digits += 3) {
        std::string format = "(sp," + name + text(width);
        if (digits >= 0) format += "." + text(digits);
        if (width % 2 == 0) format.erase(1, 3);
        if (!same_both_ways(format + ")", list)) return false;
      }
  return true;
}

TEST(IntegerFields, AreThoseOfGfortran) {
  generator random(seed());
  const std::size_t n = long_test() ? 3000 : 60;
  const std::vector<std::string> names{"i", "b", "o", "z", "g"};
  ASSERT_TRUE(
      fields_are_the_same(type_class::integer, random_integers<std::int8_t>(random, n), names));
  ASSERT_TRUE(
      fields_are_the_same(type_class::integer, random_integers<std::int16_t>(random, n), names));
  ASSERT_TRUE(
      fields_are_the_same(type_class::integer, random_integers<std::int32_t>(random, n), names));
  ASSERT_TRUE(
      fields_are_the_same(type_class::integer, random_integers<std::int64_t>(random, n), names));
}

TEST(BitFields, OfRealsAreThoseOfGfortran) {
  generator random(seed());
  const std::size_t n = long_test() ? 3000 : 60;
  const std::vector<std::string> names{"b", "o", "z"};
  ASSERT_TRUE(fields_are_the_same(type_class::real, random_reals<float>(random, n), names));
  ASSERT_TRUE(fields_are_the_same(type_class::real, random_reals<double>(random, n), names));
}

// Where the lower half of the bits is zero, gfortran's Zw.0 writes nothing.
TEST(BitFields, WithHalfOfTheirBitsZeroAreThoseOfGfortran) {
  const std::vector<double> reals{1.0, 0.1, 0.0, -0.0, 2.5, 1e300, -1.5};
  const std::vector<std::int64_t> integers{0, 1, std::int64_t{1} << 32, std::int64_t{5} << 40, -1};
  for (const char* const format :
       {"(z20.0)", "(3z20.0)", "(z20.1)", "(z0.0)", "(o30.0)", "(b70.0)"}) {
    ASSERT_TRUE(same_both_ways(
        format, {type_class::real, 8, reinterpret_cast<const char*>(reals.data()), reals.size()}));
    ASSERT_TRUE(same_both_ways(
        format,
        {type_class::integer, 8, reinterpret_cast<const char*>(integers.data()), integers.size()}));
  }
}

TEST(LogicalAndCharacterFields, AreThoseOfGfortran) {
  const std::vector<std::string> names{"l", "a", "g", "i", "z", "f", "es"};
  const std::vector<std::int32_t> logicals{0, 1, 1, 0};
  const std::vector<std::int64_t> wide_logicals{0, 1, 1, 0};
  ASSERT_TRUE(fields_are_the_same(type_class::logical, logicals, names));
  ASSERT_TRUE(fields_are_the_same(type_class::logical, wide_logicals, names));
  // Five characters are no number for anything but A and G.
  const std::string letters = "abcdefghijklmnopqrstuvwxy";
  for (const std::string& name : names)
    for (int width = 0; width <= 40; ++width)
      for (const char* const digits : {"", ".3"})
        for (const std::size_t length : {1, 3, 5, 25})
          ASSERT_TRUE(same_both_ways("(" + name + text(width) + digits + ")",
                                     {type_class::character, length, letters.data(), 25 / length}));
  for (const char* const format : {"(a)", "(l)", "(2a,1x,a3)", "(g0,1x)"})
    ASSERT_TRUE(same_both_ways(format, {type_class::character, 5, letters.data(), 5}));
  ASSERT_TRUE(same_both_ways("(a,'|')", {type_class::character, 0, letters.data(), 5}));
}

}  // namespace
}  // namespace headrace::test
