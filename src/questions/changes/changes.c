/* Two stores compared cell by cell. */
#include "questions/changes/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/base.h"
#include "farsight/run.h"
#include "lab/store/access.h"
#include "questions/comparison/recipes.h"
#include "questions/comparison/times.h"
#include "questions/listing/label.h"
#include "statistics/sample.h"

const char *far__change_name(size_t kind) {
  static const char *const names[] = {"different", "other seed", "other runs",
                                      "added",     "removed",    "same"};
  return kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

far__changes_def far__changes_def_default(void) {
  return (far__changes_def){.before = "A",
                            .after = "B",
                            .series = "total",
                            .level = 0.95,
                            .correction = FAR_CORRECTION_HOLM};
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the changes of a store");
}

/* ---- the cells of a store ---- */

typedef struct cell {
  char *key, *env, *model, *agent;
  char *typed_env, *typed_agent; /* as they were called where the cell was run; or "" */
  int64_t steps, episodes;
  uint64_t seed;
  int numerics;
  bool taken; /* it has a partner in the other store */
} cell;

typedef struct cells {
  far_store *store;
  cell *items;
  size_t n, room;
} cells;

static void cells_free(cells *c) {
  for (size_t i = 0; i < c->n; ++i) {
    free(c->items[i].key);
    free(c->items[i].env);
    free(c->items[i].model);
    free(c->items[i].agent);
    free(c->items[i].typed_env);
    free(c->items[i].typed_agent);
  }
  free(c->items);
}

static bool add_cell(cells *c, const far_record *r) {
  if (!far__grow((void **)&c->items, c->n, &c->room, sizeof *c->items)) return false;
  cell *out = &c->items[c->n++];
  *out = (cell){.key = strdup(r->key),
                .env = strdup(r->env),
                .model = strdup(r->model),
                .agent = strdup(r->agent),
                .typed_env = strdup(r->env_label),
                .typed_agent = strdup(r->agent_label),
                .steps = r->steps,
                .episodes = r->episodes,
                .seed = r->seed,
                .numerics = r->numerics};
  return out->key != NULL && out->env != NULL && out->model != NULL && out->agent != NULL &&
         out->typed_env != NULL && out->typed_agent != NULL;
}

/* Computed and imported cells are different things; cells of other numerics are not. */
static int order(const cell *a, const cell *b) {
  int by = strcmp(a->env, b->env);
  if (by == 0) by = strcmp(a->model, b->model);
  if (by == 0) by = strcmp(a->agent, b->agent);
  if (by == 0) by = (a->episodes > b->episodes) - (a->episodes < b->episodes);
  if (by == 0) by = (a->steps > b->steps) - (a->steps < b->steps);
  if (by == 0) by = (a->numerics != 0) - (b->numerics != 0);
  return by;
}

static int order_all(const cell *a, const cell *b) {
  const int by = order(a, b);
  return by != 0 ? by : (a->seed > b->seed) - (a->seed < b->seed);
}

static int by_order(const void *a, const void *b) {
  const cell *p = a, *q = b;
  const int by = order_all(p, q);
  return by != 0 ? by : (p->numerics > q->numerics) - (p->numerics < q->numerics);
}

static far_status read_cells(cells *out, far_store *store, far_error *error) {
  far_record record;
  bool found = true;
  far_status status = FAR_OK;
  out->store = store;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = far_store_record(&record, &found, store, i, error);
    if (status == FAR_OK && found && !add_cell(out, &record)) status = no_memory(error);
  }
  if (status == FAR_OK && out->n > 0) qsort(out->items, out->n, sizeof *out->items, by_order);
  return status;
}

/* ---- the runs of two cells ---- */

typedef struct runs {
  double *x;
  int64_t *replicates, n;
} runs;

static void runs_free(runs *r) {
  far_free(r->x);
  far_free(r->replicates);
  *r = (runs){0};
}

/* None where the cell has no such series. */
static far_status read_runs(runs *out, far__changed_cell *to, const cells *from, const cell *c,
                            const char *series, far_error *error) {
  far_error why;
  *out = (runs){0};
  *to = (far__changed_cell){.mean = NAN};
  if (c == NULL) return FAR_OK;
  far_status status =
      far__store_values(&out->x, &out->replicates, &out->n, from->store, c->key, series, &why);
  if (status == FAR_STATUS_UNKNOWN) return FAR_OK;
  if (status != FAR_OK) {
    if (error != NULL) *error = why;
    return status;
  }
  *to = (far__changed_cell){.exists = out->n > 0,
                            .seed = c->seed,
                            .numerics = c->numerics,
                            .runs = out->n,
                            .mean = out->n > 0 ? far_sample_moments(out->x, out->n).mean : NAN};
  return far__values_hash(to->hash, out->x, out->n, error);
}

/* How many replicates both have, and how many of these are equal. */
static void count_common(far__change *out, const runs *a, const runs *b) {
  for (int64_t i = 0, j = 0; i < a->n && j < b->n;) {
    if (a->replicates[i] == b->replicates[j]) {
      out->common += 1;
      out->equal += a->x[i++] == b->x[j++];
    } else {
      *(a->replicates[i] < b->replicates[j] ? &i : &j) += 1;
    }
  }
}

static far__change_kind kind_of(const far__change *c, bool reseeded) {
  if (!c->before.exists) return FAR__CHANGE_ADDED;
  if (!c->after.exists) return FAR__CHANGE_REMOVED;
  if (reseeded) return FAR__CHANGE_RESEEDED;
  if (c->equal < c->common) return FAR__CHANGE_DIFFERENT;
  return c->common == c->before.runs && c->common == c->after.runs ? FAR__CHANGE_SAME
                                                                   : FAR__CHANGE_EXTENDED;
}

static bool all_finite(const runs *r) {
  bool out = true;
  for (int64_t i = 0; i < r->n; ++i) out = out && r->x[i] - r->x[i] == 0;
  return out;
}

static far_status compare_pairs(far__change *c, const runs *a, const runs *b, double level,
                                far_error *error) {
  const far_bootstrap_def how = {.level = level};
  const size_t most = (size_t)(a->n < b->n ? a->n : b->n) + 1;
  double *x = malloc(most * sizeof *x), *y = malloc(most * sizeof *y);
  far_paired d = {0};
  far_status status = x != NULL && y != NULL ? FAR_OK : no_memory(error);
  if (status == FAR_OK) {
    const int64_t n = far__pairs_match(x, y, b->x, b->replicates, b->n, a->x, a->replicates, a->n);
    status = far_pairs_compare(&d, x, y, n, &how, error);
  }
  free(x);
  free(y);
  c->paired = true;
  c->difference = d.mean;
  c->low = d.low;
  c->high = d.high;
  c->p = d.p;
  return status;
}

static far_status compare_samples(far__change *c, const runs *a, const runs *b, double level,
                                  far_error *error) {
  far_welch d;
  const far_status status = far_samples_compare(&d, b->x, b->n, a->x, a->n, level, error);
  c->difference = d.mean;
  c->low = d.low;
  c->high = d.high;
  c->p = d.p;
  return status;
}

/* What does not vary has neither interval nor p. */
static far_status compare(far__change *c, const runs *a, const runs *b, double level,
                          far_error *error) {
  far_status status = FAR_OK;
  c->difference = c->low = c->high = c->p = c->p_adjusted = NAN;
  if (c->kind > FAR__CHANGE_EXTENDED || !all_finite(a) || !all_finite(b)) return FAR_OK;
  if (c->kind == FAR__CHANGE_DIFFERENT && c->common > 0)
    status = compare_pairs(c, a, b, level, error);
  else
    status = compare_samples(c, a, b, level, error);
  if (!(c->low < c->high)) c->low = c->high = c->p = NAN;
  return status;
}

/* ---- one change ---- */

static far_status label(char **env, char **agent, const cell *c, far_error *error) {
  if (c->typed_env[0] != '\0' && c->typed_agent[0] != '\0') {
    *env = strdup(c->typed_env);
    *agent = strdup(c->typed_agent);
    return *env != NULL && *agent != NULL ? FAR_OK : no_memory(error);
  }
  char text[FAR_SPEC_SIZE];
  far_mdp *mdp = NULL;
  far_status status = FAR_OK;
  snprintf(text, sizeof text, "%s", c->env);
  if (c->numerics != 0) status = far__env_label(text, c->env, error);
  *env = status == FAR_OK ? strdup(text) : NULL;
  snprintf(text, sizeof text, "%s", c->agent);
  const far_status made =
      c->numerics != 0 ? far_record_model(&mdp, c->env, c->model, NULL) : FAR_STATUS_UNKNOWN;
  if (made == FAR_STATUS_MEMORY) status = made;
  if (status == FAR_OK && made == FAR_OK) {
    const far_shape shape = far_shape_for(far_mdp_shape(mdp), c->steps, c->episodes);
    status = far__agent_label_stored(text, c->agent, &shape, c->numerics, error);
  }
  far_mdp_free(mdp);
  *agent = status == FAR_OK ? strdup(text) : NULL;
  return *env != NULL && *agent != NULL ? FAR_OK : no_memory(error);
}

typedef struct changing {
  far__changes *out;
  const far__changes_def *def;
  cells before, after;
  size_t room;
} changing;

static far_status add_change(changing *w, const cell *a, const cell *b, bool reseeded, double level,
                             far_error *error) {
  runs x, y = {0};
  const cell *any = b != NULL ? b : a;
  if (!far__grow((void **)&w->out->changes, w->out->n_changes, &w->room, sizeof *w->out->changes))
    return no_memory(error);
  far__change *c = &w->out->changes[w->out->n_changes];
  *c = (far__change){.steps = any->steps,
                     .episodes = any->episodes,
                     .limit = far__length_limit(w->def->series, any->steps, any->episodes)};
  far_status status = read_runs(&x, &c->before, &w->before, a, w->def->series, error);
  if (status == FAR_OK) status = read_runs(&y, &c->after, &w->after, b, w->def->series, error);
  c->before.censored = far__censored(x.x, x.n, c->limit);
  c->after.censored = far__censored(y.x, y.n, c->limit);
  const bool any_runs = status == FAR_OK && (c->before.exists || c->after.exists);
  if (any_runs) {
    if (!reseeded) count_common(c, &x, &y);
    c->kind = kind_of(c, reseeded);
    w->out->n_changes += 1;
    c->env = strdup(any->env);
    c->agent = strdup(any->agent);
    status = label(&c->env_label, &c->agent_label, any, error);
    if (c->env == NULL || c->agent == NULL) status = no_memory(error);
    if (status == FAR_OK) status = compare(c, &x, &y, level, error);
  }
  runs_free(&x);
  runs_free(&y);
  return status;
}

/* ---- all of them ---- */

/* Both lists are in the same order. */
static far_status match(changing *w, int (*same)(const cell *, const cell *), bool reseeded,
                        far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0, j = 0; status == FAR_OK && i < w->before.n && j < w->after.n;) {
    cell *a = &w->before.items[i], *b = &w->after.items[j];
    const int by = same(a, b);
    if (by == 0 && !a->taken && !b->taken) {
      a->taken = b->taken = true;
      status = add_change(w, a, b, reseeded, w->def->level, error);
    }
    i += by < 0 || (by == 0 && a->taken);
    j += by > 0 || (by == 0 && b->taken);
  }
  return status;
}

static far_status add_rest(changing *w, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < w->before.n; ++i)
    if (!w->before.items[i].taken)
      status = add_change(w, &w->before.items[i], NULL, false, w->def->level, error);
  for (size_t j = 0; status == FAR_OK && j < w->after.n; ++j)
    if (!w->after.items[j].taken)
      status = add_change(w, NULL, &w->after.items[j], false, w->def->level, error);
  return status;
}

static far_status make_progress(const changing *w, size_t done, far_error *error) {
  const far__changes_def *def = w->def;
  if (def->progress == NULL || def->progress(def->user, "cell", done, 3)) return FAR_OK;
  return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped");
}

static far_status find(changing *w, far_error *error) {
  far_status status = make_progress(w, 0, error);
  if (status == FAR_OK) status = match(w, order_all, false, error);
  if (status == FAR_OK) status = make_progress(w, 1, error);
  if (status == FAR_OK) status = match(w, order, true, error);
  if (status == FAR_OK) status = make_progress(w, 2, error);
  if (status == FAR_OK) status = add_rest(w, error);
  if (status == FAR_OK) status = make_progress(w, 3, error);
  return status;
}

static int by_kind(const void *a, const void *b) {
  const far__change *p = a, *q = b;
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  int by = strcmp(p->env, q->env);
  if (by == 0) by = strcmp(p->agent, q->agent);
  if (by == 0) by = (p->episodes > q->episodes) - (p->episodes < q->episodes);
  if (by == 0) by = (p->steps > q->steps) - (p->steps < q->steps);
  const uint64_t x = p->before.exists ? p->before.seed : p->after.seed;
  const uint64_t y = q->before.exists ? q->before.seed : q->after.seed;
  return by != 0 ? by : (x > y) - (x < y);
}

/* ---- corrections ---- */

static far_status adjust(changing *w, far_error *error) {
  far__changes *out = w->out;
  double *p = calloc(out->n_changes + 1, sizeof *p);
  size_t k = 0;
  if (p == NULL) return no_memory(error);
  for (size_t i = 0; i < out->n_changes; ++i)
    if (out->changes[i].p == out->changes[i].p) p[k++] = out->changes[i].p;
  out->n_tests = k;
  const far_status status = k > 0 ? far_p_adjust(p, p, k, w->def->correction, error) : FAR_OK;
  k = 0;
  for (size_t i = 0; i < out->n_changes && status == FAR_OK; ++i)
    if (out->changes[i].p == out->changes[i].p) out->changes[i].p_adjusted = p[k++];
  free(p);
  return status;
}

static void count_up(far__changes *out) {
  for (size_t i = 0; i < out->n_changes; ++i) {
    const far__change *c = &out->changes[i];
    out->count[c->kind] += 1;
    if (c->before.numerics > out->numerics_before) out->numerics_before = c->before.numerics;
    if (c->after.numerics > out->numerics_after) out->numerics_after = c->after.numerics;
    if (!(c->p_adjusted <= 1 - out->level)) continue;
    *((c->difference > 0) != out->lower ? &out->better : &out->worse) += 1;
  }
}

static void forget(far__changes *out) {
  for (size_t i = 0; i < out->n_changes; ++i) {
    free(out->changes[i].env);
    free(out->changes[i].agent);
    free(out->changes[i].env_label);
    free(out->changes[i].agent_label);
  }
  free(out->changes);
  out->changes = NULL;
  out->n_changes = 0;
}

/* The level at which all intervals hold simultaneously depends on their number, which is known only at the end:
 * they are computed a second time. */
static far_status find_all(changing *w, far_error *error) {
  const far__changes_def *def = w->def;
  far__changes_def again = *def;
  far_status status = find(w, error);
  if (status == FAR_OK) status = adjust(w, error);
  if (status != FAR_OK || w->out->n_tests < 2) return status;
  again.level = far_simultaneous_level(w->def->level, w->out->n_tests);
  forget(w->out);
  w->room = 0;
  for (size_t i = 0; i < w->before.n; ++i) w->before.items[i].taken = false;
  for (size_t i = 0; i < w->after.n; ++i) w->after.items[i].taken = false;
  w->def = &again;
  status = find(w, error);
  w->def = def;
  return status == FAR_OK ? adjust(w, error) : status;
}

/* ---- the whole ---- */

static far__changes *begin(const far__changes_def *def) {
  far__changes *out = calloc(1, sizeof *out);
  if (out == NULL) return NULL;
  *out = (far__changes){.before = strdup(def->before),
                        .after = strdup(def->after),
                        .series = strdup(def->series),
                        .level = def->level,
                        .correction = def->correction,
                        .lower = !far_series_higher_is_better(def->series)};
  if (out->before != NULL && out->after != NULL && out->series != NULL) return out;
  far__changes_free(out);
  return NULL;
}

far_status far__changes_create(far__changes **out, far_store *before, far_store *after,
                               const far__changes_def *def, far_error *error) {
  *out = NULL;
  changing w = {.out = begin(def), .def = def};
  if (w.out == NULL) return no_memory(error);
  far_status status = read_cells(&w.before, before, error);
  if (status == FAR_OK) status = read_cells(&w.after, after, error);
  if (status == FAR_OK) status = find_all(&w, error);
  if (status == FAR_OK && w.out->n_changes == 0)
    status = far__fail(error, FAR_STATUS_UNKNOWN, -1, "neither store has results of '%.100s'",
                       def->series);
  cells_free(&w.before);
  cells_free(&w.after);
  if (status == FAR_OK) {
    qsort(w.out->changes, w.out->n_changes, sizeof *w.out->changes, by_kind);
    count_up(w.out);
    *out = w.out;
  } else {
    far__changes_free(w.out);
  }
  return status;
}

void far__changes_free(far__changes *c) {
  if (c == NULL) return;
  forget(c);
  free(c->before);
  free(c->after);
  free(c->series);
  free(c);
}
