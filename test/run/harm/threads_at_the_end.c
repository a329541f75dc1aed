#include <pthread.h>
#include <unistd.h>

void work_(int*);
static int numbers[3];

static void* working(void* number) {
  work_(number);
  return 0;
}

void start_(int* n) {
  pthread_t thread;
  numbers[*n] = *n;
  pthread_create(&thread, 0, working, &numbers[*n]);
  pthread_detach(thread);
}

void rest_(int* microseconds) {
  usleep((useconds_t)*microseconds);
}
