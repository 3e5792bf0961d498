/* Runs the entries of a benchmark. The library's own agents are one study; those of others are run one at a
 * time and problem by problem, so that one that fails takes nothing else with it, and it is known where. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "farsight/base.h"
#include "questions/benchmark/benchmark.h"

/* A word of a stream that no run uses: runs have replicates below 2^63. Never 0, which would mean none. */
uint64_t far__benchmark_agent_seed(uint64_t seed) {
  far_rng rng;
  far_rng_init(&rng, seed, UINT64_MAX, FAR_PURPOSE_AGENT);
  return far_rng_next(&rng) | 1;
}

void far__benchmark_list(const far__benchmark_plan *p) {
  for (size_t j = 0; j < p->n_agents; ++j) {
    p->specs[j] = p->entries[j].spec;
    p->agents[j] = p->entries[j].agent;
  }
}

static far_study_def study_of(const far__benchmark_plan *p) {
  far_study_def d = far_study_def_default();
  d.envs = p->envs;
  d.n_envs = p->n_envs;
  d.agents = p->specs;
  d.n_agents = p->n_agents;
  d.metrics = (const char *const *)&p->benchmark->score;
  d.n_metrics = p->benchmark->score != NULL;
  d.steps = p->benchmark->steps;
  d.runs = p->benchmark->runs;
  d.seed = p->benchmark->seed;
  d.curve = p->curve;
  d.agent_seed = far__benchmark_agent_seed(d.seed);
  return d;
}

/* Runs a study; adds the processor time of each agent to its entry. */
static far_status run(const far__benchmark_plan *p, const far_study_def *def, far__entry *entries,
                      far_error *error) {
  const far_study_run_def how = {.store = p->store,
                                 .threads = p->def->threads,
                                 .pool = p->def->pool,
                                 .progress = p->def->progress,
                                 .user = p->def->user};
  far_study *study;
  far_results *results = NULL;
  far_status status = far_study_create(&study, def, error);
  if (status != FAR_OK) return status;
  status = far_study_run(&results, study, &how, error);
  for (size_t i = 0; status == FAR_OK && i < def->n_envs * def->n_agents; ++i)
    entries[i % def->n_agents].seconds += far_batch_result(results->batch, i)->seconds;
  far_results_free(results);
  far_study_free(study);
  return status;
}

/* The entry failed, not the benchmark. */
static bool is_its_own(far_status status) {
  return status != FAR_OK && status != FAR_STATUS_CANCELLED && status != FAR_STATUS_MEMORY;
}

/* Runs a registered agent problem by problem until it fails; *where is then the problem. */
static far_status run_guest(const far__benchmark_plan *p, size_t j, const char **where,
                            far_error *error) {
  far_study_def d = study_of(p);
  far_status status = FAR_OK;
  d.agents = &p->specs[j];
  d.n_agents = d.n_envs = 1;
  for (size_t i = 0; status == FAR_OK && i < p->n_envs; ++i) {
    *where = p->envs[i];
    d.envs = &p->envs[i];
    status = run(p, &d, &p->entries[j], error);
  }
  return status;
}

static bool is_guest(const char *agent) {
  const far_type_info *type = far_spec_type(far_agent_type, agent);
  return type != NULL && type->registered;
}

/* Own agents to the front, each kind in the order in which it was given; how many they are. */
static size_t own_first(far__benchmark_plan *p) {
  size_t n_own = 0;
  for (size_t j = 0; j < p->n_agents; ++j) {
    const far__entry entry = p->entries[j];
    if (is_guest(entry.agent)) continue;
    memmove(p->entries + n_own + 1, p->entries + n_own, (j - n_own) * sizeof entry);
    p->entries[n_own++] = entry;
  }
  far__benchmark_list(p);
  return n_own;
}

/* Everything is checked before anything is run: specs, and that no two are alike. */
static far_status check(const far__benchmark_plan *p, far_error *error) {
  far_study_def d = study_of(p);
  far_study *study;
  d.n_metrics = 0;
  d.note = p->def->note;
  d.note_user = p->def->note_user;
  const far_status status = far_study_create(&study, &d, error);
  if (status != FAR_OK) return status;
  const bool grid = far_study_info_of(study).n_agents != p->n_agents;
  far_study_free(study);
  if (!grid) return FAR_OK;
  return far__fail(error, FAR_STATUS_SYNTAX, -1,
                   "an agent has a grid of parameters: the benchmark needs each agent by itself");
}

/* A metric that can only be 0 cannot rank agents: keeps the first such note. */
static void hear(void *user, const far_study_note *note) {
  far_error *empty = user;
  if (note->metric != NULL && note->severe && empty->code == FAR_OK)
    far__set_error(empty, FAR_STATUS_CONFLICT, -1, "%.100s on %.100s: %.300s", note->metric,
                   note->env, note->message);
}

/* Of a plan that is otherwise right: why the metric cannot judge it goes to part->left_out. */
static far_status check_score(far__benchmark_part *part, const far__benchmark_plan *p,
                              far_error *error) {
  far_study_def d = study_of(p);
  far_study *study;
  far_error empty = {.code = FAR_OK}, why;
  if (d.n_metrics == 0) return FAR_OK;
  d.note = hear;
  d.note_user = &empty;
  const far_status status = far_study_create(&study, &d, &why);
  far_study_free(study);
  if (status == FAR_OK) why = empty;
  if (status == FAR_STATUS_MEMORY || status == FAR_STATUS_CANCELLED) {
    if (error != NULL) *error = why;
    return status;
  }
  if (why.code != FAR_OK) snprintf(part->left_out, sizeof part->left_out, "%s", why.message);
  return FAR_OK;
}

static far_status run_guests(far__benchmark_part *part, far__benchmark_plan *p, size_t first,
                             far_error *error) {
  for (size_t j = first; j < p->n_agents;) {
    const char *where = NULL;
    far_error own;
    const far_status status = run_guest(p, j, &where, &own);
    if (status == FAR_OK) {
      ++j;
    } else if (is_its_own(status)) {
      far__standing *x = &part->standings[part->n_failed++];
      *x = (far__standing){.agent = p->agents[j],
                           .score = NAN,
                           .low = NAN,
                           .high = NAN,
                           .least = NAN,
                           .late = NAN,
                           .seconds = NAN};
      snprintf(x->failure, sizeof x->failure, "%.120s: %.480s", where, own.message);
      p->n_agents -= 1;
      memmove(p->entries + j, p->entries + j + 1, (p->n_agents - j) * sizeof *p->entries);
      far__benchmark_list(p);
    } else {
      if (error != NULL) *error = own;
      return status;
    }
  }
  return FAR_OK;
}

far_status far__benchmark_part_run(far__benchmark_part *part, far__benchmark_plan *p,
                                   far_error *error) {
  const double steps = (double)p->benchmark->runs * (double)p->benchmark->steps * (double)p->n_envs;
  const size_t n_own = own_first(p);
  far_status status = check(p, error);
  if (status == FAR_OK) status = check_score(part, p, error);
  if (part->left_out[0] != '\0') p->n_agents = 0;
  if (status != FAR_OK || p->n_agents == 0) return status;
  far_study_def own = study_of(p);
  own.n_agents = n_own;
  if (status == FAR_OK && n_own > 0) status = run(p, &own, p->entries, error);
  if (status == FAR_OK) status = run_guests(part, p, n_own, error);
  for (size_t j = 0; j < p->n_agents; ++j) p->entries[j].seconds /= steps;
  return status;
}
