// What killed writers leave is removed by the next write of the same name, and nothing of writers
// that live, wherever they do.
#include "core/leftovers.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <functional>
#include <string>
#include <vector>

#include "core/description_lock.hpp"
#include "leftovers_fixture.hpp"

// These stand before the C library's.
extern "C" int flock(int descriptor, int operation) noexcept {
  if (headrace::sees_no_locks) return 0;
  if (headrace::has_no_locks) {
    errno = ENOLCK;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
}

extern "C" int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  const bool locks = command == F_OFD_SETLK || command == F_OFD_GETLK;
  if (locks && headrace::sees_no_locks) {
    static_cast<struct flock*>(argument)->l_type = F_UNLCK;
    return 0;
  }
  if (locks && headrace::has_no_locks) {
    errno = ENOLCK;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fcntl, descriptor, command, argument));
}

extern "C" int statfs(const char* path, struct statfs* found) noexcept {
  const int result = static_cast<int>(::syscall(SYS_statfs, path, found));
  if (headrace::network_type != 0) found->f_type = headrace::network_type;
  return result;
}

extern "C" int fstatfs(int descriptor, struct statfs* found) noexcept {
  const int result = static_cast<int>(::syscall(SYS_fstatfs, descriptor, found));
  if (headrace::network_type != 0) found->f_type = headrace::network_type;
  return result;
}

extern "C" int symlink(const char* to, const char* from) noexcept {
  if (headrace::has_no_links) {
    errno = EOPNOTSUPP;
    return -1;
  }
  const auto result = static_cast<int>(::syscall(SYS_symlink, to, from));
  if (headrace::signal_after_link != 0) ::raise(headrace::signal_after_link);
  return result;
}

extern "C" int close(int descriptor) {
  const bool fails = headrace::close_fails &&
                     (::fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY &&
                     ::lseek(descriptor, 0, SEEK_END) > 0;
  const auto result = static_cast<int>(::syscall(SYS_close, descriptor));
  if (!fails) return result;
  errno = EDQUOT;
  return -1;
}

extern "C" DIR* opendir(const char* name) {
  using function = DIR* (*)(const char*);
  static const auto next = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "opendir"));
  ++headrace::listed_directories;
  return next(name);
}

namespace headrace {
namespace {

TEST_F(Leftovers, OfAKilledWriterAreRemovedByTheNextWrite) {
  expect_removal();
}

TEST_F(Leftovers, OfAKilledWriterAreRemovedWithoutLocks) {
  has_no_locks = true;
  expect_removal();
}

TEST_F(Leftovers, OfAKilledWriterAreRemovedFromANetworkFileSystem) {
  network_type = nfs_type;
  expect_removal();
}

// Writes, and gets the signal between its link and its file.
pid_t write_with_signal(const std::string& file, int signal) {
  const pid_t process = ::fork();
  if (process != 0) return process;
  signal_after_link = signal;
  file_writer writer;
  const bool done = writer.open(file).ok() && writer.write("theirs", 6).ok() &&
                    writer.finish(sync_mode::none).ok();
  ::_exit(done ? 0 : 1);
}

TEST_F(Leftovers, OfAWriterKilledBetweenItsLinkAndItsFileAreRemoved) {
  network_type = nfs_type;
  int ended = 0;
  ASSERT_GT(::waitpid(write_with_signal(path("x"), SIGKILL), &ended, 0), 0);
  EXPECT_TRUE(WIFSIGNALED(ended));
  EXPECT_EQ(files(), 1U) << "the link alone";
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Leftovers, OfALivingWriterWithoutItsFileStay) {
  network_type = nfs_type;
  const pid_t process = write_with_signal(path("x"), SIGSTOP);
  int ended = 0;
  ASSERT_EQ(::waitpid(process, &ended, WUNTRACED), process);
  EXPECT_EQ(write_whole(path("x"), "ours").message(), "");
  EXPECT_EQ(files(), 2U) << "and the link of the other one";
  ::kill(process, SIGCONT);
  ASSERT_EQ(::waitpid(process, &ended, 0), process);
  EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
  EXPECT_EQ(files(), 1U);
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
  network_type = nfs_type;
  expect_no_harm(false);
}

TEST_F(Leftovers, OfALivingWriterInAnotherPidNamespaceStay) {
  if (!can_make_namespace()) GTEST_SKIP() << "only the superuser can make a PID namespace";
  expect_no_harm(true);
  network_type = nfs_type;
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
  const std::string name = "x.headrace-00000000000000aa-4026531836-4194303-77-1-0-0-0.tmp";
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
  network_type = nfs_type;
  const std::string name = "x.headrace-00000000000000aa-4026531836-4194303-77-1-0-0-0.tmp";
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
  EXPECT_EQ(lock_description(descriptor), lock_answer::taken) << "the child holds the lock";
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
