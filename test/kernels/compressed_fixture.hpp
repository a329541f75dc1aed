// Both kinds of compression, for the tests of compressed streams.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <utility>

#include "core/compressed.hpp"
#include "scratch.hpp"

namespace headrace {

struct variant {
  compression kind;
  const char* name;
  const char* ending;
  const char* library;
};

inline void PrintTo(const variant& kind, std::ostream* stream) {
  *stream << kind.name;
}

class memory_source final : public byte_source {
 public:
  explicit memory_source(std::string content, std::size_t piece = 1U << 30)
      : content_(std::move(content)), piece_(piece) {}
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = std::min({capacity, piece_, content_.size() - used_});
    content_.copy(data, count, used_);
    used_ += count;
    return {};
  }

 private:
  std::string content_;
  std::size_t piece_;
  std::size_t used_ = 0;
};

// Text as tables of numbers have it: it compresses, but not to nothing.
inline std::string numbers(std::size_t bytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random() % 100000) + ",\n"[random() % 4 == 0];
  text.resize(bytes);
  return text;
}

class Compressed : public Scratch, public ::testing::WithParamInterface<variant> {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    std::unique_ptr<byte_source> plain;
    const status s = open_decompressor(std::make_unique<memory_source>(""), kind(), "probe", plain);
    if (s.code() == static_cast<int>(stat_code::compression_unavailable)) {
      EXPECT_NE(s.message().find(GetParam().library), std::string::npos) << s.message();
      GTEST_SKIP() << "built without " << GetParam().library;
    }
  }

  compression kind() const { return GetParam().kind; }

  // Sends a command's output to a file; false when the tool is not there or fails.
  bool run(const std::string& command) const {
    return std::system((command + " 2> " + path("messages")).c_str()) == 0;
  }
  bool has_tool() const {
    return run(std::string("command -v ") + GetParam().name + " > " + path("tool"));
  }

  std::string compress(const std::string& text, int level = default_level, int threads = 1,
                       std::size_t piece = 1U << 30) const {
    std::string content;
    string_sink file(content);
    std::unique_ptr<compressing_sink> sink;
    const status opened = open_compressor(file, kind(), level, threads, "memory", sink);
    EXPECT_TRUE(opened.ok()) << opened.message();
    for (std::size_t i = 0; i < text.size(); i += piece)
      EXPECT_TRUE(sink->write(text.data() + i, std::min(piece, text.size() - i)).ok());
    const status finished = sink->finish();
    EXPECT_TRUE(finished.ok()) << finished.message();
    return content;
  }

  // What can be read, and how it ends.
  status decompress(const std::string& content, std::string& text, std::size_t piece = 1U << 30,
                    std::size_t capacity = 100000) const {
    text.clear();
    std::unique_ptr<byte_source> plain;
    if (status s = open_decompressor(std::make_unique<memory_source>(content, piece), kind(),
                                     "memory", plain);
        !s.ok())
      return s;
    std::string block(capacity, '\0');
    for (std::size_t count = 1; count > 0;) {
      if (status s = plain->read(block.data(), block.size(), count); !s.ok()) {
        EXPECT_EQ(plain->read(block.data(), block.size(), count).code(), s.code());
        return s;
      }
      text.append(block, 0, count);
    }
    std::size_t count = 1;
    EXPECT_TRUE(plain->read(block.data(), block.size(), count).ok());
    EXPECT_EQ(count, 0U);
    return {};
  }

  void expect_text(const std::string& content, const std::string& expected) const {
    std::string text;
    const status s = decompress(content, text);
    EXPECT_TRUE(s.ok()) << s.message();
    EXPECT_TRUE(text == expected) << text.size() << " bytes, expected " << expected.size();
  }

  void expect_damage(const std::string& content, const std::string& text) const {
    std::string found;
    const status s = decompress(content, found);
    EXPECT_EQ(s.code(), static_cast<int>(stat_code::compression_damaged)) << s.message();
    EXPECT_NE(s.message().find("\"memory\", byte "), std::string::npos) << s.message();
    EXPECT_LE(found.size(), text.size());
    EXPECT_EQ(found, text.substr(0, found.size()));
  }
};

inline const auto both_kinds =
    ::testing::Values(variant{compression::gzip, "gzip", ".gz", "zlib"},
                      variant{compression::zstd, "zstd", ".zst", "libzstd"});

struct name_of_kind {
  std::string operator()(const ::testing::TestParamInfo<variant>& info) const {
    return info.param.name;
  }
};

}  // namespace headrace
