// Integers and hexadecimal cells: every tier gives the same values and finds the same bad fields.
#include "parse_numbers_checks.hpp"

namespace headrace {
namespace {

template <class Integer>
void check_random_integers() {
  std::mt19937_64 random(6);
  std::vector<Integer> values(20000);
  std::string text;
  for (Integer& value : values) {
    value = static_cast<Integer>(random() >> random() % (8 * sizeof(Integer)));
    if (random() % 2 == 0) value = static_cast<Integer>(0 - static_cast<std::uint64_t>(value));
    const char* const front[] = {"", "", "", "  ", "000"};
    std::string cell = std::to_string(value);
    if (value >= 0) cell = front[random() % 5] + cell;
    text += (random() % 9 == 0 && value >= 0 ? "+" : "") + cell.substr(cell.find_first_not_of(' '));
    text += random() % 10 == 0 ? " \n" : ",";
  }
  values.front() = std::numeric_limits<Integer>::min();
  values.back() = std::numeric_limits<Integer>::max();
  text = std::to_string(values.front()) + text.substr(text.find_first_of(",\n"));
  text.resize(text.size() - 1);
  text = text.substr(0, text.find_last_of(",\n") + 1) + std::to_string(values.back()) + "\n";
  for (const simd_tier tier : tiers_of_this_machine()) {
    const auto result = parse_text<Integer>(text, ',', '.', tier);
    ASSERT_EQ(result.good, values.size()) << name_of(tier);
    ASSERT_EQ(result.values, values) << name_of(tier);
  }
}

TEST(ParseIntegers, reads_random_integers) {
  check_random_integers<std::int8_t>();
  check_random_integers<std::int16_t>();
  check_random_integers<std::int32_t>();
  check_random_integers<std::int64_t>();
}

template <class Integer>
void check_integer_limits(const std::string& least, const std::string& largest) {
  check_bad<Integer>(least, field_state::too_large);
  check_bad<Integer>(largest, field_state::too_large);
  check_bad<Integer>("-99999999999999999999999999999999999999999999", field_state::too_large);
  for (const std::string junk :
       {"1.5", "1e2", "-", "+", "--1", "1-", "1 2", "0x1", "12a", "a", "\x80", "1\x01"})
    check_bad<Integer>(junk, field_state::not_a_number);
  for (const std::string empty : {"", " ", "\t \r"}) check_bad<Integer>(empty, field_state::empty);
}

TEST(ParseIntegers, names_fields_that_are_none_or_do_not_fit) {
  check_integer_limits<std::int8_t>("-129", "128");
  check_integer_limits<std::int16_t>("-32769", "32768");
  check_integer_limits<std::int32_t>("-2147483649", "2147483648");
  check_integer_limits<std::int64_t>("-9223372036854775809", "9223372036854775808");
}

TEST(ParseIntegers, agrees_with_the_portable_tier_on_junk) {
  check_junk<std::int8_t>();
  check_junk<std::int32_t>();
  check_junk<std::int64_t>();
}

template <std::size_t elem_len>
struct hexadecimal_result {
  std::vector<unsigned char> bytes;
  std::size_t good;
  field_state state;
};

template <std::size_t elem_len>
hexadecimal_result<elem_len> parse_hexadecimal_text(const std::string& text, simd_tier tier) {
  const tier_guard guard(tier);
  const found_fields found(text, ',');
  hexadecimal_result<elem_len> result{{}, 0, {}};
  result.bytes.resize(found.map().fields * elem_len);
  result.good = parse_hexadecimal(found.text(), found.map().ends, 0, found.map().fields, elem_len,
                                  result.bytes.data(), result.state);
  return result;
}

template <std::size_t elem_len>
void check_hexadecimal() {
  std::mt19937_64 random(7);
  for (int kind = 0; kind < 4; ++kind) {  // all digits, without 0x, fewer digits, mixed
    std::string text;
    std::vector<unsigned char> expected;
    for (int i = 0; i < 1000; ++i) {
      const int form = kind < 3 ? kind : static_cast<int>(random() % 3);
      std::size_t digits = 2 * elem_len;
      if (form == 2) digits = 1 + random() % digits;
      std::string cell;
      for (std::size_t k = 0; k < digits; ++k) cell += "0123456789ABCDEFabcdef"[random() % 22];
      for (std::size_t k = 0; k < elem_len; ++k) {  // the lowest byte first
        std::string pair;
        for (std::size_t at : {digits - 2 * k - 2, digits - 2 * k - 1})
          pair += at < digits ? cell[at] : '0';
        expected.push_back(static_cast<unsigned char>(std::stoi(pair, nullptr, 16)));
      }
      text += (form == 1 ? "" : "0x") + cell + (i % 10 == 9 ? "\n" : ",");
    }
    for (const simd_tier tier : tiers_of_this_machine()) {
      const auto result = parse_hexadecimal_text<elem_len>(text, tier);
      ASSERT_EQ(result.good, 1000U) << name_of(tier) << " kind " << kind;
      ASSERT_EQ(result.bytes, expected) << name_of(tier) << " kind " << kind;
    }
  }
}

TEST(ParseHexadecimal, reads_cells_of_every_length) {
  check_hexadecimal<1>();
  check_hexadecimal<2>();
  check_hexadecimal<4>();
  check_hexadecimal<8>();
  check_hexadecimal<16>();
}

TEST(ParseHexadecimal, names_the_first_bad_cell) {
  const std::string good = "0x3F800000";
  for (const simd_tier tier : tiers_of_this_machine())
    for (const std::string bad : {"0x3F80000G", "0y3F800000", "1x3F800000", "0x3F8000:0",
                                  "0x3F80 000", "0x3F80000@", "0x3F80000`", "0x3F8000\xB0\xB0"})
      for (const std::size_t place : {0, 5, 63, 64, 100, 199}) {
        std::string text;
        for (std::size_t i = 0; i < 200; ++i)
          text += (i == place ? bad : good) + (i == 199 ? '\n' : ',');
        const auto result = parse_hexadecimal_text<4>(text, tier);
        EXPECT_EQ(result.good, place) << bad << name_of(tier);
        EXPECT_EQ(result.state, field_state::not_a_number) << bad << name_of(tier);
      }
}

}  // namespace
}  // namespace headrace
