// Random texts: read_table finds what a simple parser finds, or both refuse; and what it writes
// reads back the same.
#include <cstdlib>
#include <cstring>
#include <random>

#include "cells/table_file.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

using text_rows = std::vector<std::vector<std::string>>;

// RFC 4180, one character after another.
class simple_parser {
 public:
  explicit simple_parser(std::string text) : text_(std::move(text)) {
    if (!text_.empty() && text_.back() != '\n') text_ += '\n';
  }

  // False when the text is wrong: quotes, rows of different lengths, no header.
  bool parse(text_rows& rows) {
    while (at_ < text_.size()) {
      const std::size_t content = text_.find_first_not_of(" \t\r", at_);
      if (text_[content] == '\n') {
        at_ = content + 1;
        continue;
      }
      rows.emplace_back();
      in_header_ = rows.size() == 1;
      if (!parse_row(rows.back()) || rows.back().size() != rows.front().size()) return false;
    }
    return !rows.empty();
  }

 private:
  bool parse_row(std::vector<std::string>& row) {
    while (true) {
      row.emplace_back();
      const std::size_t first = text_.find_first_not_of(" \t\r", at_);
      if (text_[first] == '"') at_ = first;
      if (!(text_[at_] == '"' ? parse_quoted(row.back()) : parse_plain(row.back()))) return false;
      if (text_[at_++] == '\n') return true;
    }
  }

  bool parse_plain(std::string& cell) {
    const std::size_t end = text_.find_first_of(",\n", at_);
    cell = text_.substr(at_, end - at_);
    if (text_[end] == '\n' && !cell.empty() && cell.back() == '\r') cell.pop_back();
    at_ = end;
    // Blanks around names belong to none.
    const std::size_t last = cell.find_last_not_of(" \t\r") + 1;
    const std::size_t first = std::min(cell.find_first_not_of(" \t\r"), last);
    if (in_header_) cell = cell.substr(first, last - first);
    return true;
  }

  bool parse_quoted(std::string& cell) {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && (++at_ == text_.size() || text_[at_] != '"')) break;
      cell += text_[at_];
    }
    while (at_ < text_.size() && std::strchr(" \t\r", text_[at_]) != nullptr) ++at_;
    return at_ < text_.size() && (text_[at_] == ',' || text_[at_] == '\n');
  }

  std::string text_;
  std::size_t at_ = 0;
  bool in_header_ = false;
};

class RandomTables : public Scratch {
 protected:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  // Characters that matter, or rows that are mostly right.
  std::string random_text() {
    const std::string characters = "a1,,\"\"\n\n\r \t,b";
    const char* const cells[] = {"\"p\"\"q\"", "\"l\nm\"", "\",\"", "", "w"};
    std::string text;
    if (below(2) == 0) {
      for (std::size_t length = below(40); length > 0; --length)
        text += characters[below(characters.size())];
      return text;
    }
    text = "x,y\n";
    for (std::size_t rows = below(6); rows > 0; --rows) {
      text += std::string(cells[below(5)]) + "," + cells[below(5)];
      text += below(2) == 0 ? "\n" : "\r\n";
    }
    return text;
  }

  static text_rows rows_of(const data_table& table) {
    text_rows rows(table.rows() + 1);
    std::string scratch;
    for (const data_table::column& column : table.columns()) {
      rows[0].push_back(column.name);
      for (std::size_t row = 0; row < table.rows(); ++row)
        rows[row + 1].emplace_back(column.cells->text(row, column.number, scratch));
    }
    return rows;
  }

  std::mt19937 random_{20261121};
};

TEST_F(RandomTables, AreReadAsASimpleParserReadsThem) {
  const char* const asked = std::getenv("HEADRACE_TEST_LONG");
  const int texts = asked != nullptr && *asked == '1' ? 200000 : 1500;
  const std::string file = path("random.csv");
  int good = 0;
  for (int i = 0; i < texts; ++i) {
    const std::string text = random_text();
    put(file, text);
    text_rows expected;
    const bool sound = simple_parser(text).parse(expected);
    data_table table;
    table_reading any;
    any.any_header = true;
    const status result = read_table(file, any, table);
    if (result.code() == static_cast<int>(stat_code::text_encoding)) {
      // Carriage returns within the only row could be line ends.
      ASSERT_TRUE(!sound || expected.size() == 1) << text << "\n" << result.message();
      ASSERT_NE(text.find('\r'), std::string::npos);
      continue;
    }
    ASSERT_EQ(result.ok(), sound) << text << "\n" << result.message();
    if (!sound) continue;
    ++good;
    ASSERT_EQ(rows_of(table), expected) << text;
    ASSERT_TRUE(write_table(file, table, {}).ok());
    data_table again;
    ASSERT_TRUE(read_table(file, any, again).ok()) << text;
    ASSERT_EQ(rows_of(again), expected) << text;
  }
  EXPECT_GT(good, texts / 4);
}

}  // namespace
}  // namespace headrace
