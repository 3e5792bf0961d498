/* Pages: whole documents about stored results. */
#include "comparison.h"
#include "questions/page/page.h"

/* Reads the options of a page that are not part of the question about results. */
static bool take_page(far__page_def *out, PyObject *options) {
  static char *names[] = {"name",        "figures",     "audit",   "audit_runs",
                          "audit_steps", "most_agents", "threads", NULL};
  int figures = 1, audit = 0;
  int64_t most = (int64_t)out->most_agents;
  PyObject *threads = NULL, *nothing = PyTuple_New(0);
  if (nothing == NULL) return false;
  const bool good =
      PyArg_ParseTupleAndKeywords(nothing, options, "|sppO&O&O&O:page", names, &out->name, &figures,
                                  &audit, CORE_INT64("audit_runs", &out->audit_runs),
                                  CORE_INT64("audit_steps", &out->audit_steps),
                                  CORE_INT64("most_agents", &most), &threads) &&
      core_threads(&out->threads, threads);
  Py_DECREF(nothing);
  if (!good) return false;
  if (out->audit_runs < 1 || out->audit_steps < 1 || most < 1) {
    PyErr_SetString(PyExc_ValueError, "audit_runs, audit_steps and most_agents must be 1 or more");
    return false;
  }
  out->audit = audit != 0;
  out->most_agents = (size_t)most;
  if (!figures) out->figure_bytes = 0;
  return true;
}

static bool fill(PyObject *document, core_question *q, far__page_def *def) {
  far_error error;
  core_asking asking;
  far_store *store = core_asking_begin(&asking, q);
  if (store == NULL) return false;
  def->results = q->def;
  const far_status status = far__store_page(core_document_report(document), store, def, &error);
  return core_asking_end(&asking, status, &error);
}

static PyObject *page(PyObject *self, PyObject *args, PyObject *named) {
  (void)self;
  PyObject *first = PyTuple_GetSlice(args, 0, 1), *document = NULL, *options;
  far__page_def def = far__page_def_default();
  core_question q = {0};
  if (first == NULL) return NULL;
  if (PyArg_ParseTuple(first, "O!:page", &PyDict_Type, &options) && take_page(&def, options) &&
      core_question_take(&q, args, 1, named))
    document = core_document_new("report");
  if (document != NULL && !fill(document, &q, &def)) Py_CLEAR(document);
  core_question_free(&q);
  Py_DECREF(first);
  return document;
}

static PyMethodDef functions[] = {
    {"page", CORE_METHOD(page), METH_VARARGS | METH_KEYWORDS,
     "page(options, " CORE_QUESTION_SIGNATURE ")\n--\n\n"
     "page(options: dict[str, Any], " CORE_QUESTION_TYPES ") -> Document\n\n"
     "The page of a store; options may have name, figures, audit, audit_runs, audit_steps, "
     "most_agents and threads, the rest is as in stats."},
    {0}};

bool core_add_page(PyObject *module) {
  return core_add_functions(module, functions);
}
