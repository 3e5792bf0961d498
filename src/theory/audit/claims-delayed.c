/* The delayed family: event A1, LEARN flags and the set K along a run.
 *
 *   Strehl, Li & Littman, Reinforcement learning in finite MDPs: PAC analysis, JMLR 2009
 *   Oh & Iyengar, Directed exploration in PAC model-free reinforcement learning, 2018, appendix
 *
 * K_t holds the pairs whose Bellman error Q'_t - (R + gamma P V_t), with Q' = Q + bonus and V = max
 * Q, is at most 3 eps1 (Delayed Q-learning, and the directed form without a bonus, which is the same)
 * or 4 eps1 (the directed form: one eps1 more for the bonus that is left after an update).
 *
 * Event A1 in the form for interval estimation, where every visit is an attempt: a window that
 *
 * Values change at the visited pair only, and only when its window succeeds: the watch keeps the
 * tables as they were before the step, and compares.
 */
#include <stdio.h>

#include "agents/delayed-family.h"
#include "theory/audit/claims.h"
#include "model/model.h"
#include "solve/plan/sweep.h"

typedef struct shadow {
  double q, bonus, e;
  double updates;
  double begun_error; /* Bellman error when the open window began */
  double begun_time;
  int64_t n, begun, learn;
} shadow;

_Static_assert(sizeof(shadow) % sizeof(double) == 0, "it is kept in words");

typedef struct delayed_watch {
  far__watch base;
  shadow *pair;
  double *v;        /* max Q of every state */
  double *top;      /* max Q' of every state ... */
  double *policy_v; /* ... and the value of its action in M_K */
  double *policy_q; /* policy_v as the planner's table of pairs, one action a state */
  uint32_t *greedy; /* the lowest action that attains `top` ... */
  uint32_t *in_k;   /* ... and whether that pair is in K, at the last check of accuracy */
  int64_t last_success;
  int64_t evaluated; /* the time of the last check of accuracy */
  bool changed;      /* has a value changed since then? */
  double inside;     /* the bound on the Bellman error of K */
  double kappa, escapes_bound;
} delayed_watch;

static size_t words(const far__truth *truth) {
  return truth->n_pairs * (sizeof(shadow) / sizeof(double)) + 5 * (size_t)truth->n_states;
}

static bool has_bonus(const far_agent *agent) {
  return ((const delayed_params *)far__agent_params(agent))->lambda > 0;
}

static double threshold(const far_agent *agent) {
  const delayed_params *p = far__agent_params(agent);
  return (has_bonus(agent) ? 4 : 3) * p->eps1;
}

static void known(char *out, size_t size, const far_agent *agent) {
  const bool directed = has_bonus(agent);
  snprintf(out, size, "K: the pairs with %s - (R + gamma P V) <= %d eps1 = %.4g, V = max Q",
           directed ? "Q + bonus" : "Q", directed ? 4 : 3, threshold(agent));
}

/* The claims are about states that a run can meet. */
static bool is_live(const far__truth *truth, uint32_t s) {
  return far_shape_is_live(&truth->mdp->shape, s);
}

/* Computes v, top and greedy of a state after a change of its Q. */
static void renew_state(delayed_watch *w, uint32_t s) {
  const uint32_t n_actions = w->base.truth->n_actions;
  const shadow *row = w->pair + (size_t)s * n_actions;
  w->v[s] = row[0].q;
  w->top[s] = row[0].q + row[0].bonus;
  w->greedy[s] = 0;
  for (uint32_t a = 1; a < n_actions; ++a) {
    if (row[a].q > w->v[s]) w->v[s] = row[a].q;
    if (row[a].q + row[a].bonus <= w->top[s]) continue;
    w->top[s] = row[a].q + row[a].bonus;
    w->greedy[s] = a;
  }
}

static void copy_pair(shadow *to, const delayed_view *v, size_t i) {
  to->q = delayed_read(v, DELAYED_Q, i);
  to->bonus = delayed_read(v, DELAYED_BONUS, i);
  to->e = delayed_read(v, DELAYED_E, i);
  to->n = delayed_n(v, i);
  to->begun = delayed_window_of(v, v->kind, i)->begun;
  to->learn = delayed_learns(v, i);
}

static void begin(far__watch *watch, const far_agent *agent, double *memory) {
  delayed_watch *w = (delayed_watch *)watch;
  const far__truth *truth = watch->truth;
  const delayed_view v = delayed_view_of((far_agent *)agent); /* only read */
  w->pair = (shadow *)memory;
  w->v = memory + truth->n_pairs * (sizeof(shadow) / sizeof(double));
  w->top = w->v + truth->n_states;
  w->policy_v = w->top + truth->n_states;
  w->policy_q = w->policy_v + truth->n_states;
  w->greedy = (uint32_t *)(w->policy_q + truth->n_states);
  w->in_k = w->greedy + truth->n_states;
  for (size_t i = 0; i < truth->n_pairs; ++i) {
    w->pair[i] = (shadow){0};
    copy_pair(&w->pair[i], &v, i);
  }
  for (uint32_t s = 0; s < truth->n_states; ++s) renew_state(w, s);
  w->last_success = v.state->last_success;
  w->evaluated = 0;
  w->changed = true;
  w->inside = threshold(agent);
  /* kappa: how often a pair can be lowered by eps1. The appendix prints Vmax / eps, and preset=paper claims that. */
  const delayed_params *p = far__agent_params(agent);
  const far__problem problem = delayed_problem(p, &agent->shape);
  w->kappa = p->preset == PRESET_PAPER
                 ? far__paper_window(problem, p->eps, p->eps1, p->delta).kappa
                 : far__theory_full(problem, p->eps1, p->lambda, p->delta).kappa;
  const double live_pairs = (double)agent->n_live * agent->shape.n_actions;
  w->escapes_bound = 2 * (double)v.m * live_pairs * w->kappa;
}

/* Q' - (R + gamma P V), from the watch's tables. */
static double bellman_error(const delayed_watch *w, size_t i) {
  const far__truth *truth = w->base.truth;
  return w->pair[i].q + w->pair[i].bonus -
         (truth->reward[i] + truth->gamma * far__expect(truth, i, w->v));
}

static bool outside(const delayed_watch *w, double error) {
  return error > w->inside + w->base.truth->rounding;
}

/* ---- windows ---- */

/* A window has ended: by a success, or with its m-th sample (`last`), or both. */
static void window_ends(delayed_watch *w, size_t i, bool success, bool last, double error) {
  const shadow *pair = &w->pair[i];
  if (!outside(w, pair->begun_error)) return;
  w->base.found.fact[FAR__FACT_COMPLETED_OUTSIDE] += last;
  far_violation *x =
      far__check_event(&w->base, FAR__CLAIM_A1, i, success, pair->begun_error, w->inside);
  far__note(x, "begun", pair->begun_time);
  far__note(x, "error_now", error);
  far__note(x, "q", pair->q);
  far__note(x, "bonus", pair->bonus);
}

/* ---- an update ---- */

static void updated(delayed_watch *w, const delayed_view *v, size_t i, bool directed) {
  far__watch *b = &w->base;
  shadow *pair = &w->pair[i];
  const double q_star = b->truth->q[i];
  const double q = delayed_read(v, DELAYED_Q, i), e = delayed_read(v, DELAYED_E, i);
  const double before = pair->q + pair->bonus, after = q + delayed_read(v, DELAYED_BONUS, i);
  far_violation *x = far__check(b, FAR__CLAIM_OPTIMISM, i, q_star - q, 0);
  far__note(x, "q", q - b->truth->end);
  far__note(x, "q_star", q_star - b->truth->end);
  far__note(x, "samples", (double)pair->n + 1);
  far__check(b, FAR__CLAIM_BOUNDED, i, after, b->truth->v_max + v->lambda);
  x = far__check(b, FAR__CLAIM_Q_FALLS, i, q - pair->q, 0);
  far__note(x, "q_before", pair->q);
  far__note(x, "q_after", q);
  if (directed) {
    x = far__check(b, FAR__CLAIM_E_FALLS, i, e - pair->e, 0);
    far__note(x, "e_before", pair->e);
    far__note(x, "e_after", e);
  }
  x = far__check(b, FAR__CLAIM_PROGRESS, i, v->eps1 - (before - after), 0);
  far__note(x, "before", before);
  far__note(x, "after", after);
  pair->updates += 1;
  far__check(b, FAR__CLAIM_UPDATES, i, pair->updates, w->kappa);
  b->found.fact[FAR__FACT_SUCCESSES] += 1;
  w->changed = true;
}

/* ---- accuracy ---- */

/* The value of the greedy action in M_K: exact transitions for pairs in K, and Q' for ever for the others. */
static double backup(const void *context, size_t s, const double *v) {
  const delayed_watch *w = context;
  const far__truth *truth = w->base.truth;
  const size_t i = s * truth->n_actions + w->greedy[s];
  if (!w->in_k[s]) return w->top[s];
  return truth->reward[i] + truth->gamma * far__expect(truth, i, v);
}

static void check_accuracy(delayed_watch *w, far__stop *stop) {
  const far__truth *truth = w->base.truth;
  const uint32_t n = truth->n_states;
  const far__plan plan = {.q = w->policy_q,
                          .v = w->policy_v,
                          .n_states = n,
                          .n_actions = 1,
                          .absent = truth->mdp->absent,
                          .gamma = truth->gamma,
                          .tol = truth->rounding / 4,
                          .scale = truth->v_max,
                          .stop = stop};
  for (uint32_t s = 0; s < n; ++s) {
    const size_t i = (size_t)s * truth->n_actions + w->greedy[s];
    w->in_k[s] = is_live(truth, s) && !outside(w, bellman_error(w, i));
    w->policy_q[s] = w->policy_v[s] = w->top[s];
  }
  far__plan_run(&plan, backup, NULL, w, SIZE_MAX);
  for (uint32_t s = 0; s < n; ++s) {
    if (!is_live(truth, s)) continue;
    far_violation *x = far__check(&w->base, FAR__CLAIM_ACCURACY, (size_t)s * truth->n_actions,
                                  w->top[s] - w->policy_q[s], w->inside / (1 - truth->gamma));
    far__note(x, "v", w->top[s]);
    far__note(x, "policy_v", w->policy_q[s]);
  }
  w->base.found.fact[FAR__FACT_EVALUATIONS] += 1;
  w->evaluated = w->base.t;
  w->changed = false;
}

/* ---- a step ---- */

static void step(far__watch *watch, const far_agent *agent, const far_transition *tr) {
  delayed_watch *w = (delayed_watch *)watch;
  const delayed_view v = delayed_view_of((far_agent *)agent); /* only read */
  const size_t i = (size_t)tr->s * watch->truth->n_actions + tr->a;
  shadow *pair = &w->pair[i];
  const double error = bellman_error(w, i);
  if (outside(w, error)) {
    const int64_t count = ++watch->found.fact[FAR__FACT_VISITS_OUTSIDE];
    far_violation *x = far__check(watch, FAR__CLAIM_ESCAPES, i, (double)count, w->escapes_bound);
    far__note(x, "error", error);
    far__note(x, "learn", (double)pair->learn);
  }
  /* would this visit's sample count? The rule of delayed.h, with the values before the step */
  if (pair->learn != 0 || (v.learn != LEARN_2006 && pair->begun <= w->last_success)) {
    const bool success = v.state->last_success == watch->t, last = pair->n + 1 == v.m;
    watch->found.fact[FAR__FACT_SWITCHED_ON] += pair->learn == 0;
    watch->found.fact[FAR__FACT_COMPLETED] += last;
    if (pair->n == 0) { /* a window begins */
      pair->begun_error = error;
      pair->begun_time = (double)watch->t;
      watch->found.fact[FAR__FACT_WINDOWS] += 1;
      watch->found.fact[FAR__FACT_WINDOWS_OUTSIDE] += outside(w, error);
    }
    if (success || last) window_ends(w, i, success, last, error);
    if (success) updated(w, &v, i, agent->type == FAR__AGENT_directed_delayed_q);
    if (!delayed_learns(&v, i)) { /* switched off */
      far_violation *x = far__check(watch, FAR__CLAIM_LEARN, i, error, w->inside);
      far__note(x, "window_begun", pair->begun_time);
      far__note(x, "error_then", pair->begun_error);
      far__note(x, "last_update", (double)w->last_success);
      watch->found.fact[FAR__FACT_SWITCHED_OFF] += 1;
    }
  } else {
    watch->found.fact[FAR__FACT_IGNORED] += 1;
    watch->found.fact[FAR__FACT_SWITCHED_ON] += delayed_learns(&v, i); /* the 2006 form */
  }
  const bool renew = delayed_read(&v, DELAYED_Q, i) != pair->q ||
                     delayed_read(&v, DELAYED_BONUS, i) != pair->bonus;
  copy_pair(pair, &v, i);
  w->last_success = v.state->last_success;
  if (renew) renew_state(w, tr->s);
  if (w->changed && watch->t - w->evaluated >= watch->every) check_accuracy(w, agent->stop);
}

static void end(far__watch *watch, const far_agent *agent) {
  delayed_watch *w = (delayed_watch *)watch;
  const far__truth *truth = watch->truth;
  const delayed_view v = delayed_view_of((far_agent *)agent); /* only read */
  for (size_t i = 0; i < truth->n_pairs; ++i) {
    if (!is_live(truth, (uint32_t)(i / truth->n_actions))) continue;
    const double q = delayed_read(&v, DELAYED_Q, i);
    far_violation *x = far__check(watch, FAR__CLAIM_OPTIMISM, i, truth->q[i] - q, 0);
    far__note(x, "q", q - truth->end);
    far__note(x, "q_star", truth->q[i] - truth->end);
    watch->found.fact[FAR__FACT_LEFT_OUTSIDE] += outside(w, bellman_error(w, i));
  }
  if (watch->found.fact[FAR__FACT_VISITS_OUTSIDE] == 0)
    far__check(watch, FAR__CLAIM_ESCAPES, 0, 0, w->escapes_bound);
  if (w->changed) check_accuracy(w, agent->stop);
}

static const char *excluded(const far_agent *agent) {
  const delayed_params *p = far__agent_params(agent);
  return p->e_rule != E_AT_SUCCESS ? "e_rule=visit"
         : p->bonus != BONUS_LOG   ? "bonus=sqrt"
         : p->threshold != p->eps1 ? "a threshold other than eps1"
                                   : NULL;
}

const far__checker far__check_delayed = {
    .size = sizeof(delayed_watch),
    .words = words,
    .begin = begin,
    .step = step,
    .end = end,
    .known = known,
    .excluded = excluded,
};
