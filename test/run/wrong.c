/* Libraries that are preloaded and do one thing wrong, so that test_run_harness.py sees whether the
 * tests would notice. WRONG is the thing. libgfortran writes by write(2), and at its end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  nothing,
  changed_byte,
  lost_record,
  doubled_record,
  swapped_records,
  exit_code,
  killed,
  said,
  left_file,
  removed_file,
  changed_mode,
  output_byte,
  errors_byte,
  never_ends,
  cut_file,
  left_temporary,
  late,
  only_small_batches,
  only_traced,
  only_strict,
  only_checked,
  only_statistics
};

typedef ssize_t write_call(int, const void*, size_t);

static ssize_t really_write(int descriptor, const void* data, size_t size) {
  static write_call* real;
  if (!real) real = (write_call*)dlsym(RTLD_NEXT, "write");
  return real(descriptor, data, size);
}

static int is_on(void) {
  switch (WRONG) {
    case only_small_batches:
      return getenv("HEADRACE_RUN_BATCH") != NULL;
    case only_traced:
      return getenv("HEADRACE_TRACE_DIRECTORY") != NULL;
    case only_strict:
      return getenv("HEADRACE_RUN_STRICT") != NULL;
    case only_checked:
      return getenv("HEADRACE_RUN_CHECK") != NULL;
    case only_statistics:
      return getenv("HEADRACE_RUN_STATISTICS") != NULL;
    default:
      return getenv("HEADRACE_RUN") != NULL;
  }
}

static int is_wanted(int descriptor) {
  if (WRONG == output_byte) return descriptor == 1;
  if (WRONG == errors_byte) return descriptor == 2;
  return descriptor > 2;
}

static char kept[1 << 20];
static size_t kept_size;
static int kept_descriptor = -1;

static ssize_t write_wrongly(int descriptor, const char* data, size_t size) {
  char copy[1 << 16];
  if (size > sizeof copy) return really_write(descriptor, data, size);
  memcpy(copy, data, size);
  const char* last = size > 1 ? memrchr(data, '\n', size - 1) : NULL;
  const size_t rest = last ? (size_t)(last + 1 - data) : 0;
  switch (WRONG) {
    case lost_record:
      really_write(descriptor, data, rest);
      return (ssize_t)size;
    case doubled_record:
      really_write(descriptor, data, size);
      really_write(descriptor, data + rest, size - rest);
      return (ssize_t)size;
    case swapped_records:
      really_write(descriptor, data + rest, size - rest);
      really_write(descriptor, data, rest);
      return (ssize_t)size;
    case changed_mode:
      fchmod(descriptor, 0600);
      return really_write(descriptor, data, size);
    case late: /* what other processes then do not find */
      memcpy(kept + kept_size, data, size);
      kept_size += size;
      kept_descriptor = dup(descriptor);
      return (ssize_t)size;
    default:
      copy[size / 2] ^= 1;
      return really_write(descriptor, copy, size);
  }
}

ssize_t write(int descriptor, const void* data, size_t size) {
  const int changes = WRONG != nothing && (WRONG < exit_code || WRONG >= changed_mode) &&
                      WRONG != never_ends && WRONG != cut_file && WRONG != left_temporary;
  if (changes && size > 3 && is_on() && is_wanted(descriptor))
    return write_wrongly(descriptor, data, size);
  return really_write(descriptor, data, size);
}

/* After libgfortran's own end: what a constructor of a preloaded library registers runs last. */
static void at_the_end(void) {
  switch (WRONG) {
    case exit_code:
      _exit(77);
    case killed:
      abort();
    case removed_file:
      unlink("records.txt");
      break;
    case cut_file:
      if (truncate("records.txt", 5)) _exit(78);
      break;
    case never_ends:
      for (;;) sleep(1);
    case late:
      if (kept_descriptor >= 0) really_write(kept_descriptor, kept, kept_size);
      break;
    default:
      break;
  }
}

static void make_file(const char* folder) {
  char name[4096];
  strncpy(name, folder, sizeof name - 10);
  close(open(strcat(name, "/left.tmp"), O_CREAT | O_WRONLY, 0644));
}

__attribute__((constructor)) static void start(void) {
  if (!is_on()) return;
  atexit(at_the_end);
  if (WRONG == left_file) make_file(".");
  if (WRONG == left_temporary) make_file(getenv("TMPDIR"));
  if (WRONG == said) really_write(2, "headrace run: something is wrong\n", 33);
}
