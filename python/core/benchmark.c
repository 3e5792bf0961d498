/* The benchmark: agents on the frozen suite. */
#include <string.h>

#include "core.h"
#include "questions/benchmark/benchmark.h"

/* The reason of a failure quotes an agent's exception as "Python exception NUMBER: ..." (errors.c); removes this
 * prefix. */
static void strip_mark(char *reason) {
  static const char mark[] = "Python exception ";
  char *at = strstr(reason, mark);
  if (at == NULL) return;
  char *rest = at + strlen(mark);
  rest += strspn(rest, "0123456789");
  rest += strspn(rest, ": ");
  memmove(at, rest, strlen(rest) + 1);
}

static PyObject *standing_tuple(const far__benchmark_part *part, size_t j) {
  const far__standing *x = &part->standings[j];
  return Py_BuildValue("(ssdddsddLLnndOs)", far__setting_name(part->setting), x->agent, x->score,
                       x->low, x->high, x->weakest != NULL ? x->weakest : "", x->least, x->late,
                       (long long)x->n_locked, (long long)x->n_judged, (Py_ssize_t)x->first,
                       (Py_ssize_t)x->last, x->seconds, x->impossible ? Py_True : Py_False,
                       x->failure);
}

static PyObject *list_standings(far__benchmark *b) {
  PyObject *list = PyList_New(0);
  for (int k = 0; list != NULL && k < FAR__SETTING_COUNT; ++k)
    for (size_t j = 0; list != NULL && j < b->parts[k].n_agents + b->parts[k].n_failed; ++j) {
      strip_mark(b->parts[k].standings[j].failure);
      core_append(&list, standing_tuple(&b->parts[k], j));
    }
  return list;
}

static far_status draw(far_figure **out, const void *benchmark, const char *kind, size_t part,
                       const far_plot_def *def, far_error *error) {
  (void)kind, (void)part;
  return far__benchmark_figure(out, benchmark, def, error);
}

static void free_benchmark(void *benchmark) {
  far__benchmark_free(benchmark);
}

/* Takes ownership of the benchmark. The standings are listed before the report is made: listing strips marks from
 * the reasons (strip_mark). */
static PyObject *answer(far__benchmark *b) {
  PyObject *list = list_standings(b);
  PyObject *document = list != NULL ? core_document_new("benchmark") : NULL;
  if (document != NULL) {
    far__benchmark_report(b, core_document_report(document));
    core_document_adopt(document, b, free_benchmark, draw);
  } else {
    far__benchmark_free(b);
  }
  PyObject *both = document != NULL ? Py_BuildValue("(OO)", document, list) : NULL;
  Py_XDECREF(document);
  Py_XDECREF(list);
  return both;
}

static PyObject *run(far__benchmark_def *def, PyObject *store, PyObject *report) {
  far__benchmark *b;
  far_error error;
  if (store != Py_None && (def->store = core_store_take(store)) == NULL) return NULL;
  core_work work = core_work_begin(report);
  if (def->store != NULL) core_store_watch(store, &work);
  def->progress = core_progress;
  def->user = &work;
  const far_status status = far__benchmark_run(&b, def, &error);
  if (def->store != NULL) core_store_watch(store, NULL);
  core_work_end(&work);
  if (def->store != NULL) core_store_release(store);
  if (status != FAR_OK) return core_raise(&error, NULL);
  if (PyErr_Occurred() == NULL) return answer(b);
  far__benchmark_free(b); /* Ctrl-C came when all was done */
  return NULL;
}

static PyObject *benchmark(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"agents", "tuning", "long",    "score",  "runs",
                          "seed",   "store",  "threads", "report", NULL};
  far__benchmark_def def = far__benchmark_def_default();
  PyObject *list, *runs = NULL, *seed = NULL, *store = Py_None, *threads = NULL, *report = Py_None;
  int tuning = 0, longer = 0;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O|ppzOOOOO:benchmark", names, &list, &tuning,
                                   &longer, &def.score, &runs, &seed, &store, &threads, &report) ||
      (runs != NULL && !core_int64(&def.runs, runs, "runs")) ||
      (seed != NULL && !core_uint64(&def.seed, seed, "seed")) ||
      (threads != NULL && !core_threads(&def.threads, threads)))
    return NULL;
  const char **agents = core_texts(&def.n_agents, list, "agents");
  if (agents == NULL) return NULL;
  def.agents = agents;
  def.tuning = tuning != 0;
  def.long_runs = longer != 0;
  PyObject *both = run(&def, store, report);
  core_free_texts(agents);
  return both;
}

static PyObject *suite(PyObject *self, PyObject *unused) {
  far_error error;
  (void)self, (void)unused;
  PyObject *document = core_document_new("benchmark");
  if (document == NULL) return NULL;
  core_work work = core_work_begin(Py_None);
  const far_status status = far__benchmark_suite_report(core_document_report(document), &error);
  core_work_end(&work);
  if (status == FAR_OK) return document;
  Py_DECREF(document);
  return core_raise(&error, NULL);
}

static PyMethodDef functions[] = {
    {"benchmark", CORE_METHOD(benchmark), METH_VARARGS | METH_KEYWORDS,
     "benchmark(agents, tuning=False, long=False, score=None, runs=0, seed=2026, store=None, "
     "threads=0, report=None)\n--\n\n"
     "benchmark(agents: list[str], tuning: bool = False, long: bool = False, score: str | None = "
     "None, runs: int = 0, seed: int = 2026, store: Store | None = None, threads: int | None = 0, "
     "report: Callable[..., object] | None = None) "
     "-> tuple[Document, list[tuple[str, str, float, float, float, str, float, float, int, int, "
     "int, int, float, bool, str]]]\n\n"
     "Judges agents on the suite: the document, and of every standing setting, agent, score, low, "
     "high, weakest, least, late, locked_in, judged, first, last, seconds, impossible, failure."},
    {"benchmark_suite", suite, METH_NOARGS,
     "benchmark_suite()\n--\n\nbenchmark_suite() -> Document\n\n"
     "The problems of the suite, and how hard they are."},
    {0}};

bool core_add_benchmark(PyObject *module) {
  return core_add_functions(module, functions);
}
