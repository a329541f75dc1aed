#include "library_words.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace headrace {

int error_in_words(const std::string& words) {
  static constexpr std::array<std::pair<const char*, int>, 6> known = {
      {{"MPI_ERR_NO_SPACE", ENOSPC},
       {"No space left on device", ENOSPC},
       {"no space left on", ENOSPC},
       {"MPI_ERR_QUOTA", EDQUOT},
       {"Disk quota exceeded", EDQUOT},
       {"File too large", EFBIG}}};
  const std::string mark = "errno = ";
  if (const std::size_t at = words.rfind(mark); at != std::string::npos)
    if (const int error = std::atoi(words.c_str() + at + mark.size()); error > 0) return error;
  for (const auto& [text, error] : known)
    if (words.find(text) != std::string::npos) return error;
  return 0;
}

bool is_of_the_disk(int error) noexcept {
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
}

int disk_error_in_errno() noexcept {
  return is_of_the_disk(errno) ? errno : 0;
}

}  // namespace headrace
