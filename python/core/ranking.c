/* Ranking of agents: decisions about all pairs of agents, with as many runs as they need. */
#include <string.h>

#include "core.h"

/* Copies of the runs, since other threads may write to the arrays during the computation. */
typedef struct runs {
  far_sample *cells;
  size_t count;
} runs;

static void runs_free(runs *r) {
  for (size_t i = 0; r->cells != NULL && i < r->count; ++i) PyMem_Free((void *)r->cells[i].x);
  PyMem_Free(r->cells);
}

static bool copy_runs(far_sample *out, PyObject *object) {
  PyObject *held;
  const double *x = core_data(&held, object, "runs", NPY_DOUBLE, -1);
  if (x == NULL) return false;
  const size_t n = (size_t)PyArray_SIZE((PyArrayObject *)held);
  double *copy = PyMem_Malloc(n * sizeof *copy + 1);
  if (copy == NULL)
    PyErr_NoMemory();
  else
    memcpy(copy, x, n * sizeof *copy);
  Py_DECREF(held);
  *out = (far_sample){copy, (int64_t)n};
  return copy != NULL;
}

static bool take_runs(runs *r, PyObject *list) {
  const Py_ssize_t n = PyList_Size(list);
  if (n < 0) return false;
  r->cells = PyMem_Calloc((size_t)n + 1, sizeof *r->cells);
  if (r->cells == NULL) {
    PyErr_NoMemory();
    return false;
  }
  r->count = (size_t)n;
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!copy_runs(&r->cells[i], PyList_GetItem(list, i))) return false;
  return true;
}

static PyObject *pairs_of(const far_ranking *ranking) {
  const size_t n = far_ranking_info_of(ranking).n_pairs;
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < n; ++i) {
    const far_ranking_pair *p = far_ranking_pair_at(ranking, i);
    core_append(&list, Py_BuildValue("(nnniiLdddO)", (Py_ssize_t)p->env, (Py_ssize_t)p->a,
                                     (Py_ssize_t)p->b, p->better, p->look, (long long)p->runs,
                                     p->mean, p->p, p->p_adjusted, p->skewed ? Py_True : Py_False));
  }
  return list;
}

static bool sees_no_interrupt(void *work) {
  return core_continue(work, NULL, NULL);
}

static PyObject *compute(far_ranking_def *def, const runs *r, uint32_t n_agents) {
  const size_t n_envs = n_agents > 0 ? r->count / n_agents : 0;
  far_ranking *ranking;
  far_error error;
  if (n_envs * n_agents != r->count) {
    PyErr_SetString(PyExc_ValueError, "every environment must have runs of every agent");
    return NULL;
  }
  core_work work = core_work_begin(Py_None);
  def->go_on = sees_no_interrupt;
  def->user = &work;
  far_status status = far_ranking_create(&ranking, def, n_envs, n_agents, &error);
  if (status == FAR_OK) status = far_ranking_compute(ranking, r->cells, &error);
  core_work_end(&work);
  const bool done = status == FAR_OK && PyErr_Occurred() == NULL;
  PyObject *out = done ? pairs_of(ranking) : core_raise(&error, NULL);
  far_ranking_free(ranking);
  return out;
}

static PyObject *rank(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"runs", "n_agents", "alpha", "first", "growth",
                          "most", "seed",     "lower", NULL};
  far_ranking_def def = far_ranking_def_default();
  PyObject *list, *first = NULL, *most = NULL, *seed = NULL, *count;
  uint32_t n_agents;
  int lower = 0;
  runs r = {0};
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O!O|O&OO&OOp:rank", names, &PyList_Type, &list,
                                   &count, CORE_DOUBLE("alpha", &def.alpha), &first,
                                   CORE_DOUBLE("growth", &def.growth), &most, &seed, &lower) ||
      !core_size(&n_agents, count, "n_agents") ||
      (first != NULL && !core_int64(&def.first, first, "first")) ||
      (most != NULL && !core_int64(&def.most, most, "most")) ||
      (seed != NULL && !core_uint64(&def.seed, seed, "seed")))
    return NULL;
  def.lower_is_better = lower != 0;
  PyObject *out = take_runs(&r, list) ? compute(&def, &r, n_agents) : NULL;
  runs_free(&r);
  return out;
}

static PyMethodDef functions[] = {
    {"rank", CORE_METHOD(rank), METH_VARARGS | METH_KEYWORDS,
     "rank(runs, n_agents, alpha=0.05, first=100, growth=1.5, most=10000, seed=1, "
     "lower=False)\n--\n\n"
     "rank(runs: list[FloatArray], n_agents: int, alpha: float = 0.05, first: int = 100, growth: "
     "float = 1.5, most: int = 10000, seed: int = 1, lower: bool = False) -> list[tuple[int, int, "
     "int, int, int, int, float, float, float, bool]]\n\n"
     "Ranks agents by their runs, environment after environment: of every pair env, a, b, better "
     "(1: a, -1: b, 0: a tie), look, runs, difference, p, p_adjusted, skewed."},
    {0}};

bool core_add_ranking(PyObject *module) {
  return core_add_functions(module, functions);
}
