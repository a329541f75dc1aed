/* Compares instruction_length() with a disassembly.
 *
 *     objdump -d -w -z -M att PROGRAM | instruction_lengths
 *
 * Each line has the address and the bytes of an instruction. Prints how many were compared, and
 * those that differ; status 1 if any does. Skipped is what objdump itself takes for no instruction:
 * "(bad)", bytes cut off by the next symbol, and prefixes with nothing behind them, as it finds
 * them in tables among the code. objdump joins "wait" with the instruction after it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../intercept/redirect/instruction_length.h"

static int hexadecimal(int letter) {
  return isdigit(letter) ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* "48 89 e5 " before the tabulator: how many bytes */
static size_t bytes_of(const char* text, unsigned char* bytes) {
  size_t count = 0;
  while (count < 32 && hexadecimal(text[0]) >= 0 && hexadecimal(text[1]) >= 0) {
    bytes[count++] = (unsigned char)(hexadecimal(text[0]) * 16 + hexadecimal(text[1]));
    text += text[2] == ' ' ? 3 : 2;
  }
  return count;
}

static size_t length_of(const unsigned char* bytes, size_t count) {
  size_t length = instruction_length(bytes, count);
  if (bytes[0] == 0x9b && length == 1 && count > 1)
    length += instruction_length(bytes + 1, count - 1);
  return length;
}

static int is_no_instruction(const char* text, size_t count) {
  static const char* const prefixes[] = {"rex", "fs",   "gs",   "cs",    "ds",     "es",
                                         "ss",  "lock", "repz", "repnz", "data16", "addr32"};
  if (strstr(text, "(bad)") || strstr(text, ".byte")) return 1;
  for (size_t i = 0; count == 1 && i < sizeof prefixes / sizeof *prefixes; ++i)
    if (strncmp(text + 1, prefixes[i], strlen(prefixes[i])) == 0) return 1;
  return 0;
}

int main(void) {
  static char line[4096];
  unsigned long compared = 0, skipped = 0, different = 0;
  while (fgets(line, sizeof line, stdin)) {
    unsigned char bytes[32];
    const char* colon = strchr(line, ':');
    if (!colon || colon[1] != '\t') continue;
    size_t count = bytes_of(colon + 2, bytes);
    const char* text = strchr(colon + 2, '\t');
    if (!count || !text) continue;
    if (is_no_instruction(text, count)) {
      ++skipped;
      continue;
    }
    ++compared;
    if (length_of(bytes, count) == count) continue;
    if (different++ < 20) printf("%zu for %s", length_of(bytes, count), line);
  }
  printf("compared %lu skipped %lu different %lu\n", compared, skipped, different);
  return different != 0;
}
