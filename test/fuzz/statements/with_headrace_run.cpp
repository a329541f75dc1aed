// The library reads its settings before main(): the program begins once more with them. Statements
// are not compared with the run time's text by the library itself, which would mend what the
// targets look for.
#include <unistd.h>

#include <cstdlib>

namespace {

__attribute__((constructor)) void begin_again(int, char** arguments, char**) {
  if (std::getenv("HEADRACE_RUN") != nullptr) return;
  setenv("HEADRACE_RUN", "1", 1);
  setenv("HEADRACE_RUN_CHECK", "none", 0);
  setenv("HEADRACE_RUN_AFTER", "0", 0);
  execv("/proc/self/exe", arguments);
  std::abort();
}

}  // namespace

// What the library and the run time take lives as long as the process.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0";
}
