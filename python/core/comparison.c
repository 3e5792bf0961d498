/* Comparison of stored results. */
#include "comparison.h"

#include <string.h>

#include "questions/comparison/pairwise.h"
#include "questions/plots/plot.h"

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

/* ---- the question, as arguments ---- */

static bool take_models(core_question *q, PyObject *models) {
  if (models == Py_None) return true;
  q->models = PySequence_Tuple(models);
  if (q->models == NULL) return false;
  const Py_ssize_t n = PyTuple_Size(q->models);
  q->model_list = PyMem_Calloc((size_t)n + 1, sizeof(far_mdp *));
  if (q->model_list == NULL) return PyErr_NoMemory() != NULL;
  for (Py_ssize_t i = 0; i < n; ++i)
    if ((q->model_list[i] = core_model(PyTuple_GetItem(q->models, i))) == NULL) return false;
  q->def.models = q->model_list;
  q->def.n_models = (size_t)n;
  return true;
}

/* Reads a list of exactly `wanted` names; None leaves *out as it is. */
static bool take_names(const char ***out, PyObject *names, size_t wanted, const char *what) {
  size_t count;
  if (names == Py_None) return true;
  if ((*out = core_texts(&count, names, what)) == NULL) return false;
  if (count == wanted) return true;
  PyErr_Format(PyExc_ValueError, "there are %zu names in %s for %zu", count, what, wanted);
  return false;
}

static bool take_lists(core_question *q, PyObject *envs, PyObject *agents, PyObject *env_names,
                       PyObject *agent_names) {
  far_comparison_def *d = &q->def;
  if ((q->envs = core_texts(&d->n_envs, envs, "envs")) == NULL ||
      (q->agents = core_texts(&d->n_agents, agents, "agents")) == NULL ||
      !take_names(&q->env_names, env_names, d->n_envs, "env_names") ||
      !take_names(&q->agent_names, agent_names, d->n_agents, "agent_names"))
    return false;
  d->envs = q->envs;
  d->agents = q->agents;
  d->env_names = q->env_names;
  d->agent_names = q->agent_names;
  return true;
}

static bool take_arguments(core_question *q, PyObject *args, PyObject *named) {
  static char *keys[] = {"store",      "envs",      "agents",      "series",      "baseline",
                         "steps",      "run_seed",  "better",      "paired",      "level",
                         "correction", "resamples", "seed",        "most_agents", "report",
                         "models",     "env_names", "agent_names", "episodes",    NULL};
  far_comparison_def *d = &q->def;
  PyObject *envs, *agents, *run_seed = Py_None, *seed = NULL, *models = Py_None,
                           *env_names = Py_None, *agent_names = Py_None;
  const char *better = "known", *correction = "holm";
  int64_t most = (int64_t)d->most_agents;
  int paired = 0;
  d->steps = d->episodes = 0;
  if (!PyArg_ParseTupleAndKeywords(
          args, named, "OOO|szO&OspO&sO&OO&OOOOO&", keys, &q->store, &envs, &agents, &d->series,
          &d->baseline, CORE_INT64("steps", &d->steps), &run_seed, &better, &paired,
          CORE_DOUBLE("level", &d->bootstrap.level), &correction,
          CORE_INT64("resamples", &d->bootstrap.resamples), &seed, CORE_INT64("most_agents", &most),
          &q->report, &models, &env_names, &agent_names, CORE_INT64("episodes", &d->episodes)))
    return false;
  d->paired = paired != 0;
  d->one_seed = run_seed != Py_None;
  d->most_agents = most > 0 ? (size_t)most : 0;
  return find_better(&d->better, better) && find_correction(&d->correction, correction) &&
         (!d->one_seed || core_uint64(&d->seed, run_seed, "run_seed")) &&
         (seed == NULL || core_uint64(&d->bootstrap.seed, seed, "seed")) &&
         take_models(q, models) && take_lists(q, envs, agents, env_names, agent_names);
}

bool core_question_take(core_question *q, PyObject *args, Py_ssize_t skip, PyObject *named) {
  *q = (core_question){.def = far_comparison_def_default(), .report = Py_None};
  q->arguments = PyTuple_GetSlice(args, skip, PyTuple_Size(args));
  return q->arguments != NULL && take_arguments(q, q->arguments, named);
}

void core_question_free(core_question *q) {
  core_free_texts(q->envs);
  core_free_texts(q->agents);
  core_free_texts(q->env_names);
  core_free_texts(q->agent_names);
  PyMem_Free(q->model_list);
  Py_XDECREF(q->models);
  Py_XDECREF(q->arguments);
}

/* ---- work on the store ---- */

far_store *core_asking_begin(core_asking *a, core_question *q) {
  a->question = q;
  far_store *open = core_store_take(q->store);
  if (open == NULL) return NULL;
  a->work = core_work_begin(q->report);
  q->def.progress = show_part;
  q->def.user = &a->work;
  core_store_watch(q->store, &a->work);
  return open;
}

bool core_asking_end(core_asking *a, far_status status, const far_error *error) {
  core_store_watch(a->question->store, NULL);
  core_work_end(&a->work);
  core_store_release(a->question->store);
  if (status != FAR_OK) core_raise(error, NULL);
  return PyErr_Occurred() == NULL;
}

/* ---- the comparison ---- */

static far_status draw(far_figure **out, const void *subject, const char *kind, size_t group,
                       const far_plot_def *def, far_error *error) {
  return far__plot_comparison(out, kind, subject, group, def, error);
}

static void free_comparison(void *subject) {
  far_comparison_free(subject);
}

/* Takes ownership of the comparison; the document keeps it, for its figures. */
static PyObject *answer(far_comparison *x) {
  PyObject *document = core_document_new("stats");
  if (document == NULL) {
    far_comparison_free(x);
    return NULL;
  }
  core_document_adopt(document, x, free_comparison, draw);
  far_comparison_report(x, core_document_report(document));
  PyObject *groups = list_groups(x);
  if (groups == NULL) {
    Py_DECREF(document);
    return NULL;
  }
  return Py_BuildValue("(NNO)", document, groups, x->exact ? Py_True : Py_False);
}

static PyObject *compare(core_question *q) {
  far_comparison *x = NULL;
  far_error error;
  core_asking asking;
  far_store *store = core_asking_begin(&asking, q);
  if (store == NULL) return NULL;
  const far_status status = far_comparison_create(&x, store, &q->def, &error);
  if (core_asking_end(&asking, status, &error)) return answer(x);
  far_comparison_free(x);
  return NULL;
}

static PyObject *stats(PyObject *self, PyObject *args, PyObject *named) {
  core_question q;
  (void)self;
  PyObject *all = core_question_take(&q, args, 0, named) ? compare(&q) : NULL;
  core_question_free(&q);
  return all;
}

/* ---- all pairs of agents ---- */

static void free_pairs(void *pairs) {
  far__pairwise_free(pairs);
}

/* The pairs borrow from the comparison, so the new document keeps the comparison's document alive. */
static PyObject *pairs_document(far__pairwise *pairs, PyObject *comparison) {
  PyObject *made = core_document_new("stats");
  if (made == NULL) {
    far__pairwise_free(pairs);
    return NULL;
  }
  core_document_adopt(made, pairs, free_pairs, NULL);
  if (!core_document_keep(made, comparison)) {
    Py_DECREF(made);
    return NULL;
  }
  far__pairwise_report(pairs, core_document_report(made));
  return made;
}

static PyObject *pairwise(PyObject *self, PyObject *args) {
  PyObject *document, *which;
  uint32_t group;
  far__pairwise *pairs;
  far_error error;
  (void)self;
  if (!PyArg_ParseTuple(args, "OO:pairwise", &document, &which)) return NULL;
  const far_comparison *x = core_document_subject(document, draw, "comparison");
  if (x == NULL || !core_index(&group, which, "group", (uint32_t)x->n_groups)) return NULL;
  core_work work = core_work_begin(Py_None);
  const far_status status = far__pairwise_create(&pairs, x, group, &error);
  core_work_end(&work);
  if (status != FAR_OK) return core_raise(&error, NULL);
  return pairs_document(pairs, document);
}

static PyMethodDef functions[] = {
    {"stats", CORE_METHOD(stats), METH_VARARGS | METH_KEYWORDS,
     "stats(" CORE_QUESTION_SIGNATURE ")\n--\n\n"
     "stats(" CORE_QUESTION_TYPES ") -> tuple[Document, list[dict[str, Any]], bool]\n\n"
     "Compares stored results: the document, of each group its environments (label, spec, why the "
     "model is not used), agents and cells (values and replicates), and whether the series is the "
     "one that was asked for. env_names and agent_names stand for the labels of envs and agents "
     "if the answer is one group that has all of these."},
    {"pairwise", pairwise, METH_VARARGS,
     "pairwise(document, group, /)\n--\n\npairwise(document: Document, group: int) -> Document\n\n"
     "All pairs of agents of a group of a comparison, which is given by its document."},
    {0}};

bool core_add_comparison(PyObject *module) {
  return core_add_functions(module, functions);
}
