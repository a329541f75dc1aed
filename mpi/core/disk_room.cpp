#include "disk_room.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "../../src/core/system_calls.hpp"
#include "library_files.hpp"

namespace headrace {
namespace {

// A signal makes Linux undo what one call has taken so far (tmpfs): calls become this short.
constexpr std::int64_t shortest_call = std::int64_t{1} << 20;

status beyond_the_limit(const std::string& file, std::int64_t end) {
  if (is_within_limit(end)) return {};
  return status::system(EFBIG, "the file would be longer than this process may write")
      .expected(bytes_text(static_cast<std::uint64_t>(longest_file())) + " at most",
                bytes_text(static_cast<std::uint64_t>(end)))
      .in_file(file);
}

sigset_t signal_of_limit() noexcept {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGXFSZ);
  return one;
}

int open_to_reserve(const std::string& file) noexcept {
  return uninterrupted([&] { return ::open(file.c_str(), O_WRONLY | O_CLOEXEC); });
}

}  // namespace

bool is_full(int error) noexcept {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

std::int64_t longest_file() noexcept {
  constexpr rlim_t most = INT64_MAX;
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INT64_MAX;
  return static_cast<std::int64_t>(std::min(limit.rlim_cur, most));
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

int reserve_blocks(int descriptor, std::int64_t begin, std::int64_t bytes) noexcept {
  if (!is_within_limit(begin + bytes)) return EFBIG;
  std::int64_t call = bytes;
  while (bytes > 0) {
    call = std::min(call, bytes);
    if (::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, begin, call) == 0) {
      begin += call;
      bytes -= call;
    } else if (errno == EINTR) {
      call = std::max(call / 2, shortest_call);
    } else {
      return errno;
    }
  }
  return 0;
}

int error_of_reserving(const std::string& file, const std::vector<byte_range>& parts) noexcept {
  const int descriptor = open_to_reserve(file);
  if (descriptor < 0) return is_full(errno) ? errno : 0;
  int error = 0;
  for (const byte_range& part : parts)
    if (error == 0) error = reserve_blocks(descriptor, part.begin, part.end - part.begin);
  ::close(descriptor);
  return is_full(error) ? error : 0;
}

void release_blocks_behind_the_end(const std::string& file) noexcept {
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0 && ::truncate(file.c_str(), found.st_size) != 0)
    errno = 0;  // only blocks that nobody needs
}

status check_limit(const communicator& comm, const std::string& file, std::int64_t end) {
  return agree_on(comm, [&] { return beyond_the_limit(file, end); });
}

status take_room(const communicator& comm, const std::string& file, std::int64_t begin,
                 std::int64_t bytes) {
  return take_room(comm, file, {{begin, begin + bytes}});
}

status take_room(const communicator& comm, const std::string& file,
                 const std::vector<byte_range>& places) {
  const std::vector<byte_range> parts = joined(places);
  const std::int64_t bytes = bytes_of(parts);
  const std::int64_t end = parts.empty() ? 0 : parts.back().end;
  if (status s = check_limit(comm, file, end); !s.ok()) return s;
  // What is certainly too much is told with figures, and without taking the rest of the disk.
  if (status s = check_room(comm, file, bytes); !s.ok()) return s;
  status found;
  if (comm.rank() == 0) {
    const int error = error_of_reserving(file, parts);
    if (error != 0)
      found =
          status::system(error, "there is no room for the " +
                                    bytes_text(static_cast<std::uint64_t>(bytes)) + " of the array")
              .in_file(file);
  }
  return agree(comm, found);
}

}  // namespace headrace
