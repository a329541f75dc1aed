// Reads files of records: one after another, back, or by number. The C interface is
// ../abi/record_files.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../core/array_view.hpp"
#include "record_index.hpp"
#include "record_walk.hpp"

namespace headrace {

// A part of a record as it lies in the file.
struct record_part {
  std::uint64_t number = 0;  // of the record, from 1
  std::uint64_t offset = 0;  // of its first byte of data
  std::uint64_t bytes = 0;
};

// Stands before a record or at the end. Every failure names the file and leaves the position as it
// was, so that the record comes again. Records that a program appends after open() are not seen.
class record_reader {
 public:
  // Chooses among dialects by the first records. Failures: errno; argument_invalid for FIFOs and
  // devices, whose bytes pass once only; record_marker_damaged when no candidate or several fit.
  status open(const std::string& file, const std::vector<record_dialect>& candidates);

  // The bytes of the next record, which is not read; end_of_file when there is none.
  // record_marker_damaged and truncated_record of this and all calls that pass records: with the
  // offset of the marker.
  status next_bytes(std::uint64_t& bytes);

  // Reads the next record into all elements, in element order, words in the machine's byte order.
  // record_size_mismatch when it has another size, and the array is untouched.
  // Precondition of all: byte_count(array) has a value.
  status read(const array_view& array);

  // Reads a record into array(:, ..., i) for each i; a scalar takes one. Many short ones of one
  // length come through several threads. The array is untouched when the first has another size
  // or the file is too short; after another failure a part of it may be overwritten.
  status read_many(const array_view& array);

  // Goes over so many records, back when it is negative; record_missing beyond the ends.
  status skip(std::int64_t records);

  // Goes before a record, from 1; the number of records + 1 is the end. record_missing.
  status go_to(std::int64_t number);

  // The number of records of the file.
  status count(std::uint64_t& records);

  // The number of the record that comes next.
  std::uint64_t next_number() const noexcept;

  // Where the data of records lie, without moving: the parts of record number first, from 1, and of
  // those behind it, at most capacity of them. None at the end.
  status locate(std::int64_t first, std::size_t capacity, std::vector<record_part>& parts);

  const record_dialect& dialect() const noexcept { return walk_->dialect(); }

 private:
  bool peek();
  status no_next() const;
  status missing(std::uint64_t passed, std::uint64_t wanted) const;
  status mismatch(const record_extent& record, const array_view& array) const;
  void copy_in(const array_view& array, const char* data, std::size_t bytes) const;
  bool read_at_hand(const array_view& array, std::size_t bytes);
  bool copy_short(const record_extent& record, const array_view& array);
  status read_long(const record_extent& record, const array_view& array);
  status check_room(std::uint64_t records, std::uint64_t bytes);
  status read_each(const array_view& array, std::ptrdiff_t first);
  status go_back(std::uint64_t begin, std::uint64_t number, std::uint64_t back);
  status locate_on(std::size_t capacity, std::vector<record_part>& parts);
  status named(status failure) const {
    return failure.ok() ? status() : std::move(failure).in_file_once(file_);
  }

  std::string file_;
  file_reader reader_;
  std::optional<record_walk> walk_;   // behind the record in peeked_, if there is one
  std::optional<record_walk> scout_;  // of locate()
  record_extent last_told_;           // by locate()
  std::optional<record_index> index_;
  std::optional<record_extent> peeked_;
};

}  // namespace headrace
