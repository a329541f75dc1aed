/* For tests: all processes seem to have one processor together, so any two MPI ranks crowd it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t* found) {
  (void)process;
  memset(found, 0, bytes);
  CPU_SET_S(0, bytes, found);
  return 0;
}

/* Libraries put back what they found: it would be true then, and the tests take minutes. */
int sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t* wanted) {
  (void)process;
  (void)bytes;
  (void)wanted;
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t* wanted) {
  (void)thread;
  (void)bytes;
  (void)wanted;
  return 0;
}
