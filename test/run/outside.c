/* What programs of test/run/programs do outside of Fortran: other ways to write, and other ways to
 * end. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Texts come from Fortran with a zero at their end. */
void c_write(int descriptor, const char* text) {
  if (write(descriptor, text, strlen(text)) < 0) perror("write");
}
void c_print(const char* text) {
  printf("%s", text);
}
void c_flush(void) {
  fflush(stdout);
}
void c_append(const char* name, const char* text) {
  FILE* file = fopen(name, "a");
  if (!file) return perror(name);
  fputs(text, file);
  fclose(file);
}
/* What another process would find in the file now. */
long c_size(const char* name) {
  struct stat found;
  return stat(name, &found) ? -1 : (long)found.st_size;
}
/* Other bytes at the beginning of a file. */
void c_poke(const char* name, const char* text) {
  int descriptor = open(name, O_WRONLY);
  if (pwrite(descriptor, text, strlen(text), 0) < 0) perror(name);
  close(descriptor);
}

void c_show(const char* name) {
  char line[4096];
  FILE* file = fopen(name, "r");
  if (!file) return perror(name);
  while (fgets(line, sizeof line, file)) printf("[%s] %s", name, line);
  fclose(file);
  fflush(stdout);
}
/* The descriptor that is open on a file, or -1. */
int c_descriptor(const char* name) {
  struct stat wanted, found;
  if (stat(name, &wanted)) return -1;
  for (int descriptor = 3; descriptor < 256; ++descriptor)
    if (!fstat(descriptor, &found) && found.st_dev == wanted.st_dev &&
        found.st_ino == wanted.st_ino)
      return descriptor;
  return -1;
}
void c_exit_now(int code) {
  _exit(code);
}
void c_exit(int code) {
  exit(code);
}
void c_quick_exit(int code) {
  quick_exit(code);
}
void c_abort(void) {
  abort();
}
int c_raise(int number) {
  return raise(number);
}
int c_kill(int number) {
  return kill(getpid(), number);
}
void c_ignore(int number) {
  signal(number, SIG_IGN);
}
static void on_alarm(int number) {
  (void)number;
  c_write(1, "caught\n");
}
void c_catch(int number) {
  signal(number, on_alarm);
}
/* 0 in the child, as fork(2). */
int c_fork(void) {
  return (int)fork();
}
/* The exit code of a child, or minus its signal. */
int c_wait(int child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
void c_exec(const char* command) {
  execl("/bin/sh", "sh", "-c", command, (char*)NULL);
}
int c_system(const char* command) {
  return system(command);
}
void c_popen(const char* command, const char* text) {
  FILE* pipe = popen(command, "w");
  if (!pipe) return perror("popen");
  fputs(text, pipe);
  pclose(pipe);
}
static void say_at_exit(void) {
  c_write(1, "at exit\n");
}
void c_at_exit(void) {
  atexit(say_at_exit);
}
static void* call_it(void* function) {
  (*(void (**)(void))function)();
  return NULL;
}
/* Calls a procedure in another thread, and waits for its end. */
void c_in_thread(void (*function)(void)) {
  pthread_t thread;
  pthread_create(&thread, NULL, call_it, &function);
  pthread_join(thread, NULL);
}
int c_close(int descriptor) {
  return close(descriptor);
}
/* Standard output goes to a file from now on. */
void c_redirect(const char* name) {
  int descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(descriptor, 1);
  close(descriptor);
}
int c_truncate(const char* name, long size) {
  return truncate(name, size);
}
