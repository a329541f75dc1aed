// Reading with a detour if a processor copies slowly: the bytes are the same at every distance.
#include "core/displaced_copy.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "core/files.hpp"
#include "core/first_touch.hpp"
#include "scratch.hpp"

#include <sys/mman.h>

namespace headrace {
namespace {

using DisplacedCopy = Scratch;

TEST(DisplacedCopies, OnlyAddressesShortlyBehindAreSlow) {
  EXPECT_EQ(slow_displacement(0x10000 + 16, 4), 52U);  // a record into what ALLOCATE gives
  EXPECT_EQ(slow_displacement(0x10000 + 4, 4), 0U);
  EXPECT_EQ(slow_displacement(0x10000 + 4, 16), 0U);
  EXPECT_EQ(slow_displacement(0x10000 + 68, 4), 0U);
  EXPECT_EQ(slow_displacement(0x10000 + 5, 4096 + 4), 63U);
  for (std::uintptr_t to = 0; to < 4096; ++to) {
    const std::size_t away = slow_displacement(0x10000 + to, 100);
    EXPECT_EQ(slow_displacement(0x10000 + to + away, 100), 0U);
    EXPECT_LT(away, 64U);
  }
}

TEST(DisplacedCopies, BytesMoveBackOverThemselves) {
  std::vector<char> bytes(5000);
  for (std::size_t away = 0; away <= 64; ++away)
    for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 127U, 1000U, 4900U}) {
      std::iota(bytes.begin(), bytes.end(), '\0');
      std::vector<char> expected = bytes;
      std::memmove(expected.data(), expected.data() + away, count);
      move_back(bytes.data(), away, count);
      ASSERT_EQ(bytes, expected) << away << " " << count;
    }
}

// Every distance of address and offset, sizes around those of the pieces, nothing beyond the end.
TEST_F(DisplacedCopy, FilesAreReadWholeAtEveryDistance) {
  constexpr std::size_t largest = 1300000;
  std::string text(largest + 200, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 2654435761U >> 13);
  put(path("x"), text);
  file_reader reader;
  ASSERT_TRUE(reader.open(path("x")).ok());
  std::vector<char> memory(largest + 8192);
  for (const std::size_t bytes : {std::size_t{65535}, std::size_t{65536}, std::size_t{65600},
                                  std::size_t{524288 + 63}, largest})
    for (const std::uint64_t offset : {0U, 4U, 8U, 101U})
      for (std::size_t distance = 0; distance<70; distance += bytes> 100000 ? 7 : 1) {
        const auto start = reinterpret_cast<std::uintptr_t>(memory.data());
        const std::size_t lead = 4096 - start % 4096 + offset % 4096 + distance;
        char* const to = memory.data() + lead;
        to[-1] = to[bytes] = '!';
        std::size_t count = 0;
        ASSERT_TRUE(reader.read_at(offset, to, bytes, count).ok());
        ASSERT_EQ(count, bytes);
        ASSERT_EQ(std::memcmp(to, text.data() + offset, bytes), 0) << bytes << " " << distance;
        ASSERT_EQ(to[-1], '!');
        ASSERT_EQ(to[bytes], '!');
      }
}

// The end of the file comes before that of the array.
TEST_F(DisplacedCopy, AShortFileGivesWhatItHas) {
  const std::string text(200000, 'x');
  put(path("x"), text);
  file_reader reader;
  ASSERT_TRUE(reader.open(path("x")).ok());
  std::vector<char> memory(310000, '.');
  const auto start = reinterpret_cast<std::uintptr_t>(memory.data());
  char* const to = memory.data() + (4096 - start % 4096) + 16;
  std::size_t count = 0;
  ASSERT_TRUE(reader.read_at(4, to, 300000, count).ok());
  EXPECT_EQ(count, 199996U);
  EXPECT_EQ(std::string(to, count), text.substr(4));
}

// Read in order: what was read before decides where the next bytes are.
TEST_F(DisplacedCopy, ReadingInOrderGoesOnBehindIt) {
  std::string text(400000, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 2654435761U >> 13);
  put(path("x"), text);
  file_reader reader;
  ASSERT_TRUE(reader.open(path("x")).ok());
  std::string found(text.size(), '\0');
  std::size_t some = 0;
  ASSERT_TRUE(reader.read(found.data(), 7).ok());
  ASSERT_TRUE(reader.read_some(found.data() + 7, 100, some).ok());
  ASSERT_EQ(some, 100U);
  ASSERT_TRUE(reader.read(found.data() + 107, 300000).ok());
  EXPECT_EQ(reader.bytes_read(), 300107U);
  ASSERT_TRUE(reader.read(found.data() + 300107, text.size() - 300107).ok());
  EXPECT_TRUE(found == text);
  EXPECT_EQ(reader.read(found.data(), 1).code(), static_cast<int>(stat_code::end_of_file));
}

// Pages that are there are left alone, and bytes that are written meanwhile stay.
TEST(FirstTouch, LeavesWhatIsThere) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  char* const data = static_cast<char*>(memory);
  {
    const first_touch ahead(data, bytes);
    for (std::size_t i = 0; i < bytes; i += 512) data[i] = static_cast<char>(i >> 9);
  }
  for (std::size_t i = 0; i < bytes; i += 512) ASSERT_EQ(data[i], static_cast<char>(i >> 9));
  const first_touch again(data, bytes);
  EXPECT_FALSE(again.works());
  ::munmap(memory, bytes);
}

}  // namespace
}  // namespace headrace
