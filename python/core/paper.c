/* The paper's tables, computed. */
#include "core.h"
#include "questions/paper/paper-tables.h"

/* The totals of each cell, table by table. */
static PyObject *list_totals(const far__paper_tables *tables) {
  size_t count;
  const far_batch *batch = far__paper_tables_batch(tables, &count);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < count; ++i) {
    const far_result *result = far_batch_result(batch, i);
    core_append(&list, core_array_of_double(result->totals, (npy_intp)result->runs));
  }
  return list;
}

static far_status draw(far_figure **out, const void *tables, const char *kind, size_t part,
                       const far_plot_def *def, far_error *error) {
  (void)kind, (void)part;
  return far__paper_tables_figure(out, tables, def, error);
}

static void free_tables(void *tables) {
  far__paper_tables_free(tables);
}

/* Takes ownership of the tables; the document keeps them, for its figure. */
static PyObject *answer(far__paper_tables *tables, PyObject *stopped) {
  PyObject *document = core_document_new("reproduce");
  if (document == NULL) {
    far__paper_tables_free(tables);
    return NULL;
  }
  core_document_adopt(document, tables, free_tables, draw);
  far__paper_tables_report(tables, core_document_report(document));
  return Py_BuildValue("(NdNO)", document, far__paper_tables_distance(tables), list_totals(tables),
                       stopped);
}

static PyObject *run_tables(far__paper_def *def, PyObject *report) {
  far__paper_tables *tables;
  far_error error;
  core_work work = core_work_begin(report);
  def->progress = core_progress;
  def->user = &work;
  far__paper_tables_run(&tables, def, &error);
  core_work_end(&work);
  if (tables == NULL) return core_raise(&error, def->directed);
  PyObject *stopped = core_work_stopped();
  PyObject *all = answer(tables, stopped);
  Py_DECREF(stopped);
  return all;
}

static PyObject *reproduce(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"runs", "seed", "threads", "directed", "device", "report", NULL};
  far__paper_def def = far__paper_def_default();
  PyObject *seed = NULL, *threads = NULL, *device = NULL, *report = Py_None;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(args, named, "|O&OOzOO:reproduce", names,
                                   CORE_INT64("runs", &def.runs), &seed, &threads, &def.directed,
                                   &device, &report) ||
      (seed != NULL && !core_uint64(&def.seed, seed, "seed")) ||
      !core_threads(&def.threads, threads) || !core_device(&def.pool, device))
    return NULL;
  return run_tables(&def, report);
}

static PyMethodDef functions[] = {
    {"reproduce", CORE_METHOD(reproduce), METH_VARARGS | METH_KEYWORDS,
     "reproduce(runs=300, seed=1, threads=0, directed=None, device=None, report=None)\n--\n\n"
     "reproduce(runs: int = 300, seed: int = 1, threads: int | None = 0, directed: str | None = "
     "None, device: Device | None = None, report: Callable[..., object] | None = None) -> "
     "tuple[Document, float, "
     "list[FloatArray], BaseException | None]\n\n"
     "Computes the paper's tables: the document, the distance from the paper's numbers, the totals "
     "of each cell, and the exception that has stopped the work."},
    {0}};

bool core_add_paper(PyObject *module) {
  return core_add_functions(module, functions);
}
