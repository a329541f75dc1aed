// Tables and cells through the C interface: handles, null pointers, texts that are given back.
#include "abi/handles.hpp"
#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TablesInC : public Scratch {
 protected:
  hr_array numbers() {
    hr_array array{};
    array.base = values_;
    array.elem_len = sizeof values_[0];
    array.type = HR_TYPE_REAL;
    array.array_rank = 1;
    array.extent[0] = 3;
    array.stride[0] = sizeof values_[0];
    return array;
  }

  static std::string taken(hr_text& text) {
    std::string result(text.bytes == nullptr ? "" : text.bytes, text.length);
    hr_text_free(&text);
    return result;
  }

  double values_[3] = {1.5, -2.0, 1e300};
  hr_error error_{};
};

TEST_F(TablesInC, PutWriteReadAndGet) {
  const hr_array array = numbers();
  const std::string file = path("t.csv");
  hr_table table = 0;
  ASSERT_EQ(hr_table_put(&table, "x", &array, nullptr, &error_), 0) << error_.message;
  hr_text_style style{};
  const int decimals = 2;
  style.fmt = "f";
  style.decimals = &decimals;
  values_[2] = 3;
  ASSERT_EQ(hr_table_put(&table, "two places", &array, &style, &error_), 0) << error_.message;
  ASSERT_EQ(hr_table_write(file.c_str(), table, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(content(file), "x,two places\n1.5,1.50\n-2.0,-2.00\n1e+300,3.00\n");
  ASSERT_EQ(hr_table_read(file.c_str(), &table, nullptr, &error_), 0) << error_.message;
  int64_t rows = 0;
  int64_t columns = 0;
  ASSERT_EQ(hr_table_shape(table, &rows, &columns, nullptr), 0);
  EXPECT_TRUE(rows == 3 && columns == 2);
  ASSERT_EQ(hr_table_get(table, nullptr, 1, &array, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(values_[2], 1e300);
  EXPECT_EQ(hr_table_get(table, "y", 0, &array, nullptr, &error_), HR_COLUMN_UNKNOWN);
  hr_text text{};
  ASSERT_EQ(hr_table_column_type(table, "x", 0, &text, &error_), 0);
  EXPECT_EQ(taken(text), "real");
  ASSERT_EQ(hr_table_column_name(table, 2, &text, &error_), 0);
  EXPECT_EQ(taken(text), "two places");
  EXPECT_EQ(hr_table_close(&table, &error_), 0);
  EXPECT_EQ(table, 0);
}

TEST_F(TablesInC, PutNothingInOneOfTwoColumnsOfAName) {
  const hr_array array = numbers();
  const std::string file = path("t.csv");
  put(file, "a,b,a\n1,2,3\n4,5,6\n7,8,9\n");
  hr_table table = 0;
  ASSERT_EQ(hr_table_read(file.c_str(), &table, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(hr_table_put(&table, "a", &array, nullptr, &error_), HR_COLUMN_UNKNOWN);
  EXPECT_NE(std::string(error_.message).find("several columns"), std::string::npos);
  ASSERT_EQ(hr_table_write(file.c_str(), table, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(content(file), "a,b,a\n1,2,3\n4,5,6\n7,8,9\n");
  EXPECT_EQ(hr_table_close(&table, &error_), 0);
}

TEST_F(TablesInC, TellClosedHandlesFromNewOnes) {
  const hr_array array = numbers();
  hr_cells cells = 0;
  EXPECT_EQ(hr_cells_get(cells, &array, 0, 0, nullptr, &error_), HR_HANDLE_CLOSED);
  EXPECT_NE(std::string(error_.message).find("never opened"), std::string::npos);
  ASSERT_EQ(hr_cells_put(&cells, &array, nullptr, 0, &error_), 0);
  const hr_cells copy = cells;
  ASSERT_EQ(hr_cells_close(&cells, &error_), 0);
  ASSERT_EQ(hr_cells_put(&cells, &array, nullptr, 0, &error_), 0);
  EXPECT_NE(cells, copy);
  EXPECT_EQ(hr_cells_get(copy, &array, 0, 0, nullptr, &error_), HR_HANDLE_CLOSED);
  EXPECT_NE(std::string(error_.message).find("the cells are closed"), std::string::npos);
  hr_cells stale = copy;
  EXPECT_EQ(hr_cells_close(&stale, &error_), HR_HANDLE_CLOSED);
  EXPECT_EQ(hr_cells_put(&stale, &array, nullptr, 0, &error_), HR_HANDLE_CLOSED);
  EXPECT_EQ(hr_cells_put(&stale, &array, nullptr, 1, &error_), HR_HANDLE_CLOSED);
  EXPECT_EQ(hr_cells_close(&cells, &error_), 0);
  EXPECT_EQ(hr_cells_close(&cells, &error_), 0);
  EXPECT_EQ(hr_cells_close(nullptr, &error_), 0);
}

TEST_F(TablesInC, TakeNullPointersAsArgumentsThatAreAbsent) {
  const hr_array array = numbers();
  hr_cells cells = 0;
  EXPECT_EQ(hr_cells_put(nullptr, &array, nullptr, 0, &error_), HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_cells_put(&cells, nullptr, nullptr, 0, &error_), HR_ARGUMENT_INVALID);
  ASSERT_EQ(hr_cells_put(&cells, &array, nullptr, 0, nullptr), 0);
  EXPECT_EQ(hr_cells_shape(cells, nullptr, nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(hr_cells_count(cells, "5", 1, nullptr, nullptr), 0);
  EXPECT_EQ(hr_cells_push(cells, nullptr, 0, nullptr), 0);
  EXPECT_EQ(hr_cells_write(nullptr, cells, nullptr, 0, &error_), HR_FILE_NAME_EMPTY);
  EXPECT_EQ(hr_cells_read(nullptr, &cells, nullptr, &error_), HR_FILE_NAME_EMPTY);
  EXPECT_EQ(hr_table_read(nullptr, nullptr, nullptr, &error_), HR_FILE_NAME_EMPTY);
  hr_text_free(nullptr);
  ASSERT_EQ(hr_cells_close(&cells, nullptr), 0);
}

TEST_F(TablesInC, FillTheRectangleOfCellsThatIsAskedFor) {
  hr_cells cells = 0;
  ASSERT_EQ(hr_cells_split(&cells, "1;2;3;4", 7, ";", 1, &error_), 0);
  const hr_array array = numbers();
  EXPECT_EQ(hr_cells_get(cells, &array, 0, 0, nullptr, &error_), HR_ROW_COUNT);
  EXPECT_EQ(hr_cells_get(cells, &array, 3, 0, nullptr, &error_), HR_ROW_COUNT);
  EXPECT_EQ(hr_cells_get(cells, &array, 1, 2, nullptr, &error_), HR_ROW_LENGTH);
  EXPECT_EQ(hr_cells_get(cells, &array, -1, 0, nullptr, &error_), HR_ROW_COUNT);
  ASSERT_EQ(hr_cells_get(cells, &array, 2, 0, nullptr, &error_), 0) << error_.message;
  EXPECT_TRUE(values_[0] == 2 && values_[2] == 4);
  hr_text text{};
  EXPECT_EQ(hr_cells_text(cells, 5, 1, &text, &error_), HR_ARGUMENT_INVALID);
  ASSERT_EQ(hr_cells_text(cells, 4, 1, &text, &error_), 0);
  EXPECT_EQ(taken(text), "4");
  ASSERT_EQ(hr_cells_close(&cells, nullptr), 0);
}

TEST(Handles, AreNeverGivenOutTwice) {
  handle_registry<int> registry;
  const std::int64_t first = registry.add(std::make_shared<int>(1));
  const std::int64_t second = registry.add(std::make_shared<int>(2));
  EXPECT_EQ(*registry.find(second), 2);
  EXPECT_EQ(*registry.remove(first), 1);
  EXPECT_EQ(registry.find(first), nullptr);
  EXPECT_EQ(registry.remove(first), nullptr);
  const std::int64_t third = registry.add(std::make_shared<int>(3));
  EXPECT_NE(third, first);
  EXPECT_EQ(registry.find(first), nullptr);
  EXPECT_EQ(*registry.find(third), 3);
  for (const std::int64_t wrong : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN, INT64_MAX})
    EXPECT_EQ(registry.find(wrong), nullptr);
}

}  // namespace
}  // namespace headrace
