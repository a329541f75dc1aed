/* intercept/run/strings.c against libgfortran: the same results, and not a byte read outside of a
 * string. Every string ends, or begins, at a page that cannot be read.
 *
 *     headrace_string_differences ours.so libgfortran.so.5 [random strings [seed]]
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "functions.h"

enum { longest = 300 };
static struct string_functions ours, real;
static long compared;
static char* pages[2][2]; /* of the text and of the other string: where a readable page begins, and
                             where it ends */

static void stop(const char* name, size_t length, const char* text, size_t other_length,
                 const char* other, long got, long expected) {
  fprintf(stderr, "%s of %zu bytes \"%.*s\" and %zu bytes \"%.*s\": found %ld, expected %ld\n",
          name, length, (int)length, text, other_length, (int)other_length, other, got, expected);
  exit(1);
}

static void make_pages(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < 2; ++i) {
    char* made = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED || mprotect(made + page, page, PROT_READ | PROT_WRITE)) exit(1);
    pages[i][0] = made + page;
    pages[i][1] = made + 2 * page;
  }
}

/* The text beside the page before (0) or after (1) it. */
static char* placed(int which, int at_end, const char* text, size_t length) {
  char* place = at_end ? pages[which][1] - length : pages[which][0];
  memcpy(place, text, length);
  return place;
}

#define SAME(name, expression_of)                                                      \
  do {                                                                                 \
    long got = (long)expression_of(ours), expected = (long)expression_of(real);        \
    ++compared;                                                                        \
    if (got != expected) stop(name, length, text, other_length, other, got, expected); \
  } while (0)

static int sign(int value) {
  return (value > 0) - (value < 0);
}

static void compare_results(size_t length, const char* text) {
  static char got[longest + 2], expected[longest + 2];
  size_t other_length = 0;
  const char* other = "";
#define LEN_TRIM(of) of.len_trim(length, text)
  SAME("LEN_TRIM", LEN_TRIM);
  for (int right = 0; right < 2; ++right) {
    memset(got, '#', sizeof got);
    memset(expected, '#', sizeof expected);
    (right ? ours.adjustr : ours.adjustl)(got + 1, length, text);
    (right ? real.adjustr : real.adjustl)(expected + 1, length, text);
    ++compared;
    if (memcmp(got, expected, sizeof got))
      stop(right ? "ADJUSTR" : "ADJUSTL", length, text, length, got + 1, 1, 0);
  }
  size_t got_length = 1, expected_length = 2;
  void *got_text, *expected_text;
  ours.trim(&got_length, &got_text, length, text);
  real.trim(&expected_length, &expected_text, length, text);
  ++compared;
  if (got_length != expected_length || memcmp(got_text, expected_text, got_length))
    stop("TRIM", length, text, got_length, got_text, (long)got_length, (long)expected_length);
  if (got_length) free(got_text), free(expected_text);
}

static void compare_pair(size_t length, const char* text, size_t other_length, const char* other) {
#define COMPARE(of) sign(of.compare(length, text, other_length, other))
  SAME("comparison", COMPARE);
}

static void compare_all(size_t length, const char* text, size_t other_length, const char* other) {
  for (int ends = 0; ends < 4; ++ends) {
    const char *here = placed(0, ends & 1, text, length),
               *there = placed(1, ends >> 1, other, other_length);
    if (ends < 2) compare_results(length, here);
    compare_pair(length, here, other_length, there);
    compare_pair(other_length, there, length, here);
  }
}

/* Every string of up to 5 bytes of these, against every one of up to 3. */
static void compare_short_ones(void) {
  static const char bytes[] = {' ', 'a', '\x1f', '\xff'};
  char text[5], other[3];
  for (size_t length = 0; length <= 5; ++length)
    for (size_t i = 0; i < (size_t)1 << 2 * length; ++i)
      for (size_t other_length = 0; other_length <= 3; ++other_length)
        for (size_t j = 0; j < (size_t)1 << 2 * other_length; ++j) {
          for (size_t k = 0; k < length; ++k) text[k] = bytes[i >> 2 * k & 3];
          for (size_t k = 0; k < other_length; ++k) other[k] = bytes[j >> 2 * k & 3];
          compare_all(length, text, other_length, other);
        }
}

/* Blanks with one other byte, at every place of every length. */
static void compare_one_byte_in_blanks(void) {
  static const char bytes[] = {'x', '\0', '\x80', '!'};
  char text[longest];
  for (size_t length = 0; length <= longest; ++length)
    for (size_t i = 0; i <= length; ++i) {
      memset(text, ' ', sizeof text);
      if (i < length) text[i] = bytes[i & 3];
      for (int at_end = 0; at_end < 2; ++at_end) {
        const char* here = placed(0, at_end, text, length);
        compare_results(length, here);
        compare_pair(length, here, 1, i & 1 ? " " : "x");
        compare_pair(length, here, 2, " x");
        compare_pair(length, here, 4, "x \x80\t");
      }
    }
}

static uint64_t state;
static size_t random_below(size_t limit) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)((state >> 33) % limit);
}

static void compare_random_ones(long count) {
  char text[longest], other[longest];
  for (long i = 0; i < count; ++i) {
    size_t length = random_below(longest + 1),
           other_length = random_below(random_below(3) ? 20 : longest + 1);
    size_t kinds =
        1 + random_below(random_below(2) ? 3 : 256); /* few bytes meet each other more often */
    for (size_t k = 0; k < length; ++k) text[k] = (char)(' ' + random_below(kinds));
    for (size_t k = 0; k < other_length; ++k) other[k] = (char)(' ' + random_below(kinds));
    size_t blank_from = random_below(2) ? random_below(length + 1) : length;
    memset(text + blank_from, ' ', length - blank_from);
    if (length && random_below(2)) { /* a part of it */
      size_t from = random_below(length);
      if (other_length > length - from) other_length = length - from;
      memcpy(other, text + from, other_length);
    }
    compare_all(length, text, other_length, other);
  }
}

static void compare_what_is_not_allocated(void) {
  const size_t length = 0, other_length = 0;
  const char* const texts[] = {NULL, "", " "};
  for (int i = 0; i < 9; ++i) {
    const char *text = texts[i / 3], *other = texts[i % 3];
    SAME("comparison, not allocated,", COMPARE);
  }
}

int main(int words, char** word) {
  if (words < 3) return 2;
  ours = functions_of(word[1]);
  real = functions_of(word[2]);
  if (ours.len_trim == real.len_trim)
    return fprintf(stderr, "%s and %s are the same\n", word[1], word[2]), 1;
  state = words > 4 ? strtoull(word[4], NULL, 10) : 1;
  make_pages();
  compare_what_is_not_allocated();
  compare_short_ones();
  compare_one_byte_in_blanks();
  compare_random_ones(words > 3 ? atol(word[3]) : 20000);
  printf("%ld results compared, 0 differ\n", compared);
  return 0;
}
