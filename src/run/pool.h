/* The pool of threads, for workers of any kind. */
#ifndef FAR_RUN_POOL_H
#define FAR_RUN_POOL_H

#include "farsight/run.h"

/* A kind of worker, such as far_worker. A worker is created, used and freed by one thread. */
typedef struct far__worker_type {
  far_status (*create)(void **worker, void *user, const far_batch_def *def, far_stop_fn *stop,
                       void *stop_user, far_error *error);
  far_status (*run)(void *worker, far_block *block, far_error *error);
  void (*free)(void *worker); /* may be called with NULL */
  bool apart;                 /* needs a thread of its own even if one is enough */
} far__worker_type;

/* As far_pool_create; `user` is passed to every worker. To be freed by far_pool_free. */
far_status far__pool_create(far_pool **out, unsigned threads, const far__worker_type *type,
                            void *user, far_error *error);

/* The number of threads of a pool that asks for `wanted`; 0: one for each processor. */
unsigned far__pool_threads(unsigned wanted);

#endif
