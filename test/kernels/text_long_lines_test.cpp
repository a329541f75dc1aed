// Rows longer than a block are read in pieces: the same values, rows and messages as whole ones.
#include <cmath>
#include <cstring>
#include <vector>

#include "headrace.h"
#include "headrace_rows.h"
#include "scratch.hpp"

namespace headrace {
namespace {

// With many threads a block is short, so that these rows have several pieces.
constexpr int many_threads = 300;
constexpr std::size_t rows = 5;
constexpr std::size_t columns = 12345;

double value_at(std::size_t row, std::size_t column) {
  return static_cast<double>((row * columns + column) * 7919 % 100003) / 8;
}

class TextLongLines : public Scratch {
 protected:
  // decorate(cell, row, column) gives the text of a cell.
  template <class Decorate>
  std::string text(const std::string& delimiter, const std::string& line_end, Decorate decorate) {
    std::string all;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        char cell[32];
        std::snprintf(cell, sizeof cell, "%.*g", static_cast<int>(9 + (r + c) % 9), value_at(r, c));
        all += decorate(std::string(cell), r, c) + (c + 1 < columns ? delimiter : line_end);
      }
    return all;
  }
  std::string plain() {
    return text(",", "\n", [](const std::string& cell, std::size_t, std::size_t) { return cell; });
  }

  int read(const std::string& all, hr_read_options options = {}, std::size_t wanted = columns,
           const char* name = "x.csv") {
    put(path(name), all);
    values_.assign(rows * wanted, -1);
    const auto height = static_cast<std::ptrdiff_t>(rows);
    const hr_array array{
        values_.data(), 8, HR_TYPE_REAL, 2, {height, static_cast<std::ptrdiff_t>(wanted)},
        {8, 8 * height}};
    error_ = {};
    if (options.threads == 0) options.threads = many_threads;
    return hr_read_array(path(name).c_str(), &array, &options, &error_);
  }

  // Where missing(row, column) holds NaN is expected.
  template <class Missing>
  std::size_t wrong_values(Missing missing) const {
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        const double found = values_[c * rows + r];
        wrong += missing(r, c) ? !std::isnan(found) : found != value_at(r, c);
      }
    return wrong;
  }
  std::size_t wrong_values() const {
    return wrong_values([](std::size_t, std::size_t) { return false; });
  }
  bool said(const std::string& part) const { return std::strstr(error_.message, part.c_str()); }

  std::vector<double> values_;
  hr_error error_{};
};

TEST_F(TextLongLines, ComeBackWhateverSeparatesTheirCells) {
  const auto as_is = [](const std::string& cell, std::size_t, std::size_t) { return cell; };
  for (const int threads : {1, 2, 64, many_threads}) {
    hr_read_options options{};
    options.threads = threads;
    for (const std::string delimiter : {",", "\t", ";", " , ", ",  "}) {
      const std::string mark(1, delimiter[delimiter.find_first_not_of(' ')]);
      options.delimiter = mark.c_str();
      EXPECT_EQ(read(text(delimiter, "\n", as_is), options), 0) << error_.message;
      EXPECT_EQ(wrong_values(), 0u) << threads << "<" << delimiter << ">";
    }
    options.delimiter = " ";
    EXPECT_EQ(read(text("   ", " \r\n", as_is), options), 0) << error_.message;
    EXPECT_EQ(wrong_values(), 0u) << threads;
  }
}

TEST_F(TextLongLines, NeedNoLineFeedAtTheEnd) {
  std::string all = plain();
  all.pop_back();
  EXPECT_EQ(read(all), 0) << error_.message;
  EXPECT_EQ(wrong_values(), 0u);
}

TEST_F(TextLongLines, MayBeQuotedAndCommented) {
  hr_read_options options{};
  options.comment = "#";
  options.skip_rows = 1;
  const auto quoted = [](const std::string& cell, std::size_t row, std::size_t column) {
    return (column + row) % 3 == 0 ? "\"" + cell + "\"" : cell;
  };
  const std::string remark = " # " + std::string(100000, ',') + " \"1,2\n\n# again\n";
  EXPECT_EQ(read(std::string(90000, 'x') + "\n" + text(",", remark, quoted), options), 0)
      << error_.message;
  EXPECT_EQ(wrong_values(), 0u);
}

TEST_F(TextLongLines, MayHaveALongHeader) {
  std::string header;
  for (std::size_t c = 0; c < columns; ++c)
    header += (c > 0 ? ",column" : "column") + std::to_string(c);
  EXPECT_EQ(read(header + "\n" + plain()), 0) << error_.message;
  EXPECT_EQ(wrong_values(), 0u);
}

TEST_F(TextLongLines, MayMissValuesAnywhere) {
  hr_read_options options{};
  options.missing = "nan";
  const auto missing = [](std::size_t row, std::size_t column) {
    return column == columns - 1 || (row == 2 && column < 9000) || column % 100 == 7;
  };
  const std::string all =
      text(",", "\n", [&](const std::string& cell, std::size_t row, std::size_t column) {
        return missing(row, column) ? "" : cell;
      });
  EXPECT_EQ(read(all, options), 0) << error_.message;
  EXPECT_EQ(wrong_values(missing), 0u);
}

TEST_F(TextLongLines, GiveChosenColumnsInAnyOrder) {
  const int chosen[] = {12345, 1, 7000, 7001, 2};
  hr_read_options options{};
  options.columns = chosen;
  options.column_count = 5;
  EXPECT_EQ(read(plain(), options, 5), 0) << error_.message;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < 5; ++c)
      EXPECT_EQ(values_[c * rows + r], value_at(r, static_cast<std::size_t>(chosen[c]) - 1));
}

TEST_F(TextLongLines, ComeRowByRow) {
  put(path("x.csv"), plain());
  hr_read_options options{};
  options.threads = many_threads;
  hr_text_reader reader = 0;
  ASSERT_EQ(hr_text_reader_open(path("x.csv").c_str(), &options, {}, &reader, &error_), 0)
      << error_.message;
  std::vector<double> row(columns);
  const hr_array array{row.data(), 8, HR_TYPE_REAL, 2, {1, columns}, {8, 8}};
  long long count = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    ASSERT_EQ(hr_text_reader_rows(reader, &array, &count, &error_), 0) << error_.message;
    ASSERT_EQ(count, 1);
    for (std::size_t c = 0; c < columns; ++c) ASSERT_EQ(row[c], value_at(r, c));
  }
  EXPECT_EQ(hr_text_reader_rows(reader, &array, &count, &error_), HR_END_OF_FILE);
  EXPECT_EQ(hr_text_reader_close(&reader, &error_), 0);
}

TEST_F(TextLongLines, AreNamedWithLineAndColumnWhereTheyAreWrong) {
  const std::string all = plain();
  const std::size_t third = all.find('\n', all.find('\n') + 1) + 1;
  const std::size_t end = all.find('\n', third);
  const auto place = [&](std::size_t offset) {
    return "x.csv:3:" + std::to_string(offset - third + 1) + ";";
  };
  const std::size_t cell = all.find(',', third + 60000) + 1;
  EXPECT_EQ(read(std::string(all).replace(cell, 1, "y")), HR_BAD_NUMBER);
  EXPECT_TRUE(said(place(cell))) << error_.message;
  EXPECT_EQ(read(std::string(all).insert(end, ",1")), HR_ROW_LENGTH);
  EXPECT_TRUE(said(place(end + 1)) && said("expected 12345, found 12346")) << error_.message;
  EXPECT_EQ(read(std::string(all).insert(end, ",")), HR_ROW_LENGTH);
  const std::size_t last = all.rfind(',', end);
  EXPECT_EQ(read(std::string(all).erase(last, end - last)), HR_ROW_LENGTH);
  EXPECT_TRUE(said(place(last)) && said("expected 12345, found 12344")) << error_.message;
  EXPECT_EQ(read(all + "1\n"), HR_ROW_COUNT);
  EXPECT_EQ(read(all.substr(0, third)), HR_ROW_COUNT);
}

TEST_F(TextLongLines, AmongShortOnesAreRefused) {
  EXPECT_EQ(read("1,2\n" + std::string(std::size_t{20} << 20, '1') + "\n", {}, 2),
            HR_LINE_TOO_LONG);
  EXPECT_TRUE(said("expected lines of the length of the first")) << error_.message;
}

}  // namespace
}  // namespace headrace
