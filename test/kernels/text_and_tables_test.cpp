// Random files: what arrays and tables read of the same file. Both find the same names and values,
// or both refuse; no row is a name for one and a value for the other.
#include <algorithm>
#include <random>
#include <vector>

#include "amounts.hpp"
#include "cells/characters.hpp"
#include "cells/table_file.hpp"
#include "scratch.hpp"
#include "text/header.hpp"
#include "text/shape.hpp"
#include "text/write.hpp"

namespace headrace {
namespace {

// What one of the two found.
struct found_values {
  status result;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::string> names;  // none: the file has no header
  std::string bytes;               // of all values, row by row

  bool same(const found_values& other) const {
    const bool same_rows = rows == other.rows && (rows == 0 || columns == other.columns);
    return same_rows && names == other.names && bytes == other.bytes;
  }
  std::string text() const {
    std::string all = result.ok() ? std::to_string(rows) + " rows, names" : result.message();
    for (const std::string& name : names) all += " [" + name + "]";
    const auto* const values = reinterpret_cast<const double*>(bytes.data());
    for (std::size_t i = 0; result.ok() && i < bytes.size() / 8; ++i)
      all += " " + std::to_string(values[i]);
    return all;
  }
};

// How a file is read.
struct reading_options {
  char delimiter = ',';
  char decimal = '.';
  char comment = '\0';
  bool missing = false;
  type_class type = type_class::real;

  std::size_t elem_len() const noexcept { return type == type_class::complex ? 16 : 8; }
  const char* texts() const noexcept {
    return decimal == ',' ? "ND;-999;no data;a;n/d" : "ND,-999,no data,a,n/d";
  }
  std::string outcome() const {
    return type == type_class::logical ? "F" : type == type_class::integer ? "7" : "nan";
  }
};

class TextsAndTables : public Scratch {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    file_ = path("random.csv");
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool often(std::size_t percent) { return below(100) < percent; }
  template <std::size_t N>
  std::string one_of_texts(const char* const (&texts)[N]) {
    return texts[below(N)];
  }

  // ---- files ----

  reading_options random_options() {
    const char delimiters[] = {',', ',', ',', ';', '\t', ' ', '|'};
    const type_class types[] = {type_class::real,    type_class::real,    type_class::real,
                                type_class::integer, type_class::complex, type_class::logical};
    reading_options options;
    options.delimiter = delimiters[below(7)];
    if (options.delimiter != ',') options.decimal = often(30) ? ',' : '.';
    options.comment = often(30) ? '#' : '\0';
    options.missing = often(50);
    options.type = types[below(6)];
    return options;
  }

  std::string random_number(const reading_options& options) {
    if (options.type == type_class::integer) return one_of_texts({"1", "-20", "+3", "007", "-999"});
    if (options.type == type_class::logical) return one_of_texts({"T", "F", "true", ".false."});
    const std::string real =
        one_of_texts({"1", "2.5", "-3e5", "1D+2", ".5", "nan", "-inf", "-999"});
    const std::string other = one_of_texts({"1", "2.5", "-3e5", "nan", "-inf"});
    std::string text = real;
    const std::string sign = other[0] == '-' ? "" : "+";
    if (options.type == type_class::complex && often(90)) {
      const char middle = options.decimal == ',' ? ';' : ',';
      const std::string pair = real + sign + other + "j";
      text = often(40) ? "(" + pair + ")" : often(50) ? pair : often(50) ? other + "j" : text;
      if (often(10)) text = "(" + real + middle + other + ")";
    }
    if (options.decimal == ',')
      for (char& c : text) c = c == '.' ? ',' : c;
    return text;
  }

  std::string random_text() {
    return one_of_texts({"",     "NA",  "n/a",  "ND",  "no data",    "****",  "-",
                         "#N/A", "x",   "a",    "T",   "2010-01-05", "1.2.3", "x;y",
                         "x,y",  "x y", "x\ty", "x|y", "#7",         "a\"b",  "\"",
                         " ",    "\t",  "#",    "1#2", "(1+2j)",     "nanj",  "1 2"});
  }

  std::string random_name() {
    return one_of_texts({"a",     "b",      "mass", "time", "x y",     "x,y", "x;y", "x|y",
                         "x\ty",  "a\"b",   "#t",   "# t",  "2m_temp", "T",   "nan", "NA",
                         "",      "2010",   "2011", "2012", "2010-01", "1.5", "-",   "(1+2j)",
                         " left", "right ", "1:2",  "#",    "None"});
  }

  // Quotes, and blanks that are no delimiter around them.
  std::string dressed(std::string text, std::size_t quoted, const reading_options& options) {
    const bool must =
        text.find(options.delimiter) != std::string::npos || text.find('"') != std::string::npos;
    if (often(quoted) || (must && often(90))) {
      std::string inside;
      for (const char c : text) inside += c == '"' && often(95) ? "\"\"" : std::string(1, c);
      text = "\"" + inside + "\"";
    }
    const char* const blanks[] = {"", "", "", " ", "  ", "\t", " \t"};
    const auto blank = [&] {
      std::string around = blanks[below(7)];
      if (options.delimiter == '\t') around = often(50) ? "" : " ";
      return around;
    };
    return blank() + text + blank();
  }

  std::string random_line(std::size_t columns, std::size_t names, std::size_t texts,
                          std::size_t quoted, const reading_options& options) {
    if (often(3)) columns += 1;
    if (often(3) && columns > 1) columns -= 1;
    std::string line;
    for (std::size_t i = 0; i < columns; ++i) {
      if (i > 0) line += options.delimiter;
      const std::string cell = often(names)   ? random_name()
                               : often(texts) ? random_text()
                                              : random_number(options);
      line += dressed(cell, quoted, options);
    }
    if (options.comment != '\0' && often(10)) line += " # note, \"x";
    return line;
  }

  std::string random_file(const reading_options& options) {
    const std::size_t columns = 1 + below(4);
    const std::size_t quoted = often(50) ? 5 : often(50) ? 100 : 30;
    const std::size_t texts = often(60) ? 0 : 15;
    const std::string end = often(20) ? "\r\n" : "\n";
    std::string text = often(10) ? "\xEF\xBB\xBF" : "";
    const auto between = [&] {
      if (often(5)) text += one_of_texts({"", " ", "\t", " \t "}) + end;
      if (often(5)) text += "# note \"1\", 2" + end;
    };
    between();
    if (often(60)) text += random_line(columns, often(80) ? 100 : 50, 0, quoted, options) + end;
    for (std::size_t rows = below(5); rows > 0; --rows) {
      between();
      text += random_line(columns, 0, texts, often(80) ? quoted : 50, options) + end;
    }
    between();
    if (often(20) && !text.empty()) text.resize(text.size() - end.size());
    for (std::size_t n = often(15) ? 1 + below(3) : 0; n > 0 && !text.empty(); --n) {
      const std::string characters = "\",;| \t#1a\n";
      const std::size_t at = below(text.size());
      often(50) ? text.erase(at, 1) : text.insert(at, 1, characters[below(characters.size())]);
    }
    return text;
  }

  // ---- both ways ----

  found_values read_array(const reading_options& options, header_rule header) const {
    read_settings settings;
    settings.text.delimiter = options.delimiter;
    settings.text.decimal = options.decimal;
    settings.comment = options.comment;
    settings.header = header;
    settings.threads = 1;
    if (options.missing)
      settings.missing = options.outcome() + (options.decimal == ',' ? ";" : ",") + options.texts();
    found_values found;
    text_extents extents;
    found.result = measure_text(file_, settings, options.type, extents);
    if (!found.result.ok()) return found;
    found.rows = extents.rows;
    found.columns = extents.columns;
    found.result = read_column_names(file_, settings, options.type, found.names);
    if (!found.result.ok()) return found;
    found.bytes.resize(found.rows * found.columns * options.elem_len());
    array_view array{found.bytes.data(), options.elem_len(), options.type, 2};
    array.extent = {static_cast<std::ptrdiff_t>(found.rows),
                    static_cast<std::ptrdiff_t>(found.columns)};
    array.stride = {static_cast<std::ptrdiff_t>(found.columns * options.elem_len()),
                    static_cast<std::ptrdiff_t>(options.elem_len())};
    found.result = read_text_array(file_, array, settings);
    return found;
  }

  found_values read_as_table(const reading_options& options, header_rule header) const {
    table_reading reading;
    reading.delimiter = options.delimiter;
    reading.decimal = options.decimal;
    reading.comment = options.comment;
    reading.header = header != header_rule::no;
    reading.any_header = header == header_rule::yes;
    reading.threads = 1;
    if (options.missing) reading.missing_text = options.texts();
    found_values found;
    data_table table;
    found.result = read_table(file_, reading, table);
    if (!found.result.ok()) return found;
    found.rows = table.rows();
    found.columns = table.columns().size();
    found.bytes.resize(found.rows * found.columns * options.elem_len());
    parse_style style;
    style.decimal = options.decimal;
    if (options.missing) style.missing = parse_missing(options.outcome(), options.decimal);
    for (std::size_t i = 0; i < found.columns; ++i) {
      array_view column{found.bytes.data() + i * options.elem_len(), options.elem_len(),
                        options.type, 1};
      column.extent = {static_cast<std::ptrdiff_t>(found.rows)};
      column.stride = {static_cast<std::ptrdiff_t>(found.columns * options.elem_len())};
      if (reading.header) found.names.push_back(table.columns()[i].name);
      found.result = table.get(i, style, 1, column);
      if (!found.result.ok()) return found;
    }
    return found;
  }

  // What arrays refuse and tables need not: quotes over several lines, and carriage returns that
  // may be meant to end lines.
  static bool is_stricter(const status& array) {
    return array.code() == static_cast<int>(stat_code::quote_unbalanced) ||
           array.code() == static_cast<int>(stat_code::text_encoding);
  }

  static std::string both(const found_values& array, const found_values& table) {
    return "array: " + array.text() + "\ntable: " + table.text();
  }

  // Nothing: they agree. header="yes" or "no": the same, or both refuse. A table without a header
  // in an empty file is none, an array has no rows.
  std::string difference(const reading_options& options, header_rule header) {
    const found_values array = read_array(options, header);
    const found_values table = read_as_table(options, header);
    const bool nothing = table.result.code() == static_cast<int>(stat_code::end_of_file);
    bool agree = !array.result.ok() && !table.result.ok();
    if (array.result.ok())
      agree = table.result.ok() ? array.same(table) : nothing && array.rows == 0;
    good_ += array.result.ok() ? 1 : 0;
    return agree || is_stricter(array.result) ? "" : both(array, table);
  }

  // A first row is a header for both or for none. A table without one asks for header=. Arrays
  // refuse below more first rows; then header="yes" must give what the table has.
  std::string automatic_difference(const reading_options& options) {
    const found_values array = read_array(options, header_rule::automatic);
    const found_values table = read_as_table(options, header_rule::automatic);
    if (!array.result.ok()) {
      if (!table.result.ok() || is_stricter(array.result)) return {};
      return read_array(options, header_rule::yes).same(table) ? "" : both(array, table);
    }
    if (array.names.empty()) return table.result.ok() ? both(array, table) : "";
    // To a table of any types t is a logical if nothing or a logical is below it, a header without
    // any name is a row, and so is a date behind a mark ("# 2010-01").
    const bool asks = table.result.message().find("header=") != std::string::npos;
    const bool doubtful =
        std::any_of(array.names.begin(), array.names.end(), [](const std::string& name) {
          return name.empty() || is_logical_word(name) ||
                 look_of_cell(name, '.', {}) == cell_look::perhaps_name;
        });
    if (!table.result.ok() && asks && doubtful) return {};
    return array.same(table) ? "" : both(array, table);
  }

  std::string file_;
  std::mt19937 random_{20261128};
  std::size_t good_ = 0;
};

const char* name_of(type_class type) {
  return type == type_class::real      ? "real"
         : type == type_class::integer ? "integer"
         : type == type_class::complex ? "complex"
                                       : "logical";
}

TEST_F(TextsAndTables, ReadTheSameNamesAndValues) {
  const std::size_t files = long_tests() ? 100000 : 5000;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < files && shown < 10; ++i) {
    const reading_options options = random_options();
    const std::string text = random_file(options);
    put(file_, text);
    const auto expect_none = [&](const char* header, const std::string& difference) {
      if (difference.empty()) return;
      ++shown;
      ADD_FAILURE() << name_of(options.type) << ", delimiter '" << options.delimiter
                    << "', decimal '" << options.decimal << "', comment "
                    << (options.comment != '\0') << ", missing " << options.missing << ", header "
                    << header << "\n"
                    << text << "\n"
                    << difference;
    };
    expect_none("yes", difference(options, header_rule::yes));
    expect_none("no", difference(options, header_rule::no));
    expect_none("automatic", automatic_difference(options));
  }
  EXPECT_GT(good_, files / 2);  // of two for each
}

// What a writer puts into a first row is a header to both, with these names, and so are the rows.
TEST_F(TextsAndTables, FindTheNamesThatWereWritten) {
  const std::size_t files = long_tests() ? 20000 : 1000;
  std::size_t found_at_once = 0;
  // Values whose quotes another program may need: all in quotes, and one holds a comma or a blank.
  const auto may_be_values = [](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return name.find_first_of(",;|\t \"") != std::string::npos;
    });
  };
  for (std::size_t i = 0; i < files; ++i) {
    reading_options options = random_options();
    options.missing = false;  // names are among the texts
    const std::size_t columns = 1 + below(4);
    std::string value(16, '\0');
    value[7] = '\x40';  // 2.0, or an integer, or F
    write_settings settings;
    settings.text.delimiter = options.delimiter;
    settings.text.decimal = options.decimal;
    std::vector<std::string> names;
    for (std::size_t c = 0; c < columns; ++c) names.push_back(random_name());
    if (often(20)) std::fill(names.begin(), names.end(), names[0]);
    settings.header = names;
    array_view array{value.data(), options.elem_len(), options.type, 2};
    array.extent = {2, static_cast<std::ptrdiff_t>(columns)};
    array.stride = {0, 0};
    data_table table;
    table.decimal = options.decimal;
    value_style style;
    style.decimal = options.decimal;
    const array_view column{value.data(), options.elem_len(), options.type, 1, {2}, {0}};
    bool is_table = often(50);
    for (std::size_t c = 0; is_table && c < columns; ++c)
      is_table = std::count(names.begin(), names.end(), names[c]) == 1 &&
                 table.put(names[c], style, 1, column).ok();
    table_writing writing;
    writing.delimiter = options.delimiter;
    const status written =
        is_table ? write_table(file_, table, writing) : write_text(file_, array, settings);
    ASSERT_TRUE(written.ok()) << written.message();
    found_values found = read_array(options, header_rule::automatic);
    const found_values tabled = read_as_table(options, header_rule::automatic);
    const std::string text = content(file_);
    // What may be values asks for header=, and no other names or rows are found.
    for (const found_values* one : {static_cast<const found_values*>(&found), &tabled})
      if (one->result.ok() && one->names == names) {
        EXPECT_EQ(one->rows, 2U) << text;
        ++found_at_once;
      } else if (one->result.ok()) {
        EXPECT_TRUE(may_be_values(names)) << text << both(found, tabled);
      }
    const found_values told = read_array(options, header_rule::yes);
    if (std::all_of(names.begin(), names.end(), [](const std::string& s) { return is_missing(s); }))
      continue;
    EXPECT_TRUE(told.result.ok() && told.names == names && told.rows == 2)
        << text << both(told, tabled);
  }
  EXPECT_GT(found_at_once, files);
}

}  // namespace
}  // namespace headrace
