// Writers of one file take turns. Other processes hold the lock, are killed with it, or look
// whether it is free; what happens is told by pipes and by the kernel, never by a clock.
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "checks.hpp"
#include "disk/library_files.hpp"
#include "disk/positioned_file.hpp"

namespace {

// What happens within the calls of headrace's own code; see CMakeLists.txt.
std::function<void()> during_write = [] {};
int error_of_write = 0;
int error_of_lock = 0;
int interrupted_locks = 0;
int locks = 0;
long kind_of_file_system = 0;  // 0: the real one

}  // namespace

extern "C" {
ssize_t __real_pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset);
int __real_flock(int descriptor, int operation);
int __real_statfs(const char* path, struct statfs* found);

ssize_t __wrap_pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset) {
  during_write();
  if (error_of_write == 0) return __real_pwrite(descriptor, data, bytes, offset);
  errno = error_of_write;
  return -1;
}

int __wrap_flock(int descriptor, int operation) {
  ++locks;
  errno = error_of_lock;
  if (error_of_lock != 0) return -1;
  errno = EINTR;
  if (operation == LOCK_EX && interrupted_locks-- > 0) return -1;
  return __real_flock(descriptor, operation);
}

int __wrap_statfs(const char* path, struct statfs* found) {
  const int result = __real_statfs(path, found);
  if (kind_of_file_system != 0) found->f_type = kind_of_file_system;
  return result;
}
}

namespace {

using headrace::positioned_file;
using headrace::status;
using spread::checks;

const std::string file_name = "turns.bin";
const std::string text = "element";

// Whether somebody else could write now.
bool is_free() {
  const int probe = ::open(file_name.c_str(), O_RDONLY | O_CLOEXEC);
  const bool got = __real_flock(probe, LOCK_EX | LOCK_NB) == 0;
  ::close(probe);  // and gives it back
  return got;
}

// Another process, which runs act and says when it has come somewhere.
class other_process {
 public:
  explicit other_process(const std::function<void(const other_process&)>& act) {
    if (::pipe2(pipe_.data(), O_CLOEXEC) != 0) return;
    process_ = ::fork();
    if (process_ != 0) {
      ::close(pipe_[1]);  // no word comes from a process that died
      return;
    }
    act(*this);
    ::_exit(0);
  }
  ~other_process() {
    if (process_ > 0) end();
    ::close(pipe_[0]);
  }
  other_process(const other_process&) = delete;
  other_process& operator=(const other_process&) = delete;

  void say() const {
    if (::write(pipe_[1], "+", 1) != 1) ::_exit(1);
  }
  bool heard() const {
    char word = 0;
    return ::read(pipe_[0], &word, 1) == 1 && word == '+';
  }
  void end() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  // False when it has ended without waiting for the lock. Some containers show nothing of it: then
  // this is not checked, and what is written last still is.
  bool is_waiting() const {
    for (int looks = 0; ::waitpid(process_, nullptr, WNOHANG) == 0; ++looks) {
      if (is_asleep_in_flock() || is_listed()) return true;
      if (looks == 10000) {
        std::fprintf(stderr, "not checked: nothing here shows that a process waits for a lock\n");
        return true;
      }
      ::usleep(1000);
    }
    return false;
  }

 private:
  bool is_asleep_in_flock() const {
    std::ifstream call("/proc/" + std::to_string(process_) + "/syscall");
    long number = -1;  // "running" is none
    return (call >> number) && number == SYS_flock;
  }
  // Not compared with the file: the inodes there are other ones on some file systems.
  bool is_listed() const {
    const std::string process = " " + std::to_string(process_) + " ";
    std::ifstream list("/proc/locks");
    for (std::string line; std::getline(list, line);)
      if (line.find("-> FLOCK") != std::string::npos && line.find(process) != std::string::npos)
        return true;
    return false;
  }

  std::array<int, 2> pipe_{-1, -1};
  pid_t process_ = 0;
};

[[noreturn]] void wait_to_be_killed() {
  for (;;) ::pause();
}

// A second writer's whole work.
void write_once(bool takes_turns) {
  positioned_file file;
  if (!file.open_to_write(file_name).ok()) ::_exit(1);
  if (takes_turns) file.take_turns();
  if (!file.write_at(0, text.data(), static_cast<std::int64_t>(text.size())).ok()) ::_exit(1);
}

class turns {
 public:
  explicit turns(checks& check) : check_(check) {
    ::unlink(file_name.c_str());
    ok(file_.create(file_name), "a file");
    file_.take_turns();
  }
  ~turns() {
    during_write = [] {};
  }

  void last_for_a_call() {
    bool free_within = true;
    during_write = [&] { free_within = is_free(); };
    ok(write(0), "writing in turn");
    check_.that(!free_within, "the file is not locked while one writes");
    check_.that(is_free(), "the lock stays when the call has ended");
    // Several calls, as one may be at most 8 MiB.
    const std::string large(std::size_t{9} << 20, 'x');
    int calls = 0;
    during_write = [&] { calls += is_free() ? 100 : 1; };
    ok(file_.write_at(0, large.data(), static_cast<std::int64_t>(large.size())), "two calls");
    check_.that(calls == 2, "two calls, two turns: " + std::to_string(calls));
  }

  void are_not_taken_unless_asked() {
    positioned_file plain;
    ok(plain.open_to_write(file_name), "opening");
    bool free_within = false;
    during_write = [&] { free_within = is_free(); };
    ok(plain.write_at(0, text.data(), 1), "writing without turns");
    check_.that(free_within, "a writer that takes no turns has locked the file");
  }

  void end_after_a_failure() {
    error_of_write = ENOSPC;
    const status failed = write(0);
    error_of_write = 0;
    check_.that(failed.code() == ENOSPC, "a full disk: " + failed.message());
    check_.that(is_free(), "the lock stays after a failure");
  }

  // In the middle of this process's turn another comes; it waits until the turn has ended.
  void make_others_wait() {
    std::unique_ptr<other_process> second;
    bool has_come = false;
    during_write = [&] {
      if (std::exchange(has_come, true)) return;
      second = std::make_unique<other_process>([](const other_process& self) {
        write_once(true);
        self.say();
      });
      check_.that(second->is_waiting(), "another writer does not wait for its turn");
      check_.that(read(0, 1) != text.substr(0, 1), "another writer has written all the same");
    };
    const std::string last = "LAST";
    ok(file_.write_at(2, last.data(), 4), "writing while another waits");
    check_.that(second != nullptr && second->heard(), "the other writer never came to its turn");
    check_.that(read(0, 7) == text, "the one who waited wrote last: " + read(0, 7));
  }

  void end_with_the_process() {
    other_process first([](const other_process& self) {
      during_write = [&] {
        self.say();
        wait_to_be_killed();
      };
      write_once(true);
    });
    check_.that(first.heard() && !is_free(), "the first writer has its turn");
    other_process second([](const other_process& self) {
      write_once(true);
      self.say();
    });
    check_.that(second.is_waiting(), "the second writer waits");
    first.end();
    check_.that(second.heard(), "the second writer's turn, when the first was killed");
    check_.that(is_free(), "the lock stays");
  }

  void end_when_the_file_is_closed() {
    const int holder = ::open(file_name.c_str(), O_RDWR | O_CLOEXEC);
    check_.that(__real_flock(holder, LOCK_EX) == 0, "taking the lock");
    other_process second([&](const other_process& self) {
      ::close(holder);  // the child has it too
      write_once(true);
      self.say();
    });
    check_.that(second.is_waiting(), "a writer waits for a lock of somebody else");
    ::close(holder);
    check_.that(second.heard(), "the file is closed, and the writer still waits");
  }

  void need_no_locks() {
    for (const int error : {ENOLCK, ENOTSUP, EBADF}) {
      error_of_lock = error;
      const status done = write(3);
      error_of_lock = 0;
      ok(done, "writing where there are no locks, error " + std::to_string(error));
    }
    check_.that(read(3, 7) == text, "what was written without locks");
    interrupted_locks = 2;
    bool free_within = true;
    during_write = [&] { free_within = is_free(); };
    ok(write(0), "a signal while waiting");
    check_.that(!free_within && interrupted_locks < 0, "a signal ends the waiting without a lock");
  }

  void are_of_writers_only() {
    positioned_file reader;
    ok(write(0), "something to read");
    ok(reader.open_to_read(file_name), "opening to read");
    reader.take_turns();
    const int before = locks;
    std::string found(text.size(), ' ');
    ok(reader.read_at(0, found.data(), static_cast<std::int64_t>(found.size())), "reading");
    check_.that(found == text && locks == before, "a reader takes turns");
    const status refused = reader.write_at(0, text.data(), 1);
    check_.that(refused.code() == EBADF, "writing what is open to read: " + refused.message());
    check_.that(is_free(), "the lock stays after a refusal");
  }

 private:
  status write(std::int64_t offset) {
    return file_.write_at(offset, text.data(), static_cast<std::int64_t>(text.size()));
  }
  void ok(const status& found, const std::string& what) {
    check_.that(found.ok(), what + ": " + found.message());
  }
  static std::string read(std::int64_t offset, std::size_t bytes) {
    positioned_file file;
    std::string found(bytes, ' ');
    if (!file.open_to_read(file_name).ok() ||
        !file.read_at(offset, found.data(), static_cast<std::int64_t>(bytes)).ok())
      return "";
    return found;
  }

  checks& check_;
  positioned_file file_;
};

// Where Linux lets one writer work at a time, and bytes occupy what they are.
void local_file_systems(checks& check) {
  check.that(!headrace::is_local_file_system("not_there.bin"), "a missing file is nowhere");
  check.that(!headrace::is_local_file_system("/proc/self/status"), "/proc is no file system");
  constexpr long xfs = 0x58465342;
  constexpr long lustre = 0x0BD00BD0;
  struct known {
    const char* name;
    long kind;
    bool local;
  };
  for (const known& one : {known{"ext4", EXT4_SUPER_MAGIC, true}, known{"tmpfs", TMPFS_MAGIC, true},
                           known{"xfs", xfs, true}, known{"NFS", NFS_SUPER_MAGIC, false},
                           known{"Lustre", lustre, false}, known{"btrfs", BTRFS_SUPER_MAGIC, false},
                           known{"overlayfs", OVERLAYFS_SUPER_MAGIC, false}}) {
    kind_of_file_system = one.kind;
    check.that(headrace::is_local_file_system(file_name) == one.local,
               std::string(one.name) + (one.local ? " is local" : " is not local"));
  }
  kind_of_file_system = 0;
}

void test(checks& check) {
  turns(check).last_for_a_call();
  turns(check).are_not_taken_unless_asked();
  turns(check).end_after_a_failure();
  turns(check).make_others_wait();
  turns(check).end_with_the_process();
  turns(check).end_when_the_file_is_closed();
  turns(check).need_no_locks();
  turns(check).are_of_writers_only();
  local_file_systems(check);
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "turns of writers", test);
}
