// What a program is told while a long text is read or written. Next: read.hpp, write.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "../core/status.hpp"

namespace headrace {

// Called now and then with bytes done and in all (0 when unknown), always in the thread of the
// caller; false ends the reading or writing.
using progress_function = std::function<bool(std::uint64_t done, std::uint64_t total)>;

// what: "reading" or "writing". Nothing happens without a function.
inline status report_progress(const progress_function& function, std::uint64_t done,
                              std::uint64_t total, const char* what, const std::string& file) {
  if (!function || function(done, total)) return {};
  return status::failure(stat_code::interrupted,
                         std::string("the progress function ended the ") + what)
      .in_file(file);
}

}  // namespace headrace
