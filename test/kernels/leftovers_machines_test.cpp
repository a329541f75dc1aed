// What other machines and other starts of a container write is left alone, or removed, for what is
// certain; and a file of a network is closed before it takes its name.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/description_lock.hpp"
#include "core/file_target.hpp"
#include "core/temporaries.hpp"
#include "leftovers_fixture.hpp"

namespace headrace {
namespace {

class LeftoversOfMachines : public Leftovers {
 protected:
  static constexpr long gpfs_type = 0x47504653;
  static constexpr long cifs_type = 0xFF534D42;

  std::string place() const { return path("x.headrace-0.tmp"); }
  std::string named() const { return path(std::filesystem::read_symlink(place()).string()); }

  static std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, '-');) parts.push_back(part);
    return parts;
  }
  static std::string joined(const std::vector<std::string>& parts) {
    std::string text = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) text += "-" + parts[i];
    return text;
  }

  // Behind "x.headrace": the boot, the namespaces, the process.
  void change_part(std::size_t number, const std::string& value) {
    const std::string old = named();
    std::vector<std::string> parts = parts_of(std::filesystem::read_symlink(place()).string());
    ASSERT_GT(parts.size(), number);
    parts[number] = value;
    std::filesystem::rename(old, path(joined(parts)));
    std::filesystem::remove(place());
    std::filesystem::create_symlink(joined(parts), place());
  }
  void move_to_another_machine() { change_part(1, "00000000000000aa"); }

  // A process that does something and then waits to be killed.
  template <class Act>
  pid_t start(Act act) {
    int begun[2];
    EXPECT_EQ(::pipe2(begun, O_CLOEXEC), 0);
    const pid_t process = ::fork();
    if (process == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const char told = act() ? 'y' : 'n';
      if (::write(begun[1], &told, 1) == 1) ::pause();
      ::_exit(0);
    }
    char told = 'n';
    ::close(begun[1]);
    EXPECT_EQ(::read(begun[0], &told, 1), 1);
    EXPECT_EQ(told, 'y');
    ::close(begun[0]);
    started_.push_back(process);
    return process;
  }

  // Takes the lock that nfsd takes on the server's own file system for a client.
  void lock_as_nfsd(const std::string& file) {
    start([&] {
      struct flock whole {};
      whole.l_type = F_WRLCK;
      const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
      return descriptor >= 0 && ::fcntl(descriptor, F_SETLK, &whole) == 0;
    });
  }
};

// flock() of one node of GPFS is unknown on the others, and so may be any lock of a network.
TEST_F(LeftoversOfMachines, OfALivingWriterOnAnotherNodeStay) {
  for (const long type : {gpfs_type, 0x00C36400L, 0x0BD00BD0L, nfs_type, 0x65735546L}) {
    network_type = type;
    const other_writer other = begin_elsewhere(path("x"));
    move_to_another_machine();
    const std::string theirs = named();
    sees_no_locks = true;
    EXPECT_EQ(write_whole(path("x"), "new").message(), "");
    EXPECT_EQ(content(theirs), "theirs") << std::hex << type;
    sees_no_locks = false;
    kill_writer(other);
    std::filesystem::remove(theirs);
    std::filesystem::remove(place());
  }
}

TEST_F(LeftoversOfMachines, LockedByAServerForItsClientStay) {
  put(place(), "theirs");
  lock_as_nfsd(place());
  EXPECT_TRUE(is_being_written(path("x")));
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(content(place()), "theirs");
}

// The server of a network file system sees its clients' files on a disk of its own.
TEST_F(LeftoversOfMachines, OfAClientStayOnItsServerWithoutALock) {
  network_type = nfs_type;
  has_no_locks = true;
  const other_writer other = begin_elsewhere(path("x"));
  network_type = 0;
  has_no_locks = false;
  move_to_another_machine();
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(content(named()), "theirs");
  kill_writer(other);
}

// Its name must not promise a lock.
TEST_F(LeftoversOfMachines, OfALivingWriterThatGotNoLockStay) {
  has_no_locks = true;
  const other_writer other = begin_elsewhere(path("x"));
  has_no_locks = false;
  move_to_another_machine();
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(content(named()), "theirs");
  kill_writer(other);
}

TEST_F(LeftoversOfMachines, ThatMayOnlyBeReadStayWhileTheyAreLocked) {
  put(place(), "theirs");
  lock_as_nfsd(place());
  const int descriptor = ::open(place().c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(lock_description(descriptor), lock_answer::held_by_another);
  ::kill(started_.back(), SIGKILL);
  ::waitpid(started_.back(), nullptr, 0);
  EXPECT_EQ(lock_description(descriptor), lock_answer::unknown);
  ::close(descriptor);
}

// A full quota is told by close(): the old file must have its name still.
TEST_F(LeftoversOfMachines, AreClosedBeforeTheyReplaceAFileOfANetwork) {
  for (const bool links : {true, false}) {
    put(path("x"), "old");
    network_type = cifs_type;
    has_no_links = !links;
    close_fails = true;
    const status written = write_whole(path("x"), "new");
    close_fails = false;
    EXPECT_FALSE(written.ok());
    EXPECT_EQ(content(path("x")), "old") << (links ? "with" : "without") << " symbolic links";
    EXPECT_EQ(files(), 1U);
  }
}

// "." is another directory after chdir().
TEST_F(LeftoversOfMachines, AreNotTakenForThoseOfAnotherDirectoryOfTheSameName) {
  const std::filesystem::path before = std::filesystem::current_path();
  put(path("x"), "old");
  std::filesystem::create_directory(path("here"));
  std::filesystem::current_path(path("here"));
  const status here = write_whole("w", "one");
  std::filesystem::current_path(directory_);
  network_type = nfs_type;
  close_fails = true;
  const status there = write_whole("x", "new");
  close_fails = false;
  std::filesystem::current_path(before);
  EXPECT_TRUE(here.ok());
  EXPECT_FALSE(there.ok());
  EXPECT_EQ(content(path("x")), "old");
}

// As after a kill in a container that was started again.
TEST_F(LeftoversOfMachines, OfTheSameNameAreInTheWayOfNobody) {
  network_type = nfs_type;
  temporary_name one;
  temporary_name two;
  file_target target;
  ASSERT_TRUE(find_target(path("x"), target).ok());
  ASSERT_TRUE(one.reserve(target).ok());
  ASSERT_TRUE(two.reserve(target).ok());
  std::vector<std::string> parts = parts_of(one.path());
  const std::vector<std::string> next = parts_of(two.path());
  std::size_t number = 0;
  while (number < parts.size() && parts[number] == next[number]) ++number;
  ASSERT_LT(number, parts.size());
  one.remove();
  two.remove();
  const auto ending = [](const std::string& text) { return text.substr(0, text.rfind('.')); };
  const long last = std::stol(next[number]);
  for (long i = last + 1; i <= last + 3; ++i) {
    parts[number] = std::to_string(i);
    put(ending(joined(parts)) + ".tmp", "left over");
  }
  EXPECT_EQ(write_whole(path("x"), "new").message(), "");
  EXPECT_EQ(one.reserve(target).message(), "");
  one.remove();
  EXPECT_EQ(files(), 4U);
}

// The number of a process says nothing without its start.
TEST_F(LeftoversOfMachines, OfAProcessWhoseNumberIsAnothersAreRemoved) {
  network_type = nfs_type;
  const auto later = [&](auto choose) {
    kill_writer(begin_elsewhere(path("x")));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // starts are counted in ticks
    change_part(3, std::to_string(choose()));
    EXPECT_EQ(write_whole(path("x"), "new").message(), "");
    EXPECT_EQ(files(), 1U);
  };
  later([&] { return start([] { return true; }); });
  later([&] { return ::getpid(); });
}

TEST_F(LeftoversOfMachines, OfAContainerAreRemovedByItsNextStart) {
  if (!can_make_namespace()) GTEST_SKIP() << "only the superuser can make a PID namespace";
  network_type = nfs_type;
  has_no_locks = true;
  kill_writer_of_namespace();
  const std::string first = std::filesystem::read_symlink(place()).string();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(begin_elsewhere(path("x"), true).finishes());
  // The system gives the number of the namespace again, as a rule.
  EXPECT_LE(files(), 3U);
  EXPECT_EQ(content(path("x")), "theirs") << first;
}

// Where /proc is that of the namespace around it, the same number is another process there.
TEST_F(LeftoversOfMachines, OfALivingWriterInTheSameContainerStay) {
  if (!can_make_namespace()) GTEST_SKIP() << "only the superuser can make a PID namespace";
  network_type = nfs_type;
  has_no_locks = true;
  const pid_t process = ::fork();
  if (process == 0) {
    enter_new_namespace();
    file_writer writer;
    if (!writer.open(path("x")).ok() || !writer.write("theirs", 6).ok()) ::_exit(11);
    const pid_t beside = ::fork();
    if (beside == 0) ::_exit(write_whole(path("x"), "new").ok() ? 0 : 1);
    int ended = 1;
    if (::waitpid(beside, &ended, 0) != beside || ended != 0) ::_exit(12);
    ::_exit(writer.finish(sync_mode::none).ok() ? 0 : 13);
  }
  int ended = 1;
  EXPECT_EQ(::waitpid(process, &ended, 0), process);
  EXPECT_EQ(WIFEXITED(ended) ? WEXITSTATUS(ended) : -1, 0);
  EXPECT_EQ(content(path("x")), "theirs");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace headrace
