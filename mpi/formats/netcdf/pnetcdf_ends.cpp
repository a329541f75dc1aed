#include "pnetcdf_ends.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "../../disk/positioned_file.hpp"

namespace headrace {
namespace {

constexpr std::int64_t checked_bytes = std::int64_t{1} << 20;

// A section as ranges of the file, which are contiguous in memory too.
class file_runs {
 public:
  file_runs(const pnetcdf_part& part, std::int64_t element_bytes)
      : part_(part), bytes_(element_bytes), at_(part.lengths.size(), 0) {
    const auto dimensions = part.lengths.size();
    outer_ = dimensions;
    while (outer_ > 0 && (outer_ == dimensions || is_whole(outer_))) run_ *= count(--outer_);
  }

  std::int64_t run_bytes() const noexcept { return run_ * bytes_; }

  // Of the current run, in the file.
  std::int64_t begin() const noexcept {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < part_.lengths.size(); ++d)
      element = element * part_.lengths[d] + part_.section.start[d] + at_[d];
    return part_.first + element * bytes_;
  }

  // False behind the last run.
  bool advance() noexcept {
    for (std::size_t d = outer_; d-- > 0;) {
      if (++at_[d] < count(d)) return true;
      at_[d] = 0;
    }
    return false;
  }

 private:
  std::int64_t count(std::size_t d) const noexcept { return part_.section.count[d]; }
  bool is_whole(std::size_t d) const noexcept { return count(d) == part_.lengths[d]; }

  const pnetcdf_part& part_;
  std::int64_t bytes_;
  std::vector<std::int64_t> at_;
  std::size_t outer_ = 0;  // dimensions that a run does not go through
  std::int64_t run_ = 1;   // elements
};

// Offset of the last element that is not zero; -1: all are.
std::int64_t last_element(const char* data, std::int64_t bytes, std::int64_t element_bytes) {
  constexpr std::int64_t word = 8;
  std::int64_t end = bytes;
  std::int64_t value = 0;
  while (end >= word) {
    std::memcpy(&value, data + end - word, word);
    if (value != 0) break;
    end -= word;
  }
  while (end > 0 && data[end - 1] == 0) --end;
  return end == 0 ? -1 : (end - 1) / element_bytes * element_bytes;
}

// The elements that must be in the file, in its order. Those near each other are read at once: a
// call for each of many short runs would take as long as writing them.
class written_ends {
 public:
  written_ends(const std::string& file, std::int64_t element_bytes)
      : path_(file), bytes_(element_bytes) {}

  status open() { return file_.open_to_read(path_); }

  status expect(std::int64_t offset, const char* value) {
    if (!ends_.empty() && !joins(offset))
      if (status s = look(); !s.ok()) return s;
    ends_.push_back({offset, value});
    return {};
  }

  status finish() {
    if (status s = look(); !s.ok()) return s;
    return file_.close();
  }

 private:
  struct end_of_run {
    std::int64_t offset;
    const char* value;  // the caller's
  };

  bool joins(std::int64_t offset) const noexcept {
    return ends_.size() < most_ends && offset + bytes_ - ends_.front().offset <= checked_bytes &&
           offset - ends_.back().offset <= longest_gap;
  }

  // None of the elements is zero: what cannot be read differs from all.
  status look() {
    if (ends_.empty()) return {};
    const std::int64_t begin = ends_.front().offset;
    const std::int64_t bytes = ends_.back().offset + bytes_ - begin;
    found_.assign(static_cast<std::size_t>(bytes), 0);
    static_cast<void>(file_.read_at(begin, found_.data(), bytes));
    for (const end_of_run& end : ends_)
      if (!is_same(found_.data() + (end.offset - begin), end.value)) return missing(end.offset);
    ends_.clear();
    return {};
  }

  // Classic files are big-endian.
  bool is_same(const char* found, const char* value) const noexcept {
    for (std::int64_t i = 0; i < bytes_; ++i)
      if (found[i] != value[bytes_ - 1 - i]) return false;
    return true;
  }

  status missing(std::int64_t offset) const {
    return status::system(EIO, "the library reported success, but at least " +
                                   bytes_text(static_cast<std::uint64_t>(bytes_)) +
                                   " did not reach the file system")
        .at_byte(static_cast<std::uint64_t>(offset))
        .in_file(path_);
  }

  static constexpr std::size_t most_ends = std::size_t{1} << 15;
  // Reading on costs less than another call.
  static constexpr std::int64_t longest_gap = std::int64_t{32} << 10;

  const std::string& path_;
  std::int64_t bytes_;
  positioned_file file_;
  std::vector<end_of_run> ends_;
  std::vector<char> found_;
};

}  // namespace

status check_ends_written(const std::string& file, const pnetcdf_part& part, netcdf_type type,
                          const void* values) {
  if (part.section.values == 0) return {};
  const auto element_bytes = static_cast<std::int64_t>(bytes_of(type));
  written_ends ends(file, element_bytes);
  if (status s = ends.open(); !s.ok()) return s;
  const auto* data = static_cast<const char*>(values);
  file_runs runs(part, element_bytes);
  do {
    for (std::int64_t at = 0; at < runs.run_bytes(); at += checked_bytes) {
      const std::int64_t bytes = std::min(checked_bytes, runs.run_bytes() - at);
      const std::int64_t last = last_element(data, bytes, element_bytes);
      if (last >= 0)
        if (status s = ends.expect(runs.begin() + at + last, data + last); !s.ok()) return s;
      data += bytes;
    }
  } while (runs.advance());
  return ends.finish();
}

}  // namespace headrace
