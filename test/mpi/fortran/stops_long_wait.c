/* For stops_without_iostat: MPI ranks that have the failure too let the first one speak and wait
 * for its end to end them. With HEADRACE_TEST_WAIT they wait so many seconds, on the slowest
 * machine long enough for it. */
#include <stdlib.h>
#include <time.h>

int __real_nanosleep(const struct timespec* wanted, struct timespec* left);
int __wrap_nanosleep(const struct timespec* wanted, struct timespec* left);

int __wrap_nanosleep(const struct timespec* wanted, struct timespec* left) {
  const char* seconds = getenv("HEADRACE_TEST_WAIT");
  const struct timespec longer = {seconds == NULL ? 0 : atol(seconds), 0};
  return __real_nanosleep(seconds != NULL && wanted->tv_sec >= 5 ? &longer : wanted, left);
}
