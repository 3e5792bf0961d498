/* The model behind lower bounds (Jaksch, Ortner & Auer 2010; Lattimore & Szepesvari 2020, section
 * 38.7; the discounted bounds of Strehl, Li & Littman 2009 and Lattimore & Hutter 2012 rest on the
 * same idea): a bandit with as many arms as there are pairs at the leaves of a tree. From the root
 * the actions lead down a full tree of `depth` levels to one of actions^depth leaves. Every action
 * at every leaf leads to the good or the bad state with probability 1/2 each, but for a single pair,
 * which leads to the good one with 1/2 + gap. Both keep the agent with probability 1 - leave a
 * step and then send it back to the root; a step in the good state pays 1, everything else 0.
 *
 * Nodes are numbered level by level from the root, 0; then come the good and the bad state. The best
 * policy earns (1/2 + gap) / (1 + leave (depth + 1)) a step, any other at most the same with gap 0
 * until it has found the arm. */
#include "model/envs/draw.h"
#include "model/envs/family.h"

typedef struct FAR__PARAMS bandit_params {
  int64_t actions, depth, best, seed;
  double gap, leave;
  far__criterion criterion;
} bandit_params;

enum { MOST_PAIRS = 10000000 };

#define AT(field) .offset = offsetof(bandit_params, field)

static const far_param params[] = {
    {.name = "actions",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "4",
     .min = 2,
     .max = 10000,
     AT(actions),
     .help = "number of actions"},
    {.name = "depth",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "1",
     .min = 0,
     .max = 23,
     AT(depth),
     .help = "levels of the tree; there are actions^(depth + 1) arms"},
    {.name = "gap",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .max = 0.5,
     AT(gap),
     .help = "by how much the best arm is better"},
    {.name = "leave",
     .kind = FAR_PARAM_REAL,
     .fallback = "0.1",
     .min = 0,
     .min_open = true,
     .max = 1,
     AT(leave),
     .help = "probability of leaving the good or the bad state"},
    {.name = "best",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "-1",
     .min = -1,
     .max = MOST_PAIRS,
     AT(best),
     .help = "the best arm, leaf * actions + action; -1 draws it"},
    {.name = "seed",
     .kind = FAR_PARAM_INTEGER,
     .fallback = "0",
     FAR__ANY_SEED,
     AT(seed),
     .help = "seed of the best arm"},
    FAR__ROWS_CRITERION(bandit_params),
};

typedef struct tree {
  uint64_t inner, leaves; /* nodes; counting stops beyond MOST_PAIRS */
} tree;

static tree size_of(const bandit_params *p) {
  tree t = {0, 1};
  for (int64_t level = 0; level < p->depth && t.leaves <= MOST_PAIRS; ++level) {
    t.inner += t.leaves;
    t.leaves *= (uint64_t)p->actions;
  }
  return t;
}

static far_status resolve(far__spec *spec, far_error *error) {
  const bandit_params *p = (const bandit_params *)spec->values;
  const tree t = size_of(p);
  if ((t.inner + t.leaves + 2) * (uint64_t)p->actions > MOST_PAIRS)
    return far__spec_fail(spec, offsetof(bandit_params, depth), error,
                          "a tree of %d actions and depth %d has more than %d pairs",
                          (int)p->actions, (int)p->depth, MOST_PAIRS);
  const uint64_t arms = t.leaves * (uint64_t)p->actions;
  if (p->best >= 0 && (uint64_t)p->best >= arms)
    return far__spec_fail(spec, offsetof(bandit_params, best), error,
                          "best=%ld is not one of the arms 0 ... %ld", (long)p->best,
                          (long)arms - 1);
  if (p->best < 0) return FAR_OK;
  return far__spec_refuse(spec, offsetof(bandit_params, seed), "best names the arm", error);
}

static uint64_t best_arm(const bandit_params *p, uint64_t arms) {
  if (p->best >= 0) return (uint64_t)p->best;
  far_rng rng;
  far_rng_init(&rng, (uint64_t)p->seed, 0, FAR_PURPOSE_MODEL);
  return far_rng_below(&rng, (uint32_t)arms); /* at most MOST_PAIRS */
}

/* The tree from its root down, and the two states below it. */
static void draw(far__sketch *k, const bandit_params *p, const tree *t) {
  const double width = t->leaves > 2 ? (double)t->leaves : 2;
  uint32_t s = 0, nodes = 1;
  far__draw(k, FAR_LAYOUT_GRAPH, width, (double)p->depth + 2);
  for (int64_t level = 0; level <= p->depth; ++level, nodes *= (uint32_t)p->actions)
    for (uint32_t j = 0; j < nodes; ++j)
      far__place(k, s++, (j + 0.5) * width / nodes, (double)level + 0.5, NULL);
  far__place(k, s, width / 4, (double)p->depth + 1.5, "good");
  far__place(k, s + 1, width * 3 / 4, (double)p->depth + 1.5, "bad");
}

static void fill(far__sketch *k, const void *values) {
  const bandit_params *p = values;
  const tree t = size_of(p);
  draw(k, p, &t);
  const uint32_t actions = (uint32_t)p->actions, inner = (uint32_t)t.inner;
  const uint32_t good = inner + (uint32_t)t.leaves, bad = good + 1;
  const uint64_t best = best_arm(p, t.leaves * actions);
  far__range(k, (const double[]){1}, 1);
  far__start(k, 0, 1);
  for (uint32_t a = 0; a < actions; ++a) {
    for (uint32_t s = 0; s < inner; ++s) far__outcome(k, s, a, 1, s * actions + a + 1, 0);
    for (uint32_t s = inner; s < good; ++s) {
      const bool special = (uint64_t)(s - inner) * actions + a == best;
      const double up = 0.5 + (special ? p->gap : 0);
      far__outcome(k, s, a, up, good, 0);
      far__outcome(k, s, a, 1 - up, bad, 0);
    }
    for (uint32_t s = good; s <= bad; ++s) {
      far__outcome(k, s, a, 1 - p->leave, s, s == good);
      far__outcome(k, s, a, p->leave, 0, s == good);
    }
  }
}

static far_status build(far_mdp **out, const void *values, far_error *error) {
  const bandit_params *p = values;
  const tree t = size_of(p);
  return far__family_build(out, (uint32_t)(t.inner + t.leaves) + 2, (uint32_t)p->actions, 1, fill,
                           p, error);
}

const far__family far__family_hard_bandit = {
    .info = {.name = "hard-bandit",
             .summary = "The construction of lower bounds: one of many pairs is slightly better",
             .reference = "Jaksch, Ortner & Auer 2010; Lattimore & Szepesvari 2020, section 38.7",
             .params = params,
             .n_params = sizeof params / sizeof *params},
    .resolve = resolve,
    .build = build,
};
