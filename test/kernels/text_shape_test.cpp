// How large an array must be for a text file, and what characters have no use for.
#include <cstring>
#include <vector>

#include "../../src/text/shape.hpp"
#include "headrace.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TextShape : public Scratch {
 protected:
  int shape_of(const std::string& text, hr_read_options options) {
    put(path("x.csv"), text);
    error_ = {};
    return hr_text_shape(path("x.csv").c_str(), &options, &rows_, &columns_, &error_);
  }

  // An array of that rank; for other types than characters of 8 bytes an element.
  int fit(const std::string& text, int type, int array_rank, hr_read_options options = {}) {
    put(path("x.csv"), text);
    error_ = {};
    array_ = {nullptr, 8, type, array_rank, {-1, -1, -1}, {}};
    return hr_fit_array(path("x.csv").c_str(), &options, &array_, &error_);
  }

  bool said(const char* text) const { return std::strstr(error_.message, text) != nullptr; }

  long long rows_ = -1;
  long long columns_ = -1;
  hr_array array_{};
  hr_error error_{};
};

hr_read_options characters() {
  hr_read_options options{};
  options.type = HR_TYPE_CHARACTER;
  return options;
}

TEST_F(TextShape, LineFeedsInQuotesEndNoRowOfCharacters) {
  ASSERT_EQ(shape_of("\"a\nb\",c\r\n\"d,\"\"e\",f", characters()), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  EXPECT_EQ(columns_, 2);
  hr_read_options with_header = characters();
  with_header.header = "yes";
  const int second = 2;
  with_header.columns = &second;
  with_header.column_count = 1;
  ASSERT_EQ(shape_of("x,y\n\"1\n\n\",2\n3,4\n", with_header), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  EXPECT_EQ(columns_, 1);
  EXPECT_EQ(shape_of("\"a\nb,c\n", characters()), HR_QUOTE_UNBALANCED);
}

TEST_F(TextShape, CharactersAreAsLongAsTheLongestCell) {
  ASSERT_EQ(fit("\"a\nb\",cd\nefghi,j\n", HR_TYPE_CHARACTER, 2), 0) << error_.message;
  EXPECT_EQ(array_.elem_len, 5U);
  EXPECT_EQ(array_.extent[0], 2);
  EXPECT_EQ(array_.extent[1], 2);
  hr_read_options options{};
  const int second = 2;
  options.columns = &second;
  options.column_count = 1;
  ASSERT_EQ(fit("efghi,j\nk,\n", HR_TYPE_CHARACTER, 1, options), 0) << error_.message;
  EXPECT_EQ(array_.elem_len, 1U);
  EXPECT_EQ(array_.extent[0], 2);
  const int third = 3;
  options.columns = &third;
  EXPECT_EQ(fit("efghi,j\nk,\n", HR_TYPE_CHARACTER, 1, options), HR_COLUMN_UNKNOWN);
}

TEST_F(TextShape, AnArrayOfRankThreeNeedsTheShapeThatTheFileStates) {
  for (const int type : {HR_TYPE_REAL, HR_TYPE_CHARACTER}) {
    ASSERT_EQ(fit("# shape: 2 1 2\n1,2\n3,4\n", type, 3), 0) << error_.message;
    EXPECT_EQ(array_.extent[0], 2);
    EXPECT_EQ(array_.extent[1], 1);
    EXPECT_EQ(array_.extent[2], 2);
    EXPECT_EQ(fit("1,2\n3,4\n", type, 3), HR_ROW_COUNT);
    EXPECT_TRUE(said("the file states no shape for an array of rank 3")) << error_.message;
    EXPECT_EQ(fit("# shape: 2 1 2\n1,2\n3,4\n", type, 4), HR_ROW_COUNT);
    EXPECT_TRUE(said("expected an array of rank 4, found the shape 2 1 2")) << error_.message;
    EXPECT_EQ(fit("# shape: 2 1 3\n1,2\n3,4\n", type, 3), HR_ROW_COUNT);
    EXPECT_TRUE(said("expected the shape 2 1 3, found 2 rows and 2 columns")) << error_.message;
    EXPECT_EQ(fit("# shape: 2 0 3\n1,2\n", type, 3), HR_ROW_COUNT);
    ASSERT_EQ(fit("# shape: 2 0 3\n", type, 3), 0) << error_.message;
    EXPECT_EQ(array_.extent[1], 0);
  }
}

TEST_F(TextShape, RanksZeroToTwoTakeTheRowsOfTheFile) {
  ASSERT_EQ(fit("7\n", HR_TYPE_REAL, 0), 0) << error_.message;
  EXPECT_EQ(fit("7,8\n", HR_TYPE_REAL, 0), HR_ROW_COUNT);
  ASSERT_EQ(fit("7,8\n", HR_TYPE_REAL, 1), 0) << error_.message;
  EXPECT_EQ(array_.extent[0], 2);
  EXPECT_EQ(fit("7,8\n9,10\n", HR_TYPE_REAL, 1), HR_ROW_COUNT);
  ASSERT_EQ(fit("# shape: 2 1 2\n1,2\n3,4\n", HR_TYPE_REAL, 2), 0) << error_.message;
  EXPECT_EQ(array_.extent[0], 2);
  ASSERT_EQ(fit("", HR_TYPE_REAL, 1), 0) << error_.message;
  EXPECT_EQ(array_.extent[0], 0);
  hr_read_options options{};
  EXPECT_EQ(hr_fit_array(path("x.csv").c_str(), &options, nullptr, &error_), HR_ARGUMENT_INVALID);
  EXPECT_EQ(fit("1\n", HR_TYPE_REAL, 16), HR_ARGUMENT_INVALID);
}

TEST_F(TextShape, OnlyWholeNumbersStateAShape) {
  using extents = std::vector<std::size_t>;
  EXPECT_EQ(stated_extents("# shape: 2 3  4 \r"), (extents{2, 3, 4}));
  EXPECT_EQ(stated_extents("# shape:"), extents());
  EXPECT_EQ(stated_extents("# shape: 9223372036854775807 0"), (extents{9223372036854775807U, 0}));
  for (const char* const other :
       {"# shape: (2, 3)", "# shape: 2 -3", "# shape: 2 3x", "# shape: 9223372036854775808",
        "# shape: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"})
    EXPECT_EQ(stated_extents(other), extents()) << other;
}

TEST_F(TextShape, OptionsOfNumbersAreRefusedForCharacters) {
  char cells[2][4] = {};
  const hr_array array{cells, 4, HR_TYPE_CHARACTER, 1, {2}, {4}};
  put(path("x.csv"), "a\nb\n");
  hr_read_options missing{};
  missing.missing = "nan";
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, &missing, &error_), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("missing= has no meaning for characters")) << error_.message;
  missing.missing = "error";
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, &missing, &error_), HR_OPTION_UNKNOWN);
  hr_read_options number{};
  number.number = "hex";
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, &number, &error_), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("number= has no meaning for characters")) << error_.message;
  hr_write_options writing{};
  writing.number = "es12.4";
  EXPECT_EQ(hr_write_array(path("x.csv").c_str(), &array, &writing, &error_), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("number= has no meaning for characters")) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "a\nb\n");
}

TEST_F(TextShape, CharactersOfAnotherStatedShapeAreRefused) {
  char cells[4] = {};
  const hr_array array{cells, 1, HR_TYPE_CHARACTER, 3, {1, 2, 2}, {1, 1, 2}};
  put(path("x.csv"), "# shape: 1 4 1\na\nb\nc\nd\n");
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, nullptr, &error_), HR_ROW_COUNT);
  EXPECT_TRUE(said("expected the shape 1 2 2, found the shape 1 4 1")) << error_.message;
}

}  // namespace
}  // namespace headrace
