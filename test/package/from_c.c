/* The C interface, as C. */
#include <headrace.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  double x[3] = {1, 2, 3};
  double y[3] = {0, 0, 0};
  hr_array from = {x, sizeof x[0], HR_TYPE_REAL, 1, {3}, {sizeof x[0]}};
  hr_array to = {y + 2, sizeof y[0], HR_TYPE_REAL, 1, {3}, {-(ptrdiff_t)sizeof y[0]}};
  hr_write_options options = {.sync = "file"};
  hr_error error;
  if (hr_write_array("from_c.raw", &from, &options, &error) != 0 ||
      hr_read_array("from_c.raw", &to, NULL, &error) != 0) {
    puts(error.message);
    return 1;
  }
  if (y[0] != 3 || y[1] != 2 || y[2] != 1) return 1;
  if (hr_read_array("missing.raw", &to, NULL, &error) != 2) return 1;
  puts(error.message);
  return strcmp(hr_stat_name(HR_FORMAT_UNKNOWN), "format_unknown") != 0;
}
