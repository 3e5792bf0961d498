/* A comparison from the question to the answer, and what its parts share. */
#include "questions/comparison/comparison.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/run.h"
#include "run/series.h"
#include "statistics/bootstrap.h"

far_comparison_def far_comparison_def_default(void) {
  return (far_comparison_def){.series = "total",
                              .correction = FAR_CORRECTION_HOLM,
                              .bootstrap = far_bootstrap_def_default(),
                              .most_agents = 60};
}

const char *far_correction_name(far_correction correction) {
  static const char *const names[] = {[FAR_CORRECTION_BONFERRONI] = "bonferroni",
                                      [FAR_CORRECTION_HOLM] = "holm",
                                      [FAR_CORRECTION_FDR] = "fdr"};
  return (size_t)correction < sizeof names / sizeof *names ? names[correction] : NULL;
}

/* ---- failures ---- */

bool far__work_check(far__comparing *c, far_status status) {
  if (c->status == FAR_OK) c->status = status;
  return c->status == FAR_OK;
}

static void out_of_memory(far__comparing *c) {
  if (c->status != FAR_OK) return;
  c->status = far__fail(c->error, FAR_STATUS_MEMORY, -1, "out of memory for the comparison");
}

bool far__work_answers(far__comparing *c, far_status status) {
  if (status == FAR_STATUS_MEMORY) out_of_memory(c);
  return status == FAR_OK;
}

bool far__work_progress(far__comparing *c, const char *what, size_t done, size_t count) {
  const far_comparison_def *def = c->def;
  c->what = what;
  c->done = done;
  c->count = count;
  if (c->status != FAR_OK || def->progress == NULL) return c->status == FAR_OK;
  if (def->progress(def->user, what, done, count)) return true;
  c->status = far__fail(c->error, FAR_STATUS_CANCELLED, -1, "the comparison was stopped");
  return false;
}

/* ---- memory ---- */

void *far__work_room(far__comparing *c, size_t count, size_t size) {
  void *out = calloc(count > 0 ? count : 1, size);
  if (out == NULL) out_of_memory(c);
  return out;
}

/* The room doubles at every power of two. */
bool far__work_grow(far__comparing *c, void **array, size_t count, size_t size) {
  if ((count & (count - 1)) != 0) return true;
  const size_t wanted = count > 0 ? 2 * count : 1;
  void *grown = wanted <= SIZE_MAX / 2 / size ? realloc(*array, wanted * size) : NULL;
  if (grown == NULL) out_of_memory(c);
  if (grown != NULL) *array = grown;
  return grown != NULL;
}

char *far__work_copy(far__comparing *c, const char *text) {
  const size_t size = strlen(text) + 1;
  char *out = far__work_room(c, size, 1);
  return out != NULL ? memcpy(out, text, size) : NULL;
}

void far__names_add(far__names *names, const char *name) {
  enum { MOST = 20, LONGEST = 120 };
  static const char others[] = " and others";
  char one[LONGEST + 8];
  if (names->cut) return;
  snprintf(one, sizeof one, "%s%.*s%s", names->count > 0 ? ", " : "", LONGEST, name,
           strlen(name) > LONGEST ? "…" : "");
  names->cut =
      names->count == MOST || names->length + strlen(one) + sizeof others > sizeof names->text;
  const char *added = names->cut ? others : one;
  memcpy(names->text + names->length, added, strlen(added) + 1);
  names->length += strlen(added);
  names->count += 1;
}

/* ---- the series ---- */

/* A name without the step of its checkpoint: "curve@100" is of the curve "curve". */
static size_t length_of_base(const char *name) {
  const char *at = strrchr(name, '@');
  return at != NULL ? (size_t)(at - name) : 0;
}

static void unknown_series(far__comparing *c) {
  const char *name;
  bool found = true;
  far__names names = {0};
  char last[FAR_SPEC_SIZE] = "";
  for (size_t i = 0; found && !names.cut; ++i) {
    if (!far__work_check(c, far_store_series(&name, &found, c->store, NULL, i, c->error))) return;
    const size_t length = found ? length_of_base(name) : 0;
    if (found && !c->curve) far__names_add(&names, name);
    if (!c->curve || length == 0 || length >= sizeof last) continue;
    if (strlen(last) == length && memcmp(last, name, length) == 0) continue;
    snprintf(last, sizeof last, "%.*s", (int)length, name);
    far__names_add(&names, last);
  }
  c->status = far__fail(c->error, FAR_STATUS_UNKNOWN, -1,
                        c->curve ? "the store has no curve of '%.100s'; there %s %s"
                                 : "the store has no series '%.100s'; there %s %s",
                        c->def->series, names.count > 0 ? "are" : "is",
                        names.count > 0 ? names.text : "none (runs with --curve have one)");
}

/* What to look for: the series itself, or any checkpoint of its curve. False if that is too long. */
static bool wanted_series(char out[FAR_SPEC_SIZE], const far__comparing *c) {
  const char *series = c->def->series;
  if (c->curve && strcmp(series, "total") == 0) series = "curve";
  const int length = snprintf(out, FAR_SPEC_SIZE, "%s%s", series, c->curve ? "@1" : "");
  return length < FAR_SPEC_SIZE;
}

/* The stored series that is meant. A store without results has none, and the name stays. */
static void find_series(far__comparing *c) {
  char wanted[FAR_SPEC_SIZE];
  const char *name;
  bool any;
  far_error why;
  c->out->exact = true;
  if (!far__work_check(c, far_store_series(&name, &any, c->store, NULL, 0, c->error))) return;
  far_status status = FAR_OK;
  if (any && wanted_series(wanted, c))
    status = far_store_series_nearest(&name, &c->out->exact, c->store, wanted, &why);
  else if (any)
    status = FAR_STATUS_UNKNOWN;
  if (status == FAR_STATUS_UNKNOWN) {
    unknown_series(c);
  } else if (status != FAR_OK) {
    if (c->error != NULL) *c->error = why;
    c->status = status;
  } else {
    char *copy = far__work_copy(c, any ? name : c->def->series);
    if (copy != NULL && any && c->curve) copy[length_of_base(copy)] = '\0';
    c->out->series = copy;
  }
}

/* ---- the whole ---- */

/* What the result refers to lives as long as the result, which comes first. */
typedef struct whole {
  far_comparison result;
  far__stored stored;
} whole;

void far_comparison_free(far_comparison *comparison) {
  if (comparison == NULL) return;
  far__groups_free(comparison);
  far__stored_free(&((whole *)comparison)->stored);
  free((char *)comparison->series);
  free((char *)comparison->baseline);
  free(comparison);
}

enum { FEWEST_RESAMPLES = 100 };

/* Called during a bootstrap: repeats the last progress. */
static bool goes_on(void *user) {
  far__comparing *c = user;
  return far__work_progress(c, c->what, c->done, c->count);
}

static void begin(far__comparing *c) {
  far_comparison *out = c->out;
  const far_comparison_def *def = c->def;
  c->how = def->bootstrap;
  c->how.go_on = goes_on;
  c->how.user = c;
  if (c->how.cache == NULL) c->how.cache = c->cache; /* NULL without memory: slower, and the same */
  if (def->quick) c->how.resamples = FEWEST_RESAMPLES;
  if (def->quick) c->how.method = FAR_BOOTSTRAP_PERCENTILE;
  out->paired = def->paired;
  out->bootstrap = def->bootstrap;
  out->bootstrap.go_on = NULL; /* it outlives the definition */
  out->bootstrap.cache = NULL;
  out->correction = def->correction;
  if (def->baseline != NULL) out->baseline = far__work_copy(c, def->baseline);
  if (c->status == FAR_OK) find_series(c);
  if (c->status != FAR_OK) return;
  out->lower = def->better == FAR_BETTER_KNOWN ? !far_series_higher_is_better(out->series)
                                               : def->better == FAR_BETTER_LOWER;
  out->event = far__series_event(out->series);
}

/* More agents than a table can show, or a reader compare: as a search leaves them. */
static void check_agents(far__comparing *c) {
  const size_t most = c->def->most_agents;
  for (size_t i = 0; i < c->out->n_groups && most > 0 && c->def->n_agents == 0; ++i) {
    const far_comparison_group *g = &c->out->groups[i];
    if (g->n_agents <= most) continue;
    const char *first = g->agents[0].label;
    c->status = far__fail(c->error, FAR_STATUS_CONFLICT, -1,
                          "%zu agents have runs of %lld steps with seed %llu, more than %zu: name "
                          "those to compare, by "
                          "a spec or a pattern such as '%.*s*', or choose the steps or the seed",
                          g->n_agents, (long long)g->steps, (unsigned long long)g->seed, most,
                          (int)(strcspn(first, ":") < 60 ? strcspn(first, ":") : 60), first);
    return;
  }
}

static void compute(far__comparing *c, void *user) {
  (void)user;
  bool baseline = c->def->baseline == NULL || c->out->n_groups == 0;
  for (size_t i = 0; i < c->out->n_groups && c->status == FAR_OK; ++i) {
    far_comparison_group *g = &c->out->groups[i];
    far__group_compute(c, g);
    baseline = baseline || g->baseline < g->n_agents;
  }
  if (c->status == FAR_OK && !baseline) far__unknown_agent(c, "baseline: ", c->def->baseline);
  if (c->status == FAR_OK && c->out->n_groups == 1) far__group_name(c, c->out->groups);
  for (size_t i = 0; i < c->out->n_groups; ++i) far__group_shorten(c, &c->out->groups[i]);
}

static far_status check_def(const far_comparison_def *def, far_error *error) {
  if (!(def->bootstrap.level > 0 && def->bootstrap.level < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the level must be between 0 and 1, such as 0.95");
  if (def->bootstrap.resamples < FEWEST_RESAMPLES)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there must be at least %d resamples",
                     FEWEST_RESAMPLES);
  if (far_correction_name(def->correction) == NULL)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no such correction of p-values");
  return FAR_OK;
}

far_status far__comparison_make(far_comparison **out, far_store *store, far__comparing *c,
                                void (*compute_all)(far__comparing *c, void *user), void *user) {
  *out = NULL;
  const far_status good = check_def(c->def, c->error);
  if (good != FAR_OK) return good;
  whole *w = calloc(1, sizeof *w);
  if (w == NULL)
    return far__fail(c->error, FAR_STATUS_MEMORY, -1, "out of memory for the comparison");
  c->out = &w->result;
  c->stored = &w->stored;
  c->store = store;
  c->cache = far__bootstrap_cache_create();
  begin(c);
  if (c->status == FAR_OK) far__stored_read(c);
  if (c->status == FAR_OK) far__groups_make(c);
  if (c->status == FAR_OK) check_agents(c);
  if (c->status == FAR_OK) compute_all(c, user);
  /* Nothing needs the runs as they were stored any longer. */
  for (size_t i = 0; i < w->stored.n_cells; ++i) {
    free(w->stored.cells[i].x);
    free(w->stored.cells[i].replicates);
    w->stored.cells[i].x = NULL;
    w->stored.cells[i].replicates = NULL;
  }
  far__bootstrap_cache_free(c->cache);
  if (c->status == FAR_OK)
    *out = &w->result;
  else
    far_comparison_free(&w->result);
  return c->status;
}

far_status far_comparison_create(far_comparison **out, far_store *store,
                                 const far_comparison_def *def, far_error *error) {
  far__comparing c = {.def = def, .error = error};
  return far__comparison_make(out, store, &c, compute, NULL);
}
