// Compressed streams whose file fails, or whose other side leaves early.
#include <algorithm>
#include <atomic>
#include <cerrno>

#include "compressed_fixture.hpp"
#include "core/file_streams.hpp"

namespace headrace {
namespace {

class CompressedStreams : public Compressed {};

// A source without end: only a thread that is told to stop ends.
class endless_source final : public byte_source {
 public:
  endless_source(std::string content, std::atomic<int>& reads)
      : content_(std::move(content)), reads_(reads) {}
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    ++reads_;
    count = content_.copy(data, capacity);
    return {};
  }

 private:
  std::string content_;
  std::atomic<int>& reads_;
};

TEST_P(CompressedStreams, AConsumerThatLeavesEarlyStopsTheThread) {
  const std::string content = compress(numbers(100000));
  for (const std::size_t wanted : {0U, 10U, 3000000U}) {
    std::atomic<int> reads{0};
    std::unique_ptr<byte_source> plain;
    ASSERT_TRUE(
        open_decompressor(std::make_unique<endless_source>(content, reads), kind(), "x", plain)
            .ok());
    std::string block(100000, '\0');
    for (std::size_t got = 0, count = 0; got < wanted; got += count)
      ASSERT_TRUE(plain->read(block.data(), std::min(wanted - got, block.size()), count).ok());
    plain.reset();
    // 100000 bytes a read: the thread never runs further ahead than its blocks.
    EXPECT_LE(static_cast<std::size_t>(reads), (wanted + (6U << 20)) / 100000);
  }
}

class failing_source final : public byte_source {
 public:
  explicit failing_source(std::string content) : content_(std::move(content)) {}
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    if (given_) return status::system(EIO, "cannot read").in_file("disk").at_byte(content_.size());
    given_ = true;
    count = content_.copy(data, capacity);
    return {};
  }

 private:
  std::string content_;
  bool given_ = false;
};

TEST_P(CompressedStreams, AFailureOfTheFileArrivesAfterTheTextBeforeIt) {
  const std::string text = numbers(50000);
  std::unique_ptr<byte_source> plain;
  ASSERT_TRUE(
      open_decompressor(std::make_unique<failing_source>(compress(text)), kind(), "x", plain).ok());
  std::string block(text.size(), '\0');
  std::size_t count = 0;
  ASSERT_TRUE(plain->read(block.data(), block.size(), count).ok());
  EXPECT_EQ(block, text);
  const status s = plain->read(block.data(), block.size(), count);
  EXPECT_EQ(s.code(), EIO);
  EXPECT_NE(s.message().find("\"disk\""), std::string::npos) << s.message();
  EXPECT_EQ(count, 0U);
}

class full_disk final : public byte_sink {
 public:
  explicit full_disk(std::size_t room) : room_(room) {}
  status write(const char* /*data*/, std::size_t bytes) override {
    ++calls;
    if (bytes > room_) return status::system(ENOSPC, "cannot write").in_file("disk");
    room_ -= bytes;
    return {};
  }
  int calls = 0;

 private:
  std::size_t room_;
};

TEST_P(CompressedStreams, AFullDiskStopsTheWriterOrComesWithFinish) {
  const std::string text = numbers(12000000);
  for (const std::size_t room : {0U, 1000U, 300000U, 2000000U}) {
    full_disk disk(room);
    std::unique_ptr<compressing_sink> sink;
    ASSERT_TRUE(open_compressor(disk, kind(), 1, 1, "disk", sink).ok());
    status s;
    for (int i = 0; i < 20 && s.ok(); ++i) s = sink->write(text.data(), text.size());
    EXPECT_EQ(s.code(), ENOSPC) << s.message();  // 240 MB fit neither in the blocks nor on the disk
    EXPECT_EQ(sink->write("x", 1).code(), ENOSPC);
    const int calls = disk.calls;
    EXPECT_EQ(sink->finish().code(), ENOSPC);
    EXPECT_EQ(sink->finish().code(), ENOSPC);
    EXPECT_EQ(disk.calls, calls);
  }
  full_disk disk(0);
  std::unique_ptr<compressing_sink> sink;
  ASSERT_TRUE(open_compressor(disk, kind(), 1, 1, "disk", sink).ok());
  EXPECT_TRUE(sink->write("x", 1).ok());
  EXPECT_EQ(sink->finish().code(), ENOSPC);
}

TEST_P(CompressedStreams, AnAbandonedWriterLeavesAnIncompleteFile) {
  const std::string text = numbers(5000000);
  std::string content;
  string_sink file(content);
  std::unique_ptr<compressing_sink> sink;
  ASSERT_TRUE(open_compressor(file, kind(), default_level, 1, "x", sink).ok());
  ASSERT_TRUE(sink->write(text.data(), text.size()).ok());
  sink.reset();
  expect_damage(content, text);
}

TEST_P(CompressedStreams, FilesAreReadThroughTheirOwnStreams) {
  const std::string text = numbers(3000000);
  file_writer writer;
  ASSERT_TRUE(writer.open(path("x")).ok());
  file_sink file(writer);
  std::unique_ptr<compressing_sink> sink;
  ASSERT_TRUE(open_compressor(file, kind(), default_level, 1, path("x"), sink).ok());
  ASSERT_TRUE(sink->write(text.data(), text.size()).ok());
  ASSERT_TRUE(sink->finish().ok());
  ASSERT_TRUE(writer.finish(sync_mode::none).ok());
  EXPECT_LT(content(path("x")).size(), text.size());

  auto source = std::make_unique<file_source>();
  ASSERT_TRUE(source->open(path("x")).ok());
  std::unique_ptr<byte_source> plain;
  ASSERT_TRUE(open_decompressor(std::move(source), kind(), path("x"), plain).ok());
  std::string found(text.size() + 1, '\0');
  std::size_t used = 0;
  for (std::size_t count = 1; count > 0; used += count)
    ASSERT_TRUE(plain->read(found.data() + used, found.size() - used, count).ok());
  found.resize(used);
  EXPECT_TRUE(found == text);
}

INSTANTIATE_TEST_SUITE_P(Kinds, CompressedStreams, both_kinds, name_of_kind());

}  // namespace
}  // namespace headrace
