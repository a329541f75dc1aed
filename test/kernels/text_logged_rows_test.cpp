// A row per time step: what an array of rank 1 is in a file that grows, and what waits in memory.
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "headrace.h"
#include "headrace_rows.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TextLoggedRows : public Scratch {
 protected:
  using names = std::vector<const char*>;

  static hr_array vector_of(std::vector<double>& values) {
    return {values.data(), 8, HR_TYPE_REAL, 1, {static_cast<std::ptrdiff_t>(values.size())}, {8}};
  }
  static hr_array row_of(std::vector<double>& values) {
    const auto n = static_cast<std::ptrdiff_t>(values.size());
    return {values.data(), 8, HR_TYPE_REAL, 2, {1, n}, {8, 8}};
  }
  static hr_write_options with(const names& header, const char* append) {
    hr_write_options options{};
    options.append = append;
    options.header = header.data();
    options.header_count = static_cast<int>(header.size());
    return options;
  }

  int write(const char* name, std::vector<double> values, const names& header = {},
            const char* append = "yes") {
    const hr_write_options options = with(header, append);
    const hr_array array = vector_of(values);
    return hr_write_array(path(name).c_str(), &array, &options, &error_);
  }

  hr_error error_{};
};

TEST_F(TextLoggedRows, NamesMakeARowOfArrayRankOne) {
  const names header = {"a", "b", "c"};
  ASSERT_EQ(write("x.csv", {1, 2, 3}, header), 0) << error_.message;
  ASSERT_EQ(write("x.csv", {4, 5, 6}, header), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "a,b,c\n1.0,2.0,3.0\n4.0,5.0,6.0\n");
  ASSERT_EQ(write("whole.csv", {1, 2, 3}, header, "no"), 0) << error_.message;
  EXPECT_EQ(content(path("whole.csv")), "a,b,c\n1.0,2.0,3.0\n");
}

TEST_F(TextLoggedRows, RowsOfTheFileMakeARow) {
  put(path("x.csv"), "1.0,2.0\n");
  ASSERT_EQ(write("x.csv", {3, 4}), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "1.0,2.0\n3.0,4.0\n");
}

TEST_F(TextLoggedRows, AHeaderAloneMakesARow) {
  put(path("x.csv"), "time,energy\n");
  ASSERT_EQ(write("x.csv", {3, 4}), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "time,energy\n3.0,4.0\n");
}

TEST_F(TextLoggedRows, OneColumnStaysOne) {
  put(path("x.csv"), "1.0\n2.0\n");
  ASSERT_EQ(write("x.csv", {3, 4}), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "1.0\n2.0\n3.0\n4.0\n");
  ASSERT_EQ(write("named.csv", {3, 4}, {"x"}), 0) << error_.message;
  EXPECT_EQ(content(path("named.csv")), "x\n3.0\n4.0\n");
  ASSERT_EQ(write("value.csv", {3}), 0) << error_.message;
  EXPECT_EQ(content(path("value.csv")), "3.0\n");
}

TEST_F(TextLoggedRows, NothingIsAColumnWithoutAWord) {
  EXPECT_EQ(write("x.csv", {1, 2, 3}), HR_ARGUMENT_INVALID);
  for (const char* const told : {"row", "column", "header=", "reshape", "x.csv"})
    EXPECT_NE(std::strstr(error_.message, told), nullptr) << error_.message;
  EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
  EXPECT_EQ(write("x.csv", {1, 2, 3}, {"a", "b"}), HR_ARGUMENT_INVALID) << error_.message;
  EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
  put(path("two.csv"), "1.0,2.0\n");
  EXPECT_EQ(write("two.csv", {1, 2, 3}), HR_ROW_LENGTH) << error_.message;
  EXPECT_EQ(content(path("two.csv")), "1.0,2.0\n");
  // Without append a column is what the documentation says.
  ASSERT_EQ(write("column.csv", {1, 2}, {}, "no"), 0) << error_.message;
  EXPECT_EQ(content(path("column.csv")), "1.0\n2.0\n");
}

// The first lines of a long file say its columns: those behind are not looked at.
TEST_F(TextLoggedRows, OnlyTheFirstLinesOfTheFileCount) {
  std::string old;
  for (int i = 0; i < 200000; ++i) old += "0.25,0.5\n";
  put(path("x.csv"), old);
  ASSERT_EQ(write("x.csv", {3, 4}), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), old + "3.0,4.0\n");
  // A first line longer than what is looked at first.
  std::string wide = "1.0";
  for (int i = 1; i < 20000; ++i) wide += ",1.0";
  put(path("wide.csv"), wide + "\n");
  ASSERT_EQ(write("wide.csv", std::vector<double>(20000, 1.0)), 0) << error_.message;
  EXPECT_EQ(content(path("wide.csv")), wide + "\n" + wide + "\n");
  EXPECT_EQ(write("wide.csv", std::vector<double>(19999, 1.0)), HR_ROW_LENGTH);
}

TEST_F(TextLoggedRows, AWriterTakesRowsOfArrayRankOne) {
  const names header = {"a", "b"};
  const hr_write_options options = with(header, "no");
  hr_text_writer writer = 0;
  ASSERT_EQ(hr_text_writer_open(path("x.csv").c_str(), &options, nullptr, &writer, &error_), 0);
  std::string expected = "a,b\n";
  for (int i = 0; i < 20000; ++i) {  // more than what waits in memory
    std::vector<double> values = {i + 0.5, -0.25};
    const hr_array array = i % 2 == 0 ? vector_of(values) : row_of(values);
    ASSERT_EQ(hr_text_writer_rows(writer, &array, &error_), 0) << error_.message;
    expected += std::to_string(i) + ".5,-0.25\n";
  }
  ASSERT_EQ(hr_text_writer_close(&writer, &error_), 0) << error_.message;
  EXPECT_TRUE(content(path("x.csv")) == expected);
}

// Rows that wait stand before those of a large call.
TEST_F(TextLoggedRows, SmallAndLargeCallsKeepTheirOrder) {
  const names header = {"x", "y"};
  for (const char* const append : {"no", "yes"}) {
    const hr_write_options options = with(header, append);
    const std::string name = std::string(append) + ".csv";
    hr_text_writer writer = 0;
    ASSERT_EQ(hr_text_writer_open(path(name).c_str(), &options, nullptr, &writer, &error_), 0);
    std::string expected = "x,y\n";
    for (int i = 0; i < 9; ++i) {
      const std::ptrdiff_t n = i % 3 == 1 ? 100000 : i % 3 == 0 ? 1 : 3000;
      std::vector<double> values(2 * static_cast<std::size_t>(n), i + 0.5);
      const hr_array array{values.data(), 8, HR_TYPE_REAL, 2, {n, 2}, {16, 8}};
      ASSERT_EQ(hr_text_writer_rows(writer, &array, &error_), 0) << error_.message;
      const std::string cell = std::to_string(i) + ".5";
      for (std::ptrdiff_t k = 0; k < n; ++k) expected += cell + "," + cell + "\n";
    }
    ASSERT_EQ(hr_text_writer_close(&writer, &error_), 0) << error_.message;
    EXPECT_TRUE(content(path(name)) == expected) << append;
  }
}

// A program that ends without closing the log: a new file does not appear, an old one keeps its
// rows.
TEST_F(TextLoggedRows, RowsThatWaitAreNotInTheFile) {
  put(path("x.csv"), "1.0,2.0\n");
  const hr_write_options options = with({}, "yes");
  hr_text_writer writer = 0;
  ASSERT_EQ(hr_text_writer_open(path("x.csv").c_str(), &options, nullptr, &writer, &error_), 0);
  std::vector<double> values = {3, 4};
  const hr_array array = vector_of(values);
  ASSERT_EQ(hr_text_writer_rows(writer, &array, &error_), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "1.0,2.0\n");
  ASSERT_EQ(hr_text_writer_close(&writer, &error_), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "1.0,2.0\n3.0,4.0\n");
}

// What could not be written when the handle was closed is told there, and the old rows stay.
TEST_F(TextLoggedRows, ClosingTellsThatTheDiskIsFull) {
  put(path("x.csv"), "1.0,2.0\n");
  const hr_write_options options = with({}, "yes");
  hr_text_writer writer = 0;
  ASSERT_EQ(hr_text_writer_open(path("x.csv").c_str(), &options, nullptr, &writer, &error_), 0);
  std::vector<double> values = {3, 4};
  const hr_array array = vector_of(values);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(hr_text_writer_rows(writer, &array, &error_), 0) << error_.message;
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{1024, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const int closed = hr_text_writer_close(&writer, &error_);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(closed, EFBIG) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "1.0,2.0\n");
}

}  // namespace
}  // namespace headrace
