/* String intrinsics of gfortran that libgfortran walks through byte by byte: TRIM of long blank strings took a third of one
 * program. Plain SSE2, which every x86-64 processor has: nothing to find out at the start. Elsewhere nothing is taken over.
 *
 * Only for callers whose libgfortran passes lengths as size_t (.so.5); all others reach their real function. Short strings are
 * most: what they need comes first in each function, and the rest is a function of its own. No byte outside of a string is read.
 * CONCAT_STRING is memcpy and memset already and stays with libgfortran.
 */
#include "../real_calls.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

#include "../frames.h"

extern int run_is_active; /* 0 before the start, and if HEADRACE_RUN is not 1 */

/* ---- who calls ---- */

/* 1 after the first call of a program of libgfortran.so.5, if its calls are to be taken over. One look at it is all that a short
 * string has time for. Programs of .so.3 and .so.4 ask for another version of these names than strings.map gives them: the
 * loader binds them to their own run time. */
static int are_ours;

static int become_ours(const struct real_call *call)
{
    if (!run_is_active || call->layout != 5) return 0;
    __atomic_store_n(&are_ours, 1, __ATOMIC_RELAXED);
    return 1;
}

#define CALLER __attribute__((unused)) const void *caller

/* The exported function, and what it does before it knows. */
#define STRING_FUNCTION(result, name, parameters, parameters_and_caller, arguments, arguments_and_caller)         \
    static __attribute__((noinline, cold)) result first_##name parameters_and_caller                              \
    {                                                                                                             \
        REAL_CALL_FOR(result parameters, name, "_gfortran_" #name, caller);                                       \
        return become_ours(call_##name) ? fast_##name arguments_and_caller : real_##name arguments;               \
    }                                                                                                             \
    EXPORTED result _gfortran_##name parameters                                                                   \
    {                                                                                                             \
        const void *caller = __builtin_return_address(0);                                                         \
        if (UNLIKELY(!__atomic_load_n(&are_ours, __ATOMIC_RELAXED))) return first_##name arguments_and_caller;    \
        return fast_##name arguments_and_caller;                                                                  \
    }

/* ---- 16 bytes at a time ---- */

enum { block = 16, all_equal = 0xffff };

/* A bit for each byte of the 16 at `text` that is `wanted`. */
static inline unsigned equal_bytes(const char *text, __m128i wanted)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)text), wanted));
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

/* Length without the blanks at the end. The first block may overlap what was seen: that is blank. */
static inline size_t trimmed(size_t length, const char *text)
{
    size_t left = length;
    if (left < block) {
        while (left && text[left - 1] == ' ') --left;
        return left;
    }
    if (text[left - 1] != ' ') return left;
    const __m128i blanks = _mm_set1_epi8(' ');
    unsigned others = 0;
    while (left >= block) {
        others = equal_bytes(text + left - block, blanks) ^ all_equal;
        if (others) return left - block + last_bit(others) + 1;
        left -= block;
        while (left >= 64 && is_blank_64(text + left - 64, blanks)) left -= 64;
    }
    others = equal_bytes(text, blanks) ^ all_equal;
    return others ? last_bit(others) + 1 : 0;
}

/* Blanks at the beginning. */
static inline size_t leading_blanks(size_t length, const char *text)
{
    size_t seen = 0;
    if (length < block) {
        while (seen < length && text[seen] == ' ') ++seen;
        return seen;
    }
    if (text[0] != ' ') return 0;
    const __m128i blanks = _mm_set1_epi8(' ');
    unsigned others = 0;
    while (length - seen >= block) {
        others = equal_bytes(text + seen, blanks) ^ all_equal;
        if (others) return seen + first_bit(others);
        seen += block;
        while (length - seen >= 64 && is_blank_64(text + seen, blanks)) seen += 64;
    }
    others = equal_bytes(text + length - block, blanks) ^ all_equal;
    return others ? length - block + first_bit(others) : length;
}

/* ---- LEN_TRIM, TRIM, ADJUSTL, ADJUSTR ---- */

static inline size_t fast_string_len_trim(size_t length, const char *text, CALLER) { return trimmed(length, text); }
STRING_FUNCTION(size_t, string_len_trim, (size_t length, const char *text), (size_t length, const char *text, const void *caller),
                (length, text), (length, text, caller))

static char no_text[1]; /* the program frees no result of length 0 */

/* The program frees the result by free. */
static inline void fast_string_trim(size_t *result_length, void **result, size_t length, const char *text, CALLER)
{
    *result_length = trimmed(length, text);
    *result = *result_length ? malloc(*result_length) : no_text;
    if (LIKELY(*result != NULL)) {
        memcpy(*result, text, *result_length);
        return;
    }
    REAL_CALL_FOR(void(size_t *, void **, size_t, const char *), string_trim, "_gfortran_string_trim", caller);
    real_string_trim(result_length, result, length, text); /* stops with its message */
}
STRING_FUNCTION(void, string_trim, (size_t * result_length, void **result, size_t length, const char *text),
                (size_t * result_length, void **result, size_t length, const char *text, const void *caller),
                (result_length, result, length, text), (result_length, result, length, text, caller))

#define OF_ITS_OWN static __attribute__((noinline))

OF_ITS_OWN void move_left(char *result, size_t length, const char *text)
{
    size_t blanks = leading_blanks(length, text);
    if (blanks < length) memcpy(result, text + blanks, length - blanks);
    memset(result + length - blanks, ' ', blanks);
}

static inline void fast_adjustl(char *result, size_t length, const char *text, CALLER)
{
    if (!length) return;
    if (text[0] != ' ')
        memcpy(result, text, length);
    else
        move_left(result, length, text);
}
STRING_FUNCTION(void, adjustl, (char *result, size_t length, const char *text),
                (char *result, size_t length, const char *text, const void *caller), (result, length, text),
                (result, length, text, caller))

OF_ITS_OWN void move_right(char *result, size_t length, const char *text)
{
    size_t kept = trimmed(length, text);
    memset(result, ' ', length - kept);
    if (kept) memcpy(result + length - kept, text, kept);
}

static inline void fast_adjustr(char *result, size_t length, const char *text, CALLER)
{
    if (!length) return;
    if (text[length - 1] != ' ')
        memcpy(result, text, length);
    else
        move_right(result, length, text);
}
STRING_FUNCTION(void, adjustr, (char *result, size_t length, const char *text),
                (char *result, size_t length, const char *text, const void *caller), (result, length, text),
                (result, length, text, caller))

/* ---- comparison ---- */

/* The longer one beyond the end of the other, which counts as padded with blanks. */
OF_ITS_OWN int compare_rest(size_t length, const char *text, size_t other_length, const char *other)
{
    size_t common = length < other_length ? length : other_length;
    int result = common ? memcmp(text, other, common) : 0;
    if (result) return result;
    const char *rest = (length > other_length ? text : other) + common;
    size_t rest_length = (length > other_length ? length : other_length) - common;
    size_t blanks = leading_blanks(rest_length, rest);
    if (blanks == rest_length) return 0;
    int is_greater = (unsigned char)rest[blanks] > ' ';
    return is_greater == (length > other_length) ? 1 : -1;
}

OF_ITS_OWN __attribute__((cold)) int compare_unallocated(size_t length, const char *text, size_t other_length, const char *other,
                                                         const void *caller)
{
    REAL_CALL_FOR(int(size_t, const char *, size_t, const char *), compare_string, "_gfortran_compare_string", caller);
    return real_compare_string(length, text, other_length, other);
}

/* memcmp's own result is handed on, as libgfortran does. What is not allocated gets libgfortran's answer, which is not that for
 * an empty string. */
static inline int fast_compare_string(size_t length, const char *text, size_t other_length, const char *other, CALLER)
{
    if (UNLIKELY(!text || !other)) return compare_unallocated(length, text, other_length, other, caller);
    return length == other_length ? memcmp(text, other, length) : compare_rest(length, text, other_length, other);
}
STRING_FUNCTION(int, compare_string, (size_t length, const char *text, size_t other_length, const char *other),
                (size_t length, const char *text, size_t other_length, const char *other, const void *caller),
                (length, text, other_length, other), (length, text, other_length, other, caller))

/* ---- INDEX ---- */

static inline int is_same(const char *text, const char *part, size_t length)
{
    size_t i = 0;
    while (i < length && text[i] == part[i]) ++i;
    return i == length;
}

/* A bit for each of the 16 places from `text` on where the first and the last byte of the part stand. */
static inline unsigned candidates(const char *text, size_t part_length, __m128i first, __m128i last)
{
    return equal_bytes(text, first) & equal_bytes(text + part_length - 1, last);
}

OF_ITS_OWN size_t index_forward(size_t places, const char *text, size_t part_length, const char *part)
{
    const __m128i first = _mm_set1_epi8(part[0]), last = _mm_set1_epi8(part[part_length - 1]);
    for (size_t i = 0; i < places; i += block) {
        if (i > places - block) i = places - block; /* the last block overlaps what was seen */
        for (unsigned bits = candidates(text + i, part_length, first, last); bits; bits &= bits - 1)
            if (is_same(text + i + first_bit(bits), part, part_length)) return i + first_bit(bits) + 1;
    }
    return 0;
}

OF_ITS_OWN size_t index_backward(size_t places, const char *text, size_t part_length, const char *part)
{
    const __m128i first = _mm_set1_epi8(part[0]), last = _mm_set1_epi8(part[part_length - 1]);
    for (size_t left = places; left > 0; left -= block) {
        if (left < block) left = block; /* the first block overlaps what was seen */
        const char *here = text + left - block;
        for (unsigned bits = candidates(here, part_length, first, last); bits; bits ^= 1u << last_bit(bits))
            if (is_same(here + last_bit(bits), part, part_length)) return left - block + last_bit(bits) + 1;
    }
    return 0;
}

static inline size_t fast_string_index(size_t length, const char *text, size_t part_length, const char *part, int32_t back, CALLER)
{
    if (!part_length) return back ? length + 1 : 1;
    if (length < part_length) return 0;
    size_t places = length - part_length + 1;
    if (places >= block)
        return back ? index_backward(places, text, part_length, part) : index_forward(places, text, part_length, part);
    const char wanted = part[0];
    for (size_t i = 0; i < places; ++i) {
        size_t at = back ? places - 1 - i : i;
        if (text[at] == wanted && is_same(text + at + 1, part + 1, part_length - 1)) return at + 1;
    }
    return 0;
}
#define LENGTHS_AND_TEXTS size_t length, const char *text, size_t other_length, const char *other, int32_t back
STRING_FUNCTION(size_t, string_index, (LENGTHS_AND_TEXTS), (LENGTHS_AND_TEXTS, const void *caller),
                (length, text, other_length, other, back), (length, text, other_length, other, back, caller))

/* ---- SCAN, VERIFY ---- */

static inline int is_in(char wanted, const char *set, size_t set_length)
{
    size_t i = 0;
    while (i < set_length && set[i] != wanted) ++i;
    return i < set_length;
}

/* The first (last) place whose byte is in the set (`in` is 1) or is not (0); one byte at a time. */
static inline size_t place_slowly(size_t length, const char *text, size_t set_length, const char *set, int back, int in)
{
    if (back) {
        for (size_t i = length; i > 0; --i)
            if (is_in(text[i - 1], set, set_length) == in) return i;
        return 0;
    }
    for (size_t i = 0; i < length; ++i)
        if (is_in(text[i], set, set_length) == in) return i + 1;
    return 0;
}

enum { most_in_set = 4 };

static inline unsigned wanted_bytes(const char *text, const __m128i *set, size_t set_length, unsigned unwanted)
{
    unsigned bits = 0;
    for (size_t i = 0; i < set_length; ++i) bits |= equal_bytes(text, set[i]);
    return bits ^ unwanted;
}

OF_ITS_OWN size_t place_in_blocks(size_t length, const char *text, size_t set_length, const char *set, int back, int in)
{
    __m128i bytes[most_in_set];
    for (size_t i = 0; i < set_length; ++i) bytes[i] = _mm_set1_epi8(set[i]);
    const unsigned unwanted = in ? 0 : all_equal;
    for (size_t seen = 0; seen < length; seen += block) {
        if (seen > length - block) seen = length - block; /* the last block overlaps what was seen */
        size_t from = back ? length - block - seen : seen;
        unsigned bits = wanted_bytes(text + from, bytes, set_length, unwanted);
        if (bits) return from + (back ? last_bit(bits) : first_bit(bits)) + 1;
    }
    return 0;
}

static inline size_t place(size_t length, const char *text, size_t set_length, const char *set, int back, int in)
{
    if (length < block || set_length > most_in_set || !set_length) return place_slowly(length, text, set_length, set, back, in);
    /* many answers are at the first byte */
    if (is_in(text[back ? length - 1 : 0], set, set_length) == in) return back ? length : 1;
    return place_in_blocks(length, text, set_length, set, back, in);
}

static inline size_t fast_string_scan(LENGTHS_AND_TEXTS, CALLER)
{
    return back ? place(length, text, other_length, other, 1, 1) : place(length, text, other_length, other, 0, 1);
}
STRING_FUNCTION(size_t, string_scan, (LENGTHS_AND_TEXTS), (LENGTHS_AND_TEXTS, const void *caller),
                (length, text, other_length, other, back), (length, text, other_length, other, back, caller))

static inline size_t fast_string_verify(LENGTHS_AND_TEXTS, CALLER)
{
    return back ? place(length, text, other_length, other, 1, 0) : place(length, text, other_length, other, 0, 0);
}
STRING_FUNCTION(size_t, string_verify, (LENGTHS_AND_TEXTS), (LENGTHS_AND_TEXTS, const void *caller),
                (length, text, other_length, other, back), (length, text, other_length, other, back, caller))
#endif
