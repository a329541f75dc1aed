// Many short records of one length at once: checking their markers, and reading them as an array
// by several threads. Next: record_reader.hpp joins it to the single records.
#pragma once

#include <cstdint>

#include "../core/array_view.hpp"
#include "../core/files.hpp"
#include "record_dialect.hpp"

namespace headrace {

// Records of one piece and one length, one after another.
struct equal_records {
  std::size_t bytes = 0;         // of data in each
  std::size_t marker_bytes = 4;  // of the marker before and of that behind
  std::uint64_t marker = 0;  // as it lies in the file, in the low bytes of a word of the machine

  std::size_t stride() const noexcept { return bytes + 2 * marker_bytes; }
};

// Precondition: not segmented, and the length fits an unflagged marker of the dialect.
equal_records equal_records_of(const record_dialect& dialect, std::size_t bytes) noexcept;

// How many of the records at data, from the first on, have the right markers.
std::size_t count_equal(const char* data, std::size_t records, const equal_records& shape) noexcept;

// The same, and puts their data to `to`, one after another. Behind them anything may be put there,
// up to the size of all. The places do not overlap.
std::size_t strip_equal(char* to, const char* data, std::size_t records,
                        const equal_records& shape) noexcept;

// array(:, ..., first:first+count-1), from 0. Precondition: array_rank >= 1.
array_view with_last_range(const array_view& array, std::ptrdiff_t first,
                           std::ptrdiff_t count) noexcept;

// Reads the equal records that begin at an offset into array(:, ..., i), i = 1, 2, ..., turning
// words of swapped_word bytes round (0: none). Returns how many there are from the first on; behind
// them the array may have been overwritten, and who reads on there finds out what is wrong.
// Precondition: array_rank >= 1, the array has shape.bytes for each i.
std::size_t read_equal(const file_reader& file, std::uint64_t begin, const equal_records& shape,
                       const array_view& array, std::size_t swapped_word);

}  // namespace headrace
