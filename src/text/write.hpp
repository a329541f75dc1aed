// Whole arrays to text files. Next: row_pieces.hpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "../core/compressed.hpp"
#include "append.hpp"
#include "edit/edit_format.hpp"
#include "edit/uniform_rows.hpp"
#include "progress.hpp"
#include "row_pieces.hpp"

namespace headrace {

// Writes an array as rows of delimited cells, or through the format of settings.text.edit. The file
// appears, is replaced or grows as settings.replace says; .gz and .zst at its end compress it.
// Precondition: byte_count(array) has a value.
status write_text(const std::string& file, const array_view& array, const write_settings& settings);

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
  bool has_old_rows() const noexcept;
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
  old_rows old_;  // of the file that is appended to
  cell_pieces cells_;
  edit_format edit_;
  std::unique_ptr<row_formatter> edited_rows_;  // null: value by value
};

}  // namespace headrace
