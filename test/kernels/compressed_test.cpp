// Compressed streams against the command line tools gzip and zstd, which share no code with them
// except the libraries.
#include "compressed_fixture.hpp"

namespace headrace {
namespace {

TEST_P(Compressed, TextsOfAllSizesComeBack) {
  for (const std::size_t bytes :
       {0U, 1U, 100U, (1U << 20) - 1, 1U << 20, (1U << 20) + 1, 9000000U}) {
    const std::string text = numbers(bytes);
    expect_text(compress(text), text);
  }
}

TEST_P(Compressed, TextsOfOneRepeatedCharacterComeBack) {
  const std::string text(20000000, '0');  // the output of one step is larger than a block
  expect_text(compress(text), text);
}

TEST_P(Compressed, EveryLevelAndThreadCountComesBack) {
  const std::string text = numbers(300000);
  const int highest = kind() == compression::gzip ? 9 : 19;
  for (int level = 1; level <= highest; ++level)
    expect_text(compress(text, level, 1 + level % 3, 77777), text);
}

TEST_P(Compressed, OtherLevelsAreRefusedByName) {
  std::string content;
  string_sink file(content);
  std::unique_ptr<compressing_sink> sink;
  for (const int level : {-1, 20}) {
    const status s = open_compressor(file, kind(), level, 1, "x", sink);
    EXPECT_EQ(s.code(), static_cast<int>(stat_code::option_unknown));
    EXPECT_NE(s.message().find("level " + std::to_string(level)), std::string::npos);
  }
}

TEST_P(Compressed, PiecesOfAnySizeMakeNoDifference) {
  const std::string text = numbers(5000);
  const std::string content = compress(text, default_level, 1, 13);
  for (const std::size_t piece : {1U, 2U, 7U, 1000U}) {
    std::string found;
    ASSERT_TRUE(decompress(content, found, piece, piece).ok());
    EXPECT_EQ(found, text);
  }
}

// Blocks that are compressed each by itself must not pass for a whole text if the last is
// missing.
TEST_P(Compressed, TextsCutBetweenBlocksAreDamaged) {
  const std::string text = numbers(3000000);
  const std::string content = compress(text, default_level, 3);
  std::size_t begins = 0;
  const std::string start = kind() == compression::gzip ? std::string("\x1f\x8b\x08", 3)
                                                        : std::string("\x28\xb5\x2f\xfd", 4);
  for (std::size_t at = content.find(start, 1); at != std::string::npos;
       at = content.find(start, at + 1)) {
    expect_damage(content.substr(0, at), text);
    ++begins;
  }
  EXPECT_EQ(begins > 0, kind() == compression::gzip);
}

TEST_P(Compressed, ManyThreadsKeepTheOrder) {
  const std::string text = numbers(30000000);
  for (const int threads : {1, 2, 7}) expect_text(compress(text, 1, threads, 999999), text);
}

TEST_P(Compressed, TheToolReadsWhatWeWrite) {
  if (!has_tool()) GTEST_SKIP() << "the command " << GetParam().name << " is not installed";
  for (const std::size_t bytes : {0U, 1U, 5000000U}) {
    const std::string text = numbers(bytes);
    put(path("x"), compress(text, default_level, 2));
    ASSERT_TRUE(run(std::string(GetParam().name) + " -dc < " + path("x") + " > " + path("plain")))
        << content(path("messages"));
    EXPECT_TRUE(content(path("plain")) == text);
  }
}

TEST_P(Compressed, WeReadWhatTheToolWrites) {
  if (!has_tool()) GTEST_SKIP() << "the command " << GetParam().name << " is not installed";
  const std::string text = numbers(5000000);
  put(path("plain"), text);
  for (const char* level : {" -1", " -3", " -9"}) {
    ASSERT_TRUE(
        run(GetParam().name + std::string(level) + " -c " + path("plain") + " > " + path("x")))
        << content(path("messages"));
    expect_text(content(path("x")), text);
  }
}

TEST_P(Compressed, MembersThatFollowEachOtherAreOneText) {
  const std::string first = numbers(3000000);
  const std::string content = compress(first) + compress("") + compress("second") + compress("");
  expect_text(content, first + "second");
}

TEST_P(Compressed, FilesCutAtAnyByteAreDamaged) {
  const std::string text = numbers(600);
  const std::string content = compress(text);
  for (std::size_t bytes = 0; bytes < content.size(); ++bytes)
    expect_damage(content.substr(0, bytes), text);
}

TEST_P(Compressed, ACutSecondMemberIsDamaged) {
  const std::string text = numbers(600);
  const std::string member = compress(text);
  for (std::size_t bytes = 1; bytes < member.size(); bytes += 5)
    expect_damage(member + member.substr(0, bytes), text + text);
}

TEST_P(Compressed, LongCutFilesGiveAllThatIsKnown) {
  const std::string text = numbers(6000000);
  const std::string content = compress(text);
  std::string found;
  const status s = decompress(content.substr(0, content.size() - 1), found);
  EXPECT_EQ(s.code(), static_cast<int>(stat_code::compression_damaged));
  EXPECT_NE(s.message().find("byte " + std::to_string(content.size() - 1)), std::string::npos)
      << s.message();
  EXPECT_EQ(found.size(), text.size());
}

// Flags, time and operating system in gzip's header carry no data: a flip there may pass unnoticed.
TEST_P(Compressed, AnyFlippedBitIsFoundOrHarmless) {
  const std::string text = numbers(300);
  const std::string content = compress(text);
  std::size_t unnoticed = 0;
  for (std::size_t bit = 0; bit < 8 * content.size(); ++bit) {
    std::string damaged = content;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    std::string found;
    const status s = decompress(damaged, found);
    if (s.ok()) {
      EXPECT_EQ(found, text) << "bit " << bit;
      ++unnoticed;
    } else {
      EXPECT_EQ(s.code(), static_cast<int>(stat_code::compression_damaged)) << s.message();
    }
  }
  EXPECT_LE(unnoticed, 8U * 8U);
}

TEST_P(Compressed, BytesAfterTheEndAreRefused) {
  const std::string text = numbers(600);
  for (const char* tail : {"x", "\n", "garbage that is longer than a header"})
    expect_damage(compress(text) + tail, text);
  expect_damage(compress(text) + std::string(512, '\0'), text);
}

TEST_P(Compressed, PlainTextUnderTheEndingIsRefused) {
  expect_damage("1,2,3\n4,5,6\n", "");
}

TEST_P(Compressed, AnEmptyFileIsNamed) {
  std::string found;
  EXPECT_NE(decompress("", found).message().find("file is empty"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Compressed, both_kinds, name_of_kind());

TEST(CompressedNames, EndingsTellTheKind) {
  EXPECT_EQ(compression_of("x.csv.gz"), compression::gzip);
  EXPECT_EQ(compression_of("X.CSV.GZ"), compression::gzip);
  EXPECT_EQ(compression_of("x.csv.Zst"), compression::zstd);
  EXPECT_EQ(compression_of("x.csv"), compression::none);
  EXPECT_EQ(compression_of("gz"), compression::none);
  EXPECT_EQ(compression_of(""), compression::none);
  EXPECT_EQ(without_compression_ending("a.b/x.csv.GZ"), "a.b/x.csv");
  EXPECT_EQ(without_compression_ending("x.zst"), "x");
  EXPECT_EQ(without_compression_ending("x.csv"), "x.csv");
}

TEST(CompressedNames, PlainFilesAreGivenBackAsTheyAre) {
  std::unique_ptr<byte_source> plain;
  ASSERT_TRUE(
      open_decompressor(std::make_unique<memory_source>("1,2\n"), compression::none, "x", plain)
          .ok());
  char block[9] = {};
  std::size_t count = 0;
  ASSERT_TRUE(plain->read(block, 8, count).ok());
  EXPECT_STREQ(block, "1,2\n");
}

}  // namespace
}  // namespace headrace
