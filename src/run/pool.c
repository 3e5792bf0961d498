/* The pool of threads. Given blocks wait in a queue, finished ones in another. A pool of one thread without a
 * need for threads (`solo`), or one to which the system gives none, computes when it is asked for a result. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "agents/facts.h"
#include "base/available.h"
#include "base/error.h"
#include "farsight/base.h"
#include "farsight/run.h"
#include "run/blocks.h"
#include "run/pool.h"
#include "run/snapshot.h"

enum { MOST_THREADS = 1024, AHEAD = 2 }; /* blocks out for each thread: one in work, one waiting */

typedef struct item {
  far_block block;
  bool failed; /* the block has only the runs that were finished before the failure */
} item;

typedef struct queue {
  item *items; /* a ring */
  size_t first, count, size;
} queue;

typedef struct thread_pool {
  far_pool base;
  unsigned threads; /* requested */
  const far__worker_type *type;
  void *user; /* of the workers */
  bool solo;
  const far_batch_def *def;
  pthread_t *ids;
  unsigned started;
  size_t out;        /* given and not yet taken back */
  void *solo_worker; /* of a pool without threads */
  atomic_bool stop;
  bool closed; /* no more blocks will come; guarded by the lock, as all members below */
  queue given, finished;
  far_status status;
  far_error error;
  pthread_mutex_t lock;
  pthread_cond_t work, result;
} thread_pool;

/* ---- queues ---- */

static void push(queue *q, far_block block, bool failed) {
  q->items[(q->first + q->count++) % q->size] = (item){block, failed};
}

static item pop(queue *q) {
  const item next = q->items[q->first];
  q->first = (q->first + 1) % q->size;
  q->count -= 1;
  return next;
}

static bool make_queue(queue *q, size_t size) {
  *q = (queue){.items = malloc(size * sizeof *q->items), .size = size};
  return q->items != NULL;
}

/* ---- one thread ---- */

static bool stopped(void *user) {
  const thread_pool *c = user;
  return atomic_load_explicit(&c->stop, memory_order_relaxed);
}

static void compute(thread_pool *c, void *worker, far_block *block) {
  far_error error;
  far_status status = FAR_STATUS_MEMORY;
  if (worker != NULL) {
    status = c->type->run(worker, block, &error);
  } else {
    far__set_error(&error, status, -1, "no memory for a thread's state");
    block->runs = 0;
    block->values = NULL;
  }
  pthread_mutex_lock(&c->lock);
  if (status != FAR_OK && c->status == FAR_OK) { /* the first failure is reported */
    c->status = error.code;
    c->error = error;
  }
  push(&c->finished, *block, status != FAR_OK);
  pthread_cond_signal(&c->result);
}

static void *work(void *argument) {
  thread_pool *c = argument;
  void *worker = NULL;
  far_block block;
  (void)c->type->create(&worker, c->user, c->def, stopped, c, NULL);
  pthread_mutex_lock(&c->lock);
  for (;;) {
    while (c->given.count == 0 && !c->closed) pthread_cond_wait(&c->work, &c->lock);
    if (c->given.count == 0) break;
    block = pop(&c->given).block;
    pthread_mutex_unlock(&c->lock);
    compute(c, worker, &block); /* returns with the lock held */
  }
  pthread_mutex_unlock(&c->lock);
  c->type->free(worker);
  return NULL;
}

/* ---- the pool's functions for the batch ---- */

static size_t pool_workers(const far_pool *pool) {
  const thread_pool *c = (const thread_pool *)pool;
  return c->solo ? 1 : c->started;
}

static size_t pool_room(const far_pool *pool) {
  const thread_pool *c = (const thread_pool *)pool;
  return c->solo ? 1 - c->out : AHEAD * c->started - c->out;
}

static void pool_end(far_pool *pool) {
  thread_pool *c = (thread_pool *)pool;
  atomic_store(&c->stop, true);
  pthread_mutex_lock(&c->lock);
  c->closed = true;
  c->given.count = 0;
  pthread_cond_broadcast(&c->work);
  pthread_mutex_unlock(&c->lock);
  for (unsigned i = 0; i < c->started; ++i) pthread_join(c->ids[i], NULL);
  while (c->finished.count > 0) {
    far_block lost = pop(&c->finished).block;
    far__block_free(&lost);
  }
  c->type->free(c->solo_worker);
  free(c->ids);
  free(c->given.items);
  free(c->finished.items);
  c->ids = NULL;
  c->solo_worker = NULL;
  c->given = c->finished = (queue){0};
  c->started = 0;
}

unsigned far__pool_threads(unsigned wanted) {
  const long n = wanted > 0 ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (unsigned)n;
}

/* The memory of the largest agent, among agents that are not small and whose models exist: on the ranks of an MPI job
 * models are built when they are needed. */
static double largest_agent(const far_batch_def *def) {
  enum { SMALL = 1 << 20 };
  double most = 0;
  for (size_t i = 0; i < def->n_cells; ++i) {
    if (def->cells[i].mdp == NULL)
      continue; /* a simulator, or a model that a rank has not built yet */
    const far_shape shape = far_cell_shape(&def->cells[i]);
    size_t bytes = 0;
    if ((double)shape.n_states * shape.n_actions < SMALL) continue;
    if (def->cells[i].spec != NULL)
      bytes = far__spec_bytes(def->cells[i].spec);
    else
      far__agent_bytes(&bytes, def->cells[i].agent, &shape, NULL);
    if ((double)bytes > most) most = (double)bytes;
  }
  return most;
}

/* At most one thread a run, and as many as have memory for an agent each; results do not depend on the number. */
static unsigned thread_count(const thread_pool *c, const far_batch_def *def) {
  long n = (long)far__pool_threads(c->threads);
  int64_t runs = 0;
  for (size_t i = 0; i < def->n_cells && runs < n; ++i) {
    const int64_t more = far__batch_runs(def, i);
    runs += more < n ? more : n; /* enough, and no overflow */
  }
  if (runs < n) n = (long)runs;
  const double bytes = n > 1 ? largest_agent(def) : 0;
  const double fit = bytes > 0 ? (double)far__memory_available() / bytes : (double)n;
  if (fit < (double)n) n = (long)fit;
  return n < 1 ? 1 : (unsigned)n;
}

static far_status pool_begin(far_pool *pool, const far_batch_def *def, far_error *error) {
  thread_pool *c = (thread_pool *)pool;
  const unsigned wanted = thread_count(c, def);
  const size_t room = (size_t)AHEAD * wanted;
  c->def = def;
  c->out = 0;
  c->closed = false;
  c->status = FAR_OK;
  c->solo = wanted == 1 && def->progress == NULL && !c->type->apart;
  atomic_store(&c->stop, false);
  c->ids = calloc(wanted, sizeof *c->ids);
  const bool room_given = make_queue(&c->given, room),
             room_finished = make_queue(&c->finished, room);
  far_status status = FAR_OK;
  if (c->ids == NULL || !room_given || !room_finished)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %u threads", wanted);
  else if (!c->solo)
    while (c->started < wanted && pthread_create(&c->ids[c->started], NULL, work, c) == 0)
      c->started += 1;
  c->solo = c->solo || c->started == 0; /* no thread could be started: the caller computes */
  if (status == FAR_OK && c->solo)
    status = c->type->create(&c->solo_worker, c->user, def, NULL, NULL, error);
  if (status != FAR_OK) pool_end(pool);
  return status;
}

static far_status pool_give(far_pool *pool, const far_block *block, far_error *error) {
  thread_pool *c = (thread_pool *)pool;
  (void)error;
  pthread_mutex_lock(&c->lock);
  push(&c->given, *block, false);
  c->out += 1;
  pthread_cond_signal(&c->work);
  pthread_mutex_unlock(&c->lock);
  return FAR_OK;
}

/* Waiting uses a clock that is never set, where the system allows choosing the clock. */
#ifdef __APPLE__
#define WAIT_CLOCK CLOCK_REALTIME
#else
#define WAIT_CLOCK CLOCK_MONOTONIC
#endif

static void make_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#ifndef __APPLE__
  pthread_condattr_setclock(&attributes, WAIT_CLOCK);
#endif
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

static struct timespec after(double seconds) {
  struct timespec until;
  clock_gettime(WAIT_CLOCK, &until);
  const double whole = (double)(time_t)seconds;
  until.tv_sec += (time_t)whole;
  until.tv_nsec += (long)(1e9 * (seconds - whole));
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return until;
}

/* Takes a finished block; if it failed, reports the first of all failures. Holds the lock. */
static far_status next_finished(thread_pool *c, far_block *block, bool *got, far_error *error) {
  *got = c->finished.count > 0;
  if (!*got) return FAR_OK;
  const item next = pop(&c->finished);
  *block = next.block;
  c->out -= 1;
  if (next.failed && error != NULL) *error = c->error;
  return next.failed ? c->status : FAR_OK;
}

static far_status pool_take(far_pool *pool, far_block *block, bool *got, double seconds,
                            far_error *error) {
  thread_pool *c = (thread_pool *)pool;
  if (c->solo && c->given.count > 0) {
    far_block own = pop(&c->given).block;
    compute(c, c->solo_worker, &own); /* returns with the lock held */
  } else {
    pthread_mutex_lock(&c->lock);
    const struct timespec until = after(seconds);
    int code = 0;
    while (!c->solo && seconds > 0 && c->finished.count == 0 && code != ETIMEDOUT)
      code = pthread_cond_timedwait(&c->result, &c->lock, &until);
  }
  const far_status status = next_finished(c, block, got, error);
  pthread_mutex_unlock(&c->lock);
  return status;
}

static void pool_stop(far_pool *pool) {
  atomic_store(&((thread_pool *)pool)->stop, true);
}

far_status far__pool_create(far_pool **out, unsigned threads, const far__worker_type *type,
                            void *user, far_error *error) {
  *out = NULL;
  thread_pool *c = calloc(1, sizeof *c);
  if (c == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for threads");
  c->base = (far_pool){.begin = pool_begin,
                       .workers = pool_workers,
                       .room = pool_room,
                       .give = pool_give,
                       .take = pool_take,
                       .stop = pool_stop,
                       .end = pool_end};
  c->threads = threads;
  c->type = type;
  c->user = user;
  pthread_mutex_init(&c->lock, NULL);
  make_condition(&c->work);
  make_condition(&c->result);
  *out = &c->base;
  return FAR_OK;
}

static far_status create_worker(void **out, void *user, const far_batch_def *def, far_stop_fn *stop,
                                void *stop_user, far_error *error) {
  far_worker *worker;
  (void)user;
  const far_status status = far_worker_create(&worker, def, stop, stop_user, error);
  *out = worker;
  return status;
}

static far_status run_worker(void *worker, far_block *block, far_error *error) {
  return far_worker_run(worker, block, error);
}

static void free_worker(void *worker) {
  far_worker_free(worker);
}

far_status far_pool_create(far_pool **out, unsigned threads, far_error *error) {
  static const far__worker_type type = {create_worker, run_worker, free_worker, false};
  return far__pool_create(out, threads, &type, NULL, error);
}

void far_pool_free(far_pool *pool) {
  thread_pool *c = (thread_pool *)pool;
  if (c == NULL) return;
  pthread_cond_destroy(&c->result);
  pthread_cond_destroy(&c->work);
  pthread_mutex_destroy(&c->lock);
  free(c);
}
