#include "core/files.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "scratch.hpp"

namespace {

int synchronised_directories = 0;

}  // namespace

// Stands before the C library's.
extern "C" int fsync(int descriptor) {
  struct stat now {};
  if (::fstat(descriptor, &now) == 0 && S_ISDIR(now.st_mode)) ++synchronised_directories;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace headrace {
namespace {

class Files : public Scratch {
 protected:
  static status write_whole(const std::string& file, const std::string& text,
                            sync_mode sync = sync_mode::none) {
    file_writer writer;
    if (status s = writer.open(file); !s.ok()) return s;
    if (status s = writer.write(text.data(), text.size()); !s.ok()) return s;
    return writer.finish(sync);
  }

  static mode_t mode_of(const std::string& file) {
    struct stat now {};
    return ::stat(file.c_str(), &now) == 0 ? now.st_mode & 07777U : 0;
  }
};

TEST_F(Files, AppearOnlyWhenFinished) {
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  ASSERT_TRUE(writer.write("hello", 5).ok());
  EXPECT_FALSE(std::filesystem::exists(path("x")));
  ASSERT_TRUE(writer.finish(sync_mode::none).ok());
  EXPECT_EQ(content(path("x")), "hello");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, KeepTheOldContentUntilFinished) {
  put(path("x"), "old");
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  ASSERT_TRUE(writer.write("hello", 5).ok());
  EXPECT_EQ(content(path("x")), "old");
  ASSERT_TRUE(writer.finish(sync_mode::file).ok());
  EXPECT_EQ(content(path("x")), "hello");
}

TEST_F(Files, ANewNameIsSynchronisedInItsDirectory) {
  const auto synchronised = [&](const auto& open) {
    const int before = synchronised_directories;
    file_writer writer;
    EXPECT_EQ(open(writer).message(), "");
    EXPECT_EQ(writer.write("hello", 5).message(), "");
    EXPECT_EQ(writer.finish(sync_mode::file).message(), "");
    return synchronised_directories - before;
  };
  const auto append = [&](file_writer& w) { return w.open(path("a"), replace_mode::append); };
  const auto range = [&](file_writer& w) { return w.open_range(path("r"), 0, 5); };
  for (const int times : {1, 0}) {
    EXPECT_EQ(synchronised(append), times);
    EXPECT_EQ(synchronised(range), times);
  }
  EXPECT_EQ(synchronised([&](file_writer& w) { return w.open(path("w")); }), 1);
}

TEST_F(Files, NewFilesDoNotReplaceThoseThatCameFirst) {
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  writer.must_be_new();
  ASSERT_TRUE(writer.write("late", 4).ok());
  put(path("x"), "first");
  EXPECT_EQ(writer.finish(sync_mode::none).code(), EEXIST);
  writer.abandon();
  EXPECT_EQ(content(path("x")), "first");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, AForkedChildDoesNotRemoveTheFileOfItsParent) {
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  ASSERT_TRUE(writer.write("hello", 5).ok());
  const pid_t child = fork();
  if (child == 0) {
    writer.abandon();
    _exit(0);
  }
  int ended = 1;
  ASSERT_EQ(waitpid(child, &ended, 0), child);
  EXPECT_EQ(writer.finish(sync_mode::none).message(), "");
  EXPECT_EQ(content(path("x")), "hello");
}

TEST_F(Files, AbandonedWritersLeaveNothing) {
  put(path("x"), "old");
  {
    file_writer writer;
    ASSERT_TRUE(writer.open(path("x")).ok());
    ASSERT_TRUE(writer.write("hello", 5).ok());
    EXPECT_EQ(files(), 2U);
  }
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(content(path("x")), "old");
}

TEST_F(Files, KilledWritersLeaveTheOldFile) {
  put(path("x"), "old");
  const pid_t child = fork();
  if (child == 0) {
    file_writer writer;
    if (writer.open(path("x")).ok() && writer.write("hello", 5).ok()) raise(SIGKILL);
    _exit(1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFSIGNALED(result));
  EXPECT_EQ(content(path("x")), "old");
}

TEST_F(Files, TemporaryFilesOfAKilledWriterDoNotStopTheNext) {
  for (int i = 0; i < 50; ++i) put(path("x.headrace-" + std::to_string(i) + ".tmp"), "left over");
  ASSERT_TRUE(write_whole(path("x"), "hello").ok());
  EXPECT_EQ(content(path("x")), "hello");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, SymbolicLinksAreFollowedAndStay) {
  std::filesystem::create_directory(path("there"));
  put(path("there/target"), "old");
  std::filesystem::create_symlink("there/target", path("second"));
  std::filesystem::create_symlink("second", path("link"));
  ASSERT_TRUE(write_whole(path("link"), "hello").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("second")));
  EXPECT_EQ(content(path("there/target")), "hello");
}

TEST_F(Files, LinksToMissingFilesCreateThem) {
  std::filesystem::create_symlink("target", path("link"));
  ASSERT_TRUE(write_whole(path("link"), "hello").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "hello");
}

TEST_F(Files, LinksInACircleAreRefused) {
  std::filesystem::create_symlink("b", path("a"));
  std::filesystem::create_symlink("a", path("b"));
  EXPECT_EQ(write_whole(path("a"), "hello").code(), ELOOP);
}

TEST_F(Files, ModeOfAReplacedFileIsKept) {
  put(path("x"), "old");
  for (mode_t mode : {0600U, 0640U, 0755U, 0666U}) {
    ASSERT_EQ(chmod(path("x").c_str(), mode), 0);
    ASSERT_TRUE(write_whole(path("x"), "hello").ok());
    EXPECT_EQ(mode_of(path("x")), mode);
  }
}

TEST_F(Files, OwnerOfAReplacedFileIsKept) {
  if (geteuid() != 0) GTEST_SKIP() << "only the superuser can make a file of another owner";
  put(path("x"), "old");
  ASSERT_EQ(chown(path("x").c_str(), 12345, 23456), 0);
  ASSERT_TRUE(write_whole(path("x"), "hello").ok());
  struct stat now {};
  ASSERT_EQ(::stat(path("x").c_str(), &now), 0);
  EXPECT_EQ(now.st_uid, 12345U);
  EXPECT_EQ(now.st_gid, 23456U);
}

TEST_F(Files, NewFilesObeyTheMask) {
  const mode_t before = umask(027);
  ASSERT_TRUE(write_whole(path("x"), "hello").ok());
  umask(before);
  EXPECT_EQ(mode_of(path("x")), 0640U);
}

TEST_F(Files, ReadOnlyFilesAreRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write read-only files";
  put(path("x"), "old");
  ASSERT_EQ(chmod(path("x").c_str(), 0444), 0);
  EXPECT_EQ(write_whole(path("x"), "hello").code(), EACCES);
  EXPECT_EQ(content(path("x")), "old");
}

TEST_F(Files, ReadOnlyDirectoriesAreRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write in read-only directories";
  ASSERT_EQ(chmod(directory_.c_str(), 0555), 0);
  const status s = write_whole(path("x"), "hello");
  ASSERT_EQ(chmod(directory_.c_str(), 0755), 0);
  EXPECT_EQ(s.code(), EACCES);
  EXPECT_NE(s.message().find("permission"), std::string::npos);
}

TEST_F(Files, WrongTargetsAreRefused) {
  std::filesystem::create_directory(path("d"));
  put(path("x"), "a file");
  EXPECT_EQ(write_whole(path("d"), "hello").code(), EISDIR);
  EXPECT_EQ(write_whole(path("missing/x"), "hello").code(), ENOENT);
  EXPECT_EQ(write_whole(path("x/y"), "hello").code(), ENOTDIR);
  EXPECT_EQ(write_whole("", "hello").code(), static_cast<int>(stat_code::file_name_empty));
  EXPECT_EQ(write_whole(path(std::string(300, 'n')), "hello").code(), ENAMETOOLONG);
  EXPECT_EQ(files(), 2U);
}

TEST_F(Files, LongestNamesCanBeWritten) {
  const std::string name(255, 'n');
  ASSERT_TRUE(write_whole(path(name), "hello").ok());
  EXPECT_EQ(content(path(name)), "hello");
}

TEST_F(Files, PipesAreWrittenAndReadDirectly) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string sent(300000, 'p');  // more than a pipe holds
  status written;
  std::thread other([&] { written = write_whole(path("pipe"), sent, sync_mode::file); });
  file_reader reader;
  ASSERT_TRUE(reader.open(path("pipe")).ok());
  EXPECT_FALSE(reader.size());
  std::string received(sent.size(), ' ');
  EXPECT_TRUE(reader.read(received.data(), received.size()).ok());
  other.join();
  EXPECT_EQ(written.message(), "");
  EXPECT_EQ(received, sent);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, DevicesAreWrittenDirectly) {
  EXPECT_EQ(write_whole("/dev/null", "hello", sync_mode::file).message(), "");
  EXPECT_EQ(write_whole("/dev/full", "hello").code(), ENOSPC);
}

TEST_F(Files, ChangeByOthersIsNoticed) {
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  ASSERT_TRUE(writer.write("hello", 5).ok());
  for (const auto& entry : std::filesystem::directory_iterator(directory_))
    std::filesystem::resize_file(entry.path(), 3);
  const status s = writer.finish(sync_mode::none);
  EXPECT_EQ(s.code(), static_cast<int>(stat_code::file_changed_while_writing));
  EXPECT_FALSE(std::filesystem::exists(path("x")));
}

TEST_F(Files, ReadingStopsAtTheExactByte) {
  put(path("x"), "12345");
  file_reader reader;
  ASSERT_TRUE(reader.open(path("x")).ok());
  EXPECT_EQ(reader.size(), 5U);
  char text[8];
  ASSERT_TRUE(reader.read(text, 3).ok());
  const status s = reader.read(text, 8);
  EXPECT_EQ(s.code(), static_cast<int>(stat_code::end_of_file));
  EXPECT_NE(s.message().find("expected at least 11 bytes, found 5 bytes"), std::string::npos);
  EXPECT_EQ(std::string(text, 2), "45");
}

TEST_F(Files, WrongSourcesAreRefused) {
  file_reader reader;
  EXPECT_EQ(reader.open(path("missing")).code(), ENOENT);
  EXPECT_EQ(reader.open(directory_.string()).code(), EISDIR);
  EXPECT_EQ(reader.open("").code(), static_cast<int>(stat_code::file_name_empty));
}

}  // namespace
}  // namespace headrace
