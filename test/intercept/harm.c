/* What programs do to their process that a library inside of it may not expect: test_trace_harm.py
 * runs each with and without the tracer, and everything that can be seen must be the same. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void write_file(int number, int count);
void open_file(int number);
void write_more(int number, int count);
void close_file(int number);
void write_with(int number, int (*in_list)(void));
void fail(void);
void say(int number);

static void require(int holds, const char* what) {
  if (holds) return;
  printf("failed: %s: %s\n", what, strerror(errno));
  fflush(stdout);
  exit(99);
}

static void limit(int what, rlim_t value) {
  struct rlimit limits;
  getrlimit(what, &limits);
  limits.rlim_cur = value;
  require(setrlimit(what, &limits) == 0, "setrlimit");
}

static size_t address_space(void) {
  size_t pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  require(file && fscanf(file, "%zu", &pages) == 1, "statm");
  fclose(file);
  return pages * 4096;
}

static void close_all_descriptors(void) {
  for (int descriptor = 0; descriptor < 1024; ++descriptor) close(descriptor);
  write_file(1, 100);
}

static void little_address_space(void) {
  enum { wanted = 100 << 20 };
  write_file(9, 0); /* what the run time takes */
  size_t now = address_space();
  limit(RLIMIT_AS, now + wanted + (24 << 20));
  write_file(1, 100);
  void* memory = malloc(wanted);
  require(memory != NULL, "malloc");
  memset(memory, 1, wanted);
  say(1);
}

/* The limit stands when the process begins. */
static void begins_with_little_address_space(void) {
  limit(RLIMIT_AS, 200 << 20);
  execl("/proc/self/exe", "harm", "a hundred megabytes", (char*)0);
}

static void a_hundred_megabytes(void) {
  write_file(1, 100);
  require(malloc(100 << 20) != NULL, "malloc");
  write_file(2, 100);
}

static void small_files_only(void) {
  limit(RLIMIT_FSIZE, 20000);
  write_file(1, 1000);
}

static void few_descriptors(void) {
  limit(RLIMIT_NOFILE, 4);
  write_file(1, 100);
  say(1);
}

/* Statements that last several milliseconds: no arithmetic of the tracer's shows in the program's
 * flags. */
static int slow_number(void) {
  usleep(7000);
  return 1;
}

static void floating_point_flags(void) {
  open_file(10);
  feclearexcept(FE_ALL_EXCEPT);
  for (int i = 0; i < 10; ++i) write_with(10, slow_number);
  say(fetestexcept(FE_ALL_EXCEPT));
  close_file(10);
}

static void elsewhere(void) {
  require(mkdir("below", 0777) == 0 && chdir("below") == 0, "chdir");
  write_file(1, 100);
}

static void other_root(void) {
  require(chroot(".") == 0 && chdir("/") == 0, "chroot");
  write_file(1, 100);
}

/* A daemon's descriptor 2 may be a file of data: no message belongs there. */
static void data_is_descriptor_2(void) {
  require(chroot(".") == 0 && chdir("/") == 0, "chroot");
  for (int descriptor = 0; descriptor < 3; ++descriptor) close(descriptor);
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    require(open("data", O_RDWR | O_CREAT, 0666) == descriptor, "open");
  write_file(1, 100);
}

static void fork_without_exec(void) {
  open_file(10);
  write_more(10, 50);
  pid_t child = fork();
  if (!child) {
    write_file(2, 100);
    _exit(5);
  }
  int status = 0;
  waitpid(child, &status, 0);
  say(WEXITSTATUS(status));
  write_more(10, 50);
}

static void vfork_and_exec(void) {
  for (volatile int i = 0; i < 3; ++i) {
    pid_t child = vfork();
    if (!child) {
      close(0);
      dup2(2, 5);
      if (i == 2)
        execl("/no/such/program", "x", (char*)0);
      else
        execl("/bin/true", "true", (char*)0);
      _exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    say(WEXITSTATUS(status));
  }
  write_file(1, 100);
}

static void exec_with_an_own_environment(void) {
  char *environment[] = {"ONLY=this", NULL}, *arguments[] = {"harm", "environment", NULL};
  write_file(1, 100);
  execve("/proc/self/exe", arguments, environment);
}

static void show_environment(void) {
  for (char** variable = environ; *variable; ++variable)
    if (strncmp(*variable, "HEADRACE", 8) && strncmp(*variable, "LD_PRELOAD", 10))
      printf("%s\n", *variable);
}

static void daemonise(void) {
  int ends[2];
  char text[1];
  require(pipe(ends) == 0, "pipe");
  if (!fork()) {
    setsid();
    if (fork()) _exit(0);
    dup2(ends[1], 100);
    for (int descriptor = 0; descriptor < 100; ++descriptor) close(descriptor);
    umask(0);
    write_file(1, 100);
    exit(0);
  }
  close(ends[1]);
  require(read(ends[0], text, 1) == 0, "read");
  wait(NULL);
  say(1);
}

static volatile sig_atomic_t alarms;
static void note_alarm(int number) {
  (void)number;
  ++alarms;
  (void)!write(1, "", 0);
}

static void many_alarms(void) {
  struct sigaction action = {.sa_handler = note_alarm, .sa_flags = SA_RESTART};
  struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 1; i <= 40; ++i) write_file(i, 500);
  setitimer(ITIMER_REAL, &never, NULL);
  say(alarms > 0);
}

static void small_signal_stack(void) {
  struct sigaction action = {.sa_handler = note_alarm, .sa_flags = SA_ONSTACK};
  stack_t stack = {.ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 6144};
  char* memory = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(mprotect(memory, 32768, PROT_NONE) == 0, "mprotect"); /* whoever leaves the stack dies */
  stack.ss_sp = memory + 32768;
  require(sigaltstack(&stack, NULL) == 0, "sigaltstack");
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  write_file(1, 100);
  raise(SIGUSR1);
  say(alarms);
}

static void* write_in_thread(void* number) {
  write_file((int)(intptr_t)number, 20);
  return NULL;
}

static void threads_by_the_hundred(void) {
  pthread_t threads[100];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i)
      require(pthread_create(&threads[i], NULL, write_in_thread,
                             (void*)(intptr_t)(100 * round + i)) == 0,
              "thread");
    for (int i = 0; i < 100; ++i) pthread_join(threads[i], NULL);
  }
}

static void* call_write(void* unused) {
  return write(1, "small\n", 6) == 6 ? NULL : unused;
}

static void smallest_stacks(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  require(pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0,
          "size");
  for (int i = 0; i < 3; ++i) {
    require(pthread_create(&thread, &attributes, call_write, NULL) == 0, "pthread_create");
    pthread_join(thread, NULL);
  }
}

static void exits_in_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_in_thread, (void*)1);
  write_file(2, 100);
  pthread_join(thread, NULL);
  pthread_exit(NULL);
}

static jmp_buf back;
static int jump_out(void) {
  longjmp(back, 1);
}

static void jump_out_of_lists(void) {
  for (int i = 0; i < 40; ++i) {
    open_file(100 + i);
    if (!setjmp(back)) write_with(100 + i, jump_out); /* the unit stays locked */
  }
  write_file(1, 1000);
  say(1);
  fflush(stdout);
  _exit(0);
}

static sigjmp_buf out_of_handler;
static void on_segv(int number) {
  siglongjmp(out_of_handler, number);
}
static int crash(void) {
  return *(volatile int*)16;
}

static void ends_by_execl(void) {
  write_file(1, 100);
  execl("/bin/sh", "sh", "-c", "exit 4", (char*)0);
}

static void crash_in_lists(void) {
  struct sigaction action = {.sa_handler = on_segv};
  sigaction(SIGSEGV, &action, NULL);
  for (int i = 0; i < 20; ++i) {
    open_file(100 + i);
    if (!sigsetjmp(out_of_handler, 1)) write_with(100 + i, crash);
  }
  write_file(1, 1000);
  say(1);
  fflush(stdout);
  _exit(0);
}

static int nested_number(void) {
  write_file(3, 10);
  return 7;
}

static void list_that_does_io(void) {
  open_file(10);
  write_with(10, nested_number);
  close_file(10);
}

/* Only these may be called from now on; all others end the process. */
static void only_calls(const int* allowed, size_t count, int by_syscall) {
  struct sock_filter filter[64] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  unsigned short length = 1;
  for (size_t i = 0; i < count; ++i) {
    filter[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  struct sock_fprog program = {length, filter};
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
  if (by_syscall)
    require(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0, "seccomp");
  else
    require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0, "seccomp");
}

/* What libgfortran calls to write and close a file, and malloc. */
static const int of_writing[] = {SYS_write, SYS_lseek,  SYS_close, SYS_exit_group, SYS_fstat,
                                 SYS_brk,   SYS_munmap, SYS_futex, SYS_newfstatat, SYS_ftruncate};
enum { calls_of_writing = sizeof of_writing / sizeof *of_writing };

static void seccomp_filter(int by_syscall) {
  open_file(10);
  write_more(10, 1000);
  only_calls(of_writing, calls_of_writing, by_syscall);
  for (int i = 0; i < 30; ++i) write_more(10, 100000);
  close_file(10);
  _exit(3);
}

static void seccomp_filter_first(void) {
  open_file(10); /* no statement of another line comes before the filter */
  only_calls(of_writing, calls_of_writing, 0);
  write_more(10, 1000);
  close_file(10);
  _exit(3);
}

static void seccomp_strict(void) {
  open_file(10);
  write_more(10, 1000);
  require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) == 0, "seccomp");
  write_more(10, 100000);
  syscall(SYS_exit, 3);
}

static void write_at_exit(void) {
  write_file(8, 100);
}

static void io_at_exit(void) {
  atexit(write_at_exit);
  write_file(1, 100);
}

static int constructor_is_wanted(void) {
  char text[200] = "";
  FILE* file = fopen("/proc/self/cmdline", "r");
  if (!file) return 0;
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  return length && memmem(text, length, "constructor", 11) != NULL;
}

__attribute__((constructor)) static void early(void) {
  if (constructor_is_wanted()) write_file(4, 100);
}

__attribute__((destructor)) static void late(void) {
  if (constructor_is_wanted()) write_file(5, 100);
}

static void constructor(void) {
  write_file(1, 100);
}

static void fixed_addresses(void) {
  static const uintptr_t places[] = {0x10000000, 0x200000000, 0x100000000000, 0x600000000000};
  write_file(1, 100);
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
    require(mmap((void*)places[i], 1 << 26, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == (void*)places[i],
            "mmap");
  write_file(2, 100);
}

static void quick_ends(void) {
  write_file(1, 100);
  quick_exit(6);
}

static void system_and_popen(void) {
  char text[20] = "";
  write_file(1, 100);
  say(WEXITSTATUS(system("exit 9")));
  FILE* pipe = popen("echo said", "r");
  require(pipe && fgets(text, sizeof text, pipe), "popen");
  pclose(pipe);
  say((int)strlen(text));
}

static void large_files(void) {
  int descriptor = open64("large", O_RDWR | O_CREAT, 0666);
  require(descriptor >= 0 && lseek64(descriptor, 1ll << 33, SEEK_SET) == 1ll << 33, "lseek64");
  require(pwrite64(descriptor, "x", 1, 1ll << 34) == 1 && ftruncate64(descriptor, 1000) == 0,
          "pwrite64");
  write_file(1, 100);
}

static const struct {
  const char* name;
  void (*run)(void);
} attacks[] = {{"close all descriptors", close_all_descriptors},
               {"little address space", little_address_space},
               {"begins with little address space", begins_with_little_address_space},
               {"a hundred megabytes", a_hundred_megabytes},
               {"small files only", small_files_only},
               {"few descriptors", few_descriptors},
               {"floating-point flags", floating_point_flags},
               {"elsewhere", elsewhere},
               {"other root", other_root},
               {"data is descriptor 2", data_is_descriptor_2},
               {"fork without exec", fork_without_exec},
               {"vfork and exec", vfork_and_exec},
               {"exec with an own environment", exec_with_an_own_environment},
               {"environment", show_environment},
               {"daemonise", daemonise},
               {"many alarms", many_alarms},
               {"small signal stack", small_signal_stack},
               {"threads by the hundred", threads_by_the_hundred},
               {"smallest stacks", smallest_stacks},
               {"exits in thread", exits_in_thread},
               {"jump out of lists", jump_out_of_lists},
               {"execl", ends_by_execl},
               {"crash in lists", crash_in_lists},
               {"list that does I/O", list_that_does_io},
               {"seccomp filter first", seccomp_filter_first},
               {"seccomp strict", seccomp_strict},
               {"I/O at exit", io_at_exit},
               {"constructor", constructor},
               {"fixed addresses", fixed_addresses},
               {"quick exit", quick_ends},
               {"system and popen", system_and_popen},
               {"large files", large_files},
               {"fail", fail}};

void attack(const char* how) {
  if (strcmp(how, "list") == 0)
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; ++i) puts(attacks[i].name);
  for (size_t i = 0; i < sizeof attacks / sizeof *attacks; ++i)
    if (strcmp(how, attacks[i].name) == 0) attacks[i].run();
  if (strcmp(how, "seccomp by prctl") == 0) seccomp_filter(0);
  if (strcmp(how, "seccomp by syscall") == 0) seccomp_filter(1);
}
