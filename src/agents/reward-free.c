#include "agents/reward-free.h"

static size_t own_words(const far_shape *shape) {
  return 1 + episodic_table(shape) +
         (size_t)shape->horizon * shape->n_states * (size_t)shape->n_actions;
}

reward_free reward_free_of(far_agent *agent) {
  reward_free f = {.e = episodic_of(agent)};
  f.problem = episodic_problem(f.e.p, &agent->shape);
  f.w_v = f.e.own + 1;
  f.w_q = f.w_v + episodic_table(&agent->shape);
  return f;
}

void reward_free_begin(far_agent *agent, reward_free_top *top) {
  episodic_init(agent);
  const reward_free f = reward_free_of(agent);
  for (int64_t h = 0; h < f.e.horizon; ++h) {
    double *w = episodic_at(&f.e, f.w_v, h), *w_q = f.w_q + (size_t)h * f.e.n_pairs;
    for (uint32_t s = 0; s < f.e.n_states; ++s)
      w[s] = far_shape_is_live(&agent->shape, s) ? top(&f, h) : 0;
    for (size_t i = 0; i < f.e.n_pairs; ++i) w_q[i] = w[i / f.e.n_actions];
  }
}

/* ---- planning: the values of the estimated model, and the uncertainty beside them ---- */

typedef struct reward_free_plan {
  reward_free f;
  const reward_free_rule *rule;
} reward_free_plan;

/* Q_h(s,a) = r^ + P^ V_{h+1};  n = 0: 0, so that an untried action is not recommended for its optimism */
static double backup(const void *context, int64_t h, size_t i, const double *v) {
  const episodic *e = &((const reward_free_plan *)context)->f.e;
  const learner_pair *pair = &e->pair[episodic_row(e, h, i)];
  const far__row row = episodic_arcs(e, pair);
  return pair->n > 0 ? (pair->sum + far__row_dot(&row, v)) / pair->n : 0;
}

/* W_h(s,a) = min(top, width);  n = 0: top;  W_h(s) = max_a W_h(s,a) */
static void settle(const void *context, int64_t h, uint32_t s) {
  const reward_free_plan *plan = context;
  const reward_free *f = &plan->f;
  const episodic *e = &f->e;
  const double *next = episodic_at(e, f->w_v, h + 1), top = plan->rule->top(f, h);
  double *w_q = f->w_q + ((size_t)h * e->n_states + s) * e->n_actions;
  for (uint32_t a = 0; a < e->n_actions; ++a) {
    const learner_pair *pair = &e->pair[episodic_row(e, h, (size_t)s * e->n_actions + a)];
    const far__row row = episodic_arcs(e, pair);
    w_q[a] =
        pair->n == 0 ? top : fmin(top, plan->rule->width(f, h, pair->n, episodic_mean(&row, next)));
  }
  episodic_at(e, f->w_v, h)[s] = far__max(w_q, e->n_actions);
}

static bool loss_of(const far_agent *agent, const reward_free *f, const reward_free_rule *rule,
                    double *bound) {
  double w;
  if (!episodic_start_gap(agent, f->w_v, NULL, &w)) return false;
  *bound = rule->loss(w / f->e.range) * f->e.range;
  return true;
}

/* The step enters the data; after an episode Q and W are computed again, and the agent stops if the loss is at most eps. */
void reward_free_observe(far_agent *agent, const far_transition *step,
                         const reward_free_rule *rule) {
  reward_free_plan plan = {reward_free_of(agent), rule};
  episodic *e = &plan.f.e;
  double bound;
  if (certified_stopped_in(e)) return;
  episodic_enter(e, step);
  if (!episodic_due(e, step)) return;
  episodic_plan(e, backup, settle, &plan);
  if (loss_of(agent, &plan.f, rule, &bound)) certified_judge(e, bound);
}

/* There is none before it stops: until then it explores, and does not follow the policy that it recommends. */
bool reward_free_certificate(const far_agent *agent, const reward_free_rule *rule, double *bound) {
  const reward_free f = reward_free_of((far_agent *)agent); /* only read through */
  return certified_stopped_in(&f.e) && loss_of(agent, &f, rule, bound);
}

/* ---- hooks ---- */

size_t reward_free_state_size(const far_shape *shape, const void *params) {
  return episodic_size(shape, params, own_words(shape));
}

/* In a timed state: W until it stops, then Q. */
static const double *acted_on(const reward_free *f, uint32_t x) {
  return (certified_stopped_in(&f->e) ? f->e.q : f->w_q) + (size_t)x * f->e.n_actions;
}

uint32_t reward_free_act(far_agent *agent, uint32_t x) {
  const reward_free f = reward_free_of(agent);
  return far__greedy(acted_on(&f, x), f.e.n_actions, (far__ties)f.e.p->ties, &agent->rng);
}

bool reward_free_policy(const far_agent *agent, uint32_t x, double *out) {
  const reward_free f = reward_free_of((far_agent *)agent); /* only read through */
  far__greedy_policy(far__score_row, acted_on(&f, x), f.e.n_actions, (far__ties)f.e.p->ties, out);
  return true;
}

bool reward_free_value(const far_agent *agent, far_value kind, size_t i, double *out) {
  const reward_free f = reward_free_of((far_agent *)agent); /* only read through */
  if (kind != FAR_VALUE_E) return episodic_value(agent, kind, i, out);
  *out = f.w_q[i];
  return true;
}

bool reward_free_valid(const far_agent *agent) {
  const reward_free f = reward_free_of((far_agent *)agent); /* only read through */
  return episodic_valid(agent) && (f.e.own[0] == 0 || f.e.own[0] == 1) &&
         certified_within(f.w_v, own_words(&agent->shape) - 1, (double)f.e.horizon);
}
