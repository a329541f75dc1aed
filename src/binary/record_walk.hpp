// Goes through a file of records from marker to marker. Next: record_index.hpp remembers where they
// are, record_reader.hpp reads them.
#pragma once

#include <cstdint>

#include "record_pieces.hpp"

namespace headrace {

// Where a record lies. Offsets count from the beginning of the file.
struct record_extent {
  std::uint64_t number = 0;  // from 1
  std::uint64_t begin = 0;   // of its first marker
  std::uint64_t end = 0;     // behind its last marker
  std::uint64_t offset = 0;  // of the data of its first piece
  std::uint64_t bytes = 0;   // of data in all pieces
  std::uint64_t pieces = 0;
};

// Stands before a record or at the end of the file. Both markers of all that it passes are checked;
// no length is taken for true that the file does not hold, every step passes at least one marker.
class record_walk {
 public:
  // Stands before the first record. The file is open and stays so. It must be a regular one.
  record_walk(const file_reader& file, const record_dialect& dialect)
      : window_(file), dialect_(dialect), markers_(dialect) {}

  // Goes over the next record. False at the end, and if it cannot be passed: failure() is a
  // failure then, and the position as before.
  bool next(record_extent& record);

  // Goes over the next records as long as each is one piece of so many bytes, at most over so many
  // of them, much faster than next(). Returns their number; what stops it next() will tell. Returns
  // 0 for long records, which next() passes as fast.
  std::uint64_t skip_equal(std::uint64_t bytes, std::uint64_t most);

  // Goes forward over so many records; false, and somewhere on the way, when there are fewer.
  bool skip(std::uint64_t records);

  // Goes back before the record that ends here, by its markers. Not for segmented records. False at
  // the beginning (failure() is none) and if it cannot be done.
  bool previous(record_extent& record);

  // Goes to where a record is known to begin.
  void go_to(std::uint64_t begin, std::uint64_t number) noexcept {
    begin_ = begin;
    number_ = number;
  }

  std::uint64_t number() const noexcept { return number_; }  // of the next record, from 1
  std::uint64_t begin() const noexcept { return begin_; }    // of its first marker
  bool at_end() const noexcept { return begin_ >= window_.size(); }

  // Of the last call of next(), skip() or previous(): record_marker_damaged, truncated_record,
  // file_changed_while_reading, errno. The file is not named.
  const status& failure() const noexcept { return failure_; }
  // Offset of the marker that does not fit.
  std::uint64_t failed_at() const noexcept { return failed_at_; }

  const file_reader& file() const noexcept { return window_.file(); }
  record_window& window() noexcept { return window_; }
  const record_dialect& dialect() const noexcept { return dialect_; }

 private:
  bool fail(const record_piece& piece, std::uint64_t number, bool first);
  bool fail_back(const record_piece& piece, bool last);
  bool cannot_read(std::uint64_t offset);

  record_window window_;
  record_dialect dialect_;
  marker_reader markers_;
  std::uint64_t begin_ = 0;
  std::uint64_t number_ = 1;
  std::uint64_t failed_at_ = 0;
  status failure_;
};

}  // namespace headrace
