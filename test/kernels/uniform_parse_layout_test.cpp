// Columns of one layout, and fields that depart from it: every tier of the row parser against the
// reader of single fields.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "text/edit/edit_read_fields.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text_kernels.hpp"

namespace headrace {
namespace {

// Equal columns of a format.
struct column_shape {
  int width;
  int digits = 0;  // behind a point that is not written
  int columns = 10;
  int gap = 0;    // blanks between fields
  int scale = 0;  // without gaps

  std::string edit() const {
    const std::string field = "f" + std::to_string(width) + "." + std::to_string(digits);
    const std::string count = std::to_string(columns);
    if (gap > 0) return "(" + count + "(" + field + "," + std::to_string(gap) + "x))";
    return "(" + std::to_string(scale) + "p," + count + field + ")";
  }
};

std::string right_aligned(const std::string& text, int width) {
  const auto size = static_cast<std::size_t>(width);
  return text.size() < size ? std::string(size - text.size(), ' ') + text : text.substr(0, size);
}

std::string records_of(const column_shape& shape, const std::vector<std::string>& fields) {
  std::string text(parse_padding, '7');
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool is_last = (i + 1) % static_cast<std::size_t>(shape.columns) == 0;
    text += fields[i];
    text += is_last ? "\n" : std::string(static_cast<std::size_t>(shape.gap), ' ');
  }
  return text.append(parse_padding, '7');
}

// Fields that the reader of single fields refuses end what a parser reads.
template <class Real>
void check(const column_shape& shape, std::vector<std::string> fields) {
  const auto columns = static_cast<std::size_t>(shape.columns);
  while (fields.size() % columns != 0) fields.push_back(fields.back());
  read_modes modes;
  modes.scale = shape.scale;
  std::vector<Real> expected;
  std::string memory;
  for (const std::string& field : fields) {
    Real value{};
    if (field.find('\n') != std::string::npos ||
        read_real_field(field, shape.digits, modes, memory, value) != field_state::good)
      break;
    expected.push_back(value);
  }
  edit_format format;
  ASSERT_TRUE(parse_edit_format(shape.edit(), format).ok()) << shape.edit();
  const auto parser = make_row_parser(format, type_class::real, sizeof(Real));
  ASSERT_NE(parser, nullptr) << shape.edit();
  const std::string text = records_of(shape, fields);
  for (const simd_tier tier : tiers_of_this_machine()) {
    const tier_guard guard(tier);
    std::vector<Real> values(fields.size());
    const std::size_t good =
        parser->parse(text.data() + parse_padding, fields.size(), values.data());
    ASSERT_EQ(good, expected.size()) << shape.edit() << " tier " << name_of(tier) << " field '"
                                     << fields[std::min(good, fields.size() - 1)] << "'";
    for (std::size_t i = 0; i < good; ++i)
      ASSERT_EQ(std::memcmp(&values[i], &expected[i], sizeof(Real)), 0)
          << shape.edit() << " tier " << name_of(tier) << " field '" << fields[i] << "' gives "
          << values[i];
  }
}

void check_both(const column_shape& shape, const std::vector<std::string>& fields) {
  check<double>(shape, fields);
  check<float>(shape, fields);
}

class field_maker {
 public:
  explicit field_maker(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }
  std::string digits(std::size_t n) {
    std::string text;
    while (text.size() < n) text += static_cast<char>('0' + below(10));
    return text;
  }
  std::string sign() { return below(2) == 0 ? "-" : ""; }

 private:
  std::mt19937_64 random_;
};

// What all fields of a column have in common.
struct field_form {
  std::size_t most_leading;  // digits before the point
  std::size_t decimals;
  std::string letter;
  std::size_t exponent;  // digits

  std::size_t width() const {
    return 2 + most_leading + decimals + (exponent > 0 ? letter.size() + 1 + exponent : 0);
  }
};

field_form random_form(field_maker& make) {
  const std::string letters[] = {"E", "E", "e", "D", "d", ""};
  field_form form;
  form.decimals = 1 + make.below(18);
  form.most_leading = make.below(3) == 0 ? 1 + make.below(6) : 1;
  form.letter = letters[make.below(6)];
  form.exponent = make.below(4) == 0 ? 0 : 1 + make.below(4);
  return form;
}

std::string random_exponent(field_maker& make, const field_form& form) {
  if (form.exponent == 0) return "";
  // Mostly within the range of the type.
  std::string digits = make.digits(form.exponent);
  if (make.below(8) != 0) {
    if (form.exponent == 4) digits[0] = '0';
    if (form.exponent >= 3) digits[form.exponent - 3] = static_cast<char>('0' + make.below(3));
  }
  return form.letter + (make.below(2) == 0 ? "+" : "-") + digits;
}

std::string random_field(field_maker& make, const field_form& form) {
  const std::size_t leading = form.most_leading == 1 ? 1 : make.below(form.most_leading + 1);
  return make.sign() + make.digits(leading) + "." + make.digits(form.decimals) +
         random_exponent(make, form);
}

// A field that departs from the form, in one way or another.
std::string other_field(field_maker& make, const field_form& form, int width) {
  std::string field = random_field(make, form);
  const auto size = static_cast<std::size_t>(width);
  switch (make.below(16)) {
    case 0:
      return std::string(size, ' ');
    case 1:
      return right_aligned(make.sign() + "NaN", width);
    case 2:
      return right_aligned(make.sign() + "Infinity", width);
    case 3:
      return right_aligned(make.sign() + "0." + make.digits(form.decimals) + "+123", width);
    case 4:
      return right_aligned(make.sign() + "1.5D" + (make.below(2) == 0 ? "+" : "") + "07", width);
    case 5:
      return right_aligned(make.sign() + make.digits(5), width);  // no point
    case 6:
      return right_aligned(make.sign() + "000" + make.digits(3) + "." + make.digits(2), width);
    case 7:
      return right_aligned("-0." + std::string(form.decimals, '0'), width);
    case 8:
      return right_aligned("+" + make.digits(1) + "." + make.digits(form.decimals), width);
    case 9:
      return right_aligned("." + make.digits(form.decimals), width);
    case 10:
      return right_aligned(field + " ", width);
    case 11:
      return right_aligned(make.sign() + " " + make.digits(1) + "." + make.digits(2), width);
    case 12:
      field = right_aligned(field, width);
      field[make.below(size)] = ' ';
      return field;
    case 13:
      return right_aligned(make.digits(2) + ".", width);
    case 14:
      return right_aligned("0." + std::string(form.decimals, '0') + "E+00", width);
    default:
      return right_aligned(make.digits(25), width);
  }
}

TEST(UniformParseLayout, reads_random_layouts_and_departures_from_them) {
  field_maker make(1);
  const int rounds = long_tests() ? 100000 : 400;
  const std::size_t rarities[] = {2, 20, 200, 100000};
  for (int round = 0; round < rounds; ++round) {
    const field_form form = random_form(make);
    column_shape shape;
    shape.width = static_cast<int>(std::max<std::size_t>(10, form.width() + make.below(4)));
    shape.digits = static_cast<int>(make.below(5));
    const int columns[] = {1, 3, 10, 64, 100};
    shape.columns = columns[make.below(5)];
    shape.gap = static_cast<int>(make.below(3)) - 1;
    shape.gap = std::max(shape.gap, 0);
    shape.scale = shape.gap == 0 && make.below(4) == 0 ? 2 : 0;
    const std::size_t rarity = rarities[make.below(4)];
    std::vector<std::string> fields;
    for (int i = 0; i < 700; ++i)
      fields.push_back(make.below(rarity) == 0
                           ? other_field(make, form, shape.width)
                           : right_aligned(random_field(make, form), shape.width));
    check_both(shape, fields);
    if (HasFatalFailure()) return;
  }
}

TEST(UniformParseLayout, reads_every_width_from_10_to_40) {
  field_maker make(2);
  for (int width = 10; width <= 40; ++width)
    for (const bool has_exponent : {false, true}) {
      const auto decimals = static_cast<std::size_t>(std::min(width - (has_exponent ? 8 : 3), 18));
      const field_form form{1, decimals, "E", has_exponent ? std::size_t{2} : std::size_t{0}};
      std::vector<std::string> fields;
      for (int i = 0; i < 320; ++i)
        fields.push_back(right_aligned(random_field(make, form), width));
      check_both({width}, fields);
    }
}

// Odd multiples of half a unit in the last place, and their neighbours.
TEST(UniformParseLayout, rounds_halfway_cases_to_even) {
  std::mt19937_64 random(3);
  std::vector<std::string> doubles;
  std::vector<std::string> floats;
  for (int i = 0; i < 6400; ++i) {
    const std::uint64_t half = (random() >> 11 | std::uint64_t{1} << 52) << 1 | 1;
    const std::uint64_t short_half = (random() >> 41 | std::uint64_t{1} << 23) << 1 | 1;
    const auto write = [](std::uint64_t number, int places, const char* exponent) {
      std::string digits = std::to_string(number);
      digits = std::string(static_cast<std::size_t>(places) - digits.size(), '0') + digits;
      return right_aligned(digits.substr(0, 1) + "." + digits.substr(1) + exponent, 25);
    };
    const std::uint64_t change = random() % 4 == 0 ? 1 : 0;
    doubles.push_back(write(half + change, 17, "E+016"));
    floats.push_back(write(short_half * 1000000000 + change, 18, "E+008"));
  }
  check<double>({25}, doubles);
  check<float>({25}, floats);
}

TEST(UniformParseLayout, reads_the_ends_of_the_range) {
  field_maker make(4);
  std::vector<std::string> fields;
  for (const int power : {-400, -345, -324, -323, -310, -308, -307, -46, -45, -38, -37,
                          37,   38,   39,   300,  307,  308,  309,  345, 400, 999})
    for (int i = 0; i < 64; ++i) {
      char exponent[8];
      std::snprintf(exponent, sizeof exponent, "E%+04d", power);
      const char* const first = i % 3 == 0 ? "0" : i % 3 == 1 ? "1" : "9";
      fields.push_back(right_aligned(make.sign() + first + "." + make.digits(16) + exponent, 24));
    }
  check_both({24}, fields);
  for (std::string& field : fields) field.replace(field.find('.') + 1, 16, 16, '0');
  check_both({24}, fields);
}

// Any byte at any place of a field, between fields as they should be.
void check_any_byte(const column_shape& shape, const std::string& field) {
  std::vector<std::string> fields(64, field);
  for (std::size_t place = 0; place < field.size(); ++place)
    for (int byte = static_cast<int>(place % one_of(5)); byte < 256;
         byte += static_cast<int>(one_of(5))) {
      const std::size_t i = (place * 7 + static_cast<std::size_t>(byte)) % 63 + 1;
      fields[i][place] = static_cast<char>(byte);
      check<double>(shape, fields);
      if (testing::Test::HasFatalFailure()) return;
      fields[i] = field;
    }
}

TEST(UniformParseLayout, takes_no_byte_for_another) {
  check_any_byte({24, 16, 64}, "-1.2345678901234567E-012");
  check_any_byte({15, 5, 64}, "    0.12345E+02");
  check_any_byte({12, 4, 32, 1}, "    -12.3456");
  check_any_byte({12, 4, 32}, "  -1.2345+12");
}

TEST(UniformParseLayout, follows_a_layout_that_changes) {
  field_maker make(5);
  const field_form forms[] = {
      {1, 5, "E", 2}, {4, 4, "", 0}, {1, 3, "D", 3}, {3, 6, "E", 2}, {1, 6, "", 3}};
  std::vector<std::string> fields;
  for (int part = 0; part < 40; ++part) {
    const field_form& form = forms[make.below(5)];
    const std::size_t length = 1 + make.below(2000);
    for (std::size_t i = 0; i < length; ++i)
      fields.push_back(right_aligned(random_field(make, form), 15));
  }
  check_both({15}, fields);
  for (std::size_t i = 0; i < fields.size(); ++i)  // columns that differ
    fields[i] = right_aligned(random_field(make, forms[i % 10 % 5]), 15);
  check_both({15}, fields);
}

TEST(UniformParseLayout, stops_at_a_line_feed_in_a_gap_or_a_field) {
  const std::string field = "-1.2345678901234567E-012";
  for (const int place : {30, 24, 10, 300, 248, 5000, 70 * 250 + 24}) {
    const column_shape shape{24, 16, 10, 1};
    edit_format format;
    ASSERT_TRUE(parse_edit_format(shape.edit(), format).ok());
    const auto parser = make_row_parser(format, type_class::real, 8);
    std::string text = records_of(shape, std::vector<std::string>(1000, field));
    std::size_t good = 0;
    for (const simd_tier tier : tiers_of_this_machine()) {
      const tier_guard guard(tier);
      std::vector<double> values(1000);
      const std::size_t at = parse_padding + static_cast<std::size_t>(place);
      const char before = std::exchange(text[at], '\n');
      good = parser->parse(text.data() + parse_padding, 1000, values.data());
      text[at] = before;
      const auto record = static_cast<std::size_t>(place) / 250;
      EXPECT_GE(good, record * 10) << name_of(tier);
      EXPECT_LT(good, record * 10 + 10) << name_of(tier);
    }
  }
}

}  // namespace
}  // namespace headrace
