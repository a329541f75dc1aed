// Run with test/interpose/full_disk.c preloaded: the disk is the scratch directory.
#include <cerrno>

#include "core/files.hpp"
#include "core/transfer.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

class Disk : public Scratch {
 protected:
  void TearDown() override {
    for (const char* name : {"PATH", "BYTES", "SHORT", "EINTR"})
      unsetenv((std::string("HEADRACE_TEST_DISK_") + name).c_str());
    Scratch::TearDown();
  }

  status write_whole(const std::string& file, const array_view& array) const {
    setenv("HEADRACE_TEST_DISK_PATH", directory_.c_str(), 1);
    file_writer writer;
    if (status s = writer.open(file); !s.ok()) return s;
    if (status s = write_elements(writer, array); !s.ok()) return s;
    return writer.finish(sync_mode::none);
  }

  static array_view view_of(std::string& bytes) {
    return {bytes.data(), 1, type_class::character, 1, {static_cast<std::ptrdiff_t>(bytes.size())},
            {1}};
  }
};

// Writes never shrink the disk again, so this test comes first and uses it up.
TEST_F(Disk, FullIsReportedAtTheExactByteAndTheOldFileStays) {
  put(path("x"), "old");
  std::string bytes(100000, 'n');
  setenv("HEADRACE_TEST_DISK_BYTES", "65536", 1);
  const status s = write_whole(path("x"), view_of(bytes));
  EXPECT_EQ(s.code(), ENOSPC);
  EXPECT_NE(s.message().find("byte 65536"), std::string::npos) << s.message();
  EXPECT_EQ(content(path("x")), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Disk, ShortWritesAreContinued) {
  std::string bytes(1000, ' ');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  setenv("HEADRACE_TEST_DISK_SHORT", "7", 1);
  EXPECT_EQ(write_whole(path("x"), view_of(bytes)).message(), "");
  EXPECT_EQ(content(path("x")), bytes);
}

TEST_F(Disk, InterruptedWritesAreRepeated) {
  std::string bytes(1000, 'i');
  setenv("HEADRACE_TEST_DISK_SHORT", "100", 1);
  setenv("HEADRACE_TEST_DISK_EINTR", "1", 1);
  EXPECT_EQ(write_whole(path("x"), view_of(bytes)).message(), "");
  EXPECT_EQ(content(path("x")), bytes);
}

TEST_F(Disk, WritesOfNothingDoNotLoopForever) {
  std::string bytes(1000, 'z');
  setenv("HEADRACE_TEST_DISK_SHORT", "0", 1);
  EXPECT_EQ(write_whole(path("x"), view_of(bytes)).code(), EIO);
  EXPECT_EQ(files(), 0U);
}

TEST_F(Disk, SectionsThroughTheBufferReportTheExactByteToo) {
  std::string bytes(200000, 's');
  array_view every_second = view_of(bytes);
  every_second.extent[0] /= 2;
  every_second.stride[0] = 2;
  setenv("HEADRACE_TEST_DISK_BYTES", "1", 1);  // less than written before: nothing fits
  const status s = write_whole(path("x"), every_second);
  EXPECT_EQ(s.code(), ENOSPC);
  EXPECT_NE(s.message().find("byte 0"), std::string::npos) << s.message();
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace headrace
