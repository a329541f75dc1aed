#include "file_limits.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace headrace {
namespace {

std::int64_t length_of(rlim_t limit) noexcept {
  constexpr rlim_t most = INT64_MAX;
  return limit == RLIM_INFINITY ? INT64_MAX : static_cast<std::int64_t>(std::min(limit, most));
}

sigset_t signal_of_limit() noexcept {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGXFSZ);
  return one;
}

}  // namespace

bool is_full(int error) noexcept {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

std::int64_t longest_file() noexcept {
  struct rlimit limit {};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 ? length_of(limit.rlim_cur) : INT64_MAX;
}

std::int64_t longest_file_ever() noexcept {
  struct rlimit limit {};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 ? length_of(limit.rlim_max) : INT64_MAX;
}

bool is_within_limit(std::int64_t end) noexcept {
  return end <= longest_file();
}

no_signal_at_limit::no_signal_at_limit() noexcept {
  const sigset_t one = signal_of_limit();
  sigset_t before;
  blocked_ = ::pthread_sigmask(SIG_BLOCK, &one, &before) == 0 && sigismember(&before, SIGXFSZ) == 0;
}

no_signal_at_limit::~no_signal_at_limit() {
  if (!blocked_) return;
  const sigset_t one = signal_of_limit();
  const timespec now{};
  while (::sigtimedwait(&one, nullptr, &now) > 0) {
  }
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

}  // namespace headrace
