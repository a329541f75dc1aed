// Tables from files and back: quoting, ragged rows, and messages with their line and column.
#include "cells/table_file.hpp"

#include <cmath>

#include "scratch.hpp"

namespace headrace {
namespace {

class TableFile : public Scratch {
 protected:
  status read(const std::string& text, const table_reading& reading = {}) {
    put(path("t.csv"), text);
    table_ = data_table();
    return read_table(path("t.csv"), reading, table_);
  }

  // All cells of a table with a column of characters each: rows end with '/', cells with '|'.
  std::string all() const {
    std::string text;
    std::string scratch;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      for (const data_table::column& column : table_.columns())
        text.append(column.cells->text(row, column.number, scratch)) += '|';
      text += '/';
    }
    return text;
  }

  std::string names() const {
    std::string text;
    for (const data_table::column& column : table_.columns()) text += column.name + "|";
    return text;
  }

  // The failure of a file, its message from the file name on.
  std::string failure(const std::string& text, stat_code code, const table_reading& reading = {}) {
    const status result = read(text, reading);
    EXPECT_EQ(result.code(), static_cast<int>(code)) << text << result.message();
    return result.message();
  }

  template <class T>
  status get(const std::string& name, std::vector<T>& values, type_class type,
             const std::string& missing = "") {
    parse_style style;
    EXPECT_TRUE(make_parse_style("", "", "", missing, style).ok());
    values.resize(table_.rows());
    std::size_t index = 0;
    if (status s = table_.find(name, index); !s.ok()) return s;
    return table_.get(index, style, 2, view(values, type));
  }

  template <class T>
  static array_view view(std::vector<T>& values, type_class type) {
    array_view result{reinterpret_cast<char*>(values.data()), sizeof(T), type, 1};
    result.extent[0] = static_cast<std::ptrdiff_t>(values.size());
    result.stride[0] = sizeof(T);
    return result;
  }

  static bool has(const std::string& message, const std::string& part) {
    return message.find(part) != std::string::npos;
  }

  data_table table_;
};

struct quoting_case {
  const char* text;
  const char* names;
  const char* cells;
};

TEST_F(TableFile, ReadsTheQuotingCorpus) {
  const quoting_case cases[] = {
      {"a,b\n1,2\n", "a|b|", "1|2|/"},
      {"a,b\n1,2", "a|b|", "1|2|/"},
      {"a,b\r\n1,2\r\n", "a|b|", "1|2|/"},
      {"\xEF\xBB\xBF"
       "a,b\n1,2\n",
       "a|b|", "1|2|/"},
      {"a,b\n\"1\",\"2\"\n", "a|b|", "1|2|/"},
      {"a,b\n\"x,y\",z\n", "a|b|", "x,y|z|/"},
      {"a,b\n\"x\ny\",z\n", "a|b|", "x\ny|z|/"},
      {"a,b\n\"x\r\ny\",\"z\"\r\n", "a|b|", "x\r\ny|z|/"},
      {"a,b\n\"say \"\"hi\"\"\",z\n", "a|b|", "say \"hi\"|z|/"},
      {"a,b\n\"\"\"\",\"\"\n", "a|b|", "\"||/"},
      {"a,b\n\"\",\n", "a|b|", "||/"},
      {"a,b\nit's,5\" pipe\n", "a|b|", "it's|5\" pipe|/"},
      {"a,b\n x , y \n", "a|b|", " x | y |/"},
      {"\"a,1\",\"b\n2\"\n1,2\n", "a,1|b\n2|", "1|2|/"},
      {"\n\na,b\n\n1,2\n   \n\t\n3,4\n\n", "a|b|", "1|2|/3|4|/"},
      {"a\n1\n\"\"\n2\n", "a|", "1|/|/2|/"},
      {"a,b\n", "a|b|", ""},
      {"a,b", "a|b|", ""},
      {"a,b\n\"1\n\n2\",3\n\n4,5", "a|b|", "1\n\n2|3|/4|5|/"},
      {"a,,a\n1,2,3\n", "a||a|", "1|2|3|/"},
      {"\xC3\xA9t\xC3\xA9,b\n\xC3\xA9,2\n", "\xC3\xA9t\xC3\xA9|b|", "\xC3\xA9|2|/"},
  };
  for (const quoting_case& one : cases) {
    const status result = read(one.text);
    EXPECT_TRUE(result.ok()) << one.text << result.message();
    EXPECT_EQ(names(), one.names) << one.text;
    EXPECT_EQ(all(), one.cells) << one.text;
  }
}

TEST_F(TableFile, NamesLineAndColumnOfWrongRows) {
  EXPECT_TRUE(has(failure("a,b\n1,2\n1,2,3\n", stat_code::row_length),
                  "a row has the wrong number of columns: expected 2, found 3"));
  EXPECT_TRUE(has(failure("a,b\n1,2\n1,2,3\n", stat_code::row_length), "t.csv:3:5;"));
  EXPECT_TRUE(has(failure("a,b\n1,2\n\n1\n", stat_code::row_length), "t.csv:4:2;"));
  EXPECT_TRUE(has(failure("a,b\n\"1\n\n\",2\n1\n", stat_code::row_length), "t.csv:5:2;"));
  EXPECT_TRUE(has(failure("a,b\n1,\"x\ny\"\n\"p\nq\"\n", stat_code::row_length), "t.csv:5:3;"));
  EXPECT_TRUE(has(failure("a,b\r\n1,2\r\n1\r\n", stat_code::row_length), "t.csv:3:"));
}

TEST_F(TableFile, NamesWhereAQuoteBegins) {
  EXPECT_TRUE(has(failure("a,b\n1,2\n3,\"x\n4,5\n", stat_code::quote_unbalanced), "t.csv:3:3;"));
  EXPECT_TRUE(has(failure("a,b\n\"x\"y,2\n", stat_code::quote_unbalanced), "t.csv:2:4;"));
  EXPECT_TRUE(has(failure("a,\"b\n1,2\n", stat_code::quote_unbalanced), "t.csv:1:3;"));
  EXPECT_TRUE(has(failure("a,b\n1,2\n3,\"x\n4,5\n", stat_code::quote_unbalanced), "has no end"));
}

TEST_F(TableFile, RefusesWhatIsNoText) {
  EXPECT_TRUE(has(failure(std::string("a,b\n1,\0"
                                      "2\n",
                                      9),
                          stat_code::text_encoding),
                  "t.csv:2:3;"));
  EXPECT_TRUE(has(failure(std::string("\xFF\xFE"
                                      "a\0,\0",
                                      6),
                          stat_code::text_encoding),
                  "UTF-16"));
  EXPECT_TRUE(has(failure(std::string("\xFE\xFF\0a\0,", 6), stat_code::text_encoding), "iconv"));
  EXPECT_TRUE(has(failure("", stat_code::end_of_file), "empty"));
  EXPECT_TRUE(has(failure("\n\n", stat_code::end_of_file), "empty"));
  data_table table;
  EXPECT_EQ(read_table(path("missing.csv"), {}, table).code(), ENOENT);
}

TEST_F(TableFile, FollowsItsOptions) {
  table_reading blanks;
  blanks.delimiter = ' ';
  EXPECT_TRUE(read("  a  b\n1 2  \n\t3\t\t 'x'\r\n", blanks).ok());
  EXPECT_EQ(all(), "1|2|/3|'x'|/");
  table_reading comments;
  comments.comment = '#';
  EXPECT_TRUE(read("# first\na,b # names\n1,2#x\n  # \"\n\"#\",4\n", comments).ok());
  EXPECT_EQ(names() + all(), "a|b|1|2|/#|4|/");
  table_reading bare;
  bare.header = false;
  bare.skip_rows = 2;
  EXPECT_TRUE(read("x,y\n\n1,2\n3,4\n", bare).ok());
  EXPECT_EQ(names() + all(), "1|2|1|2|/3|4|/");
  table_reading unquoted;
  unquoted.quote = '\0';
  unquoted.delimiter = '\t';
  EXPECT_TRUE(read("a\tb\n\"1\t2\"\n", unquoted).ok());
  EXPECT_EQ(all(), "\"1|2\"|/");
  table_reading wrong;
  wrong.quote = ',';
  EXPECT_EQ(read("a\n", wrong).code(), static_cast<int>(stat_code::option_unknown));
}

TEST_F(TableFile, ReadsNumbersInQuotesAndMissingOnes) {
  ASSERT_TRUE(read("a,b\n\"1\",1.5\n2,\n3,NA\n").ok());
  std::vector<std::int32_t> a;
  std::vector<double> b;
  ASSERT_TRUE(get("a", a, type_class::integer).ok());
  EXPECT_EQ(a, (std::vector<std::int32_t>{1, 2, 3}));
  const status missing = get("b", b, type_class::real);
  EXPECT_EQ(missing.code(), static_cast<int>(stat_code::missing_value));
  EXPECT_TRUE(has(missing.message(), "row 2, column 2 (b)")) << missing.message();
  EXPECT_TRUE(has(missing.message(), "t.csv:3:3;")) << missing.message();
  ASSERT_TRUE(get("b", b, type_class::real, "nan").ok());
  EXPECT_TRUE(b[0] == 1.5 && std::isnan(b[1]) && std::isnan(b[2]));
  ASSERT_TRUE(get("b", b, type_class::real, "-9").ok());
  EXPECT_EQ(b, (std::vector<double>{1.5, -9, -9}));
  ASSERT_TRUE(get("a", a, type_class::integer, "nan").ok());
  ASSERT_TRUE(read("a\n1\n\nNA\n").ok());
  EXPECT_EQ(get("a", a, type_class::integer, "nan").code(),
            static_cast<int>(stat_code::missing_value));
}

TEST_F(TableFile, NamesTheCellThatDoesNotFit) {
  ASSERT_TRUE(read("id,\"speed, m/s\"\n\n1,2.5\n\"x\ny\",fast\n300,1e999\n").ok());
  std::vector<double> speed;
  const status bad = get("speed, m/s", speed, type_class::real);
  EXPECT_EQ(bad.code(), static_cast<int>(stat_code::bad_number));
  EXPECT_TRUE(has(bad.message(),
                  "row 2, column 2 (speed, m/s): a cell has another type than the array: "
                  "expected a real number, found \"fast\""))
      << bad.message();
  EXPECT_TRUE(has(bad.message(), "t.csv:5:4;")) << bad.message();
  std::vector<std::int8_t> id;
  const status wrong = get("id", id, type_class::integer);
  EXPECT_TRUE(has(wrong.message(), "expected an integer, found \"x\\x0ay\"")) << wrong.message();
  EXPECT_TRUE(has(wrong.message(), "t.csv:4:1;")) << wrong.message();
  ASSERT_TRUE(read("a\n1\n300\n").ok());
  const status large = get("a", id, type_class::integer);
  EXPECT_EQ(large.code(), static_cast<int>(stat_code::number_out_of_range));
  EXPECT_TRUE(has(large.message(), "t.csv:3:1;")) << large.message();
  ASSERT_TRUE(read("a\nabcdef\n").ok());
  std::vector<char> text(4);
  array_view four = view(text, type_class::character);
  four.elem_len = 4;
  four.extent[0] = 1;
  const status longer = table_.get(0, {}, 1, four);
  EXPECT_TRUE(has(longer.message(), "expected at most 4 bytes, found 6")) << longer.message();
}

TEST_F(TableFile, TellsTheTypeOfAColumn) {
  ASSERT_TRUE(read("i,r,l,c,e,d,m,b\n1,1,T,T,,2020-12,NA,9999999999999999999\n"
                   "-2,2.5,false,Tom,,2021-01,7,1\n,1e5,.TRUE.,x,,2022-02,8,2\n")
                  .ok());
  std::string types;
  for (std::size_t i = 0; i < 8; ++i) types += table_.type_of(i) + " ";
  EXPECT_EQ(types, "integer real logical character character date integer real ");
}

TEST_F(TableFile, FindsColumnsByNameAndNumber) {
  ASSERT_TRUE(read("a,b,a\n1,2,3\n").ok());
  std::size_t index = 9;
  EXPECT_TRUE(table_.find("b", index).ok());
  EXPECT_EQ(index, 1U);
  EXPECT_TRUE(table_.find(3, index).ok());
  EXPECT_EQ(index, 2U);
  EXPECT_TRUE(has(table_.find("c", index).message(), "there are \"a\", \"b\", \"a\""));
  EXPECT_TRUE(has(table_.find("a", index).message(), "several columns"));
  EXPECT_TRUE(has(table_.find(0, index).message(), "1 to 3"));
  EXPECT_TRUE(has(table_.find(4, index).message(), "1 to 3"));
}

TEST_F(TableFile, WritesQuotesOnlyWhereTheyAreNeeded) {
  const std::string text = "a,\"b,c\"\n1,\"x \"\"y\"\"\"\n,\"two\nlines\"\n\" z\",it's\n";
  ASSERT_TRUE(read(text).ok());
  ASSERT_TRUE(write_table(path("u.csv"), table_, {}).ok());
  EXPECT_EQ(content(path("u.csv")), text);
  ASSERT_TRUE(read("a\n1\n\"\"\n2\n").ok());
  ASSERT_TRUE(write_table(path("u.csv"), table_, {}).ok());
  EXPECT_EQ(content(path("u.csv")), "a\n1\n\"\"\n2\n");
  table_writing more;
  more.append = true;
  more.delimiter = ';';
  ASSERT_TRUE(write_table(path("u.csv"), table_, more).ok());
  EXPECT_EQ(content(path("u.csv")), "a\n1\n\"\"\n2\n1\n\"\"\n2\n");
}

TEST_F(TableFile, LeavesTheOldFileWhenATableCannotBeWritten) {
  put(path("old.csv"), "old");
  EXPECT_EQ(write_table(path("old.csv"), data_table(), {}).code(),
            static_cast<int>(stat_code::argument_invalid));
  EXPECT_EQ(content(path("old.csv")), "old");
}

// Blocks have 4 MiB: rows, quoted line ends and long cells cross their borders.
TEST_F(TableFile, ReadsLargeFilesInBlocks) {
  std::string text = "n,t,x\n";
  const int rows = 200000;
  for (int i = 0; i < rows; ++i) {
    text += std::to_string(i) + ",";
    text += i % 3 == 0 ? "\"a\n" + std::to_string(i) + ",\"\"b\"\"\"" : "plain";
    text += "," + std::to_string(i) + ".25\n";
    if (i % 1000 == 0) text += "\n";
  }
  const std::string long_cell(9 << 20, 'q');
  text += "7,\"" + long_cell + "\",1\n8,last,2\n";
  ASSERT_TRUE(read(text).ok());
  ASSERT_EQ(table_.rows(), rows + 2U);
  ASSERT_GT(table_.columns()[0].cells->blocks().size(), 2U);
  std::vector<std::int64_t> n;
  std::vector<double> x;
  ASSERT_TRUE(get("n", n, type_class::integer).ok());
  ASSERT_TRUE(get("x", x, type_class::real).ok());
  for (int i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    ASSERT_TRUE(n[k] == i && x[k] == i + 0.25) << i;
  }
  std::string scratch;
  const data_table::column& texts = table_.columns()[1];
  EXPECT_EQ(texts.cells->text(199998, texts.number, scratch), "a\n199998,\"b\"");
  EXPECT_EQ(texts.cells->text(rows, texts.number, scratch), long_cell);
  EXPECT_EQ(table_.longest(1), long_cell.size());
  EXPECT_EQ(table_.columns()[0].cells->line_of(rows, 0), 2U + 200000 + 66667 + 200);
  ASSERT_TRUE(write_table(path("u.csv"), table_, {}).ok());
  put(path("u.csv"), content(path("u.csv")) + "1,2\n");
  data_table again;
  const status ragged = read_table(path("u.csv"), {}, again);
  EXPECT_TRUE(has(ragged.message(), "u.csv:" + std::to_string(2 + 200000 + 66667 + 2) + ":4;"))
      << ragged.message();
}

}  // namespace
}  // namespace headrace
