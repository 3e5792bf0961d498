/* Guarantees of theorems, and audits of their claims. */
#include "core.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "questions/audit/audit-report.h"
#include "questions/guarantees/guarantees.h"
#include "questions/listing/listing.h"
#include "report/build.h"

/* ---- guarantees ---- */

enum { MOST_THEOREMS = 64 };

typedef struct question {
  far__guarantees_def def;
  const far_theorem *theorems[MOST_THEOREMS];
} question;

typedef struct watched {
  core_work work;
  double next; /* when Python is called next */
} watched;

static bool find_theorems(question *q, PyObject *list) {
  far_error error;
  size_t count = 0;
  const char **names = core_texts(&count, list, "theorems");
  if (names == NULL) return false;
  bool found = count <= MOST_THEOREMS;
  if (!found) PyErr_Format(PyExc_ValueError, "at most %d theorems at a time", MOST_THEOREMS);
  for (size_t i = 0; found && i < count; ++i) {
    found = far__theorem_named(&q->theorems[i], names[i], &error) == FAR_OK;
    if (!found) core_raise(&error, NULL);
  }
  q->def.theorems = q->theorems;
  q->def.n_theorems = count;
  core_free_texts(names);
  return found;
}

/* Sets *out, unless the value is NAN, which means: not given. */
static void set_given(double *out, double value) {
  if (value == value) *out = value;
}

static bool set_model(question *q, PyObject *model) {
  if (model == Py_None) return true;
  q->def.mdp = core_model(model);
  if (q->def.mdp != NULL) far__problem_from_model(&q->def.problem, q->def.mdp);
  return q->def.mdp != NULL;
}

static PyObject *document_of(const far__guarantees *g, far__guarantees_detail detail) {
  PyObject *document = core_document_new("pac");
  if (document == NULL) return NULL;
  far__guarantees_report(g, detail, core_document_report(document));
  far__report_settle(core_document_report(document));
  return document;
}

/* (answer, derivation, reason): the reason says why there is no diameter, "" if there is one. */
static PyObject *answers(const far__guarantees *g) {
  PyObject *document = document_of(g, g->all ? FAR__GUARANTEES_TABLE : FAR__GUARANTEES_EACH);
  PyObject *derivation = document_of(g, FAR__GUARANTEES_EXPLAIN), *both = NULL;
  if (document != NULL && derivation != NULL)
    both = Py_BuildValue("(OOs)", document, derivation, g->no_diameter);
  Py_XDECREF(document);
  Py_XDECREF(derivation);
  return both;
}

static PyObject *no_arguments(const void *user) {
  (void)user;
  return PyTuple_New(0);
}

/* Checks for Ctrl-C ten times a second while a diameter is computed. */
static bool watch(void *user, int64_t sweeps, double error) {
  watched *w = user;
  (void)sweeps;
  (void)error;
  const double now = far__clock_seconds();
  if (now < w->next) return true;
  w->next = now + 0.1;
  return core_continue(&w->work, no_arguments, NULL);
}

static PyObject *guarantees(question *q) {
  far__guarantees *g;
  far_error error;
  watched w = {.work = core_work_begin(Py_None), .next = far__clock_seconds() + 0.1};
  q->def.progress = watch;
  q->def.user = &w;
  const far_status status = far__guarantees_create(&g, &q->def, &error);
  core_work_end(&w.work);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *both = PyErr_Occurred() == NULL ? answers(g) : NULL; /* Ctrl-C may come at the end */
  far__guarantees_free(g);
  return both;
}

static PyObject *pac(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"theorems", "model",    "states", "actions", "rmin",
                          "rmax",     "episodic", "gamma",  "eps",     "delta",
                          "gamma_e",  "diameter", "steps",  "horizon", NULL};
  question q = {.def = far__guarantees_def_default()};
  far_problem *p = &q.def.problem;
  PyObject *list, *model = Py_None;
  double low = 0, high = 1, gamma = NAN, eps = NAN, delta = NAN, gamma_e = NAN, diameter = NAN,
         horizon = NAN;
  int episodic = 0;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(
          args, named, "O|OO&O&O&O&pO&O&O&O&O&O&O&:pac", names, &list, &model,
          CORE_DOUBLE("states", &p->states), CORE_DOUBLE("actions", &p->actions),
          CORE_DOUBLE("rmin", &low), CORE_DOUBLE("rmax", &high), &episodic,
          CORE_DOUBLE("gamma", &gamma), CORE_DOUBLE("eps", &eps), CORE_DOUBLE("delta", &delta),
          CORE_DOUBLE("gamma_e", &gamma_e), CORE_DOUBLE("diameter", &diameter),
          CORE_DOUBLE("steps", &q.def.steps), CORE_DOUBLE("horizon", &horizon)))
    return NULL;
  p->episodic = episodic != 0;
  far__problem_set_range(p, low, high);
  if (!find_theorems(&q, list) || !set_model(&q, model)) return NULL;
  set_given(&p->gamma, gamma);
  set_given(&p->eps, eps);
  set_given(&p->delta, delta);
  set_given(&p->gamma_e, gamma_e);
  set_given(&p->diameter, diameter);
  set_given(&p->horizon, horizon);
  return guarantees(&q);
}

/* ---- audits ---- */

static PyObject *audit_document(const far_audit *audit, const far_audit_def *def, const char *env,
                                bool stopped) {
  PyObject *document = core_document_new("audit");
  if (document == NULL) return NULL;
  far__audit_report(audit, def, env, core_document_report(document));
  far__report_settle(core_document_report(document));
  if (stopped) far__report_stopped(core_document_report(document));
  return document;
}

static PyObject *run_audit(far_audit_def *def, const char *env, PyObject *report) {
  far_audit *audit;
  far_error error;
  core_work work = core_work_begin(report);
  def->progress = core_progress;
  def->user = &work;
  const far_status status = far_audit_run(&audit, def, &error);
  core_work_end(&work);
  if (audit == NULL) return core_raise(&error, def->agent);
  PyObject *stopped = core_work_stopped();
  PyObject *document = audit_document(audit, def, env, status != FAR_OK), *both = NULL;
  if (document != NULL)
    both =
        Py_BuildValue("(OOO)", document, far__audit_violated(audit) ? Py_True : Py_False, stopped);
  Py_XDECREF(document);
  Py_DECREF(stopped);
  far_audit_free(audit);
  return both;
}

static PyObject *audit(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"model", "agent",   "env",   "steps", "runs",   "seed",
                          "first", "threads", "delta", "every", "report", NULL};
  far_audit_def def = far_audit_def_default();
  PyObject *model, *seed = NULL, *first = NULL, *threads = NULL, *report = Py_None;
  const char *env;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(
          args, named, "Oss|O&O&OOOO&O&O:audit", names, &model, &def.agent, &env,
          CORE_INT64("steps", &def.steps), CORE_INT64("runs", &def.runs), &seed, &first, &threads,
          CORE_DOUBLE("delta", &def.delta), CORE_INT64("every", &def.every), &report))
    return NULL;
  def.mdp = core_model(model);
  if (def.mdp == NULL || (seed != NULL && !core_uint64(&def.seed, seed, "seed")) ||
      (first != NULL && !core_uint64(&def.first_replicate, first, "first")) ||
      !core_threads(&def.threads, threads))
    return NULL;
  return run_audit(&def, env, report);
}

static PyMethodDef functions[] = {
    {"pac", CORE_METHOD(pac), METH_VARARGS | METH_KEYWORDS,
     "pac(theorems, model=None, states=0, actions=0, rmin=0.0, rmax=1.0, episodic=False, "
     "gamma=nan, "
     "eps=nan, delta=nan, gamma_e=nan, diameter=nan, steps=0.0, horizon=nan)\n--\n\n"
     "pac(theorems: list[str], model: Model | None = None, states: float = 0, actions: float = 0, "
     "rmin: float = 0.0, rmax: float = 1.0, episodic: bool = False, gamma: float = ..., eps: float "
     "= ..., delta: float = ..., gamma_e: float = ..., diameter: float = ..., steps: float = 0.0, "
     "horizon: float = ...) "
     "-> tuple[Document, Document, str]\n\n"
     "Evaluates theorems (none: all) on a problem: the answer, its derivation, and why there is no "
     "diameter. NaN stands for what is not given."},
    {"audit", CORE_METHOD(audit), METH_VARARGS | METH_KEYWORDS,
     "audit(model, agent, env, steps=10000, runs=100, seed=1, first=0, threads=0, delta=0.0, "
     "every=1000, report=None)\n--\n\n"
     "audit(model: Model, agent: str, env: str, steps: int = 10000, runs: int = 100, seed: int = "
     "1, first: int = 0, threads: int | None = 0, delta: float = 0.0, every: int = 1000, report: "
     "Callable[..., object] | None = None) -> tuple[Document, bool, BaseException | None]\n\n"
     "Audits an agent: what was found, whether a claim is violated, and the exception that has "
     "stopped it."},
    {0}};

bool core_add_theory(PyObject *module) {
  return core_add_functions(module, functions);
}
