// One target as a program of libFuzzer: CMake defines HEADRACE_FUZZ_TARGET.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    headrace::fuzz::HEADRACE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  } catch (const headrace::fuzz::finding& finding) {
    std::fprintf(stderr, "wrong answer: %s\n", finding.what());
    std::abort();
  }
  return 0;
}
