// Writers in other processes, which are killed or go on, on file systems that interposed calls of
// the C library (leftovers_test.cpp) make what a test wants.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "scratch.hpp"

namespace headrace {

inline bool has_no_locks = false;
inline bool has_no_links = false;
inline bool sees_no_locks = false;  // each machine has locks of its own: all can be taken
inline int signal_after_link = 0;   // that this process gets when its link stands
inline bool close_fails = false;    // of a temporary file, as a full quota makes it
inline long network_type = 0;       // of statfs(); 0: what there is
inline int listed_directories = 0;

constexpr long nfs_type = 0x6969;

class Leftovers : public Scratch {
 protected:
  void TearDown() override {
    for (const pid_t process : started_) {
      if (::waitpid(process, nullptr, WNOHANG) != 0) continue;  // it has ended
      ::kill(process, SIGKILL);
      ::waitpid(process, nullptr, 0);
    }
    has_no_locks = false;
    has_no_links = false;
    sees_no_locks = false;
    close_fails = false;
    network_type = 0;
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

}  // namespace headrace
