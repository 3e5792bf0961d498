/* Agents that learn a model: known pairs' errors, confidence sets, optimism.
 *
 * The widths are written here from docs/agents.md and the papers, not taken from the agents' code: an error there
 * would otherwise be repeated here. */
#include <stdio.h>
#include <string.h>

#include "agents/average.h"
#include "farsight/base.h"
#include "model/model.h"
#include "theory/audit/claims.h"

typedef struct learner_watch {
  far__watch base;
  double *q;     /* before the step; for oim including the garden's part */
  double *now;   /* scratch: q after the step */
  double *n;     /* visits of every pair before the step; mormax: samples in its batch */
  double *place; /* mormax: index of each stored row before the step, plus 1; 0 for none */
  double *row;   /* scratch: a probability for every outcome, zero between uses */
  double visits_unknown;
  size_t ended; /* the pair whose step ended an episode just before, or SIZE_MAX: agents for average
                   * reward count it a step later */
  double allowed; /* shortfall of Q that the proof allows */
} learner_watch;

static bool is(const far_agent *agent, uint64_t set) {
  return set >> agent->type & 1;
}

static size_t words(const far__truth *truth) {
  return 4 * truth->n_pairs + truth->n_states + 1;
}

static void known(char *out, size_t size, const far_agent *agent) {
  const learner_params *p = far__agent_params(agent);
  out[0] = '\0';
  if (is(agent, ON(r_max) | ON(v_max) | ON(e3)))
    snprintf(out, size, "known: the pairs tried m = %lld times; errors are judged for eps = %.4g",
             (long long)p->m, p->eps);
  if (is(agent, ON(mormax)))
    snprintf(out, size, "known: the pairs with a stored row; errors are judged for eps = %.4g",
             p->eps);
}

static void values_now(double *out, const learner *l) {
  const bool garden = is(l->agent, ON(oim)); /* own words begin with the garden's q */
  for (size_t i = 0; i < l->n_pairs; ++i) out[i] = l->q[i] + (garden ? l->own[i] : 0);
}

static void begin(far__watch *watch, const far_agent *agent, double *memory) {
  learner_watch *w = (learner_watch *)watch;
  const learner l = learner_of((far_agent *)agent); /* only read */
  w->q = memory;
  w->now = w->q + l.n_pairs;
  w->n = w->now + l.n_pairs;
  w->place = w->n + l.n_pairs;
  w->row = w->place + l.n_pairs;
  for (size_t i = 0; i < l.n_pairs; ++i) w->n[i] = w->place[i] = 0;
  for (uint32_t s = 0; s <= l.n_states; ++s) w->row[s] = 0;
  w->ended = SIZE_MAX;
  w->visits_unknown = 0;
  /* By the simulation lemma, errors x and y of a known pair's reward and of gamma P V add up to
   * (x + y) / (1 - gamma). A plan may be off by its tolerance. */
  w->allowed = l.p->tol + (is(agent, ON(r_max) | ON(v_max)) ? l.p->eps / 4
                           : is(agent, ON(mormax))          ? l.p->eps / 60
                                                            : 0);
  values_now(w->q, &l);
}

/* ---- values ---- */

/* How much less than the best average reward ucrl3's gain may be: kappa times the span of the values, which a sweep
 * moves by the range at most. 0 for other agents. */
static double near_optimism(const learner *l) {
  double span = 0, visits = 1, arcs = 0;
  if (!is(l->agent, ON(ucrl3))) return 0;
  for (uint32_t s = 0; s < l->n_states; ++s)
    if (learner_can_follow(l, s)) span = fmax(span, l->v[s]);
  for (size_t i = 0; i < l->n_pairs; ++i) {
    visits = fmax(visits, l->pair[i].n);
    arcs = fmax(arcs, (double)l->pair[i].count);
  }
  return l->p->kappa * (span + l->range) * arcs / far_exp(2 * far_log(visits) / 3);
}

/* Checks all pairs; called whenever a plan has changed one of them. */
static void check_values(learner_watch *w, const learner *l) {
  const far__truth *truth = w->base.truth;
  const far_agent *agent = l->agent;
  const far__claim_id claim = is(agent, ON(r_max) | ON(v_max) | ON(mormax))
                                  ? FAR__CLAIM_NEAR_OPTIMISM
                              : is(agent, ON(beb)) ? FAR__CLAIM_BAYES_OPTIMISM
                                                   : FAR__CLAIM_OPTIMISM;
  const bool optimist = !is(agent, ON(e3) | AVERAGE), bounded = optimist && !is(agent, ON(oim));
  if (is(agent, GAINED) && truth->gain == truth->gain) { /* NAN: there is no single best gain */
    const double gain = *average_of(l->agent).more; /* the first of the agent's further words */
    far_violation *x =
        far__check(&w->base, FAR__CLAIM_GAIN, 0, truth->gain - gain, near_optimism(l));
    far__note(x, "gain", gain + l->low);
    far__note(x, "best_gain", truth->gain + l->low);
  }
  for (size_t i = 0; i < truth->n_pairs; ++i) {
    if (!learner_can_follow(l, i / truth->n_actions)) continue;
    if (optimist) {
      far_violation *x = far__check(&w->base, claim, i, truth->q[i] - w->now[i], w->allowed);
      far__note(x, "q", w->now[i] - truth->end);
      far__note(x, "q_star", truth->q[i] - truth->end);
      far__note(x, "n", l->pair[i].n);
    }
    if (bounded) far__check(&w->base, FAR__CLAIM_BOUNDED, i, w->now[i], truth->v_max);
    if (is(agent, ON(r_max) | ON(ucbvi_gamma)))
      far__check(&w->base, FAR__CLAIM_Q_FALLS, i, w->now[i] - w->q[i], 0);
  }
}

/* ---- rows ---- */

static void add_true_row(learner_watch *w, size_t i, double sign, bool restarts) {
  const far_mdp *mdp = w->base.truth->mdp;
  const uint32_t end = w->base.truth->n_states;
  for (size_t k = mdp->row[i]; k < mdp->row[i + 1]; ++k) {
    const far_outcome *o = &mdp->outcome[k];
    if (!o->done || !restarts) {
      w->row[o->done ? end : o->next] += sign * o->probability;
      continue;
    }
    size_t count; /* for an average reward an end is a transition to the next start */
    const far_outcome *start = far_mdp_starts(mdp, &count);
    for (size_t j = 0; j < count; ++j)
      w->row[start[j].next] += sign * o->probability * start[j].probability;
  }
}

/* Leaves in w->row the estimate less the truth, and returns the L1 norm. A pair can only have been seen with its true
 * successors. */
static double row_error(learner_watch *w, const learner *l, const learner_pair *pair, size_t i) {
  const far__row row = learner_row(l, pair);
  add_true_row(w, i, -1, is(l->agent, AVERAGE));
  for (size_t k = 0; k < row.count; ++k) w->row[row.arc[k].next] += row.arc[k].weight / row.total;
  double sum = 0;
  for (uint32_t s = 0; s <= w->base.truth->n_states; ++s) sum += fabs(w->row[s]);
  return sum;
}

static void clear_row(learner_watch *w) {
  memset(w->row, 0, ((size_t)w->base.truth->n_states + 1) * sizeof *w->row);
}

static void note_pair(far_violation *x, const learner_pair *pair, double truth) {
  far__note(x, "n", pair->n);
  far__note(x, "mean_reward", pair->sum / pair->n);
  far__note(x, "true_reward", truth);
}

/* ---- known pairs ---- */

static void became_known(learner_watch *w, const learner *l, size_t i) {
  const far__truth *truth = w->base.truth;
  const learner_pair *pair = &l->pair[i];
  const double eps = l->p->eps * (1 - truth->gamma);
  far_violation *x = far__check(&w->base, FAR__CLAIM_KNOWN_REWARD, i,
                                fabs(pair->sum / pair->n - truth->reward[i]), eps / 8);
  note_pair(x, pair, truth->reward[i]);
  const double row = row_error(w, l, pair, i);
  clear_row(w);
  if (truth->gamma > 0) {
    x = far__check(&w->base, FAR__CLAIM_KNOWN_ROW, i, row, eps / (4 * truth->gamma * truth->v_max));
    far__note(x, "n", pair->n);
  }
  w->base.found.fact[FAR__FACT_KNOWN] += 1;
}

/* mormax stores rows apart from the batches, at the beginning of its own words. */
static const learner_pair *stored_row(const learner *l, size_t i) {
  return (const learner_pair *)l->own + i;
}

static void row_stored(learner_watch *w, const learner *l, size_t i) {
  const far__truth *truth = w->base.truth;
  const learner_pair *stored = stored_row(l, i);
  const far__row row = learner_row(l, stored);
  const double x = (stored->sum + truth->gamma * far__row_dot(&row, truth->v)) / stored->n;
  far_violation *violation = far__check(&w->base, FAR__CLAIM_KNOWN_BACKUP, i, fabs(x - truth->q[i]),
                                        l->p->eps * (1 - truth->gamma) / 60);
  far__note(violation, "backup", x - truth->end);
  far__note(violation, "q_star", truth->q[i] - truth->end);
  w->base.found.fact[FAR__FACT_ROWS] += 1;
}

/* ---- confidence sets ---- */

/* Bernstein's bound, of the empirical variance. */
static double ucrl2b_width(const learner *l, double variance, double bound, double n) {
  const double ln = far_log(6 * (double)l->n_live * l->n_actions * n / l->p->delta);
  return l->p->scale * (2 * sqrt(variance * ln / n) + 6 * bound * ln / n);
}

/* The agent stores the squared deviations of a pair's rewards behind the gain. */
static double reward_variance(const learner *l, size_t i) {
  return average_of(l->agent).more[1 + i] / l->pair[i].n;
}

/* C_P of KL-UCRL, at the current time. */
static double kl_bound(const learner *l) {
  const double S = l->n_live, ln = far_log(fmax(2, (double)l->agent->t + 1));
  const double b = far_log(2 * far_exp(1) * S * S * l->n_actions * ln / l->p->delta);
  const double x = b + 1 / ln;
  return l->p->scale * S * (b + far_log(x) * (1 + 1 / x));
}

static double kl_reward_width(const learner *l, double n) {
  const double ln = far_log(fmax(2, (double)l->agent->t + 1));
  const double pairs = (double)l->n_live * l->n_actions;
  return l->p->scale_r * l->range * sqrt(far_log(4 * pairs * ln / l->p->delta) / 1.99 / n);
}

/* The risk of an interval of UCRL3, and its logarithm from peeling. */
static double ucrl3_risk(const learner *l) {
  return l->p->delta / (3 * (double)l->n_live * l->n_actions * ((double)l->n_live + 1));
}

static double ucrl3_log(const learner *l, double n) {
  const double eta = 1.12, base = far_log(eta);
  return l->p->scale * eta *
         far_log(far_log(eta * n) * far_log(eta * eta * n) / (base * base * ucrl3_risk(l)));
}

static double ucrl3_reward_width(const learner *l, double variance, double n) {
  const double ell = ucrl3_log(l, n), laplace = far_log(sqrt(n + 1) / ucrl3_risk(l));
  return fmin(sqrt(2 * variance * ell / n) + 7 * l->range * ell / (3 * n),
              l->range * sqrt(l->p->scale * (1 + 1 / n) * laplace / (2 * n)));
}

/* The largest plausible distance of a frequency f from a probability x. */
static double ucrl3_width(const learner *l, double x, double f, double n) {
  const double ell = ucrl3_log(l, n);
  const double lambda = l->p->scale * far_log(2 * sqrt(n + 1) / ucrl3_risk(l));
  const double d = 0.5 - x;
  double g = 0.25 - d * d / 3; /* near 1/2, to 4 d^4 */
  if (x > f && x >= 0.5)
    g = x * (1 - x);
  else if (fabs(d) > 1e-4)
    g = x > 0 && x < 1 ? d / far_log((1 - x) / x) : 0;
  return fmin(sqrt(2 * x * (1 - x) * ell / n) + ell / (3 * n),
              sqrt(2 * g * (1 + 1 / n) * lambda / n));
}

static double reward_width(const learner *l, size_t i) {
  const double n = l->pair[i].n;
  if (is(l->agent, ON(ucrl2b))) return ucrl2b_width(l, reward_variance(l, i), l->range, n);
  if (is(l->agent, ON(kl_ucrl))) return kl_reward_width(l, n);
  if (is(l->agent, ON(ucrl3))) return ucrl3_reward_width(l, reward_variance(l, i), n);
  if (is(l->agent, ON(ucrl2))) {
    const double pairs = (double)l->n_live * l->n_actions, t = (double)l->agent->t + 1;
    return l->p->scale * l->range * sqrt(7 * far_log(2 * pairs * t / l->p->delta) / (2 * n));
  }
  return l->p->a * l->range / sqrt(n);
}

static double l1_width(const learner *l, double n) {
  if (is(l->agent, ON(ucrl2))) {
    const double t = (double)l->agent->t + 1;
    const double ln = far_log(2 * (double)l->n_actions * t / l->p->delta);
    return l->p->scale * sqrt(14 * (double)l->n_live * ln / n);
  }
  return l->p->b / sqrt(n);
}

/* The width of an interval about a frequency f, whose error is f - x; for ucrl-gamma the less of Bernstein's and
 * Hoeffding's. */
static double box_width(const learner *l, double f, double error, double n) {
  const double l1 = l->p->l1;
  if (is(l->agent, ON(ucrl3))) return ucrl3_width(l, f - error, f, n);
  if (is(l->agent, ON(ucrl2b))) return ucrl2b_width(l, f * (1 - f), 1, n);
  return fmin(sqrt(2 * l1 * f * (1 - f) / n) + 2 * l1 / (3 * n), sqrt(l1 / (2 * n)));
}

/* Expects the estimate less the truth in w->row (row_error). */
static void check_boxes(learner_watch *w, const learner *l, size_t i) {
  const learner_pair *pair = &l->pair[i];
  const far__row row = learner_row(l, pair);
  const uint32_t outcomes = l->n_states + (l->agent->shape.episodic ? 1u : 0u);
  const far__claim_id claim =
      is(l->agent, ON(ucrl_gamma)) ? FAR__CLAIM_SET_BOX : FAR__CLAIM_SET_INTERVAL;
  for (size_t k = 0; k < row.count; ++k) {
    const double f = row.arc[k].weight / pair->n;
    far_violation *x = far__check(&w->base, claim, i, fabs(w->row[row.arc[k].next]),
                                  box_width(l, f, w->row[row.arc[k].next], pair->n));
    far__note(x, "outcome", (double)row.arc[k].next);
    far__note(x, "frequency", f);
    far__note(x, "n", pair->n);
    w->row[row.arc[k].next] = 0;
  }
  for (uint32_t y = 0; y < outcomes; ++y) { /* outcomes that were never seen */
    if (w->row[y] == 0) continue;
    far_violation *x =
        far__check(&w->base, claim, i, fabs(w->row[y]), box_width(l, 0, w->row[y], pair->n));
    far__note(x, "outcome", y);
    far__note(x, "n", pair->n);
  }
}

/* The divergence of the truth from the frequencies; all that was seen is possible. */
static void check_divergence(learner_watch *w, const learner *l, size_t i) {
  const far__row row = learner_row(l, &l->pair[i]);
  double sum = 0;
  add_true_row(w, i, 1, true);
  for (size_t k = 0; k < row.count; ++k) {
    const double p = row.arc[k].weight / row.total;
    sum += p * far_log(p / w->row[row.arc[k].next]);
  }
  far_violation *x = far__check(&w->base, FAR__CLAIM_SET_KL, i, sum, kl_bound(l) / row.total);
  far__note(x, "n", row.total);
}

static void check_sets(learner_watch *w, const learner *l, size_t i) {
  const far__truth *truth = w->base.truth;
  const learner_pair *pair = &l->pair[i];
  far_violation *x = far__check(&w->base, FAR__CLAIM_SET_REWARD, i,
                                fabs(pair->sum / pair->n - truth->reward[i]), reward_width(l, i));
  note_pair(x, pair, truth->reward[i]);
  if (is(l->agent, ON(kl_ucrl))) {
    check_divergence(w, l, i);
    clear_row(w);
    return;
  }
  const double row = row_error(w, l, pair, i);
  if (is(l->agent, ON(ucrl_gamma) | ON(ucrl2b) | ON(ucrl3))) {
    check_boxes(w, l, i);
  } else {
    x = far__check(&w->base, FAR__CLAIM_SET_ROW, i, row, l1_width(l, pair->n));
    far__note(x, "n", pair->n);
  }
  clear_row(w);
}

/* ---- a step ---- */

/* Has the model of the pair changed since the last call? */
static bool counted(learner_watch *w, const learner *l, size_t i) {
  const bool changed = l->pair[i].n != w->n[i];
  w->n[i] = l->pair[i].n;
  return changed;
}

static void step_known(learner_watch *w, const learner *l, size_t i) {
  const double m = (double)l->p->m;
  if (w->n[i] >= m) return;
  w->visits_unknown += 1;
  far__check(&w->base, FAR__CLAIM_UNKNOWN_VISITS, i, w->visits_unknown,
             m * (double)l->n_live * l->n_actions);
  if (counted(w, l, i) && l->pair[i].n >= m) became_known(w, l, i);
}

/* A batch that this step has filled is empty again; if it was accepted, its row and the stored one have been
 * swapped. */
static void step_batch(learner_watch *w, const learner *l, size_t i) {
  const learner_pair *stored = stored_row(l, i);
  const double place = stored->n > 0 ? (double)stored->first + 1 : 0;
  const bool full = w->n[i] + 1 >= (double)l->p->m;
  w->n[i] = l->pair[i].n;
  if (!full) return;
  far_violation *x = far__check_event(&w->base, FAR__CLAIM_FIRST_BATCH, i, stored->n > 0, 1,
                                      0); /* of a row, none */
  far__note(x, "q", w->now[i] - w->base.truth->end);
  w->base.found.fact[FAR__FACT_BATCHES] += 1;
  if (place != w->place[i]) row_stored(w, l, i);
  w->place[i] = place;
}

static void step(far__watch *watch, const far_agent *agent, const far_transition *tr) {
  learner_watch *w = (learner_watch *)watch;
  const learner l = learner_of((far_agent *)agent); /* only read */
  const size_t i = learner_index(&l, tr);
  values_now(w->now, &l);
  const bool changed = memcmp(w->now, w->q, l.n_pairs * sizeof *w->q) != 0;
  if (is(agent, ON(mbie) | ON(ucrl_gamma) | AVERAGE)) {
    /* the pairs that this step has counted: its own and, for average reward, one that ended an episode */
    if (w->ended != SIZE_MAX && counted(w, &l, w->ended)) check_sets(w, &l, w->ended);
    w->ended = tr->done ? i : SIZE_MAX;
    if (counted(w, &l, i)) check_sets(w, &l, i);
  }
  if (is(agent, ON(r_max) | ON(v_max) | ON(e3))) step_known(w, &l, i);
  if (is(agent, ON(mormax))) step_batch(w, &l, i);
  if (!changed) return;
  watch->found.fact[FAR__FACT_PLANS] += 1;
  check_values(w, &l);
  memcpy(w->q, w->now, l.n_pairs * sizeof *w->q);
}

static void end(far__watch *watch, const far_agent *agent) {
  learner_watch *w = (learner_watch *)watch;
  const learner l = learner_of((far_agent *)agent);
  values_now(w->now, &l);
  check_values(w, &l);
}

const far__checker far__check_learner = {
    .size = sizeof(learner_watch),
    .words = words,
    .begin = begin,
    .step = step,
    .end = end,
    .known = known,
};
