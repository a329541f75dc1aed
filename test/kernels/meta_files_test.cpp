// Pairs as files: links, modes, killed and failing writers, several programs at one pair.
#include <sys/stat.h>

#include <cerrno>
#include <thread>

#include "meta_fixture.hpp"

namespace headrace {
namespace {

TEST_F(MetaPairs, LinksToADescriptionLeadToItsData) {
  std::filesystem::create_directory(path("there"));
  std::filesystem::create_symlink("there/run.meta", path("x.meta"));
  std::vector<double> values = {1, 2, 3};
  ASSERT_EQ(write("x.meta", values), 0) << error_.message;
  EXPECT_TRUE(std::filesystem::exists(path("there/run.real64.bin")));
  EXPECT_EQ(read("x.meta", values), 0) << error_.message;
  ASSERT_EQ(write("x.meta", values), 0) << error_.message;
  EXPECT_EQ(read("there/run.meta", values), 0) << error_.message;
  EXPECT_EQ(names(), (std::set<std::string>{"there", "x.meta"}));
}

TEST_F(MetaPairs, DataFilesGetTheModeOfTheDescription) {
  const std::vector<double> values = {1, 2, 3};
  ASSERT_EQ(write("x.meta", values), 0);
  ASSERT_EQ(::chmod(path("x.meta").c_str(), 0600), 0);
  ASSERT_EQ(write("x.meta", values), 0);
  struct stat data {};
  ASSERT_EQ(::stat(path("x.real64.1.bin").c_str(), &data), 0);
  EXPECT_EQ(data.st_mode & 0777U, 0600U);
}

TEST_F(MetaPairs, AKilledWriterLeavesTheOldPair) {
  const std::vector<double> old = {1.5, 2.5};
  for (const char* append : {"no", "yes"}) {
    ASSERT_EQ(write("x.meta", old, named("old")), 0);
    ASSERT_TRUE(kill_growing([&] { write("x.meta", endless_column(), named("endless", append)); },
                             [&] {
                               std::uintmax_t bytes = 0;
                               for (const std::string& name : names()) bytes += size_of(path(name));
                               return bytes;
                             }))
        << append;
    std::vector<double> found(2);
    EXPECT_EQ(read("x.meta", found), 0) << error_.message;
    EXPECT_EQ(found, old);
    // What was left behind is no part of what comes next.
    const std::vector<double> next = {3.5};
    std::vector<double> same(1);
    ASSERT_EQ(write("x.meta", next, named("next", "yes")), 0) << error_.message;
    EXPECT_EQ(read("x.meta", same, wanted("next")), 0) << error_.message;
    EXPECT_EQ(same, next);
    EXPECT_EQ(read("x.meta", found, wanted("old")), 0) << error_.message;
    EXPECT_EQ(found, old);
    hr_array_info info{};
    ASSERT_EQ(describe("x.meta", info, wanted("next")), 0);
    EXPECT_EQ(info.data_offset % 8, 0);
  }
}

TEST_F(MetaPairs, AFailureTakesNewDataBack) {
  std::vector<double> values = {1, 2, 3};
  // The stem leaves room for the text, not for the longer name of the data.
  EXPECT_EQ(write(std::string(245, 'n') + ".meta", values), ENAMETOOLONG);
  EXPECT_EQ(files(), 0U);
  EXPECT_EQ(write("none/x.meta", values), ENOENT);
  ASSERT_EQ(write("x.meta", values), 0);
  put(path("y.meta"), "! nothing\n&array /\n");
  EXPECT_EQ(write("y.meta", values, named("b", "yes")), HR_HEADER_DAMAGED);
  EXPECT_EQ(names(), (std::set<std::string>{"x.meta", "x.real64.bin", "y.meta"}));
}

TEST_F(MetaPairs, ThreadsThatAppendToOnePairWaitForEachOther) {
  constexpr int count = 8;
  ASSERT_EQ(write("x.meta", std::vector<double>{-1}, named("first")), 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      const std::string name = "a" + std::to_string(i);
      const std::vector<double> values(1000, i);
      const hr_array array = vector_of(values);
      const hr_write_options options = named(name.c_str(), "yes");
      EXPECT_EQ(hr_write_array(path("x.meta").c_str(), &array, &options, nullptr), 0);
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < count; ++i) {
    std::vector<double> found(1000);
    EXPECT_EQ(read("x.meta", found, wanted(("a" + std::to_string(i)).c_str())), 0)
        << error_.message;
    EXPECT_EQ(found, std::vector<double>(1000, i));
  }
  EXPECT_EQ(files(), 2U);
}

TEST_F(MetaPairs, ReadersFollowAPairThatIsReplaced) {
  ASSERT_EQ(write("x.meta", std::vector<double>{0, 0}), 0);
  std::thread writer([&] {
    for (int i = 1; i <= 100; ++i) {
      const std::vector<double> values(2, i);
      const hr_array array = vector_of(values);
      EXPECT_EQ(hr_write_array(path("x.meta").c_str(), &array, nullptr, nullptr), 0);
    }
  });
  std::vector<double> found = {0, 0};
  for (int i = 0; i < 1000 && found[0] < 100; ++i) {
    EXPECT_EQ(read("x.meta", found), 0) << error_.message;
    EXPECT_EQ(found[0], found[1]);
  }
  writer.join();
  EXPECT_EQ(files(), 2U);
}

TEST_F(MetaPairs, ProgramsThatAppendAtOnceLoseNothing) {
  constexpr int arrays = 10;
  std::vector<std::string> all;
  std::vector<pid_t> programs;
  for (const char program : {'a', 'b', 'c'}) {
    std::vector<std::string> mine;
    for (int i = 0; i < arrays; ++i) mine.push_back(program + std::to_string(i));
    all.insert(all.end(), mine.begin(), mine.end());
    programs.push_back(::fork());
    if (programs.back() != 0) continue;
    bool written = true;
    // The first of them creates the pair.
    for (const std::string& name : mine)
      written =
          write("x.meta", std::vector<double>{1, 2}, named(name.c_str(), "yes")) == 0 && written;
    ::_exit(written ? 0 : 1);
  }
  for (const pid_t program : programs) {
    int ended = 1;
    EXPECT_EQ(::waitpid(program, &ended, 0), program);
    EXPECT_EQ(ended, 0);
  }
  for (const std::string& name : all) {
    std::vector<double> found(2);
    EXPECT_EQ(read("x.meta", found, wanted(name.c_str())), 0) << error_.message;
  }
}

}  // namespace
}  // namespace headrace
