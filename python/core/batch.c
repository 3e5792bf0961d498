/* run_cells: cells of (model or simulator, agent) in one batch, for what studies do not cover. */
#include "core.h"

#include <string.h>

/* ---- the definition ---- */

typedef struct cells {
  far_cell *cells;
  PyObject *list; /* borrowed: of tuples, which keep what the cells point to */
  size_t count;
} cells;

static bool read_cell(far_cell *cell, PyObject *tuple) {
  PyObject *problem, *agent;
  long long steps;
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "a cell must be a tuple (problem, agent, steps)");
    return false;
  }
  if (!PyArg_ParseTuple(tuple, "OOL:cell", &problem, &agent, &steps) ||
      !core_text(&cell->agent, agent, "agent", false))
    return false;
  cell->steps = steps;
  if (PyObject_TypeCheck(problem, core_simulator_type)) {
    cell->simulator = core_simulator(problem);
    return true;
  }
  cell->mdp = core_model(problem);
  return cell->mdp != NULL;
}

static bool read_cells(cells *c) {
  const Py_ssize_t n = PyTuple_Size(c->list);
  c->count = n > 0 ? (size_t)n : 0;
  c->cells = PyMem_Calloc(c->count + 1, sizeof *c->cells);
  if (c->cells == NULL) return PyErr_NoMemory() != NULL;
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!read_cell(&c->cells[i], PyTuple_GetItem(c->list, i))) return false;
  return true;
}

/* ---- the results ---- */

static PyObject *result_of(const far_result *r) {
  PyObject *totals = core_array_of_double(r->totals, (npy_intp)r->runs);
  return totals != NULL ? Py_BuildValue("(sN)", r->agent, totals) : NULL;
}

static PyObject *results_of(const far_batch *batch, size_t count) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < count; ++i) {
    PyObject *row = result_of(far_batch_result(batch, i));
    if (row == NULL || PyList_Append(list, row) < 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  return list;
}

static PyObject *run(const cells *c, far_batch_def *def, PyObject *report) {
  far_batch *batch = NULL;
  far_error error;
  core_work work = core_work_begin(report);
  def->cells = c->cells;
  def->n_cells = c->count;
  def->progress = core_progress;
  def->user = &work;
  const far_status status = far_batch_run(&batch, def, &error);
  core_work_end(&work);
  PyObject *list = NULL;
  if (status == FAR_OK)
    list = results_of(batch, c->count);
  else
    core_raise(&error, NULL);
  far_batch_free(batch);
  return list;
}

static PyObject *run_cells(PyObject *self, PyObject *args, PyObject *named) {
  (void)self;
  static char *names[] = {"cells", "runs", "seed", "threads", "report", NULL};
  far_batch_def def = far_batch_def_default();
  PyObject *given, *seed = NULL, *report = Py_None;
  long long runs = def.runs;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O|LOIO:run_cells", names, &given, &runs, &seed,
                                   &def.threads, &report) ||
      (seed != NULL && !core_uint64(&def.seed, seed, "seed")))
    return NULL;
  def.runs = runs;
  cells c = {.list = PySequence_Tuple(given)};
  if (c.list == NULL) return NULL;
  PyObject *results = read_cells(&c) ? run(&c, &def, report) : NULL;
  PyMem_Free(c.cells);
  Py_DECREF(c.list);
  return results;
}

static PyMethodDef functions[] = {
    {"run_cells", CORE_METHOD(run_cells), METH_VARARGS | METH_KEYWORDS,
     "run_cells(cells, runs=300, seed=1, threads=0, report=None)\n--\n\n"
     "run_cells(cells: Sequence[tuple[Model | Simulator, str, int]], runs: int = 300, seed: int = "
     "1, "
     "threads: int = 0, report: Callable[..., object] | None = None) -> "
     "list[tuple[str, FloatArray]]\n\n"
     "Runs cells of (problem, agent, steps) in one batch; of each the canonical spec of the agent "
     "and "
     "the totals of its runs."},
    {0}};

bool core_add_batch(PyObject *module) {
  return core_add_functions(module, functions);
}
