// Arrays of texts: formats, separators, edits, and blocks of equal and of different lengths.
#include "cells/cells.hpp"

#include <cmath>
#include <cstring>

#include "cells/edit.hpp"
#include "cells/file.hpp"
#include "cells/format.hpp"
#include "cells/parse.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

class Cells : public Scratch {
 protected:
  template <class T>
  static array_view view(std::vector<T>& values, type_class type, std::ptrdiff_t rows,
                         std::ptrdiff_t columns) {
    array_view result{reinterpret_cast<char*>(values.data()), sizeof(T), type, 2};
    result.extent = {rows, columns};
    result.stride = {sizeof(T), rows * static_cast<std::ptrdiff_t>(sizeof(T))};
    return result;
  }

  static value_style style(const std::string& fmt, int decimals = -1) {
    value_style result;
    EXPECT_TRUE(make_value_style(fmt, decimals, "", "", result).ok());
    return result;
  }

  template <class T>
  static std::string text_of(T value, type_class type, const value_style& chosen) {
    std::string text;
    append_value(text, reinterpret_cast<const char*>(&value), type, sizeof value, chosen);
    return text;
  }

  status read(const std::string& text, const row_rule& rule, cell_array& cells) {
    put(path("c.txt"), text);
    cell_reading reading;
    reading.rule = rule;
    std::vector<std::string> names;
    return read_cells(path("c.txt"), reading, cells, names);
  }

  static row_rule separated(const std::string& column, const std::string& row) {
    row_rule rule;
    rule.column_separator = column;
    rule.row_separator = row;
    return rule;
  }
};

TEST_F(Cells, FormatValuesInEveryStyle) {
  const type_class real = type_class::real;
  EXPECT_EQ(text_of(0.1, real, style("")), "0.1");
  EXPECT_EQ(text_of(1e100, real, style("g")), "1e+100");
  EXPECT_EQ(text_of(2.0 / 3, real, style("g", 3)), "0.667");
  EXPECT_EQ(text_of(0.1, real, style("e")), "1.0000000000000001e-01");
  EXPECT_EQ(text_of(0.1F, real, style("e")), "1.00000001e-01");
  EXPECT_EQ(text_of(-1234.5678, real, style("f", 2)), "-1234.57");
  EXPECT_EQ(text_of(2.5, real, style("f", 0)), "2");
  EXPECT_EQ(text_of(1e22, real, style("f")), "10000000000000000000000");
  EXPECT_EQ(text_of(5e-324, real, style("f", 3)), "0.000");
  EXPECT_EQ(text_of(-0.0, real, style("f", 1)), "-0.0");
  EXPECT_EQ(text_of(1.0, real, style("z")), "0x3FF0000000000000");
  EXPECT_EQ(text_of(-std::nan(""), real, style("e", 3)), text_of(std::nan(""), real, style("g")));
  EXPECT_EQ(text_of(-HUGE_VAL, real, style("f", 3)), "-inf");
  EXPECT_EQ(text_of(std::int8_t{-128}, type_class::integer, style("i")), "-128");
  EXPECT_EQ(text_of(std::int16_t{-1}, type_class::integer, style("z")), "0xFFFF");
  EXPECT_EQ(text_of(1.7e308, real, style("f", 400)).size(), 309U + 1 + 400);
}

TEST_F(Cells, RefuseStylesThatATypeDoesNotHave) {
  value_style chosen;
  EXPECT_FALSE(make_value_style("x", -1, "", "", chosen).ok());
  EXPECT_FALSE(make_value_style("ee", -1, "", "", chosen).ok());
  EXPECT_FALSE(make_value_style("e", 401, "", "", chosen).ok());
  EXPECT_FALSE(make_value_style("e", 1, ";", "", chosen).ok());
  EXPECT_FALSE(check_value_style(style("e"), type_class::integer, 4).ok());
  EXPECT_FALSE(check_value_style(style("i"), type_class::real, 8).ok());
  EXPECT_EQ(check_value_style(style("e"), type_class::real, 16).code(),
            static_cast<int>(stat_code::kind_unsupported));
  EXPECT_TRUE(check_value_style(style("z"), type_class::real, 16).ok());
}

TEST_F(Cells, ComeBackThroughEveryStyle) {
  const std::ptrdiff_t rows = 700;
  const std::ptrdiff_t columns = 330;
  std::vector<double> x(static_cast<std::size_t>(rows * columns));
  std::uint64_t bits = 88172645463325252U;
  for (double& value : x) {
    do {
      bits ^= bits << 13U, bits ^= bits >> 7U, bits ^= bits << 17U;
      std::memcpy(&value, &bits, sizeof value);
    } while (!std::isfinite(value));
  }
  for (const char* const fmt : {"g", "e", "f", "z"}) {
    cell_array cells;
    ASSERT_TRUE(append_cells(view(x, type_class::real, rows, columns), style(fmt), 2, cells).ok());
    ASSERT_EQ(cells.rows(), 700U);
    ASSERT_TRUE(write_cells(path("x.csv"), cells, {}).ok());
    cell_array again;
    std::vector<std::string> names;
    ASSERT_TRUE(read_cells(path("x.csv"), {}, again, names).ok());
    EXPECT_TRUE(equal_cells(cells, again)) << fmt;
    EXPECT_EQ(cells.bytes(), content(path("x.csv")).size());
    parse_style back;
    ASSERT_TRUE(make_parse_style(fmt, "", "", "", back).ok());
    std::vector<double> y(x.size());
    const status parsed =
        parse_cells(again, {0, 700, 0, 330}, back, 2, view(y, type_class::real, rows, columns));
    ASSERT_TRUE(parsed.ok()) << parsed.message();
    EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)), 0) << fmt;
  }
}

TEST_F(Cells, OfEqualLengthNeedNoOffsets) {
  std::vector<float> x(1000, 1.5F);
  cell_array cells;
  ASSERT_TRUE(append_cells(view(x, type_class::real, 100, 10), style("z"), 1, cells).ok());
  EXPECT_EQ(cells.blocks()[0].ends, nullptr);
  std::string scratch;
  EXPECT_EQ(cells.text(99, 9, scratch), "0x3FC00000");
  ASSERT_TRUE(set_cell(cells, 50, 5, "longer than the others").ok());
  EXPECT_NE(cells.blocks()[0].ends, nullptr);
  EXPECT_EQ(cells.text(50, 5, scratch), "longer than the others");
  EXPECT_EQ(cells.text(99, 9, scratch), "0x3FC00000");
}

TEST_F(Cells, AreSeparatedByTextsOfAnyLength) {
  cell_array cells;
  ASSERT_TRUE(read("a<>b c<>\r\n<><>d", separated("<>", "\r\n"), cells).ok());
  EXPECT_EQ(cells.rows(), 2U);
  EXPECT_EQ(cells.columns(), 3U);
  EXPECT_EQ(join_cells(cells, "|"), "a|b c||||d");
  ASSERT_TRUE(write_cells(path("d.txt"), cells, {"<>", "\r\n", false}).ok());
  EXPECT_EQ(content(path("d.txt")), "a<>b c<>\r\n<><>d\r\n");
}

TEST_F(Cells, KeepBlanksQuotesAndCarriageReturns) {
  cell_array cells;
  ASSERT_TRUE(read(" a ,\"b\r\n,\t\r\n", separated(",", "\n"), cells).ok());
  EXPECT_EQ(join_cells(cells, "|"), " a |\"b\r||\t\r");
  cell_array blanks;
  ASSERT_TRUE(read("a  b\nc d e\n", separated(" ", "\n"), blanks).ok());
  EXPECT_EQ(blanks.columns(), 3U);
  cell_array lines;
  ASSERT_TRUE(read("\none\n\n  \n", separated("\x1F", "\n"), lines).ok());
  EXPECT_EQ(lines.rows(), 4U);
  cell_array nothing;
  ASSERT_TRUE(read("", separated(",", "\n"), nothing).ok());
  EXPECT_EQ(nothing.rows(), 0U);
}

TEST_F(Cells, OfDifferentRowsAreRefused) {
  cell_array cells;
  const status ragged = read("a,b\nc,d\ne\n", separated(",", "\n"), cells);
  EXPECT_EQ(ragged.code(), static_cast<int>(stat_code::row_length));
  EXPECT_NE(ragged.message().find("c.txt:3:2;"), std::string::npos) << ragged.message();
  EXPECT_EQ(read("a::b\nc\n", separated("::", "\n"), cells).code(),
            static_cast<int>(stat_code::row_length));
  EXPECT_EQ(read("a", separated("", "\n"), cells).code(),
            static_cast<int>(stat_code::option_unknown));
}

TEST_F(Cells, AreEditedOneByOne) {
  cell_array cells;
  ASSERT_TRUE(split_text("one,,three", ",", cells).ok());
  EXPECT_EQ(cells.rows(), 3U);
  ASSERT_TRUE(
      edit_cells(
          cells, [](std::string_view cell, std::string& out) { out.append(cell) += '!'; }, 2)
          .ok());
  EXPECT_EQ(join_cells(cells, " "), "one! ! three!");
  EXPECT_EQ(count_in_cells(cells, "e"), 3U);
  cell_array other;
  EXPECT_FALSE(equal_cells(cells, other));
  EXPECT_EQ(print_cells(cells), "  one!\n     !\nthree!\n");
}

TEST(Texts, AreSearchedFromBothEnds) {
  EXPECT_EQ(replace_all("aaaa", "aa", "b", false), "bb");
  EXPECT_EQ(replace_all("aaa", "aa", "b", false), "ba");
  EXPECT_EQ(replace_all("aaa", "aa", "b", true), "ab");
  EXPECT_EQ(replace_all("abc", "", "x", false), "abc");
  EXPECT_EQ(replace_all("abc", "abcd", "x", true), "abc");
  EXPECT_EQ(replace_all("xx", "x", "", true), "");
  EXPECT_EQ(count_matches("aaaa", "aa"), 2U);
  EXPECT_EQ(count_matches("", "a"), 0U);
  EXPECT_EQ(trimmed(" \t a b \r\n"), "a b");
  EXPECT_EQ(trimmed(" \n "), "");
}

}  // namespace
}  // namespace headrace
