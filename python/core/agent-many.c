/* Agent: act and observe for many states in one call. */
#include "agent.h"

#include <stdio.h>
#include <string.h>

const char *const agent_columns[N_ARGUMENTS] = {"s", "a", "r", "next", "terminated", "truncated"};

enum { CHUNK = 256 };

/* Reads a value exactly once: another thread may write to the array between a check and a use. */
static int64_t read_once(const int64_t *value) {
  return *(const volatile int64_t *)value;
}

static bool check_index(const char *what, npy_intp i, int64_t value, uint32_t limit) {
  if (value >= 0 && value < (int64_t)limit) return true;
  PyErr_Format(PyExc_IndexError, "%s[%zd] is %lld: must be in 0 ... %lu", what, (Py_ssize_t)i,
               (long long)value, (unsigned long)limit - 1);
  return false;
}

/* Raises the error with its place in front: "WHAT I: MESSAGE". */
static PyObject *raise_at(const char *what, npy_intp i, far_error *error) {
  char message[sizeof error->message];
  snprintf(message, sizeof message, "%s %lld: %.400s", what, (long long)i, error->message);
  memcpy(error->message, message, sizeof message);
  return core_raise(error, NULL);
}

static bool act_chunk(agent *self, const int64_t *states, int64_t *actions, npy_intp first,
                      npy_intp count) {
  uint32_t s[CHUNK] = {0}, a[CHUNK];
  far_error error;
  for (npy_intp i = 0; i < count; ++i) {
    const int64_t state = read_once(&states[i]);
    if (!check_index("states", first + i, state, self->shape.n_states)) return false;
    s[i] = (uint32_t)state;
  }
  if (far_agent_act_many(self->agent, s, (size_t)count, a, &error) != FAR_OK)
    return core_raise(&error, NULL) != NULL;
  for (npy_intp i = 0; i < count; ++i) actions[i] = a[i];
  return true;
}

static bool act_chunks(agent *self, PyArrayObject *states, PyArrayObject *actions) {
  const int64_t *s = PyArray_DATA(states);
  int64_t *a = PyArray_DATA(actions);
  const npy_intp count = PyArray_SIZE(states);
  for (npy_intp i = 0; i < count; i += CHUNK)
    if (!act_chunk(self, s + i, a + i, i, count - i < CHUNK ? count - i : CHUNK)) return false;
  return true;
}

PyObject *agent_act_many(PyObject *object, PyObject *states) {
  agent *self = (agent *)object;
  PyObject *held;
  if (core_data(&held, states, "states", NPY_INT64, -1) == NULL) return NULL;
  PyArrayObject *array = (PyArrayObject *)held;
  PyObject *actions = core_array(NPY_INT64, PyArray_NDIM(array), PyArray_DIMS(array));
  if (actions != NULL && !agent_take(self))
    Py_CLEAR(actions);
  else if (actions != NULL) {
    const bool ok = act_chunks(self, array, (PyArrayObject *)actions);
    core_release(&self->lock);
    if (!ok) Py_CLEAR(actions);
  }
  Py_DECREF(held);
  return actions;
}

/* The columns of many transitions. */
typedef struct columns {
  PyObject *held[N_ARGUMENTS];
  const int64_t *s, *a, *next;
  const double *r;
  const bool *terminated, *truncated; /* may be NULL */
  npy_intp count;
} columns;

static void free_columns(columns *c) {
  for (int i = 0; i < N_ARGUMENTS; ++i) Py_CLEAR(c->held[i]);
}

static bool optional_column(columns *c, int i, PyObject *object, const bool **out) {
  if (object == Py_None) return true;
  *out = core_data(&c->held[i], object, agent_columns[i], NPY_BOOL, c->count);
  return *out != NULL;
}

static bool read_columns(columns *c, PyObject *const *o) {
  c->s = core_data(&c->held[S], o[S], "states", NPY_INT64, -1);
  if (c->s == NULL) return false;
  c->count = PyArray_SIZE((PyArrayObject *)c->held[S]);
  c->a = core_data(&c->held[A], o[A], "actions", NPY_INT64, c->count);
  c->r = c->a != NULL ? core_data(&c->held[R], o[R], "rewards", NPY_DOUBLE, c->count) : NULL;
  c->next =
      c->r != NULL ? core_data(&c->held[NEXT], o[NEXT], "next_states", NPY_INT64, c->count) : NULL;
  return c->next != NULL && optional_column(c, TERMINATED, o[TERMINATED], &c->terminated) &&
         optional_column(c, TRUNCATED, o[TRUNCATED], &c->truncated);
}

static bool read_row(far_transition *out, const columns *c, npy_intp i, const far_shape *shape) {
  const int64_t s = read_once(&c->s[i]), a = read_once(&c->a[i]), next = read_once(&c->next[i]);
  *out = (far_transition){.s = (uint32_t)s,
                          .a = (uint32_t)a,
                          .r = c->r[i],
                          .done = c->terminated != NULL && c->terminated[i],
                          .cut = c->truncated != NULL && c->truncated[i]};
  if (!out->done) out->next = (uint32_t)next;
  agent_widen(&out->r, shape);
  return check_index("states", i, s, shape->n_states) &&
         check_index("actions", i, a, shape->n_actions) &&
         (out->done || check_index("next_states", i, next, shape->n_states));
}

/* Learns from rows first ... first + most - 1, or up to the first row that is refused. */
static bool observe_chunk(agent *self, const columns *c, npy_intp first, npy_intp most) {
  far_transition steps[CHUNK];
  npy_intp count = 0;
  bool ok = true;
  while (count < most && first + count < c->count &&
         (ok = read_row(&steps[count], c, first + count, &self->shape)))
    ++count;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace); /* raised after the rows before the bad one are learned */
  size_t learned = 0;
  far_error error;
  core_work work = core_work_begin(Py_None);
  const far_status status =
      far_agent_observe_many(self->agent, steps, (size_t)count, &learned, &error);
  core_work_end(&work);
  for (size_t i = 0; i < learned; ++i) agent_count_visit(self, &steps[i]);
  if (status == FAR_OK) {
    PyErr_Restore(type, value, trace);
    return ok;
  }
  Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
  return raise_at("transition", first + (npy_intp)learned, &error) != NULL;
}

PyObject *agent_observe_many(PyObject *object, PyObject *args, PyObject *named) {
  static char *names[] = {"states",     "actions",   "rewards", "next_states",
                          "terminated", "truncated", NULL};
  agent *self = (agent *)object;
  PyObject *o[N_ARGUMENTS] = {[TERMINATED] = Py_None, [TRUNCATED] = Py_None};
  columns c = {0};
  if (!PyArg_ParseTupleAndKeywords(args, named, "OOOO|OO:observe_many", names, &o[S], &o[A], &o[R],
                                   &o[NEXT], &o[TERMINATED], &o[TRUNCATED]))
    return NULL;
  bool ok = read_columns(&c, o) && agent_take(self);
  if (ok) {
    const npy_intp most = self->plans ? 1 : CHUNK; /* Ctrl-C is seen between chunks */
    for (npy_intp i = 0; ok && i < c.count; i += most)
      ok = observe_chunk(self, &c, i, most) && PyErr_CheckSignals() == 0;
    core_release(&self->lock);
  }
  free_columns(&c);
  return agent_none(ok);
}
