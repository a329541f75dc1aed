// The shortest decimal text of reals with AVX2: 64-bit arithmetic finds the digits
// (format_shortest_scalar.hpp), byte permutations lay them out.
#if defined(__x86_64__)

#include <type_traits>

#include "format_avx2.hpp"
#include "format_shortest.hpp"
#include "format_shortest_layout.hpp"
#include "format_shortest_scalar.hpp"
#include "number_types.hpp"

namespace headrace {
namespace {

constexpr std::size_t block = 128;

struct shortest_sources {
  text_source source[block];
  std::int32_t exponent[block];  // of the first digit
  std::uint8_t negative[block];
  bool slow[block];
};

template <class Real>
HEADRACE_AVX2 void find_digits(shortest_sources& b, const Real* values, std::size_t n) noexcept {
  using word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  constexpr word size_mask = static_cast<word>(~word{0}) >> 1;
  constexpr int fraction = sizeof(Real) == 8 ? 52 : 23;
  constexpr word normal = (size_mask >> fraction) - 1;
  for (std::size_t i = 0; i < n; ++i) {
    word bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    const word size = bits & size_mask;
    b.negative[i] = size != bits;
    short_decimal decimal{0, 0, size == 0};
    if ((size >> fraction) - 1 < normal) {
      decimal = shortest_decimal(size);
      const normalised_decimal full = normalise<Real>(decimal);
      decimal.digits = full.digits;
      decimal.exponent = full.exponent;
    }
    const std::uint64_t first = split_digits(b.source[i], decimal.known ? decimal.digits : 0);
    b.source[i].other = first | shortest_characters;
    b.exponent[i] = decimal.exponent;
    b.slow[i] = !decimal.known;
  }
}

HEADRACE_AVX2_INLINE char* place(char* out, const shortest_sources& b, std::size_t i) noexcept {
  const text_source& source = b.source[i];
  const int zeros =
      source.lower == 0 ? 8 + trailing_zeros(source.upper) : trailing_zeros(source.lower);
  const int count = 17 - zeros;
  const int exponent = b.exponent[i];
  const auto number = static_cast<unsigned>(exponent - lowest_fixed);
  const bool scientific = number > highest_fixed - lowest_fixed;
  const std::size_t layout = (scientific ? scientific_layout : number) +
                             static_cast<std::size_t>(b.negative[i]) * shortest_layouts;
  const __m256i text = lay_out(source, load_bytes(shortest_layout_table[layout].source.data()));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), text);
  out += b.negative[i];
  if (__builtin_expect(scientific, 0)) {
    out += count == 1 ? 1 : count + 1;
    const std::uint64_t power =
        exponent_texts[static_cast<std::size_t>(exponent - lowest_exponent)];
    store_word(out, power);
    return out + (power >> 56);
  }
  const int fixed = (count > exponent + 2 ? count : exponent + 2) + 1;
  return out + (exponent < 0 ? count + 1 - exponent : fixed);
}

template <class Real>
HEADRACE_AVX2 char* format_block(char* out, const Real* values, std::size_t n,
                                 const char* separators) noexcept {
  shortest_sources b;
  find_digits(b, values, n);
  if (n % 2 != 0) b.source[n] = {};  // the block is even
  for (std::size_t i = 0; i < n; i += 2) make_digits(b.source + i);
  for (std::size_t i = 0; i < n; ++i) {
    out = b.slow[i] ? shortest_exact(out, values[i]) : place(out, b, i);
    *out++ = separators[i];
  }
  return out;
}

}  // namespace

template <class Real>
char* format_shortest_avx2(char* out, const Real* values, std::size_t n,
                           const char* separators) noexcept {
  for (std::size_t done = 0; done < n; done += block) {
    const std::size_t count = n - done < block ? n - done : block;
    out = format_block(out, values + done, count, separators + done);
  }
  return out;
}

#define HEADRACE_INSTANTIATE(REAL) \
  template char* format_shortest_avx2(char*, const REAL*, std::size_t, const char*) noexcept;
HEADRACE_FOR_REALS(HEADRACE_INSTANTIATE)

}  // namespace headrace

#endif
