#include "cells_file.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>

#include "../core/threads.hpp"
#include "cells_sink.hpp"
#include "cells_source.hpp"

namespace headrace {
namespace {

using what = scan_problem::what;

status describe(const scan_problem& problem, std::size_t columns) {
  switch (problem.kind) {
    case what::row_length:
      return status::failure(stat_code::row_length, problem.found < columns ? "the row is too short"
                                                                            : "the row is too long")
          .expected(std::to_string(columns) + " cells", std::to_string(problem.found))
          .advise("check the delimiter, and quote cells that hold it");
    case what::text_after_quote:
      return status::failure(stat_code::quote_unbalanced, "a quoted cell goes on after its quote")
          .advise("quotes inside a quoted cell are written twice");
    case what::open_quote:
      return status::failure(stat_code::quote_unbalanced,
                             "a quoted cell that begins here never ends")
          .advise("end it with a quote, or choose another quote character");
    case what::lone_return:
      return status::failure(stat_code::text_encoding,
                             "lines end with carriage returns instead of line feeds")
          .advise("convert the file: tr '\\r' '\\n' < old > new");
    case what::nul:
      return status::failure(stat_code::text_encoding, "there is a NUL byte: this is no text")
          .advise("is it UTF-16 or a binary file?");
    default:
      return row_too_long();
  }
}

// Several threads read one file, block by block: in turn from the file, at once through the cells.
class cell_reader {
 public:
  cell_reader(const std::string& file, const cell_reading& reading, cell_array& cells)
      : file_(file), reading_(reading), cells_(cells) {}

  status run(std::vector<std::string>& names) {
    if (status s = source_.open(file_, reading_.rule); !s.ok()) return s;
    if (status s = begin(names); !s.ok()) return s;
    const auto threads = static_cast<std::size_t>(thread_count(reading_.threads));
    const std::size_t useful = std::min(threads, source_.blocks().value_or(threads));
    run_threads(static_cast<int>(useful), [&](int) { work(); });
    return finish();
  }

 private:
  // Everything before the first row of cells, and how many cells a row has.
  status begin(std::vector<std::string>& names) {
    if (status s = source_.next(first_); !s.ok()) return s;
    first_line_ = 1;
    if (status s = skip_rows(); !s.ok()) return s;
    if (reading_.header)
      if (status s = take_header(names); !s.ok()) return s;
    if (names.empty()) return count_columns();
    columns_ = names.size();
    return {};
  }

  status skip_rows() {
    for (int i = 0; i < reading_.skip_rows && first_.bytes > 0; ++i) {
      const void* const feed = std::memchr(first_.text.data(), '\n', first_.bytes);
      if (feed == nullptr) return row_too_long().in_file(file_);
      cut(static_cast<std::size_t>(static_cast<const char*>(feed) + 1 - first_.text.data()), 1);
      if (first_.bytes == 0)
        if (status s = source_.next(first_); !s.ok()) return s;
    }
    return {};
  }

  status take_header(std::vector<std::string>& names) {
    while (first_.bytes > 0) {
      std::uint64_t lines = 0;
      scan_problem problem;
      const std::size_t bytes =
          first_row(first_.text.data(), first_.bytes, reading_.rule, names, lines, problem);
      if (problem.kind != what::none) return fail(problem, first_line_);
      if (bytes > 0) return cut(bytes, lines), status();
      cut(first_.bytes, static_cast<std::uint64_t>(std::count(
                            first_.text.data(), first_.text.data() + first_.bytes, '\n')));
      if (status s = source_.next(first_); !s.ok()) return s;
    }
    return status::failure(stat_code::end_of_file, "the file is empty: it has no header")
        .in_file(file_)
        .advise("say header=.false. when it has none");
  }

  // Takes bytes from the beginning of the first block.
  void cut(std::size_t bytes, std::uint64_t lines) {
    first_.bytes -= bytes;
    first_line_ += lines;
    std::memmove(first_.text.data(), first_.text.data() + bytes, first_.bytes);
  }

  status count_columns() {
    columns_ = 1;
    if (!reading_.rule.simple()) {
      std::string_view text(first_.text.data(), first_.bytes);
      text = text.substr(0, text.find(reading_.rule.row_separator));
      const std::string& separator = reading_.rule.column_separator;
      for (std::size_t at = 0; (at = text.find(separator, at)) != std::string_view::npos;
           ++columns_)
        at += separator.size();
      return {};
    }
    std::vector<std::string> cells;
    std::uint64_t lines = 0;
    scan_problem problem;
    first_row(first_.text.data(), first_.bytes, reading_.rule, cells, lines, problem);
    if (problem.kind != what::none) return fail(problem, first_line_);
    columns_ = std::max<std::size_t>(1, cells.size());
    return {};
  }

  void work() {
    scan_workspace space;
    while (slot* const taken = take()) {
      taken->problem = scan_block(reading_.rule, columns_, space, taken->block);
      if (taken->problem.kind != what::none) stopped_ = true;
    }
  }

  struct slot {
    cell_block block;
    scan_problem problem;
  };

  slot* take() {
    const std::lock_guard<std::mutex> lock(guard_);
    if (stopped_) return nullptr;
    slots_.emplace_back();
    slot& taken = slots_.back();
    if (first_.bytes > 0) {
      std::swap(taken.block, first_);
      first_.bytes = 0;
      return &taken;
    }
    status read = source_.next(taken.block);
    if (read.ok() && taken.block.bytes > 0) return &taken;
    slots_.pop_back();
    result_.keep_first(std::move(read));
    stopped_ = true;
    return nullptr;
  }

  status finish() {
    std::uint64_t line = first_line_;
    std::vector<cell_block> blocks;
    blocks.reserve(slots_.size());
    for (slot& done : slots_) {
      if (done.problem.kind != what::none) return fail(done.problem, line);
      done.block.first_line = line;
      line += done.block.lines;
      blocks.push_back(std::move(done.block));
    }
    if (!result_.ok()) return result_;
    cells_.file = file_;
    cells_.separator = reading_.rule.column_separator[0];
    cells_.decoding = {reading_.rule.raw, reading_.rule.quote, reading_.rule.blanks_separate};
    return cells_.append(std::move(blocks));
  }

  status fail(const scan_problem& problem, std::uint64_t first_line) const {
    return describe(problem, columns_)
        .in_file(file_)
        .at_line(first_line + problem.line, problem.column + 1);
  }

  std::string file_;
  cell_reading reading_;
  cell_array& cells_;
  row_source source_;
  cell_block first_;
  std::uint64_t first_line_ = 1;
  std::size_t columns_ = 1;
  std::mutex guard_;
  std::deque<slot> slots_;
  std::atomic<bool> stopped_{false};
  status result_;
};

}  // namespace

status read_cells(const std::string& file, const cell_reading& reading, cell_array& cells,
                  std::vector<std::string>& names) {
  if (reading.rule.column_separator.empty() || reading.rule.row_separator.empty())
    return status::failure(stat_code::option_unknown, "a separator is empty")
        .in_file(file)
        .advise("give at least one character");
  cell_reader reader(file, reading, cells);
  return reader.run(names);
}

status write_cells(const std::string& file, const cell_array& cells, const cell_writing& writing) {
  text_sink sink;
  if (status s = sink.open(file, writing.append); !s.ok()) return s;
  std::string text;
  for (const cell_block& block : cells.blocks()) {
    const bool as_they_lie = writing.row_separator == "\n" &&
                             writing.column_separator == std::string(1, cells.separator);
    if (as_they_lie) {
      if (status s = sink.write(block.text.data(), block.bytes); !s.ok()) return s;
      continue;
    }
    for (std::size_t cell = 0; cell < block.count(); ++cell) {
      text += block.raw(cell);
      text += (cell + 1) % block.columns == 0 ? writing.row_separator : writing.column_separator;
      if (text.size() < usual_block_text) continue;
      if (status s = sink.write(text.data(), text.size()); !s.ok()) return s;
      text.clear();
    }
  }
  if (status s = sink.write(text.data(), text.size()); !s.ok()) return s;
  return sink.finish();
}

}  // namespace headrace
