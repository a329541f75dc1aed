#include "core/byte_swap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "core/cpu.hpp"
#include "core/crc32c.hpp"

namespace headrace {
namespace {

std::string random_bytes(std::size_t bytes) {
  std::mt19937 generator(7);
  std::string text(bytes, '\0');
  for (char& c : text) c = static_cast<char>(generator());
  return text;
}

TEST(ByteSwap, TurnsEveryWordRoundWhateverItsLength) {
  for (const std::size_t word : {1, 2, 3, 4, 8, 10, 16}) {
    for (const std::size_t words : {0, 1, 7, 64, 1001}) {
      const std::string bytes = random_bytes(word * words);
      std::string wanted = bytes;
      for (std::size_t i = 0; i < words; ++i)
        std::reverse(wanted.begin() + static_cast<std::ptrdiff_t>(i * word),
                     wanted.begin() + static_cast<std::ptrdiff_t>((i + 1) * word));
      std::string copy(bytes.size(), 'x');
      swap_bytes(copy.data(), bytes.data(), words, word);
      EXPECT_EQ(copy, wanted) << word << " " << words;
      std::string in_place = bytes;
      swap_bytes(in_place.data(), in_place.data(), words, word);
      EXPECT_EQ(in_place, wanted) << word << " " << words;
    }
  }
}

// Bit by bit, from the definition.
std::uint32_t slow_crc(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
  }
  return ~crc;
}

TEST(Crc32c, GivesThePublishedCheckValue) {
  EXPECT_EQ(crc32c(0, "123456789", 9), 0xE3069283U);
}

TEST(Crc32c, IsTheSameInOnePieceInPiecesAndBitByBitOnEveryTier) {
  const std::string bytes = random_bytes(50000);
  for (const std::size_t size :
       {0, 1, 7, 8, 12287, 12288, 12289, 16383, 16384, 16385, 32768, 36864, 50000}) {
    const std::string part = bytes.substr(0, size);
    const std::uint32_t wanted = slow_crc(part);
    const std::size_t cut = size / 3;
    for (const simd_tier tier : {simd_tier::portable, simd_tier::avx2, simd_tier::avx512}) {
      limit_tier(tier);
      EXPECT_EQ(crc32c(0, part.data(), size), wanted) << size;
      EXPECT_EQ(crc32c(crc32c(0, part.data(), cut), part.data() + cut, size - cut), wanted) << size;
    }
  }
}

}  // namespace
}  // namespace headrace
