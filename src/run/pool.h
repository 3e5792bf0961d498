/* The pool of threads, for workers of any kind. */
#ifndef FAR_RUN_POOL_H
#define FAR_RUN_POOL_H

#include "farsight/run.h"

/* A kind of worker, as far_worker is one. A worker is made, used and freed by one thread. */
typedef struct far__worker_type {
  far_status (*create)(void **worker, void *user, const far_batch_def *def, far_stop_fn *stop,
                       void *stop_user, far_error *error);
  far_status (*run)(void *worker, far_block *block, far_error *error);
  void (*free)(void *worker); /* NULL is fine */
  bool
      apart; /* has threads even where one is enough, which would work in the thread that takes blocks back */
} far__worker_type;

/* As far_pool_create; `user` is told to every worker. To be freed by far_pool_free. */
far_status far__pool_create(far_pool **out, unsigned threads, const far__worker_type *type,
                            void *user, far_error *error);

/* The threads of a pool that wants so many; 0: one for each processor. */
unsigned far__pool_threads(unsigned wanted);

#endif
