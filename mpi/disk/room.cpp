#include "room.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "../../src/core/system_calls.hpp"
#include "../together/mpi_io_module.hpp"
#include "library_files.hpp"

namespace headrace {
namespace {

// A signal makes Linux undo what one call has taken so far (tmpfs): calls become this short.
constexpr std::int64_t shortest_call = std::int64_t{1} << 20;

status check_end(std::int64_t end, std::int64_t longest) {
  if (end <= longest) return {};
  return status::system(EFBIG, "the file would be longer than this process may write")
      .expected(bytes_text(static_cast<std::uint64_t>(longest)) + " at most",
                bytes_text(static_cast<std::uint64_t>(end)));
}

status no_room(int error, const std::string& file, std::int64_t bytes) {
  const std::string what = "the " + bytes_text(static_cast<std::uint64_t>(bytes)) + " of the array";
  return status::system(
             error, is_full(error) ? "there is no room for " + what : what + " cannot be written")
      .in_file(file);
}

int open_to_reserve(const std::string& file) noexcept {
  return uninterrupted([&] { return ::open(file.c_str(), O_WRONLY | O_CLOEXEC); });
}

// 0 or errno, of opening too.
int reserve_parts(const std::string& file, const std::vector<byte_range>& parts) noexcept {
  const int descriptor = open_to_reserve(file);
  if (descriptor < 0) return errno;
  int error = 0;
  for (const byte_range& part : parts)
    if (error == 0) error = reserve_blocks(descriptor, part.begin, part.end - part.begin);
  ::close(descriptor);
  return error;
}

// All bytes, not one in each block: how large the blocks are on a server nobody says, and network
// file systems send many small writes more slowly than one large one.
int write_null_bytes(int descriptor, std::int64_t begin, std::int64_t end) noexcept {
  static const std::array<char, std::size_t{64} << 10> nothing{};
  while (begin < end) {
    const auto bytes = static_cast<std::size_t>(
        std::min<std::int64_t>(end - begin, static_cast<std::int64_t>(nothing.size())));
    const ssize_t done =
        uninterrupted([&] { return ::pwrite(descriptor, nothing.data(), bytes, begin); });
    if (done < 0) return errno;
    if (done == 0) return ENOSPC;
    begin += done;
  }
  return 0;
}

}  // namespace

status check_hard_limit(std::int64_t end) {
  return check_end(end, longest_file_ever());
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
  const int error = reserve_parts(file, parts);
  return is_full(error) ? error : 0;
}

int error_of_taking(const std::string& file, const std::vector<byte_range>& parts) noexcept {
  const int descriptor = open_to_reserve(file);
  if (descriptor < 0) return is_full(errno) ? errno : 0;
  int error = 0;
  bool wrote = false;
  for (const byte_range& part : parts) {
    if (error != 0) break;
    error = reserve_blocks(descriptor, part.begin, part.end - part.begin);
    if (error == 0 || is_full(error)) continue;
    error = write_null_bytes(descriptor, part.begin, part.end);
    wrote = true;
  }
  // Network file systems tell only now.
  if (wrote && error == 0 && !is_local_file_system(file) && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

void release_blocks_behind_the_end(const std::string& file) noexcept {
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0 && ::truncate(file.c_str(), found.st_size) != 0)
    errno = 0;  // only blocks that nobody needs
}

status check_limit(const communicator& comm, const std::string& file, std::int64_t end) {
  return agree_on(comm, [&] { return check_end(end, longest_file()).in_file(file); });
}

status reserve_room(const communicator& comm, const std::string& file, bool each,
                    std::vector<byte_range> where, const std::string& what) {
  where.erase(std::remove_if(where.begin(), where.end(),
                             [](const byte_range& part) { return !is_within_limit(part.end); }),
              where.end());
  const int error = each || comm.rank() == 0 ? error_of_reserving(file, where) : 0;
  status found;
  if (error != 0) found = status::system(error, "there is no room for " + what).in_file(file);
  return agree(comm, found);
}

namespace {

// 0 or errno.
int lengthen(const std::string& file, std::int64_t end) noexcept {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return errno;
  return found.st_size >= end || ::truncate(file.c_str(), end) == 0 ? 0 : errno;
}

// make(): the parts of the file.
template <class Make>
status take_parts(const communicator& comm, const std::string& file, Make make, bool& can_fail) {
  can_fail = true;
  std::vector<byte_range> parts;
  const status ready = agree_on(comm, [&] {
    parts = make();
    return status();
  });
  if (!ready.ok()) return ready;
  const std::int64_t bytes = bytes_of(parts);
  const std::int64_t end = parts.empty() ? 0 : parts.back().end;
  if (status s = check_limit(comm, file, end); !s.ok()) return s;
  // What is certainly too much is told with figures, and without taking the rest of the disk.
  if (status s = check_room(comm, file, bytes); !s.ok()) return s;
  std::int64_t certain = 0;
  const status taken = agree_on(comm, [&] {
    if (comm.rank() != 0) return status();
    int error = reserve_parts(file, parts);
    // Between several parts lies what MPI-IO may write again, and nobody took room for it.
    certain = error == 0 && parts.size() == 1 && lies_in_memory(file.c_str()) ? 1 : 0;
    // Null bytes are the array written twice: only for who would not tell a full disk.
    if (error != 0 && !is_full(error))
      error = mpi_io_may_lose_writes() ? error_of_taking(file, parts) : 0;
    if (error == 0 && parts.size() > 1) error = lengthen(file, end);
    return error == 0 ? status() : no_room(error, file, bytes);
  });
  if (!taken.ok()) return taken;
  broadcast(comm, 0, certain);
  can_fail = certain == 0;
  return {};
}

}  // namespace

status take_room(const communicator& comm, const std::string& file, std::int64_t begin,
                 std::int64_t bytes, bool& can_fail) {
  return take_parts(
      comm, file,
      [&] {
        return joined({{begin, begin + bytes}});
      },
      can_fail);
}

status take_room(const communicator& comm, const std::string& file,
                 const std::vector<byte_range>& places, bool& can_fail) {
  return take_parts(
      comm, file, [&] { return joined(places); }, can_fail);
}

}  // namespace headrace
