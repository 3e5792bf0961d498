/* An agent of your own beside the library's: expected Sarsa (van Seijen et al. 2009) is registered
 * under a name, and then runs in a batch with Q-learning, on several threads and on the same random
 * numbers. */
#include <farsight/farsight.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- its parameters: one table feeds the parser, the help and the checks ---- */

typedef struct sarsa_params {
  double gamma, alpha, epsilon;
} sarsa_params;

static const far_param params[] = {
    {.name = "gamma",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.95",
     .min = 0,
     .max = 1,
     .max_open = true,
     .help = "discount factor",
     .offset = offsetof(sarsa_params, gamma)},
    {.name = "alpha",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .min_open = true,
     .max = 1,
     .help = "step size",
     .offset = offsetof(sarsa_params, alpha)},
    {.name = "epsilon",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 1,
     .help = "probability of a random action",
     .offset = offsetof(sarsa_params, epsilon)},
};

/* ---- its state ---- */

typedef struct sarsa {
  sarsa_params p;
  uint32_t n_states, n_actions;
  far_rng rng;
  double q[]; /* of every pair */
} sarsa;

static far_status reset(void *instance, uint64_t seed, uint64_t replicate, far_error *error) {
  sarsa *x = instance;
  (void)error;
  far_rng_init(&x->rng, seed, replicate, FAR_PURPOSE_AGENT);
  for (size_t i = 0; i < (size_t)x->n_states * x->n_actions; ++i) x->q[i] = 0;
  return FAR_OK;
}

static far_status create(void **instance, const void *values, const far_shape *shape, uint64_t seed,
                         uint64_t replicate, void *user, far_error *error) {
  (void)user;
  sarsa *x = malloc(sizeof *x + (size_t)shape->n_states * shape->n_actions * sizeof *x->q);
  if (x == NULL) return FAR_STATUS_MEMORY;
  x->p = *(const sarsa_params *)values;
  x->n_states = shape->n_states;
  x->n_actions = shape->n_actions;
  *instance = x;
  return reset(x, seed, replicate, error);
}

static uint32_t greedy(const sarsa *x, uint32_t s) {
  const double *q = x->q + (size_t)s * x->n_actions;
  uint32_t best = 0;
  for (uint32_t a = 1; a < x->n_actions; ++a)
    if (q[a] > q[best]) best = a;
  return best;
}

static far_status act(void *instance, uint32_t s, uint32_t *a, far_error *error) {
  sarsa *x = instance;
  (void)error;
  const bool explores = far_rng_uniform(&x->rng) < x->p.epsilon;
  *a = explores ? far_rng_below(&x->rng, x->n_actions) : greedy(x, s);
  return FAR_OK;
}

/* The probability of every action: what metrics such as `mistakes` evaluate. */
static far_status policy(const void *instance, uint32_t s, double *out, far_error *error) {
  const sarsa *x = instance;
  (void)error;
  for (uint32_t a = 0; a < x->n_actions; ++a) out[a] = x->p.epsilon / x->n_actions;
  out[greedy(x, s)] += 1 - x->p.epsilon;
  return FAR_OK;
}

/* Q(s,a) += alpha (r + gamma sum_a' pi(a'|s') Q(s',a') - Q(s,a)) */
static far_status observe(void *instance, const far_transition *step, far_error *error) {
  sarsa *x = instance;
  double *q = &x->q[(size_t)step->s * x->n_actions + step->a], future = 0;
  (void)error;
  if (!step->done) {
    const double *next = x->q + (size_t)step->next * x->n_actions;
    for (uint32_t a = 0; a < x->n_actions; ++a) future += x->p.epsilon / x->n_actions * next[a];
    future += (1 - x->p.epsilon) * next[greedy(x, step->next)];
  }
  *q += x->p.alpha * (step->r + x->p.gamma * future - *q);
  return FAR_OK;
}

static const far_agent_def expected_sarsa = {
    .size = sizeof expected_sarsa,
    .name = "expected-sarsa",
    .summary = "Expected Sarsa with epsilon-greedy choice",
    .reference = "van Seijen, van Hasselt, Whiteson, Wiering 2009",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .params_size = sizeof(sarsa_params),
    .create = create,
    .free = free,
    .act = act,
    .observe = observe,
    .reset = reset,
    .policy = policy,
};

/* ---- a batch ---- */

int main(void) {
  far_error error;
  far_mdp *mdp = NULL;
  far_batch *batch = NULL;
  far_status status = far_agent_register(&expected_sarsa, &error);
  if (status == FAR_OK) status = far_mdp_create(&mdp, "cliff-walking", &error);
  const far_cell cells[] = {{.mdp = mdp, .agent = "expected-sarsa:alpha=0.5", .steps = 20000},
                            {.mdp = mdp, .agent = "q-learning:alpha=0.5", .steps = 20000}};
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 20;
  if (status == FAR_OK) status = far_batch_run(&batch, &def, &error);
  for (size_t i = 0; status == FAR_OK && i < def.n_cells; ++i) {
    const far_result *result = far_batch_result(batch, i);
    printf("%-50.50s %10.1f ± %.1f\n", result->agent, result->mean, result->ci95);
  }
  if (status != FAR_OK) fprintf(stderr, "%s\n", error.message);
  far_batch_free(batch);
  far_mdp_free(mdp);
  return status != FAR_OK;
}
