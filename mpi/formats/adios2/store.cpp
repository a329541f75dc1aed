#include "store.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "../../disk/positioned_file.hpp"

namespace headrace {
namespace {

status read_whole(const std::string& file, std::string& bytes) {
  positioned_file source;
  std::int64_t size = 0;
  if (status s = source.open_to_read(file); !s.ok()) return s;
  if (status s = source.size(size); !s.ok()) return s;
  bytes.resize(static_cast<std::size_t>(size));
  return source.read_at(0, bytes.data(), size);
}

std::uint64_t number_at(const std::string& bytes, std::uint64_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

status damaged(const std::string& file, const std::string& what) {
  return status::failure(stat_code::header_damaged, "this is no whole ADIOS2 store: " + what)
      .in_file(file)
      .advise("compare the sizes of its files with the original's");
}

// md.idx: 64 bytes, then records of one letter, the length of what follows, and that.
constexpr std::uint64_t header_bytes = 64;
constexpr std::uint64_t version_at = 37;
constexpr std::uint64_t word = 8;

class bp5_index {
 public:
  explicit bp5_index(const std::string& directory) : directory_(directory) {}

  status check() {
    const std::string file = directory_ + "/md.idx";
    if (status s = read_whole(file, index_); !s.ok()) return s;
    if (index_.size() < header_bytes) return damaged(file, "it ends within its header");
    if (index_.compare(0, 9, "ADIOS-BP ") != 0) return damaged(file, "it does not begin as one");
    if (index_[version_at] != 5) return {};
    if (status s = read_whole(directory_ + "/md.0", metadata_); !s.ok()) return s;
    std::uint64_t at = header_bytes;
    while (at < index_.size()) {
      if (index_.size() - at < 1 + word) return damaged(file, "it ends within a record");
      const char kind = index_[at];
      const std::uint64_t bytes = number_at(index_, at + 1);
      at += 1 + word;
      if (bytes > index_.size() - at) return damaged(file, "it ends within a record");
      if (!fits(kind, at, bytes)) return damaged(file, "a record contradicts md.0 or itself");
      at += bytes;
    }
    if (steps_ == 0) return damaged(file, "it has no step");
    if (status s = check_formats(); !s.ok()) return s;
    return check_data();
  }

 private:
  bool fits(char kind, std::uint64_t at, std::uint64_t bytes) {
    if (bytes < 3 * word || bytes % word != 0) return false;
    if (kind == 'w') {
      writers_ = number_at(index_, at);
      if (writers_ == 0 || writers_ != bytes / word - 3) return false;
      file_of_writer_.clear();
      for (std::uint64_t i = 0; i < writers_; ++i)
        file_of_writer_.push_back(number_at(index_, at + word * (3 + i)));
      return true;
    }
    if (kind != 's' || writers_ == 0) return false;
    ++steps_;
    const std::uint64_t flushes = number_at(index_, at + 2 * word);
    if (flushes > bytes || bytes / word != 3 + writers_ * (2 * flushes + 1)) return false;
    note_data(at + 3 * word, flushes);
    return fits_metadata(number_at(index_, at), number_at(index_, at + word));
  }

  // A step in md.0: its length, that of each writer's variables and attributes, and these.
  bool fits_metadata(std::uint64_t at, std::uint64_t bytes) const {
    const std::uint64_t size = metadata_.size();
    if (at > size || bytes > size - at || bytes < word * (1 + 2 * writers_)) return false;
    std::uint64_t used = word * (1 + 2 * writers_);
    for (std::uint64_t i = 0; i < 2 * writers_; ++i) {
      const std::uint64_t one = number_at(metadata_, at + word * (1 + i));
      if (one > bytes) return false;
      used += one;
    }
    return used <= bytes;
  }

  // Where each writer's bytes begin in its data file, and how many there are; of the last ones only
  // where they begin.
  void note_data(std::uint64_t at, std::uint64_t flushes) {
    for (std::uint64_t writer = 0; writer < writers_; ++writer) {
      std::uint64_t& end = end_of_file_[file_of_writer_[writer]];
      for (std::uint64_t flush = 0; flush < flushes; ++flush, at += 2 * word) {
        const std::uint64_t bytes = number_at(index_, at + word);
        if (bytes > 0) end = std::max(end, number_at(index_, at) + bytes);
      }
      at += word;
    }
  }

  status check_data() const {
    for (const auto& [number, end] : end_of_file_) {
      const std::string file = directory_ + "/data." + std::to_string(number);
      positioned_file data;
      std::int64_t size = 0;
      if (status s = data.open_to_read(file); !s.ok()) return s;
      if (status s = data.size(size); !s.ok()) return s;
      if (static_cast<std::uint64_t>(size) < end)
        return status::failure(stat_code::end_of_file, "a data file of the store is cut")
            .in_file(file)
            .expected("at least " + bytes_text(end), bytes_text(static_cast<std::uint64_t>(size)))
            .advise("copy it again");
    }
    return {};
  }

  // mmd.0: pairs of a name and a description, both with their lengths before.
  status check_formats() const {
    const std::string file = directory_ + "/mmd.0";
    std::string bytes;
    if (status s = read_whole(file, bytes); !s.ok()) return s;
    std::uint64_t at = 0;
    while (at < bytes.size()) {
      if (bytes.size() - at < 2 * word) return damaged(file, "it ends within a description");
      const std::uint64_t name = number_at(bytes, at);
      const std::uint64_t text = number_at(bytes, at + word);
      at += 2 * word;
      if (name > bytes.size() - at || text > bytes.size() - at - name)
        return damaged(file, "it ends within a description");
      at += name + text;
    }
    return bytes.empty() ? damaged(file, "it is empty") : status();
  }

  std::string directory_;
  std::string index_;
  std::string metadata_;
  std::uint64_t writers_ = 0;
  std::vector<std::uint64_t> file_of_writer_;
  std::map<std::uint64_t, std::uint64_t> end_of_file_;
  std::uint64_t steps_ = 0;
};

}  // namespace

status check_bp5_store(const std::string& directory) {
  positioned_file probe;
  if (!probe.open_to_read(directory + "/md.idx").ok()) return {};
  return bp5_index(directory).check();
}

}  // namespace headrace
