/* MPI ranks that wait sleep a little, for tests with more MPI ranks than cores: link this library
 * before MPI's.
 *
 * An MPI rank that waits asks again and again whether a message has come. With fewer cores than
 * MPI ranks Open MPI calls sched_yield() in between, and the kernel gives the core as readily to
 * the next that only waits. Here the call sleeps when many of them have come one after the other.
 */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  calls_of_no_sleep = 50, /* some 20 microseconds: what others do meanwhile often takes less */
  sleep_nanoseconds = 20000,
  work_nanoseconds = 200000 /* so long without a call: it no longer waits */
};

static long long nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int sched_yield(void) {
  static __thread unsigned calls;
  static __thread long long end_of_last;
  int code = 0;
  if (nanoseconds_now() - end_of_last > work_nanoseconds) calls = 0;
  if (calls < calls_of_no_sleep) {
    code = (int)syscall(SYS_sched_yield);
  } else {
    /* The kernel may add 50 microseconds to a sleep, unless told otherwise. */
    if (calls == calls_of_no_sleep) prctl(PR_SET_TIMERSLACK, 1000UL);
    const struct timespec pause = {0, sleep_nanoseconds};
    syscall(SYS_nanosleep, &pause, NULL); /* not nanosleep(), which tests replace */
  }
  if (calls <= calls_of_no_sleep) ++calls;
  end_of_last = nanoseconds_now();
  return code;
}
