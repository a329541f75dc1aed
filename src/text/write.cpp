#include "write.hpp"

#include <algorithm>

#include "../core/array_copy.hpp"
#include "../core/file_streams.hpp"
#include "../core/threads.hpp"
#include "append.hpp"
#include "edit/edit_transfer.hpp"
#include "edit/uniform_rows.hpp"
#include "kernels/format_numbers.hpp"
#include "kernels/number_types.hpp"
#include "matrix.hpp"
#include "read.hpp"

namespace headrace {
namespace {

// Rows up to this length usually fit into a piece by the hundred.
constexpr std::size_t short_row = 1024;
constexpr std::size_t gathered_bytes = std::size_t{1} << 20;
// Smaller arrays are a single piece: even counting the processors costs more than it saves.
constexpr std::size_t one_thread_bytes = std::size_t{16} << 10;
// Text of small calls that waits for more: a system call costs as much as forty numbers.
constexpr std::size_t waiting_bytes = std::size_t{64} << 10;

// "# shape: 2 3 4": the extents of an array whose rows and columns are not its shape.
std::string shape_line(const array_view& array) {
  std::string line = "# shape:";
  for (int d = 0; d < array.array_rank; ++d) line += " " + std::to_string(array.extent[d]);
  return line + "\n";
}

// One name for each column; a single name for several columns gets their numbers.
status column_names(const write_settings& settings, std::size_t columns,
                    std::vector<std::string>& names) {
  names = settings.header;
  if (names.empty() || names.size() == columns) return {};
  if (names.size() != 1)
    return status::failure(stat_code::option_unknown, "header= does not fit the columns")
        .expected("1 name or " + std::to_string(columns), std::to_string(names.size()))
        .advise("give a name for each column, or one that gets their numbers");
  for (std::size_t c = 0; c < columns; ++c) {
    const std::string name = settings.header[0] + std::to_string(c + 1);
    c == 0 ? names[0] = name : names.emplace_back(name);
  }
  return {};
}

std::string header_line(const std::vector<std::string>& names, const text_layout& layout,
                        type_class type) {
  const std::vector<bool> above_logicals(names.size(), type == type_class::logical);
  const std::vector<bool> like_values = names_like_values(names, layout, above_logicals);
  std::string line;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (c > 0) line += layout.delimiter;
    like_values[c] ? append_in_quotes(line, names[c], '"')
                   : append_quoted(line, names[c], layout.delimiter);
  }
  return line + '\n';
}

// Elements in element order as pieces of whole records.
class record_pieces {
 public:
  record_pieces(const row_formatter& rows, const array_view& array, int threads)
      : rows_(rows),
        array_(array),
        copier_(array),
        // A complex element is two values: a record may begin in the middle of one.
        value_bytes_(array.type == type_class::complex ? array.elem_len / 2 : array.elem_len),
        values_(byte_count(array).value_or(0) / value_bytes_),
        contiguous_(is_contiguous(array)),
        piece_values_(std::min(parts_of(values_, rows.values),
                               std::max<std::size_t>(1, piece_bytes(threads) / rows.bytes)) *
                      rows.values),
        threads_(threads_that_hold(rows.bytes + rows.values * value_bytes_, threads)) {}

  // Fewer when the records are long.
  int threads() const noexcept { return threads_; }

  piece_producer producer() {
    piece_producer result;
    result.pieces = parts_of(values_, piece_values_);
    if (!contiguous_)
      result.take = [this](std::size_t piece, piece_workspace& space) {
        space.tile.reserve(piece_values_ * value_bytes_);
        copier_.gather(space.tile.data(), count(piece) * value_bytes_);
        return status();
      };
    result.produce = [this](std::size_t piece, piece_workspace& space, std::size_t& bytes) {
      const char* const values =
          contiguous_ ? array_.base + piece * piece_values_ * value_bytes_ : space.tile.data();
      space.text.reserve(parts_of(piece_values_, rows_.values) * rows_.bytes + format_slack);
      char* const text = space.text.data();
      const bool more_follow = (piece + 1) * piece_values_ < values_;
      bytes =
          static_cast<std::size_t>(rows_.format(text, values, count(piece), more_follow) - text);
      return status();
    };
    return result;
  }

 private:
  std::size_t count(std::size_t piece) const noexcept {
    return std::min(piece_values_, values_ - piece * piece_values_);
  }

  const row_formatter& rows_;
  const array_view& array_;
  array_copier copier_;
  std::size_t value_bytes_;
  std::size_t values_;
  bool contiguous_;
  std::size_t piece_values_;
  int threads_;
};

// Gathers small texts to large writes.
class gathering_sink final : public byte_sink {
 public:
  using writing = std::function<status(const std::string& text)>;
  explicit gathering_sink(writing write) : write_(std::move(write)) {}
  status write(const char* data, std::size_t bytes) override {
    text_.append(data, bytes);
    return text_.size() < gathered_bytes ? status() : flush();
  }
  status flush() {
    status result = write_(text_);
    text_.clear();
    return result;
  }

 private:
  writing write_;
  std::string text_;
};

}  // namespace

status cell_pieces::make(const text_layout& layout, const array_view& array, std::size_t columns,
                         int threads) {
  delimiter_ = layout.delimiter;
  columns_ = columns;
  const auto formatter = [&](std::size_t width, std::unique_ptr<cell_formatter>& made) {
    return make_cell_formatter(layout, array.type, array.elem_len, width, made);
  };
  const std::size_t parts = most_piece_bytes / piece_bytes(threads);
  piece_columns_ = columns;
  pieces_in_row_ = 1;
  last_.reset();
  if (columns <= short_row) {
    if (status s = formatter(columns, full_); !s.ok()) return s;
    piece_rows_ = full_->tile_rows / parts;
    if (piece_rows_ > 0) return {};
  }
  // A tile of single cells says how many fit into a piece.
  std::unique_ptr<cell_formatter> single;
  if (status s = formatter(1, single); !s.ok()) return s;
  const std::size_t cells = std::max<std::size_t>(1, single->tile_rows / parts);
  piece_columns_ = std::min(columns, cells);
  pieces_in_row_ = parts_of(columns, piece_columns_);
  const std::size_t rest = columns % piece_columns_;
  if (rest != 0)
    if (status s = formatter(rest, last_); !s.ok()) return s;
  if (status s = formatter(piece_columns_, full_); !s.ok()) return s;
  piece_rows_ = pieces_in_row_ == 1 ? std::min(full_->tile_rows, cells / columns) : 1;
  return {};
}

piece_producer cell_pieces::producer(const text_matrix& matrix) const {
  piece_producer result;
  result.pieces = parts_of(matrix.rows(), piece_rows_) * pieces_in_row_;
  result.produce = [this, &matrix](std::size_t piece, piece_workspace& space, std::size_t& bytes) {
    return produce(matrix, piece, space, bytes);
  };
  return result;
}

status cell_pieces::produce(const text_matrix& matrix, std::size_t piece, piece_workspace& space,
                            std::size_t& bytes) const {
  const std::size_t row = piece / pieces_in_row_ * piece_rows_;
  const std::size_t rows = std::min(piece_rows_, matrix.rows() - row);
  column_range columns;
  columns.first = piece % pieces_in_row_ * piece_columns_;
  columns.count = std::min(piece_columns_, columns_ - columns.first);
  const std::size_t elem_len = matrix.array().elem_len;
  const char* tile = matrix.in_place(row);
  if (tile != nullptr) {
    tile += columns.first * elem_len;
  } else {
    space.tile.reserve(piece_rows_ * piece_columns_ * elem_len);
    matrix.gather(row, rows, columns, space.tile.data());
    tile = space.tile.data();
  }
  const cell_formatter& cells = columns.count < piece_columns_ ? *last_ : *full_;
  if (status s = cells.format(tile, rows, space.text, space.scratch, bytes); !s.ok()) return s;
  // A formatter ends its rows: here the row goes on.
  if (columns.first + columns.count < columns_) space.text.data()[bytes - 1] = delimiter_;
  return {};
}

status text_file::open(const std::string& file, const write_settings& settings, int threads) {
  file_ = file;
  settings_ = settings;
  threads_ = threads > 0 ? threads : thread_count(settings.threads);
  if (status s = check_level(file, settings.level); !s.ok()) return std::move(s).in_file(file);
  if (status s = writer_.open(file, settings.replace); !s.ok()) return s;
  const compression kind = compression_of(file);
  if (kind == compression::none && writer_.can_write_at()) return begin_appending();
  plain_sink_ = std::make_unique<file_sink>(writer_);
  sink_ = plain_sink_.get();
  if (kind == compression::none) return {};
  if (status s = open_compressor(*plain_sink_, kind, settings.level, threads_, file, compressor_);
      !s.ok())
    return s;
  sink_ = compressor_.get();
  return begin_appending();
}

status text_file::begin_appending() {
  if (status s = look_at_old_text(writer_, file_, old_text_); !s.ok()) return s;
  return old_text_.ends_within_line() ? write_lines("\n") : status();
}

status text_file::write_lines(std::string_view lines) {
  if (sink_ != nullptr) {
    position_ += lines.size();
    return sink_->write(lines.data(), lines.size());
  }
  if (waiting_.size() + lines.size() > waiting_bytes)
    if (status s = flush(); !s.ok()) return s;
  const std::uint64_t offset = position_;
  position_ += lines.size();
  if (lines.size() >= waiting_bytes) return writer_.write_at(offset, lines.data(), lines.size());
  waiting_.append(lines);
  return {};
}

status text_file::flush() {
  if (waiting_.empty()) return {};
  status result = writer_.write_at(position_ - waiting_.size(), waiting_.data(), waiting_.size());
  waiting_.clear();
  return result;
}

status text_file::tell_progress(std::uint64_t bytes) const {
  return report_progress(progress_, bytes, 0, "writing", file_);
}

// A single piece needs no threads.
status text_file::write_piece(const piece_producer& producer) {
  std::size_t bytes = 0;
  if (producer.take)
    if (status s = producer.take(0, space_); !s.ok()) return s;
  if (status s = producer.produce(0, space_, bytes); !s.ok()) return s;
  return write_lines({space_.text.data(), bytes});
}

status text_file::write_all(const piece_producer& producer, int threads) {
  if (producer.pieces == 1) return write_piece(producer);
  if (status s = flush(); !s.ok()) return s;
  piece_destination destination = sink_ != nullptr ? piece_destination(*sink_, position_)
                                                   : piece_destination(writer_, position_);
  status result = write_pieces(producer, threads, destination,
                               [this](std::uint64_t bytes) { return tell_progress(bytes); });
  position_ = destination.position();
  return result;
}

// An array of rank 1 is a row if the header or the rows of the file say as many columns as it has
// elements. In a file that grows it is not made a column unless one of them says so.
status text_file::as_rows(const array_view& array, array_view& rows) {
  rows = array;
  if (array.array_rank != 1 || array.extent[0] <= 1) return {};
  const bool asks_file = !begun_ && settings_.replace == replace_mode::append;
  std::size_t said = begun_ ? columns_ : settings_.header.size();
  std::size_t in_file = 0;
  if (asks_file && old_text_.any) {
    in_file = old_.columns();
    if (in_file > 0) said = in_file;
  }
  rows = fitting_view(array, said);
  // With other columns in the file the check of its rows says so.
  if (rows.array_rank == 2 || !asks_file || said == 1 || in_file > 0) return {};
  return status::failure(stat_code::argument_invalid,
                         "an array of rank 1 can be a row or a column of a file that grows")
      .expected("header= with a name for each element (a row) or with one name (a column)",
                said == 0 ? "a file without rows, and no header="
                          : std::to_string(said) + " columns for " +
                                std::to_string(array.extent[0]) + " elements")
      .in_file(file_)
      .advise(
          "or give it array rank 2: reshape(x, [1, size(x)]) is a row, "
          "reshape(x, [size(x), 1]) a column (Python: x[None, :], x[:, None])");
}

status text_file::begin_rows(const array_view& array, std::size_t columns) {
  if (begun_) {
    if (array.type == type_ && array.elem_len == elem_len_ && columns == columns_) return {};
    return status::failure(stat_code::row_length, "the rows do not fit those before")
        .expected(std::to_string(columns_) + " columns of the same type and kind",
                  std::to_string(columns) + " columns")
        .advise("write rows of one type, kind and length into a file");
  }
  begun_ = true;
  type_ = array.type;
  elem_len_ = array.elem_len;
  columns_ = columns;
  if (status s = cells_.make(settings_.text, array, std::max<std::size_t>(1, columns), threads_);
      !s.ok())
    return s;
  std::vector<std::string> names;
  if (status s = column_names(settings_, columns, names); !s.ok()) return s;
  if (old_text_.any) return check_old_rows(names);
  std::string lines;
  if (array.array_rank > 2) lines = shape_line(array);
  if (!names.empty()) lines += header_line(names, settings_.text, type_);
  return lines.empty() ? status() : write_lines(lines);
}

// Rows that are appended have the cells and the names of those in the file.
status text_file::check_old_rows(const std::vector<std::string>& names) {
  appended_rows rows;
  rows.type = type_;
  rows.columns = columns_;
  rows.text = settings_.text;
  rows.names = names;
  return old_.check(rows);
}

status text_file::write_cells(const array_view& array) {
  array_view rows;
  if (!begun_ && old_text_.any) {
    appended_rows like;
    like.type = array.type;
    like.text = settings_.text;
    if (status s = old_.look(file_, writer_, like); !s.ok()) return s;
  }
  if (status s = as_rows(array, rows); !s.ok()) return s;
  const text_matrix matrix(rows);
  if (status s = begin_rows(array, matrix.columns()); !s.ok()) return s;
  if (matrix.columns() == 0) return {};
  return write_all(cells_.producer(matrix), threads_);
}

// The format is taken apart once for many calls with one type.
status text_file::make_edited_rows(const array_view& array) {
  if (begun_ && array.type == type_ && array.elem_len == elem_len_) return {};
  edit_dialect dialect;
  if (status s = parse_dialect(settings_.text.dialect, dialect); !s.ok()) return s;
  if (status s = parse_edit_format(settings_.text.edit, edit_, settings_.text.decimal, dialect);
      !s.ok())
    return s;
  const bool complex = array.type == type_class::complex;
  edited_rows_ = make_row_formatter(edit_, complex ? type_class::real : array.type,
                                    complex ? array.elem_len / 2 : array.elem_len);
  begun_ = true;
  type_ = array.type;
  elem_len_ = array.elem_len;
  return {};
}

status text_file::write_through_format(const array_view& array) {
  if (status s = check_text_kind(array.type, array.elem_len); !s.ok()) return s;
  gathering_sink sink([this](const std::string& text) {
    status written = write_lines(text);
    return written.ok() ? tell_progress(position_) : written;
  });
  status result;
  if (settings_.text.edit == "*") {
    result = write_list_directed(array, settings_.text.decimal, sink);
  } else {
    if (status s = make_edited_rows(array); !s.ok()) return s;
    if (edited_rows_ != nullptr && edited_rows_->bytes <= longest_uniform_record &&
        byte_count(array).value_or(0) > 0) {
      record_pieces pieces(*edited_rows_, array, threads_);
      return write_all(pieces.producer(), pieces.threads());
    }
    result = write_edited(edit_, array, sink);
  }
  return result.ok() ? sink.flush() : result;
}

status text_file::write_rows(const array_view& array) {
  status result = settings_.text.edit.empty() ? write_cells(array) : write_through_format(array);
  if (result.ok()) result = tell_progress(position_);
  return result.ok() ? std::move(result) : std::move(result).in_file_once(file_);
}

status text_file::finish() {
  if (compressor_ != nullptr)
    if (status s = compressor_->finish(); !s.ok()) return s;
  if (status s = flush(); !s.ok()) return s;
  if (sink_ == nullptr) writer_.extend_to(position_);
  return writer_.finish(settings_.sync);
}

status write_text(const std::string& file, const array_view& array,
                  const write_settings& settings) {
  text_file text;
  const int threads = byte_count(array).value_or(0) <= one_thread_bytes ? 1 : 0;
  if (status s = text.open(file, settings, threads); !s.ok()) return s;
  if (status s = text.write_rows(array); !s.ok()) return s;
  return text.finish();
}

}  // namespace headrace
