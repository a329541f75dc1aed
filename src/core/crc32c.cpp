#include "crc32c.hpp"

#include <array>
#include <cstring>

#include "crc32c_folded.hpp"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace headrace {
namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;  // reflected
using byte_table = std::array<std::uint32_t, 256>;

constexpr std::array<byte_table, 8> make_tables() {
  std::array<byte_table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t t = 1; t < tables.size(); ++t)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[t][byte] = (tables[t - 1][byte] >> 8) ^ tables[0][tables[t - 1][byte] & 0xFF];
  return tables;
}

constexpr std::array<byte_table, 8> tables = make_tables();

// Eight bytes a step, each through a table of its own.
std::uint32_t crc_portable(std::uint32_t crc, const char* data, std::size_t bytes) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(data);
  for (; bytes >= 8; bytes -= 8, at += 8) {
    crc ^= static_cast<std::uint32_t>(at[0] | at[1] << 8 | at[2] << 16) |
           static_cast<std::uint32_t>(at[3]) << 24;
    crc = tables[7][crc & 0xFF] ^ tables[6][crc >> 8 & 0xFF] ^ tables[5][crc >> 16 & 0xFF] ^
          tables[4][crc >> 24] ^ tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^
          tables[0][at[7]];
  }
  for (; bytes > 0; --bytes, ++at) crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 0xFF];
  return crc;
}

#if defined(__x86_64__)

// Bytes of each of the three lanes that the processor works on at the same time.
constexpr std::size_t lane = 4096;

using bit_matrix = std::array<std::uint32_t, 32>;

constexpr std::uint32_t times(const bit_matrix& matrix, std::uint32_t vector) {
  std::uint32_t sum = 0;
  for (std::size_t row = 0; vector != 0; vector >>= 1, ++row)
    if ((vector & 1) != 0) sum ^= matrix[row];
  return sum;
}

// What a lane of zero bytes makes of a checksum, as a table for each of its bytes.
constexpr std::array<byte_table, 4> make_shift() {
  bit_matrix matrix{};  // of one zero bit
  matrix[0] = polynomial;
  for (std::size_t row = 1; row < 32; ++row) matrix[row] = std::uint32_t{1} << (row - 1);
  for (std::size_t bits = 1; bits < lane * 8; bits *= 2) {
    bit_matrix square{};
    for (std::size_t row = 0; row < 32; ++row) square[row] = times(matrix, matrix[row]);
    matrix = square;
  }
  std::array<byte_table, 4> shift{};
  for (std::uint32_t byte = 0; byte < 256; ++byte)
    for (std::uint32_t place = 0; place < 4; ++place)
      shift[place][byte] = times(matrix, byte << (8 * place));
  return shift;
}

constexpr std::array<byte_table, 4> lane_shift = make_shift();

std::uint32_t after_lane(std::uint32_t crc) noexcept {
  return lane_shift[0][crc & 0xFF] ^ lane_shift[1][crc >> 8 & 0xFF] ^
         lane_shift[2][crc >> 16 & 0xFF] ^ lane_shift[3][crc >> 24];
}

inline std::uint64_t word_at(const char* data) noexcept {
  std::uint64_t word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

// The processor's own prefetching stops at each page, and a lane is one.
inline void prefetch_next(const char* lanes, std::size_t at) noexcept {
  for (std::size_t next = 3; next < 6; ++next) __builtin_prefetch(lanes + next * lane + at);
}

// The instruction takes three cycles and starts every cycle: three lanes keep it busy.
__attribute__((target("sse4.2"))) std::uint32_t crc_instruction(std::uint32_t crc, const char* data,
                                                                std::size_t bytes) noexcept {
  for (; bytes >= 3 * lane; bytes -= 3 * lane, data += 3 * lane) {
    std::uint64_t first = crc;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < lane; i += 8) {
      if (i % 64 == 0) prefetch_next(data, i);
      first = _mm_crc32_u64(first, word_at(data + i));
      second = _mm_crc32_u64(second, word_at(data + lane + i));
      third = _mm_crc32_u64(third, word_at(data + 2 * lane + i));
    }
    crc = after_lane(static_cast<std::uint32_t>(first)) ^ static_cast<std::uint32_t>(second);
    crc = after_lane(crc) ^ static_cast<std::uint32_t>(third);
  }
  std::uint64_t rest = crc;
  for (; bytes >= 8; bytes -= 8, data += 8) rest = _mm_crc32_u64(rest, word_at(data));
  crc = static_cast<std::uint32_t>(rest);
  for (; bytes > 0; --bytes, ++data) crc = _mm_crc32_u8(crc, static_cast<unsigned char>(*data));
  return crc;
}

bool has_instruction() noexcept {
  return __builtin_cpu_supports("sse4.2") != 0;
}

#else

std::uint32_t crc_instruction(std::uint32_t crc, const char* data, std::size_t bytes) noexcept {
  return crc_portable(crc, data, bytes);
}

bool has_instruction() noexcept {
  return false;
}

#endif

}  // namespace

std::uint32_t crc32c(std::uint32_t before, const char* data, std::size_t bytes) noexcept {
  if (!has_instruction()) return ~crc_portable(~before, data, bytes);
  if (bytes < crc32c_group || !can_fold_crc32c()) return ~crc_instruction(~before, data, bytes);
  std::array<char, crc32c_remainder> rest;
  const std::size_t done = fold_crc32c(~before, data, bytes, rest.data());
  const std::uint32_t crc = crc_instruction(0, rest.data(), rest.size());
  return ~crc_instruction(crc, data + done, bytes - done);
}

}  // namespace headrace
