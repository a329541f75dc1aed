// The library reads its settings before main(): the program begins once more with them. Statements are not compared
// with the run time's text by the library itself, which would mend what the targets look for.
#include <unistd.h>

#include <cstdlib>

namespace {

__attribute__((constructor)) void begin_again(int, char** arguments, char**) {
  if (std::getenv("HEADRACE_RUN") != nullptr) return;
  setenv("HEADRACE_RUN", "1", 1);
  setenv("HEADRACE_RUN_CHECK", "none", 0);
  execv("/proc/self/exe", arguments);
  std::abort();
}

}  // namespace
