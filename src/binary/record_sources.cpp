#include "record_sources.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "../core/buffer.hpp"
#include "record_block.hpp"
#include "record_walk.hpp"

namespace headrace {
namespace {

// Records up to this length are read many at a time.
constexpr std::uint64_t short_record = 16384;
// Bytes of the file that are read at a time then: they stay in the cache.
constexpr std::size_t raw_bytes = std::size_t{256} << 10;

status open_whole(const std::string& file, file_reader& reader) {
  return reader.open_sized(file, "a pipe or device cannot be converted", "save it to a file first");
}

class sequential_source final : public record_source {
 public:
  status open(const std::string& file, const record_dialect& dialect) {
    file_ = file;
    if (status s = open_whole(file, reader_); !s.ok()) return s;
    walk_.emplace(reader_, dialect);
    return {};
  }

  status next(bool& found, std::uint64_t& bytes) override {
    found = walk_->next(record_);
    if (!found) return named(walk_->failure());
    bytes = record_.bytes;
    piece_ = {};
    piece_.end = record_.begin;
    left_in_piece_ = 0;
    return {};
  }

  status read(char* data, std::size_t bytes) override {
    while (bytes > 0) {
      if (left_in_piece_ == 0)
        if (status s = next_piece(); !s.ok()) return s;
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left_in_piece_));
      std::size_t count = 0;
      if (status s = reader_.read_at(place_, data, part, count); !s.ok()) return s;
      if (count < part) return named(record_file_shrank(reader_, place_ + count));
      data += part;
      bytes -= part;
      place_ += part;
      left_in_piece_ -= part;
      done_ = place_;
    }
    return {};
  }

  std::size_t read_equal_records(char* data, std::size_t capacity) override {
    const std::uint64_t bytes = record_.bytes;
    if (record_.pieces != 1 || bytes == 0 || bytes > short_record || walk_->dialect().segmented)
      return 0;
    const equal_records shape = equal_records_of(walk_->dialect(), static_cast<std::size_t>(bytes));
    const std::uint64_t left = (total() - record_.begin) / shape.stride();
    const auto most = static_cast<std::size_t>(
        std::min({std::uint64_t{expected_}, left, capacity / bytes, raw_bytes / shape.stride()}));
    raw_.reserve(raw_bytes);
    std::size_t found = 0;
    if (!reader_.read_at(record_.begin, raw_.data(), most * shape.stride(), found).ok()) return 0;
    const std::size_t read = strip_equal(data, raw_.data(), found / shape.stride(), shape);
    expected_ = read < most ? 2 : std::min(expected_ * 4, raw_bytes);
    if (read > 0) walk_->go_to(record_.begin + read * shape.stride(), record_.number + read);
    if (read > 0) done_ = walk_->begin();
    return read;
  }

  std::uint64_t done() const override { return done_; }
  std::uint64_t total() const override { return reader_.size().value_or(0); }

 private:
  status named(status failure) const { return std::move(failure).in_file_once(file_); }

  status next_piece() {
    const bool first = piece_.end == record_.begin;
    if (!look_at_piece(walk_->window(), piece_.end, first, walk_->dialect(), piece_))
      return named(walk_->window().failure());
    if (piece_.fault != piece_fault::none) return named(record_file_shrank(reader_, piece_.begin));
    place_ = piece_.offset;
    left_in_piece_ = piece_.bytes;
    return {};
  }

  std::string file_;
  file_reader reader_;
  std::optional<record_walk> walk_;
  record_extent record_;
  record_piece piece_;
  std::uint64_t place_ = 0;
  std::uint64_t left_in_piece_ = 0;
  std::uint64_t done_ = 0;  // behind the last byte that was read
  buffer raw_;
  std::size_t expected_ = 2;  // equal records that follow each other: grows while they do
};

// Records without markers: direct access, or a stream that the pattern divides.
class plain_source final : public record_source {
 public:
  status open(const std::string& file, const record_layout& layout, const record_pattern& pattern) {
    file_ = file;
    if (status s = open_whole(file, reader_); !s.ok()) return s;
    const std::uint64_t size = reader_.size().value_or(0);
    place_ = layout.first_byte;
    if (place_ > size || layout.bytes > size - place_)
      return status::failure(stat_code::file_size_mismatch, "the file ends before its records do")
          .expected("at least " + bytes_text(layout.bytes) + " from byte " +
                        std::to_string(layout.first_byte) + " on",
                    "a file of " + bytes_text(size))
          .in_file(file_)
          .advise("the file is cut, or it has changed meanwhile");
    end_ = layout.bytes == 0 ? size : place_ + layout.bytes;
    if (layout.form == record_form::direct) {
      lengths_.push_back(layout.record_length);
    } else {
      for (const auto& runs : pattern) {
        const bool rest = std::any_of(runs.begin(), runs.end(),
                                      [](const word_run& run) { return run.bytes == 0; });
        lengths_.push_back(rest ? 0 : sum_of(runs).value_or(0));
      }
    }
    return {};
  }

  status next(bool& found, std::uint64_t& bytes) override {
    const std::uint64_t left = end_ - place_;
    found = left > 0;
    if (!found) return {};
    const std::uint64_t wanted = lengths_.empty() ? 0 : lengths_[number_ % lengths_.size()];
    bytes = wanted == 0 ? left : wanted;
    if (bytes > left)
      return status::failure(stat_code::file_size_mismatch, "the file ends within a record")
          .expected(bytes_text(bytes) + " of record " + std::to_string(number_ + 1),
                    bytes_text(left))
          .in_file(file_)
          .at_byte(place_)
          .advise("check the length of the records");
    ++number_;
    length_ = bytes;
    return {};
  }

  status read(char* data, std::size_t bytes) override {
    std::size_t count = 0;
    if (status s = reader_.read_at(place_, data, bytes, count); !s.ok()) return s;
    place_ += count;
    if (count < bytes) return std::move(record_file_shrank(reader_, place_)).in_file_once(file_);
    return {};
  }

  std::size_t read_equal_records(char* data, std::size_t capacity) override {
    if (lengths_.size() != 1 || length_ > short_record || length_ == 0) return 0;
    const std::uint64_t whole = (end_ - place_) / length_;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(capacity / length_, whole));
    const std::uint64_t begin = place_;
    if (count < 2) return 0;
    if (!read(data, static_cast<std::size_t>(count * length_)).ok()) {
      place_ = begin;  // read() by itself tells why
      return 0;
    }
    number_ += count - 1;
    return count;
  }

  std::uint64_t done() const override { return place_; }
  std::uint64_t total() const override { return end_; }

 private:
  std::string file_;
  file_reader reader_;
  std::vector<std::uint64_t> lengths_;  // 0: the rest of the file
  std::uint64_t place_ = 0;
  std::uint64_t end_ = 0;  // of the records
  std::uint64_t length_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace

status open_source(const std::string& file, const record_layout& layout,
                   const record_pattern& pattern, std::unique_ptr<record_source>& source) {
  if (layout.form == record_form::sequential) {
    auto opened = std::make_unique<sequential_source>();
    if (status s = opened->open(file, layout.dialect); !s.ok()) return s;
    source = std::move(opened);
    return {};
  }
  auto opened = std::make_unique<plain_source>();
  if (status s = opened->open(file, layout, pattern); !s.ok()) return s;
  source = std::move(opened);
  return {};
}

}  // namespace headrace
