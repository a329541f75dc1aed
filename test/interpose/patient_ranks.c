/* MPI ranks that wait sleep until another may have sent something, for tests with more MPI ranks
 * than cores: link this library before MPI's.
 *
 * An MPI rank that waits asks again and again whether a message has come. With fewer cores than
 * MPI ranks Open MPI calls sched_yield() in between, and the kernel gives the core as readily to
 * the next that only waits. Here the call sleeps when many of them have come one after the other.
 * MPICH never yields. It asks UCX for messages of other nodes each time: that call does the same.
 *
 * A first call after other work says that this MPI rank may have sent before it began to wait: it
 * wakes the others of the same launcher. That is a guess by the time between two calls, so nobody
 * sleeps long. Sleeps of a fixed length were tried: four MPI ranks on two cores spent most of their
 * time in waking up to find nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  calls_of_no_sleep = 60,       /* what others do meanwhile often takes less */
  longest_sleep = 100000,       /* nanoseconds */
  longest_look_for_mail = 2000, /* nanoseconds: a longer time between two calls was work */
  launchers = 1024
};

/* What the MPI ranks of a launcher share, in a cache line of its own. */
struct gathering {
  _Alignas(64) atomic_uint arrivals;
};
static struct gathering alone; /* without the file: each sleeps as long as it may */
static struct gathering* ours = &alone;

__attribute__((constructor)) static void join_the_others(void) {
  const off_t size = launchers * sizeof(struct gathering);
  const int file = open(HEADRACE_GATHERINGS, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct stat found;
  if (file >= 0 && fstat(file, &found) == 0 &&
      (found.st_size >= size || posix_fallocate(file, 0, size) == 0)) {
    void* all = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (all != MAP_FAILED) ours = (struct gathering*)all + getppid() % launchers;
  }
  if (file >= 0) close(file);
  /* The kernel may add 50 microseconds to a sleep, unless told otherwise. */
  prctl(PR_SET_TIMERSLACK, 1000UL);
}

static long long nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void wake_others(void) {
  atomic_fetch_add(&ours->arrivals, 1);
  syscall(SYS_futex, &ours->arrivals, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void sleep_after(unsigned arrivals) {
  const struct timespec longest = {0, longest_sleep};
  syscall(SYS_futex, &ours->arrivals, FUTEX_WAIT, arrivals, &longest, NULL, 0);
}

int sched_yield(void) {
  static __thread unsigned calls;
  static __thread unsigned arrivals;
  static __thread long long end_of_last;
  const int code_of_caller = errno; /* the call that this replaces leaves it alone */
  if (nanoseconds_now() - end_of_last > longest_look_for_mail) {
    wake_others();
    calls = 0;
  }
  if (calls == 0) arrivals = atomic_load(&ours->arrivals);
  if (++calls < calls_of_no_sleep) {
    syscall(SYS_sched_yield);
  } else {
    sleep_after(arrivals);
    arrivals = atomic_load(&ours->arrivals);
    calls = calls_of_no_sleep - 2; /* one more look, then sleep again */
  }
  end_of_last = nanoseconds_now();
  errno = code_of_caller;
  return 0;
}

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*of_ucx)(void*);
  if (of_ucx == NULL) *(void**)&of_ucx = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned found = of_ucx(worker);
  if (found == 0) sched_yield();
  return found;
}
