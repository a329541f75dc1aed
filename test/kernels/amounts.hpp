// How much of the same a test does: the short form in seconds, the long form all of it.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace headrace {

// Minutes instead of seconds.
inline bool long_tests() {
  const char* const wish = std::getenv("HEADRACE_TEST_LONG");
  return wish != nullptr && wish[0] == '1';
}

// With sanitizers n, otherwise 1: a step through many values that use memory and arithmetic alike.
// The build without sanitizers compares all of them in the same run, and the long form does so with
// sanitizers, too.
inline std::size_t one_of(std::size_t n) {
#if defined(__SANITIZE_ADDRESS__)
  return long_tests() ? 1 : n;
#else
  static_cast<void>(n);
  return 1;
#endif
}

}  // namespace headrace
