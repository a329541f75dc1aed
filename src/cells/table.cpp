#include "table.hpp"

#include <algorithm>
#include <cstring>

#include "../text/column_names.hpp"
#include "../text/kernels/parse_numbers.hpp"

namespace headrace {
namespace {

enum column_type : unsigned {
  integer_type = 1,
  real_type = 2,
  date_type = 4,
  timestamp_type = 8,  // of dates, too
  logical_type = 16,
  any_type = 31
};

// Calls visit(text) for the cells of a column in a block until it returns false.
template <class Visit>
void for_each_cell(const data_table::column& column, const cell_block& block, Visit visit) {
  std::string scratch;
  const std::size_t columns = column.cells->columns();
  for (std::size_t row = 0; row < block.rows; ++row)
    if (!visit(column.cells->text(block, row * columns + column.number, scratch))) return;
}

template <class Visit>
void for_each_row(const data_table::column& column, Visit visit) {
  for (const cell_block& block : column.cells->blocks()) for_each_cell(column, block, visit);
}

// What a column can be, block by block.
class type_search {
 public:
  type_search(const data_table::column& column, const missing_texts& missing, char decimal)
      : column_(column), missing_(missing), cells_(*column.cells) {
    cell_style style;
    style.decimal = decimal;
    integers_ = cell_parser({type_class::integer, 8}, style);
    reals_ = cell_parser({type_class::real, 8}, style);
    logicals_ = cell_parser({type_class::logical, 8}, style);
  }

  // 0 also if all cells are empty.
  unsigned types() {
    for (const cell_block& block : cells_.blocks()) {
      const bool many = cells_.columns() == 1 && is_exact(cells_.decoding, block);
      if (many)
        look_at_many(block);
      else
        look_at_each(block);
      if (any_ && types_ == 0) return 0;
    }
    return any_ ? types_ : 0;
  }

 private:
  // Cells that need no decoding, in an array of their own.
  static bool is_exact(const cell_decoding& decoding, const cell_block& block) noexcept {
    return decoding.raw || (!decoding.ends_rows && !decoding.trims_ends && !block.may_have_quotes);
  }

  void look_at_each(const cell_block& block) {
    for_each_cell(column_, block,
                  [&](std::string_view text) { return look_at(text), types_ != 0; });
  }

  void look_at(std::string_view text) {
    if (missing_.is_text(text)) return;
    const unsigned types = types_of(text);
    if (types != types_ && missing_.stands_for_none(text)) return;
    any_ = true;
    types_ = types;
  }

  // Which of the types that are left a text can be.
  unsigned types_of(std::string_view text) const {
    char value[16];
    unsigned types = 0;
    const auto look = [&](unsigned type, const cell_parser& parser) {
      if ((types_ & type) != 0 && parser.parse(text, value) == cell_state::good) types |= type;
    };
    look(logical_type, logicals_);
    look(integer_type, integers_);
    look(real_type, reals_);
    time_stamp stamp;
    if ((types_ & timestamp_type) != 0 && parse_time_stamp(text, stamp))
      types |= stamp.has_time ? unsigned{timestamp_type} : types_ & (date_type | timestamp_type);
    return types;
  }

  void look_at_many(const cell_block& block) {
    // The type of the first value first: the others are refused by it.
    constexpr std::size_t few = 16;
    std::size_t seen = 0;
    for_each_cell(column_, block, [&](std::string_view text) {
      look_at(text);
      return ++seen < few && types_ != 0;
    });
    values_.resize(at_once);
    if ((types_ & (date_type | timestamp_type)) != 0) look_for_times(block);
    for (const auto& [type, parser] :
         {std::pair(unsigned{integer_type}, &integers_), std::pair(unsigned{real_type}, &reals_),
          std::pair(unsigned{logical_type}, &logicals_)})
      if ((types_ & type) != 0 && !all_are(*parser, block)) types_ &= ~type;
  }

  void look_for_times(const cell_block& block) {
    time_stamp_parser parser;
    for (std::size_t row = 0; row < block.rows; ++row) {
      const std::string_view text = block.raw(row);
      time_stamp stamp;
      if (parser.parse(text, stamp)) {
        any_ = true;
        if (stamp.has_time) types_ &= ~unsigned{date_type};
      } else if (!missing_.stands_for_none(text)) {
        any_ = true;
        types_ &= ~unsigned{date_type | timestamp_type};
        return;
      }
    }
  }

  bool all_are(const cell_parser& parser, const cell_block& block) {
    if (block.ends) return run_is(parser, block.text.data(), block.ends.get() + 1, block.rows);
    ends_.resize(at_once + 1);
    const std::size_t pitch = std::size_t{block.width} + 1;
    for (std::size_t k = 0; k <= at_once; ++k) ends_[k] = static_cast<std::uint32_t>(k * pitch) - 1;
    for (std::size_t row = 0; row < block.rows; row += at_once) {
      const char* const text = block.text.data() + row * pitch;
      if (!run_is(parser, text, ends_.data() + 1, std::min(at_once, block.rows - row)))
        return false;
    }
    return true;
  }

  bool run_is(const cell_parser& parser, const char* text, const std::uint32_t* ends,
              std::size_t rows) {
    for (std::size_t row = 0; row < rows;) {
      const std::size_t last = std::min(rows, row + at_once);
      cell_state state = cell_state::good;
      const std::size_t reached =
          parser.parse(text, ends, row, last, reinterpret_cast<char*>(values_.data()), state);
      any_ |= reached > row;
      row = reached;
      if (state == cell_state::good) continue;
      if (!missing_.stands_for_none(field_text(text, ends, row))) return any_ = true, false;
      ++row;
    }
    return true;
  }

  static constexpr std::size_t at_once = 4096;

  const data_table::column& column_;
  const missing_texts& missing_;
  const cell_array& cells_;
  cell_parser integers_, reals_, logicals_;
  unsigned types_ = any_type;
  bool any_ = false;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint32_t> ends_;
};

status wrong_rows(std::size_t rows, const array_view& array) {
  const std::size_t elements =
      array.array_rank == 0 ? 1 : static_cast<std::size_t>(array.extent[0]);
  return status::failure(stat_code::row_count, "the array does not fit the rows of the table")
      .expected(std::to_string(rows) + " elements", std::to_string(elements))
      .advise("ask row_count(table) first");
}

status check_rank(const array_view& array) {
  if (array.array_rank <= 1) return {};
  return status::failure(stat_code::argument_invalid, "a column is an array of array rank 1, not " +
                                                          std::to_string(array.array_rank))
      .advise("pass a section such as x(:, 1)");
}

// A column of numbers that were put, with another decimal sign. Between numbers are line feeds.
status copy_numbers(const data_table::column& column, char sign, cell_array& cells) {
  std::vector<cell_block> blocks;
  for (const cell_block& block : column.cells->blocks()) {
    blocks.emplace_back();
    cell_block& copy = blocks.back();
    copy.text.allocate(block.bytes + parse_padding);
    char* const text = copy.text.data();
    std::memcpy(text, block.text.data(), block.bytes);
    for (char* p = text; p < text + block.bytes; ++p) {
      if (*p == column.decimal)
        *p = sign;
      else if (column.of_pairs && (*p == ',' || *p == ';'))
        *p = sign == ',' ? ';' : ',';
    }
    copy.bytes = block.bytes;
    copy.rows = block.rows;
    copy.columns = block.columns;
    copy.width = block.width;
    if (!block.ends) continue;
    copy.ends.reset(new std::uint32_t[block.count() + 1]);
    std::copy_n(block.ends.get(), block.count() + 1, copy.ends.get());
  }
  return cells.append(std::move(blocks));
}

status refused_null(const std::string& name) {
  return status::failure(stat_code::text_encoding,
                         "a text for column " + shown(name) + " holds a null byte")
      .expected("text, with blanks or null bytes behind it only", "a null byte within it")
      .advise("end the text before it: files with null bytes are refused when they are read");
}

bool has_null(const cell_array& cells) noexcept {
  const auto& blocks = cells.blocks();
  return std::any_of(blocks.begin(), blocks.end(), [](const cell_block& block) {
    return block.bytes > 0 && std::memchr(block.text.data(), '\0', block.bytes) != nullptr;
  });
}

}  // namespace

void data_table::set_columns(cell_columns cells, std::vector<std::string> names, bool named) {
  columns_.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    cell_column& column = cells.columns[i];
    columns_.push_back(
        {std::move(names[i]), std::move(column.cells), column.number, false, named, false});
  }
  places_ = std::move(cells.places);
  rows_ = columns_.empty() ? 0 : columns_[0].cells->rows();
}

status data_table::find(const std::string& name, std::size_t& index) const {
  std::vector<std::string> known;
  for (const column& c : columns_) known.push_back(c.name);
  status failure = find_column_name(known, name, index);
  return failure.ok() || file.empty() ? failure : std::move(failure).in_file(file);
}

status data_table::find(std::int64_t number, std::size_t& index) const {
  index = static_cast<std::size_t>(number - 1);
  if (number >= 1 && index < columns_.size()) return {};
  status failure =
      status::failure(stat_code::column_unknown, "there is no column " + std::to_string(number))
          .advise("numbers are 1 to " + std::to_string(columns_.size()));
  return file.empty() ? failure : std::move(failure).in_file(file);
}

status data_table::get(std::size_t index, const parse_style& style, int threads,
                       const array_view& array) const {
  const column& wanted = columns_[index];
  if (status s = check_rank(array); !s.ok()) return s;
  const std::size_t elements = element_count(array).value_or(0);
  if (elements != rows()) {
    status failure = wrong_rows(rows(), array);
    return file.empty() ? failure : std::move(failure).in_file(file);
  }
  parse_style chosen = style;
  std::vector<std::string>& texts = chosen.missing.texts;
  texts.insert(texts.end(), missing.own().begin(), missing.own().end());
  const std::string& name = wanted.name;
  return parse_cells(*wanted.cells, {0, rows(), wanted.number, 1}, chosen, threads, array,
                     [&](std::size_t) { return name; });
}

status data_table::with_decimal(char sign, data_table& changed) const {
  changed = *this;
  for (std::size_t i = 0; i < changed.columns_.size(); ++i) {
    column& one = changed.columns_[i];
    if (one.decimal == '\0') {
      if (status s = check_decimal_of(i, sign); !s.ok()) return s;
    } else if (one.decimal != sign) {
      auto cells = std::make_shared<cell_array>();
      if (status s = copy_numbers(one, sign, *cells); !s.ok()) return s;
      one.cells = std::move(cells);
      one.decimal = sign;
      one.plain = sign == '.' && !one.of_pairs;
    }
  }
  return {};
}

// Of a column whose cells were read.
status data_table::check_decimal_of(std::size_t index, char sign) const {
  const column& one = columns_[index];
  if (one.of_numbers || sign == decimal || file.empty() || type_of(index) != "real") return {};
  std::string found;
  for_each_row(one, [&](std::string_view text) {
    if (text.find(decimal) != std::string_view::npos) found = text;
    return found.empty();
  });
  if (found.empty()) return {};
  return status::failure(stat_code::bad_number, "the numbers of column " + shown(one.name) +
                                                    " were read with another decimal sign")
      .expected(std::string("the decimal sign \"") + sign + '"', shown(found))
      .advise("get the column and put it again, or write with the decimal sign of the file");
}

status data_table::put(const std::string& name, const value_style& style, int threads,
                       const array_view& array) {
  if (status s = check_rank(array); !s.ok()) return s;
  const auto same = [&](const column& c) { return c.name == name; };
  const auto old = std::find_if(columns_.begin(), columns_.end(), same);
  if (old != columns_.end() && std::any_of(old + 1, columns_.end(), same)) {
    std::size_t one_of_them = 0;
    return find(name, one_of_them);
  }
  const std::size_t elements = element_count(array).value_or(0);
  const bool alone = columns_.empty() || (columns_.size() == 1 && old != columns_.end());
  if (!alone && elements != rows()) return wrong_rows(rows(), array);
  auto cells = std::make_shared<cell_array>();
  if (status s = append_cells(array, style, threads, *cells); !s.ok()) return s;
  if (array.type == type_class::character && has_null(*cells)) return refused_null(name);
  const bool pair = array.type == type_class::complex && style.imaginary.empty();
  const bool plain = array.type != type_class::character && style.decimal == '.' && !pair;
  const bool of_numbers =
      !style.as_seconds && (array.type == type_class::integer || array.type == type_class::real);
  column fresh{name, std::move(cells), 0, plain, old == columns_.end() || old->named, of_numbers};
  fresh.of_pairs = pair;
  if (!style.as_seconds && (array.type == type_class::real || array.type == type_class::complex) &&
      style.form != 'z')
    fresh.decimal = style.decimal;
  if (old != columns_.end())
    *old = std::move(fresh);
  else
    columns_.push_back(std::move(fresh));
  return {};
}

std::string data_table::type_of(std::size_t index) const {
  const unsigned types = type_search(columns_[index], missing, decimal).types();
  if (types == 0) return "character";
  if ((types & integer_type) != 0) return "integer";
  if ((types & real_type) != 0) return "real";
  if ((types & date_type) != 0) return "date";
  return (types & timestamp_type) != 0 ? "timestamp" : "logical";
}

std::size_t data_table::longest(std::size_t index) const {
  std::size_t length = 0;
  for_each_row(columns_[index], [&](std::string_view text) {
    length = std::max(length, text.size());
    return true;
  });
  return length;
}

}  // namespace headrace
