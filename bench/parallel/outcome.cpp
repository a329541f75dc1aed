#include "outcome.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace headrace::bench {

outcome failure(int code, const std::string& message) {
  outcome made{code, message};
  std::replace(made.message.begin(), made.message.end(), '\n', ' ');
  // Libraries have numbers of their own for it.
  const bool full = message.find(std::strerror(ENOSPC)) != std::string::npos;
  if (code == library_failed && full) made.code = ENOSPC;
  return made;
}

outcome system_failure(int error, const std::string& what) {
  return {error, what + ": " + std::strerror(error)};
}

}  // namespace headrace::bench
