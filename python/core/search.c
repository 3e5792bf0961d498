/* Searches of parameters, and studies of growth. */
#include "core.h"

#include <math.h>

#include "base/clock.h"
#include "lab/study/parts.h"
#include "questions/growth/growth-curves.h"
#include "questions/growth/scaling.h"
#include "questions/sensitivity/sensitivity.h"
#include "questions/tuning/tuned-comparison.h"
#include "report/build.h"

/* ---- searches of parameters ---- */

/* The definition of a search, its cells, and the arguments that they borrow from. */
typedef struct tuning {
  far__tuned_comparison_def def;
  far_tune_cell *cells;
  size_t n_cells;
  const char **agents, **envs, **with; /* `with` NULL: no table is fitted */
  PyObject *models;                    /* a tuple that keeps the models alive */
  PyObject *targets;                   /* the array of the targets; or NULL */
  PyObject *store;                     /* taken while the work lasts; or NULL */
  const char *wrong;                   /* the agent that an error is about */
  core_work work;
  double next; /* when Python is called next */
} tuning;

static void free_tuning(tuning *t) {
  PyMem_Free(t->cells);
  core_free_texts(t->agents);
  core_free_texts(t->envs);
  core_free_texts(t->with);
  Py_XDECREF(t->models);
  Py_XDECREF(t->targets);
}

static bool set_world(far_tune_cell *cell, PyObject *object) {
  *cell = (far_tune_cell){.target = NAN};
  if (PyObject_TypeCheck(object, core_simulator_type))
    cell->simulator = core_simulator(object);
  else
    cell->mdp = core_model(object);
  return cell->simulator != NULL || cell->mdp != NULL;
}

/* One cell for each model or simulator. */
static bool make_cells(tuning *t, PyObject *models) {
  if (!PyList_Check(models)) {
    PyErr_SetString(PyExc_TypeError, "models must be a list");
    return false;
  }
  t->models = PySequence_Tuple(models);
  if (t->models == NULL) return false;
  t->n_cells = (size_t)PyTuple_Size(t->models);
  t->cells = PyMem_Calloc(t->n_cells + 1, sizeof *t->cells);
  if (t->cells == NULL) PyErr_NoMemory();
  for (size_t i = 0; t->cells != NULL && i < t->n_cells; ++i) {
    if (!set_world(&t->cells[i], PyTuple_GetItem(t->models, (Py_ssize_t)i))) return false;
  }
  t->def.tune.cells = t->cells;
  t->def.tune.n_cells = t->n_cells;
  return t->cells != NULL;
}

/* Does a list have one item for each cell? False with a ValueError if not. */
static bool same_count(const tuning *t, size_t count, const char *what) {
  if (count == t->n_cells) return true;
  PyErr_Format(PyExc_ValueError, "%s has %zu items: must have %zu, one for each model", what, count,
               t->n_cells);
  return false;
}

static bool set_names(tuning *t, PyObject *names) {
  size_t count = 0;
  t->envs = core_texts(&count, names, "names");
  t->def.envs = t->envs;
  return t->envs != NULL && same_count(t, count, "names");
}

/* A table to fit: parameters of each row, and its mean, unit and standard deviation. */
static bool set_fit(tuning *t, PyObject *with, PyObject *targets, bool relative) {
  size_t count = 0;
  if (with == Py_None) return true;
  t->def.tune.goal = relative ? FAR_GOAL_FIT_RELATIVE : FAR_GOAL_FIT;
  t->with = core_texts(&count, with, "parameters");
  if (t->with == NULL || !same_count(t, count, "parameters")) return false;
  const double *means =
      core_data(&t->targets, targets, "targets", NPY_DOUBLE, 3 * (Py_ssize_t)t->n_cells);
  for (size_t i = 0; means != NULL && i < t->n_cells; ++i) {
    t->cells[i].with = t->with[i];
    t->cells[i].target = means[3 * i];
    t->cells[i].unit = means[3 * i + 1];
    t->cells[i].std = means[3 * i + 2];
  }
  return means != NULL;
}

static bool set_agents(tuning *t, PyObject *agents) {
  t->agents = core_texts(&t->def.n_agents, agents, "agents");
  t->def.agents = t->agents;
  t->def.wrong = &t->wrong;
  return t->agents != NULL;
}

static PyObject *no_arguments(const void *user) {
  (void)user;
  return PyTuple_New(0);
}

/* While the scales are computed, only checks for Ctrl-C: `report` is not called. */
static bool watch_scale(void *user, int64_t sweeps, double error) {
  tuning *t = user;
  (void)sweeps;
  (void)error;
  const double now = far__clock_seconds();
  if (now < t->next) return true;
  t->next = now + 0.1;
  PyObject *report = t->work.report;
  t->work.report = NULL;
  const bool go = core_continue(&t->work, no_arguments, NULL);
  t->work.report = report;
  return go;
}

typedef struct tick {
  size_t agent;
  const far_tune_progress *progress;
} tick;

static PyObject *tick_arguments(const void *user) {
  static const char *const stages[] = {"search", "evaluation", "profiles"};
  const tick *t = user;
  const far_tune_progress *p = t->progress;
  return Py_BuildValue("(nsddLdd)", (Py_ssize_t)t->agent, stages[p->stage], p->steps_done, p->steps,
                       (long long)p->candidates, p->best, p->seconds);
}

static bool watch_search(void *user, size_t agent, const far_tune_progress *progress) {
  const tick now = {agent, progress};
  return core_continue(&((tuning *)user)->work, tick_arguments, &now);
}

static far_status scale_and_run(far__tuned_comparison **out, tuning *t, far_error *error) {
  far_solve_def how = far_solve_def_default();
  far_tune_def *tune = &t->def.tune;
  far_status status = far__tuned_comparison_check(&t->def, error);
  how.progress = watch_scale;
  how.user = t;
  *out = NULL;
  if (status == FAR_OK && tune->goal == FAR_GOAL_REWARD && tune->score == NULL)
    status = far__tune_cells_scale(t->cells, t->n_cells, tune->steps, &how, error);
  return status == FAR_OK ? far__tuned_comparison_run(out, &t->def, error) : status;
}

/* ---- what a search has found ---- */

static PyObject *score_values(const far_tune_score *score) {
  return core_array_of_double(score->values, score->values != NULL ? (npy_intp)score->runs : 0);
}

/* For each agent: whether it is chosen, and the scores of its runs, tuned and with its defaults. */
static PyObject *list_scores(const far__tuned_comparison_info *info) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < info->n_agents && info->agents[i].result != NULL; ++i) {
    const far_tune_result *r = info->agents[i].result;
    core_append(&list, Py_BuildValue("(ONN)", info->chosen == i ? Py_True : Py_False,
                                     score_values(&r->score), score_values(&r->default_score)));
  }
  return list;
}

static far_status draw_profiles(far_figure **out, const void *profiles, const char *kind,
                                size_t part, const far_plot_def *def, far_error *error) {
  (void)kind, (void)part;
  return far__sensitivity_figure(out, profiles, def, error);
}

static void free_profiles(void *profiles) {
  far__sensitivity_free(profiles);
}

/* The document keeps the profiles, for its figure. It cannot keep the comparison, which needs the models and the
 * store. */
static PyObject *tuned_document(const far__tuned_comparison *comparison) {
  far__sensitivity *profiles;
  far_error error;
  PyObject *document = core_document_new("tune");
  if (document == NULL) return NULL;
  far__tuned_comparison_report(comparison, core_document_report(document));
  far__report_settle(core_document_report(document));
  if (far__sensitivity_from_tuned(&profiles, comparison, &error) == FAR_OK) {
    core_document_adopt(document, profiles, free_profiles, draw_profiles);
    return document;
  }
  Py_DECREF(document);
  return core_raise(&error, NULL);
}

static PyObject *tuned_answer(const far__tuned_comparison *comparison, PyObject *stopped) {
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(comparison);
  PyObject *document = tuned_document(comparison);
  if (document == NULL) return NULL;
  return Py_BuildValue("(NNO)", document, list_scores(&info), stopped);
}

static PyObject *run_tuning(tuning *t, PyObject *report) {
  far__tuned_comparison *comparison;
  far_error error;
  t->def.progress = watch_search;
  t->def.user = t;
  t->work = core_work_begin(report);
  if (t->store != NULL) core_store_watch(t->store, &t->work);
  scale_and_run(&comparison, t, &error);
  if (t->store != NULL) core_store_watch(t->store, NULL);
  core_work_end(&t->work);
  if (comparison == NULL) return core_raise(&error, t->wrong);
  PyObject *stopped = core_work_stopped();
  PyObject *all = tuned_answer(comparison, stopped);
  Py_DECREF(stopped);
  far__tuned_comparison_free(comparison);
  return all;
}

static PyObject *tune_with_store(tuning *t, PyObject *store, PyObject *report) {
  if (store == Py_None) return run_tuning(t, report);
  t->def.tune.store = core_store_take(store);
  if (t->def.tune.store == NULL) return NULL;
  t->store = store;
  PyObject *all = run_tuning(t, report);
  core_store_release(store);
  return all;
}

static PyObject *tune(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"agents",   "models",  "names",  "parameters", "targets",
                          "relative", "method",  "budget", "steps",      "runs",
                          "evaluate", "profile", "seed",   "threads",    "store",
                          "device",   "report",  "score",  NULL};
  tuning t = {.def = far__tuned_comparison_def_default()};
  far_tune_def *d = &t.def.tune;
  PyObject *agents, *models, *envs, *with = Py_None, *targets = Py_None, *seed = NULL;
  PyObject *threads = NULL, *store = Py_None, *device = NULL, *report = Py_None, *all = NULL;
  int relative = 0;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(
          args, named, "OOO|OOpsO&O&O&O&O&OOOOOz:tune", names, &agents, &models, &envs, &with,
          &targets, &relative, &d->method, CORE_INT64("budget", &d->budget),
          CORE_INT64("steps", &d->steps), CORE_INT64("runs", &d->runs),
          CORE_INT64("evaluate", &d->evaluation), CORE_INT64("profile", &d->profile), &seed,
          &threads, &store, &device, &report, &d->score))
    return NULL;
  if (make_cells(&t, models) && set_names(&t, envs) && set_fit(&t, with, targets, relative != 0) &&
      set_agents(&t, agents) && (seed == NULL || core_uint64(&d->seed, seed, "seed")) &&
      core_threads(&d->threads, threads) && core_device(&d->pool, device))
    all = tune_with_store(&t, store, report);
  free_tuning(&t);
  return all;
}

/* ---- files of searches ---- */

static PyObject *plan_dict(const far_tune_plan *plan) {
  const far_tune_def *d = &plan->def;
  PyObject *out = Py_BuildValue(
      "{s:z,s:z,s:O,s:s,s:L,s:L,s:L,s:L,s:L,s:K}", "fit", plan->fit, "score", d->score, "relative",
      d->goal == FAR_GOAL_FIT_RELATIVE ? Py_True : Py_False, "method", d->method, "budget",
      (long long)d->budget, "steps", (long long)d->steps, "runs", (long long)d->runs, "evaluate",
      (long long)d->evaluation, "profile", (long long)d->profile, "seed",
      (unsigned long long)d->seed);
  if (out != NULL &&
      (plan->gamma != plan->gamma || core_put(out, "gamma", PyFloat_FromDouble(plan->gamma))) &&
      core_put(out, "envs", core_list_of_texts(plan->envs, plan->n_envs)) &&
      core_put(out, "agents", core_list_of_texts(plan->agents, plan->n_agents)))
    return out;
  Py_XDECREF(out);
  return NULL;
}

static PyObject *tune_plan(PyObject *self, PyObject *path) {
  far_tune_plan *plan;
  far_error error;
  (void)self;
  PyObject *bytes = core_path(path);
  if (bytes == NULL) return NULL;
  const far_status status = far_tune_load(&plan, PyBytes_AsString(bytes), &error);
  Py_DECREF(bytes);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *out = plan_dict(plan);
  far_tune_plan_free(plan);
  return out;
}

static PyObject *list_targets(const far__fit_table *table) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < table->n_targets; ++i) {
    const far__fit_target *t = &table->targets[i];
    core_append(&list, Py_BuildValue("(ssddd)", t->env, t->with, t->mean, t->unit, t->std));
  }
  return list;
}

static PyObject *fit_table(PyObject *self, PyObject *path) {
  far__fit_table *table;
  far_error error;
  (void)self;
  PyObject *bytes = core_path(path);
  if (bytes == NULL) return NULL;
  const far_status status = far__fit_table_load(&table, PyBytes_AsString(bytes), &error);
  Py_DECREF(bytes);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *list = list_targets(table);
  far__fit_table_free(table);
  return list;
}

/* ---- growth ---- */

typedef struct growth_question {
  far__scaling_def def;
  PyObject *sizes; /* the array of the sizes; or NULL */
  const char **agents;
  PyObject *store; /* taken while the work lasts; or NULL */
  char wrong[FAR_SPEC_SIZE];
} growth_question;

static bool find_measure(far__scaling_measure *out, const char *name) {
  const char *words[16];
  int n = 0, found;
  while (n < 16 && (words[n] = far__scaling_measure_name((size_t)n)) != NULL) ++n;
  if (!core_choice(&found, name, "measure", words, n)) return false;
  *out = (far__scaling_measure)found;
  return true;
}

static bool set_lists(growth_question *q, PyObject *sizes, PyObject *agents) {
  q->def.sizes = core_data(&q->sizes, sizes, "sizes", NPY_INT64, -1);
  if (q->def.sizes == NULL) return false;
  q->def.n_sizes = (size_t)PyArray_SIZE((PyArrayObject *)q->sizes);
  q->agents = core_texts(&q->def.n_agents, agents, "agents");
  q->def.agents = q->agents;
  q->def.wrong = q->wrong;
  return q->agents != NULL;
}

static far_status draw_growth(far_figure **out, const void *curves, const char *kind, size_t part,
                              const far_plot_def *def, far_error *error) {
  (void)kind, (void)part;
  return far__growth_curves_figure(out, curves, def, error);
}

static void free_growth(void *curves) {
  far__growth_curves_free(curves);
}

/* The document keeps the curves, for its figure. */
static PyObject *growth_document(const far__scaling *scaling) {
  far__growth_curves *curves;
  far_error error;
  PyObject *document = core_document_new("growth");
  if (document == NULL) return NULL;
  far__scaling_report(scaling, core_document_report(document));
  far__report_settle(core_document_report(document));
  if (far__growth_curves_from_scaling(&curves, scaling, &error) == FAR_OK) {
    core_document_adopt(document, curves, free_growth, draw_growth);
    return document;
  }
  Py_DECREF(document);
  return core_raise(&error, NULL);
}

static PyObject *growth_answer(const far__scaling *scaling, PyObject *notes, PyObject *stopped) {
  PyObject *document = growth_document(scaling);
  if (document == NULL) return NULL;
  if (stopped != Py_None) far__report_stopped(core_document_report(document));
  return Py_BuildValue("(NOO)", document, notes, stopped);
}

static PyObject *run_growth(growth_question *q, PyObject *notes, PyObject *report) {
  far__scaling *scaling;
  far_error error;
  core_work work = core_work_begin(report);
  q->def.progress = core_progress;
  q->def.user = &work;
  q->def.note = core_take_note;
  q->def.note_user = notes;
  if (q->store != NULL) core_store_watch(q->store, &work);
  far_status status = far__scaling_create(&scaling, &q->def, &error);
  if (status == FAR_OK) status = far__scaling_run(scaling, &error);
  if (q->store != NULL) core_store_watch(q->store, NULL);
  core_work_end(&work);
  PyObject *both = NULL;
  if (status == FAR_OK || status == FAR_STATUS_CANCELLED) {
    PyObject *stopped = core_work_stopped();
    both = growth_answer(scaling, notes, stopped);
    Py_DECREF(stopped);
  } else
    core_raise(&error, q->wrong[0] != '\0' ? q->wrong : NULL);
  far__scaling_free(scaling);
  return both;
}

static PyObject *growth_with_store(growth_question *q, PyObject *store, PyObject *notes,
                                   PyObject *report) {
  if (store == Py_None) return run_growth(q, notes, report);
  q->def.store = core_store_take(store);
  if (q->def.store == NULL) return NULL;
  q->store = store;
  PyObject *both = run_growth(q, notes, report);
  core_store_release(store);
  return both;
}

static PyObject *growth(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"env",   "agents",      "sizes",     "key",      "measure", "eps",
                          "gamma", "gamma_scale", "max_steps", "censored", "steps",   "runs",
                          "seed",  "threads",     "store",     "device",   "report",  NULL};
  growth_question q = {.def = far__scaling_def_default()};
  far__scaling_def *d = &q.def;
  PyObject *agents, *sizes, *seed = NULL, *threads = NULL, *store = Py_None, *report = Py_None;
  PyObject *device = NULL, *both = NULL, *notes = NULL;
  const char *measure = "earned";
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(
          args, named, "sOO|ssO&O&O&O&O&O&O&OOOOO:growth", names, &d->env, &agents, &sizes, &d->key,
          &measure, CORE_DOUBLE("eps", &d->eps), CORE_DOUBLE("gamma", &d->gamma),
          CORE_DOUBLE("gamma_scale", &d->gamma_scale), CORE_INT64("max_steps", &d->max_steps),
          CORE_DOUBLE("censored", &d->censored), CORE_INT64("steps", &d->steps),
          CORE_INT64("runs", &d->runs), &seed, &threads, &store, &device, &report))
    return NULL;
  notes = PyList_New(0);
  if (notes != NULL && find_measure(&d->measure, measure) && set_lists(&q, sizes, agents) &&
      (seed == NULL || core_uint64(&d->seed, seed, "seed")) && core_threads(&d->threads, threads) &&
      core_device(&d->pool, device))
    both = growth_with_store(&q, store, notes, report);
  Py_XDECREF(notes);
  Py_XDECREF(q.sizes);
  core_free_texts(q.agents);
  return both;
}

/* ---- files of growth studies ---- */

static PyObject *growth_dict(const far__scaling_def *d) {
  PyObject *out = Py_BuildValue("{s:s,s:L,s:L,s:K}", "env", d->env, "runs", (long long)d->runs,
                                "steps", (long long)d->steps, "seed", (unsigned long long)d->seed);
  if (out != NULL &&
      (d->gamma != d->gamma || core_put(out, "gamma", PyFloat_FromDouble(d->gamma))) &&
      core_put(out, "sizes", core_array_of_int64(d->sizes, (npy_intp)d->n_sizes)) &&
      core_put(out, "agents", core_list_of_texts(d->agents, d->n_agents)))
    return out;
  Py_XDECREF(out);
  return NULL;
}

static PyObject *growth_of_study(const far_study *study, const char *key) {
  char env[FAR_SPEC_SIZE];
  int64_t sizes[FAR__SCALING_SIZES];
  far_error error;
  far__scaling_def def = far__scaling_def_default();
  def.key = key;
  if (far__scaling_def_from(&def, env, sizes, study, &error) != FAR_OK)
    return core_raise(&error, NULL);
  return growth_dict(&def);
}

static PyObject *growth_plan(PyObject *self, PyObject *args) {
  PyObject *bytes = NULL;
  const char *key;
  far_study *study;
  far_error error;
  (void)self;
  if (!PyArg_ParseTuple(args, "O&s:growth_plan", PyUnicode_FSConverter, &bytes, &key)) return NULL;
  const far_status status = far_study_load(&study, PyBytes_AsString(bytes), NULL, 0, &error);
  Py_DECREF(bytes);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *out = growth_of_study(study, key);
  far_study_free(study);
  return out;
}

static PyObject *integers(PyObject *self, PyObject *object) {
  const char *text;
  int64_t numbers[FAR__SCALING_SIZES];
  size_t count;
  far_error error;
  (void)self;
  if (!core_text(&text, object, "sizes", false)) return NULL;
  if (far__integers_parse(numbers, &count, FAR__SCALING_SIZES, text, &error) != FAR_OK)
    return core_raise(&error, text);
  return core_array_of_int64(numbers, (npy_intp)count);
}

static PyMethodDef functions[] = {
    {"tune", CORE_METHOD(tune), METH_VARARGS | METH_KEYWORDS,
     "tune(agents, models, names, parameters=None, targets=None, relative=False, method='halving', "
     "budget=0, steps=10000, runs=30, evaluate=300, profile=100, seed=1, threads=0, store=None, "
     "device=None, report=None, score=None)\n--\n\n"
     "tune(agents: list[str], models: list[Model | Simulator], names: list[str], parameters: "
     "list[str] | None "
     "= "
     "None, targets: FloatArray | None = None, relative: bool = False, method: str = 'halving', "
     "budget: int = 0, steps: int = 10000, runs: int = 30, evaluate: int = 300, profile: int = "
     "100, "
     "seed: int = 1, threads: int | None = 0, store: Store | None = None, device: Device | None = "
     "None, report: Callable[..., object] | None = None, score: str | None = None) -> "
     "tuple[Document, list[tuple[bool, "
     "FloatArray, FloatArray]], "
     "BaseException "
     "| None]\n\n"
     "Searches the parameters of agents: the document; of each agent whether it is chosen, and the "
     "scores of its runs, tuned and with its defaults; the exception that has stopped the work."},
    {"tune_plan", tune_plan, METH_O,
     "tune_plan(path, /)\n--\n\ntune_plan(path: StrPath, /) -> dict[str, Any]\n\n"
     "The arguments that the file of a search has."},
    {"fit_table", fit_table, METH_O,
     "fit_table(path, /)\n--\n\nfit_table(path: StrPath, /) -> list[tuple[str, str, float, float, "
     "float]]\n\n"
     "The rows of a table to fit: environment, parameters of the agent, mean, and the unit of its "
     "distance\nand the standard deviation to be met, 0 where the table has none."},
    {"growth", CORE_METHOD(growth), METH_VARARGS | METH_KEYWORDS,
     "growth(env, agents, sizes, key='n', measure='earned', eps=0.5, gamma=nan, gamma_scale=1.0, "
     "max_steps=1000000, censored=0.25, steps=10000, runs=100, seed=1, threads=0, store=None, "
     "device=None, report=None)\n--\n\n"
     "growth(env: str, agents: list[str], sizes: IntArray, key: str = 'n', measure: str = "
     "'earned', eps: float = 0.5, gamma: float = ..., gamma_scale: float = 1.0, max_steps: int = "
     "1000000, censored: float = 0.25, steps: int = 10000, runs: int = 100, seed: int = 1, "
     "threads: int | None = 0, store: Store | None = None, device: Device | None = None, "
     "report: Callable[..., object] | None = None) -> tuple[Document, list[tuple[bool, str | None, "
     "str | None, str | None, str]], "
     "BaseException | None]\n\n"
     "Runs a study of growth: the document, notes on the agents (severe, env, agent, metric, "
     "message), "
     "and the exception that has stopped the work."},
    {"growth_plan", growth_plan, METH_VARARGS,
     "growth_plan(path, key, /)\n--\n\ngrowth_plan(path: StrPath, key: str, /) -> dict[str, "
     "Any]\n\nThe arguments that the file of a study of growth has."},
    {"integers", integers, METH_O,
     "integers(text, /)\n--\n\nintegers(text: str, /) -> IntArray\n\n"
     "The whole numbers of a list with ranges, as in '5,10,20..50 step 10'."},
    {0}};

bool core_add_search(PyObject *module) {
  return core_add_functions(module, functions);
}
