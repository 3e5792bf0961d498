/* Study: environments x agents, checked and not yet run. Immutable, and so free to be shared by threads. */
#include "core.h"
#include "model/criterion.h"
#include "questions/cost/cost.h"
#include "results.h"
#include "run/blocks.h"
#include "run/simulator.h"

#include <math.h> /* only for NAN */
#include <string.h>

PyTypeObject *core_study_type;

typedef struct study {
  PyObject_HEAD far_study *study;
  PyObject *notes;  /* a list of tuples */
  PyObject *models; /* a list that keeps models and simulators of the study alive; may be NULL */
} study;

const far_study *core_study(PyObject *object) {
  if (PyObject_TypeCheck(object, core_study_type)) return ((study *)object)->study;
  PyErr_Format(PyExc_TypeError, "expected a study (farsight.Study), not %R",
               (PyObject *)Py_TYPE(object));
  return NULL;
}

/* ---- making ---- */

/* The definition of a study, and the arrays that it borrows. */
typedef struct parts {
  far_study_def def;
  unsigned members;
  const char *wrong;
  const char **envs, **agents, **metrics;
  const far_mdp **models;
  const far_simulator_def **simulators;
} parts;

static void free_parts(parts *p) {
  core_free_texts(p->envs);
  core_free_texts(p->agents);
  core_free_texts(p->metrics);
  PyMem_Free(p->models);
  PyMem_Free(p->simulators);
}

/* The arguments of Study(), each of which may be missing. */
typedef struct arguments {
  PyObject *envs, *agents, *metrics, *steps, *runs, *seed, *curve, *until, *snapshots, *name,
      *gamma, *episodes;
  PyObject *text, *path;
  PyObject *models; /* a list beside envs: a model, a simulator, or None for a spec */
} arguments;

static bool is_given(parts *p, PyObject *object, far_study_member member) {
  if (object == NULL || object == Py_None) return false;
  p->members |= member;
  return true;
}

static bool take_list(parts *p, const char ***out, const char *const **list, size_t *count,
                      PyObject *object, far_study_member member, const char *what) {
  if (!is_given(p, object, member)) return true;
  *out = core_texts(count, object, what);
  *list = *out;
  return *out != NULL;
}

static bool take_lists(parts *p, const arguments *a) {
  far_study_def *d = &p->def;
  return take_list(p, &p->envs, &d->envs, &d->n_envs, a->envs, FAR_STUDY_ENVS, "envs") &&
         take_list(p, &p->agents, &d->agents, &d->n_agents, a->agents, FAR_STUDY_AGENTS,
                   "agents") &&
         take_list(p, &p->metrics, &d->metrics, &d->n_metrics, a->metrics, FAR_STUDY_METRICS,
                   "metrics");
}

/* Takes the model or simulator of environment i; None leaves it to its spec. */
static bool take_model(parts *p, size_t i, PyObject *object) {
  if (object == Py_None) return true;
  if (PyObject_TypeCheck(object, core_simulator_type)) {
    p->simulators[i] = core_simulator(object);
    return true;
  }
  p->models[i] = core_model(object);
  return p->models[i] != NULL;
}

/* The models and simulators of a list as long as `envs` is; the study keeps a copy of the list. */
static bool take_models(parts *p, study *s, PyObject *list) {
  if (list == NULL || list == Py_None) return true;
  s->models = PySequence_List(list);
  if (s->models == NULL) return false;
  if (PyList_Size(s->models) != (Py_ssize_t)p->def.n_envs) {
    PyErr_SetString(PyExc_ValueError, "models must be as many as envs");
    return false;
  }
  p->models = PyMem_Calloc(p->def.n_envs + 1, sizeof(far_mdp *));
  p->simulators = PyMem_Calloc(p->def.n_envs + 1, sizeof(far_simulator_def *));
  if (p->models == NULL || p->simulators == NULL) return PyErr_NoMemory() != NULL;
  p->def.models = p->models;
  p->def.simulators = p->simulators;
  bool good = true;
  for (size_t i = 0; good && i < p->def.n_envs; ++i)
    good = take_model(p, i, PyList_GetItem(s->models, (Py_ssize_t)i));
  return good;
}

static bool take_whole(parts *p, int64_t *out, PyObject *object, far_study_member member,
                       const char *what) {
  return !is_given(p, object, member) || core_int64(out, object, what);
}

static bool take_text(parts *p, const char **out, PyObject *object, far_study_member member,
                      const char *what) {
  return !is_given(p, object, member) || core_text(out, object, what, false);
}

static bool take_rest(parts *p, const arguments *a) {
  far_study_def *d = &p->def;
  return take_whole(p, &d->steps, a->steps, FAR_STUDY_STEPS, "steps") &&
         take_whole(p, &d->episodes, a->episodes, FAR_STUDY_EPISODES, "episodes") &&
         take_whole(p, &d->runs, a->runs, FAR_STUDY_RUNS, "runs") &&
         take_whole(p, &d->snapshots, a->snapshots, FAR_STUDY_SNAPSHOTS, "snapshots") &&
         (!is_given(p, a->seed, FAR_STUDY_SEED) || core_uint64(&d->seed, a->seed, "seed")) &&
         (!is_given(p, a->gamma, FAR_STUDY_GAMMA) || core_double(&d->gamma, a->gamma, "gamma")) &&
         take_text(p, &d->curve, a->curve, FAR_STUDY_CURVE, "curve") &&
         take_text(p, &d->until, a->until, FAR_STUDY_UNTIL, "until") &&
         take_text(p, &d->name, a->name, FAR_STUDY_NAME, "name");
}

/* Refuses 0 runs, steps or episodes: to the library 0 means that they are not given. */
static bool has_no_zeros(const parts *p) {
  const far_study_def *d = &p->def;
  const char *zero = (p->members & FAR_STUDY_RUNS) != 0 && d->runs == 0           ? "runs"
                     : (p->members & FAR_STUDY_STEPS) != 0 && d->steps == 0       ? "steps"
                     : (p->members & FAR_STUDY_EPISODES) != 0 && d->episodes == 0 ? "episodes"
                                                                                  : NULL;
  if (zero != NULL) PyErr_Format(PyExc_ValueError, "%s is 0: must be at least 1", zero);
  return zero == NULL;
}

void core_take_note(void *user, const far_study_note *note) {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *item = Py_BuildValue("(Ozzzs)", note->severe ? Py_True : Py_False, note->env,
                                 note->agent, note->metric, note->message);
  if (item == NULL || PyList_Append(user, item) < 0) PyErr_Clear();
  Py_XDECREF(item);
  PyGILState_Release(state);
}

static far_status make(far_study **out, const parts *p, const char *text, const char *path,
                       far_error *error) {
  if (path != NULL) return far_study_load(out, path, &p->def, p->members, error);
  if (text != NULL) return far_study_read(out, text, strlen(text), &p->def, p->members, error);
  return far_study_create(out, &p->def, error);
}

static bool create(study *s, parts *p, const char *text, const char *path) {
  far_error error;
  far_study *made = NULL;
  p->def.wrong = &p->wrong;
  p->def.note = core_take_note;
  p->def.note_user = s->notes;
  core_work work = core_work_begin(Py_None);
  const far_status status = make(&made, p, text, path, &error);
  core_work_end(&work);
  if (status != FAR_OK) core_raise(&error, p->wrong != NULL ? p->wrong : text);
  s->study = made;
  return status == FAR_OK;
}

static bool read_and_create(study *s, const arguments *a) {
  parts p = {.def = far_study_def_default()};
  const char *text = NULL;
  PyObject *path = a->path != NULL && a->path != Py_None ? core_path(a->path) : NULL;
  const bool good = PyErr_Occurred() == NULL && core_text(&text, a->text, "text", true) &&
                    take_lists(&p, a) && take_models(&p, s, a->models) && take_rest(&p, a) &&
                    has_no_zeros(&p) &&
                    create(s, &p, text, path != NULL ? PyBytes_AsString(path) : NULL);
  free_parts(&p);
  Py_XDECREF(path);
  return good;
}

static PyObject *study_new(PyTypeObject *type, PyObject *args, PyObject *named) {
  static char *names[] = {"envs",   "agents", "metrics",   "steps", "runs", "seed",
                          "curve",  "until",  "snapshots", "name",  "text", "path",
                          "models", "gamma",  "episodes",  NULL};
  arguments a = {0};
  if (!PyArg_ParseTupleAndKeywords(args, named, "|$OOOOOOOOOOOOOOO:Study", names, &a.envs,
                                   &a.agents, &a.metrics, &a.steps, &a.runs, &a.seed, &a.curve,
                                   &a.until, &a.snapshots, &a.name, &a.text, &a.path, &a.models,
                                   &a.gamma, &a.episodes))
    return NULL;
  study *s = (study *)core_new_object(type);
  if (s != NULL) s->notes = PyList_New(0);
  if (s != NULL && (s->notes == NULL || !read_and_create(s, &a))) Py_CLEAR(s);
  return (PyObject *)s;
}

static void study_free(PyObject *self) {
  study *s = (study *)self;
  far_study_free(s->study);
  Py_XDECREF(s->notes);
  Py_XDECREF(s->models);
  core_free_object(self);
}

/* ---- what a study contains ---- */

static PyObject *metrics_of(const far_batch_def *def) {
  PyObject *list = PyList_New(0);
  for (size_t k = 0; list != NULL && k < def->n_metrics; ++k)
    core_append(&list, Py_BuildValue("(sO)", def->metrics[k]->name,
                                     def->metrics[k]->higher_is_better ? Py_True : Py_False));
  return list;
}

/* The environment's spec as stores know it; for a simulator without a version its name. */
static PyObject *spec_of(const far_cell *cell) {
  char spec[FAR_SPEC_SIZE];
  const bool stored =
      cell->simulator != NULL && far_simulator_spec(spec, cell->simulator, NULL) == FAR_OK;
  return PyUnicode_FromString(stored ? spec : far_cell_env(cell));
}

static PyObject *specs_of(const far_batch_def *def, size_t n_agents) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < def->n_cells; i += n_agents)
    core_append(&list, spec_of(&def->cells[i]));
  return list;
}

/* The steps of a run in each environment; the most steps if the run ends after a number of episodes. */
static PyObject *steps_of(const far_batch_def *def, size_t n_agents) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < def->n_cells; i += n_agents)
    core_append(&list, PyLong_FromLongLong((long long)def->cells[i].steps));
  return list;
}

static PyObject *checkpoints_of(const far_cell *cell) {
  return core_array_of_int64(cell->checkpoints, (npy_intp)cell->n_checkpoints);
}

static PyObject *study_info(PyObject *self, PyObject *unused) {
  (void)unused;
  const far_study *s = ((study *)self)->study;
  const far_study_info i = far_study_info_of(s);
  const far_batch_def *def = far_study_batch(s);
  return Py_BuildValue(
      "{ss,ss,ss,sd,sN,sN,sN,sN,sN,sN,sN,sN,sL,sL,sK,sL}", "name", i.name, "curve", i.curve,
      "until", i.until, "gamma", i.gamma, "envs", core_list_of_texts(i.env_labels, i.n_envs),
      "env_specs", specs_of(def, i.n_agents), "agents",
      core_list_of_texts(i.agent_labels, i.n_agents), "agent_specs",
      core_list_of_texts(i.agents, i.n_agents), "metrics",
      core_list_of_texts(i.metrics, i.n_metrics), "metric_specs", metrics_of(def), "checkpoints",
      checkpoints_of(&def->cells[0]), "steps", steps_of(def, i.n_agents), "episodes",
      (long long)i.episodes, "runs", (long long)def->runs, "seed", (unsigned long long)def->seed,
      "snapshots", (long long)def->snapshots);
}

static PyObject *study_yaml(PyObject *self, PyObject *unused) {
  (void)unused;
  char *text;
  far_error error;
  if (far_study_print(&text, ((study *)self)->study, &error) != FAR_OK)
    return core_raise(&error, NULL);
  PyObject *answer = PyUnicode_FromString(text);
  far_free(text);
  return answer;
}

static PyObject *study_resolve(PyObject *self, PyObject *args) {
  const far_study *s = ((study *)self)->study;
  const char *spec;
  PyObject *index;
  uint32_t env;
  char text[FAR_SPEC_SIZE];
  far_error error;
  const far_study_info info = far_study_info_of(s);
  if (!PyArg_ParseTuple(args, "sO:resolve", &spec, &index) ||
      !core_index(&env, index, "env", (uint32_t)info.n_envs))
    return NULL;
  const far_shape shape = far_cell_shape(&far_study_batch(s)->cells[env * info.n_agents]);
  if (far_agent_resolve(text, spec, &shape, &error) != FAR_OK) return core_raise(&error, spec);
  return PyUnicode_FromString(text);
}

static PyObject *study_model(PyObject *self, PyObject *index) {
  const far_study *s = ((study *)self)->study;
  const far_study_info info = far_study_info_of(s);
  uint32_t env;
  char hash[FAR_HASH_TEXT];
  if (!core_index(&env, index, "env", (uint32_t)info.n_envs)) return NULL;
  const far_cell *cell = &far_study_batch(s)->cells[env * info.n_agents];
  if (cell->mdp != NULL)
    far_mdp_hash(hash, cell->mdp);
  else
    far__simulator_hash(hash, cell->simulator);
  return PyUnicode_FromString(hash);
}

/* ---- running ---- */

/* (results, exception): after CANCELLED the results of the finished runs, and the exception that stopped the work. */
static PyObject *answer(PyObject *self, far_results *results, far_status status,
                        const far_error *error) {
  if (status != FAR_OK && status != FAR_STATUS_CANCELLED) return core_raise(error, NULL);
  if (status == FAR_STATUS_CANCELLED && PyErr_Occurred() == NULL) core_raise(error, NULL);
  PyObject *exception = core_work_stopped();
  PyObject *object = Py_None;
  Py_INCREF(object);
  if (results != NULL) {
    Py_DECREF(object);
    object = core_results_new(self, results);
  }
  return Py_BuildValue("(NN)", object, exception);
}

static PyObject *run(PyObject *self, PyObject *store, far_study_run_def *def, PyObject *progress) {
  far_results *results = NULL;
  far_error error;
  if (store != Py_None && (def->store = core_store_take(store)) == NULL) return NULL;
  core_work work = core_work_begin(progress);
  if (def->store != NULL) core_store_watch(store, &work);
  def->progress = core_progress;
  def->user = &work;
  const far_status status = far_study_run(&results, ((study *)self)->study, def, &error);
  if (def->store != NULL) core_store_watch(store, NULL);
  core_work_end(&work);
  if (def->store != NULL) core_store_release(store);
  return answer(self, results, status, &error);
}

static PyObject *study_run(PyObject *self, PyObject *args, PyObject *named) {
  static char *names[] = {"store", "store_name", "threads", "progress", "device", NULL};
  PyObject *store = Py_None, *threads = Py_None, *progress = Py_None, *device = NULL;
  far_study_run_def def = {0};
  if (!PyArg_ParseTupleAndKeywords(args, named, "|OzOOO:run", names, &store, &def.store_name,
                                   &threads, &progress, &device) ||
      !core_threads(&def.threads, threads) || !core_device(&def.pool, device))
    return NULL;
  return run(self, store, &def, progress);
}

/* ---- the cost of a study ---- */

static void free_cost(void *cost) {
  far__cost_free(cost);
}

static PyObject *cost_document(PyObject *self, far__cost *cost) {
  PyObject *document = core_document_new("run");
  if (document == NULL || !core_document_keep(document, self)) {
    Py_XDECREF(document);
    far__cost_free(cost);
    return NULL;
  }
  core_document_adopt(document, cost, free_cost, NULL);
  far__cost_report(cost, 20, core_document_report(document));
  return document;
}

static PyObject *study_cost(PyObject *self, PyObject *args) {
  PyObject *store, *threads, *device;
  far__cost_def def = far__cost_def_default();
  far__cost *cost = NULL;
  far_error error;
  if (!PyArg_ParseTuple(args, "OzOO&O:cost", &store, &def.store_name, &threads,
                        CORE_DOUBLE("seconds", &def.seconds), &device) ||
      !core_threads(&def.workers, threads) || !core_device(&def.device, device))
    return NULL;
  def.study = ((study *)self)->study;
  if (store != Py_None && (def.store = core_store_take(store)) == NULL) return NULL;
  core_work work = core_work_begin(Py_None);
  def.progress = core_progress;
  def.user = &work;
  const far_status status = far__cost_estimate(&cost, &def, &error);
  core_work_end(&work);
  if (def.store != NULL) core_store_release(store);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *document = cost_document(self, cost); /* owns the cost, or has freed it */
  if (document == NULL) return NULL;
  return Py_BuildValue("(NLLddd)", document, (long long)cost->runs, (long long)cost->known,
                       cost->steps, cost->seconds, cost->bytes);
}

/* ---- numbers from elsewhere ---- */

/* Puts the runs of a block into a store, as if they had been run through it: as runs of `agent`, a canonical spec,
 * since the spec in the study may stand for another one by now. */
static far_status keep_block(far_store *store, const far_study *s, far_block *block,
                             const char *agent, far_error *error) {
  far_keeper *keeper;
  far_batch_def def = *far_study_batch(s);
  far_cell cell = def.cells[block->cell];
  cell.agent = agent;
  cell.spec = NULL;
  def.cells = &cell;
  def.n_cells = 1;
  block->cell = 0;
  far_status status = far_keeper_create(&keeper, store, &def, error);
  if (status != FAR_OK) return status;
  status = far_keeper_keep(keeper, block, 1, error);
  far_keeper_free(keeper);
  return status;
}

static bool read_block(far_block *out, PyObject **held, const far_study *s, PyObject *cell,
                       long long first, PyObject *array) {
  const far_batch_def *def = far_study_batch(s);
  uint32_t index;
  if (!core_index(&index, cell, "cell", (uint32_t)def->n_cells)) return false;
  *out = (far_block){.cell = index, .first = first};
  out->values = core_data(held, array, "values", NPY_DOUBLE, -1);
  if (out->values == NULL) return false;
  const int64_t width = (int64_t)far__batch_width(def, index);
  const int64_t size = (int64_t)PyArray_SIZE((PyArrayObject *)*held);
  out->runs = size / width;
  if (size % width == 0 && first >= 0 && first <= far__batch_runs(def, index) - out->runs)
    return true;
  PyErr_SetString(PyExc_ValueError, "values are not runs of this study");
  return false;
}

static PyObject *study_keep(PyObject *self, PyObject *args) {
  PyObject *store, *cell, *array, *held = NULL;
  long long first;
  const char *agent;
  far_block block;
  far_error error;
  const far_study *s = ((study *)self)->study;
  if (!PyArg_ParseTuple(args, "OOLOs:keep", &store, &cell, &first, &array, &agent)) return NULL;
  far_store *open =
      read_block(&block, &held, s, cell, first, array) ? core_store_take(store) : NULL;
  if (open != NULL) {
    if (keep_block(open, s, &block, agent, &error) != FAR_OK) core_raise(&error, NULL);
    core_store_release(store);
  }
  Py_XDECREF(held);
  if (PyErr_Occurred() != NULL) return NULL;
  Py_RETURN_NONE;
}

static PyObject *resolve_env(PyObject *self, PyObject *text) {
  (void)self;
  const char *spec;
  char canonical[FAR_SPEC_SIZE];
  far_error error;
  if (!core_text(&spec, text, "env", false)) return NULL;
  if (far_mdp_resolve(canonical, spec, &error) != FAR_OK) return core_raise(&error, spec);
  return PyUnicode_FromString(canonical);
}

static PyObject *env_with_gamma(PyObject *self, PyObject *args) {
  (void)self;
  const char *spec;
  double gamma = NAN;
  char whole[FAR_SPEC_SIZE];
  far_error error;
  if (!PyArg_ParseTuple(args, "sO&:env_with_gamma", &spec, CORE_DOUBLE("gamma", &gamma)))
    return NULL;
  if (far__mdp_spec_with_gamma(whole, spec, gamma, &error) != FAR_OK)
    return core_raise(&error, spec);
  return PyUnicode_FromString(whole);
}

/* ---- the type ---- */

static PyObject *get_notes(PyObject *self, void *unused) {
  (void)unused;
  PyObject *notes = ((study *)self)->notes;
  return PySequence_List(notes);
}

static PyObject *get_models(PyObject *self, void *unused) {
  (void)unused;
  PyObject *models = ((study *)self)->models;
  return models != NULL ? PySequence_List(models) : PyList_New(0);
}

static PyGetSetDef attributes[] = {
    {"_models", get_models, NULL,
     "list[Model | Simulator | None]: Models and simulators beside the given environments, None "
     "where one is a "
     "spec.",
     NULL},
    {"_notes", get_notes, NULL,
     "list[tuple[bool, str | None, str | None, str | None, str]]: Notes, each (severe, env, agent, "
     "metric, message).",
     NULL},
    {0}};

static PyMethodDef methods[] = {
    {"_info", study_info, METH_NOARGS,
     "_info(self, /)\n--\n\n_info() -> dict[str, Any]\n\nEverything that it says."},
    {"to_yaml", study_yaml, METH_NOARGS,
     "to_yaml(self, /)\n--\n\nto_yaml() -> str\n\n"
     "The study as a YAML file, which the command and from_yaml read."},
    {"_resolve", study_resolve, METH_VARARGS,
     "_resolve(self, agent, env, /)\n--\n\n_resolve(agent: str, env: int) -> str\n\n"
     "The canonical spec of an agent on an environment."},
    {"_model_hash", study_model, METH_O,
     "_model_hash(self, env, /)\n--\n\n_model_hash(env: int) -> str\n\n"
     "SHA-256 of the model of an environment, or of a simulator's shape."},
    {"_run", CORE_METHOD(study_run), METH_VARARGS | METH_KEYWORDS,
     "_run(self, /, store=None, store_name=None, threads=None, progress=None, device=None)\n--\n\n"
     "_run(store: Store | None = None, store_name: str | None = None, threads: int | None = None, "
     "progress: Any = None, device: Device | None = None) -> tuple[Batch | None, BaseException | "
     "None]\n\n"
     "Runs it. What is finished, and the exception that stopped it."},
    {"_cost", study_cost, METH_VARARGS,
     "_cost(self, store, store_name, threads, seconds, device, /)\n--\n\n"
     "_cost(store: Store | None, store_name: str | None, threads: int | None, seconds: float, "
     "device: Device | None) -> tuple[Document, int, int, float, float, float]\n\nEstimates what "
     "it costs."},
    {"_keep", study_keep, METH_VARARGS,
     "_keep(self, store, cell, first, values, agent, /)\n--\n\n"
     "_keep(store: Store, cell: int, first: int, values: FloatArray, agent: str) -> None\n\n"
     "Puts finished runs of a cell into a store; a row for each column of the batch."},
    {0}};

static PyMethodDef functions[] = {
    {"resolve_env", resolve_env, METH_O,
     "resolve_env(env, /)\n--\n\nresolve_env(env: str) -> str\n\n"
     "The canonical spec of an environment; nothing is built."},
    {"env_with_gamma", env_with_gamma, METH_VARARGS,
     "env_with_gamma(env, gamma, /)\n--\n\nenv_with_gamma(env: str, gamma: float, /) -> "
     "str\n\nThe spec with this discount, unless it says itself what counts."},
    {0}};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Study(*, envs=None, agents=None, metrics=None, steps=None, runs=None, seed=None, "
     "curve=None, until=None, snapshots=None, name=None, text=None, path=None, models=None, "
     "gamma=None, episodes=None)\n--\n\n"
     "Study(*, envs: list[str] | None = None, agents: list[str] | None = None, metrics: list[str] "
     "| None = None, "
     "steps: int | None = None, runs: int | None = None, seed: int | None = None, curve: str | "
     "None = None, "
     "until: str | None = None, snapshots: int | None = None, name: str | None = None, text: str | "
     "None = None, "
     "path: StrPath | None = None, models: list[Model | Simulator | None] | None = None, "
     "gamma: float | None = None, episodes: int | None = None)\n\n"
     "Environments x agents, checked and not yet run."},
    {Py_tp_new, study_new},
    {Py_tp_dealloc, study_free},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0}};

static PyType_Spec spec = {.name = "farsight._core.Study",
                           .basicsize = sizeof(study),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .slots = slots};

bool core_add_study(PyObject *module) {
  core_study_type = core_add_type(module, &spec);
  return core_study_type != NULL && core_add_functions(module, functions) &&
         core_add_results(module);
}
