/* String intrinsics of gfortran that libgfortran walks through byte by byte: TRIM of long blank strings took a third of one
 * program. Plain SSE2, which every x86-64 processor has: nothing to find out at the start. Elsewhere nothing is taken over.
 *
 * Short strings are most: what they need comes first, the rest is a function of its own. No byte outside of a string is read.
 * CONCAT_STRING is memcpy and memset already; INDEX, SCAN and VERIFY lose more if the answer is near than they may.
 */
#include "../real_calls.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

#include "../frames.h"
#include "run.h"

/* 1 after the first call of a program of libgfortran.so.5, if its calls are to be taken over. One look at it is all that a short
 * string has time for. Programs of .so.3 and .so.4, which pass lengths as int, ask for another version of these names than
 * exported.map gives them: the loader binds them to their own run time. */
static int are_ours;

static int become_ours(const struct real_call *call)
{
    if (run_is_active && call->layout == 5) __atomic_store_n(&are_ours, 1, __ATOMIC_RELAXED);
    return are_ours;
}

/* Declares first_<name>, of the same parameters after the caller's address, for as long as that is not known: it calls the real
 * function, or this one again. */
#define FIRST_CALL(result, name, arguments, ...)                                                \
    EXPORTED result _gfortran_##name(__VA_ARGS__);                                              \
    static __attribute__((noinline, cold)) result first_##name(const void *caller, __VA_ARGS__) \
    {                                                                                           \
        REAL_CALL_FOR(result(__VA_ARGS__), name, "_gfortran_" #name, caller);                   \
        return become_ours(call_##name) ? _gfortran_##name arguments : real_##name arguments;   \
    }
#define UNLESS_OURS(name, ...) \
    if (UNLIKELY(!__atomic_load_n(&are_ours, __ATOMIC_RELAXED))) return first_##name(__builtin_return_address(0), __VA_ARGS__)

#define OF_ITS_OWN static __attribute__((noinline))

/* ---- 8 and 16 bytes at a time ---- */

enum { block = 16, all_equal = 0xffff };

/* A bit for each byte of the 16 at `text` that is no blank. */
static inline unsigned others_in(const char *text, __m128i blanks)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)text), blanks)) ^ all_equal;
}

static inline size_t first_bit(unsigned bits) { return (size_t)__builtin_ctz(bits); }
static inline size_t last_bit(unsigned bits) { return 31u - (size_t)__builtin_clz(bits); }

/* Are the 64 bytes at `text` blanks? */
static inline int is_blank_64(const char *text, __m128i blanks)
{
    const __m128i *part = (const __m128i *)text;
    __m128i low = _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(part), blanks), _mm_cmpeq_epi8(_mm_loadu_si128(part + 1), blanks));
    __m128i high =
        _mm_and_si128(_mm_cmpeq_epi8(_mm_loadu_si128(part + 2), blanks), _mm_cmpeq_epi8(_mm_loadu_si128(part + 3), blanks));
    return _mm_movemask_epi8(_mm_and_si128(low, high)) == all_equal;
}

/* 8 or 4 bytes, 0 where a blank is; the first one is the lowest. */
static inline uint64_t eight_at(const char *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return bytes ^ 0x2020202020202020u;
}

static inline uint32_t four_at(const char *text)
{
    uint32_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return bytes ^ 0x20202020u;
}

/* Of 4 to 15 bytes of which the last is a blank. What overlaps was seen to be blank. */
static inline size_t trimmed_short(size_t length, const char *text)
{
    if (length >= 8) {
        uint64_t others = eight_at(text + length - 8);
        if (others) return length - (size_t)__builtin_clzll(others) / 8;
        others = eight_at(text);
        return others ? 8 - (size_t)__builtin_clzll(others) / 8 : 0;
    }
    uint32_t others = four_at(text + length - 4);
    if (others) return length - (size_t)__builtin_clz(others) / 8;
    others = four_at(text);
    return others ? 4 - (size_t)__builtin_clz(others) / 8 : 0;
}

/* Of a string of at least a block. The first block may overlap what was seen: that is blank. */
OF_ITS_OWN size_t trimmed_in_blocks(size_t left, const char *text)
{
    const __m128i blanks = _mm_set1_epi8(' ');
    while (left >= block) {
        unsigned others = others_in(text + left - block, blanks);
        if (others) return left - block + last_bit(others) + 1;
        left -= block;
        while (left >= 64 && is_blank_64(text + left - 64, blanks)) left -= 64;
    }
    unsigned others = others_in(text, blanks);
    return others ? last_bit(others) + 1 : 0;
}

/* Length without the blanks at the end. */
static inline size_t trimmed(size_t length, const char *text)
{
    if (!length || LIKELY(text[length - 1] != ' ')) return length;
    if (length == 1) return 0;
    if (length >= block) return trimmed_in_blocks(length, text);
    if (length >= 4) return trimmed_short(length, text);
    if (text[length - 2] != ' ') return length - 1;
    return length == 3 && text[0] != ' ';
}

OF_ITS_OWN size_t leading_blanks_in_blocks(size_t length, const char *text)
{
    const __m128i blanks = _mm_set1_epi8(' ');
    size_t seen = 0;
    while (length - seen >= block) {
        unsigned others = others_in(text + seen, blanks);
        if (others) return seen + first_bit(others);
        seen += block;
        while (length - seen >= 64 && is_blank_64(text + seen, blanks)) seen += 64;
    }
    unsigned others = others_in(text + length - block, blanks);
    return others ? length - block + first_bit(others) : length;
}

/* Blanks at the beginning; the first byte is one. */
static inline size_t leading_blanks(size_t length, const char *text)
{
    if (length == 1) return 1;
    if (length >= block) return leading_blanks_in_blocks(length, text);
    if (length >= 8) {
        uint64_t others = eight_at(text);
        if (others) return (size_t)__builtin_ctzll(others) / 8;
        others = eight_at(text + length - 8);
        return others ? length - 8 + (size_t)__builtin_ctzll(others) / 8 : length;
    }
    if (length >= 4) {
        uint32_t others = four_at(text);
        if (others) return (size_t)__builtin_ctz(others) / 8;
        others = four_at(text + length - 4);
        return others ? length - 4 + (size_t)__builtin_ctz(others) / 8 : length;
    }
    size_t seen = 1;
    while (seen < length && text[seen] == ' ') ++seen;
    return seen;
}

/* ---- LEN_TRIM, TRIM ---- */

FIRST_CALL(size_t, string_len_trim, (length, text), size_t length, const char *text)
EXPORTED size_t _gfortran_string_len_trim(size_t length, const char *text)
{
    UNLESS_OURS(string_len_trim, length, text);
    return trimmed(length, text);
}

static char no_text[1]; /* the program frees no result of length 0 */

FIRST_CALL(void, string_trim, (result_length, result, length, text), size_t *result_length, void **result, size_t length,
           const char *text)
/* The program frees the result by free. */
EXPORTED void _gfortran_string_trim(size_t *result_length, void **result, size_t length, const char *text)
{
    UNLESS_OURS(string_trim, result_length, result, length, text);
    *result_length = trimmed(length, text);
    *result = *result_length ? malloc(*result_length) : no_text;
    if (UNLIKELY(!*result)) { /* stops with its message */
        REAL_CALL(void(size_t *, void **, size_t, const char *), string_trim, "_gfortran_string_trim");
        real_string_trim(result_length, result, length, text);
        return;
    }
    memcpy(*result, text, *result_length);
}

/* ---- ADJUSTL, ADJUSTR ---- */

OF_ITS_OWN void move_left(char *result, size_t length, const char *text)
{
    size_t blanks = leading_blanks(length, text), kept = length - blanks;
    if (kept) memcpy(result, text + blanks, kept);
    memset(result + kept, ' ', blanks);
}

OF_ITS_OWN void move_right(char *result, size_t length, const char *text)
{
    size_t kept = trimmed(length, text);
    memset(result, ' ', length - kept);
    if (kept) memcpy(result + length - kept, text, kept);
}

FIRST_CALL(void, adjustl, (result, length, text), char *result, size_t length, const char *text)
EXPORTED void _gfortran_adjustl(char *result, size_t length, const char *text)
{
    UNLESS_OURS(adjustl, result, length, text);
    if (length && text[0] == ' ') move_left(result, length, text);
    else memcpy(result, text, length);
}

FIRST_CALL(void, adjustr, (result, length, text), char *result, size_t length, const char *text)
EXPORTED void _gfortran_adjustr(char *result, size_t length, const char *text)
{
    UNLESS_OURS(adjustr, result, length, text);
    if (length && text[length - 1] == ' ') move_right(result, length, text);
    else memcpy(result, text, length);
}

/* ---- comparison ---- */

/* What is longer than the other one, which counts as padded with blanks, decides by its first byte that is none. */
static inline int compare_with_blanks(size_t length, const char *text, int if_greater)
{
    size_t blanks = text[0] != ' ' ? 0 : leading_blanks(length, text);
    if (blanks == length) return 0;
    return (unsigned char)text[blanks] > ' ' ? if_greater : -if_greater;
}

OF_ITS_OWN __attribute__((cold)) int compare_unallocated(const char *text, const char *other)
{
    if (!text && !other) return 0;
    return text ? 1 : -1;
}

FIRST_CALL(int, compare_string, (length, text, other_length, other), size_t length, const char *text, size_t other_length,
           const char *other)
/* memcmp's own result is handed on, as libgfortran does. */
EXPORTED int _gfortran_compare_string(size_t length, const char *text, size_t other_length, const char *other)
{
    UNLESS_OURS(compare_string, length, text, other_length, other);
    if (UNLIKELY(!text || !other)) return compare_unallocated(text, other);
    if (length == other_length) return memcmp(text, other, length);
    size_t common = length < other_length ? length : other_length;
    int result = memcmp(text, other, common);
    if (result) return result;
    if (length > other_length) return compare_with_blanks(length - common, text + common, 1);
    return compare_with_blanks(other_length - common, other + common, -1);
}
#endif
