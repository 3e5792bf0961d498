/* Measures what farsight-bench scale shows: each problem in a process of its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agents/facts.h"
#include "base/clock.h"
#include "bench/scale.h"
#include "model/criterion.h"

const scale_agent scale_agents[N_SCALE_AGENTS] = {
    {"directed-delayed-q", INFINITY, false},
    {"delayed-q", INFINITY, false},
    {"q-learning", INFINITY, false},
    {"count-q", INFINITY, false},
    {"r-max", 2e4, true},
    {"mbie-eb", 2e4, true},
    {"psrl", 2e3, true},
};

/* ---- problems ---- */

const char *scale_series_name(scale_series series) {
  static const char *const names[] = {"garnet", "chain", "actions"};
  return names[series];
}

static void list_problem(scale *x, size_t at, scale_series series, double pairs, uint32_t actions) {
  scale_problem *p = &x->problems[at];
  *p = (scale_problem){series, (uint32_t)(pairs / actions), actions, ""};
  if (series == SERIES_CHAIN)
    snprintf(p->env, sizeof p->env, "chain:n=%u,slip=0", p->states);
  else
    snprintf(p->env, sizeof p->env, "garnet:states=%u,actions=%u,branching=2", p->states,
             p->actions);
}

void scale_list(scale *x) {
  static const uint32_t actions[] = {2, 4, 10, 30, 100, 300, 1000};
  enum { N_ACTIONS = sizeof actions / sizeof *actions };
  size_t n = 0;
  for (double pairs = 1e2; pairs <= 1e8; pairs *= 10) {
    list_problem(x, n++, SERIES_CHAIN, pairs, 2);
    list_problem(x, n++, SERIES_GARNET, pairs, 2);
    for (size_t i = 0; i < N_ACTIONS && pairs == 1e5; ++i)
      list_problem(x, n++, SERIES_ACTIONS, pairs, actions[i]);
  }
}

const scale_row *find_row(const scale *x, int problem, int agent, int runs) {
  for (const scale_row *r = x->rows; r < x->rows + x->count; ++r)
    if (r->problem == problem && r->agent == agent && r->runs == runs) return r;
  return NULL;
}

/* The measurement of this agent and number of runs on the next smaller problem of the series; *times is the ratio of
 * the numbers of pairs. NULL if there is none. */
static const scale_row *smaller(const scale *x, int problem, int agent, int runs, double *times) {
  for (int k = problem - 1; k >= 0; --k) {
    const scale_row *r = find_row(x, k, agent, runs);
    if (x->problems[k].series != x->problems[problem].series || r == NULL || r->why[0] != '\0')
      continue;
    *times = pairs_of(&x->problems[problem]) / pairs_of(&x->problems[k]);
    return r;
  }
  return NULL;
}

/* ---- one measurement ---- */

/* Lengths of runs: each is four times the one before. Beginning a run costs the same at every length, so that the
 * difference of two lengths does not contain it. */
enum { N_LENGTHS = 11, FIRST_LENGTH = 64, PLANNED = 3 };

#define SHARE 0.125   /* the least share of the longer time that a difference must be */
#define PREPARED 2e-8 /* seconds to prepare a pair's tables, about */
#define SHORT 0.005   /* seconds: with a shorter slice planners run the shortest length only */

typedef struct clockwork {
  far_worker *worker;
  int64_t runs;
  double slice, end;
  far_error error;
} clockwork;

static far_status run_block(clockwork *c, size_t cell, double *seconds) {
  far_block block = {.cell = cell, .runs = c->runs};
  const far_status status = far_worker_run(c->worker, &block, &c->error);
  far_free((void *)block.values);
  *seconds = block.seconds;
  return status;
}

/* The best time of up to three blocks of runs of this length, after a first block in which the agent is created;
 * fewer blocks if they take long. */
static far_status time_length(clockwork *c, size_t cell, double *best) {
  double seconds, all = 0;
  far_status status = run_block(c, cell, &seconds);
  *best = INFINITY;
  for (int k = 0; status == FAR_OK && k < 3 && (k == 0 || all < 4 * c->slice); ++k) {
    status = run_block(c, cell, &seconds);
    *best = fmin(*best, seconds);
    all += seconds;
  }
  return status;
}

/* Times a step by the difference of two lengths. Goes on to longer runs until the difference is at least a slice,
 * and at least SHARE of the longer time. */
static far_status time_steps(clockwork *c, const far_cell *cells, size_t first, scale_row *out) {
  double before = INFINITY, now;
  for (size_t k = first; k < N_LENGTHS; ++k) {
    const far_status status = time_length(c, k, &now);
    if (status != FAR_OK) return status;
    if (k > first && now > before) {
      out->steps = (double)cells[k].steps;
      out->ns = 1e9 * (now - before) / (double)((cells[k].steps - cells[k - 1].steps) * c->runs);
      if ((now - before >= c->slice && now - before >= SHARE * now) ||
          far__clock_seconds() > c->end)
        return FAR_OK;
    }
    before = now;
  }
  return FAR_OK;
}

/* Times an agent that plans, on its first steps: most is learned there, and later steps get cheaper the longer a run
 * lasts. */
static far_status time_plans(clockwork *c, const far_cell *cells, scale_row *out) {
  double seconds;
  const size_t cell = c->slice >= SHORT ? PLANNED : 0;
  const far_status status = time_length(c, cell, &seconds);
  out->steps = (double)cells[cell].steps;
  out->ns = 1e9 * seconds / (double)(cells[cell].steps * c->runs);
  return status;
}

/* The index of the length to begin with. Assumes that a step costs as much as on the next smaller problem, and
 * chooses the shortest length whose difference to the next is long enough, also compared with the tables that are
 * prepared for each run. 0 if no smaller problem was measured. */
static size_t first_length(const scale *x, const scale_row *row) {
  double times;
  const scale_row *before = smaller(x, row->problem, row->agent, row->runs, &times);
  const double prepared = PREPARED * row->runs * pairs_of(&x->problems[row->problem]);
  const double wanted = fmax(1.1 * x->slice, SHARE * prepared);
  size_t k = 0;
  if (before == NULL) return 0;
  while (k + 2 < N_LENGTHS &&
         3e-9 * FIRST_LENGTH * pow(4, (double)k) * row->runs * before->ns < wanted)
    ++k;
  return k;
}

static far_status measure_agent(const scale *x, const far_mdp *mdp, scale_row *out,
                                far_error *error) {
  far_cell cells[N_LENGTHS];
  far_batch_def def = far_batch_def_default();
  clockwork c = {.runs = out->runs, .slice = x->slice, .end = x->limits.end};
  for (int k = 0; k < N_LENGTHS; ++k)
    cells[k] = (far_cell){.mdp = mdp,
                          .agent = scale_agents[out->agent].name,
                          .steps = FIRST_LENGTH * ((int64_t)1 << 2 * k)};
  def.cells = cells;
  def.n_cells = N_LENGTHS;
  def.runs = out->runs;
  far_status status = far_worker_create(&c.worker, &def, NULL, NULL, error);
  if (status != FAR_OK) return status;
  status = scale_agents[out->agent].plans ? time_plans(&c, cells, out)
                                          : time_steps(&c, cells, first_length(x, out), out);
  *error = c.error;
  far_worker_free(c.worker);
  return status;
}

/* ---- one problem, apart ---- */

typedef struct work {
  const scale *x;
  int problem;
} work;

/* Is this agent left out? Counts memory for the model and for the agents of all runs side by side. Expects the time
 * of the smaller problem; from 10^6 pairs on, preparing the tables makes it grow with the problem. */
static bool skip_agent(const scale *x, const far_mdp *mdp, scale_row *row) {
  const scale_agent *agent = &scale_agents[row->agent];
  const double pairs = pairs_of(&x->problems[row->problem]);
  const far_shape shape = far_mdp_shape(mdp);
  size_t bytes = 0;
  double times = 1;
  far_error error;
  if (far__agent_bytes(&bytes, agent->name, &shape, &error) != FAR_OK) bytes = 0;
  row->bytes = (double)bytes;
  if (pairs > agent->most_pairs) {
    snprintf(row->why, sizeof row->why, "it plans: measured up to %.0f pairs", agent->most_pairs);
    return true;
  }
  const scale_row *before = smaller(x, row->problem, row->agent, row->runs, &times);
  const double seconds = before == NULL ? 0 : before->seconds * (pairs >= 1e6 ? times / 2 : 1);
  return left_out(row->why, &x->limits, pairs,
                  (double)far__mdp_bytes(mdp) + (double)bytes * row->runs, seconds);
}

/* The most runs in a block of this agent; 0 for a model. On a chain it is 1, since no step waits for memory. */
static int runs_of(const scale *x, int problem, int agent) {
  const bool one =
      x->problems[problem].series == SERIES_CHAIN || scale_agents[agent < 0 ? 0 : agent].plans;
  return agent == MODEL ? 0 : one ? 1 : SIDE_BY_SIDE;
}

static void measure_agents_on(const work *w, const far_mdp *mdp, apart *to) {
  for (int i = 0; i < N_SCALE_AGENTS; ++i)
    for (int runs = 1; runs <= runs_of(w->x, w->problem, i); runs *= SIDE_BY_SIDE) {
      scale_row row = {.problem = w->problem, .agent = i, .runs = runs};
      far_error error;
      const double begun = far__clock_seconds();
      if (!skip_agent(w->x, mdp, &row) && measure_agent(w->x, mdp, &row, &error) != FAR_OK)
        snprintf(row.why, sizeof row.why, "%.*s", WHY_SIZE - 1, error.message);
      row.seconds = far__clock_seconds() - begun;
      row.peak = peak_memory();
      apart_give(to, &row);
    }
}

static void measure_problem(void *of, apart *to) {
  const work *w = of;
  scale_row row = {.problem = w->problem, .agent = MODEL};
  far_mdp *mdp;
  far_error error;
  const double begun = far__clock_thread();
  if (far_mdp_create(&mdp, w->x->problems[w->problem].env, &error) != FAR_OK)
    snprintf(row.why, sizeof row.why, "%.*s", WHY_SIZE - 1, error.message);
  row.seconds = far__clock_thread() - begun;
  row.peak = peak_memory();
  if (mdp != NULL) row.bytes = (double)far__mdp_bytes(mdp);
  apart_give(to, &row);
  if (mdp != NULL) measure_agents_on(w, mdp, to);
  far_mdp_free(mdp);
}

/* Is the whole problem left out? Estimated from the model of the next smaller problem, with an allowance for
 * building. */
static bool skip_problem(const scale *x, scale_row *row) {
  double times = 1;
  const double pairs = pairs_of(&x->problems[row->problem]);
  const scale_row *before = smaller(x, row->problem, MODEL, 0, &times);
  const double bytes = before == NULL ? 200 * pairs : times * before->bytes + 16 * pairs;
  return left_out(row->why, &x->limits, pairs, bytes,
                  before == NULL ? 0 : 1.5 * times * before->seconds);
}

/* Records as left out what a process did not measure because it ended early. */
static void note_missing(scale *x, int problem, const char *end) {
  for (int i = MODEL; i < N_SCALE_AGENTS; ++i)
    for (int runs = i == MODEL ? 0 : 1; runs <= runs_of(x, problem, i);
         runs = runs == 0 ? 1 : runs * SIDE_BY_SIDE) {
      if (find_row(x, problem, i, runs) != NULL || x->count == MOST_SCALE_ROWS) continue;
      scale_row *row = &x->rows[x->count++];
      *row = (scale_row){.problem = problem, .agent = i, .runs = runs};
      snprintf(row->why, sizeof row->why, "%s", end);
    }
}

void scale_measure(scale *x) {
  for (int i = 0; i < N_PROBLEMS; ++i) {
    scale_row *row = &x->rows[x->count], none = {.problem = i, .agent = MODEL};
    char end[80] = "";
    if (skip_problem(x, &none)) {
      *row = none;
      x->count += 1;
      continue;
    }
    note("%s", x->problems[i].env);
    work w = {x, i};
    x->count += do_apart(measure_problem, &w, row, sizeof *row, MOST_SCALE_ROWS - x->count, end);
    if (end[0] != '\0') note_missing(x, i, end);
  }
}
