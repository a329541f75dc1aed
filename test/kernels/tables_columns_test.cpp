// Tables column by column: quotes found many at a time, cells in their places, types, dates, and
// what keeps rows from getting lost.
#include <cstring>
#include <random>

#include "cells/table_file.hpp"
#include "headrace_tables.h"
#include "scratch.hpp"
#include "text/kernels/parse_numbers.hpp"
#include "text/times.hpp"
#include "tiers.hpp"

namespace headrace {
namespace {

class QuotedFields : public on_each_tier {};

// RFC 4180, a byte after another; false if quotes stand where none may.
bool fields_of(const std::string& text, std::vector<std::uint32_t>& ends, std::size_t& rows_end,
               bool& open) {
  bool begins = true;
  bool closed = false;
  open = false;
  rows_end = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (open) {
      if (c == '"') open = false, closed = true;
      continue;
    }
    if (c == '"') {
      if (!begins && !closed) return false;
      open = true, closed = false, begins = false;
      continue;
    }
    if (c == ',' || c == '\n') {
      ends.push_back(static_cast<std::uint32_t>(i));
      if (c == '\n') rows_end = i + 1;
      begins = true, closed = false;
      continue;
    }
    if (closed && !(c == '\r' && (i + 1 == text.size() || text[i + 1] == '\n'))) return false;
    begins = closed = false;
  }
  return true;
}

TEST_P(QuotedFields, AreThoseOfASimpleParser) {
  std::mt19937 random(11);
  const char* const pieces[] = {
      "a",    ",",        "\n", "\"q\"",          "\"x,y\"",          "\"l\nm\"",
      "12.5", "\"\"\"\"", ",",  "\"a\"\"b\"\r\n", "some longer text", "\"",
      "\"\""};
  int sound = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t most = i % 4 == 0 ? 13 : 11;  // with stray quotes, or without
    std::string text = "z";
    for (std::size_t n = random() % 60; n > 0; --n) {
      const std::string piece = pieces[random() % most];
      const bool quoted = piece[0] == '"';
      if (quoted && i % 4 != 0 && text.back() != ',' && text.back() != '\n') text += ',';
      text += piece;
      if (quoted && i % 4 != 0 && piece.back() != '\n') text += random() % 4 == 0 ? '\n' : ',';
    }
    if (text.find("\n\n") != std::string::npos) continue;  // empty lines have no fields
    std::vector<std::uint32_t> expected;
    std::size_t rows_end = 0;
    bool open = false;
    const bool right = fields_of(text, expected, rows_end, open);
    const std::string padded = std::string(64, 'p') + text + std::string(64, '"');
    std::vector<std::uint32_t> ends(text.size() + 65, UINT32_MAX);
    std::vector<std::uint32_t> lines(text.size() + 64);
    quoted_map map;
    map.fields.ends = ends.data() + 1;
    map.fields.line_fields = lines.data();
    find_quoted_fields(padded.data() + 64, text.size(), {}, map);
    ASSERT_EQ(map.is_sound, right) << text;
    if (!right) continue;
    ++sound;
    ASSERT_EQ(map.is_open, open) << text;
    ASSERT_EQ(map.rows_end, rows_end) << text;
    ends.resize(map.fields.fields + 1);
    ends.erase(ends.begin());
    ASSERT_EQ(ends, expected) << text;
    quoted_map again;
    find_quoted_fields(padded.data() + 64, text.size(), {}, again);
    ASSERT_EQ(again.rows_end, rows_end) << text;
  }
  EXPECT_GT(sound, 8000);
}

INSTANTIATE_TEST_SUITE_P(Kernel, QuotedFields, every_tier, tier_name);

class TableColumns : public Scratch {
 protected:
  void read(const std::string& text, const table_reading& reading = {}) {
    put(path("t.csv"), text);
    table_ = data_table();
    const status result = read_table(path("t.csv"), reading, table_);
    ASSERT_TRUE(result.ok()) << result.message();
  }

  status refusal(const std::string& text) {
    put(path("t.csv"), text);
    data_table table;
    return read_table(path("t.csv"), {}, table);
  }

  template <class T>
  status get(std::size_t index, std::vector<T>& values, type_class type,
             const std::string& since = "") {
    parse_style style;
    EXPECT_TRUE(make_parse_style("", "", "", "", style, since).ok());
    values.resize(table_.rows());
    return table_.get(index, style, 2, view(values, type));
  }

  template <class T>
  static array_view view(std::vector<T>& values, type_class type) {
    array_view result{reinterpret_cast<char*>(values.data()), sizeof(T), type, 1};
    result.extent[0] = static_cast<std::ptrdiff_t>(values.size());
    result.stride[0] = sizeof(T);
    return result;
  }

  data_table table_;
};

// The wrong cell stands in each column of each row in turn, behind cells with line ends.
TEST_F(TableColumns, NameLineAndByteOfAWrongCell) {
  const std::vector<std::vector<std::string>> rows = {
      {"\"l\nm\"", "1", "2", "\"p\nqq\nr\""}, {"x", "1", "\"2\"", "y"}, {"\"\"", "1", "2", "last"}};
  for (std::size_t wrong_row = 0; wrong_row < rows.size(); ++wrong_row) {
    for (const std::size_t wrong_column : {1U, 2U}) {
      std::string text = "a,b,c,d\n\n";
      std::string before;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
          const bool wrong = r == wrong_row && c == wrong_column;
          if (wrong) before = text;
          text += (wrong ? "oops" : rows[r][c]) + (c == 3 ? (r == 1 ? "\r\n\n" : "\n") : ",");
        }
      }
      read(text);
      std::vector<double> values;
      const status failure = get(wrong_column, values, type_class::real);
      ASSERT_EQ(failure.code(), static_cast<int>(stat_code::bad_number));
      const auto line = 1 + std::count(before.begin(), before.end(), '\n');
      const std::size_t byte = before.size() - before.rfind('\n');
      const std::string place = "t.csv:" + std::to_string(line) + ":" + std::to_string(byte) + ";";
      EXPECT_NE(failure.message().find(place), std::string::npos) << place << failure.message();
      EXPECT_NE(failure.message().find("column " + std::to_string(wrong_column + 1) + " ("),
                std::string::npos)
          << failure.message();
    }
  }
}

TEST_F(TableColumns, KeepReturnsWithinRowsAndDropThoseBehind) {
  read("a,b\n1\r,2\r\n\"x\r\",\"y\"\r\n3\r,\r\n");
  std::string scratch;
  std::string all;
  for (std::size_t row = 0; row < 3; ++row)
    for (const data_table::column& column : table_.columns())
      all.append(column.cells->text(row, column.number, scratch)) += '|';
  EXPECT_EQ(all, "1\r|2|x\r|y|3\r||");
}

TEST_F(TableColumns, MayBeVeryMany) {
  for (const int columns : {255, 256, 257, 1000}) {
    std::string text;
    for (int c = 0; c < columns; ++c)
      text += "c" + std::to_string(c) + (c + 1 < columns ? "," : "\n");
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < columns; ++c)
        text += std::to_string(r * columns + c) + (c + 1 < columns ? "," : "\n");
    read(text);
    for (const int c : {0, 1, columns - 1}) {
      std::vector<std::int64_t> values;
      ASSERT_TRUE(get(static_cast<std::size_t>(c), values, type_class::integer).ok());
      EXPECT_EQ(values, (std::vector<std::int64_t>{c, columns + c, 2 * columns + c}));
    }
    ASSERT_TRUE(write_table(path("u.csv"), table_, {}).ok());
    EXPECT_EQ(content(path("u.csv")), text);
  }
}

TEST_F(TableColumns, MissingTextsThatAreNumbersAreMissingToo) {
  table_reading reading;
  reading.missing_text = "-999";
  read("a,b\n1,x\n-999,y\n,z\n4,w\n", reading);
  parse_style style;
  ASSERT_TRUE(make_parse_style("", "", "", "-1", style).ok());
  std::vector<std::int64_t> values(4);
  ASSERT_TRUE(table_.get(0, style, 1, view(values, type_class::integer)).ok());
  EXPECT_EQ(values, (std::vector<std::int64_t>{1, -1, -1, 4}));
  read("a,b\n1,x\nNA,y\nnull,z\n4,w\n");
  ASSERT_TRUE(table_.get(0, style, 1, view(values, type_class::integer)).ok());
  EXPECT_EQ(values, (std::vector<std::int64_t>{1, -1, -1, 4}));
}

// A cell far from the first ones decides.
TEST_F(TableColumns, HaveTheTypeOfAllTheirCells) {
  struct one {
    const char* usual;
    const char* other;
    const char* type;
  };
  const one cases[] = {{"12", "1.5", "real"},
                       {"12", "x", "character"},
                       {"12", "", "integer"},
                       {"12", "NA", "integer"},
                       {"1.5", "2010-01", "character"},
                       {"2010-01-05", "2010-01-05T12:30:00", "timestamp"},
                       {"2010-01-05", "2010-02-31", "character"},
                       {"2010-01-05", "2011-12", "date"},
                       {"T", "F", "logical"},
                       {"T", "1", "character"},
                       {"99999999999999999999", "1", "real"},
                       {"\"12\"", "13", "integer"}};
  for (const one& each : cases) {
    for (const std::size_t place : {std::size_t{0}, std::size_t{20}, std::size_t{9000}}) {
      std::string text = "a,b\n";
      for (std::size_t row = 0; row <= 9001; ++row)
        text += std::string(row == place ? each.other : each.usual) + ",1\n";
      read(text);
      EXPECT_EQ(table_.type_of(0), each.type) << each.usual << " " << each.other << " " << place;
    }
  }
}

TEST_F(TableColumns, OfCharactersOfAnyLengthGoForthAndBack) {
  std::mt19937 random(3);
  for (std::size_t length = 1; length <= 70; ++length) {
    const std::size_t rows = 200;
    std::string values(rows * length, ' ');
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = random() % (length + 1); k-- > 0;)
        values[r * length + k] = "ab ,\"\n\t"[random() % (r % 3 == 0 ? 7 : 2)];
    array_view array{values.data(), length, type_class::character, 1};
    array.extent[0] = static_cast<std::ptrdiff_t>(rows);
    array.stride[0] = static_cast<std::ptrdiff_t>(length);
    data_table table;
    ASSERT_TRUE(table.put("text", {}, 2, array).ok());
    std::vector<std::int64_t> numbers(rows, 7);
    ASSERT_TRUE(table.put("number", {}, 2, view(numbers, type_class::integer)).ok());
    ASSERT_TRUE(write_table(path("u.csv"), table, {}).ok());
    data_table again;
    ASSERT_TRUE(read_table(path("u.csv"), {}, again).ok());
    std::string back(rows * length, '?');
    array.base = back.data();
    const status got = again.get(0, {}, 2, array);
    ASSERT_TRUE(got.ok()) << got.message();
    ASSERT_EQ(back, values) << length;
  }
}

TEST_F(TableColumns, OfTimesAreThoseOfTheSimpleParser) {
  std::mt19937_64 random(5);
  time_stamp_parser parser;
  std::string text;
  for (int i = 0; i < 200000; ++i) {
    if (i % 3 != 0 || text.empty()) {
      time_stamp epoch;
      time_span span{static_cast<std::int64_t>(random() % 400000000000) - 62000000000, 0};
      if (i % 7 == 0) span.nanoseconds = static_cast<std::int32_t>(random() % 1000000000);
      text.clear();
      if (!append_time_stamp(text, epoch, span, -1)) continue;
    }
    std::string one = text;
    if (random() % 2 == 0 && one.size() == 20) one.pop_back();
    if (random() % 4 == 0) one.resize(10);
    if (random() % 3 == 0 && one.size() > 10) one[10] = ' ';
    if (random() % 4 == 0) one[random() % one.size()] = "0123456789-:TZ x"[random() % 16];
    time_stamp expected;
    time_stamp found;
    const bool right = parse_time_stamp(one, expected);
    ASSERT_EQ(parser.parse(one, found), right) << one;
    if (!right) continue;
    ASSERT_EQ(found.seconds, expected.seconds) << one;
    ASSERT_EQ(found.nanoseconds, expected.nanoseconds) << one;
    ASSERT_EQ(found.has_time, expected.has_time) << one;
  }
}

TEST_F(TableColumns, LoseNoRowOfNumbersAsNames) {
  for (const char* text :
       {"39,State-gov,77516\n50,Self-emp,83311\n", "39, State-gov, 77516\n50, Self-emp, 83311\n",
        "2010-01-05,Berlin,3\n2010-01-06,Bonn,4\n", "a,1\n", "a,7\n\nb,8\n",
        "Bob,2010,2011\nAl,2009,2012\n", "x,5,y\n,,z\nw,6,v\n"}) {
    const status failure = refusal(text);
    EXPECT_EQ(failure.code(), static_cast<int>(stat_code::column_unknown)) << text;
    EXPECT_NE(failure.message().find("header="), std::string::npos) << failure.message();
  }
  for (const char* text : {"country,2010,2011\nFR,1.5,2\n", "c,1990,2000,2010\nFR,12345,,3\n",
                           "id,5,name\n1,x,y\n", "id,None\n1,2\n", "a,b\n1,2\n", "a,1\n2,\n"})
    EXPECT_TRUE(refusal(text).ok()) << text << refusal(text).message();
}

class TableAppend : public TableColumns {
 protected:
  // The status of the table in hand appended to a file, which it must leave as it was if it fails.
  int append(const std::string& old, const table_writing& like = {}) {
    put(path("f.csv"), old);
    table_writing writing = like;
    writing.append = true;
    const status result = write_table(path("f.csv"), table_, writing);
    if (!result.ok()) {
      EXPECT_EQ(content(path("f.csv")), old);
      EXPECT_NE(result.message().find("f.csv"), std::string::npos) << result.message();
    }
    return result.code();
  }
  static constexpr int refused = static_cast<int>(stat_code::bad_number);
};

TEST_F(TableAppend, ComparesTheTypesOfColumns) {
  read("a,b\n1,x\n2,y\n");
  EXPECT_EQ(append("a,b\n5,z\n"), 0);
  EXPECT_EQ(append("a,b\n5.5,z\n"), 0);
  EXPECT_EQ(append("a,b\n"), 0);
  EXPECT_EQ(append("a,b\n,\n"), 0);
  EXPECT_EQ(append("a,b\n5,6\n"), refused);
  EXPECT_EQ(append("a,b\n2010-01-05,z\n"), refused);
  EXPECT_EQ(append("a,b\n5,2010-01-05\n"), refused);
  EXPECT_EQ(append("a,b\nword,z\n"), 0);  // the 1 and 2 of a file may be texts
  std::vector<double> numbers = {0.5, 1};
  ASSERT_TRUE(table_.put("a", {}, 1, view(numbers, type_class::real)).ok());
  EXPECT_EQ(append("a,b\nword,z\n"), refused);
  EXPECT_EQ(append("a,b\n2010-01-05,z\n"), refused);
  EXPECT_EQ(append("a,b\n7,z\n"), 0);
}

TEST_F(TableAppend, ComparesTheDecimalSign) {
  table_writing semicolons;
  semicolons.delimiter = ';';
  std::vector<double> numbers = {0.5, 1.25};
  ASSERT_TRUE(table_.put("a", {}, 1, view(numbers, type_class::real)).ok());
  ASSERT_TRUE(table_.put("b", {}, 1, view(numbers, type_class::real)).ok());
  EXPECT_EQ(append("a;b\n1,5;2,5\n", semicolons), refused);
  EXPECT_EQ(append("a;b\n1.5;2.5\n", semicolons), 0);
  EXPECT_EQ(append("a;b\n1;2\n", semicolons), 0);
  value_style comma;
  comma.decimal = ',';
  ASSERT_TRUE(table_.put("a", comma, 1, view(numbers, type_class::real)).ok());
  ASSERT_TRUE(table_.put("b", comma, 1, view(numbers, type_class::real)).ok());
  EXPECT_EQ(append("a;b\n1.5;2.5\n", semicolons), refused);
  EXPECT_EQ(append("a;b\n1,5;2,5\n", semicolons), 0);
}

}  // namespace
}  // namespace headrace
