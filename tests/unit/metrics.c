/* The metrics against brute force: every policy of a run solved anew, every return summed up anew,
 * every future of a learning agent enumerated. */
#include <farsight/farsight.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agents/agent.h"
#include "check.h"
#include "run/metrics/policy-value.h"
#include "run/series.h"
#include "worlds.h"

enum { SEED = 5, MOST = 1000 };

/* Two starts, an end that pays and one that does not. */
static far_mdp *episodes(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 5, 2, NULL);
  for (uint32_t s = 0; s < 3; ++s) {
    far_mdp_builder_outcome(b, s, 0, 0.8, s + 1, s == 2 ? 2.0 : 0.0, NULL);
    far_mdp_builder_outcome(b, s, 0, 0.2, 0, 0.1, NULL);
    far_mdp_builder_outcome(b, s, 1, 0.5, 4, 0.3, NULL);
    far_mdp_builder_outcome(b, s, 1, 0.5, s, -0.2, NULL);
  }
  far_mdp_builder_terminal(b, 3, NULL);
  far_mdp_builder_terminal(b, 4, NULL);
  far_mdp_builder_start(b, 0, 0.75, NULL);
  far_mdp_builder_start(b, 1, 0.25, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

/* ---- what the library says ---- */

typedef struct said {
  far_batch *batch;
  far_metric *metrics[12];
  size_t count;
} said;

static said ask_cell(const far_cell *cell, uint64_t first, int64_t runs, unsigned threads,
                     const char *const *specs) {
  said out = {0};
  far_error error = {0};
  far_batch_def def = far_batch_def_default();
  for (; specs[out.count] != NULL; ++out.count)
    if (far_metric_create(&out.metrics[out.count], specs[out.count], &error) != FAR_OK) break;
  CHECK_TEXT(error.message, "");
  def.cells = cell;
  def.n_cells = 1;
  def.runs = runs;
  def.seed = SEED;
  def.threads = threads;
  def.first_replicate = first;
  def.metrics = (const far_metric *const *)out.metrics;
  def.n_metrics = out.count;
  const far_status status = far_batch_run(&out.batch, &def, &error);
  CHECK(status == FAR_OK);
  if (status != FAR_OK) printf("  %s: %s\n", cell->agent, error.message);
  return out;
}

static said ask_from(uint64_t first, const far_mdp *mdp, const char *agent, int64_t steps,
                     int64_t runs, unsigned threads, const char *const *specs) {
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = steps};
  return ask_cell(&cell, first, runs, threads, specs);
}

static said ask(const far_mdp *mdp, const char *agent, int64_t steps, int64_t runs,
                unsigned threads, const char *const *specs) {
  return ask_from(0, mdp, agent, steps, runs, threads, specs);
}

static double number(const said *x, size_t metric, size_t run) {
  return far_batch_metric(x->batch, 0, metric)->totals[run];
}

static void forget(said *x) {
  for (size_t k = 0; k < x->count; ++k) far_metric_free(x->metrics[k]);
  far_batch_free(x->batch);
}

/* ---- the same run by hand ---- */

typedef struct world {
  const far_mdp *mdp;
  far_agent *agent;
  far_rng transition, start;
  uint32_t s;
  int64_t h; /* steps of the episode */
} world;

static world enter(const far_mdp *mdp, const char *agent, int64_t steps, uint64_t replicate) {
  world w = {.mdp = mdp};
  CHECK(far_agent_create_on(&w.agent, agent, mdp, steps, SEED, replicate, NULL) == FAR_OK);
  far_rng_init(&w.transition, SEED, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&w.start, SEED, replicate, FAR_PURPOSE_START);
  w.s = far_mdp_start(mdp, &w.start);
  return w;
}

static far_transition walk(world *w) {
  const uint32_t a = far_agent_act(w->agent, w->s);
  const far_outcome *o = far_mdp_step(w->mdp, w->s, a, &w->transition);
  const bool last = ++w->h == far_mdp_horizon(w->mdp), over = o->done || last;
  const far_transition step = {w->s, a, o->reward, o->next, o->done, last && !o->done};
  CHECK(far_agent_observe(w->agent, &step, NULL) == FAR_OK);
  w->s = over ? far_mdp_start(w->mdp, &w->start) : o->next;
  if (over) w->h = 0;
  return step;
}

static far_solve_def exactly(double gamma) {
  far_solve_def def = far_solve_def_default();
  def.gamma = gamma;
  def.tolerance = 3e-12 / (1 - gamma);
  return def;
}

static far_solution frozen(const world *w, const far_solver *solver, double gamma) {
  const far_shape shape = far_mdp_shape(w->mdp);
  const far_solve_def def = exactly(gamma);
  double *p = calloc((size_t)shape.n_states * shape.n_actions, sizeof *p);
  far_solution out;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    CHECK(far_agent_policy(w->agent, s, p + (size_t)s * shape.n_actions));
  const far_policy policy = {.probability = p};
  CHECK(far_solver_evaluate(&out, solver, &def, &policy, NULL) == FAR_OK);
  free(p);
  return out;
}

/* ---- frozen ---- */

typedef struct brute {
  double mistakes, last, learned, regret, pairs, states;
} brute;

static brute judge_run(const far_mdp *mdp, const char *agent, uint64_t replicate, double gamma,
                       double eps, int64_t steps) {
  const far_shape shape = far_mdp_shape(mdp);
  const far_solve_def def = exactly(gamma);
  world w = enter(mdp, agent, steps, replicate);
  far_solver *solver;
  far_solution best;
  brute out = {0};
  bool seen[MOST] = {false}, state_seen[MOST] = {false};
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  const double start = far__start_value(mdp, best.v);
  for (int64_t t = 0; t < steps; ++t) {
    far_solution now = frozen(&w, solver, gamma);
    const uint32_t s = w.s;
    const double loss = best.v[s] - now.v[s];
    out.regret += loss;
    out.mistakes += loss > eps + 1e-8;
    if (loss > eps + 1e-8) out.last = (double)(t + 1);
    if (start - far__start_value(mdp, now.v) > eps + 1e-8) out.learned = (double)(t + 1);
    far_solution_free(&now);
    const far_transition step = walk(&w);
    out.pairs += !seen[step.s * shape.n_actions + step.a];
    out.states += !state_seen[step.s];
    seen[step.s * shape.n_actions + step.a] = state_seen[step.s] = true;
  }
  far_solution_free(&best);
  far_solver_free(solver);
  far_agent_free(w.agent);
  return out;
}

static int mixed; /* runs of which some steps are mistakes and some are not: others test little */

/* All ends of these models can be reached; there are `n_ends`. */
static void compare_frozen(const far_mdp *mdp, uint32_t n_ends, const char *agent, double eps,
                           int64_t steps) {
  static const char *const shape_of[] = {
      "mistakes:eps=%g,gamma=0.9", "last-mistake:eps=%g,gamma=0.9", "learned:eps=%g,gamma=0.9"};
  const far_shape shape = far_mdp_shape(mdp);
  uint32_t unreachable = 0, first = 0;
  CHECK(far_mdp_unreachable(mdp, &unreachable, &first, NULL) == FAR_OK);
  const double states = shape.n_states - n_ends - unreachable;
  char specs[3][64];
  for (int i = 0; i < 3; ++i) snprintf(specs[i], sizeof specs[i], shape_of[i], eps);
  const char *const all[] = {
      specs[0], specs[1], specs[2], "regret:gamma=0.9", "coverage", "coverage:what=pairs", NULL};
  said x = ask(mdp, agent, steps, 2, 2, all);
  for (size_t run = 0; x.batch != NULL && run < 2; ++run) {
    const brute y = judge_run(mdp, agent, run, 0.9, eps, steps);
    const int failed = check_failed;
    CHECK(number(&x, 0, run) == y.mistakes);
    CHECK(number(&x, 1, run) == y.last);
    CHECK(number(&x, 2, run) == y.learned);
    CHECK_NEAR(number(&x, 3, run), y.regret, 1e-5 * (double)steps * 10);
    CHECK_NEAR(number(&x, 4, run), y.states / states, 1e-15);
    CHECK_NEAR(number(&x, 5, run), y.pairs / states / shape.n_actions, 1e-15);
    CHECK(eps * number(&x, 0, run) <= number(&x, 3, run) + 1e-6);
    mixed += y.mistakes > 0 && y.mistakes < (double)steps;
    if (check_failed > failed)
      printf("  %s: %g mistakes, not %g\n", agent, number(&x, 0, run), y.mistakes);
  }
  forget(&x);
}

static bool has_policy(const char *agent, const far_mdp *mdp) {
  world w = enter(mdp, agent, 0, 0);
  double p[8];
  const bool has = far_agent_policy(w.agent, w.s, p);
  far_agent_free(w.agent);
  return has;
}

/* Every agent on three tiny models. */
static void test_frozen(void) {
  far_mdp *models[] = {random_world(3, 4, 3, 2), episodes(), NULL};
  CHECK(far_mdp_create(&models[2], "chain:n=4", NULL) == FAR_OK);
  for (size_t m = 0; m < 3; ++m) {
    for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
      const char *name = far_agent_type(i)->name;
      if (!far_agent_type(i)->finite_horizon && has_policy(name, models[m]))
        compare_frozen(models[m], m == 1 ? 2 : 0, name, 0.3, 100);
    }
    compare_frozen(models[m], m == 1 ? 2 : 0, "bayes-q:choice=vpi", 0.3, 100);
    /* all rows move at every step: by iteration */
    compare_frozen(models[m], m == 1 ? 2 : 0, "q-learning:decay=linear,decay_steps=100", 0.3, 100);
    compare_frozen(models[m], m == 1 ? 2 : 0, "speedy-q:form=round", 0.3, 100);
    compare_frozen(models[m], m == 1 ? 2 : 0, "q-learning:explore=softmax,temperature=0.1", 0.3,
                   150);
    far_mdp_free(models[m]);
  }
  CHECK(mixed > 80);
}

/* More states than the dense form takes. */
static void test_many_states(void) {
  mixed = 0;
  far_mdp *mdp = random_world(11, FAR__DENSE_STATES + 20, 2, 3);
  compare_frozen(mdp, 0, "q-learning:q0=5,epsilon=0.05", 0.82, 60);
  compare_frozen(mdp, 0, "delayed-q:m=1", 0.82, 60);
  compare_frozen(mdp, 0, "r-max:m=1", 0.82, 60);
  CHECK(mixed >= 4);
  far_mdp_free(mdp);
}

/* The values themselves, after thousands of updates of the inverse. */
static void test_precision(void) {
  static const char *const agents[] = {"q-learning:explore=softmax,temperature=0.5",
                                       "delayed-q:m=2", "psrl"};
  far_mdp *mdp = random_world(12, 60, 3, 4);
  far_solver *solver;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  for (size_t i = 0; i < 3; ++i) {
    world w = enter(mdp, agents[i], 0, 0);
    far__optimum best;
    far__policy_value *judge;
    const far__value_params p = {.eps = 0.1, .gamma = 0.99, .gamma_given = 1};
    CHECK(far__optimum_create(&best, &(far__scene){NULL, mdp, w.agent, 1}, &p, NULL) == FAR_OK);
    CHECK(far__policy_value_create(&judge, &best, w.agent, NULL) == FAR_OK);
    far__policy_value_begin(judge, w.agent);
    for (int t = 0; t < 3000; ++t) {
      if (t % 300 == 299) {
        far_solution now = frozen(&w, solver, 0.99);
        for (uint32_t s = 0; s < 60; ++s)
          CHECK_NEAR(far__policy_value_at(judge, s), now.v[s], 1e-9);
        far_solution_free(&now);
      }
      const far_transition step = walk(&w);
      far__policy_value_look(judge, w.agent, step.s);
    }
    CHECK(far__policy_value_version(judge) > 20);
    far__policy_value_free(judge);
    far__optimum_free(&best);
    far_agent_free(w.agent);
  }
  far_solver_free(solver);
  far_mdp_free(mdp);
}

/* ---- which rows a step can change ---- */

static int check_local(const char *spec, const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *probe;
  double before[MOST], now[8];
  if (far_agent_create_on(&probe, spec, mdp, 0, 1, 0, NULL) != FAR_OK) return 0;
  const bool local = far__agent_local(probe) && far_agent_policy(probe, 0, now);
  far_agent_free(probe);
  if (!local) return 0;
  world w = enter(mdp, spec, 0, 0);
  bool same = true;
  for (int t = 0; t < 300; ++t) {
    for (uint32_t s = 0; s < shape.n_states; ++s)
      far_agent_policy(w.agent, s, before + s * shape.n_actions);
    const far_transition step = walk(&w);
    for (uint32_t s = 0; s < shape.n_states; ++s) {
      far_agent_policy(w.agent, s, now);
      same &= s == step.s ||
              memcmp(now, before + s * shape.n_actions, shape.n_actions * sizeof *now) == 0;
    }
  }
  CHECK(same);
  if (!same) printf("  %s\n", spec);
  far_agent_free(w.agent);
  return 1;
}

static void test_local(void) {
  far_mdp *mdp = random_world(8, 5, 3, 3);
  char spec[256];
  int n = 0;
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) {
    const far_type_info *info = far_agent_type(i);
    if (info->finite_horizon) continue; /* their policies have a metric of their own */
    n += check_local(info->name, mdp);
    for (size_t k = 0; k < info->n_params; ++k) {
      const far_param *p = &info->params[k];
      for (const char *word = p->choices; p->kind == FAR_PARAM_CHOICE && *word != '\0';) {
        const int length = (int)strcspn(word, "|");
        snprintf(spec, sizeof spec, "%s:%s=%.*s", info->name, p->name, length, word);
        n += check_local(spec, mdp);
        word += length + (word[length] == '|');
      }
    }
  }
  CHECK(n > 40);
  far_mdp_free(mdp);
}

/* ---- trajectory ---- */

static void compare_trajectory(const far_mdp *mdp, const char *agent, double gamma, double eps,
                               int64_t steps) {
  char specs[3][96];
  snprintf(specs[0], 96, "mistakes:eps=%g,gamma=%g,estimator=trajectory", eps, gamma);
  snprintf(specs[1], 96, "last-mistake:eps=%g,gamma=%g,estimator=trajectory", eps, gamma);
  snprintf(specs[2], 96, "loss:gamma=%g,horizon_error=%g", gamma, eps / 10);
  const char *const all[] = {specs[0], specs[1], specs[2], NULL};
  const far_shape shape = far_mdp_shape(mdp);
  const far_solve_def def = exactly(gamma);
  said x = ask(mdp, agent, steps, 1, 1, all);
  world w = enter(mdp, agent, steps, 0);
  far_solver *solver;
  far_solution best;
  far_transition *at = calloc((size_t)steps, sizeof *at);
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  const double rmax = fmax(fabs(shape.reward_min), fabs(shape.reward_max));
  int64_t horizon = 0; /* the least h with gamma^h rmax / (1 - gamma) <= eps/10 */
  while (pow(gamma, (double)horizon) * rmax / (1 - gamma) > eps / 10) ++horizon;
  double mistakes = 0, last = 0, sum = 0;
  for (int64_t t = 0; t < steps; ++t) at[t] = walk(&w);
  for (int64_t t = 0; t < steps - horizon; ++t) {
    double back = 0, weight = 1;
    for (int64_t i = t; i < steps; ++i, weight *= gamma) {
      back += weight * at[i].r;
      if (at[i].done) break;
    }
    const double loss = best.v[at[t].s] - back;
    sum += loss;
    mistakes += loss > eps;
    if (loss > eps) last = (double)(t + 1);
  }
  CHECK(number(&x, 0, 0) == mistakes && mistakes > 0 && mistakes < (double)steps);
  CHECK(number(&x, 1, 0) == last);
  CHECK_NEAR(number(&x, 2, 0), sum / (double)(steps - horizon), 1e-9);
  free(at);
  far_solution_free(&best);
  far_solver_free(solver);
  far_agent_free(w.agent);
  forget(&x);
}

static void test_trajectory(void) {
  far_mdp *mdp = episodes(), *chain;
  CHECK(far_mdp_create(&chain, "chain:n=4", NULL) == FAR_OK);
  compare_trajectory(mdp, "q-learning", 0.9, 0.4, 300);
  compare_trajectory(chain, "directed-delayed-q", 0.95, 1, 2000);
  far_mdp_free(mdp);
  far_mdp_free(chain);
}

/* ---- rollouts ---- */

/* The exact value of a learning agent of at most `left` further steps: over all of its choices and all
 * that can come of them. */
static double future(const far_mdp *mdp, const far_agent *agent, uint32_t s, double gamma,
                     int left) {
  const uint32_t n = far_mdp_shape(mdp).n_actions;
  double p[8], sum = 0;
  if (left == 0) return 0;
  CHECK(far_agent_policy(agent, s, p));
  for (uint32_t a = 0; a < n; ++a) {
    size_t count;
    const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
    for (size_t k = 0; p[a] > 0 && k < count; ++k) {
      far_agent *copy;
      far_agent_clone(&copy, agent, NULL);
      far_agent_observe(copy, &(far_transition){s, a, o[k].reward, o[k].next, o[k].done, false},
                        NULL);
      const double rest = o[k].done ? 0 : future(mdp, copy, o[k].next, gamma, left - 1);
      sum += p[a] * o[k].probability * (o[k].reward + gamma * rest);
      far_agent_free(copy);
    }
  }
  return sum;
}

/* eps in the middle of the widest gap between the losses of a run's steps, so that the noise of many
 * rollouts decides none of them wrongly. */
static void compare_rollouts(const far_mdp *mdp, const char *agent) {
  enum { STEPS = 14, HORIZON = 5 };
  const double gamma = 0.3;
  const far_solve_def def = exactly(gamma);
  far_solver *solver;
  far_solution best;
  double loss[STEPS], eps = 0, widest = 0, mistakes = 0;
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  world w = enter(mdp, agent, STEPS, 0);
  for (int t = 0; t < STEPS; ++t) {
    loss[t] = best.v[w.s] - future(mdp, w.agent, w.s, gamma, HORIZON);
    walk(&w);
  }
  for (int i = 0; i < STEPS; ++i)
    for (int k = 0; k < STEPS; ++k) {
      double above = INFINITY;
      for (int l = 0; l < STEPS; ++l)
        if (loss[l] > loss[i]) above = fmin(above, loss[l]);
      if (above < INFINITY && above - loss[i] > widest) {
        widest = above - loss[i];
        eps = loss[i] + widest / 2;
      }
    }
  for (int t = 0; t < STEPS; ++t) mistakes += loss[t] > eps;
  const far_shape shape = far_mdp_shape(mdp);
  const double rmax = fmax(fabs(shape.reward_min), fabs(shape.reward_max));
  const double range = shape.reward_max - shape.reward_min;
  const double beyond = pow(gamma, HORIZON - 0.5) * rmax / (1 - gamma);
  /* a return's standard deviation is at most half its range */
  const int64_t rollouts = 4000;
  CHECK(widest / 2 > 5 * 0.5 * range / (1 - gamma) / sqrt((double)rollouts));
  char spec[160];
  snprintf(
      spec, sizeof spec,
      "mistakes:eps=%.17g,gamma=%g,estimator=rollout,every=1,rollouts=%lld,horizon_error=%.17g",
      eps, gamma, (long long)rollouts, beyond);
  said x = ask(mdp, agent, STEPS, 1, 1, (const char *const[]){spec, NULL});
  CHECK(number(&x, 0, 0) == mistakes && mistakes > 0 && mistakes < STEPS);
  forget(&x);
  far_agent_free(w.agent);
  far_solution_free(&best);
  far_solver_free(solver);
}

/* A certain world and an agent that draws nothing: every rollout is the run's own future. */
static void test_certain_rollouts(void) {
  enum { STEPS = 60, HORIZON = 66 }; /* 0.9^66 / 0.1 < 0.01 < 0.9^65 / 0.1 */
  far_mdp *mdp = random_world(9, 4, 2, 1);
  const char *agent = "q-learning:epsilon=0,ties=lowest,q0=6,alpha=0.5";
  const far_solve_def def = exactly(0.9);
  far_solver *solver;
  far_solution best;
  double r[STEPS + HORIZON], mistakes = 0, seventh = 0;
  uint32_t s[STEPS + HORIZON];
  CHECK(far_solver_create(&solver, mdp, NULL) == FAR_OK);
  CHECK(far_solver_discounted(&best, solver, &def, NULL) == FAR_OK);
  world w = enter(mdp, agent, 0, 0);
  for (int t = 0; t < STEPS + HORIZON; ++t) {
    const far_transition step = walk(&w);
    r[t] = step.r;
    s[t] = step.s;
  }
  double loss[STEPS], least = INFINITY, most = -INFINITY;
  for (int t = 0; t < STEPS; ++t) {
    double back = 0, weight = 1;
    for (int i = t; i < t + HORIZON; ++i, weight *= 0.9) back += weight * r[i];
    loss[t] = best.v[s[t]] - back;
    least = fmin(least, loss[t]);
    most = fmax(most, loss[t]);
  }
  const double eps = (least + most) / 2;
  for (int t = 0; t < STEPS; ++t) {
    mistakes += loss[t] > eps;
    if (t % 7 == 0) seventh += (loss[t] > eps) * (t + 7 <= STEPS ? 7 : STEPS - t);
  }
  char specs[2][128];
  const char *const form =
      "mistakes:eps=%.17g,gamma=0.9,estimator=rollout,every=%d,rollouts=%d,horizon_error=0.01";
  snprintf(specs[0], sizeof specs[0], form, eps, 1, 1);
  snprintf(specs[1], sizeof specs[1], form, eps, 7, 2);
  said x = ask(mdp, agent, STEPS, 1, 1, (const char *const[]){specs[0], specs[1], NULL});
  CHECK(number(&x, 0, 0) == mistakes && mistakes > 1 && mistakes < STEPS);
  CHECK(number(&x, 1, 0) == seventh);
  forget(&x);
  far_agent_free(w.agent);
  far_solution_free(&best);
  far_solver_free(solver);
  far_mdp_free(mdp);
}

static void test_rollouts(void) {
  far_mdp *ends = episodes(), *mdp = random_world(23, 2, 2, 2);
  test_certain_rollouts();
  compare_rollouts(mdp, "q-learning:alpha=0.5,epsilon=0.2");
  compare_rollouts(ends, "q-learning:alpha=0.5,epsilon=0.2");
  compare_rollouts(ends, "delayed-q:m=1");
  far_mdp_free(ends);
  far_mdp_free(mdp);
}

/* ---- episodes ---- */

enum { EPISODE_STEPS = 400 };

/* The run by hand: the rewards of every step, where each episode ends, and then sums over them. */
static void judge_episodes(double out[4], const far_mdp *mdp, const char *agent, uint64_t replicate,
                           int64_t steps, double least) {
  double returns[EPISODE_STEPS], last[EPISODE_STEPS], open = 0, sum = 0, best = -1e300;
  size_t n = 0;
  const far_shape shape = far_mdp_shape(mdp);
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; a < shape.n_actions && !far_mdp_terminal(mdp, s); ++a) {
      size_t count;
      const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
      for (size_t k = 0; k < count; ++k)
        if (o[k].done && o[k].reward > best) best = o[k].reward;
    }
  world w = enter(mdp, agent, steps, replicate);
  for (int64_t t = 0; t < steps; ++t) {
    const far_transition step = walk(&w);
    open += step.r;
    if (!step.done && !step.cut) continue;
    last[n] = step.done ? step.r : -2e300; /* cut: no end to be compared with */
    returns[n++] = open;
    open = 0;
  }
  far_agent_free(w.agent);
  double by_return = 0, by_end = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += returns[i];
    by_return += returns[i] >= least;
    by_end += last[i] == best;
  }
  out[0] = (double)n;
  out[1] = n > 0 ? sum / (double)n : open;
  out[2] = n > 0 ? by_end / (double)n : 0;
  out[3] = n > 0 ? by_return / (double)n : 0;
}

static void compare_episodes(const far_mdp *mdp, const char *agent, int64_t steps, double least) {
  char spec[64];
  enum { RUNS = 5 };
  snprintf(spec, sizeof spec, "success:at_least=%g", least);
  said x = ask(mdp, agent, steps, RUNS, 1,
               (const char *const[]){"episodes", "return", "success", spec, NULL});
  for (size_t i = 0; i < RUNS; ++i) {
    double by_hand[4];
    judge_episodes(by_hand, mdp, agent, i, steps, least);
    for (size_t k = 0; k < 4; ++k) CHECK(number(&x, k, i) == by_hand[k]);
  }
  forget(&x);
}

/* Ten episodes of thirty steps, all of them cut. */
static void test_only_cut(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=5,horizon=30", NULL) == FAR_OK);
  said x = ask(mdp, "r-max", 300, 2, 1,
               (const char *const[]){"episodes", "return", "success", "success:at_least=0", NULL});
  for (size_t i = 0; i < 2; ++i) {
    CHECK(number(&x, 0, i) == 10 && number(&x, 2, i) == 0 && number(&x, 3, i) == 1);
    CHECK_NEAR(number(&x, 1, i), far_batch_result(x.batch, 0)->totals[i] / 10, 1e-12);
  }
  forget(&x);
  far_mdp_free(mdp);
}

static void test_episodes(void) {
  far_mdp *mdp = episodes(), *chain;
  compare_episodes(mdp, "q-learning:epsilon=0.5", EPISODE_STEPS, 0.2);
  compare_episodes(mdp, "q-learning:epsilon=0.5", EPISODE_STEPS, -1e9);
  compare_episodes(mdp, "r-max:m=3", EPISODE_STEPS, 2);
  compare_episodes(mdp, "q-learning:epsilon=1", 1, 0.2); /* some runs finish no episode */
  said x = ask(mdp, "q-learning:epsilon=0.5", EPISODE_STEPS, 5, 1,
               (const char *const[]){"success", NULL});
  CHECK(number(&x, 0, 0) > 0 && number(&x, 0, 0) < 1); /* both ends are met, one is the goal */
  forget(&x);
  CHECK(far_mdp_set_horizon(mdp, 3, NULL) == FAR_OK); /* some episodes end, and some are cut */
  compare_episodes(mdp, "q-learning:epsilon=0.5", EPISODE_STEPS, 0.2);
  compare_episodes(mdp, "ucb-h", EPISODE_STEPS, 0);
  compare_episodes(mdp, "r-max:m=3", 2, 0.2); /* the run may be over before the first is cut */
  far_mdp_free(mdp);
  test_only_cut();
  CHECK(far_mdp_create(&chain, "chain:n=5", NULL) == FAR_OK); /* without an end */
  x = ask(chain, "r-max", 300, 2, 1, (const char *const[]){"episodes", "return", "success", NULL});
  for (size_t i = 0; i < 2; ++i) {
    CHECK(number(&x, 0, i) == 0 && number(&x, 2, i) == 0);
    CHECK(number(&x, 1, i) == far_batch_result(x.batch, 0)->totals[i]);
  }
  forget(&x);
  far_mdp_free(chain);
}

/* ---- the rest ---- */

static void test_gain(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "chain:n=10", NULL) == FAR_OK);
  said x = ask(mdp, "r-max", 2000, 3, 1, (const char *const[]){"regret:against=gain", NULL});
  for (size_t i = 0; i < 3; ++i) /* going right for ever earns 0.75 a step, all but 2e-6 of it */
    CHECK_NEAR(number(&x, 0, i), 2000 * 0.75 - far_batch_result(x.batch, 0)->totals[i], 0.01);
  forget(&x);
  far_mdp_free(mdp);
}

/* Neither threads nor the runs before change a bit of a run's number. */
static void test_same_bits(void) {
  static const char *const specs[] = {"mistakes:eps=0.3",
                                      "mistakes:eps=0.3,estimator=rollout,every=50,rollouts=3",
                                      "mistakes:eps=0.3,horizon_error=1,estimator=trajectory",
                                      "learned:eps=0.2,relative=on",
                                      "regret",
                                      "loss:horizon_error=1",
                                      "coverage:what=pairs",
                                      "return",
                                      NULL};
  static const char *const agents[] = {"q-learning:explore=softmax", "psrl",
                                       "q-learning:decay=linear,decay_steps=200"};
  enum { STEPS = 100, RUNS = 150 }; /* three blocks of runs, so that three threads have work */
  far_mdp *mdp = random_world(9, 10, 3, 3);
  for (size_t i = 0; i < 3; ++i) {
    said one = ask(mdp, agents[i], STEPS, RUNS, 1, specs);
    said last = ask_from(RUNS - 1, mdp, agents[i], STEPS, 1, 1, specs);
    for (size_t k = 0; k < one.count; ++k) CHECK(number(&one, k, RUNS - 1) == number(&last, k, 0));
    for (unsigned threads = 2; threads <= 7; threads += 5) {
      said many = ask(mdp, agents[i], STEPS, RUNS, threads, specs);
      for (size_t k = 0; k < one.count; ++k)
        CHECK_TEXT(far_batch_metric(many.batch, 0, k)->hash,
                   far_batch_metric(one.batch, 0, k)->hash);
      forget(&many);
    }
    forget(&last);
    forget(&one);
  }
  far_mdp_free(mdp);
}

/* What a metric says at a checkpoint is what it says of a run of so many steps, to the last bit; and it
 * depends neither on threads nor on other checkpoints. */
static void test_curves(void) {
  static const char *const specs[] = {"mistakes:eps=0.3",
                                      "mistakes:eps=0.3,estimator=rollout,every=7,rollouts=3",
                                      "last-mistake:eps=0.3,estimator=rollout,every=7,rollouts=3",
                                      "mistakes:eps=0.3,horizon_error=2,estimator=trajectory",
                                      "last-mistake:eps=0.3",
                                      "learned:eps=0.2,relative=on",
                                      "regret",
                                      "loss:horizon_error=2",
                                      "coverage:what=pairs",
                                      "episodes",
                                      "return",
                                      "success",
                                      NULL};
  static const int64_t points[] = {1, 7, 8, 20, 69, 70, 71, 120};
  enum { N = 8, RUNS = 80 };
  far_mdp *mdp = episodes();
  CHECK(far_mdp_set_gamma(mdp, 0.8, NULL) == FAR_OK); /* returns of 8 steps tell enough */
  const far_cell whole = {.mdp = mdp,
                          .agent = "q-learning:gamma=0.8,epsilon=0.3",
                          .steps = points[N - 1],
                          .checkpoints = points,
                          .n_checkpoints = N};
  said x = ask_cell(&whole, 0, RUNS, 1, specs), threaded = ask_cell(&whole, 0, RUNS, 3, specs);
  far_cell last = whole;
  last.checkpoints = points + N - 2;
  last.n_checkpoints = 2;
  said fewer = ask_cell(&last, 0, RUNS, 2, specs);
  for (size_t k = 0; k < x.count; ++k)
    for (size_t c = 0; c < N; ++c) {
      const far_point *p = far_batch_metric_point(x.batch, 0, k, c);
      CHECK(p->step == points[c]);
      CHECK(memcmp(p->totals, far_batch_metric_point(threaded.batch, 0, k, c)->totals,
                   RUNS * sizeof *p->totals) == 0);
      if (c >= N - 2)
        CHECK(memcmp(p->totals, far_batch_metric_point(fewer.batch, 0, k, c - N + 2)->totals,
                     RUNS * sizeof *p->totals) == 0);
      if (points[c] <= 8 && (k == 3 || k == 7)) { /* no return of 8 steps is complete */
        for (size_t i = 0; i < RUNS; ++i) CHECK(p->totals[i] == (k == 7 ? INFINITY : 0));
        continue;
      }
      said alone = ask(mdp, whole.agent, points[c], RUNS, 1, (const char *const[]){specs[k], NULL});
      CHECK(memcmp(p->totals, far_batch_metric(alone.batch, 0, 0)->totals,
                   RUNS * sizeof *p->totals) == 0);
      forget(&alone);
    }
  CHECK(far_batch_metric_point(x.batch, 0, x.count, 0) == NULL);
  CHECK(far_batch_metric_point(x.batch, 0, 0, N) == NULL);
  CHECK(far_batch_metric_point(x.batch, 1, 0, 0) == NULL);
  forget(&fewer);
  forget(&threaded);
  forget(&x);
  far_mdp_free(mdp);
}

/* Every action pays -1 and ends the episode: nothing that follows an end may count. */
static void test_ends(void) {
  static const char *const specs[] = {"mistakes:eps=0.5",
                                      "mistakes:eps=0.5,estimator=rollout,every=1,rollouts=2",
                                      "mistakes:eps=0.5,estimator=trajectory",
                                      "regret",
                                      "loss",
                                      "learned:eps=0.5",
                                      "coverage",
                                      NULL};
  far_mdp_builder *b;
  far_mdp *mdp;
  far_mdp_builder_create(&b, 3, 2, NULL);
  for (uint32_t s = 0; s < 2; ++s)
    for (uint32_t a = 0; a < 2; ++a) far_mdp_builder_outcome(b, s, a, 1, 2, -1, NULL);
  far_mdp_builder_terminal(b, 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL); /* 1 is out of reach */
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  said x = ask(mdp, "q-learning", 300, 1, 1, specs);
  for (size_t k = 0; k < x.count; ++k) CHECK_NEAR(number(&x, k, 0), k == 6 ? 1 : 0, 1e-6);
  forget(&x);
  far_mdp_free(mdp);
}

typedef struct heard {
  int notes, severe;
  char last[480];
} heard;

static void hear(void *user, bool severe, const char *message) {
  heard *h = user;
  *(severe ? &h->severe : &h->notes) += 1;
  snprintf(h->last, sizeof h->last, "%s", message);
}

/* The message of a check that fails, or what it warns of. */
static heard check_cell(const char *metric, const char *env, const char *agent,
                        far_status expected) {
  far_error error = {0};
  far_metric *m = NULL;
  far_mdp *mdp;
  heard h = {0};
  CHECK(far_mdp_create(&mdp, env, &error) == FAR_OK);
  CHECK(far_metric_create(&m, metric, &error) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = 1000};
  const far_status status = far__metric_check(m, &cell, hear, &h, &error);
  CHECK(status == expected);
  if (status != FAR_OK) snprintf(h.last, sizeof h.last, "%s", error.message);
  far_metric_free(m);
  far_mdp_free(mdp);
  return h;
}

static void test_checks(void) {
  const far_status no = FAR_STATUS_CONFLICT;
  CHECK(check_cell("mistakes", "chain", "ucrl2", FAR_OK).notes ==
        0); /* by the problem's discount */
  CHECK(check_cell("mistakes:gamma=0.9", "chain", "ucrl2", FAR_OK).notes == 0);
  CHECK(check_cell("mistakes:gamma=0.9", "chain:average=on", "ucrl2", FAR_OK).notes == 0);
  CHECK_CONTAINS(check_cell("mistakes", "chain:average=on", "ucrl2", no).last, "against=gain");
  CHECK(check_cell("regret:against=gain", "chain:average=on", "ucrl2", FAR_OK).notes == 0);
  CHECK_CONTAINS(check_cell("mistakes", "chain", "bayes-q:choice=sampling", no).last,
                 "estimator=rollout");
  check_cell("mistakes:estimator=rollout", "chain", "bayes-q:choice=sampling", FAR_OK);
  CHECK_CONTAINS(check_cell("loss:gamma=0.999", "chain", "r-max", no).last, "horizon_error");
  CHECK_CONTAINS(check_cell("regret:against=gain", "sixarms", "r-max", FAR_OK).last, "");
  check_cell("mistakes:relative=on", "chain", "no-such-agent", FAR_STATUS_UNKNOWN);
  /* the optimal value of the start is 0.2987 */
  CHECK(check_cell("episodes", "chain", "r-max", FAR_OK).severe == 1);
  CHECK(check_cell("success", "chain", "r-max", FAR_OK).severe == 1);
  CHECK(check_cell("return", "chain", "r-max", FAR_OK).notes == 1);
  const heard same = check_cell("episodes", "chain:horizon=5", "r-max", FAR_OK);
  CHECK(same.notes == 1 && same.severe == 0);
  CHECK_CONTAINS(same.last, "the same for every agent");
  CHECK(check_cell("episodes", "frozen-lake:horizon=5", "r-max", FAR_OK).notes == 0);
  CHECK(check_cell("return", "chain:horizon=5", "r-max", FAR_OK).notes == 0);
  CHECK(check_cell("success", "chain:horizon=5", "r-max", FAR_OK).severe == 1);
  CHECK(check_cell("success:at_least=2", "chain:horizon=5", "r-max", FAR_OK).severe == 0);
  CHECK(check_cell("success:at_least=2", "chain", "r-max", FAR_OK).severe == 1);
  CHECK(check_cell("return", "frozen-lake", "r-max", FAR_OK).notes == 0);
  CHECK(check_cell("success", "frozen-lake", "r-max", FAR_OK).severe == 0);
  CHECK_CONTAINS(check_cell("promise", "chain:horizon=5", "orlc", FAR_OK).last,
                 "outside its guarantee");
  CHECK(check_cell("promise", "chain:horizon=5", "orlc:preset=theory", FAR_OK).notes == 0);
  heard h = check_cell("mistakes:eps=0.29", "chain:n=50", "q-learning:gamma=0.95", FAR_OK);
  CHECK(h.notes == 0 && h.severe == 0);
  h = check_cell("mistakes:eps=0.3", "chain:n=50", "q-learning:gamma=0.95", FAR_OK);
  CHECK(h.notes == 1 && h.severe == 0);
  CHECK_CONTAINS(h.last, "0.2987");
  h = check_cell("mistakes:eps=1.1,relative=on", "chain:n=50", "q-learning", FAR_OK);
  CHECK(h.notes == 1 && h.severe == 0);
  h = check_cell("mistakes:eps=30", "chain:n=50", "q-learning", FAR_OK);
  CHECK(h.notes == 0 && h.severe == 1);
}

/* Two ends of a road from which none leads back, and one is better. */
static void test_multichain(void) {
  far_mdp_builder *b;
  far_mdp *mdp;
  far_metric *m;
  far_error error = {0};
  far_mdp_builder_create(&b, 3, 2, NULL);
  for (uint32_t s = 0; s < 3; ++s)
    for (uint32_t a = 0; a < 2; ++a)
      far_mdp_builder_outcome(b, s, a, 1, s > 0 ? s : 1 + a, s == 2, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  CHECK(far_metric_create(&m, "regret:against=gain", NULL) == FAR_OK);
  const far_cell cell = {.mdp = mdp, .agent = "r-max", .steps = 10};
  CHECK(far__metric_check(m, &cell, NULL, NULL, &error) == FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "multichain");
  far_metric_free(m);
  far_mdp_free(mdp);
}

/* Which direction is better is said by the descriptor, whatever a stored series is called. */
static void test_better(void) {
  static const struct {
    const char *series;
    bool higher;
  } all[] = {{"total", true},           {"curve@1000", true},
             {"coverage", true},        {"coverage:what=pairs@10", true},
             {"regret", false},         {"regret:against=gain@1000", false},
             {"mistakes:eps=1", false}, {"last-mistake:eps=1@5", false},
             {"my metric", true},       {"regretful", true}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    CHECK(far_series_higher_is_better(all[i].series) == all[i].higher);
  for (size_t i = 0; far_metric_type(i) != NULL; ++i) {
    far_metric *metric;
    CHECK(far_metric_create(&metric, far_metric_type(i)->name, NULL) == FAR_OK);
    CHECK(metric->higher_is_better == far_metric_type(i)->higher_is_better);
    CHECK(metric->higher_is_better == far_series_higher_is_better(metric->name));
    far_metric_free(metric);
  }
}

static void check_spec_error(const char *spec, far_status status, const char *part) {
  far_metric *m;
  far_error error = {0};
  CHECK(far_metric_create(&m, spec, &error) == status && m == NULL);
  CHECK_CONTAINS(error.message, part);
}

static void test_specs(void) {
  far_metric *m;
  check_spec_error("mistake:eps=1", FAR_STATUS_UNKNOWN, "did you mean 'mistakes'");
  check_spec_error("mistakes:eps=0", FAR_STATUS_RANGE, "above 0");
  check_spec_error("mistakes:gamma=1", FAR_STATUS_RANGE, "gamma");
  check_spec_error("mistakes:every=5", FAR_STATUS_CONFLICT, "estimator=rollout");
  check_spec_error("mistakes:horizon_error=5", FAR_STATUS_CONFLICT, "exactly");
  check_spec_error("regret:against=gain,gamma=0.9", FAR_STATUS_CONFLICT, "no discount");
  check_spec_error("episodes:x=1", FAR_STATUS_UNKNOWN, "episodes has no keys");
  check_spec_error("success:at_least=inf", FAR_STATUS_RANGE, "at_least");
  CHECK(far_metric_create(&m, "success:at_least=-0.5", NULL) == FAR_OK);
  CHECK_TEXT(m->name, "success:at_least=-0.5");
  far_metric_free(m);
  CHECK(far_metric_create(&m, "mistakes:gamma=0.5,eps=0.25", NULL) == FAR_OK);
  CHECK_TEXT(m->name, "mistakes:eps=0.25,relative=off,gamma=0.5,estimator=frozen");
  far_metric_free(m);
  far_metric_free(NULL);
}

int main(void) {
  test_specs();
  test_checks();
  test_multichain();
  test_frozen();
  test_many_states();
  test_precision();
  test_local();
  test_trajectory();
  test_rollouts();
  test_episodes();
  test_gain();
  test_better();
  test_same_bits();
  test_curves();
  test_ends();
  return check_report();
}
