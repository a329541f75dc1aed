// A row after a row: what was checked once is not looked at again, and whatever changes between two
// rows is noticed all the same.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "headrace.h"
#include "headrace_rows.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TextAppendAgain : public Scratch {
 protected:
  int append(std::vector<const char*> header = {}, int columns = 2, const char* edit = nullptr) {
    std::vector<double> values(static_cast<std::size_t>(columns), 0.5);
    const hr_array array{values.data(), 8, HR_TYPE_REAL, 2, {1, columns}, {8, 8}};
    hr_write_options options{};
    options.append = "yes";
    options.edit = edit;
    options.header = header.empty() ? nullptr : header.data();
    options.header_count = static_cast<int>(header.size());
    error_ = {};
    return hr_write_array(path("x.csv").c_str(), &array, &options, &error_);
  }

  // Rows until the beginning of the file is remembered.
  void begin(std::vector<const char*> header = {}) {
    for (int row = 0; row < 4; ++row) ASSERT_EQ(append(header), 0) << error_.message;
  }

  // The file that another program left is refused and stays.
  void refuses(int code, const std::string& text, std::vector<const char*> header = {}) {
    EXPECT_EQ(append(std::move(header)), code) << error_.message;
    EXPECT_EQ(content(path("x.csv")), text);
  }

  // In the same file, without a new one taking its place.
  void overwrite(const std::string& text) {
    std::FILE* const file = std::fopen(path("x.csv").c_str(), "r+");
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(std::fwrite(text.data(), 1, text.size(), file), text.size());
    ASSERT_EQ(std::fclose(file), 0);
  }

  hr_error error_{};
};

TEST_F(TextAppendAgain, ManyRowsAreWhatOneCallWrites) {
  std::string expected = "a,b\n";
  for (int row = 0; row < 300; ++row) {
    ASSERT_EQ(append({"a", "b"}), 0) << error_.message;
    expected += "0.5,0.5\n";
  }
  EXPECT_EQ(content(path("x.csv")), expected);
}

// Even if the size is as it was, and the time too as far as the system tells.
// As other programs write headers, and as load_names gives the names.
TEST_F(TextAppendAgain, BlanksAndAMarkAroundNamesDoNotCount) {
  for (const char* const header : {"a,b ", " a,b", "a, b\t", "# a,b", "#a, b", "\"a\",\"b\" "}) {
    const std::string text = std::string(header) + "\n1.0,2.0\n";
    put(path("x.csv"), text);
    EXPECT_EQ(append({"a", "b"}), 0) << header << ": " << error_.message;
    EXPECT_EQ(content(path("x.csv")), text + "0.5,0.5\n");
    refuses(HR_COLUMN_UNKNOWN, text + "0.5,0.5\n", {"a", "c"});
    refuses(HR_COLUMN_UNKNOWN, text + "0.5,0.5\n", {"a b", ""});
  }
}

TEST_F(TextAppendAgain, OtherContentOfTheSameSizeIsNoticed) {
  begin({"a", "b"});
  overwrite("b,a\n");
  refuses(HR_COLUMN_UNKNOWN, "b,a\n0.5,0.5\n0.5,0.5\n0.5,0.5\n0.5,0.5\n", {"a", "b"});
  overwrite("a,b\n");
  EXPECT_EQ(append({"a", "b"}), 0) << error_.message;
  overwrite("a,b\n0.5,0,5\n");
  EXPECT_EQ(append(), HR_ROW_LENGTH) << error_.message;
}

TEST_F(TextAppendAgain, OtherContentBehindTheSameBeginningIsNoRowOfOthers) {
  begin();
  const std::string rows = content(path("x.csv"));
  put(path("x.csv"), rows.substr(0, rows.size() - 1));  // another program cut the line feed off
  EXPECT_EQ(append(), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), rows + "0.5,0.5\n");
}

TEST_F(TextAppendAgain, OtherColumnsNamesAndTypesAreAskedAgain) {
  begin({"a", "b"});
  EXPECT_EQ(append({"a", "b", "c"}, 3), HR_COLUMN_UNKNOWN) << error_.message;
  EXPECT_EQ(append({}, 3), HR_ROW_LENGTH) << error_.message;
  EXPECT_EQ(append({"b", "a"}), HR_COLUMN_UNKNOWN) << error_.message;
  EXPECT_EQ(append({"a", "b"}), 0) << error_.message;
  EXPECT_EQ(append(), 0) << error_.message;
  const std::string rows = content(path("x.csv"));
  std::vector<int> yes(2, 1);
  const hr_array logicals{yes.data(), 4, HR_TYPE_LOGICAL, 2, {1, 2}, {4, 4}};
  hr_write_options options{};
  options.append = "yes";
  EXPECT_EQ(hr_write_array(path("x.csv").c_str(), &logicals, &options, &error_), HR_BAD_NUMBER)
      << error_.message;
  EXPECT_EQ(content(path("x.csv")), rows);
}

TEST_F(TextAppendAgain, AnotherFileOfTheNameIsAnotherFile) {
  begin();
  put(path("y.csv"), "1,2,3\n");
  std::filesystem::rename(path("y.csv"), path("x.csv"));
  refuses(HR_ROW_LENGTH, "1,2,3\n");
  std::filesystem::remove(path("x.csv"));
  EXPECT_EQ(append({"c", "d"}), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "c,d\n0.5,0.5\n");
}

TEST_F(TextAppendAgain, ALinkADirectoryOrADeviceOfTheNameIsNotTakenForTheFile) {
  begin();
  std::filesystem::rename(path("x.csv"), path("y.csv"));
  std::filesystem::create_symlink("y.csv", path("x.csv"));
  const std::string rows = content(path("y.csv"));
  EXPECT_EQ(append(), 0) << error_.message;
  EXPECT_EQ(content(path("y.csv")), rows + "0.5,0.5\n");
  EXPECT_TRUE(std::filesystem::is_symlink(path("x.csv")));
  std::filesystem::remove(path("x.csv"));
  std::filesystem::create_directory(path("x.csv"));
  EXPECT_EQ(append(), EISDIR) << error_.message;
  std::filesystem::remove(path("x.csv"));
  std::filesystem::create_symlink("/dev/null", path("x.csv"));
  EXPECT_EQ(append(), 0) << error_.message;
}

TEST_F(TextAppendAgain, AFileThatIsHeldMeanwhileIsNotWritten) {
  begin();
  const std::string rows = content(path("x.csv"));
  hr_write_options options{};
  options.append = "yes";
  hr_text_writer held = 0;
  ASSERT_EQ(hr_text_writer_open(path("x.csv").c_str(), &options, nullptr, &held, &error_), 0)
      << error_.message;
  EXPECT_EQ(append(), EWOULDBLOCK)
      << error_.message;  // by the same thread: it would wait for itself
  EXPECT_EQ(content(path("x.csv")), rows);
  ASSERT_EQ(hr_text_writer_close(&held, &error_), 0) << error_.message;
  EXPECT_EQ(append(), 0) << error_.message;
}

// A child has its parent's memory, and the file of both.
TEST_F(TextAppendAgain, ParentAndChildTakeTurns) {
  begin();
  for (int turn = 0; turn < 20; ++turn) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(append() == 0 ? 0 : 1);
    int ended = 0;
    ASSERT_EQ(::waitpid(child, &ended, 0), child);
    EXPECT_EQ(ended, 0);
    ASSERT_EQ(append(), 0) << error_.message;
  }
  std::string expected;
  for (int row = 0; row < 44; ++row) expected += "0.5,0.5\n";
  EXPECT_EQ(content(path("x.csv")), expected);
}

TEST_F(TextAppendAgain, FormatsBeginALineOfTheirOwn) {
  for (int row = 0; row < 3; ++row) ASSERT_EQ(append({}, 2, "(2f4.1)"), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), " 0.5 0.5\n 0.5 0.5\n 0.5 0.5\n");
  put(path("x.csv"), "no end");
  EXPECT_EQ(append({}, 2, "(2f4.1)"), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "no end\n 0.5 0.5\n");
}

}  // namespace
}  // namespace headrace
