#include "text_read.hpp"

#include <algorithm>
#include <atomic>

#include "../core/buffer.hpp"
#include "../core/shared_work.hpp"

namespace headrace {
namespace {

constexpr std::size_t slots_a_thread = 8;
constexpr std::size_t most_slots = 64;
constexpr std::size_t large_array = std::size_t{4} << 20;

// Rows of one slot that go to the matrix.
struct row_task {
  std::size_t slot;
  std::size_t first;
  std::size_t count;
  std::size_t to;
};

}  // namespace

status text_row_reader::refill() {
  const std::size_t slots =
      std::min(most_slots, slots_a_thread * static_cast<std::size_t>(threads_));
  while (slots_.size() < slots) slots_.push_back(std::make_unique<slot>());
  std::atomic<std::size_t> filled{0};
  first_failure failure;
  share_out(threads_, slots, [&](std::size_t item, int) {
    slot& target = *slots_[item];
    bool found = false;
    target.used = 0;
    target.block.index = SIZE_MAX;  // sorts behind the filled ones
    target.found = input_.next(target.block, found);
    if (target.found.ok() && found) target.found = target.rows.find(target.block, rules_);
    if (!target.found.ok()) return failure.add(item, std::move(target.found));
    if (found)
      ++filled;
    else
      target.block.index = SIZE_MAX;
  });
  if (status s = failure.take(); !s.ok()) return s;
  std::sort(slots_.begin(), slots_.end(),
            [](const auto& a, const auto& b) { return a->block.index < b->block.index; });
  filled_ = filled;
  current_ = 0;
  for (std::size_t i = 0; i < filled_; ++i) {
    slots_[i]->position = position_;
    position_.rows += slots_[i]->rows.rows();
    position_.lines += slots_[i]->rows.lines();
  }
  return report_progress();
}

status text_row_reader::report_progress() {
  if (!progress_ || progress_(input_.taken(), input_.size())) return {};
  return status::failure(stat_code::interrupted, "the progress function ended the reading")
      .in_file(input_.file());
}

status text_row_reader::at_end(bool& end) {
  for (;;) {
    while (current_ < filled_ && slots_[current_]->used == slots_[current_]->rows.rows())
      ++current_;
    end = false;
    if (current_ < filled_) return {};
    if (status s = refill(); !s.ok()) return s;
    end = filled_ == 0;
    if (end) return {};
  }
}

status text_row_reader::count_rest(std::uint64_t& count) {
  count = 0;
  for (bool end = false;;) {
    if (status s = at_end(end); !s.ok() || end) return s;
    for (; current_ < filled_; ++current_) {
      slot& from = *slots_[current_];
      count += from.rows.rows() - from.used;
      from.used = from.rows.rows();
    }
  }
}

status text_row_reader::read(const text_matrix& matrix, std::size_t& count) {
  count = 0;
  tiles_.resize(static_cast<std::size_t>(threads_));
  const std::size_t row_bytes = matrix.columns() * matrix.array().elem_len;
  while (count < matrix.rows()) {
    bool end = false;
    if (status s = at_end(end); !s.ok() || end) return s;
    std::vector<row_task> tasks;
    for (std::size_t i = current_; i < filled_ && count < matrix.rows(); ++i) {
      slot& from = *slots_[i];
      const std::size_t rows = std::min(from.rows.rows() - from.used, matrix.rows() - count);
      tasks.push_back({i, from.used, rows, count});
      from.used += rows;
      count += rows;
    }
    first_failure failure;
    share_out(threads_, tasks.size(), [&](std::size_t item, int thread) {
      const row_task& task = tasks[item];
      const slot& from = *slots_[task.slot];
      char* values = matrix.in_place(task.to);
      buffer& tile = tiles_[static_cast<std::size_t>(thread)];
      const bool direct = values != nullptr;
      if (!direct) {
        tile.reserve(task.count * row_bytes);
        values = tile.data();
      }
      status converted = from.rows.convert(task.first, task.count, rules_, from.position, values);
      if (!converted.ok()) return failure.add(item, std::move(converted));
      if (!direct) matrix.scatter(task.to, task.count, values);
    });
    if (status s = failure.take(); !s.ok()) return s;
  }
  return {};
}

namespace {

status wrong_shape(const std::string& file, const std::string& expected, const std::string& found) {
  return status::failure(stat_code::row_count, "the file does not fit the array")
      .expected(expected, found)
      .in_file(file)
      .advise("read into an array of that shape, or let load_array allocate it");
}

std::string count_text(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

status check_shape(const std::string& file, const array_view& array,
                   const std::vector<std::size_t>& shape) {
  if (array.array_rank <= 2 || shape.empty()) return {};
  std::string expected;
  std::string found;
  for (int d = 0; d < array.array_rank; ++d) expected += " " + std::to_string(array.extent[d]);
  for (const std::size_t extent : shape) found += " " + std::to_string(extent);
  if (expected == found) return {};
  return wrong_shape(file, "the shape" + expected, "the shape" + found);
}

}  // namespace

array_view fitting_view(const array_view& array, std::size_t file_columns) {
  if (array.array_rank != 1 || file_columns <= 1 ||
      file_columns != static_cast<std::size_t>(array.extent[0]))
    return array;
  array_view row = array;
  row.array_rank = 2;
  row.extent[0] = 1;
  row.extent[1] = array.extent[0];
  row.stride[1] = array.stride[0];
  return row;
}

status read_text(const std::string& file, const array_view& array, const read_settings& settings) {
  if (!settings.text.edit.empty()) return read_text_edited(file, array, settings);
  if (array.type == type_class::character) return read_text_characters(file, array, settings);
  text_row_reader reader;
  if (status s = reader.open(file, settings); !s.ok()) return s;
  if (status s = reader.begin(array.type, array.elem_len); !s.ok()) return s;
  if (status s = check_shape(file, array, reader.shape()); !s.ok()) return s;
  const text_matrix matrix(fitting_view(array, reader.columns()));
  bool end = false;
  if (status s = reader.at_end(end); !s.ok()) return s;
  const bool nothing_wanted = matrix.rows() == 0 || matrix.columns() == 0;
  if (!end && !nothing_wanted && reader.columns() != matrix.columns())
    return wrong_shape(file, count_text(matrix.columns(), "column"),
                       count_text(reader.columns(), "column"));
  if (is_contiguous(array) && byte_count(array).value_or(0) >= large_array)
    advise_huge_pages(array.base, *byte_count(array));
  std::size_t count = 0;
  if (!nothing_wanted)
    if (status s = reader.read(matrix, count); !s.ok()) return s;
  if (status s = reader.check_unchanged(); !s.ok()) return s;
  std::uint64_t rest = 0;
  if (status s = reader.count_rest(rest); !s.ok()) return s;
  const std::size_t rows = matrix.columns() == 0 ? 0 : matrix.rows();
  if (count + rest == rows) return {};
  return wrong_shape(file, count_text(rows, "row"), count_text(count + rest, "row"));
}

status text_shape(const std::string& file, const read_settings& settings, type_class type,
                  std::uint64_t& rows, std::uint64_t& columns) {
  const std::size_t elem_len = type == type_class::complex ? 16 : 8;
  text_row_reader reader;
  if (status s = reader.open(file, settings); !s.ok()) return s;
  if (status s = reader.begin(type, elem_len); !s.ok()) return s;
  if (status s = reader.count_rest(rows); !s.ok()) return s;
  columns = reader.columns();
  return reader.check_unchanged();
}

}  // namespace headrace
