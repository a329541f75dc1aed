// Runs every file of corpus/ through its target: seeds of the fuzzers, and what they have found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "targets.hpp"

namespace headrace::fuzz {
namespace {

class Corpus : public testing::TestWithParam<target> {};

TEST_P(Corpus, GivesRightAnswers) {
  const std::filesystem::path folder = std::filesystem::path(HEADRACE_CORPUS) / GetParam().name;
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream),
                            std::istreambuf_iterator<char>()};
    EXPECT_NO_THROW(GetParam().run(bytes)) << file.path();
    ++files;
  }
  EXPECT_GT(files, 0) << folder;
}

// The fuzzer reaches beginnings and ends of all lengths; a few of each here.
TEST_P(Corpus, GivesRightAnswersForCutFiles) {
  const std::filesystem::path folder = std::filesystem::path(HEADRACE_CORPUS) / GetParam().name;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream),
                            std::istreambuf_iterator<char>()};
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 20)
      EXPECT_NO_THROW(GetParam().run(bytes.substr(0, size))) << file.path() << " cut at " << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(targets),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace headrace::fuzz
