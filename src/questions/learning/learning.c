/* One run, and what the agent knows at several times of it. The loop is that of run/loop.c in public
 * functions: the same streams in the same order, and so the same total to the bit. */
#include "questions/learning/learning.h"

#include <math.h> /* only for NAN */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"
#include "base/error.h"
#include "farsight/base.h"
#include "farsight/run.h"
#include "questions/listing/label.h"

static const struct {
  const char *name, *title;
} QUANTITIES[FAR__LEARNED_COUNT] = {
    [FAR__LEARNED_VISITS] = {"visits", "visits"},
    [FAR__LEARNED_Q] = {"q", "action value Q"},
    [FAR__LEARNED_BONUS] = {"bonus", "exploration bonus"},
    [FAR__LEARNED_E] = {"e", "exploration value E"},
    [FAR__LEARNED_LEARN] = {"learn", "pairs being learned (LEARN)"},
    [FAR__LEARNED_N] = {"n", "samples"},
    [FAR__LEARNED_VALUE] = {"value", "value of the state"},
    [FAR__LEARNED_POLICY] = {"policy", "policy"},
};

const char *far__learned_name(size_t quantity) {
  return quantity < FAR__LEARNED_COUNT ? QUANTITIES[quantity].name : NULL;
}

const char *far__learned_title(size_t quantity) {
  return quantity < FAR__LEARNED_COUNT ? QUANTITIES[quantity].title : NULL;
}

far__learning_def far__learning_def_default(void) {
  return (far__learning_def){
      .steps = 5000, .seed = 1, .step = FAR__LEARNING_FIRST, .exact = true, .gamma = NAN};
}

/* ---- times ---- */

/* The nearest of 1, 2, 3, 5 times a power of ten, by ratio. */
static int64_t round_time(double x) {
  static const double digit[] = {1, 2, 3, 5, 10};
  double scale = 1;
  while (scale * 10 <= x) scale *= 10;
  int k = 0;
  while (k < 4 && x / (digit[k] * scale) > digit[k + 1] * scale / x) ++k;
  return (int64_t)(digit[k] * scale);
}

size_t far__learning_times(int64_t out[FAR__LEARNING_TIMES], int64_t steps) {
  enum { TIMES = 6 };
  if (steps < 1) return 0;
  const double all = (double)steps, first = all < 100 ? 1 : all < 1000 ? all / 100 : 10;
  const double factor = far_log(all / first) / (TIMES - 1);
  size_t n = 0;
  for (int k = 0; k + 1 < TIMES; ++k) {
    const int64_t t = round_time(first * far_exp(factor * k));
    if (t < steps && (n == 0 || t > out[n - 1])) out[n++] = t;
  }
  out[n++] = steps;
  return n;
}

static far_status check_times(const far__learning_def *def, far_error *error) {
  for (size_t i = 0; i < def->n_times; ++i) {
    if (def->times[i] < 0 || def->times[i] > def->steps)
      return far__fail(error, FAR_STATUS_RANGE, -1, "time %lld is outside of 0 ... %lld steps",
                       (long long)def->times[i], (long long)def->steps);
    if (i > 0 && def->times[i] <= def->times[i - 1])
      return far__fail(error, FAR_STATUS_RANGE, -1, "times must ascend: %lld follows %lld",
                       (long long)def->times[i], (long long)def->times[i - 1]);
  }
  return FAR_OK;
}

/* The step of the episode whose values are shown. */
static int64_t step_of(const far__learning_def *def) {
  return def->step == FAR__LEARNING_FIRST ? 0 : def->step;
}

static far_status check_step(const far__learning_def *def, far_error *error) {
  const int64_t horizon = far_mdp_horizon(def->mdp), h = step_of(def);
  if (h == 0 || (h > 0 && h < horizon)) return FAR_OK;
  if (horizon == 0)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "step %lld of an episode is asked for, and the environment has no horizon",
                     (long long)h);
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "step %lld is outside an episode of %lld steps: 0 ... %lld", (long long)h,
                   (long long)horizon, (long long)horizon - 1);
}

static far_status check_def(const far__learning_def *def, far_error *error) {
  const far_shape shape = far_mdp_shape(def->mdp);
  const uint64_t pairs = (uint64_t)shape.n_states * shape.n_actions;
  if (def->steps < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there must be at least 1 step, not %lld",
                     (long long)def->steps);
  if (def->gamma < 0 || def->gamma >= 1)
    return far__fail(error, FAR_STATUS_RANGE, -1, "gamma must be in [0, 1), not %g", def->gamma);
  if (pairs > FAR__LEARNING_PAIRS || def->n_times > FAR__LEARNING_PAIRS / pairs)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "%llu pairs of states and actions at %zu times are too many: at most %d "
                     "together; give fewer times or take a smaller model",
                     (unsigned long long)pairs, def->n_times, (int)FAR__LEARNING_PAIRS);
  const far_status status = check_step(def, error);
  return status == FAR_OK ? check_times(def, error) : status;
}

/* ---- frames ---- */

enum { ARRAYS = 8 }; /* of pairs */

static void free_frame(far__learning_frame *f) {
  free(f->visits); /* the others lie behind it */
}

/* All arrays are reserved; those that the algorithm lacks become NULL when the frame is taken. */
static far_status make_frame(far__learning_frame *f, size_t pairs, size_t states,
                             far_error *error) {
  double *next = calloc(ARRAYS * pairs + 2 * states, sizeof *next);
  if (next == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu pairs at one time", pairs);
  *f = (far__learning_frame){.visits = next, .q_error = NAN};
  f->visits_at = next += pairs;
  f->q = next += pairs;
  f->bonus = next += pairs;
  f->e = next += pairs;
  f->learn = next += pairs;
  f->n = next += pairs;
  f->policy = next += pairs;
  f->value = next + pairs;
  f->optimal = f->value + states;
  return FAR_OK;
}

static void read_array(double **array, const far__learning *x, const far_agent *agent,
                       far_value kind) {
  if (!far_agent_values_at(agent, kind, x->step, *array)) *array = NULL;
}

static void find_values(far__learning_frame *f, const far__learning *x) {
  if (f->q == NULL) {
    f->value = NULL;
    return;
  }
  for (uint32_t s = 0; s < x->n_states; ++s) {
    const double *q = f->q + (size_t)s * x->n_actions;
    f->value[s] = q[0];
    for (uint32_t a = 1; a < x->n_actions; ++a)
      if (q[a] > f->value[s]) f->value[s] = q[a];
  }
}

static void count_visits(far__learning_frame *f, const far__learning *x) {
  const double *all = x->step_given ? f->visits_at : f->visits;
  for (uint32_t s = 0; s < x->n_states; ++s) {
    const double *visits = all + (size_t)s * x->n_actions;
    uint64_t pairs = 0;
    for (uint32_t a = 0; a < x->n_actions; ++a) pairs += visits[a] > 0;
    f->states_visited += pairs > 0;
    f->pairs_visited += pairs;
  }
}

/* What the agent knows now. `visits` is followed by those on the step shown. */
static void take_frame(far__learning_frame *f, const far__learning *x, const far_agent *agent,
                       const double *visits, int64_t step, double total) {
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  f->step = step;
  f->total = total;
  memcpy(f->visits, visits, pairs * sizeof *visits);
  memcpy(f->visits_at, visits + pairs, pairs * sizeof *visits);
  read_array(&f->q, x, agent, FAR_VALUE_Q);
  read_array(&f->bonus, x, agent, FAR_VALUE_BONUS);
  read_array(&f->e, x, agent, FAR_VALUE_E);
  read_array(&f->learn, x, agent, FAR_VALUE_LEARN);
  read_array(&f->n, x, agent, FAR_VALUE_N);
  if (!far_agent_policies_at(agent, x->step, f->policy)) f->policy = NULL;
  find_values(f, x);
  count_visits(f, x);
}

static far_status make_frames(far__learning *x, const far__learning_def *def, far_error *error) {
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  x->frames = calloc(def->n_times, sizeof *x->frames);
  if (x->frames == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %zu times", def->n_times);
  x->n_frames = def->n_times;
  far_status status = FAR_OK;
  for (size_t i = 0; i < x->n_frames && status == FAR_OK; ++i)
    status = make_frame(&x->frames[i], pairs, x->n_states, error);
  return status;
}

/* ---- the run ---- */

typedef struct walk {
  const far__learning_def *def;
  far_agent *agent;
  far_rng transition, start;
  uint32_t s;
  double total;
  int64_t t, episodes; /* steps taken, episodes ended */
  double *visits;      /* of all pairs, then of all on the step shown */
  int64_t step;        /* which that is; -1: all are */
  int64_t chunk;       /* steps between calls of progress */
} walk;

static far_status step_once(walk *w, far_error *error) {
  const far_mdp *mdp = w->def->mdp;
  uint32_t a;
  far_status status = far_agent_try_act(w->agent, w->s, &a, error);
  if (status != FAR_OK) return status;
  const far_outcome *o = far_mdp_step(mdp, w->s, a, &w->transition);
  const far_transition step = {w->s, a, o->reward, o->next, o->done, false};
  const bool timed = far_mdp_horizon(mdp) > 0; /* the agent counts the steps of an episode */
  const bool shown = w->step < 0 || far_agent_episode_step(w->agent) == w->step;
  status = far_agent_observe(w->agent, &step, error);
  if (status != FAR_OK) return status;
  const far_shape *shape = far_agent_shape(w->agent);
  const size_t pair = (size_t)w->s * shape->n_actions + a;
  w->visits[pair] += 1;
  w->visits[(size_t)shape->n_states * shape->n_actions + pair] += shown;
  w->total += o->reward;
  const bool ended = o->done || (timed && far_agent_episode_step(w->agent) == 0);
  w->s = ended ? far_mdp_start(mdp, &w->start) : o->next;
  w->episodes += ended;
  w->t += 1;
  return FAR_OK;
}

static bool is_over(const walk *w) {
  return w->t == w->def->steps || (w->def->episodes > 0 && w->episodes == w->def->episodes);
}

static far_status walk_until(walk *w, int64_t until, far_error *error) {
  const far__learning_def *def = w->def;
  while (w->t < until && !is_over(w)) {
    if (def->progress != NULL && w->t % w->chunk == 0 &&
        !def->progress(def->user, "run", w->t, def->steps))
      return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped while running the agent");
    const far_status status = step_once(w, error);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

/* Of a run that is over no more times are shown. A registered agent that failed while it was read says so when it is
 * asked for an action. */
static far_status walk_all(walk *w, far__learning *x, far_error *error) {
  far_status status = FAR_OK;
  size_t shown = 0;
  uint32_t a;
  while (status == FAR_OK && shown < x->n_frames && (shown == 0 || !is_over(w))) {
    status = walk_until(w, w->def->times[shown], error);
    if (status == FAR_OK) take_frame(&x->frames[shown++], x, w->agent, w->visits, w->t, w->total);
  }
  if (status == FAR_OK) status = walk_until(w, x->steps, error);
  if (status == FAR_OK) status = far_agent_try_act(w->agent, w->s, &a, error);
  while (status == FAR_OK && x->n_frames > shown) free_frame(&x->frames[--x->n_frames]);
  x->steps = w->t;
  x->total = w->total;
  return status;
}

static far_status run_agent(far__learning *x, far_agent *agent, const far__learning_def *def,
                            far_error *error) {
  const far_type_info *type = far_spec_type(far_agent_type, x->agent);
  const bool plans = type == NULL || type->model_based;
  const bool by_step = x->by_step || x->step_given;
  walk w = {.def = def, .agent = agent, .step = by_step ? x->step : -1, .chunk = plans ? 1 : 256};
  far_rng_init(&w.transition, def->seed, def->replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&w.start, def->seed, def->replicate, FAR_PURPOSE_START);
  w.s = far_mdp_start(def->mdp, &w.start);
  w.visits = calloc((size_t)x->n_states * x->n_actions, 2 * sizeof *w.visits);
  if (w.visits == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to count visits");
  const far_status status = walk_all(&w, x, error);
  free(w.visits);
  return status;
}

/* ---- the whole ---- */

/* The name that the caller gives, or the spec. */
static void name_env(far__learning *x, const far__learning_def *def) {
  const far_cell cell = {.mdp = def->mdp, .name = def->name};
  const char *env = far_cell_env(&cell), *label = far_mdp_label(def->mdp);
  snprintf(x->env, sizeof x->env, "%s", env[0] != '\0' ? env : "model");
  snprintf(x->env_label, sizeof x->env_label, "%s", label[0] != '\0' ? label : x->env);
}

static far_status make_agent(far_agent **out, far__learning *x, const far__learning_def *def,
                             far_error *error) {
  const far_shape shape = far_shape_for(far_mdp_shape(def->mdp), def->steps, def->episodes);
  far_spec *spec;
  *out = NULL;
  far_status status = far_spec_of_agent(&spec, def->agent, &shape, error);
  if (status == FAR_OK)
    status = far_agent_from(out, spec, def->mdp, def->seed, def->replicate, error);
  if (status == FAR_OK) snprintf(x->agent, sizeof x->agent, "%s", far_spec_canonical(spec));
  if (status == FAR_OK) status = far_spec_label(x->agent_label, spec, error);
  if (status != FAR_OK) {
    far_agent_free(*out);
    *out = NULL;
  }
  far_spec_free(spec);
  return status;
}

static far_status fill(far__learning *x, const far__learning_def *def, far_error *error) {
  far_agent *agent;
  far_status status = make_agent(&agent, x, def, error);
  if (status != FAR_OK) return status;
  x->by_step = far__agent_by_step(agent);
  name_env(x, def);
  status = make_frames(x, def, error);
  if (status == FAR_OK) status = run_agent(x, agent, def, error);
  if (status == FAR_OK) status = far__learning_solve(x, agent, def, error);
  far_agent_free(agent);
  return status;
}

static far__learning *make(const far__learning_def *def) {
  const far_shape shape = far_mdp_shape(def->mdp);
  far__learning *x = calloc(1, sizeof *x);
  if (x == NULL) return NULL;
  x->mdp = def->mdp;
  x->n_states = shape.n_states;
  x->n_actions = shape.n_actions;
  x->n_live = far_shape_live(&shape);
  x->steps = def->steps;
  x->horizon = shape.horizon;
  x->step = step_of(def);
  x->step_given = def->step != FAR__LEARNING_FIRST && shape.horizon > 0;
  x->seed = def->seed;
  x->replicate = def->replicate;
  return x;
}

far_status far__learning_create(far__learning **out, const far__learning_def *def,
                                far_error *error) {
  int64_t times[FAR__LEARNING_TIMES];
  far__learning_def used = *def;
  *out = NULL;
  if (def->n_times == 0) {
    used.n_times = far__learning_times(times, def->steps);
    used.times = times;
  }
  far_status status = check_def(&used, error);
  if (status != FAR_OK) return status;
  far__learning *x = make(&used);
  if (x == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a run");
  status = fill(x, &used, error);
  if (status == FAR_OK)
    *out = x;
  else
    far__learning_free(x);
  return status;
}

/* ---- an agent as it is ---- */

static far_status check_agent(const far_agent *agent, const far__learning_def *def,
                              far_error *error) {
  const far_shape *a = far_agent_shape(agent), m = far_mdp_shape(def->mdp);
  const bool same = a->n_states == m.n_states && a->n_actions == m.n_actions;
  if (same && (a->horizon == m.horizon || (a->horizon == 0 && step_of(def) == 0))) return FAR_OK;
  if (same)
    return far__fail(error, FAR_STATUS_MISMATCH, -1,
                     "the agent has a horizon of %lld steps, the model one of %lld (0: none)",
                     (long long)a->horizon, (long long)m.horizon);
  return far__fail(error, FAR_STATUS_MISMATCH, -1,
                   "the agent has %lu states and %lu actions, the model %lu and %lu",
                   (unsigned long)a->n_states, (unsigned long)a->n_actions,
                   (unsigned long)m.n_states, (unsigned long)m.n_actions);
}

static far_status fill_live(far__learning *x, const far_agent *agent, const int64_t *visits,
                            const far__learning_def *def, far_error *error) {
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  x->by_step = far__agent_by_step(agent);
  name_env(x, def);
  snprintf(x->agent, sizeof x->agent, "%s", far_agent_spec(agent));
  far_status status = far__agent_label(x->agent_label, x->agent, far_agent_shape(agent), error);
  if (status == FAR_OK) status = make_frames(x, def, error);
  double *counts = status == FAR_OK ? calloc(pairs, 2 * sizeof *counts) : NULL;
  if (status != FAR_OK) return status;
  if (counts == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to count visits");
  for (size_t i = 0; visits != NULL && i < pairs; ++i)
    counts[i] = counts[pairs + i] = (double)visits[i];
  take_frame(&x->frames[0], x, agent, counts, x->steps, NAN);
  free(counts);
  return far__learning_solve(x, agent, def, error);
}

far_status far__learning_from_agent(far__learning **out, const far_agent *agent,
                                    const int64_t *visits, const far__learning_def *def,
                                    far_error *error) {
  const int64_t now = (int64_t)far_agent_steps(agent);
  far__learning_def used = *def;
  *out = NULL;
  used.steps = now > 0 ? now : 1; /* which the checks want */
  used.times = &used.steps;
  used.n_times = 1;
  used.seed = used.replicate = 0;
  far_status status = check_agent(agent, def, error);
  if (status == FAR_OK) status = check_def(&used, error);
  if (status != FAR_OK) return status;
  far__learning *x = make(&used);
  if (x == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for an agent");
  x->live = true;
  x->steps = now;
  x->total = NAN;
  status = fill_live(x, agent, visits, &used, error);
  if (status == FAR_OK)
    *out = x;
  else
    far__learning_free(x);
  return status;
}

void far__learning_free(far__learning *learning) {
  if (learning == NULL) return;
  for (size_t i = 0; i < learning->n_frames; ++i) free_frame(&learning->frames[i]);
  free(learning->frames);
  free(learning->exact.v);
  free(learning->exact.q);
  free(learning->exact.policy);
  far_mdp_free(learning->owned);
  free(learning);
}

const double *far__learning_array(const far__learning *learning, size_t frame,
                                  far__learned quantity) {
  if (frame >= learning->n_frames) return NULL;
  const far__learning_frame *f = &learning->frames[frame];
  switch (quantity) {
  case FAR__LEARNED_VISITS: return learning->step_given ? f->visits_at : f->visits;
  case FAR__LEARNED_Q: return f->q;
  case FAR__LEARNED_BONUS: return f->bonus;
  case FAR__LEARNED_E: return f->e;
  case FAR__LEARNED_LEARN: return f->learn;
  case FAR__LEARNED_N: return f->n;
  case FAR__LEARNED_VALUE: return f->value;
  case FAR__LEARNED_POLICY: return f->policy;
  default: return NULL;
  }
}
