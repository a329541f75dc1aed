/* A program that calls LEN_TRIM as gfortran does: ends well if the answer is its word. */
#include <stdio.h>
#include <stdlib.h>

size_t _gfortran_string_len_trim(size_t length, const char* text);

int main(int words, char** word) {
  if (words < 2) return 2;
  for (int i = 0; i < 3; ++i) {
    size_t found = _gfortran_string_len_trim(5, "abc  "), expected = (size_t)atol(word[1]);
    if (found != expected)
      return fprintf(stderr, "call %d: found %zu, expected %zu\n", i, found, expected), 1;
  }
  return 0;
}
