// Success, or the first failure: a number for the program and a sentence for the person.
#pragma once

#include <headrace.h>

#include <string>

namespace headrace::bench {

struct outcome {
  int code = 0;  // 0: success; 1 to 999: errno; others: headrace's, or a library's
  std::string message;

  bool ok() const noexcept { return code == 0; }
  // A later failure never hides an earlier one.
  void keep(const outcome& later) {
    if (ok()) *this = later;
  }
};

// code of failures that have no number of their own
inline constexpr int library_failed = HR_LIBRARY_FAILED;

// On one line.
outcome failure(int code, const std::string& message);
// "what: No space left on device"; what: "writing 8 bytes at byte 0 of /tmp/x"
outcome system_failure(int error, const std::string& what);

}  // namespace headrace::bench
