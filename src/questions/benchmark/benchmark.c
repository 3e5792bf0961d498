#include "questions/benchmark/benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "farsight/run.h"
#include "questions/comparison/profiles.h"

/* ---- the suite ---- */

enum { TEST, TUNING };

static const far__benchmark_problem problems[] = {
#define FAR_PROBLEM(setting, part, spec, why) {spec, FAR__SETTING_##setting, part == TUNING, why},
#include "questions/benchmark/benchmark.def"
#undef FAR_PROBLEM
};

enum { N_PROBLEMS = sizeof problems / sizeof *problems };

const far__benchmark_problem *far__benchmark_problem_at(size_t index) {
  return index < N_PROBLEMS ? &problems[index] : NULL;
}

const char *far__setting_name(far__setting setting) {
  static const char *const names[] = {"continuing", "episodic", "finite horizon"};
  return (size_t)setting < FAR__SETTING_COUNT ? names[setting] : NULL;
}

far__benchmark_def far__benchmark_def_default(void) {
  return (far__benchmark_def){.seed = FAR__BENCHMARK_SEED};
}

/* ---- a setting ---- */

static bool runs_in(const char *agent, far__setting setting) {
  const far_type_info *type = far_spec_type(far_agent_type, agent);
  return type == NULL || !type->finite_horizon || setting == FAR__SETTING_HORIZON;
}

static far_status fill_plan(far__benchmark_plan *p, far__setting setting, far_error *error) {
  for (size_t i = 0; i < N_PROBLEMS; ++i)
    if (problems[i].setting == setting && problems[i].tuning == p->def->tuning)
      p->envs[p->n_envs++] = problems[i].env;
  for (size_t j = 0; j < p->def->n_agents; ++j) {
    const char *agent = p->def->agents[j];
    if (!runs_in(agent, setting)) continue;
    if (agent[strcspn(agent, ":=")] == '=')
      return far__fail(error, FAR_STATUS_SYNTAX, -1,
                       "'%.100s': agents of a benchmark are called by their specs, without a name",
                       agent);
    if (strlen(agent) >= FAR_SPEC_SIZE)
      return far__fail(error, FAR_STATUS_RANGE, -1, "agent %zu: the spec is too long", j);
    p->entries[p->n_agents].agent = agent;
    snprintf(p->entries[p->n_agents++].spec, FAR_SPEC_SIZE, "%s", agent);
  }
  far__benchmark_list(p);
  return FAR_OK;
}

static far_status run_part(far__benchmark_part *part, const far__benchmark *b,
                           const far__benchmark_def *def, far_store *store, far_error *error) {
  const size_t n = def->n_agents;
  const char *envs[N_PROBLEMS];
  char curve[64];
  snprintf(curve, sizeof curve, "%lld,%lld", (long long)far__benchmark_late(b),
           (long long)b->steps);
  far__benchmark_plan p = {.def = def,
                           .benchmark = b,
                           .curve = curve,
                           .store = store,
                           .envs = envs,
                           .entries = calloc(n, sizeof *p.entries),
                           .specs = (const char **)calloc(n, sizeof *p.specs),
                           .agents = (const char **)calloc(n, sizeof *p.agents)};
  far_status status = FAR_OK;
  part->standings = calloc(n, sizeof *part->standings);
  if (p.entries == NULL || p.specs == NULL || p.agents == NULL || part->standings == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for standings");
  if (status == FAR_OK) status = fill_plan(&p, part->setting, error);
  part->n_problems = p.n_envs;
  if (status == FAR_OK && p.n_agents > 0) status = far__benchmark_part_run(part, &p, error);
  if (status == FAR_OK) status = far__benchmark_judge(part, &p, error);
  free(p.entries);
  free((void *)p.specs);
  free((void *)p.agents);
  return status;
}

/* CONFLICT if the metric applies in no setting. */
static far_status check_left_out(const far__benchmark *b, far_error *error) {
  const char *why = "";
  for (int k = FAR__SETTING_COUNT - 1; k >= 0; --k) {
    if (b->parts[k].n_agents + b->parts[k].n_failed > 0) return FAR_OK;
    if (b->parts[k].left_out[0] != '\0') why = b->parts[k].left_out;
  }
  return why[0] == '\0' ? FAR_OK
                        : far__fail(error, FAR_STATUS_CONFLICT, -1,
                                    "the score judges in no setting. %.480s", why);
}

static far_status run_parts(far__benchmark *b, const far__benchmark_def *def, far_store *store,
                            far_error *error) {
  far_status status = FAR_OK;
  for (int k = 0; k < FAR__SETTING_COUNT && status == FAR_OK; ++k) {
    b->parts[k].setting = (far__setting)k;
    status = run_part(&b->parts[k], b, def, store, error);
  }
  return status == FAR_OK ? check_left_out(b, error) : status;
}

/* The metric as it is stored: by its canonical spec. */
static far_status name_score(far__benchmark *b, const char *score, far_error *error) {
  far_metric *metric;
  const far_status status = far_metric_create(&metric, score, error);
  if (status != FAR_OK) return status;
  b->score = strdup(metric->name);
  far_metric_free(metric);
  if (b->score != NULL) return FAR_OK;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the benchmark");
}

far_status far__benchmark_run(far__benchmark **out, const far__benchmark_def *def,
                              far_error *error) {
  *out = NULL;
  if (def->n_agents == 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "no agent is given for the benchmark");
  far_store *own = NULL;
  far_status status = FAR_OK;
  if (def->store == NULL) status = far_store_open(&own, "", FAR_STORE_MEMORY, error);
  if (status != FAR_OK) return status;
  far__benchmark *b = calloc(1, sizeof *b);
  if (b == NULL) {
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the benchmark");
  } else {
    const int64_t usual = def->long_runs ? FAR__BENCHMARK_LONG_RUNS : FAR__BENCHMARK_RUNS;
    b->tuning = def->tuning;
    b->steps = def->long_runs ? FAR__BENCHMARK_LONG_STEPS : FAR__BENCHMARK_STEPS;
    b->runs = def->runs > 0 ? def->runs : usual;
    b->seed = def->seed;
    status = def->score != NULL ? name_score(b, def->score, error) : FAR_OK;
    if (status == FAR_OK) status = run_parts(b, def, def->store != NULL ? def->store : own, error);
  }
  far_store_close(own);
  if (status == FAR_OK)
    *out = b;
  else
    far__benchmark_free(b);
  return status;
}

void far__benchmark_free(far__benchmark *b) {
  if (b == NULL) return;
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) {
    far__profiles_free(b->parts[k].profiles);
    far_comparison_free(b->parts[k].comparison);
    free(b->parts[k].scores);
    free(b->parts[k].late);
    free(b->parts[k].standings);
  }
  free(b->score);
  free(b);
}

size_t far__benchmark_failed(const far__benchmark *b) {
  size_t n = 0;
  for (int k = 0; k < FAR__SETTING_COUNT; ++k) n += b->parts[k].n_failed;
  return n;
}
