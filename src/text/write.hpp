// Whole arrays to text files. Next: format.hpp (cells), pieces.hpp (threads).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "../core/compressed.hpp"
#include "../core/old_text.hpp"
#include "append.hpp"
#include "edit/edit_format.hpp"
#include "edit/uniform_rows.hpp"
#include "format.hpp"
#include "matrix.hpp"
#include "pieces.hpp"
#include "progress.hpp"

namespace headrace {

// Writes an array as rows of delimited cells, or through the format of settings.text.edit. The file
// appears, is replaced or grows as settings.replace says; .gz and .zst at its end compress it.
// Precondition: byte_count(array) has a value.
status write_text(const std::string& file, const array_view& array, const write_settings& settings);

// The rows of an array as pieces of text, and long rows in several pieces, so that all threads
// together keep within a few megabytes.
class cell_pieces {
 public:
  // For rows of so many columns, at least one, of the type and kind of an array.
  status make(const text_layout& layout, const array_view& array, std::size_t columns, int threads);

  // Pieces with all rows of a matrix of those columns. Both must outlive the producer.
  piece_producer producer(const text_matrix& matrix) const;

 private:
  status produce(const text_matrix& matrix, std::size_t piece, piece_workspace& space,
                 std::size_t& bytes) const;

  char delimiter_ = ',';
  std::size_t columns_ = 1;
  std::size_t piece_rows_ = 1;
  std::size_t piece_columns_ = 1;  // less than columns_: a row has several pieces
  std::size_t pieces_in_row_ = 1;
  std::unique_ptr<cell_formatter> full_;
  std::unique_ptr<cell_formatter> last_;  // of the last piece of a row, if that is shorter
};

// A text file that grows by rows: write_text opens one for its only array, text_writer for many.
// Rows of small calls wait in memory until there are many or finish() is called.
class text_file {
 public:
  // threads: 0 as the settings say.
  status open(const std::string& file, const write_settings& settings, int threads = 0);
  // Told the bytes of text so far, after blocks and at the end of every write_rows.
  void on_progress(progress_function function) { progress_ = std::move(function); }
  // The first call decides the number of columns and writes the header.
  status write_rows(const array_view& array);
  status finish();

 private:
  status begin_appending();
  status begin_rows(const array_view& array, std::size_t columns);
  status as_rows(const array_view& array, array_view& rows);
  status check_old_rows(const std::vector<std::string>& names);
  status write_cells(const array_view& array);
  status make_edited_rows(const array_view& array);
  status write_through_format(const array_view& array);
  status write_lines(std::string_view lines);
  status flush();
  status write_piece(const piece_producer& producer);
  status tell_progress(std::uint64_t bytes) const;
  status write_all(const piece_producer& producer, int threads);

  std::string file_;
  progress_function progress_;
  write_settings settings_;
  file_writer writer_;
  std::unique_ptr<byte_sink> plain_sink_;  // a file that takes bytes in order only
  std::unique_ptr<compressing_sink> compressor_;
  byte_sink* sink_ = nullptr;   // null: pieces go to their places in the file
  std::uint64_t position_ = 0;  // bytes of text so far, those that wait too
  std::string waiting_;         // the last of them, which the file does not have yet
  piece_workspace space_;       // of single pieces
  int threads_ = 1;
  bool begun_ = false;
  type_class type_ = type_class::integer;
  std::size_t elem_len_ = 0;
  std::size_t columns_ = 0;
  old_text old_text_;  // of the file that is appended to
  old_rows old_;
  cell_pieces cells_;
  edit_format edit_;
  std::unique_ptr<row_formatter> edited_rows_;  // null: value by value
};

}  // namespace headrace
