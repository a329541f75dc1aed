#include <pthread.h>
#include <unistd.h>

void other_records(void);
static pthread_t other;

static void* write_records(void* nothing) {
  other_records();
  return nothing;
}

int start(void) {
  pthread_create(&other, NULL, write_records, NULL);
  usleep(100000); /* it waits for the unit by then */
  return 5;
}

void join(void) {
  pthread_join(other, NULL);
}
