// Columns of different kinds with names. The cells stay texts, in one buffer for a file; a column
// becomes numbers when a program asks for it. Next: table_file.hpp, cells.hpp, parse.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cells.hpp"
#include "file.hpp"
#include "format.hpp"
#include "parse.hpp"

namespace headrace {

class data_table {
 public:
  struct column {
    std::string name;
    std::shared_ptr<cell_array> cells;
    std::size_t number = 0;   // of the column in cells
    bool plain = false;       // no cell needs quotes, but for empty ones
    bool named = true;        // false: the file has no names, this one is its number
    bool of_numbers = false;  // an array of numbers made the cells
    char decimal = '\0';      // of real and complex numbers that made the cells
    bool of_pairs = false;    // (1.5,-2.0)
  };

  std::size_t rows() const noexcept { return columns_.empty() ? rows_ : columns_[0].cells->rows(); }
  const std::vector<column>& columns() const noexcept { return columns_; }

  // The columns of a file, with as many names.
  void set_columns(cell_columns cells, std::vector<std::string> names, bool named = true);

  // column_unknown: there is none, or there are several of that name. Numbers from 1.
  status find(const std::string& name, std::size_t& index) const;
  status find(std::int64_t number, std::size_t& index) const;

  // A column as an array of any kind: array rank 1 with as many elements as there are rows.
  status get(std::size_t index, const parse_style& style, int threads,
             const array_view& array) const;
  // Replaces the column of that name, or adds one behind the others.
  status put(const std::string& name, const value_style& style, int threads,
             const array_view& array);

  // "integer", "real", "date", "timestamp", "logical" or "character": the first that all cells are,
  // empty ones aside.
  std::string type_of(std::size_t index) const;
  // A table for writing whose numbers have that decimal sign. bad_number: a column that was read
  // has the other one.
  status with_decimal(char sign, data_table& changed) const;
  // Bytes of the longest cell.
  std::size_t longest(std::size_t index) const;

  std::string file;       // where it was read, for messages
  char decimal = '.';     // of its numbers
  missing_texts missing;  // of all columns

 private:
  status check_decimal_of(std::size_t index, char sign) const;

  std::vector<column> columns_;
  std::shared_ptr<const cell_places> places_;  // of the columns that were read
  std::size_t rows_ = 0;
};

}  // namespace headrace
