/* Parameter sensitivity: the whole, and the profiles of a search as the same result. */
#include "questions/sensitivity/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/spec.h"
#include "questions/listing/label.h"
#include "questions/tuning/tuned-comparison.h"
#include "questions/tuning/tuned.h"

far__sensitivity_def far__sensitivity_def_default(void) {
  return (far__sensitivity_def){.most_lines = 5};
}

void far__sensitivity_free(far__sensitivity *sensitivity) {
  if (sensitivity == NULL) return;
  far__kept_free(&((far__sensitivity_panels *)sensitivity)->kept);
  free(sensitivity);
}

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "out of memory for the sensitivity");
}

/* Hands the result out, or frees what there is of it. */
static far_status finish(far__sensitivity **out, far__sensitivity_panels *x, far_status status,
                         far_error *error) {
  if (status == FAR_OK && x->kept.failed) status = no_memory(error);
  if (status == FAR_OK)
    *out = &x->result;
  else
    far__sensitivity_free(&x->result);
  return status;
}

far_status far__sensitivity_create(far__sensitivity **out, const far_comparison *comparison,
                                   const far__sensitivity_def *def, far_error *error) {
  *out = NULL;
  if (def->group >= comparison->n_groups)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no group %zu; there are %zu",
                     def->group, comparison->n_groups);
  far__sensitivity_panels *x = calloc(1, sizeof *x);
  if (x == NULL) return no_memory(error);
  x->result.series = far__kept_text(&x->kept, comparison->series);
  x->result.lower = comparison->lower;
  x->result.level = comparison->bootstrap.level;
  return finish(out, x, far__sensitivity_grids(x, comparison, def, error), error);
}

/* ---- the profiles of a search ---- */

/* One profile, as the scores at the values of its parameter. */
typedef struct profile {
  const far__tuned_comparison_info *info;
  const far_tune_result *result;
  const far_tune_profile *profile;
  const char *agent;
} profile;

/* Whether the value of the best setting is one of the points. */
static bool has_best(const profile *p) {
  return p->profile->value != NULL && p->result->profile_score == p->result->profile_score;
}

static far__sensitivity_point search_point(const profile *p, const char *value) {
  const double sign = far__tuned_sign(p->info), score = p->result->profile_score;
  far__sensitivity_point out = {
      .runs = p->info->tune->profile, .low = NAN, .high = NAN, .other = ""};
  out.mean = sign * score;
  for (size_t k = 0; k < p->profile->n_points; ++k) {
    const far_tune_point *point = &p->profile->points[k];
    if (!far__same_value(point->value, value)) continue;
    out.mean = sign * (score - point->loss);
    out.low = out.mean - point->ci95;
    out.high = out.mean + point->ci95;
    return out;
  }
  return out;
}

/* The values in order; how many there are. */
static size_t search_values(far__kept *kept, far__sensitivity_parameter *out, const profile *p) {
  const size_t n = p->profile->n_points + has_best(p);
  far__sensitivity_value *values = far__kept_room(kept, n, sizeof *values);
  const far_param *param = far__agent_param(p->result->space, p->profile->key);
  out->values = values;
  if (values == NULL || n == 0) return 0;
  for (size_t k = 0; k < n; ++k)
    values[k].text = far__kept_text(kept, k < p->profile->n_points ? p->profile->points[k].value
                                                                   : p->profile->value);
  if (kept->failed) return 0;
  out->scale = far__values_arrange(values, n, param != NULL ? param->choices : NULL);
  return n;
}

static const char *env_of(far__kept *kept, const far__tuned_comparison_info *info) {
  char label[FAR_SPEC_SIZE];
  if (info->tune->n_cells == 1 && strlen(info->envs[0]) < sizeof label) {
    kept->failed = kept->failed || far__env_label(label, info->envs[0], NULL) != FAR_OK;
    return far__kept_text(kept, label);
  }
  return far__kept_format(kept, "%zu environments", info->tune->n_cells);
}

static void add_profile(far__kept *kept, far__sensitivity_parameter *out, const profile *p) {
  *out = (far__sensitivity_parameter){.agent = p->agent,
                                      .key = far__kept_text(kept, p->profile->key),
                                      .chosen = far__kept_text(kept, p->profile->value)};
  out->n_values = search_values(kept, out, p);
  far__sensitivity_panel *panel = far__kept_room(kept, 1, sizeof *panel);
  far__sensitivity_point *points = far__kept_room(kept, out->n_values, sizeof *points);
  const char **lines = far__kept_room(kept, 1, sizeof *lines);
  if (kept->failed) return;
  for (size_t v = 0; v < out->n_values; ++v) points[v] = search_point(p, out->values[v].text);
  lines[0] = "";
  *panel = (far__sensitivity_panel){env_of(kept, p->info), points, points};
  out->lines = lines;
  out->n_lines = 1;
  out->panels = panel;
  out->n_panels = 1;
}

/* "r-max", or "r-max (2)" for the second search of it. */
static const char *search_name(far__kept *kept, const far__tuned_comparison_info *info, size_t i) {
  const char *space = info->agents[i].result->space;
  size_t before = 0;
  for (size_t k = 0; k < i; ++k) {
    const far_tune_result *other = info->agents[k].result;
    before += other != NULL && far__spec_same_type(other->space, space);
  }
  const int length = (int)strcspn(space, ":");
  if (before == 0) return far__kept_part(kept, space, (size_t)length);
  return far__kept_format(kept, "%.*s (%zu)", length, space, before + 1);
}

static void add_search(far__sensitivity_panels *x, far__sensitivity_parameter *list,
                       const far__tuned_comparison_info *info, size_t i) {
  const far_tune_result *r = info->agents[i].result;
  if (r == NULL || r->n_profiles == 0) return;
  profile p = {.info = info, .result = r, .agent = search_name(&x->kept, info, i)};
  for (size_t k = 0; k < r->n_profiles && !x->kept.failed; ++k) {
    p.profile = &r->profiles[k];
    if (p.profile->n_points + has_best(&p) < 2) continue;
    add_profile(&x->kept, &list[x->result.n_parameters++], &p);
  }
}

far_status far__sensitivity_from_tuned(far__sensitivity **out,
                                       const far__tuned_comparison *comparison, far_error *error) {
  const far__tuned_comparison_info info = far__tuned_comparison_info_of(comparison);
  *out = NULL;
  far__sensitivity_panels *x = calloc(1, sizeof *x);
  if (x == NULL) return no_memory(error);
  size_t count = 0;
  for (size_t i = 0; i < info.n_agents; ++i)
    count += info.agents[i].result != NULL ? info.agents[i].result->n_profiles : 0;
  far__sensitivity_parameter *list = far__kept_room(&x->kept, count, sizeof *list);
  x->result = (far__sensitivity){.series = far__kept_text(&x->kept, far__tuned_series(&info)),
                                 .lower = far__tuned_sign(&info) < 0,
                                 .level = 0.95,
                                 .search = true,
                                 .parameters = list};
  for (size_t i = 0; i < info.n_agents && !x->kept.failed; ++i) add_search(x, list, &info, i);
  return finish(out, x, FAR_OK, error);
}
