// What is accepted as a format, and where the others are wrong.
#include "text/edit/edit_format.hpp"

#include <gtest/gtest.h>

#include <string>

namespace headrace {
namespace {

edit_format parsed(const std::string& text, const edit_dialect& dialect = {}) {
  edit_format format;
  const status result = parse_edit_format(text, format, '.', dialect);
  EXPECT_TRUE(result.ok()) << result.message();
  return format;
}

TEST(EditFormat, HasItemsWithWidthsAndColumns) {
  const edit_format format = parsed(" ( 3 f 1 0 . 2 , 1pe12.4E3 / 'it''s' )");
  ASSERT_EQ(format.items.size(), 5U);
  EXPECT_EQ(format.items[0].kind, edit_kind::fixed);
  EXPECT_EQ(format.items[0].repeat, 3);
  EXPECT_EQ(format.items[0].width, 10);
  EXPECT_EQ(format.items[0].digits, 2);
  EXPECT_EQ(format.items[0].column, 4U);
  EXPECT_EQ(format.items[1].kind, edit_kind::scale);
  EXPECT_EQ(format.items[1].value, 1);
  EXPECT_EQ(format.items[2].kind, edit_kind::exponent);
  EXPECT_EQ(format.items[2].exponent, 3);
  EXPECT_EQ(format.items[3].kind, edit_kind::slash);
  EXPECT_EQ(format.items[4].literal, "it's");
}

TEST(EditFormat, RevertsToTheLastGroup) {
  EXPECT_EQ(parsed("(i5,2(f8.3,(a)),3(e10.2),1x)").reversion, 7U);
  EXPECT_EQ(parsed("(i5,1x)").reversion, 0U);
  const edit_format format = parsed("(*(i5))");
  EXPECT_EQ(format.items[0].repeat, unlimited_repeat);
  EXPECT_EQ(format.items[0].partner, 2U);
  EXPECT_EQ(format.items[2].partner, 0U);
}

TEST(EditFormat, KeepsBlanksInHollerithConstants) {
  EXPECT_EQ(parsed("(1 2h hello, worl)").items[0].literal, " hello, worl");
}

TEST(EditFormat, TakesWhatGfortranTakes) {
  for (const char* const text :
       {"()", "(i5,)", "(i5)rest", "(x)", "(f0)", "(e0)", "(d0)", "(es0.3e2)"})
    EXPECT_EQ(parsed(text).text, text);
  for (const char* const text : {"(e10.3e0)", "(f0.3e2)", "(l)", "(l0)", "(hx)", "(((i5)))",
                                 "(1p3e10.3)", "(ss,bn,dc,ru,i5)", "(i0.0)", "(b n,i5)"})
    EXPECT_EQ(parsed(text).text, text);
  for (const char* const text : {"(i5i6)", "(ss,bn,dc,rui5)", "(b n i5)"})
    EXPECT_EQ(parsed(text, edit_dialect::of_gfortran(14)).text, text);
}

struct wrong_format {
  const char* text;
  int column;
};

TEST(EditFormat, NamesTheColumnOfWhatIsWrong) {
  const wrong_format wrong[] = {
      {"i5)", 1},       {"(i)", 3},           {"(i5,,i6)", 5},      {"(i5", 4},
      {"(f10)", 5},     {"(e10.3d2)", 7},     {"(a0)", 3},          {"(t0)", 3},
      {"(p)", 2},       {"(1pi5)", 4},        {"(0i5)", 3},         {"(3'abc')", 3},
      {"(i5.6)", 5},    {"('abc", 2},         {"(5hab)", 3},        {"(*i5)", 3},
      {"(*(1x))", 6},   {"(*(i5,(1x)))", 11}, {"(dt)", 2},          {"(i5,$)", 5},
      {"(q10.3)", 2},   {"(i5\\)", 4},        {"(i5;i6)", 4},       {"(i99999999999)", 3},
      {"(a'lost')", 3}, {"(e,i5)", 3},        {"((i5),*(1x))", 11}, {"", 1}};
  for (const wrong_format& one : wrong) {
    edit_format format;
    const status result = parse_edit_format(one.text, format);
    EXPECT_EQ(result.code(), static_cast<int>(stat_code::format_invalid)) << one.text;
    const std::string where = "column " + std::to_string(one.column) + " of";
    EXPECT_NE(result.message().find(where), std::string::npos)
        << one.text << ": " << result.message();
  }
}

TEST(EditFormat, TakesDeepGroupsWithoutRecursion) {
  const std::string deep = std::string(200000, '(') + "i5" + std::string(200000, ')');
  EXPECT_EQ(parsed(deep).items.size(), 2 * 199999U + 1);
}

}  // namespace
}  // namespace headrace
