/* A request to stop that reaches the middle of a long computation. The computation checks now and then whether it
 * should stop, and returns early with an unfinished result, which the caller must then discard. */
#ifndef FAR_BASE_STOP_H
#define FAR_BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

/* Belongs to one thread. */
typedef struct far__stop {
  bool (*ask)(void *user); /* NULL: never */
  void *user;
  bool fired; /* ask() was true once, and is not called again */
} far__stop;

/* False for NULL. */
static inline bool far__stopped(far__stop *stop) {
  if (stop == NULL || stop->ask == NULL) return false;
  if (!stop->fired) stop->fired = stop->ask(stop->user);
  return stop->fired;
}

/* Asks once in FAR__PATIENCE units of work, so that asking costs nothing where a unit is a backup. */
enum { FAR__PATIENCE = 4096 };

typedef struct far__patience {
  far__stop *stop;
  size_t left;
} far__patience;

static inline far__patience far__patience_with(far__stop *stop) {
  return (far__patience){stop, FAR__PATIENCE};
}

/* Counts `work` more units and returns whether it is time to stop. */
static inline bool far__patience_over(far__patience *p, size_t work) {
  if (work < p->left) {
    p->left -= work;
    return false;
  }
  p->left = FAR__PATIENCE;
  return far__stopped(p->stop);
}

#endif
