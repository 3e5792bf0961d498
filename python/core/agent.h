/* What the files of the type Agent share. */
#ifndef FARSIGHT_PYTHON_AGENT_H
#define FARSIGHT_PYTHON_AGENT_H

#include "core.h"

typedef struct agent {
  PyObject_HEAD core_lock lock;
  far_agent *agent; /* NULL until __init__ */
  PyObject *memory; /* owns the memory of `counts` */
  int64_t *counts;  /* visits of each pair, n_states x n_actions */
  far_shape shape;  /* borrowed from the agent */
  bool plans;       /* observe may take long */
} agent;

/* Every method begins with agent_take and ends with agent_give_back, which returns `result`. */
bool agent_take(agent *self);
PyObject *agent_give_back(agent *self, PyObject *result);

/* A new object of this type that owns the agent. */
PyObject *agent_wrap(PyTypeObject *type, far_agent *made);

static inline PyObject *agent_none(bool ok) {
  if (!ok) return NULL;
  Py_RETURN_NONE;
}

static inline size_t agent_n_pairs(const far_shape *shape) {
  return (size_t)shape->n_states * shape->n_actions;
}

static inline void agent_count_visit(agent *self, const far_transition *step) {
  ++self->counts[(size_t)step->s * self->shape.n_actions + step->a];
}

/* A reward outside the range, only because an end of the range was rounded to float32, becomes that end. */
static inline void agent_widen(double *r, const far_shape *shape) {
  if (*r > shape->reward_max && *r <= (double)(float)shape->reward_max) *r = shape->reward_max;
  if (*r < shape->reward_min && *r >= (double)(float)shape->reward_min) *r = shape->reward_min;
}

/* The columns of transitions, in the order of the arguments. */
enum { S, A, R, NEXT, TERMINATED, TRUNCATED, N_ARGUMENTS };
extern const char *const agent_columns[N_ARGUMENTS];

/* ---- methods ---- */

PyObject *agent_act_many(PyObject *self, PyObject *states);
PyObject *agent_observe_many(PyObject *self, PyObject *args, PyObject *named);

PyObject *agent_save(PyObject *self, PyObject *path);
PyObject *agent_load(PyObject *type, PyObject *path);
PyObject *agent_restore(PyObject *self, PyObject *path);
PyObject *agent_save_bytes(PyObject *self, PyObject *unused);
PyObject *agent_load_bytes(PyObject *type, PyObject *bytes);
PyObject *agent_clone(PyObject *self, PyObject *unused);
PyObject *agent_reset(PyObject *self, PyObject *args, PyObject *named);
PyObject *agent_figure(PyObject *self, PyObject *args, PyObject *named); /* layout.c */

/* Functions of the module about specs of agents. */
extern PyMethodDef agent_functions[];

#endif
