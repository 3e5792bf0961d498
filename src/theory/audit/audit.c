/* The audit: runs a batch with a watch on each run, adds up the findings in the order of replicates, and gives
 * the verdicts.
 *
 * The watch is a metric of the batch. Its value for a run is the index of the run's findings in an array, so that
 * they can be brought into the order of replicates although threads end runs in any order. */
#include "farsight/audit.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"
#include "base/error.h"
#include "base/text.h"
#include "farsight/solve.h"
#include "farsight/statistics.h"
#include "model/model.h"
#include "theory/audit/claims.h"

far_audit_def far_audit_def_default(void) {
  return (far_audit_def){.steps = 10000, .runs = 100, .seed = 1, .every = 1000};
}

const char *far_verdict_text(far_verdict verdict) {
  static const char *const texts[] = {"untested", "kept", "within delta", "VIOLATED"};
  return texts[verdict];
}

/* ---- the exact solution ---- */

/* Asks the caller whether to continue while the exact values are computed; no run has begun by then. */
static bool may_continue(void *user, int64_t sweeps, double error) {
  const far_audit_def *def = user;
  (void)sweeps, (void)error;
  const far_progress nothing = {.cells = 1,
                                .runs = def->runs,
                                .steps = (double)def->runs * (double)def->steps,
                                .seconds_left = NAN};
  return def->progress == NULL || def->progress(def->user, &nothing);
}

static far_status solve(far__truth *truth, const far_audit_def *audit, far_error *error) {
  far_solver *solver = NULL;
  far_solution best = {0};
  far_solve_def def = far_solve_def_default();
  def.gamma = truth->gamma;
  def.tolerance = 1e-9 * truth->v_max;
  def.method = FAR_METHOD_MODIFIED;
  def.progress = may_continue;
  def.user = (void *)audit; /* only read */
  far_status status = far_solver_create(&solver, truth->mdp, error);
  if (status == FAR_OK) status = far_solver_discounted(&best, solver, &def, error);
  if (status == FAR_OK) {
    for (size_t i = 0; i < truth->n_pairs; ++i) truth->q[i] = best.q[i] + truth->end;
    for (uint32_t s = 0; s < truth->n_states; ++s) truth->v[s] = best.v[s] + truth->end;
    truth->v[truth->n_states] = truth->end;
    far_solution_free(&best);
  }
  far_solver_free(solver);
  return status;
}

/* Solves for a finite horizon, without a discount; values are not shifted. */
static far_status solve_horizon(far__truth *truth, far_error *error) {
  far_solver *solver = NULL;
  far_horizon best = {0};
  far_status status = far_solver_create(&solver, truth->mdp, error);
  if (status == FAR_OK) status = far_solver_horizon(&best, solver, truth->horizon, 1, error);
  for (int64_t h = 0; status == FAR_OK && h < truth->horizon; ++h)
    status = far_horizon_pairs(truth->q + (size_t)h * truth->n_pairs, &best, solver, h, error);
  if (status == FAR_OK)
    memcpy(truth->v, best.v, (size_t)truth->horizon * truth->n_states * sizeof *truth->v);
  far_horizon_free(&best);
  far_solver_free(solver);
  return status;
}

/* The best average reward, if a claim needs it; stays NAN if the model has no single one. */
static far_status solve_gain(far__truth *truth, const far_audit_def *audit, far_error *error) {
  far_solve_def def = far_solve_def_default();
  def.tolerance = 1e-9 * truth->range;
  def.progress = may_continue;
  def.user = (void *)audit; /* only read */
  const far_status status = far_solve_best_total(&truth->gain, truth->mdp, 1, &def, error);
  truth->gain -= truth->low;
  return status;
}

/* The claims are about the problem's discount: an agent that plans with another one proves nothing about them. */
static far_status check_discount(const far_mdp *mdp, const far_agent *agent, far_error *error) {
  const double problem = far_mdp_gamma(mdp);
  double own;
  if (!far_agent_param(agent, "gamma", &own) || own == problem || agent->shape.horizon > 0)
    return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the agent plans with the discount %s, and the problem has %s: give both the "
                   "same, by gamma=%s in "
                   "the environment's spec, or --gamma",
                   far__shortest(own).text, far__shortest(problem).text, far__shortest(own).text);
}

/* The exact solution in the agent's units; `rounding` is a little more than its certified error. */
static far_status find_truth(far__truth *truth, const far_audit_def *def, const far_agent *agent,
                             far_error *error) {
  const far_mdp *mdp = def->mdp;
  const far_shape *shape = &agent->shape;
  *truth = (far__truth){.mdp = mdp,
                        .n_states = shape->n_states,
                        .n_actions = shape->n_actions,
                        .n_pairs = (size_t)shape->n_states * shape->n_actions,
                        .episodic = shape->episodic,
                        .low = shape->reward_min,
                        .range = shape->reward_max - shape->reward_min,
                        .gain = NAN};
  if (far__agent_by_step(agent)) truth->horizon = shape->horizon;
  const size_t steps = truth->horizon > 0 ? (size_t)truth->horizon : 1;
  far_agent_param(agent, "gamma", &truth->gamma);
  truth->v_max = truth->horizon > 0 ? truth->range * (double)truth->horizon
                                    : truth->range / (1 - truth->gamma);
  truth->end = truth->horizon > 0 ? 0 : -truth->low / (1 - truth->gamma);
  truth->rounding = 4e-9 * truth->v_max;
  truth->reward = calloc(truth->n_pairs, sizeof *truth->reward);
  truth->q = calloc(steps * truth->n_pairs, sizeof *truth->q);
  truth->v = calloc(steps * truth->n_states + 1, sizeof *truth->v);
  if (truth->reward == NULL || truth->q == NULL || truth->v == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the exact values");
  for (size_t i = 0; i < truth->n_pairs; ++i)
    for (size_t k = mdp->row[i]; k < mdp->row[i + 1]; ++k)
      truth->reward[i] += mdp->outcome[k].probability * (mdp->outcome[k].reward - truth->low);
  far_status status = check_discount(mdp, agent, error);
  if (status != FAR_OK) return status;
  status = truth->horizon > 0 ? solve_horizon(truth, error) : solve(truth, def, error);
  if (status != FAR_OK || !far__claim_applies(FAR__CLAIM_GAIN, agent->type)) return status;
  return solve_gain(truth, def, error);
}

/* ---- the watch, as a metric ---- */

typedef struct audit_metric {
  far_metric base;
  const far__checker *checker;
  const far__truth *truth;
  int64_t every;
  far__claim_findings *found; /* one for each run, in the order in which runs end */
  atomic_llong *ended;
} audit_metric;

typedef struct watcher {
  const audit_metric *metric;
  far__watch *watch;
  double *words;
} watcher;

static void free_watcher(void *of) {
  watcher *w = of;
  if (w == NULL) return;
  free(w->watch);
  free(w->words);
  free(w);
}

static far_status create_watcher(void **out, const far_metric *metric, const far_mdp *mdp,
                                 const far_agent *agent, int64_t steps, far_error *error) {
  const audit_metric *m = (const audit_metric *)metric;
  (void)mdp;
  (void)agent;
  (void)steps;
  watcher *w = calloc(1, sizeof *w);
  *out = w;
  if (w != NULL) {
    w->metric = m;
    w->watch = calloc(1, m->checker->size);
    w->words = calloc(m->checker->words(m->truth) + 1, sizeof *w->words);
  }
  if (w == NULL || w->watch == NULL || w->words == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the audit's tables");
  return FAR_OK;
}

static far_status begin_run(void *of, const far_agent *agent, uint32_t s, far_error *error) {
  const watcher *w = of;
  (void)error;
  *w->watch = (far__watch){.truth = w->metric->truth, .every = w->metric->every, .next = s};
  far__claim_findings *found = &w->watch->found;
  found->stream = agent->rng.word[0];
  for (int k = 0; k < FAR__CLAIM_COUNT; ++k) found->claim[k].worst = found->claim[k].bound = NAN;
  w->metric->checker->begin(w->watch, agent, w->words);
  return FAR_OK;
}

static far_status see_step(void *of, const far_agent *agent, const far_transition *step,
                           uint32_t next, far_error *error) {
  const watcher *w = of;
  (void)error;
  w->watch->t = agent->t;
  w->watch->next = next;
  w->metric->checker->step(w->watch, agent, step);
  return FAR_OK;
}

static double end_run(void *of, const far_agent *agent) {
  const watcher *w = of;
  w->metric->checker->end(w->watch, agent);
  const long long at = atomic_fetch_add(w->metric->ended, 1);
  w->metric->found[at] = w->watch->found;
  return (double)at;
}

/* ---- adding up ---- */

typedef struct audit_result {
  far_audit audit;
  char *spec;
  far_claim claims[FAR__CLAIM_COUNT];
  far_fact facts[FAR__FACT_COUNT];
} audit_result;

static const far_claim claim_list[] = {
#define FAR_CLAIM(id, word, sure, agents, text, where)                                             \
  {.name = (word), .statement = (text), .source = (where), .certain = (sure)},
#include "theory/audit/claims.def"
#undef FAR_CLAIM
};

static const far_fact fact_list[] = {
#define FAR_FACT(id, word, agents, text) {.name = (word), .meaning = (text)},
#include "theory/audit/claims-facts.def"
#undef FAR_FACT
};

/* Takes one run's findings; runs come in the order of their replicates. */
static void take(far_claim *claim, const far__claim_finding *found, uint64_t replicate) {
  if (found->checked == 0) return;
  if (found->worst == found->worst &&
      !(found->worst - found->bound <= claim->worst - claim->bound)) {
    claim->worst = found->worst;
    claim->bound = found->bound;
  }
  if (found->violated > 0 && claim->violated == 0) {
    claim->first = found->first;
    claim->first.replicate = replicate;
  }
  claim->checked += found->checked;
  claim->violated += found->violated;
  claim->runs += 1;
  claim->runs_violated += found->violated > 0;
}

/* The replicate of a run, found by the first word of its agent's stream among the replicates from *next on: a
 * batch that was stopped may have gaps. */
static uint64_t replicate_of(const far_audit_def *def, const far__claim_findings *found,
                             uint64_t *next) {
  far_rng rng;
  do far_rng_init(&rng, def->seed, def->first_replicate + (*next)++, FAR_PURPOSE_AGENT);
  while (rng.word[0] != found->stream && *next < (uint64_t)def->runs);
  return def->first_replicate + *next - 1;
}

static void add_up(audit_result *out, const far_audit_def *def, size_t agent_type,
                   const far__claim_findings *found, const far_result *order) {
  far_claim all[FAR__CLAIM_COUNT];
  int64_t totals[FAR__FACT_COUNT] = {0};
  memcpy(all, claim_list, sizeof all);
  for (int k = 0; k < FAR__CLAIM_COUNT; ++k) all[k].worst = all[k].bound = NAN;
  uint64_t next = 0;
  for (int64_t r = 0; r < order->runs; ++r) {
    const far__claim_findings *run = &found[(size_t)order->totals[r]];
    const uint64_t replicate = replicate_of(def, run, &next);
    for (int k = 0; k < FAR__CLAIM_COUNT; ++k) take(&all[k], &run->claim[k], replicate);
    for (int k = 0; k < FAR__FACT_COUNT; ++k) totals[k] += run->fact[k];
  }
  for (int k = 0; k < FAR__CLAIM_COUNT; ++k) {
    if (!far__claim_applies((far__claim_id)k, agent_type)) continue;
    far_claim *claim = &out->claims[out->audit.n_claims++];
    *claim = all[k];
    claim->low = 0;
    claim->high = 1;
    /* the lemmas bound the share of failures among all runs, not among those in which the claim was tested */
    if (order->runs > 0)
      far_proportion_interval(claim->runs_violated, order->runs, &claim->low, &claim->high);
    const bool significant = claim->low > out->audit.delta;
    claim->verdict = claim->checked == 0             ? FAR_VERDICT_UNTESTED
                     : claim->violated == 0          ? FAR_VERDICT_KEPT
                     : claim->certain || significant ? FAR_VERDICT_VIOLATED
                                                     : FAR_VERDICT_WITHIN;
  }
  for (int k = 0; k < FAR__FACT_COUNT; ++k) {
    if (!far__fact_applies((far__fact_id)k, agent_type)) continue;
    out->facts[out->audit.n_facts] = fact_list[k];
    out->facts[out->audit.n_facts++].total = totals[k];
  }
  out->audit.runs = order->runs;
}

/* ---- the audit ---- */

static far_status no_claim(const char *name, far_error *error) {
  char list[320] = "";
  for (size_t i = 0; i < FAR__AGENT_COUNT; ++i) {
    if (far__checker_of(i) == NULL) continue;
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
             far_agent_type(i)->name);
  }
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "%s makes no claim that could be audited; these do: %s", name, list);
}

bool far_agent_auditable(const char *name) {
  for (size_t i = 0; i < FAR__AGENT_COUNT; ++i)
    if (strcmp(far_agent_type(i)->name, name) == 0) return far__checker_of(i) != NULL;
  return false;
}

static far_status check_def(const far_audit_def *def, far_error *error) {
  if (def->mdp == NULL || def->agent == NULL || def->steps < 1 || def->runs < 1 || def->every < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "an audit needs a model, an agent, and at least 1 step, 1 run and every = 1");
  if (def->runs > INT64_MAX / 16 / (int64_t)sizeof(far__claim_findings))
    return far__fail(error, FAR_STATUS_MEMORY, -1, "%lld runs are too many", (long long)def->runs);
  if (!(def->delta >= 0 && def->delta < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "delta = %g must be in (0, 1), or 0 for the agent's own", def->delta);
  return FAR_OK;
}

/* Runs the batch with the metric, and adds up the runs that are finished. */
static far_status run_batch(audit_result *out, const far_audit_def *def, audit_metric *metric,
                            size_t agent_type, far_error *error) {
  far_batch *batch = NULL;
  const far_cell cell = {.mdp = def->mdp, .agent = def->agent, .steps = def->steps};
  const far_metric *const metrics[] = {&metric->base};
  far_batch_def batch_def = far_batch_def_default();
  batch_def.cells = &cell;
  batch_def.n_cells = 1;
  batch_def.runs = def->runs;
  batch_def.seed = def->seed;
  batch_def.first_replicate = def->first_replicate;
  batch_def.threads = def->threads;
  batch_def.metrics = metrics;
  batch_def.n_metrics = 1;
  batch_def.progress = def->progress;
  batch_def.user = def->user;
  metric->found = calloc((size_t)def->runs, sizeof *metric->found);
  if (metric->found == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the findings of %lld runs",
                     (long long)def->runs);
  const far_status status = far_batch_run(&batch, &batch_def, error);
  if (batch != NULL) add_up(out, def, agent_type, metric->found, far_batch_metric(batch, 0, 0));
  far_batch_free(batch);
  free(metric->found);
  return status;
}

static far_status audit_agent(audit_result *out, const far_audit_def *def, const far_agent *agent,
                              far_error *error) {
  const far__checker *checker = far__checker_of(agent->type);
  if (checker == NULL) return no_claim(far__agent_type_of(agent)->info.name, error);
  const char *excluded = checker->excluded != NULL ? checker->excluded(agent) : NULL;
  if (excluded != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "no claim is made of %s with %s, which is not printed",
                     far__agent_type_of(agent)->info.name, excluded);
  out->audit = (far_audit){.steps = def->steps, .delta = def->delta};
  if (!(out->audit.delta > 0) && !far_agent_param(agent, "delta", &out->audit.delta))
    out->audit.delta = 0.1;
  checker->known(out->audit.known, sizeof out->audit.known, agent);
  out->audit.cut = far__agent_by_step(agent) ? 0 : far_agent_shape(agent)->horizon;
  out->spec = malloc(strlen(agent->spec) + 1);
  if (out->spec == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a spec");
  memcpy(out->spec, agent->spec, strlen(agent->spec) + 1);
  out->audit.agent = out->spec;
  out->audit.claims = out->claims;
  out->audit.facts = out->facts;
  far__truth truth;
  atomic_llong ended = 0;
  far_status status = find_truth(&truth, def, agent, error);
  audit_metric metric = {.base = {.name = "audit",
                                  .create = create_watcher,
                                  .begin = begin_run,
                                  .step = see_step,
                                  .end = end_run,
                                  .free = free_watcher},
                         .checker = checker,
                         .truth = &truth,
                         .every = def->every,
                         .ended = &ended};
  if (status == FAR_OK) status = run_batch(out, def, &metric, agent->type, error);
  free(truth.reward);
  free(truth.q);
  free(truth.v);
  return status;
}

far_status far_audit_run(far_audit **out, const far_audit_def *def, far_error *error) {
  *out = NULL;
  far_agent *agent = NULL;
  far_status status = check_def(def, error);
  if (status != FAR_OK) return status;
  status = far_agent_create_on(&agent, def->agent, def->mdp, def->steps, def->seed, 0, error);
  if (status != FAR_OK) return status;
  audit_result *result = calloc(1, sizeof *result);
  status = result != NULL
               ? audit_agent(result, def, agent, error)
               : far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the audit's results");
  far_agent_free(agent);
  if (status == FAR_OK || status == FAR_STATUS_CANCELLED)
    *out = &result->audit;
  else if (result != NULL)
    far_audit_free(&result->audit);
  return status;
}

void far_audit_free(far_audit *audit) {
  if (audit == NULL) return;
  audit_result *result = (audit_result *)audit; /* it is the first member */
  free(result->spec);
  free(result);
}
