#include "text_read.hpp"

#include <algorithm>
#include <atomic>

#include "../core/buffer.hpp"
#include "../core/shared_work.hpp"
#include "text_shape.hpp"

namespace headrace {
namespace {

constexpr std::size_t large_array = std::size_t{4} << 20;

}  // namespace

status text_row_reader::next_slot(slot& from, bool& found) {
  from.used = 0;
  if (status s = input_.next(from.block, found); !s.ok() || !found) return s;
  return from.rows.find(from.block, rules_);
}

// The next rows of a slot that are wanted.
status text_row_reader::convert_rows(slot& from, const target& to) {
  const std::size_t first = from.used;
  const std::uint64_t end = to.first + to.rows;
  const std::uint64_t left = end - std::min(end, from.position.rows + first);
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(from.rows.rows() - first, left));
  if (from.rows.has_trouble() && count > 0 && first + count > from.rows.rows_before_trouble())
    return from.rows.describe_trouble(rules_, from.position);
  from.used += count;
  if (to.matrix == nullptr || count == 0) return {};
  const text_matrix& matrix = *to.matrix;
  const auto row = static_cast<std::size_t>(from.position.rows + first - to.first);
  char* values = matrix.in_place(row);
  const bool direct = values != nullptr;
  if (!direct) {
    from.tile.reserve(count * matrix.columns() * matrix.array().elem_len);
    values = from.tile.data();
  }
  status result = from.rows.convert(count, rules_, from.position, values);
  if (result.ok() && !direct) matrix.scatter(row, count, values);
  return result;
}

void text_row_reader::keep(std::unique_ptr<slot> from) {
  const std::lock_guard<std::mutex> lock(guard_);
  const auto place = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& other) {
    return other->block.index > from->block.index;
  });
  waiting_.insert(place, std::move(from));
}

status text_row_reader::tell_progress() const {
  return report_progress(progress_, input_.taken(), input_.size(), "reading", input_.file());
}

// Rows of blocks that an earlier call has not used up.
status text_row_reader::read_waiting(const target& to) {
  while (!waiting_.empty()) {
    slot& from = *waiting_.front();
    if (status s = convert(from, to); !s.ok()) return s;
    if (!from.finished()) return {};
    waiting_.erase(waiting_.begin());
  }
  return {};
}

// One thread's share: a block stays in its cache from the file to the array.
void text_row_reader::read_blocks(const target& to, int thread) {
  auto own = std::make_unique<slot>();
  bool found = true;
  while (!order_.stopped() && order_.rows() < to.first + to.rows) {
    own->block.index = SIZE_MAX;
    status result = next_slot(*own, found);
    if (result.ok() && !found) return;
    const std::size_t index = own->block.index;
    if (result.ok()) {
      if (!order_.pass(index, own->rows, own->position)) return;
      result = convert(*own, to);
      if (result.ok() && !own->finished()) {
        keep(std::move(own));
        own = std::make_unique<slot>();
      }
    }
    // A callback of the program is called in the program's own thread.
    if (result.ok() && thread == 0) result = tell_progress();
    if (!result.ok()) {
      to.failure.add(index, std::move(result));
      order_.stop();
    }
  }
}

void text_row_reader::run_readers(const target& to) {
  if (order_.rows() >= to.first + to.rows) return;
  const auto useful =
      std::min<std::uint64_t>(input_.blocks_left(), static_cast<std::uint64_t>(threads_));
  run_threads(std::max(1, static_cast<int>(useful)), [&](int thread) {
    try {
      read_blocks(to, thread);
    } catch (...) {
      order_.stop();
      throw;
    }
  });
}

status text_row_reader::read(const text_matrix& matrix, std::size_t& count) {
  first_failure failure;
  const target to{&matrix, given_, matrix.rows(), failure};
  count = 0;
  if (!failure_.ok()) return failure_;
  failure_ = read_waiting(to);
  if (!failure_.ok()) return failure_;
  run_readers(to);
  failure_ = failure.take();
  if (!failure_.ok()) return failure_;
  count = static_cast<std::size_t>(std::min(order_.rows() - given_, to.rows));
  given_ += count;
  return {};
}

status text_row_reader::at_end(bool& end) {
  for (;;) {
    end = false;
    if (!failure_.ok()) return failure_;
    if (!waiting_.empty()) return {};
    auto next = std::make_unique<slot>();
    bool found = false;
    failure_ = next_slot(*next, found);
    if (failure_.ok() && found) failure_ = tell_progress();
    if (!failure_.ok()) return failure_;
    end = !found;
    if (end) return {};
    order_.pass(next->block.index, next->rows, next->position);
    if (!next->finished()) keep(std::move(next));
  }
}

status text_row_reader::count_rest(std::uint64_t& count) {
  first_failure failure;
  const target nowhere{nullptr, given_, UINT64_MAX - given_, failure};
  if (!failure_.ok()) return failure_;
  if (status s = read_waiting(nowhere); !s.ok()) return s;
  run_readers(nowhere);
  failure_ = failure.take();
  if (!failure_.ok()) return failure_;
  count = order_.rows() - given_;
  given_ += count;
  return {};
}

namespace {

status wrong_shape(stat_code code, const std::string& file, const std::string& expected,
                   const std::string& found) {
  return status::failure(code, "the file does not fit the array")
      .expected(expected, found)
      .in_file(file)
      .advise("read into an array with the shape of the file");
}

std::string count_text(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
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
  if (status s = check_stated_shape(file, array, settings, reader.shape()); !s.ok()) return s;
  const text_matrix matrix(fitting_view(array, reader.columns()));
  bool end = false;
  if (status s = reader.at_end(end); !s.ok()) return s;
  const bool nothing_wanted = matrix.rows() == 0 || matrix.columns() == 0;
  if (!end && !nothing_wanted && reader.columns() != matrix.columns())
    return wrong_shape(stat_code::row_length, file, count_text(matrix.columns(), "column"),
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
  return wrong_shape(stat_code::row_count, file, count_text(rows, "row"),
                     count_text(count + rest, "row"));
}

}  // namespace headrace
