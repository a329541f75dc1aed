// The rows of a block of lines: found, checked, converted. Next: converter.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../core/buffer.hpp"
#include "../core/settings.hpp"
#include "converter.hpp"
#include "input.hpp"
#include "quotes.hpp"

namespace headrace {

// What is the same for all rows of a file.
struct row_rules {
  std::string file;  // for messages
  read_settings settings;
  std::size_t file_columns = 0;      // cells in each row
  std::vector<std::size_t> columns;  // those to read, from 0; empty: all
  cell_converter converter;

  std::size_t wanted_columns() const noexcept {
    return columns.empty() ? file_columns : columns.size();
  }
};

// A cell of the first lines: a name has a letter and begins with none of a number's characters.
// What begins as a number and has a letter, and a date, may be one beside others (2m_temperature).
// Stars and other texts instead of values (is_lost_value) are none.
enum class cell_look { number, missing, name, perhaps_name, other };

// Where a block stands in the file.
struct row_position {
  std::uint64_t rows = 0;   // before it
  std::uint64_t lines = 0;  // before it, of any kind
  // Of the line that it continues, before it:
  std::uint64_t cells = 0;
  std::uint64_t bytes = 0;
};

// One block's fields and rows; the memory is used again for the next block.
class row_block {
 public:
  // Finds fields and counts rows. Quotes around cells and comments become blanks in the text.
  status find(text_block& block, const row_rules& rules);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t lines() const noexcept { return map_.lines; }
  std::size_t fields() const noexcept { return map_.fields; }

  // Moves a position from the beginning of the block to its end.
  void pass(row_position& position) const noexcept;

  // What is wrong with a line of the block: rows before it may be converted.
  bool has_trouble() const noexcept { return static_cast<bool>(trouble_); }
  std::size_t trouble_line() const noexcept { return trouble_line_; }
  std::size_t rows_before_trouble() const noexcept { return trouble_row_; }
  status describe_trouble(const row_rules& rules, const row_position& position) const;

  // What a cell of the block looks like, where a header may stand.
  cell_look look_of(std::size_t field, const row_rules& rules) const;
  std::string_view cell(std::size_t field) const noexcept {
    return field_text(text_, map_.ends, field);
  }

  // Converts the next count rows to row-major values. Checks that every row has the right number of
  // cells. position: of the block.
  status convert(std::size_t count, const row_rules& rules, const row_position& position,
                 char* values);

  // Blocks of pieces of lines: is this one, and the cells of each line in it.
  bool has_pieces() const noexcept { return continues_ || unfinished_; }
  bool ends_line(std::size_t line) const noexcept { return !unfinished_ || line + 1 < map_.lines; }
  std::size_t cells_before(std::size_t line) const noexcept {
    return line == 0 ? 0 : map_.line_fields[line - 1];
  }
  std::size_t cells_of(std::size_t line) const noexcept {
    return cells_before(line + 1) - cells_before(line);
  }
  // Converts cells of the block, first to last - 1.
  status convert_run(std::size_t first, std::size_t last, const row_rules& rules,
                     const row_position& position, char* values) const;
  // The failure of a row whose line has so many cells in this block, and in all.
  status wrong_length(std::size_t line, std::size_t cells, const row_rules& rules,
                      const row_position& position) const;

 private:
  void note(const line_trouble& trouble) noexcept;
  status check_lengths(std::size_t count, const row_rules& rules, const row_position& position,
                       std::size_t& line) const;
  status explain(std::size_t field, cell_state state, const row_rules& rules,
                 const row_position& position) const;
  std::size_t wrong_place(std::size_t line, std::size_t cells, std::size_t columns) const noexcept;
  std::size_t column_of(std::size_t line, std::size_t place,
                        const row_position& position) const noexcept;
  std::size_t line_begin(std::size_t line) const noexcept;

  const char* text_ = nullptr;
  std::size_t bytes_ = 0;
  bool continues_ = false;
  bool unfinished_ = false;
  buffer ends_;
  buffer line_fields_;
  std::vector<hidden_byte> hidden_;
  field_map map_;
  std::size_t rows_ = 0;
  std::size_t next_line_ = 0;  // behind the rows that were converted
  line_trouble trouble_;
  std::size_t trouble_line_ = 0;
  std::size_t trouble_row_ = 0;
};

}  // namespace headrace
