// A directory of its own for each test, and whole files as strings.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace headrace {

class Scratch : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "headrace-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  static void put(const std::string& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
  }

  static std::string content(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string bytes;
    std::array<char, 65536> block;
    while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
      bytes.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
    return bytes;
  }

  std::size_t files() const {
    const std::filesystem::directory_iterator begin(directory_);
    return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
  }

  std::filesystem::path directory_;
};

}  // namespace headrace
