// Rows that are appended to a compressed file: its text is that of a plain file after the same
// calls, whatever wrote the file before.
#include <functional>
#include <vector>

#include "amounts.hpp"
#include "compressed_fixture.hpp"
#include "headrace.h"
#include "headrace_rows.h"
#include "headrace_tables.h"

namespace headrace::append_compressed {
namespace {

using call = std::function<int(const std::string& file)>;
struct writer {
  const char* name;
  call append;
};

const char* const names[] = {"a", "b"};

hr_write_options appending(bool header, const char* edit = nullptr) {
  hr_write_options options{};
  options.append = "yes";
  options.edit = edit;
  options.header = header ? names : nullptr;
  options.header_count = header ? 2 : 0;
  return options;
}

call arrays(std::ptrdiff_t rows, bool header, const char* edit = nullptr) {
  return [=](const std::string& file) {
    double values[] = {1.5, 2.5, -3.5, 4.5, 5.5, 6.5};
    const hr_array array{values, 8, HR_TYPE_REAL, 2, {rows, 2}, {8, 24}};
    const hr_write_options options = appending(header, edit);
    return hr_write_array(file.c_str(), &array, &options, nullptr);
  };
}

int log_row(const std::string& file) {
  double values[] = {0.25, 0.75};
  const hr_array array{values, 8, HR_TYPE_REAL, 1, {2}, {8}};
  const hr_write_options options = appending(true);
  return hr_write_array(file.c_str(), &array, &options, nullptr);
}

int characters(const std::string& file) {
  char letters[] = "u v,";
  const hr_array array{letters, 2, HR_TYPE_CHARACTER, 2, {1, 2}, {2, 2}};
  const hr_write_options options = appending(false);
  return hr_write_array(file.c_str(), &array, &options, nullptr);
}

call rows(bool header, const char* edit = nullptr) {
  return [=](const std::string& file) {
    double values[] = {1.25, 2.25};
    const hr_array array{values, 8, HR_TYPE_REAL, 2, {1, 2}, {8, 8}};
    const hr_write_options options = appending(header, edit);
    hr_text_writer handle = 0;
    int code = hr_text_writer_open(file.c_str(), &options, nullptr, &handle, nullptr);
    for (int i = 0; i < 3 && code == 0; ++i) code = hr_text_writer_rows(handle, &array, nullptr);
    const int closed = hr_text_writer_close(&handle, nullptr);
    return code != 0 ? code : closed;
  };
}

call tables(bool header) {
  return [=](const std::string& file) {
    double values[] = {7.5, 8.5};
    const hr_array array{values, 8, HR_TYPE_REAL, 1, {2}, {8}};
    hr_table table = 0;
    for (const char* const name : names) hr_table_put(&table, name, &array, nullptr, nullptr);
    hr_table_options options{};
    options.append = 1;
    options.no_header = header ? 0 : 1;
    const int code = hr_table_write(file.c_str(), table, &options, nullptr);
    hr_table_close(&table, nullptr);
    return code;
  };
}

int texts(const std::string& file) {
  return hr_text_write(file.c_str(), "9,9", 3, 1, nullptr);
}

call cells(const char* row_separator) {
  return [=](const std::string& file) {
    double values[] = {7, 8, 9, 10};
    const hr_array array{values, 8, HR_TYPE_REAL, 2, {2, 2}, {8, 16}};
    const hr_separators separators{",", 1, row_separator, 1};
    hr_cells handle = 0;
    hr_cells_put(&handle, &array, nullptr, 0, nullptr);
    const int code = hr_cells_write(file.c_str(), handle, &separators, 1, nullptr);
    hr_cells_close(&handle, nullptr);
    return code;
  };
}

const writer writers[] = {
    {"an array", arrays(3, false)},
    {"an array with names", arrays(3, true)},
    {"no rows", arrays(0, true)},
    {"a row of array rank 1", log_row},
    {"characters", characters},
    {"records", arrays(2, false, "(2f8.2)")},
    {"records of several lines", arrays(3, false, "(f8.2,/,1x,f8.1,/)")},
    {"records without end", arrays(2, false, "(*(g0,1x))")},
    {"no records", arrays(0, false, "(2f8.2)")},
    {"a list", arrays(3, false, "*")},
    {"write_rows", rows(false)},
    {"write_rows with names", rows(true)},
    {"write_rows by a format", rows(false, "(2es12.4)")},
    {"a table", tables(true)},
    {"a table without names", tables(false)},
    {"a text", texts},
    {"cells", cells("\n")},
    {"cells between semicolons", cells(";")},
};

// What a file may hold before: rows, with and without the last line feed, and hardly anything.
const char* const beginnings[] = {
    "",
    "a,b\n1.0,2.0\n",
    "a,b\n1.0,2.0",
    "a,b\n",
    "a,b",
    "\n",
    "1.0,2.0\r\n",
    "1,2",
    "1.0,2.0\n\n",
    "x,y,z\n",
    " ",
    "1,2 ",
    "\xef\xbb\xbf"
    "a,b\n1,2",
};

class TextAppendCompressed : public Compressed {
 protected:
  // Its text, or the name of what is wrong.
  std::string text_of(const std::string& file) const {
    std::string text;
    const status s = decompress(content(file), text);
    return s.ok() ? text : s.message();
  }

  // The same calls for a plain file and a compressed one that hold the same text.
  void compare(const std::string& text, const std::string& packed, const writer& first,
               const writer& second) {
    const std::string plain = path("x.csv");
    const std::string file = plain + GetParam().ending;
    put(plain, text);
    put(file, packed);
    for (const writer* const one : {&first, &first, &second}) {
      const std::string old = content(file);
      const int code = one->append(plain);
      EXPECT_EQ(one->append(file), code) << one->name << " below " << text.substr(0, 40);
      EXPECT_TRUE(code == 0 || content(file) == old) << one->name;
    }
    expect_same(text_of(file), content(plain),
                first.name + (", " + std::string(second.name)) + " below " + text.substr(0, 40));
  }

  // gtest would look for all the differences of long texts.
  static void expect_same(const std::string& found, const std::string& expected,
                          const std::string& where) {
    EXPECT_TRUE(found == expected)
        << where << ": the text ends with\n"
        << found.substr(found.size() - std::min<std::size_t>(found.size(), 80))
        << "\nand should end with\n"
        << expected.substr(expected.size() - std::min<std::size_t>(expected.size(), 80));
  }

  std::string by_tool(const std::string& text, const std::string& options) const {
    put(path("text"), text);
    run(std::string(GetParam().name) + " -c " + options + " < " + path("text") + " > " +
        path("packed"));
    return content(path("packed"));
  }
};

TEST_P(TextAppendCompressed, EveryWriterAddsWhatItAddsToAPlainFile) {
  std::size_t next = 0;
  for (const writer& first : writers)
    for (const char* const text : beginnings)
      compare(text, compress(text), first, writers[++next % std::size(writers)]);
}

TEST_P(TextAppendCompressed, NewFilesAndEmptyOnesBeginWithTheNames) {
  for (const writer& first : writers) {
    const std::string plain = path("new.csv");
    const std::string file = plain + GetParam().ending;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(first.append(plain), 0) << first.name;
      EXPECT_EQ(first.append(file), 0) << first.name;
    }
    expect_same(text_of(file), content(plain), first.name);
    std::filesystem::remove(plain);
    std::filesystem::remove(file);
    compare("", "", first, first);
  }
}

TEST_P(TextAppendCompressed, MembersAndFramesAreOneText) {
  const std::string empty = compress("");
  for (const writer& one : writers)
    for (const std::string text : {"a,b\n1,2\n", "a,b\n1,2"}) {
      const std::string whole = compress(text);
      const std::string parts = compress(text.substr(0, 3)) + compress(text.substr(3));
      compare(text, parts, one, one);
      compare(text, empty + whole, one, one);
      compare(text, whole + empty, one, one);
      compare(text, parts + empty + empty, one, one);
      compare("", empty + empty, one, one);
    }
}

TEST_P(TextAppendCompressed, FilesOfToolsAreNoOthers) {
  if (!has_tool()) GTEST_SKIP() << "no " << GetParam().name;
  const char* const other = kind() == compression::zstd ? "--no-check" : "-n";
  for (const std::string text : {"", "a,b\n1,2\n", "a,b\n1,2"})
    for (const char* const options : {"-9", other}) {
      const std::string packed = by_tool(text, options);
      for (const writer& one : {writers[0], writers[5], writers[13]}) {
        compare(text, packed, one, one);
        compare(text + text, packed + packed, one, one);
      }
    }
  // And the tool reads what headrace added.
  const std::string file = path("tool.csv") + GetParam().ending;
  put(file, by_tool("a,b\n1,2", "-1"));
  ASSERT_EQ(tables(true)(file), 0);
  ASSERT_TRUE(run(std::string(GetParam().name) + " -dc " + file + " > " + path("unpacked")));
  EXPECT_EQ(content(path("unpacked")), "a,b\n1,2\n7.5,7.5\n8.5,8.5\n");
}

// Any calls in turn, on a text that was cut into members anywhere.
TEST_P(TextAppendCompressed, CallsInAnyOrderAddWhatTheyAddToAPlainFile) {
  std::mt19937 random(17);
  const std::string plain = path("r.csv");
  const std::string file = plain + GetParam().ending;
  for (std::size_t turn = 0; turn < (long_tests() ? 3000U : 60U); ++turn) {
    const std::string text = beginnings[random() % std::size(beginnings)];
    const std::size_t cut = random() % (text.size() + 1);
    put(plain, text);
    put(file, compress(text.substr(0, cut)) + compress(text.substr(cut)));
    std::string calls;
    for (int i = 0; i < 8; ++i) {
      const writer& one = writers[random() % std::size(writers)];
      calls += std::string(one.name) + "; ";
      EXPECT_EQ(one.append(file), one.append(plain)) << calls << "below " << text;
    }
    expect_same(text_of(file), content(plain), calls + "below " + text);
  }
}

// A skippable frame holds no text; neither does the field of a name in the head of a member, nor
// the mark of a member among its data.
TEST_P(TextAppendCompressed, WhatLooksLikeAMemberIsNone) {
  const std::string text = "a,b\n1,2";
  const std::string whole = compress(text);
  if (kind() == compression::zstd) {
    const std::string skipped = std::string("\x50\x2a\x4d\x18\x04\0\0\0", 8) + whole.substr(0, 4);
    compare(text, whole + skipped, writers[0], writers[5]);
    compare(text, skipped + whole + skipped + skipped, writers[0], writers[5]);
  } else {
    const std::string head("\x1f\x8b\x08\x08\0\0\0\0\0\xff", 10);
    compare(text, head + "\x1f\x8b\x08" + '\0' + whole.substr(10), writers[0], writers[5]);
  }
  // Members that lie in the data as they are.
  std::mt19937 random(11);
  std::string noise = "\"";
  while (noise.size() < 70000) {
    noise += whole;
    for (int i = 0; i < 1000; ++i) noise += static_cast<char>(random() % 255 + 1);
  }
  put(path("n.csv") + GetParam().ending, compress(noise + whole));
  EXPECT_EQ(texts(path("n.csv") + GetParam().ending), 0);
  EXPECT_EQ(arrays(2, false, "(2f8.2)")(path("n.csv") + GetParam().ending), 0);
  expect_same(text_of(path("n.csv") + GetParam().ending),
              noise + whole + "9,9\n    1.50    2.50\n    4.50    5.50\n", "noise");
}

// Longer than what is looked at from the end, in one member or frame and in many.
TEST_P(TextAppendCompressed, LongFilesEndAsShortOnesDo) {
  std::mt19937 random(5);
  std::string text = "1,2\n";
  while (text.size() < 1600000) text += static_cast<char>('0' + random() % 64);
  for (const std::string end : {"\n", "\n1,2"}) {
    compare(text + end, compress(text + end), writers[0], writers[5]);
    if (!has_tool()) continue;
    const std::string packed = by_tool(text + end, "-1");
    EXPECT_GT(packed.size(), 1U << 20);
    compare(text + end, packed, writers[0], writers[5]);
  }
  std::string packed;
  std::string lines;
  const std::string line = compress("1,2\n");
  for (int i = 0; i < 3000; ++i) packed += line, lines += "1,2\n";
  compare(lines, packed, writers[0], writers[5]);
  const std::string empty = compress("");
  for (int i = 0; i < 3000; ++i) packed += empty;
  compare(lines, packed, writers[0], writers[5]);
}

// Rows behind a damage would be lost to every reader.
TEST_P(TextAppendCompressed, DamagedFilesTakeNoRows) {
  const std::string whole = compress("a,b\n1,2\n");
  const std::string file = path("x.csv") + GetParam().ending;
  for (const std::string& damaged :
       {whole.substr(0, whole.size() - 1), whole.substr(0, 3), whole + whole.substr(0, 9),
        whole + "1,2\n", whole + std::string(512, '\0'), std::string("a,b\n1,2\n")})
    for (const writer& one : writers) {
      put(file, damaged);
      EXPECT_EQ(one.append(file), HR_COMPRESSION_DAMAGED) << one.name;
      EXPECT_EQ(content(file), damaged) << one.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TextAppendCompressed, both_kinds, name_of_kind());

}  // namespace
}  // namespace headrace::append_compressed
