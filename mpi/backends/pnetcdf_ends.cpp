#include "pnetcdf_ends.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "../core/positioned_file.hpp"

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

// Classic files are big-endian.
bool is_in_file(const positioned_file& file, std::int64_t offset, const char* element,
                std::int64_t bytes) {
  std::array<char, 8> expected{};
  std::array<char, 8> found{};
  std::reverse_copy(element, element + bytes, expected.begin());
  return file.read_at(offset, found.data(), bytes).ok() && found == expected;
}

}  // namespace

status check_ends_written(const std::string& file, const pnetcdf_part& part, netcdf_type type,
                          const void* values) {
  if (part.section.values == 0) return {};
  positioned_file written;
  if (status s = written.open_to_read(file); !s.ok()) return s;
  const auto element_bytes = static_cast<std::int64_t>(bytes_of(type));
  const auto* data = static_cast<const char*>(values);
  file_runs runs(part, element_bytes);
  do {
    for (std::int64_t at = 0; at < runs.run_bytes(); at += checked_bytes) {
      const std::int64_t bytes = std::min(checked_bytes, runs.run_bytes() - at);
      const std::int64_t last = last_element(data, bytes, element_bytes);
      const std::int64_t offset = runs.begin() + at + last;
      if (last >= 0 && !is_in_file(written, offset, data + last, element_bytes))
        return status::system(EIO, "the library reported success, but at least " +
                                       bytes_text(static_cast<std::uint64_t>(element_bytes)) +
                                       " did not reach the file system")
            .at_byte(static_cast<std::uint64_t>(offset))
            .in_file(file);
      data += bytes;
    }
  } while (runs.advance());
  return written.close();
}

}  // namespace headrace
