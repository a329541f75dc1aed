#include "files.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <utility>

#include "file_target.hpp"
#include "hash.hpp"
#include "system_calls.hpp"

namespace headrace {
namespace {

// The largest of the values that threads give.
void raise_to(std::atomic<std::uint64_t>& value, std::uint64_t least) noexcept {
  std::uint64_t now = value.load(std::memory_order_relaxed);
  while (now < least && !value.compare_exchange_weak(now, least, std::memory_order_relaxed)) {
  }
}

// Turns SIGPIPE, which would end the program, into the error EPIPE of the calls meanwhile.
class pipe_signal_guard {
 public:
  explicit pipe_signal_guard(bool wanted) noexcept : wanted_(wanted) {
    if (!wanted_) return;
    sigset_t pending;
    sigemptyset(&broken_);
    sigaddset(&broken_, SIGPIPE);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &broken_, &old_);
  }
  ~pipe_signal_guard() {
    if (!wanted_) return;
    const int number = errno;
    const timespec no_time{};
    if (!was_pending_) sigtimedwait(&broken_, nullptr, &no_time);
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
    errno = number;
  }
  pipe_signal_guard(const pipe_signal_guard&) = delete;
  pipe_signal_guard& operator=(const pipe_signal_guard&) = delete;

 private:
  bool wanted_;
  bool was_pending_ = false;
  sigset_t broken_{};
  sigset_t old_{};
};

// Numbers of names that stood for regular files when they were appended to. What else has the
// number of one of them costs a call of the system.
class known_names {
 public:
  void add(const std::string& file) noexcept {
    const std::uint64_t number = hash_of(file);
    numbers_[number % numbers_.size()].store(number, std::memory_order_relaxed);
  }
  bool has(const std::string& file) const noexcept {
    const std::uint64_t number = hash_of(file);
    return numbers_[number % numbers_.size()].load(std::memory_order_relaxed) == number;
  }

 private:
  std::array<std::atomic<std::uint64_t>, 64> numbers_{};
};

known_names& known_files() noexcept {
  static known_names all;
  return all;
}

}  // namespace

file_writer::~file_writer() {
  abandon();
}

bool file_writer::is_own() const noexcept {
  return opener_ == ::getpid();
}

void file_writer::abandon() noexcept {
  if (is_own()) marks_.end();
  if (descriptor_ < 0 && temporary_.empty()) return;
  if (is_own()) take_back();
  lock_.release();
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void file_writer::take_back() noexcept {
  if (descriptor_ >= 0 && range_) take_back_range();
  if (descriptor_ >= 0 && mode_ == replace_mode::append && regular_) take_back_appended();
  if (descriptor_ >= 0 && created_ && kept_ == 0) ::unlink(path_.c_str());
  temporary_.remove();
}

status file_writer::error(int number, const char* what) const {
  return status::system(number, what).in_file(file_).at_byte(start_ + written_);
}

status file_writer::open(const std::string& file, replace_mode mode) {
  abandon();
  opener_ = ::getpid();
  file_ = file;
  mode_ = mode;
  start_ = 0;
  written_ = 0;
  reached_ = 0;
  kept_ = 0;
  in_order_ = false;
  must_be_new_ = false;
  adds_to_old_ = false;
  range_.reset();
  created_ = false;
  if (mode == replace_mode::append && open_known()) return {};
  status alone = mode == replace_mode::append ? status() : marks_.begin(file);
  file_target target;
  if (status s = find_target(file, target); !s.ok()) return s;
  path_ = target.path;
  regular_ = !target.direct;
  replaces_ = target.replaces;
  // A new file has no pages to overwrite, so that it can as well appear complete.
  if (mode == replace_mode::in_place && !replaces_) mode_ = replace_mode::whole;
  if (regular_ && !alone.ok()) return alone;
  if (regular_ && mode_ == replace_mode::whole) return temporary_.create(target, descriptor_);
  if (regular_ && mode_ == replace_mode::append) return open_to_append(!replaces_);
  return open_here(mode_);
}

status file_writer::open_here(replace_mode mode) {
  // Appending looks at the last byte of the old content.
  const int access = mode == replace_mode::append && regular_ ? O_RDWR : O_WRONLY;
  const int creation = regular_ ? O_CREAT : 0;
  descriptor_ = uninterrupted(
      [&] { return ::open(path_.c_str(), access | creation | O_CLOEXEC | O_NOCTTY, 0666); });
  return descriptor_ < 0 ? error(errno, "cannot open the file for writing") : status();
}

status file_writer::open_to_append(bool creates) {
  for (bool named = false; !named;) {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    if (status s = open_here(mode_); !s.ok()) return s;
    if (status s = lock_.take(descriptor_, path_, named); !s.ok())
      return std::move(s).in_file(file_);
  }
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) return error(errno, "cannot find the end of the file");
  start_ = static_cast<std::uint64_t>(end);
  // Unless another one that appends was faster.
  created_ = creates && start_ == 0;
  if (path_ == file_) known_files().add(file_);
  return {};
}

// A name that stood for a regular file when this program appended to it last: opening tells whether
// it does so still, and one look at the open file the rest. False: find out in the long way.
bool file_writer::open_known() {
  if (!known_files().has(file_)) return false;
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor_ < 0) return false;
  struct stat now {};
  if (!lock_.take_at_once(descriptor_, now) || ::lseek(descriptor_, now.st_size, SEEK_SET) < 0) {
    lock_.release();
    ::close(std::exchange(descriptor_, -1));
    return false;
  }
  path_ = file_;
  regular_ = true;
  start_ = static_cast<std::uint64_t>(now.st_size);
  return true;
}

status file_writer::open_range(const std::string& file, std::uint64_t offset, std::uint64_t bytes) {
  abandon();
  opener_ = ::getpid();
  file_ = file;
  mode_ = replace_mode::in_place;
  written_ = 0;
  reached_ = 0;
  kept_ = 0;
  file_target target;
  if (status s = find_target(file, target); !s.ok()) return s;
  path_ = target.path;
  regular_ = !target.direct;
  created_ = regular_ && !target.replaces;
  start_ = offset;
  range_ = bytes;
  before_range_ = target.replaces ? static_cast<std::uint64_t>(target.old.st_size) : 0;
  if (!regular_ && offset != 0)
    return status::system(ESPIPE, "cannot write in the middle of a pipe or device").in_file(file_);
  if (status s = open_here(mode_); !s.ok() || !regular_) return s;
  return extend_to_range();
}

// The last byte first: truncating to the new size could cut what others write at the same time.
status file_writer::extend_to_range() {
  const std::uint64_t end = start_ + *range_;
  const char last = '\0';
  if (*range_ > 0 && end > before_range_)
    if (status s = put_at(*range_ - 1, &last, 1); !s.ok()) return s;
  if (::lseek(descriptor_, static_cast<off_t>(start_), SEEK_SET) < 0)
    return error(errno, "cannot find the place to write to");
  return {};
}

// Others may have extended the file meanwhile: then null bytes stay here.
void file_writer::take_back_range() noexcept {
  struct stat now {};
  const std::uint64_t left = std::max(start_, before_range_);
  if (!regular_ || ::fstat(descriptor_, &now) != 0) return;
  auto size = static_cast<std::uint64_t>(now.st_size);
  if (size > left && size <= start_ + *range_ &&
      ::ftruncate(descriptor_, static_cast<off_t>(left)) == 0)
    size = left;
  created_ = created_ && size == 0;
}

// Only what this writer has added. Where the file system has no locks others may have appended too.
void file_writer::take_back_appended() noexcept {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) {
    created_ = false;
    return;
  }
  auto size = static_cast<std::uint64_t>(now.st_size);
  if (reached_ > kept_ && size == start_ + reached_ &&
      ::ftruncate(descriptor_, static_cast<off_t>(start_ + kept_)) == 0)
    size = start_ + kept_;
  created_ = created_ && size == 0;
}

status file_writer::old_last_byte(char& last) const {
  last = '\n';
  if (start_ == 0) return {};
  if (uninterrupted(
          [&] { return ::pread(descriptor_, &last, 1, static_cast<off_t>(start_ - 1)); }) != 1)
    return error(errno, "cannot read the end of the file");
  return {};
}

status file_writer::read_old(std::uint64_t offset, char* data, std::size_t bytes,
                             std::size_t& count) const {
  count = 0;
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes, start_ - std::min(start_, offset)));
  while (count < wanted) {
    const ssize_t moved = uninterrupted([&] {
      return ::pread(descriptor_, data + count, wanted - count, static_cast<off_t>(offset + count));
    });
    if (moved < 0)
      return status::system(errno, "cannot read").in_file(file_).at_byte(offset + count);
    if (moved == 0) break;
    count += static_cast<std::size_t>(moved);
  }
  return {};
}

// Appended bytes without their first ones are no text and no compressed data: a reader can tell.
// Returns how many bytes are held back.
std::size_t file_writer::hold_back(std::uint64_t offset, const char* data,
                                   std::size_t bytes) const noexcept {
  if (!holds_back() || offset >= held_.size()) return 0;
  const std::size_t count = std::min(bytes, held_.size() - static_cast<std::size_t>(offset));
  std::copy_n(data, count, held_.data() + offset);
  return count;
}

status file_writer::write_held() const {
  if (!holds_back()) return {};
  return put_at(0, held_.data(),
                static_cast<std::size_t>(std::min<std::uint64_t>(held_.size(), written_)));
}

status file_writer::write_at(std::uint64_t offset, const char* data, std::size_t bytes) const {
  const std::size_t held = hold_back(offset, data, bytes);
  return put_at(offset + held, data + held, bytes - held);
}

status file_writer::put_at(std::uint64_t offset, const char* data, std::size_t bytes) const {
  while (bytes > 0) {
    const std::size_t block = std::min(bytes, largest_block);
    const ssize_t count = uninterrupted(
        [&] { return ::pwrite(descriptor_, data, block, static_cast<off_t>(start_ + offset)); });
    if (count <= 0)
      return status::system(count < 0 ? errno : EIO, "cannot write")
          .in_file(file_)
          .at_byte(start_ + offset);
    const auto moved = static_cast<std::size_t>(count);
    data += moved;
    bytes -= moved;
    offset += moved;
    raise_to(reached_, offset);
  }
  return {};
}

status file_writer::write(const char* data, std::size_t bytes) {
  const pipe_signal_guard guard(!regular_);
  if (const std::size_t held = hold_back(written_, data, bytes); held > 0) {
    if (::lseek(descriptor_, static_cast<off_t>(held), SEEK_CUR) < 0)
      return error(errno, "cannot write");
    written_ += held, data += held, bytes -= held;
  }
  while (bytes > 0) {
    const std::size_t block = std::min(bytes, largest_block);
    const ssize_t count = uninterrupted([&] { return ::write(descriptor_, data, block); });
    // A write of nothing is no error to the system, but repeating it would never end.
    if (count <= 0) return error(count < 0 ? errno : EIO, "cannot write");
    const auto moved = static_cast<std::size_t>(count);
    data += moved;
    bytes -= moved;
    written_ += moved;
    raise_to(reached_, written_);
  }
  return {};
}

status file_writer::check_size() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) return error(errno, "cannot look at the written file");
  const auto size = static_cast<std::uint64_t>(now.st_size);
  // A writer of nothing has nothing to lose.
  if (written_ == 0 && (range_ || mode_ == replace_mode::append)) return {};
  // Others may have extended the file, but not have taken it away.
  if (range_ ? size >= start_ + written_ && now.st_nlink > 0 : size == start_ + written_) return {};
  return status::failure(stat_code::file_changed_while_writing,
                         "the written file has the wrong size")
      .expected(bytes_text(start_ + written_), bytes_text(size))
      .in_file(file_)
      .advise("look for another program that changes it, and write again");
}

status file_writer::take_name() {
  if (must_be_new_) {
    // rename() would replace the other file.
    if (::link(temporary_.path().c_str(), path_.c_str()) == 0) {
      temporary_.remove(descriptor_);
      return {};
    }
    // Some file systems have no links.
    if (errno == EEXIST) return error(errno, "cannot name the new file");
  }
  if (::rename(temporary_.path().c_str(), path_.c_str()) != 0)
    return error(errno, "cannot rename the temporary file");
  temporary_.release(descriptor_);
  return {};
}

status file_writer::finish(sync_mode sync) {
  status done = complete(sync);
  if (done.ok()) marks_.end();
  return done;
}

status file_writer::complete(sync_mode sync) {
  const bool renames = !temporary_.empty();
  if (regular_ && mode_ == replace_mode::in_place && !range_ &&
      ::ftruncate(descriptor_, static_cast<off_t>(written_)) != 0)
    return error(errno, "cannot cut the file to its new size");
  if (status s = write_held(); !s.ok()) return s;
  if (regular_)
    if (status s = check_size(); !s.ok()) return s;
  if (sync == sync_mode::file && uninterrupted([&] { return ::fsync(descriptor_); }) != 0)
    // FIFOs and many devices cannot be synchronised, there is nothing to wait for.
    if (regular_ || (errno != EINVAL && errno != EROFS)) return error(errno, "cannot synchronise");
  if (regular_ && mode_ != replace_mode::append && !range_)
    if (status s = marks_.complete(file_, replaces_ && !adds_to_old_, temporary_.names_rank());
        !s.ok())
      return s;
  // Network file systems report a full disk or quota only here. EINTR: Linux has closed it.
  lock_.release();
  const bool renames_first = renames && temporary_.is_local();
  if (renames_first)
    if (status s = take_name(); !s.ok()) return s;
  if (renames && !renames_first) temporary_.keep_lock(descriptor_);
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0 && errno != EINTR) return error(errno, "cannot close");
  const bool new_name = sync == sync_mode::file && (renames || created_);
  if (!renames) return new_name ? sync_name(path_).in_file(file_) : status();
  if (!renames_first)
    if (status s = take_name(); !s.ok()) return s;
  return new_name ? sync_name(path_).in_file(file_) : status();
}

bool is_regular_file(const std::string& file) noexcept {
  struct stat now {};
  return ::stat(file.c_str(), &now) == 0 && S_ISREG(now.st_mode);
}

bool is_pipe(const std::string& file) noexcept {
  struct stat now {};
  return ::stat(file.c_str(), &now) == 0 && S_ISFIFO(now.st_mode);
}

}  // namespace headrace
