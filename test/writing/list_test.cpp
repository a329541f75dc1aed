// List-directed output of every type and kind, with decimal points and commas.
#include <gtest/gtest.h>

#include <complex>
#include <string>

#include "both_ways.hpp"
#include "sample_values.hpp"

namespace headrace::test {
namespace {

std::size_t count() {
  return long_test() ? 2000000 : 60000;
}

template <class Value>
void expect_same(type_class type, const std::vector<Value>& values) {
  const char* const bytes = reinterpret_cast<const char*>(values.data());
  // Records of a few values show which of them differs.
  for (std::size_t first = 0; first < values.size(); first += 50) {
    const std::size_t n = std::min<std::size_t>(50, values.size() - first);
    const items list{type, sizeof(Value), bytes + first * sizeof(Value), n};
    ASSERT_TRUE(same_both_ways("*", list, first % 100 == 0 ? '.' : ','));
  }
  ASSERT_TRUE(same_both_ways("*", {type, sizeof(Value), bytes, values.size()}));
  ASSERT_TRUE(same_both_ways("*", {type, sizeof(Value), bytes, 0}));
}

template <class Real>
std::vector<Real> all_reals(generator& random) {
  std::vector<Real> values = special_reals<Real>();
  for (const Real value : near_powers_of_ten<Real>()) values.push_back(value);
  for (const Real value : random_reals<Real>(random, count())) values.push_back(value);
  return values;
}

TEST(ListDirectedOutput, OfRealsIsThatOfGfortran) {
  generator random(seed());
  expect_same(type_class::real, all_reals<double>(random));
  expect_same(type_class::real, all_reals<float>(random));
}

TEST(ListDirectedOutput, OfComplexNumbersIsThatOfGfortran) {
  generator random(seed());
  std::vector<double> reals = all_reals<double>(random);
  std::vector<std::complex<double>> wide;
  for (std::size_t i = 0; i + 1 < reals.size(); i += 2) wide.emplace_back(reals[i], reals[i + 1]);
  expect_same(type_class::complex, wide);
  std::vector<float> singles = all_reals<float>(random);
  std::vector<std::complex<float>> narrow;
  for (std::size_t i = 0; i + 1 < singles.size(); i += 2)
    narrow.emplace_back(singles[i], singles[i + 1]);
  expect_same(type_class::complex, narrow);
}

TEST(ListDirectedOutput, OfIntegersIsThatOfGfortran) {
  generator random(seed());
  expect_same(type_class::integer, random_integers<std::int8_t>(random, 1000));
  expect_same(type_class::integer, random_integers<std::int16_t>(random, 10000));
  expect_same(type_class::integer, random_integers<std::int32_t>(random, count()));
  expect_same(type_class::integer, random_integers<std::int64_t>(random, count()));
}

TEST(ListDirectedOutput, OfLogicalsIsThatOfGfortran) {
  expect_same(type_class::logical, std::vector<std::int8_t>{1, 0, 1, 1});
  expect_same(type_class::logical, std::vector<std::int16_t>{1, 0, 1, 1});
  expect_same(type_class::logical, std::vector<std::int32_t>{1, 0, 1, 1});
  expect_same(type_class::logical, std::vector<std::int64_t>{1, 0, 1, 1});
}

TEST(ListDirectedOutput, OfCharactersIsThatOfGfortran) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text.push_back(static_cast<char>(' ' + i % 95));
  for (const std::size_t length : {1, 2, 7, 100, 30000, 300000})
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, text.size() / length})
      ASSERT_TRUE(same_both_ways("*", {type_class::character, length, text.data(), n}));
  ASSERT_TRUE(same_both_ways("*", {type_class::character, 0, text.data(), 3}));
}

}  // namespace
}  // namespace headrace::test
