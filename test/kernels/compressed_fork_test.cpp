// A child of fork() has copies of compressed streams, but not their threads: destroying a copy does
// nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "compressed_fixture.hpp"
#include "core/file_streams.hpp"
#include "core/files.hpp"

namespace headrace {
namespace {

constexpr std::size_t many_bytes = std::size_t{6} << 20;

class ForkedStreams : public Scratch, public ::testing::WithParamInterface<const char*> {
 protected:
  // A child that has not ended after half a minute hangs: the alarm ends it by a signal.
  static int result_of_child(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(30);
      work();
      ::_exit(0);
    }
    int result = -1;
    EXPECT_EQ(::waitpid(child, &result, 0), child);
    return result;
  }

  std::string name() const { return path("x" + std::string(GetParam())); }

  status read_all(byte_source& source, std::string& text) {
    std::string block(1 << 16, '\0');
    for (std::size_t count = 1; count > 0;) {
      if (status s = source.read(block.data(), block.size(), count); !s.ok()) return s;
      text.append(block, 0, count);
    }
    return {};
  }
};

TEST_P(ForkedStreams, DestroyingCopiesOfThemDoesNothing) {
  const std::string text = numbers(many_bytes);
  file_writer writer;
  ASSERT_TRUE(writer.open(name()).ok());
  file_sink file(writer);
  std::unique_ptr<compressing_sink> sink;
  const status opened =
      open_compressor(file, compression_of(name()), default_level, 2, name(), sink);
  if (opened.code() == static_cast<int>(stat_code::compression_unavailable)) GTEST_SKIP();
  ASSERT_TRUE(opened.ok()) << opened.message();
  ASSERT_TRUE(sink->write(text.data(), text.size() / 2).ok());
  // The threads wait for more, which is the usual state.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(result_of_child([&] { sink.reset(); }), 0);
  // And they work.
  ASSERT_TRUE(sink->write(text.data() + text.size() / 2, text.size() - text.size() / 2).ok());
  EXPECT_EQ(result_of_child([&] { sink.reset(); }), 0);
  ASSERT_TRUE(sink->finish().ok());
  ASSERT_TRUE(writer.finish(sync_mode::none).ok());

  auto plain = std::make_unique<file_source>();
  ASSERT_TRUE(plain->open(name()).ok());
  std::unique_ptr<byte_source> source;
  ASSERT_TRUE(open_decompressor(std::move(plain), compression_of(name()), name(), source).ok());
  std::string read(10, '\0');
  std::size_t count = 0;
  ASSERT_TRUE(source->read(read.data(), read.size(), count).ok());
  read.resize(count);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(result_of_child([&] { source.reset(); }), 0);
  ASSERT_TRUE(read_all(*source, read).ok());
  EXPECT_TRUE(read == text);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ForkedStreams, ::testing::Values(".gz", ".zst"),
                         [](const auto& info) { return std::string(info.param + 1); });

}  // namespace
}  // namespace headrace
