// Every data edit descriptor with widths from 0 to 40 and all digits, against gfortran's WRITE.
#include <gtest/gtest.h>

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
    if (random() % 4 == 0) values.push_back(value);
  for (const Real value : random_reals<Real>(random, long_test() ? 2000 : 60))
    values.push_back(value);
  return values;
}

// Descriptors such as F and ES with every width, number of digits and exponent in steps.
template <class Real>
bool reals_are_the_same(const std::string& name, const std::string& before, int digit_step,
                        const std::vector<int>& exponents) {
  generator random(seed());
  for (int width = 0; width <= 40; ++width)
    for (int digits = 0; digits <= 40; digits += width % 3 == 0 ? digit_step : 2 * digit_step + 1)
      for (const int exponent : exponents) {
        const std::vector<Real> values = field_values<Real>(random);
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

}  // namespace
}  // namespace headrace::test
