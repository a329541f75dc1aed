// Records to convert, whatever file they come from. Next: record_sinks.hpp takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "../core/files.hpp"
#include "record_convert.hpp"

namespace headrace {

// Gives records one after another. Failures name the file.
class record_source {
 public:
  virtual ~record_source() = default;

  // Goes to the next record; false at the end.
  virtual status next(bool& found, std::uint64_t& bytes) = 0;
  // The next bytes of that record; together at most as many as it has.
  virtual status read(char* data, std::size_t bytes) = 0;
  // Reads the record that next() has found, and those behind it that are as long, as far as they
  // fit capacity bytes. Returns 0 if there is nothing to gain by that: read() has them.
  virtual std::size_t read_equal_records(char* data, std::size_t capacity) = 0;
  // Bytes of the file that are done, and all of them.
  virtual std::uint64_t done() const = 0;
  virtual std::uint64_t total() const = 0;
};

// Opens a file. FIFOs and devices are refused: their markers cannot be looked at before the data.
status open_source(const std::string& file, const record_layout& layout,
                   const record_pattern& pattern, std::unique_ptr<record_source>& source);

}  // namespace headrace
