/* Negative rewards and terminal states: on cliff-walking every agent learns to reach the goal, on taxi
 * those that are fast enough. The end is worth 0, the most there is on the cliff, so an agent that
 * mistakes its worth walks round in circles.
 *
 * The range of rewards is 100 and more there, but it takes steps of 1 to tell the ways apart: widths
 * and bonuses in proportion to the range hide the goal for a long time, so most agents get smaller
 * ones here.
 *
 * usage: unit_goals [NAME]      NAME: this agent alone, and the shares of goals that it reaches */
#include <farsight/farsight.h>

#include "check.h"

typedef struct row {
  const char *agent;
  double least; /* of the goals that the shortest ways would reach in the last fifth */
} row;

/* 13 steps are the shortest way. */
static const row CLIFF[] = {
    {"directed-delayed-q:gamma=0.95,eps1=0.25,m=2,rho=0.5,lambda=0.5", 0.95},
    {"delayed-q:gamma=0.95,eps1=0.25,m=2", 0.95},
    {"delayed-q-ie:gamma=0.95,eps1=0.25,m=2,rho=0.5", 0.95},
    {"q-learning", 0.6}, /* dithering falls off the cliff now and then */
    {"count-q:beta=0.1", 0.95},
    {"dora:temperature=0.1,alpha=0.5", 0.9},
    {"ucb-q:c=0.001", 0.95},
    {"speedy-q:form=step", 0.35},               /* steps of 1/n: slow where values travel far */
    {"bayes-q:choice=vpi,mu0=0,beta0=1", 0.25}, /* so are its means */
    {"r-max", 0.95},
    {"v-max", 0.95},
    {"mbie:a=0.005,b=0.001", 0.95},
    {"mbie-eb:beta=0.5", 0.95},
    {"beb:beta=2", 0.95},
    {"oim:gamma=0.95,ve=2000", 0.95},
    {"mormax", 0.95},
    {"e3:horizon=15", 0.95},
    {"ucrl2", 0},  /* every step pays -1, the last as well: on average the goal is worth nothing */
    {"ucrl2b", 0}, /* likewise */
    {"kl-ucrl", 0},
    {"ucrl3", 0},
    {"imed-rl", 0},
    {"ucrl-gamma:l1=0.001,a=0.001", 0.95},
    {"ucbvi-gamma:u=0.00003", 0.95},
    {"psrl:mu0=0,sp=2,sn=0.5,prior=0.01", 0.8},
    {"rlsvi:sn=0.5", 0.9},
};

/* 13 steps on average: to the passenger, to the destination. */
static const row TAXI[] = {
    {"q-learning:alpha=0.5,epsilon=0.02", 0.9},
    {"count-q:place=choice,beta=0.5,alpha=0.5,step=constant", 0.9},
    {"dora:temperature=0.1,alpha=0.5", 0.9},
    {"r-max:m=1", 0.95},
    {"v-max:m=1", 0.95},
    {"mbie:a=0.01,b=0.001", 0.95},
    {"mbie-eb:beta=0.1", 0.95},
    {"beb:beta=1", 0.95},
    {"mormax:m=1", 0.95},
    {"e3:m=1", 0.95},
    {"ucrl-gamma:l1=0.0001,a=0.01", 0.95},
    {"rlsvi:sn=0.1", 0.95},
};

typedef struct part {
  double reward, goals;
} part;

/* So many steps; the reward and the goals reached. */
static part walk(const far_mdp *mdp, far_agent *agent, uint32_t *s, far_rng rng[2], int steps) {
  part p = {0, 0};
  while (steps-- > 0) {
    const uint32_t a = far_agent_act(agent, *s);
    const far_outcome *o = far_mdp_step(mdp, *s, a, &rng[0]);
    CHECK(far_agent_observe(agent, &(far_transition){*s, a, o->reward, o->next, o->done, false},
                            NULL) == FAR_OK);
    p.reward += o->reward;
    p.goals += o->done;
    *s = o->done ? far_mdp_start(mdp, &rng[1]) : o->next;
  }
  return p;
}

typedef struct problem {
  const char *env;
  const row *rows;
  size_t n_rows;
  int steps, runs;
  double best; /* steps of the shortest way */
} problem;

/* Enough goals in the last fifth, and returns that are less than half as bad as in the first hundredth. */
static void compare(const problem *p, const row *r, part first, part last, bool show) {
  const int steps = p->steps / 5;
  if (show)
    printf("%s on %s: share of goals %.3f, at least %g wanted\n", r->agent, p->env,
           last.goals * p->best / steps, r->least);
  const double wanted = r->least * steps / p->best;
  bool good = last.goals >= wanted;
  if (r->least > 0)
    good &= last.reward / last.goals > 0.5 * first.reward / fmax(1, first.goals);
  else
    good &= last.reward >= -1.05 * steps; /* at least it keeps off the cliff */
  CHECK(good);
  if (!good)
    printf("  %s on %s: %g goals (%g wanted), reward %g; at first %g, %g\n", r->agent, p->env,
           last.goals, wanted, last.reward, first.goals, first.reward);
  if (!good)
    puts(
        "  add or change its row of CLIFF or TAXI in tests/unit/goals.c: parameters that learn it");
}

static void run_row(const problem *p, const far_mdp *mdp, const row *r, uint64_t replicate,
                    bool show) {
  const far_shape shape = far_mdp_shape(mdp);
  far_agent *agent;
  far_error error = {0};
  far_rng rng[2];
  CHECK(far_agent_create(&agent, r->agent, &shape, 1, replicate, &error) == FAR_OK);
  if (agent == NULL) {
    printf("  %s: %s\n", r->agent, error.message);
    return;
  }
  far_rng_init(&rng[0], 1, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&rng[1], 1, replicate, FAR_PURPOSE_START);
  uint32_t s = far_mdp_start(mdp, &rng[1]);
  const part first = walk(mdp, agent, &s, rng, p->steps / 100);
  walk(mdp, agent, &s, rng, p->steps - p->steps / 100 - p->steps / 5);
  const part last = walk(mdp, agent, &s, rng, p->steps / 5);
  compare(p, r, first, last, show);
  far_agent_free(agent);
}

static const row *row_of(const problem *p, const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i < p->n_rows; ++i)
    if (strcspn(p->rows[i].agent, ":") == length && strncmp(p->rows[i].agent, name, length) == 0)
      return &p->rows[i];
  return NULL;
}

/* `all`: an agent without a row of its own is tried with its defaults, unless it does not learn. `name`:
 * only this one; NULL: every agent. */
static void test_problem(const problem *p, bool all, const char *name) {
  far_mdp *mdp;
  const far_type_info *type;
  CHECK(far_mdp_create(&mdp, p->env, NULL) == FAR_OK);
  for (size_t i = 0; (type = far_agent_type(i)) != NULL; ++i) {
    const row plain = {type->name, 0.9}, *own = row_of(p, type->name);
    if (name != NULL && strcmp(name, type->name) != 0) continue;
    if (own == NULL && (!all || type->baseline || type->finite_horizon)) continue;
    for (int k = 0; k < p->runs; ++k)
      run_row(p, mdp, own != NULL ? own : &plain, (uint64_t)k, name != NULL);
  }
  far_mdp_free(mdp);
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : NULL;
  const problem cliff = {"cliff-walking", CLIFF, sizeof CLIFF / sizeof *CLIFF, 20000, 5, 13};
  const problem taxi = {"taxi", TAXI, sizeof TAXI / sizeof *TAXI, 60000, 1, 13};
  CHECK(name == NULL || far_spec_type(far_agent_type, name) != NULL);
  if (name != NULL && far_spec_type(far_agent_type, name) == NULL)
    printf("  there is no agent %s\n", name);
  test_problem(&cliff, true, name);
  test_problem(&taxi, false, name);
  return check_report();
}
