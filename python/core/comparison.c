/* Comparison of stored results. */
#include "core.h"

#include <string.h>

/* ---- the question ---- */

static bool find_correction(far_correction *out, const char *name) {
  const char *words[16];
  int n = 0, found;
  while (n < 16 && (words[n] = far_correction_name((far_correction)n)) != NULL) ++n;
  if (!core_choice(&found, name, "correction", words, n)) return false;
  *out = (far_correction)found;
  return true;
}

static bool find_better(far_better *out, const char *word) {
  static const char *const words[] = {"known", "higher", "lower"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    *out = (far_better)i;
    if (strcmp(word, words[i]) == 0) return true;
  }
  PyErr_Format(PyExc_ValueError, "better is '%s': must be 'higher' or 'lower'", word);
  return false;
}

/* ---- progress ---- */

typedef struct part {
  const char *what;
  size_t done, count;
} part;

static PyObject *part_arguments(const void *user) {
  const part *p = user;
  return Py_BuildValue("(snn)", p->what, (Py_ssize_t)p->done, (Py_ssize_t)p->count);
}

static bool show_part(void *user, const char *what, size_t done, size_t count) {
  const part now = {what, done, count};
  return core_continue(user, part_arguments, &now);
}

/* ---- the answer ---- */

/* (values, replicates), or None if there are no runs. */
static PyObject *cell_numbers(const far_comparison_cell *cell) {
  const npy_intp count = (npy_intp)cell->runs;
  if (count == 0) Py_RETURN_NONE;
  return Py_BuildValue("(NN)", core_array_of_double(cell->values, count),
                       core_array_of_int64(cell->replicates, count));
}

static PyObject *list_envs(const far_comparison_group *g) {
  PyObject *list = PyList_New(0);
  for (size_t e = 0; list != NULL && e < g->n_envs; ++e)
    core_append(&list,
                Py_BuildValue("(ssz)", g->envs[e].label, g->envs[e].spec, g->envs[e].unusable));
  return list;
}

static PyObject *list_agents(const far_comparison_group *g) {
  PyObject *list = PyList_New(0);
  for (size_t j = 0; list != NULL && j < g->n_agents; ++j)
    core_append(&list, PyUnicode_FromString(g->agents[j].label));
  return list;
}

static PyObject *list_cells(const far_comparison_group *g) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < g->n_envs * g->n_agents; ++i)
    core_append(&list, cell_numbers(&g->cells[i]));
  return list;
}

static PyObject *group_dict(const far_comparison_group *g) {
  PyObject *out = PyDict_New();
  if (out != NULL && core_put(out, "envs", list_envs(g)) &&
      core_put(out, "agents", list_agents(g)) && core_put(out, "cells", list_cells(g)))
    return out;
  Py_XDECREF(out);
  return NULL;
}

static PyObject *list_groups(const far_comparison *x) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list != NULL && i < x->n_groups; ++i)
    core_append(&list, group_dict(&x->groups[i]));
  return list;
}

/* ---- names ---- */

/* What environments and agents are called instead of their labels, in the order of the definition. */
typedef struct names {
  const char **envs, **agents; /* NULL: they keep their labels */
  size_t n_envs, n_agents;
} names;

static bool take_names(names *out, PyObject *envs, PyObject *agents) {
  *out = (names){0};
  if (envs != Py_None && (out->envs = core_texts(&out->n_envs, envs, "env_names")) == NULL)
    return false;
  return agents == Py_None ||
         (out->agents = core_texts(&out->n_agents, agents, "agent_names")) != NULL;
}

static void free_names(names *n) {
  core_free_texts(n->envs);
  core_free_texts(n->agents);
}

static void exchange(const char **a, const char **b) {
  const char *old = *a;
  *a = *b;
  *b = old;
}

/* Exchanges labels and names in a group that has as many; called again, it takes that back. */
static void exchange_names(far_comparison_group *g, names *n) {
  for (size_t e = 0; n->envs != NULL && g->n_envs == n->n_envs && e < g->n_envs; ++e)
    exchange(&g->envs[e].label, &n->envs[e]);
  for (size_t j = 0; n->agents != NULL && g->n_agents == n->n_agents && j < g->n_agents; ++j)
    exchange(&g->agents[j].label, &n->agents[j]);
}

static PyObject *answer(const far_comparison *x) {
  PyObject *document = core_document_new("stats"), *groups = list_groups(x), *all = NULL;
  if (document != NULL && groups != NULL) {
    far_comparison_report(x, core_document_report(document));
    all = Py_BuildValue("(OOO)", document, groups, x->exact ? Py_True : Py_False);
  }
  Py_XDECREF(document);
  Py_XDECREF(groups);
  return all;
}

static PyObject *named_answer(far_comparison *x, names *n) {
  const bool one = x->n_groups == 1; /* names are those of one study */
  if (one) exchange_names(x->groups, n);
  PyObject *all = answer(x);
  if (one) exchange_names(x->groups, n);
  return all;
}

static PyObject *compare(far_comparison_def *def, names *n, PyObject *store, PyObject *report) {
  far_comparison *x;
  far_error error;
  far_store *open = core_store_take(store);
  if (open == NULL) return NULL;
  core_work work = core_work_begin(report);
  def->progress = show_part;
  def->user = &work;
  core_store_watch(store, &work);
  const far_status status = far_comparison_create(&x, open, def, &error);
  core_store_watch(store, NULL);
  core_work_end(&work);
  core_store_release(store);
  if (status != FAR_OK) return core_raise(&error, NULL);
  PyObject *all = PyErr_Occurred() == NULL ? named_answer(x, n) : NULL;
  far_comparison_free(x);
  return all;
}

/* The models of a tuple; *out is freed by PyMem_Free. */
static bool take_models(far_comparison_def *def, const far_mdp ***out, PyObject *models) {
  const Py_ssize_t n = PyTuple_Size(models);
  *out = PyMem_Calloc((size_t)n + 1, sizeof(far_mdp *));
  if (*out == NULL) return PyErr_NoMemory() != NULL;
  for (Py_ssize_t i = 0; i < n; ++i)
    if (((*out)[i] = core_model(PyTuple_GetItem(models, i))) == NULL) return false;
  def->models = *out;
  def->n_models = (size_t)n;
  return true;
}

static PyObject *compare_lists(far_comparison_def *def, names *n, PyObject *store, PyObject *envs,
                               PyObject *agents, PyObject *report) {
  const char **env_list = core_texts(&def->n_envs, envs, "envs");
  const char **agent_list = env_list != NULL ? core_texts(&def->n_agents, agents, "agents") : NULL;
  PyObject *all = NULL;
  def->envs = env_list;
  def->agents = agent_list;
  if (agent_list != NULL) all = compare(def, n, store, report);
  core_free_texts(env_list);
  core_free_texts(agent_list);
  return all;
}

static PyObject *stats(PyObject *self, PyObject *args, PyObject *named) {
  static char *keys[] = {"store",      "envs",      "agents",      "series",      "baseline",
                         "steps",      "run_seed",  "better",      "paired",      "level",
                         "correction", "resamples", "seed",        "most_agents", "report",
                         "models",     "env_names", "agent_names", NULL};
  far_comparison_def def = far_comparison_def_default();
  PyObject *store, *envs, *agents, *run_seed = Py_None, *seed = NULL, *report = Py_None,
                                   *models = Py_None, *env_names = Py_None, *agent_names = Py_None;
  const char *better = "known", *correction = "holm";
  long long steps = 0, resamples = def.bootstrap.resamples, most = (long long)def.most_agents;
  int paired = 0;
  (void)self;
  if (!PyArg_ParseTupleAndKeywords(args, named, "OOO|szLOspdsLOLOOOO:stats", keys, &store, &envs,
                                   &agents, &def.series, &def.baseline, &steps, &run_seed, &better,
                                   &paired, &def.bootstrap.level, &correction, &resamples, &seed,
                                   &most, &report, &models, &env_names, &agent_names))
    return NULL;
  def.steps = steps;
  def.bootstrap.resamples = resamples;
  def.paired = paired != 0;
  def.one_seed = run_seed != Py_None;
  def.most_agents = most > 0 ? (size_t)most : 0;
  if (!find_better(&def.better, better) || !find_correction(&def.correction, correction) ||
      (def.one_seed && !core_uint64(&def.seed, run_seed, "run_seed")) ||
      (seed != NULL && !core_uint64(&def.bootstrap.seed, seed, "seed")))
    return NULL;
  const far_mdp **list = NULL;
  PyObject *all = NULL, *kept = models != Py_None ? PySequence_Tuple(models) : PyTuple_New(0);
  names called = {0};
  if (kept != NULL && take_models(&def, &list, kept) && take_names(&called, env_names, agent_names))
    all = compare_lists(&def, &called, store, envs, agents, report);
  free_names(&called);
  PyMem_Free(list);
  Py_XDECREF(kept); /* whatever has become of the list */
  return all;
}

static PyMethodDef functions[] = {
    {"stats", CORE_METHOD(stats), METH_VARARGS | METH_KEYWORDS,
     "stats(store, envs, agents, series='total', baseline=None, steps=0, run_seed=None, "
     "better='known', paired=False, level=0.95, correction='holm', resamples=10000, seed=1, "
     "most_agents=60, report=None, models=None, env_names=None, agent_names=None)\n--\n\n"
     "stats(store: Store, envs: list[str], agents: list[str], series: str = 'total', baseline: str "
     "| None = None, steps: int = 0, run_seed: int | None = None, better: str = 'known', paired: "
     "bool = False, level: float = 0.95, correction: str = 'holm', resamples: int = 10000, seed: "
     "int = 1, most_agents: int = 60, report: Callable[[str, int, int], object] | None = None, "
     "models: list[Model] | None = None, env_names: list[str] | None = None, agent_names: "
     "list[str] | None = None) -> "
     "tuple[Document, list[dict[str, Any]], bool]\n\n"
     "Compares stored results: the document, of each group its environments (label, spec, why the "
     "model is not used), agents and cells (values and replicates), and whether the series is the "
     "one that was asked for. env_names and agent_names stand for the labels of envs and agents "
     "if the answer is one group that has all of these."},
    {0}};

bool core_add_comparison(PyObject *module) {
  return core_add_functions(module, functions);
}
