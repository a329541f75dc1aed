// Integers and hexadecimal cells: every tier gives the same values and finds the same bad fields.
#include "parse_numbers_checks.hpp"
#include "text/kernels/format_numbers.hpp"

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

// Cells of one form: digits of a kind, and what stands around them.
std::string integer_cell(std::mt19937_64& random, std::size_t longest, int form) {
  std::string cell;
  for (std::size_t i = 1 + random() % longest; i > 0; --i)
    cell += static_cast<char>('0' + random() % (random() % 8 == 0 ? 1 : 10));
  if (form == 1) cell = std::string(random() % 12, '0') + cell;  // more digits than numbers have
  if (random() % 2 == 0)
    cell = "-" + cell;
  else if (form == 2)
    cell = "+" + cell;
  if (form == 3) cell = std::string(random() % 40, ' ') + cell;
  if (form == 4) cell += std::string(random() % 3, ' ') + (random() % 2 == 0 ? "\t" : "");
  return cell;
}

// Each tier gives the same values, and the same states at the same places, as the portable one.
template <class Integer>
void expect_as_portable(const std::string& text) {
  std::vector<parsed<Integer>> results;
  for (const simd_tier tier : tiers_of_this_machine())
    results.push_back(parse_text<Integer>(text, ',', '.', tier));
  for (const parsed<Integer>& result : results) {
    ASSERT_EQ(result.good, results[0].good) << text;
    ASSERT_EQ(result.state, results[0].state) << text;
    for (std::size_t i = 0; i < result.good; ++i)
      ASSERT_EQ(result.values[i], results[0].values[i]) << "field " << i << " of " << text;
  }
}

template <class Integer>
void check_integer_forms() {
  std::mt19937_64 random(8);
  const std::size_t digits = std::numeric_limits<Integer>::digits10 + 1;
  for (int round = 0; round < 1000; ++round) {
    // In half of the rounds all numbers fit.
    const std::size_t longest = round % 2 == 0 ? digits - 1 : 1 + random() % digits;
    std::string text;
    for (std::size_t i = 1 + random() % 200; i > 0; --i)
      text += integer_cell(random, longest, round % 5) + (round % 3 == 0 && i % 5 == 1 ? "\r\n"
                                                          : i % 5 == 1                 ? "\n"
                                                                                       : ",");
    if (text.back() == ',') text.back() = '\n';
    expect_as_portable<Integer>(text);
  }
}

TEST(ParseIntegers, agrees_with_the_portable_tier_on_every_form) {
  check_integer_forms<std::int8_t>();
  check_integer_forms<std::int16_t>();
  check_integer_forms<std::int32_t>();
  check_integer_forms<std::int64_t>();
}

// Numbers around powers of ten and the limits, each at several places among others.
TEST(ParseIntegers, reads_the_limits_and_the_numbers_beside_them) {
  std::vector<std::int64_t> values{0,         INT32_MAX, INT32_MIN + 1, INT32_MIN,
                                   INT64_MIN, INT64_MAX, INT64_MIN + 1};
  std::int64_t power = 1;
  for (int digits = 0; digits < 19; ++digits) {
    values.insert(values.end(), {power - 1, power, power + 1, -power + 1, -power, -power - 1});
    if (digits < 18) power *= 10;
  }
  for (const simd_tier tier : tiers_of_this_machine())
    for (const std::int64_t value : values)
      for (const std::size_t place : {0, 13, 63, 64, 70}) {
        std::string text;
        for (std::size_t i = 0; i < 71; ++i)
          text += (i == place ? std::to_string(value) : "-12") + (i == 70 ? '\n' : ',');
        const auto result = parse_text<std::int64_t>(text, ',', '.', tier);
        ASSERT_EQ(result.good, 71U) << value << name_of(tier);
        ASSERT_EQ(result.values[place], value) << name_of(tier);
        const auto narrow = parse_text<std::int32_t>(text, ',', '.', tier);
        const bool fits = value >= INT32_MIN && value <= INT32_MAX;
        ASSERT_EQ(narrow.good, fits ? 71U : place) << value << name_of(tier);
        if (fits) {
          ASSERT_EQ(narrow.values[place], value) << name_of(tier);
        } else {
          ASSERT_EQ(narrow.state, field_state::too_large) << value << name_of(tier);
        }
      }
}

// Integers to text and back on every tier. HEADRACE_TEST_LONG=1: every int32.
TEST(ParseIntegers, reads_every_int32_as_it_is_written) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const std::string separators(block, ',');
  std::vector<std::int32_t> values(block);
  std::vector<char> expected(block * (longest_integer + 1) + format_slack);
  std::vector<char> text(expected.size());
  const std::uint64_t stride = long_tests() ? 1 : 4093;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << 16; k += stride) {
    for (std::size_t i = 0; i < block; ++i)
      values[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(k * block + i));
    for (const simd_tier tier : tiers_of_this_machine()) {
      const tier_guard guard(tier);
      const bool first = tier == simd_tier::portable;
      std::vector<char>& to = first ? expected : text;
      char* const end = format_integers(to.data(), values.data(), block, separators.data());
      end[-1] = '\n';
      const auto bytes = static_cast<std::size_t>(end - to.data());
      ASSERT_EQ(std::memcmp(to.data(), expected.data(), bytes), 0) << k << name_of(tier);
      const auto result = parse_text<std::int32_t>({to.data(), bytes}, ',', '.', tier);
      ASSERT_EQ(result.good, block) << k << name_of(tier);
      ASSERT_EQ(std::memcmp(result.values.data(), values.data(), 4 * block), 0)
          << k << name_of(tier);
    }
  }
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

TEST(ParseHexadecimal, names_the_first_bad_cell_of_eight_bytes) {
  const std::string good = "0x3FF0000000000abc";
  for (const simd_tier tier : tiers_of_this_machine())
    for (std::size_t byte = 0; byte < good.size(); ++byte)
      for (const char wrong : {'G', '/', ':', '@', '`', 'g', 'y', '\xB0'})
        for (const std::size_t place : {0, 5, 63, 64, 199}) {
          std::string text;
          for (std::size_t i = 0; i < 200; ++i) text += good + (i == 199 ? '\n' : ',');
          text[place * (good.size() + 1) + byte] = wrong;
          const auto result = parse_hexadecimal_text<8>(text, tier);
          ASSERT_EQ(result.good, place) << byte << wrong << name_of(tier);
          ASSERT_EQ(result.state, field_state::not_a_number) << byte << wrong << name_of(tier);
        }
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
