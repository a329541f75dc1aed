#include "leftovers.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "description_lock.hpp"
#include "hash.hpp"
#include "system_calls.hpp"

namespace headrace {
namespace {

// Names that a launcher gives each process: its MPI rank, how many there are, and their job.
struct launcher {
  const char* rank;
  const char* size;  // null: it does not tell
  const char* job;
  const char* part;  // of the job, null if the job is all
};

// Slurm comes last: a script of a batch job has a SLURM_PROCID too, and starts others from within.
constexpr launcher launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", nullptr},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid", nullptr},
    {"PMI_RANK", "PMI_SIZE", "PMI_JOBID", nullptr},
    {"PMI_RANK", "PMI_SIZE", "SLURM_JOB_ID", "SLURM_STEP_ID"},
    {"PMIX_RANK", nullptr, "PMIX_NAMESPACE", nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID"}};

// Those of MPICH's own launcher name no job: its processes on a node have the same parent.
constexpr launcher with_parent = {"PMI_RANK", "PMI_SIZE", nullptr, nullptr};

const char* text_of(const char* name) noexcept {
  const char* const text = name == nullptr ? nullptr : std::getenv(name);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

// When the parent began, in ticks since the boot: numbers of processes come again.
std::string beginning_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  // Behind the name, which may hold anything: the 20th field from there.
  std::size_t at = text.rfind(')');
  for (int field = 0; field < 20 && at != std::string::npos; ++field) at = text.find(' ', at + 1);
  return at == std::string::npos ? "" : text.substr(at, text.find(' ', at + 1) - at);
}

bool is_one_of_several(const launcher& by) noexcept {
  if (text_of(by.rank) == nullptr) return false;
  const char* const size = text_of(by.size);
  return by.size == nullptr || (size != nullptr && std::atol(size) > 1);
}

job_place place_of(const char* rank, const std::string& job) {
  job_place found;
  found.rank = std::atol(text_of(rank));
  found.job = hash_of(job);
  if (found.job == 0) found.job = 1;
  return found;
}

}  // namespace

job_place find_place_in_job() {
  for (const launcher& by : launchers) {
    const char* const job = text_of(by.job);
    const char* const part = text_of(by.part);
    if (job == nullptr || (by.part != nullptr && part == nullptr) || !is_one_of_several(by))
      continue;
    return place_of(by.rank, std::string(by.job) + "=" + job + "." + (part == nullptr ? "" : part));
  }
  if (!is_one_of_several(with_parent)) return {};
  const pid_t parent = ::getppid();
  const std::string began = beginning_of(parent);
  if (began.empty()) return {};
  return place_of(with_parent.rank, "parent=" + std::to_string(parent) + began);
}

const job_place& place_in_job() {
  static const job_place place = find_place_in_job();
  return place;
}

namespace {

constexpr const char* guard_ending = ".tmp";
constexpr const char* guarded_ending = ".part";

// Who writes a file: as its name says, or this process.
struct writer {
  std::uint64_t boot = 0;   // of the machine since its last start
  std::uint64_t names = 0;  // the namespaces: elsewhere the same number is another process
  long process = 0;
  std::uint64_t start = 0;  // of the process: numbers come again
  int locks_tell = 0;
  unsigned number = 0;
  job_place place;
};

std::uint64_t this_boot() {
  static const std::uint64_t boot = [] {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string text;
    std::getline(file, text);
    return text.empty() ? 0 : hash_of(text);
  }();
  return boot;
}

// 0 if the system does not tell. Not kept: a child of fork() may be in another one. Process numbers
// belong to a PID namespace, and starts are counted from that of a time namespace.
std::uint64_t this_namespace() noexcept {
  struct stat numbers {};
  struct stat times {};
  if (::stat("/proc/self/ns/pid", &numbers) != 0) return 0;
  if (::stat("/proc/self/ns/time", &times) != 0) times.st_ino = 0;
  const std::uint64_t time_number = times.st_ino;
  return numbers.st_ino ^ (time_number << 32U);
}

std::string proc_text(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// /proc may be that of another PID namespace, with other processes of the same numbers: then this
// process has more than one number there.
bool has_own_proc() {
  const std::string text = proc_text("/proc/self/status");
  const std::string label = "\nNSpid:";
  const std::size_t begin = text.find(label);
  if (begin == std::string::npos) return false;
  std::istringstream numbers(
      text.substr(begin + label.size(), text.find('\n', begin + 1) - begin - label.size()));
  long number = 0;
  int count = 0;
  while (numbers >> number) ++count;
  return count == 1;
}

// When a process began, in ticks since the start of the machine; 0 if the system does not tell.
std::uint64_t start_of(long process) {
  const bool is_this = process == static_cast<long>(::getpid());
  if (!is_this && !has_own_proc()) return 0;
  const std::string text =
      proc_text("/proc/" + (is_this ? "self" : std::to_string(process)) + "/stat");
  const std::size_t name_end = text.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  std::uint64_t start = 0;
  return fields >> start ? start : 0;
}

bool read_writer(const std::string& text, writer& found) {
  unsigned long long boot = 0;
  unsigned long long names = 0;
  unsigned long long start = 0;
  unsigned long long job = 0;
  int length = 0;
  if (std::sscanf(text.c_str(), "%16llx-%20llu-%10ld-%20llu-%1d-%10u-%16llx-%10ld.tmp%n", &boot,
                  &names, &found.process, &start, &found.locks_tell, &found.number, &job,
                  &found.place.rank, &length) != 8)
    return false;
  found.boot = boot;
  found.names = names;
  found.start = start;
  found.place.job = job;
  return length == static_cast<int>(text.size());
}

// A process of the same machine and namespaces that is not there any more. Signals reach no process
// of another user, but the answer says that it is there.
bool is_certainly_dead(const writer& who) {
  if (who.boot == 0 || who.boot != this_boot() || who.names == 0 || who.names != this_namespace() ||
      who.process <= 0 || who.process > INT_MAX)
    return false;
  if (::kill(static_cast<pid_t>(who.process), 0) != 0 && errno == ESRCH) return true;
  const std::uint64_t start = who.start == 0 ? 0 : start_of(who.process);
  return start != 0 && start != who.start;  // another one has its number
}

// The kernel of this machine knows all locks. No network file system, no FUSE: whether their locks
// reach everybody is a matter of versions and mount options that only their servers know.
bool is_local(const struct statfs& system) noexcept {
  constexpr std::array<unsigned long, 9> local = {0xEF53,       // ext2, ext3, ext4
                                                  0x58465342,   // XFS
                                                  0x9123683E,   // Btrfs
                                                  0x01021994,   // tmpfs
                                                  0x858458F6,   // ramfs
                                                  0x2FC12FC1,   // ZFS
                                                  0xF2F52010,   // F2FS
                                                  0xCA451A4E,   // bcachefs
                                                  0x794C7630};  // overlayfs
  const auto type = static_cast<unsigned long>(system.f_type);
  return std::find(local.begin(), local.end(), type) != local.end();
}

// An open file of a place, locked if that is possible.
class place_file {
 public:
  explicit place_file(const std::string& name) : name_(name) {
    for (const int access : {O_RDWR, O_RDONLY}) {
      descriptor_ = uninterrupted([&] {
        return ::open(name.c_str(), access | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
      });
      if (descriptor_ >= 0 || errno == ENOENT) break;
    }
    is_missing_ = descriptor_ < 0 && errno == ENOENT;
  }
  ~place_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  place_file(const place_file&) = delete;
  place_file& operator=(const place_file&) = delete;

  bool is_missing() const noexcept { return is_missing_; }
  // Somebody holds the lock.
  bool is_held() const noexcept { return is_held_; }

  // True if the lock was taken, if that tells (elsewhere than on local disks it may be a lock of
  // this machine alone), and if the name is still this file's.
  bool take_lock() noexcept {
    struct stat opened {};
    struct stat named {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &opened) != 0 || !S_ISREG(opened.st_mode))
      return false;
    const lock_answer answer = lock_description(descriptor_);
    is_held_ = answer == lock_answer::held_by_another;
    return answer == lock_answer::taken && is_on_local_disk(descriptor_) &&
           ::lstat(name_.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
  }

 private:
  const std::string& name_;
  int descriptor_ = -1;
  bool is_missing_ = false;
  bool is_held_ = false;
};

place_found in_use(bool is_certain, const job_place& writer = {}) noexcept {
  return {place_state::in_use, is_certain, writer};
}

bool is_there(const std::string& path) noexcept {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0;
}

place_found dead() noexcept {
  return {place_state::dead, false, {}};
}

place_found remove_dead(const std::string& name) noexcept {
  return ::unlink(name.c_str()) == 0 || errno == ENOENT ? dead() : in_use(false);
}

place_found look_at_file(const std::string& place, bool removes) {
  place_file file(place);
  if (file.is_missing()) return {};
  if (!file.take_lock()) return in_use(file.is_held());
  return removes ? remove_dead(place) : dead();
}

// The link of another writer may come there meanwhile and be removed. It is missed by nobody: the
// file that it names belongs to that writer, who does not look at the link.
place_found remove_link(const std::string& place, const std::string& named) {
  std::array<char, PATH_MAX> now{};
  const ssize_t length = ::readlink(place.c_str(), now.data(), now.size());
  if (length >= 0 &&
      named.compare(0, std::string::npos, now.data(), static_cast<std::size_t>(length)) == 0)
    return remove_dead(place);
  return dead();
}

place_found look_at_link(const std::string& beginning, const std::string& place,
                         const std::string& named, bool removes) {
  const std::size_t slash = beginning.rfind('/') + 1;
  const std::string prefix = beginning.substr(slash);
  writer who;
  // Whoever may write into the directory could name any other file.
  if (named.compare(0, prefix.size(), prefix) != 0 ||
      !read_writer(named.substr(prefix.size()), who))
    return in_use(false);
  const std::string guard = beginning.substr(0, slash) + named;
  place_file file(guard);
  // It is made after the link, and goes before it: a living writer may be about to make it.
  const bool lock_tells = !file.is_missing() && file.take_lock() && who.locks_tell == 1;
  if (!lock_tells && (file.is_held() || !is_certainly_dead(who)))
    return in_use(file.is_held(), who.place);
  if (!removes) return dead();
  // Names as these come only once: nobody else has a file of them.
  const std::string data = guarded_by(guard);
  if (is_there(data)) remove_tree(data);
  if (is_there(data)) return in_use(false);
  if (!file.is_missing()) ::unlink(guard.c_str());
  return remove_link(place, named);
}

}  // namespace

place_found look_at_place(const std::string& beginning, const std::string& place, bool removes) {
  std::array<char, PATH_MAX> text{};
  const ssize_t length = ::readlink(place.c_str(), text.data(), text.size());
  if (length >= 0)
    return look_at_link(beginning, place,
                        std::string(text.data(), static_cast<std::size_t>(length)), removes);
  if (errno == ENOENT) return {};
  return errno == EINVAL ? look_at_file(place, removes) : in_use(false);
}

std::string writer_text(bool locks_tell) {
  static std::atomic<unsigned> number{0};  // two threads may write beside each other
  const job_place& place = place_in_job();
  const long process = ::getpid();
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), "%016llx-%llu-%ld-%llu-%d-%u-%llx-%ld%s",
                static_cast<unsigned long long>(this_boot()),
                static_cast<unsigned long long>(this_namespace()), process,
                static_cast<unsigned long long>(start_of(process)), locks_tell ? 1 : 0, number++,
                static_cast<unsigned long long>(place.job), place.rank, guard_ending);
  return text.data();
}

std::string guarded_by(const std::string& guard) {
  return guard.substr(0, guard.rfind('.')) + guarded_ending;
}

bool is_on_local_disk(const std::string& directory) noexcept {
  struct statfs system {};
  return ::statfs(directory.c_str(), &system) == 0 && is_local(system);
}

bool is_on_local_disk(int descriptor) noexcept {
  struct statfs system {};
  return ::fstatfs(descriptor, &system) == 0 && is_local(system);
}

namespace {

bool is_above(const char* name) noexcept {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

// By its place in an open directory, whose kind of entry says what they are: nftw() looks at each
// entry and follows its whole path twice, which takes a third longer.
void remove_entry(int directory, const char* name, bool may_be_directory) noexcept {
  const int below = may_be_directory
                        ? ::openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                        : -1;
  DIR* const list = below < 0 ? nullptr : ::fdopendir(below);
  if (below >= 0 && list == nullptr) ::close(below);
  if (list != nullptr) {
    while (const dirent* const entry = ::readdir(list))
      if (!is_above(entry->d_name))
        remove_entry(below, entry->d_name, entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN);
    ::closedir(list);
  }
  ::unlinkat(directory, name, below < 0 ? 0 : AT_REMOVEDIR);
}

}  // namespace

// std::filesystem ends the program if it lacks memory for a list of entries. What stays is in the
// way of nobody.
void remove_tree(const std::string& path) noexcept {
  const int before = errno;
  remove_entry(AT_FDCWD, path.c_str(), true);
  errno = before;
}

}  // namespace headrace
