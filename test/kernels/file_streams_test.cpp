#include "core/file_streams.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <thread>

#include "scratch.hpp"

namespace headrace {
namespace {

class FileStreams : public Scratch {};

std::string read_all(byte_source& source, std::size_t capacity) {
  std::string text;
  std::string block(capacity, '\0');
  for (std::size_t count = 1; count > 0;) {
    const status s = source.read(block.data(), block.size(), count);
    EXPECT_TRUE(s.ok()) << s.message();
    if (!s.ok()) break;
    text.append(block, 0, count);
  }
  return text;
}

TEST_F(FileStreams, ReadToTheEndWithoutKnowingTheSize) {
  put(path("x"), "hello world");
  for (const std::size_t capacity : {1U, 3U, 11U, 64U}) {
    file_source source;
    ASSERT_TRUE(source.open(path("x")).ok());
    EXPECT_EQ(read_all(source, capacity), "hello world");
    EXPECT_EQ(source.reader().bytes_read(), 11U);
  }
}

TEST_F(FileStreams, AnEmptyFileEndsAtOnce) {
  put(path("x"), "");
  file_source source;
  ASSERT_TRUE(source.open(path("x")).ok());
  EXPECT_EQ(read_all(source, 8), "");
}

TEST_F(FileStreams, ReadPipesInTheShortPiecesThatArrive) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread producer([&] { put(path("pipe"), std::string(100000, 'x')); });
  file_source source;
  EXPECT_TRUE(source.open(path("pipe")).ok());
  EXPECT_EQ(read_all(source, 1 << 20).size(), 100000U);
  producer.join();
}

TEST_F(FileStreams, FailWithTheErrorOfTheFile) {
  file_source source;
  EXPECT_EQ(source.open(path("missing")).code(), ENOENT);
  EXPECT_EQ(source.open(directory_.string()).code(), EISDIR);
}

TEST_F(FileStreams, WriteToTheFileThatItsOwnerFinishes) {
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  file_sink sink(writer);
  ASSERT_TRUE(sink.write("hello ", 6).ok());
  ASSERT_TRUE(sink.write("world", 5).ok());
  EXPECT_EQ(writer.bytes_written(), 11U);
  EXPECT_FALSE(std::filesystem::exists(path("x")));
  ASSERT_TRUE(writer.finish(sync_mode::none).ok());
  EXPECT_EQ(content(path("x")), "hello world");
}

}  // namespace
}  // namespace headrace
