// Formats and values made at random, against gfortran's WRITE.
#include <gtest/gtest.h>

#include <string>

#include "both_ways.hpp"
#include "random_formats.hpp"

namespace headrace::test {
namespace {

constexpr std::size_t most_bytes = 16;
constexpr std::size_t most_values = 24;

struct kind {
  type_class type;
  std::size_t bytes;
};

// Values of some type in a buffer of their own.
class random_items {
 public:
  explicit random_items(generator& random) : random_(random) {}

  items make() {
    static constexpr kind kinds[] = {
        {type_class::integer, 1},   {type_class::integer, 2},   {type_class::integer, 4},
        {type_class::integer, 8},   {type_class::real, 4},      {type_class::real, 8},
        {type_class::real, 8},      {type_class::complex, 8},   {type_class::complex, 16},
        {type_class::logical, 1},   {type_class::logical, 4},   {type_class::logical, 8},
        {type_class::character, 3}, {type_class::character, 12}};
    const kind chosen = kinds[random_() % std::size(kinds)];
    const std::size_t n = random_() % most_values;
    fill(chosen, n);
    return {chosen.type, chosen.bytes, buffer_, n};
  }

 private:
  template <class Value>
  void copy(const std::vector<Value>& values, std::size_t n) {
    std::memcpy(buffer_, values.data(), n * sizeof(Value));
  }

  void fill(kind chosen, std::size_t n) {
    const bool is_complex = chosen.type == type_class::complex;
    if (chosen.type == type_class::real || is_complex) {
      const std::size_t parts = is_complex ? 2 * n : n;
      if (chosen.bytes == (is_complex ? 16 : 8))
        copy(random_reals<double>(random_, parts), parts);
      else
        copy(random_reals<float>(random_, parts), parts);
    } else if (chosen.type == type_class::logical) {
      std::memset(buffer_, 0, sizeof buffer_);
      for (std::size_t i = 0; i < n; ++i) buffer_[i * chosen.bytes] = random_() % 2 != 0;
    } else if (chosen.type == type_class::character) {
      for (char& c : buffer_) c = static_cast<char>('a' + random_() % 26);
    } else if (chosen.bytes == 8) {
      copy(random_integers<std::int64_t>(random_, most_values), n);
    } else if (chosen.bytes == 4) {
      copy(random_integers<std::int32_t>(random_, most_values), n);
    } else if (chosen.bytes == 2) {
      copy(random_integers<std::int16_t>(random_, most_values), n);
    } else {
      copy(random_integers<std::int8_t>(random_, most_values), n);
    }
  }

  generator& random_;
  alignas(16) char buffer_[most_values * most_bytes];
};

TEST(Positions, AreThoseOfGfortran) {
  static constexpr const char* formats[] = {
      "(a,3x,t3,a)",  "(a,1x,t9,a)",    "(a,t9,t3,a)",      "(a,t9,tl2,a)",     "(a,t9,tl9,a)",
      "(a,3x,tl1,a)", "(a,tl3,3x,a)",   "(5x,tl2,a)",       "(tl2,a)",          "(a,t2,a,t9,a)",
      "(a,t3,/,a)",   "(a,t3,:,/,a)",   "(a,t12,'')",       "(a,5x)",           "(a,5x,:,'z')",
      "(a,5x,'')",    "(t5,'a',t1,5x)", "(t5,'a',t1,5x,a)", "(a,t2,a,1x,t1,a)", "(a,t2,a,9x,a)"};
  const std::string text = "abcdefXYZ_.,pqrstu";
  for (const char* const format : formats)
    EXPECT_TRUE(same_both_ways(format, {type_class::character, 6, text.data(), 3}));
}

TEST(RandomFormats, WriteWhatGfortranWrites) {
  generator random(seed());
  format_maker formats(random, own_dialect().has(edit_feature::commas));
  random_items values(random);
  const int n = long_test() ? 3000000 : 60000;
  int failures = 0;
  for (int i = 0; i < n && failures < 5; ++i) {
    const items list = values.make();
    if (!same_both_ways(formats.make(list.type), list)) ++failures;
  }
}

}  // namespace
}  // namespace headrace::test
