#include "bytes_ahead.hpp"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace headrace {
namespace {

constexpr std::int64_t longest_look = std::int64_t{8} << 20;

// Of a file, whose bytes go to nowhere.
class onlooker {
 public:
  explicit onlooker(const std::string& file)
      : file_(file),
        descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)),
        nowhere_(::open("/dev/null", O_WRONLY | O_CLOEXEC)) {}
  ~onlooker() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (nowhere_ >= 0) ::close(nowhere_);
  }
  onlooker(const onlooker&) = delete;
  onlooker& operator=(const onlooker&) = delete;

  status look(byte_range where) {
    if (descriptor_ < 0) return status::system(errno, "cannot open the file").in_file(file_);
    while (where.begin < where.end) {
      const std::int64_t bytes = std::min(longest_look, where.end - where.begin);
      const ssize_t done = pass(where.begin, static_cast<std::size_t>(bytes));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0)
        return status::system(errno, "cannot read")
            .in_file(file_)
            .at_byte(static_cast<std::uint64_t>(where.begin));
      if (done == 0) break;  // that a file is cut off others find and say
      where.begin += done;
    }
    return {};
  }

 private:
  // Some file systems cannot pass bytes on without a copy.
  ssize_t pass(std::int64_t offset, std::size_t bytes) {
    off_t at = offset;
    if (!copies_) {
      const ssize_t done = ::sendfile(nowhere_, descriptor_, &at, bytes);
      if (done >= 0 || (errno != EINVAL && errno != ENOSYS && errno != EBADF)) return done;
      copies_ = true;
    }
    copy_.resize(std::size_t{256} << 10);
    return ::pread(descriptor_, copy_.data(), std::min(bytes, copy_.size()), offset);
  }

  std::string file_;
  int descriptor_;
  int nowhere_;
  bool copies_ = false;
  std::vector<char> copy_;
};

// The part of [begin, end) that comes at a place among so many.
byte_range part_of(const byte_range& all, std::int64_t place, std::int64_t places) {
  const std::int64_t bytes = all.end - all.begin;
  return {all.begin + bytes * place / places, all.begin + bytes * (place + 1) / places};
}

}  // namespace

std::int64_t most_bytes_ahead(const communicator& comm) {
  constexpr std::int64_t of_a_node = std::int64_t{256} << 20;
  return std::min<std::int64_t>(std::int64_t{1} << 30, of_a_node * comm.nodes());
}

status look_at(const bytes_ahead& array, std::int64_t begin, std::int64_t end) {
  onlooker file(array.file);
  std::int64_t before = 0;
  for (const byte_range& place : array.places) {
    const std::int64_t bytes = place.end - place.begin;
    const std::int64_t from = std::max(begin, before) - before;
    const std::int64_t to = std::min(end, before + bytes) - before;
    if (from < to)
      if (status s = file.look({place.begin + from, place.begin + to}); !s.ok()) return s;
    before += bytes;
  }
  return {};
}

status look_together(const communicator& comm, const bytes_ahead& array, std::int64_t begin,
                     std::int64_t end) {
  const byte_range of_node = part_of({begin, end}, comm.node_of(comm.rank()), comm.nodes());
  const byte_range mine = part_of(of_node, comm.node_rank(), comm.node_size());
  return agree_on(comm, [&] { return look_at(array, mine.begin, mine.end); });
}

}  // namespace headrace
