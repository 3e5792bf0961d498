/* Threads where there is one: the part of pthread.h that the library uses. Locks are free and never waited for,
 * and no further thread can be started, so that a team has one member and a pool computes on the thread that
 * calls it. */
#ifndef FARSIGHT_WASM_PTHREAD_H
#define FARSIGHT_WASM_PTHREAD_H

#include <errno.h>
#include <time.h>

typedef struct pthread_none {
  char unused;
} pthread_t, pthread_mutex_t, pthread_cond_t, pthread_condattr_t;

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
  { 0 }
#define PTHREAD_COND_INITIALIZER                                                                   \
  { 0 }

/* Each is a function of the arguments that it ignores, and says that all is well. */
#define FARSIGHT_WASM_NOTHING(name, ...)                                                           \
  static inline int name(__VA_ARGS__) {                                                            \
    return 0;                                                                                      \
  }

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
FARSIGHT_WASM_NOTHING(pthread_mutex_init, pthread_mutex_t *mutex, const void *attributes)
FARSIGHT_WASM_NOTHING(pthread_mutex_destroy, pthread_mutex_t *mutex)
FARSIGHT_WASM_NOTHING(pthread_mutex_lock, pthread_mutex_t *mutex)
FARSIGHT_WASM_NOTHING(pthread_mutex_unlock, pthread_mutex_t *mutex)
FARSIGHT_WASM_NOTHING(pthread_condattr_init, pthread_condattr_t *attributes)
FARSIGHT_WASM_NOTHING(pthread_condattr_destroy, pthread_condattr_t *attributes)
FARSIGHT_WASM_NOTHING(pthread_condattr_setclock, pthread_condattr_t *attributes, clockid_t clock)
FARSIGHT_WASM_NOTHING(pthread_cond_init, pthread_cond_t *condition, const void *attributes)
FARSIGHT_WASM_NOTHING(pthread_cond_destroy, pthread_cond_t *condition)
FARSIGHT_WASM_NOTHING(pthread_cond_signal, pthread_cond_t *condition)
FARSIGHT_WASM_NOTHING(pthread_cond_broadcast, pthread_cond_t *condition)
FARSIGHT_WASM_NOTHING(pthread_join, pthread_t thread, void **result)

/* Nobody could ever signal: what waits for another thread would wait for ever. */
static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  __builtin_trap();
}

static inline int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                         const struct timespec *until) {
  return ETIMEDOUT;
}

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*run)(void *),
                                 void *argument) {
  return EAGAIN;
}
#pragma clang diagnostic pop

#endif
