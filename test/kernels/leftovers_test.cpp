// What killed writers leave is removed by the next write of the same name, and nothing of writers
// that live, wherever they do.
#include "core/leftovers.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <vector>

#include "core/files.hpp"
#include "scratch.hpp"

namespace {

bool has_no_locks = false;
bool is_network = false;
int listed_directories = 0;

}  // namespace

// These stand before the C library's.
extern "C" int flock(int descriptor, int operation) noexcept {
  if (has_no_locks) {
    errno = ENOLCK;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
}

extern "C" int statfs(const char* path, struct statfs* found) noexcept {
  const int result = static_cast<int>(::syscall(SYS_statfs, path, found));
  if (is_network) found->f_type = 0x6969;  // NFS
  return result;
}

extern "C" int fstatfs(int descriptor, struct statfs* found) noexcept {
  const int result = static_cast<int>(::syscall(SYS_fstatfs, descriptor, found));
  if (is_network) found->f_type = 0x6969;
  return result;
}

extern "C" DIR* opendir(const char* name) {
  using function = DIR* (*)(const char*);
  static const auto next = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "opendir"));
  ++listed_directories;
  return next(name);
}

namespace headrace {
namespace {

class Leftovers : public Scratch {
 protected:
  void TearDown() override {
    for (const pid_t process : started_) {
      if (::waitpid(process, nullptr, WNOHANG) != 0) continue;  // it has ended
      ::kill(process, SIGKILL);
      ::waitpid(process, nullptr, 0);
    }
    has_no_locks = false;
    is_network = false;
    Scratch::TearDown();
  }

  static status write_whole(const std::string& file, const std::string& text) {
    file_writer writer;
    if (status s = writer.open(file); !s.ok()) return s;
    if (status s = writer.write(text.data(), text.size()); !s.ok()) return s;
    return writer.finish(sync_mode::none);
  }

  // A process that has begun to write the file, and finishes when it is told to.
  struct other_writer {
    pid_t process = -1;  // of this namespace
    int go_on = -1;

    bool finishes() const {
      int ended = 1;
      return ::write(go_on, "x", 1) == 1 && ::close(go_on) == 0 &&
             ::waitpid(process, &ended, 0) == process && WIFEXITED(ended) &&
             WEXITSTATUS(ended) == 0;
    }
  };

  other_writer begin_elsewhere(const std::string& file, bool in_new_namespace = false) {
    int begun[2];
    int go_on[2];
    EXPECT_EQ(::pipe2(begun, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(go_on, O_CLOEXEC), 0);
    const pid_t process = ::fork();
    if (process == 0) {
      ::close(go_on[1]);
      if (in_new_namespace) enter_new_namespace();
      char told = 'n';
      file_writer writer;
      if (writer.open(file).ok() && writer.write("theirs", 6).ok()) told = 'y';
      if (::write(begun[1], &told, 1) != 1 || ::read(go_on[0], &told, 1) != 1) ::_exit(2);
      ::_exit(writer.finish(sync_mode::none).ok() ? 0 : 1);
    }
    char told = 'n';
    ::close(begun[1]);
    ::close(go_on[0]);
    EXPECT_EQ(::read(begun[0], &told, 1), 1);
    EXPECT_EQ(told, 'y') << "the other process could not begin to write";
    ::close(begun[0]);
    started_.push_back(process);
    return {process, go_on[1]};
  }

  static bool can_make_namespace() {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(::unshare(CLONE_NEWPID) == 0 ? 0 : 1);
    int ended = 1;
    return ::waitpid(process, &ended, 0) == process && ended == 0;
  }

  // The first process of a new namespace; its parent ends as it does.
  static void enter_new_namespace() {
    if (::unshare(CLONE_NEWPID) != 0) ::_exit(3);
    const pid_t first = ::fork();
    if (first == 0) return;
    int ended = 0;
    ::waitpid(first, &ended, 0);
    ::_exit(WIFEXITED(ended) ? WEXITSTATUS(ended) : 4);
  }

  void kill_writer(const other_writer& writer) {
    ::kill(writer.process, SIGKILL);
    EXPECT_EQ(::waitpid(writer.process, nullptr, 0), writer.process);
    ::close(writer.go_on);
  }

  // One write that was killed leaves something; the next leaves nothing but its file.
  void expect_removal() {
    put(path("x"), "old");
    kill_writer(begin_elsewhere(path("x")));
    EXPECT_GT(files(), 1U) << "the killed writer left nothing";
    EXPECT_EQ(content(path("x")), "old");
    EXPECT_EQ(write_whole(path("x"), "new").message(), "");
    EXPECT_EQ(content(path("x")), "new");
    EXPECT_EQ(files(), 1U);
  }

  // Somebody writes; others write beside without harm, and it ends well.
  void expect_no_harm(bool in_new_namespace) {
    std::filesystem::remove(path("x"));
    const other_writer other = begin_elsewhere(path("x"), in_new_namespace);
    const std::size_t theirs = files();
    for (const char* const text : {"one", "two"}) {
      EXPECT_EQ(write_whole(path("x"), text).message(), "");
      EXPECT_EQ(content(path("x")), text);
      EXPECT_EQ(files(), theirs + 1U);
    }
    EXPECT_TRUE(other.finishes());
    EXPECT_EQ(content(path("x")), "theirs");
    EXPECT_EQ(files(), 1U);
  }

  // Its first process dies with the namespace.
  void kill_writer_of_namespace() {
    const other_writer writer = begin_elsewhere(path("x"), true);
    const std::string child = "/proc/" + std::to_string(writer.process) + "/task/" +
                              std::to_string(writer.process) + "/children";
    const std::string first = content(child);
    ASSERT_FALSE(first.empty());
    ::kill(static_cast<pid_t>(std::stol(first)), SIGKILL);
    EXPECT_EQ(::waitpid(writer.process, nullptr, 0), writer.process);
    ::close(writer.go_on);
  }

  std::vector<pid_t> started_;
};

TEST_F(Leftovers, OfAKilledWriterAreRemovedByTheNextWrite) {
  expect_removal();
}

TEST_F(Leftovers, OfAKilledWriterAreRemovedWithoutLocks) {
  has_no_locks = true;
  expect_removal();
}

TEST_F(Leftovers, OfAKilledWriterAreRemovedFromANetworkFileSystem) {
  is_network = true;
  expect_removal();
}

TEST_F(Leftovers, OfWritersKilledTogetherAreRemovedTogether) {
  for (const bool locks : {true, false}) {
    has_no_locks = !locks;
    std::vector<other_writer> writers;
    for (int i = 0; i < 5; ++i) writers.push_back(begin_elsewhere(path("x")));
    EXPECT_GE(files(), 5U);
    for (const other_writer& writer : writers) kill_writer(writer);
    EXPECT_EQ(write_whole(path("x"), "new").message(), "");
    EXPECT_EQ(files(), 1U) << (locks ? "with locks" : "without locks");
  }
}

TEST_F(Leftovers, OfALivingWriterStay) {
  expect_no_harm(false);
}

TEST_F(Leftovers, OfALivingWriterStayWithoutLocks) {
  has_no_locks = true;
  expect_no_harm(false);
}

TEST_F(Leftovers, OfALivingWriterStayOnANetworkFileSystem) {
  is_network = true;
  expect_no_harm(false);
}

TEST_F(Leftovers, OfALivingWriterInAnotherPidNamespaceStay) {
  if (!can_make_namespace()) GTEST_SKIP() << "only the superuser can make a PID namespace";
  expect_no_harm(true);
  is_network = true;
  expect_no_harm(true);
  has_no_locks = true;
  expect_no_harm(true);
}

// A process of another namespace is known by its lock alone: its number says nothing here.
TEST_F(Leftovers, OfADeadWriterInAnotherPidNamespaceNeedALockToBeRemoved) {
  if (!can_make_namespace()) GTEST_SKIP() << "only the superuser can make a PID namespace";
  kill_writer_of_namespace();
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(files(), 1U);
  has_no_locks = true;
  kill_writer_of_namespace();
  const std::size_t left = files();
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(files(), left);
}

TEST_F(Leftovers, OfAnotherStartOfTheMachineNeedALockToBeRemoved) {
  const std::string name = "x.headrace-00000000000000aa-4026531836-4194303-0-0-0.tmp";
  for (const bool locks : {true, false}) {
    has_no_locks = !locks;
    put(path(name), "left over");
    std::filesystem::create_symlink(name, path("x.headrace-0.tmp"));
    EXPECT_EQ(write_whole(path("x"), "new").message(), "");
    EXPECT_EQ(files(), locks ? 1U : 3U);
  }
}

// On NFS a lock may be that of this machine alone.
TEST_F(Leftovers, OfAnotherMachineStayWhereItsLocksAreUnknown) {
  is_network = true;
  const std::string name = "x.headrace-00000000000000aa-4026531836-4194303-0-0-0.tmp";
  put(path(name), "perhaps being written");
  std::filesystem::create_symlink(name, path("x.headrace-0.tmp"));
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(content(path(name)), "perhaps being written");
}

TEST_F(Leftovers, AreNoOtherFilesThatALinkNames) {
  std::filesystem::create_directory(path("d"));
  for (const char* const named : {"../precious", "precious", "x.headrace-0-0", "",
                                  "x.headrace-0-0-0-0-0-0.tmp/../../precious"}) {
    put(path("precious"), "old");
    std::filesystem::remove(path("d/x.headrace-0.tmp"));
    if (*named != '\0')
      std::filesystem::create_symlink(named, path("d/x.headrace-0.tmp"));
    else
      std::filesystem::create_directory(path("d/x.headrace-0.tmp"));
    put(path("d/precious"), "old");
    EXPECT_EQ(write_whole(path("d/x"), "new").message(), "") << named;
    EXPECT_EQ(content(path("d/x")), "new");
    EXPECT_EQ(content(path("precious")), "old");
    EXPECT_EQ(content(path("d/precious")), "old");
  }
}

TEST_F(Leftovers, AreFoundWithoutListingTheDirectory) {
  listed_directories = 0;
  for (const bool locks : {true, false}) {
    has_no_locks = !locks;
    kill_writer(begin_elsewhere(path("x")));
    ASSERT_EQ(write_whole(path("x"), "new").message(), "");
  }
  EXPECT_EQ(listed_directories, 0);
}

// Names that are cut to the same beginning are told apart.
TEST_F(Leftovers, OfAnotherLongNameStay) {
  const std::string one = std::string(200, 'n') + "1";
  const std::string two = std::string(200, 'n') + "2";
  kill_writer(begin_elsewhere(path(one)));
  EXPECT_EQ(write_whole(path(two), "new").message(), "");
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(write_whole(path(one), "new").message(), "");
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(content(path(one)) + content(path(two)), "newnew");
}

// A child has the lock of its parent's file as well; it must not keep others away from it later.
TEST_F(Leftovers, OfAParentAreNotHeldByItsChild) {
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  started_.push_back(child);
  ASSERT_TRUE(writer.write("hello", 5).ok());
  ASSERT_TRUE(writer.finish(sync_mode::none).ok());
  const int descriptor = ::open(path("x").c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_EQ(::flock(descriptor, LOCK_EX | LOCK_NB), 0) << "the child holds the lock";
  ::close(descriptor);
}

// The launchers of MPI, as they set the environment.
class JobPlace : public Scratch {
 protected:
  static constexpr const char* names[] = {"OMPI_COMM_WORLD_RANK",
                                          "OMPI_COMM_WORLD_SIZE",
                                          "PMIX_NAMESPACE",
                                          "OMPI_MCA_ess_base_jobid",
                                          "PMI_RANK",
                                          "PMI_SIZE",
                                          "PMI_JOBID",
                                          "PMIX_RANK",
                                          "SLURM_PROCID",
                                          "SLURM_NTASKS",
                                          "SLURM_JOB_ID",
                                          "SLURM_STEP_ID"};
  void SetUp() override {
    Scratch::SetUp();
    clear();
  }
  void TearDown() override {
    clear();
    Scratch::TearDown();
  }
  static void clear() {
    for (const char* const name : names) ::unsetenv(name);
  }
  static job_place with(const std::vector<std::pair<const char*, const char*>>& environment) {
    clear();
    for (const auto& [name, value] : environment) ::setenv(name, value, 1);
    return find_place_in_job();
  }
};

TEST_F(JobPlace, IsUnknownOutsideOfAJobAndOnOneRank) {
  EXPECT_FALSE(with({}).known());
  EXPECT_FALSE(with({{"OMPI_COMM_WORLD_RANK", "0"},
                     {"OMPI_COMM_WORLD_SIZE", "1"},
                     {"OMPI_MCA_ess_base_jobid", "77"}})
                   .known());
  EXPECT_FALSE(with({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}).known());
  // The script of a batch job is no MPI rank, though it has a number.
  EXPECT_FALSE(with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_ID", "9"}}).known());
}

TEST_F(JobPlace, IsTheSameForRanksOfAJobAndAnotherForOtherJobs) {
  using environment = std::vector<std::pair<const char*, const char*>>;
  const auto open_mpi = [](const char* rank, const char* job) {
    return environment{
        {"OMPI_COMM_WORLD_RANK", rank}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_NAMESPACE", job}};
  };
  const auto slurm = [](const char* rank, const char* step) {
    return environment{{"SLURM_PROCID", rank},
                       {"SLURM_NTASKS", "4"},
                       {"SLURM_JOB_ID", "9"},
                       {"SLURM_STEP_ID", step}};
  };
  for (const auto& launcher : {std::function<environment(const char*, const char*)>(open_mpi),
                               std::function<environment(const char*, const char*)>(slurm)}) {
    const job_place one = with(launcher("1", "5"));
    const job_place two = with(launcher("2", "5"));
    const job_place other = with(launcher("2", "6"));
    EXPECT_TRUE(one.known());
    EXPECT_EQ(one.rank, 1);
    EXPECT_EQ(two.rank, 2);
    EXPECT_EQ(one.job, two.job);
    EXPECT_NE(one.job, other.job);
  }
  // MPICH's own launcher names no job; its processes have the same parent.
  const job_place one = with({{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}});
  const job_place two = with({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}});
  EXPECT_TRUE(one.known());
  EXPECT_EQ(one.job, two.job);
}

}  // namespace
}  // namespace headrace
