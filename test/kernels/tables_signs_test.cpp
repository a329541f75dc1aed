// What is written can be read: decimal signs that are asked for at the end only, and characters
// that C fills up with null bytes.
#include <complex>
#include <cstring>

#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TableSigns : public Scratch {
 protected:
  template <class T>
  static hr_array array_of(T* values, std::ptrdiff_t n, int type, std::size_t elem_len) {
    hr_array array{};
    array.base = values;
    array.elem_len = elem_len;
    array.type = type;
    array.array_rank = 1;
    array.extent[0] = n;
    array.stride[0] = static_cast<std::ptrdiff_t>(elem_len);
    return array;
  }

  int add(const char* name, const hr_array& array, const hr_text_style* style = nullptr) {
    return hr_table_put(&table_, name, &array, style, &error_);
  }

  int write(const std::string& file, char decimal) {
    hr_table_options options{};
    options.decimal = decimal;
    return hr_table_write(file.c_str(), table_, &options, &error_);
  }

  void TearDown() override {
    hr_table_close(&table_, nullptr);
    Scratch::TearDown();
  }

  hr_table table_ = 0;
  hr_error error_{};
};

TEST_F(TableSigns, NumbersThatWerePutWithoutAStyleTakeTheSignOfTheFile) {
  double x[3] = {1.5, -2.25, 1e-300};
  std::complex<double> z[3] = {{1.5, -2}, {0, 0.5}, {3, 4}};
  hr_text_style pairs{};
  pairs.imaginary = "";
  hr_text_style seconds{};
  seconds.since = "1970-01-01";
  double since[3] = {0.5, 1, 2};
  ASSERT_EQ(add("x", array_of(x, 3, HR_TYPE_REAL, 8)), 0);
  ASSERT_EQ(add("z", array_of(z, 3, HR_TYPE_COMPLEX, 16)), 0);
  ASSERT_EQ(add("pair", array_of(z, 3, HR_TYPE_COMPLEX, 16), &pairs), 0);
  ASSERT_EQ(add("t", array_of(since, 3, HR_TYPE_REAL, 8), &seconds), 0);
  ASSERT_EQ(write(path("comma.csv"), ','), 0) << error_.message;
  EXPECT_EQ(content(path("comma.csv")),
            "x;z;pair;t\n1,5;1,5-2,0j;\"(1,5;-2,0)\";1970-01-01T00:00:00.5Z\n"
            "-2,25;0,0+0,5j;\"(0,0;0,5)\";1970-01-01T00:00:01Z\n"
            "1e-300;3,0+4,0j;\"(3,0;4,0)\";1970-01-01T00:00:02Z\n");
  ASSERT_EQ(write(path("point.csv"), '.'), 0) << error_.message;
  ASSERT_EQ(write(path("usual.csv"), '\0'), 0) << error_.message;
  EXPECT_EQ(content(path("point.csv")), content(path("usual.csv")));
  EXPECT_EQ(content(path("usual.csv")).substr(0, 40),
            std::string("x,z,pair,t\n1.5,1.5-2.0j,\"(1.5,-2.0)\",1970").substr(0, 40));
  // The same numbers again, as the file says.
  hr_table_options options{};
  options.decimal = ',';
  ASSERT_EQ(hr_table_read(path("comma.csv").c_str(), &table_, &options, &error_), 0);
  double back[3] = {};
  const hr_array to = array_of(back, 3, HR_TYPE_REAL, 8);
  ASSERT_EQ(hr_table_get(table_, "x", 0, &to, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(std::memcmp(back, x, sizeof x), 0);
}

TEST_F(TableSigns, RowsAppendedTakeTheSignToo) {
  double x[2] = {1.5, 2.5};
  ASSERT_EQ(add("x", array_of(x, 2, HR_TYPE_REAL, 8)), 0);
  const std::string file = path("log.csv");
  ASSERT_EQ(write(file, ','), 0);
  hr_table_options options{};
  options.decimal = ',';
  options.append = 1;
  ASSERT_EQ(hr_table_write(file.c_str(), table_, &options, &error_), 0) << error_.message;
  EXPECT_EQ(content(file), "x\n1,5\n2,5\n1,5\n2,5\n");
}

TEST_F(TableSigns, ColumnsThatWereReadWithTheOtherSignAreRefused) {
  const std::string from = path("from.csv");
  put(from, "x,n,name\n1.5,1,v1.2\n2.5,2,v1.3\n");
  ASSERT_EQ(hr_table_read(from.c_str(), &table_, nullptr, &error_), 0) << error_.message;
  const std::string to = path("to.csv");
  EXPECT_EQ(write(to, ','), HR_BAD_NUMBER);
  EXPECT_NE(std::string(error_.message).find("\"x\""), std::string::npos) << error_.message;
  EXPECT_FALSE(std::filesystem::exists(to));
  double x[2] = {};
  const hr_array array = array_of(x, 2, HR_TYPE_REAL, 8);
  ASSERT_EQ(hr_table_get(table_, "x", 0, &array, nullptr, &error_), 0);
  ASSERT_EQ(add("x", array), 0);
  ASSERT_EQ(write(to, ','), 0) << error_.message;
  EXPECT_EQ(content(to), "x;n;name\n1,5;1;v1.2\n2,5;2;v1.3\n");
  EXPECT_EQ(write(to, 'x'), HR_OPTION_UNKNOWN);
}

// A message says what to do, not only what a cell is not.
TEST_F(TableSigns, ACellOfAnotherTypeSaysWhichArrayTakesIt) {
  put(path("t.csv"), "x,f,n\n1,T,1\n1.5,yes,two\n");
  ASSERT_EQ(hr_table_read(path("t.csv").c_str(), &table_, nullptr, &error_), 0);
  std::int64_t integers[2];
  std::int32_t logicals[2];
  const hr_array whole = array_of(integers, 2, HR_TYPE_INTEGER, 8);
  const hr_array flags = array_of(logicals, 2, HR_TYPE_LOGICAL, 4);
  const auto says = [&](const char* text) {
    return std::string(error_.message).find(text) != std::string::npos;
  };
  EXPECT_EQ(hr_table_get(table_, "x", 0, &whole, nullptr, &error_), HR_BAD_NUMBER);
  EXPECT_TRUE(says("read it into a real array")) << error_.message;
  EXPECT_EQ(hr_table_get(table_, "n", 0, &whole, nullptr, &error_), HR_BAD_NUMBER);
  EXPECT_TRUE(says("as characters") && !says("real array")) << error_.message;
  EXPECT_EQ(hr_table_get(table_, "f", 0, &flags, nullptr, &error_), HR_BAD_NUMBER);
  EXPECT_TRUE(says("T, F, true and false")) << error_.message;
  hr_text_style style{};
  style.missing = "1.5";
  EXPECT_EQ(hr_table_get(table_, "x", 0, &whole, &style, &error_), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(says("an array that takes it") && !says("nan")) << error_.message;
}

TEST_F(TableSigns, CharactersLoseTheNullBytesThatFillThemUp) {
  char names[3][12] = {"ab", "c d  ", ""};
  const hr_array array = array_of(names, 3, HR_TYPE_CHARACTER, 12);
  double x[3] = {1, 2, 3};
  ASSERT_EQ(add("x", array_of(x, 3, HR_TYPE_REAL, 8)), 0);
  ASSERT_EQ(add("name", array), 0) << error_.message;
  ASSERT_EQ(write(path("t.csv"), '\0'), 0);
  EXPECT_EQ(content(path("t.csv")), "x,name\n1.0,ab\n2.0,c d\n3.0,\n");
  ASSERT_EQ(hr_table_read(path("t.csv").c_str(), &table_, nullptr, &error_), 0) << error_.message;
  ASSERT_EQ(hr_write_array(path("a.csv").c_str(), &array, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(content(path("a.csv")), "ab\nc d\n\"\"\n");
  hr_cells cells = 0;
  ASSERT_EQ(hr_cells_put(&cells, &array, nullptr, 0, &error_), 0);
  ASSERT_EQ(hr_cells_write(path("c.csv").c_str(), cells, nullptr, 0, &error_), 0);
  EXPECT_EQ(content(path("c.csv")), "ab\nc d\n\n");
  hr_cells_close(&cells, nullptr);
}

TEST_F(TableSigns, CharactersWithANullByteWithinAreRefused) {
  char names[2][8] = {"ab", {'c', '\0', 'd', ' ', ' ', ' ', ' ', ' '}};
  const hr_array array = array_of(names, 2, HR_TYPE_CHARACTER, 8);
  EXPECT_EQ(add("name", array), HR_TEXT_ENCODING);
  EXPECT_NE(std::string(error_.message).find("name"), std::string::npos) << error_.message;
  EXPECT_EQ(hr_write_array(path("a.csv").c_str(), &array, nullptr, &error_), HR_TEXT_ENCODING);
  EXPECT_FALSE(std::filesystem::exists(path("a.csv")));
}

}  // namespace
}  // namespace headrace
