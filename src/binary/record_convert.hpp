// Turns a file of records into another dialect, into direct access records or a plain stream, and
// back, in constant memory. Next: record_sources.hpp reads and record_sinks.hpp writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../core/settings.hpp"
#include "record_dialect.hpp"

namespace headrace {

enum class record_form {
  sequential,  // with markers, as the dialect says
  direct,      // without, all of one length
  stream,      // without, one after another
};

// One of the two files.
struct record_layout {
  record_form form = record_form::sequential;
  record_dialect dialect;           // its order is that of the words in every form
  std::uint64_t record_length = 0;  // bytes, direct only
  // Files without markers that have something else in front, or behind, as a npy file has.
  std::uint64_t first_byte = 0;  // to read from: where the records begin
  std::uint64_t bytes = 0;       // to read from: of all records; 0: up to the end of the file
  std::string head;              // to write: in front of the records
};

// So many bytes of a record are words of so many bytes. bytes 0: the rest of the record.
struct word_run {
  std::uint64_t bytes = 0;
  std::size_t word_bytes = 1;
};

// What records are made of, one after another and again from the beginning. In a stream it also
// says where they end; the rest of the last one is that of the file. Empty: bytes, in a stream one
// record.
using record_pattern = std::vector<std::vector<word_run>>;

// The bytes of a record that are described; nothing when they are more than 64 bits can count.
std::optional<std::uint64_t> sum_of(const std::vector<word_run>& runs) noexcept;

struct convert_settings {
  record_layout from;
  record_layout to;
  record_pattern pattern;
  sync_mode sync = sync_mode::none;
  // Called between blocks with the bytes that are done and all of them; false ends the work with
  // the failure interrupted. May be empty.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

// Converts all records and tells their number. The new file appears whole or not at all, and may
// take the place of the old one. Words are turned round if the byte orders differ: then the
// pattern must say how long they are (argument_invalid).
//
// Failures: errno; those of record_walk; record_size_mismatch for a record that is longer than
// record_length or no whole number of its words; file_size_mismatch for a file that ends within a
// record without markers; interrupted.
status convert_records(const std::string& from, const std::string& to,
                       const convert_settings& settings, std::uint64_t& records);

}  // namespace headrace
