/* What gfortran's OpenMP programs of test/run call, made of POSIX threads: ThreadSanitizer sees how
 * these wait for one another, and nothing of the futexes of libgomp. One loop or one set of
 * sections in a parallel region; chunks of one iteration. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef void region(void*);

struct team {
  int threads;
  pthread_mutex_t lock;
  pthread_cond_t turned;
  unsigned sections, next_section;
  long turn; /* the iteration whose ordered part comes */
  int at_barrier;
  unsigned barriers; /* that all have passed */
};

struct member {
  struct team* team;
  int number;
  region* function;
  void* data;
};

static __thread struct team* team;
static __thread int number;
static __thread long iteration, last, step, behind; /* of this thread's loop */
static pthread_mutex_t atomic_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t critical_lock = PTHREAD_MUTEX_INITIALIZER;

static void* run_member(void* given) {
  const struct member* member = given;
  team = member->team;
  number = member->number;
  member->function(member->data);
  return NULL;
}

static int threads_of(unsigned wanted) {
  const char* variable = getenv("OMP_NUM_THREADS");
  const int asked = wanted ? (int)wanted : variable ? atoi(variable) : 4;
  return asked < 1 ? 1 : asked > 16 ? 16 : asked;
}

static void run_region(region* function, void* data, unsigned wanted, unsigned sections) {
  struct team all = {.threads = threads_of(wanted), .sections = sections};
  struct member members[16];
  pthread_t made[16];
  pthread_mutex_init(&all.lock, NULL);
  pthread_cond_init(&all.turned, NULL);
  for (int i = 0; i < all.threads; ++i) members[i] = (struct member){&all, i, function, data};
  for (int i = 1; i < all.threads; ++i)
    if (pthread_create(&made[i], NULL, run_member, &members[i]) != 0) abort();
  run_member(&members[0]);
  for (int i = 1; i < all.threads; ++i) pthread_join(made[i], NULL);
  team = NULL;
  number = 0;
}

void GOMP_parallel(region* function, void* data, unsigned threads, unsigned flags) {
  (void)flags;
  run_region(function, data, threads, 0);
}

void GOMP_parallel_sections(region* function, void* data, unsigned threads, unsigned sections,
                            unsigned flags) {
  (void)flags;
  run_region(function, data, threads, sections);
}

unsigned GOMP_sections_next(void) {
  pthread_mutex_lock(&team->lock);
  const unsigned mine = team->next_section < team->sections ? ++team->next_section : 0;
  pthread_mutex_unlock(&team->lock);
  return mine;
}

void GOMP_sections_end_nowait(void) {}

static bool give_iteration(long* begin, long* end) {
  if (step > 0 ? iteration >= behind : iteration <= behind) return false;
  last = iteration;
  *begin = iteration;
  *end = iteration + step;
  iteration += step * team->threads;
  return true;
}

bool GOMP_loop_ordered_static_start(long from, long to, long by, long chunk, long* begin,
                                    long* end) {
  if (chunk != 1) abort();
  step = by;
  behind = to;
  iteration = from + by * number;
  pthread_mutex_lock(&team->lock);
  if (number == 0) team->turn = from;
  pthread_mutex_unlock(&team->lock);
  return give_iteration(begin, end);
}

bool GOMP_loop_ordered_static_next(long* begin, long* end) {
  return give_iteration(begin, end);
}
void GOMP_loop_end(void) {}
void GOMP_loop_end_nowait(void) {}

void GOMP_ordered_start(void) {
  pthread_mutex_lock(&team->lock);
  while (team->turn != last) pthread_cond_wait(&team->turned, &team->lock);
  pthread_mutex_unlock(&team->lock);
}

void GOMP_ordered_end(void) {
  pthread_mutex_lock(&team->lock);
  team->turn = last + step;
  pthread_cond_broadcast(&team->turned);
  pthread_mutex_unlock(&team->lock);
}

void GOMP_barrier(void) {
  pthread_mutex_lock(&team->lock);
  const unsigned mine = team->barriers;
  if (++team->at_barrier == team->threads) {
    team->at_barrier = 0;
    ++team->barriers;
    pthread_cond_broadcast(&team->turned);
  }
  while (team->barriers == mine) pthread_cond_wait(&team->turned, &team->lock);
  pthread_mutex_unlock(&team->lock);
}

void GOMP_critical_start(void) {
  pthread_mutex_lock(&critical_lock);
}
void GOMP_critical_end(void) {
  pthread_mutex_unlock(&critical_lock);
}
void GOMP_atomic_start(void) {
  pthread_mutex_lock(&atomic_lock);
}
void GOMP_atomic_end(void) {
  pthread_mutex_unlock(&atomic_lock);
}

int omp_get_thread_num(void) {
  return number;
}
int omp_get_num_threads(void) {
  return team ? team->threads : 1;
}
int omp_get_max_threads(void) {
  return threads_of(0);
}
int omp_get_thread_num_(void) {
  return omp_get_thread_num();
}
int omp_get_num_threads_(void) {
  return omp_get_num_threads();
}
int omp_get_max_threads_(void) {
  return omp_get_max_threads();
}
