/* In the place of libgfortran.so.3 or .so.5: an answer that nobody else gives. */
#include <stddef.h>

size_t _gfortran_string_len_trim(size_t length, const char* text);

size_t _gfortran_string_len_trim(size_t length, const char* text) {
  (void)length;
  (void)text;
  return 4711;
}
