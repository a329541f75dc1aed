/* String functions of intercept/run/strings.c against libgfortran's: how many times faster, by
 * length and by what is in the string. The two are interleaved, and the least time of the rounds
 * decides.
 *
 *     HEADRACE_RUN=1 headrace_bench_strings ours.so libgfortran.so.5 [rounds [calls]]
 */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "../intercept/strings/functions.h"

enum { longest = 1000, most_rounds = 1000 };
static struct string_functions functions[2]; /* ours, libgfortran's */
static char text[longest + 16], other[longest + 16], result[longest + 16];
static size_t length;
static volatile size_t sink;

enum way { len_trim, trim, adjustl, adjustr, compare_same, compare_rest, ways };
static const char* const names[] = {"len_trim", "trim",          "adjustl",
                                    "adjustr",  "compare equal", "compare with 1 byte"};

static void call(const struct string_functions* of, enum way way, long calls) {
  size_t trimmed_length;
  void* trimmed;
  for (long i = 0; i < calls; ++i) switch (way) {
      case len_trim:
        sink = of->len_trim(length, text);
        break;
      case trim:
        of->trim(&trimmed_length, &trimmed, length, text);
        if (trimmed_length) free(trimmed);
        break;
      case adjustl:
        of->adjustl(result, length, text);
        break;
      case adjustr:
        of->adjustr(result, length, text);
        break;
      case compare_same:
        sink = (size_t)of->compare(length, text, length, other);
        break;
      case compare_rest:
        sink = (size_t)of->compare(length, text, 1, other);
        break;
      default:
        break;
    }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compare(enum way way, const char* what, int rounds, long calls) {
  double least[2] = {1e9, 1e9};
  for (int round = 0; round < 2 * rounds; ++round) {
    int which = (round ^ round >> 1) & 1; /* each goes first as often */
    double begun = seconds();
    call(&functions[which], way, calls);
    double taken = seconds() - begun;
    if (taken < least[which]) least[which] = taken;
  }
  printf("%-20s %-26s %5zu %9.2f %9.2f %8.2f%s\n", names[way], what, length,
         1e9 * least[1] / (double)calls, 1e9 * least[0] / (double)calls, least[1] / least[0],
         least[1] / least[0] < 0.97 ? "  slower" : "");
}

/* Strings that are text to the end, blank but for the first (last) byte, and blank. */
static void fill(int kind) {
  memset(text, kind == 0 ? 'x' : ' ', sizeof text);
  if (kind == 1) text[0] = 'x';
  if (kind == 2) text[length - 1] = 'x';
  memcpy(other, text, sizeof text);
}

static void compare_length(int rounds, long calls) {
  static const char* const kinds[] = {"text", "text, then blanks", "blanks, then text", "blank"};
  for (int kind = 0; kind < 4; ++kind) {
    fill(kind);
    for (enum way way = len_trim; way < ways; ++way) compare(way, kinds[kind], rounds, calls);
  }
}

int main(int words, char** word) {
  static const size_t lengths[] = {1, 2, 4, 8, 12, 16, 20, 32, 80, 256, 1000};
  if (words < 3) return 2;
  int rounds = words > 3 ? atoi(word[3]) : 15;
  long calls = words > 4 ? atol(word[4]) : 20000;
  functions[0] = functions_of(word[1]);
  functions[1] = functions_of(word[2]);
  printf("%-20s %-26s %5s %9s %9s %8s\n", "processor time", "", "bytes", "theirs ns", "ours ns",
         "times");
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    length = lengths[i];
    compare_length(rounds, length > 100 ? calls / 10 + 1 : calls);
  }
  return 0;
}
