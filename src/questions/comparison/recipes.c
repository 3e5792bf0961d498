/* Hashes of cells, and the commands that compute them again. */
#include "questions/comparison/recipes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "farsight/base.h"
#include "farsight/mdp.h"
#include "farsight/run.h"
#include "lab/store/access.h"
#include "lab/study/parts.h"
#include "run/simulator.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the commands of cells");
}

/* ---- small things ---- */

far_status far__values_hash(char out[FAR_HASH_TEXT], const double *values, int64_t n,
                            far_error *error) {
  uint8_t digest[FAR_HASH_BYTES];
  uint8_t *bytes = malloc((size_t)n * 8 + 1);
  out[0] = '\0';
  if (bytes == NULL) return no_memory(error);
  for (int64_t i = 0; i < n; ++i) far__put_f64(bytes + 8 * i, values[i]);
  far_hash(digest, bytes, (size_t)n * 8);
  far_hash_text(out, digest);
  free(bytes);
  return FAR_OK;
}

static void put_quoted(far__text *out, const char *text) {
  static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_@%+=:,./-";
  if (text[0] != '\0' && text[strspn(text, harmless)] == '\0') {
    far__text_add(out, text, strlen(text));
    return;
  }
  far__text_add(out, "'", 1);
  for (; *text != '\0'; ++text) {
    const size_t plain = strcspn(text, "'");
    far__text_add(out, text, plain);
    text += plain;
    if (*text == '\0') break;
    far__text_add(out, "'\\''", 4);
  }
  far__text_add(out, "'", 1);
}

char *far__shell_quote(const char *text) {
  far__text out = {0};
  put_quoted(&out, text);
  if (!out.failed) return out.bytes;
  far_buffer_free(&out);
  return NULL;
}

/* ---- what was recorded of a cell ---- */

typedef struct recorded {
  char **metrics;
  size_t n_metrics, metric_room;
  int64_t *steps; /* of the curve */
  size_t n_steps, step_room;
} recorded;

static bool add_step(recorded *r, const char *text) {
  int64_t step;
  if (!far__integer_parse(text, strlen(text), &step)) return true;
  if (!far__grow((void **)&r->steps, r->n_steps, &r->step_room, sizeof *r->steps)) return false;
  r->steps[r->n_steps++] = step;
  return true;
}

/* Series of other programs have any name: only metrics of this library are asked for again. */
static bool add_series(recorded *r, const char *series) {
  if (strncmp(series, "curve@", 6) == 0) return add_step(r, series + 6);
  if (strchr(series, '@') != NULL || far_spec_type(far_metric_type, series) == NULL) return true;
  if (!far__grow((void **)&r->metrics, r->n_metrics, &r->metric_room, sizeof *r->metrics))
    return false;
  r->metrics[r->n_metrics] = strdup(series);
  return r->metrics[r->n_metrics++] != NULL;
}

static far_status read_recorded(recorded *out, far_store *store, const char *key,
                                far_error *error) {
  const char *series;
  bool found = true;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = far_store_series(&series, &found, store, key, i, error);
    if (status == FAR_OK && found && !add_series(out, series)) status = no_memory(error);
  }
  return status;
}

/* ---- the command ---- */

/* The checkpoints are those of this text; `out` takes note of lacking memory. */
static bool is_curve(far__text *out, const recorded *r, const char *text, int64_t steps) {
  int64_t *points;
  size_t n;
  const far_status status = far__curve_checkpoints(&points, &n, text, steps, NULL);
  out->failed = out->failed || status == FAR_STATUS_MEMORY;
  if (status != FAR_OK) return false;
  const bool same = n == r->n_steps && memcmp(points, r->steps, n * sizeof *points) == 0;
  far_free(points);
  return same;
}

/* " --curve 100", " --curve 'log 50'" or all checkpoints. Logarithmic ones near the start are equal when
 * rounded, so that there may be fewer than were asked for. */
static void put_curve(far__text *out, const recorded *r, int64_t steps) {
  char text[64];
  if (r->n_steps == 0) return;
  snprintf(text, sizeof text, "%zu", r->n_steps);
  if (is_curve(out, r, text, steps)) {
    far__text_format(out, " --curve %s", text);
    return;
  }
  for (size_t n = r->n_steps; n <= 2 * r->n_steps + 2; ++n) {
    snprintf(text, sizeof text, "log %zu", n);
    if (!is_curve(out, r, text, steps)) continue;
    far__text_format(out, " --curve '%s'", text);
    return;
  }
  for (size_t i = 0; i < r->n_steps; ++i)
    far__text_format(out, "%s%lld", i == 0 ? " --curve " : ",", (long long)r->steps[i]);
}

static char *command_of(const far_comparison_group *g, const far__recipe *cell, int64_t runs,
                        const recorded *r) {
  const far_comparison_env *env = &g->envs[cell->env];
  far__text out = {0};
  far__text_format(&out, "farsight run -e ");
  put_quoted(&out, env->spec);
  far__text_format(&out, " -a ");
  put_quoted(&out, g->cells[cell->env * g->n_agents + cell->agent].spec);
  if (g->episodes > 0) far__text_format(&out, " --episodes %lld", (long long)g->episodes);
  far__text_format(&out, " --steps %lld --runs %lld --seed %llu",
                   (long long)g->cells[cell->env * g->n_agents + cell->agent].steps,
                   (long long)runs, (unsigned long long)g->seed);
  for (size_t i = 0; i < r->n_metrics; ++i) {
    far__text_format(&out, " --metric ");
    put_quoted(&out, r->metrics[i]);
  }
  put_curve(&out, r, g->episodes > 0 ? g->episodes : g->steps);
  far__text_format(&out, " --json");
  if (!out.failed) return out.bytes;
  far_buffer_free(&out);
  return NULL;
}

static const char *obstacle(const far_comparison_group *g, const far__recipe *cell) {
  const far_comparison_env *env = &g->envs[cell->env];
  const char *agent = g->cells[cell->env * g->n_agents + cell->agent].spec;
  if (g->agents[cell->agent].origin != FAR_ORIGIN_COMPUTED) return "imported";
  if (far__simulator_is_spec(env->spec)) return "computed by a program in its own simulator";
  if (far_spec_type(far_mdp_family, env->spec) == NULL)
    return "computed by a program on a model of its own";
  if (far_spec_type(far_agent_type, agent) == NULL) return "computed by a program's own agent";
  return NULL;
}

/* ---- one cell ---- */

static far_status write_command(far__recipe *out, far_store *store, const far_comparison_group *g,
                                int64_t runs, far_error *error) {
  recorded r = {0};
  out->why = obstacle(g, out);
  if (out->why != NULL) return FAR_OK;
  far_status status = read_recorded(&r, store, out->key, error);
  if (status == FAR_OK) out->command = command_of(g, out, runs, &r);
  for (size_t i = 0; i < r.n_metrics; ++i) free(r.metrics[i]);
  free(r.metrics);
  free(r.steps);
  return status == FAR_OK && out->command == NULL ? no_memory(error) : status;
}

static far_status fill(far__recipe *out, far_store *store, const far_comparison_group *g,
                       far_error *error) {
  double *x = NULL;
  int64_t *replicates = NULL, n = 0;
  far_error why;
  far_status status = far__store_values(&x, &replicates, &n, store, out->key, "total", &why);
  if (status == FAR_STATUS_UNKNOWN)
    status = FAR_OK; /* imported, and only another series */
  else if (status == FAR_OK)
    status = far__values_hash(out->hash, x, n, error);
  else if (error != NULL)
    *error = why;
  out->runs = n;
  const int64_t last = n > 0 ? replicates[n - 1] + 1 : 0;
  out->gaps = last > n;
  if (status == FAR_OK) status = write_command(out, store, g, last, error);
  far_free(x);
  far_free(replicates);
  return status;
}

/* ---- all of them ---- */

static size_t count_records(const far_comparison *comparison) {
  size_t n = 0;
  for (size_t i = 0; i < comparison->n_groups; ++i) {
    const far_comparison_group *g = &comparison->groups[i];
    for (size_t k = 0; k < g->n_envs * g->n_agents; ++k)
      n += g->cells[k].runs > 0 ? g->cells[k].records : 0;
  }
  return n;
}

far_status far__recipes_create(far__recipes **out, far_store *store,
                               const far_comparison *comparison,
                               far_comparison_progress_fn *progress, void *user, far_error *error) {
  const size_t n = count_records(comparison);
  far__recipes *r = calloc(1, sizeof *r);
  *out = NULL;
  if (r != NULL) r->cells = calloc(n + 1, sizeof *r->cells);
  if (r == NULL || r->cells == NULL) {
    free(r);
    return no_memory(error);
  }
  for (size_t i = 0; i < comparison->n_groups; ++i) {
    const far_comparison_group *g = &comparison->groups[i];
    for (size_t k = 0; k < g->n_envs * g->n_agents; ++k)
      for (size_t j = 0; g->cells[k].runs > 0 && j < g->cells[k].records; ++j)
        r->cells[r->n_cells++] = (far__recipe){.group = i,
                                               .env = k / g->n_agents,
                                               .agent = k % g->n_agents,
                                               .key = g->cells[k].keys[j]};
  }
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i <= n; ++i) {
    if (progress != NULL && !progress(user, "hash", i, n))
      status = far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped");
    else if (i < n)
      status = fill(&r->cells[i], store, &comparison->groups[r->cells[i].group], error);
  }
  if (status == FAR_OK)
    *out = r;
  else
    far__recipes_free(r);
  return status;
}

void far__recipes_free(far__recipes *r) {
  if (r == NULL) return;
  for (size_t i = 0; i < r->n_cells; ++i) free(r->cells[i].command);
  free(r->cells);
  free(r);
}
