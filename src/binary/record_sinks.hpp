// Where converted records go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "record_convert.hpp"

namespace headrace {

// Takes records one after another; close() lets the file appear.
class record_sink {
 public:
  virtual ~record_sink() = default;

  virtual status begin(std::uint64_t bytes) = 0;
  virtual status put(const char* data, std::size_t bytes) = 0;
  virtual status end() = 0;
  // So many records of one length, not 0.
  virtual status put_records(const char* data, std::size_t records, std::size_t bytes) = 0;
  virtual status close() = 0;
};

status open_sink(const std::string& file, const record_layout& layout, sync_mode sync,
                 std::unique_ptr<record_sink>& sink);

}  // namespace headrace
