// Writes files of records, byte for byte as gfortran does. Next: record_tail.hpp looks at the end
// of a file to append to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../core/array_view.hpp"
#include "../core/buffer.hpp"
#include "../core/files.hpp"
#include "record_dialect.hpp"

namespace headrace {

// Records one after another into a new file, which appears whole with close(), or after those of an
// old one. Everything reaches the file in order, so that a killed program leaves whole records and
// perhaps the beginning of one whose marker says that it is longer: readers tell. Small records are
// gathered in memory until there are many or close() is called.
//
// After a failure nothing more is written and every call returns that failure. A new file does not
// appear then; an old one is cut back to the last record that a successful call had brought there.
class record_writer {
 public:
  record_writer() = default;
  // Without close(): a new file does not appear, appended records are kept (errors are not told).
  ~record_writer();
  record_writer(const record_writer&) = delete;
  record_writer& operator=(const record_writer&) = delete;

  // replace_mode::append begins a new file when there is none. sync acts in close().
  // Failures: errno; argument_invalid for a dialect that is only read (high_bit, unsigned_marker,
  // segmented) and for markers of other than 4 or 8 bytes; when appending truncated_record if
  // the file does not end with a whole record of this dialect. No file is touched then.
  status open(const std::string& file, replace_mode mode, const record_dialect& dialect,
              sync_mode sync = sync_mode::none);

  // All elements, in element order and in the byte order of the dialect, as one record. An empty
  // array is a record of 0 bytes. Precondition: byte_count(array) has a value.
  status write(const array_view& array);

  // A record for each array(:, ..., i), i in the last dimension: for each element of a vector. A
  // scalar is one record. As fast for small records as for large ones.
  status write_many(const array_view& array);

  // A record of that many bytes in parts, as they are: begin(), put() until all are there, end().
  status begin(std::uint64_t bytes);
  status put(const char* data, std::size_t bytes);
  status end();

  // Brings every record to the file, synchronises if asked; a new file appears under its name.
  status close();

  bool is_open() const noexcept { return open_; }
  const record_dialect& dialect() const noexcept { return dialect_; }
  // Bytes of the longest piece, set before the first record, as gfortran's -fmax-subrecord-length
  // does. 0: as gfortran has it, longest_piece with 4-byte markers, any length with 8-byte markers.
  void limit_pieces(std::uint64_t bytes) noexcept { piece_limit_ = bytes; }

 private:
  status flush();
  void stop(status failure);
  status fail(status failure);
  void finish_call() noexcept;
  void make_room(std::size_t bytes);
  status append_bytes(const char* data, std::size_t bytes);
  status put_marker(bool negative);
  std::uint64_t piece_limit() const noexcept;
  status begin_piece();
  status end_record();
  status write_large(const array_view& array);
  status write_small(const array_view& array, std::size_t records, std::size_t record_bytes);
  status put_small(const char* data, std::size_t records, std::size_t record_bytes);
  bool is_small(std::uint64_t record_bytes) const noexcept;

  file_writer file_;
  record_dialect dialect_;
  sync_mode sync_ = sync_mode::none;
  bool open_ = false;
  bool swaps_ = false;             // the byte order of the dialect is not the machine's
  std::uint64_t piece_limit_ = 0;  // bytes; 0: as the dialect has it
  status failure_;
  buffer block_;                // bytes that the file does not have yet
  std::size_t held_ = 0;        // of them
  buffer gathered_;             // elements of sections and those that are turned round
  std::uint64_t complete_ = 0;  // of all bytes, up to the end of the last call's records

  bool in_record_ = false;         // between begin() and end()
  std::uint64_t record_left_ = 0;  // bytes that are still to come, of its present piece too
  std::uint64_t piece_bytes_ = 0;
  std::uint64_t piece_left_ = 0;
  bool continued_ = false;  // a piece of this record came before
};

}  // namespace headrace
