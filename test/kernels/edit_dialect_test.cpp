// What each version of gfortran was seen to do with the formats in which they differ:
// gfortran 11.3, 12.2, 12.4, 12.5, 13.3, 13.5, 14.2, 14.4, 15.3 and 16.2, run side by side.
// test/writing and test/reading compare with the version that is installed.
#include "text/edit/edit_dialect.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/array_view.hpp"
#include "headrace.h"
#include "text/edit/edit_transfer.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text_source.hpp"
#include "vector_view.hpp"

namespace headrace {
namespace {

constexpr int oldest = 11;
constexpr int newest = 16;

std::string written(const std::string& text, double value, int version) {
  std::vector<double> values{value};
  std::string result;
  string_sink sink(result);
  edit_format format;
  if (!parse_edit_format(text, format, '.', edit_dialect::of_gfortran(version)).ok() ||
      !write_edited(format, view_of(values, type_class::real), sink).ok())
    return "refused";
  return result.substr(0, result.size() - 1);
}

double with_low_bits_zero() {
  const std::uint64_t bits = std::uint64_t{5} << 32;
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

struct version_text {
  int since;
  std::string text;
};

struct changes_of_writing {
  const char* format;
  double value;
  std::vector<version_text> texts;
};

TEST(EditDialect, WritesAsEachVersion) {
  const std::string long_one = "1.00000000000000000";
  const changes_of_writing changes[] = {
      {"(e0.3)", 0, {{11, "0.000"}, {13, "0.000E+0"}, {16, "0.000E+000"}}},
      {"(e0.3)", 0.5, {{11, "0.500"}, {13, "0.500E+0"}, {16, "0.500E+000"}}},
      {"(e0.3)", 5e-4, {{11, "0.500E-3"}, {16, "0.500E-003"}}},
      {"(d0.3)", 0.5, {{11, "0.500"}, {13, "0.500D+0"}, {16, "0.500D+000"}}},
      {"(es0.3)", 1, {{11, "1.000"}, {13, "1.000E+0"}, {16, "1.000E+000"}}},
      {"(es0.3)", 12, {{11, "1.200E+1"}, {16, "1.200E+001"}}},
      {"(es0.3e0)", 12, {{11, "1.200E+1"}}},
      {"(es0.3e2)", 1, {{11, "1.000"}, {13, "1.000E+00"}}},
      {"(en0.3)", 1, {{11, "1.000"}, {13, "1.000E+0"}, {16, "1.000E+000"}}},
      {"(1pe0.3)", 1, {{11, "1.000"}, {13, "1.000E+0"}, {16, "1.000E+000"}}},
      {"(es0.0)", 1, {{11, long_one}, {13, "1.E+0"}, {16, "1.E+000"}}},
      {"(en0.0)", 1, {{11, long_one}, {13, "1.E+0"}, {16, "1.E+000"}}},
      {"(e0.0)", 1, {{11, "0.10000000000000000E+1"}, {13, "refused"}}},
      {"(d0)", 1, {{11, "0.10000000000000000D+1"}, {13, "refused"}}},
      {"(es0)", 1e5, {{11, long_one + "E+5"}, {13, "1.E+5"}, {16, "1.E+005"}}},
      {"(1pg0)", 1e-3, {{11, "1.0000000000000000E-3"}, {16, "1.0000000000000000E-003"}}},
      {"(g0)", 0, {{11, "0.0000000000000000"}}},
      {"(es12.3)", 12, {{11, "   1.200E+01"}}},
      {"(b40.0)",
       with_low_bits_zero(),
       {{11, std::string(40, ' ')}, {14, "     101" + std::string(32, '0')}}},
      {"(z20.0)", with_low_bits_zero(), {{11, std::string(20, ' ')}}},
      {"(f5.1 f5.1)", 1, {{11, "  1.0"}, {15, "refused"}}},
      {"(1xf5.1)", 1, {{11, "   1.0"}, {15, "refused"}}},
      {"(f5.1'a')", 1, {{11, "  1.0a"}, {15, "refused"}}},
      {"(spf5.1)", 1, {{11, " +1.0"}, {15, "refused"}}},
      {"('a'f5.1/)", 1, {{11, "a  1.0\n"}}},
      {"(f3.1,3x,t3,'x')", 1, {{11, "1.0x"}, {15, "1.x"}}},
      {"(f3.1,tl2,'',1x,'y')", 1, {{11, "1.y"}, {15, "1 y"}}},
      {"(1pf5.1:f5.1)", 1, {{11, " 10.0"}}},
  };
  for (const changes_of_writing& each : changes) {
    std::string expected;
    for (int version = oldest; version <= newest; ++version) {
      for (const version_text& one : each.texts)
        if (one.since == version) expected = one.text;
      EXPECT_EQ(written(each.format, each.value, version), expected)
          << each.format << ", gfortran " << version;
    }
  }
}

// The values that were read; "refused" when not all could be.
template <class Element>
std::string read(const std::string& format_text, const std::string& text, char decimal,
                 type_class type, std::size_t n, int version) {
  std::vector<Element> values(n, static_cast<Element>(-9));
  text_source source(text);
  const edit_dialect dialect = edit_dialect::of_gfortran(version);
  status result;
  if (format_text == "*") {
    result = read_list_directed(source, decimal, view_of(values, type), dialect);
  } else {
    edit_format format;
    result = parse_edit_format(format_text, format, decimal, dialect);
    if (result.ok()) result = read_edited(format, source, view_of(values, type));
  }
  if (!result.ok()) return "refused";
  std::string found;
  for (const Element& value : values) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%s%g", found.empty() ? "" : " ",
                  static_cast<double>(value));
    found += digits;
  }
  return found;
}

struct change_of_reading {
  const char* format;
  const char* text;
  char decimal;
  const char* before;
  int since;
  const char* after;
};

TEST(EditDialect, ReadsRealsAsEachVersion) {
  const change_of_reading changes[] = {
      {"(f5.0,f5.0)", "1.5  2.5\n", ',', "1.5 2.5", 13, "refused"},
      {"(f5.0,f5.0)", "1,5  2,5\n", ',', "1.5 2.5", 17, ""},
      {"*", "1;2\n", '.', "1 2", 13, "refused"},
      {"*", "1; 2\n", '.', "1 2", 13, "refused"},
      {"*", "1 2;\n", '.', "1 2", 13, "refused"},
      {"*", "1 2 ;\n", '.', "1 2", 17, ""},
      {"*", ";1 2\n", '.', "-9 1", 13, "refused"},
      {"*", "1\n;2\n", '.', "1 -9", 13, "refused"},
      {"*", "2*;3\n", '.', "-9 -9", 13, "refused"},
      {"*", "1,;2\n", '.', "1 -9", 13, "refused"},
      {"*", "1e5;2\n", '.', "100000 2", 13, "refused"},
      {"*", "1 ;2\n", '.', "1 2", 13, "refused"},  // gfortran: 1, null
      {"*", "1,5;2,5\n", ',', "1.5 2.5", 17, ""},
      {"*", "1.5;2\n", ',', "1.5 2", 13, "refused"},
      {"*", "1,5 2.5\n", ',', "1.5 2.5", 13, "refused"},
      {"*", "-1.5;2\n", ',', "-1.5 2", 17, ""},
      {"*", "2*1.5\n", ',', "1.5 1.5", 17, ""},
      {"*", ".5;2\n", ',', "0.5 2", 13, "refused"},
      // Many lines: the fast path.
      {"*", "1;2\n3;4\n5;6\n", '.', "1 2", 13, "refused"},
  };
  for (const change_of_reading& each : changes)
    for (int version = oldest; version <= newest; ++version)
      EXPECT_EQ(read<double>(each.format, each.text, each.decimal, type_class::real, 2, version),
                version < each.since ? each.before : each.after)
          << each.format << " [" << each.text << "], gfortran " << version;
}

TEST(EditDialect, FillsShortLinesWithZerosAsEachVersion) {
  const change_of_reading changes[] = {
      {"(bz,i5)", "1\n", '.', "1", 14, "10000"},
      {"(bz,i5)", "1 \n", '.', "10", 14, "10000"},
      {"(bz,i5)", "\n", '.', "0", 17, ""},
      {"(bz,z5)", "1\n", '.', "1", 14, "65536"},
      {"(bz,o3)", "1\n", '.', "1", 14, "64"},
      {"(bz,b3)", "1\n", '.', "1", 14, "4"},
      {"(bz,i5)", "1 2\n", '.', "102", 14, "10200"},
      {"(i5)", "1\n", '.', "1", 17, ""},
      {"(bz,i9)", "123456\n", '.', "123456", 14, "1.23456e+08"},
      {"(bz,i12)", "123456\n", '.', "123456", 14, "refused"},  // gfortran: wraps around
  };
  for (const change_of_reading& each : changes)
    for (int version = oldest; version <= newest; ++version)
      EXPECT_EQ(read<std::int32_t>(each.format, each.text, '.', type_class::integer, 1, version),
                version < each.since ? each.before : each.after)
          << each.format << " [" << each.text << "], gfortran " << version;
}

std::string read_words(const std::string& text, char decimal, int version) {
  std::string words(12, '-');
  array_view array;
  array.base = words.data();
  array.elem_len = 6;
  array.type = type_class::character;
  array.array_rank = 1;
  array.extent[0] = 2;
  array.stride[0] = 6;
  text_source source(text);
  const edit_dialect dialect = edit_dialect::of_gfortran(version);
  return read_list_directed(source, decimal, array, dialect).ok() ? words : "refused";
}

TEST(EditDialect, ReadsCharactersAsEachVersion) {
  for (int version = oldest; version <= newest; ++version) {
    const bool separates = version < 13;
    const bool is_character = version >= 15;
    const std::string text = read_words("a;b c\n", '.', version);
    EXPECT_EQ(text, is_character ? "a;b   c     " : separates ? "a     b     " : "refused");
    EXPECT_EQ(read_words("a;b c\n", ',', version), is_character ? "a;b   c     " : "a     b     ");
    EXPECT_EQ(read_words("'a';b\n", '.', version), separates ? "a     b     " : "refused");
    EXPECT_EQ(read_words("'a';b\n", ',', version), "a     b     ");
    EXPECT_EQ(read_words("12;a b\n", ',', version), is_character ? "12;a  b     " : "12    a     ");
    EXPECT_EQ(read_words(";a b\n", '.', version), is_character ? ";a    b     "
                                                  : separates  ? "------a     "
                                                               : "refused");
    EXPECT_EQ(read_words(";a b\n", ',', version), "------a     ");
  }
}

// What reads records that are all the same must not take a point that the dialect refuses.
TEST(EditDialect, HoldsForUniformRecords) {
  const std::string lines = std::string(64, ' ') + "1.5  2,5  \n" + std::string(64, ' ');
  for (const int version : {12, 13}) {
    edit_format format;
    ASSERT_TRUE(parse_edit_format("(2f5.0)", format, ',', edit_dialect::of_gfortran(version)).ok());
    const auto rows = make_row_parser(format, type_class::real, 8);
    ASSERT_NE(rows, nullptr);
    double values[2] = {};
    EXPECT_EQ(rows->parse(lines.data() + 64, 2, values), version == 12 ? 2U : 0U);
  }
}

TEST(EditDialect, HasNames) {
  edit_dialect dialect = edit_dialect::of_gfortran(12);
  ASSERT_TRUE(parse_dialect("", dialect).ok());
  EXPECT_EQ(name_of(dialect), "gfortran16");
  ASSERT_TRUE(parse_dialect("gfortran13", dialect).ok());
  EXPECT_EQ(name_of(dialect), "gfortran13");
  ASSERT_TRUE(parse_dialect("features:1111110000", dialect).ok());
  EXPECT_EQ(name_of(dialect), "gfortran14");
  ASSERT_TRUE(parse_dialect("features:0000000001", dialect).ok());
  EXPECT_EQ(name_of(dialect), "");
  for (const char* const wrong : {"gfortran", "gfortran10", "gfortran17", "gfortran12.2", "flang19",
                                  "features:", "features:2", "features:00000000000"}) {
    const status result = parse_dialect(wrong, dialect);
    EXPECT_EQ(result.code(), static_cast<int>(stat_code::option_unknown)) << wrong;
    EXPECT_NE(result.message().find("gfortran11 to gfortran16"), std::string::npos);
  }
}

}  // namespace
}  // namespace headrace
