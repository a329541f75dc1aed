#include "outcome.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace headrace::bench {

outcome failure(int code, const std::string& message) {
  return {code, message};
}

outcome system_failure(int error, const std::string& what) {
  return {error, what + ": " + std::strerror(error)};
}

}  // namespace headrace::bench
