// How long this process may make a file, and what a write beyond that does.
#pragma once

#include <cstdint>

namespace headrace {

// ENOSPC, EDQUOT or EFBIG.
bool is_full(int error) noexcept;

// Bytes of the longest file that this process may write (RLIMIT_FSIZE), and whether it may write so
// far. Passing that limit kills it (SIGXFSZ), on tmpfs by reserving alone.
std::int64_t longest_file() noexcept;
bool is_within_limit(std::int64_t end) noexcept;

// The same for the limit that the process cannot raise (`ulimit -H -f`).
std::int64_t longest_file_ever() noexcept;

// While it lives, a write of this thread beyond the limit fails with EFBIG, and kills nobody.
class no_signal_at_limit {
 public:
  no_signal_at_limit() noexcept;
  ~no_signal_at_limit();
  no_signal_at_limit(const no_signal_at_limit&) = delete;
  no_signal_at_limit& operator=(const no_signal_at_limit&) = delete;

 private:
  bool blocked_ = false;  // here, and not by the program already
};

}  // namespace headrace
