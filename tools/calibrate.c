/* calibrate: the search behind `farsight reproduce`, seeded and repeatable.
 *
 * The paper gives no parameters. A `fit` study looks for the set whose means come closest to the
 * paper's; a `tune` study looks for the set that earns most on both chains together. Every study
 * has the same budget, for each of several window lengths m on its own (good sets can be narrow in
 * m, and a search over all of it passes them by):
 *   1. random sets, log-uniform within wide bounds, in a race of heats: the first looks at one cell
 *      and two runs, the last at all cells and many runs, and few of each heat enter the next;
 *   2. from BASINS of the best that lie apart, an evolution strategy that adapts its covariance (the
 *      rank-mu update of CMA-ES, Hansen & Ostermeier 2001).
 * The best of all windows are compared on other seeds, and the winner is measured on fresh ones,
 * which no earlier stage has seen. Sets are rounded to four digits before they are evaluated, so
 * that what is printed is what was measured. The result does not depend on the number of threads.
 */
#include <farsight/farsight.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  CANDIDATES = 80000,
  BASINS = 3,
  GENERATIONS = 14,
  SAMPLES = 14,
  ELITE = 4,
  RUNS_EVOLVE = 60,
  RUNS_FINALIST = 400,
  RUNS_LAST = 1000,
  SEED_SEARCH = 1001,
  SEED_FINALIST = 1501,
  SEED_LAST = 2002,
  MAX_KEYS = 8,
  MAX_CELLS = 10,
  STEPS = 10000
};

/* How much of the cells a heat looks at: the first one, those at the ends of the range of gamma_e,
 * or all. */
typedef enum look { ONE, ENDS, ALL } look;

static const struct {
  int candidates;
  look look;
  int runs;
} heats[] = {{CANDIDATES, ONE, 2}, {6000, ENDS, 6}, {400, ALL, 20}, {40, ALL, 80}};

enum { N_HEATS = sizeof heats / sizeof *heats, LAST_HEAT = 40 };

static const int windows[] = {1, 2, 3, 5, 12, 70, 300};

enum { N_WINDOWS = sizeof windows / sizeof *windows };

/* ---- what is searched ---- */

/* How a coordinate u in [0, 1] becomes a value: x = low (high / low)^u, and then */
typedef enum scale {
  PLAIN,        /* x */
  ONE_MINUS,    /* 1 - x */
  NEGATIVE_EXP, /* e^-x */
  OF_VMAX,      /* x Vmax */
  MARGIN,       /* the rho with which a first update must lower Q by x: rho / sqrt(m) + eps1 = x */
  CHOICE        /* none of that: one of the words */
} scale;

typedef struct key {
  const char *name;
  scale scale;
  double low, high;
  const char *choices; /* CHOICE: words separated by '|' */
} key;

typedef enum goal { FIT, FIT_RELATIVE, TUNE } goal;

typedef struct study {
  const char *name;
  goal goal;
  const char *method; /* the paper's rows to fit; NULL when tuning */
  const char *prefix; /* of the spec: the name and what is fixed */
  key keys[MAX_KEYS];
} study;

/* gamma and eps1 come first, since others are relative to them. */
#define GAMMA                                                                                      \
  { "gamma", ONE_MINUS, 0.002, 0.4, NULL }
#define EPS1                                                                                       \
  { "eps1", PLAIN, 0.002, 0.49, NULL }
#define LAMBDA                                                                                     \
  { "lambda", OF_VMAX, 0.005, 60, NULL }
#define RHO                                                                                        \
  { "rho", MARGIN, 0.1, 2.5, NULL }
#define RULE                                                                                       \
  { "learn", CHOICE, 0, 0, "2009|printed" }
#define GAMMA_E                                                                                    \
  { "gamma_e", CHOICE, 0, 0, "0.99|0.9|0.75|0.5|0.25" }
#define E0                                                                                         \
  { "e0", NEGATIVE_EXP, 0.1, 300, NULL } /* eta follows it: only lambda^2 ln eta matters */

static const study studies[] = {
    {"fit-directed",
     FIT,
     "Directed Delayed QL",
     "directed-delayed-q:clamp=off,learn=printed",
     {GAMMA, EPS1, LAMBDA, RHO}},
    {"fit-directed-clamp",
     FIT,
     "Directed Delayed QL",
     "directed-delayed-q:clamp=on",
     {GAMMA, EPS1, LAMBDA, RHO, RULE}},
    {"fit-directed-e0",
     FIT,
     "Directed Delayed QL",
     "directed-delayed-q:clamp=off,learn=printed",
     {GAMMA, EPS1, LAMBDA, RHO, E0}},
    {"fit-directed-e0-clamp",
     FIT,
     "Directed Delayed QL",
     "directed-delayed-q:clamp=on",
     {GAMMA, EPS1, LAMBDA, RHO, RULE, E0}},
    {"fit-delayed-q", FIT_RELATIVE, "Delayed QL", "delayed-q:ties=random", {GAMMA, EPS1}},
    {"fit-q-learning",
     FIT_RELATIVE,
     "QL + ε-greedy",
     "q-learning:ties=lowest",
     {GAMMA, {"alpha", PLAIN, 0.001, 1, NULL}, {"epsilon", PLAIN, 0.1, 1, NULL}}},
    {"tune-delayed-q", TUNE, NULL, "delayed-q:ties=random", {GAMMA, EPS1}},
    {"tune-delayed-q-ie", TUNE, NULL, "delayed-q-ie:ties=random", {GAMMA, EPS1, RHO}},
    {"tune-directed",
     TUNE,
     NULL,
     "directed-delayed-q:clamp=off",
     {GAMMA, EPS1, LAMBDA, RHO, RULE, GAMMA_E}},
    {"tune-directed-clamp",
     TUNE,
     NULL,
     "directed-delayed-q:clamp=on",
     {GAMMA, EPS1, LAMBDA, RHO, GAMMA_E}},
    {"tune-directed-theory",
     TUNE,
     NULL,
     "directed-delayed-q:preset=theory", /* its lambda */
     {GAMMA, EPS1, RHO, GAMMA_E}},
};

enum { N_STUDIES = sizeof studies / sizeof *studies };

/* The paper's rows, from the one place where they stand. */
#define NONE NAN
static const struct {
  const char *method;
  double gamma_e, mean[2];
} paper[] = {
#define ROW(method, gamma_e, agent, mean10, ci10, mean50, ci50) {method, gamma_e, {mean10, mean50}},
#include "../cli/reproduce.def"
#undef ROW
};

/* ---- from a point in the unit cube to a spec ---- */

typedef struct point {
  int m; /* the window; 0 if the agent has none */
  double x[MAX_KEYS];
  double score; /* the smaller the better */
} point;

static size_t n_keys(const study *st) {
  size_t n = 0;
  while (n < MAX_KEYS && st->keys[n].name != NULL) ++n;
  return n;
}

static void print_choice(char *out, size_t size, const char *choices, double x) {
  int count = 1;
  for (const char *c = choices; *c; ++c) count += *c == '|';
  const char *word = choices;
  for (int skip = (int)fmin(x * count, count - 1); skip > 0; --skip) word += strcspn(word, "|") + 1;
  snprintf(out, size, "%.*s", (int)strcspn(word, "|"), word);
}

typedef struct known { /* values that others are relative to */
  double gamma, eps1;
  int m;
} known;

static double value_of(const key *k, double u, const known *so_far) {
  if (k->scale == CHOICE) return 0;
  const double x = k->low * far_exp(u * far_log(k->high / k->low));
  switch (k->scale) {
  case ONE_MINUS: return 1 - x;
  case NEGATIVE_EXP: return far_exp(-x);
  case OF_VMAX: return x / (1 - so_far->gamma);
  case MARGIN: return sqrt(so_far->m) * fmax(x - so_far->eps1, 0.01);
  default: return x;
  }
}

static void print_spec(char out[512], const study *st, const point *p) {
  size_t used = (size_t)snprintf(out, 512, "%s", st->prefix);
  known so_far = {.m = p->m};
  if (p->m > 0) used += (size_t)snprintf(out + used, 512 - used, ",m=%d", p->m);
  for (size_t i = 0; i < n_keys(st); ++i) {
    const key *k = &st->keys[i];
    char text[32];
    const double value = value_of(k, p->x[i], &so_far);
    if (k->scale == CHOICE)
      print_choice(text, sizeof text, k->choices, p->x[i]);
    else
      snprintf(text, sizeof text, "%.4g", value);
    if (strcmp(k->name, "gamma") == 0) so_far.gamma = value;
    if (strcmp(k->name, "eps1") == 0) so_far.eps1 = value;
    used += (size_t)snprintf(out + used, 512 - used, ",%s=%s", k->name, text);
    if (strcmp(k->name, "e0") == 0)
      used += (size_t)snprintf(out + used, 512 - used, ",eta=%s", text);
  }
}

/* ---- evaluation ---- */

typedef struct bench {
  far_mdp *mdp[2];
  unsigned threads;
} bench;

typedef struct measured {
  size_t n;
  double mean[MAX_CELLS], std[MAX_CELLS], paper[MAX_CELLS], gamma_e[MAX_CELLS];
} measured;

/* The cells that a study looks at: the paper's rows of its method, or one on either chain. */
static measured cells_of(const study *st, look how) {
  measured out = {0};
  for (size_t chain = 0; chain < 2; ++chain) {
    for (size_t i = 0; st->goal != TUNE && i < sizeof paper / sizeof *paper; ++i) {
      if (strcmp(paper[i].method, st->method) != 0) continue;
      if (how == ENDS && paper[i].gamma_e < 0.99 && paper[i].gamma_e > 0.25) continue;
      out.gamma_e[out.n] = paper[i].gamma_e;
      out.paper[out.n++] = paper[i].mean[chain];
    }
    if (st->goal == TUNE) out.gamma_e[out.n++] = NAN;
  }
  if (how == ONE) out.n = 1;
  return out;
}

static void measure(measured *out, const bench *b, const char *spec, int64_t runs, uint64_t seed) {
  far_cell cells[MAX_CELLS];
  char specs[MAX_CELLS][544];
  for (size_t i = 0; i < out->n; ++i) {
    const bool row = out->gamma_e[i] == out->gamma_e[i];
    snprintf(specs[i], sizeof specs[i], row ? "%s,gamma_e=%g" : "%s", spec, out->gamma_e[i]);
    cells[i] = (far_cell){.mdp = b->mdp[2 * i / out->n], .agent = specs[i], .steps = STEPS};
  }
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = out->n;
  def.runs = runs;
  def.seed = seed;
  def.threads = b->threads;
  far_batch *batch;
  far_error error;
  if (far_batch_run(&batch, &def, &error) != FAR_OK) {
    fprintf(stderr, "calibrate: %s: %s\n", spec, error.message);
    exit(1);
  }
  for (size_t i = 0; i < out->n; ++i) {
    out->mean[i] = far_batch_result(batch, i)->mean;
    out->std[i] = far_batch_result(batch, i)->std;
  }
  far_batch_free(batch);
}

static double score_of(const study *st, const measured *m) {
  double sum = 0;
  for (size_t i = 0; i < m->n; ++i) {
    if (st->goal == TUNE) {
      sum -= m->mean[i];
      continue;
    }
    const double d = (m->mean[i] - m->paper[i]) / (st->goal == FIT ? 1 : m->paper[i]);
    sum += d * d;
  }
  return st->goal == TUNE ? sum : sqrt(sum / (double)m->n);
}

static void evaluate(const study *st, const bench *b, point *p, look how, int64_t runs,
                     uint64_t seed) {
  char spec[512];
  measured m = cells_of(st, how);
  print_spec(spec, st, p);
  measure(&m, b, spec, runs, seed);
  p->score = score_of(st, &m);
}

/* ---- the search ---- */

static int by_score(const void *x, const void *y) {
  const double a = ((const point *)x)->score, b = ((const point *)y)->score;
  return (a > b) - (a < b);
}

/* Evaluates the first n and sorts them. */
static void rank(const study *st, const bench *b, point *pool, int n, look how, int64_t runs,
                 uint64_t seed) {
  for (int i = 0; i < n; ++i) evaluate(st, b, &pool[i], how, runs, seed);
  qsort(pool, (size_t)n, sizeof *pool, by_score);
}

/* Twelve uniforms make a normal variate good enough for a search. */
static double normal(far_rng *rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += far_rng_uniform(rng);
  return sum;
}

typedef struct gaussian {
  double mean[MAX_KEYS], covariance[MAX_KEYS][MAX_KEYS], root[MAX_KEYS][MAX_KEYS];
} gaussian;

/* root root' = covariance (Cholesky) */
static void factor(gaussian *g, size_t n) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = g->covariance[i][j];
      for (size_t k = 0; k < j; ++k) sum -= g->root[i][k] * g->root[j][k];
      g->root[i][j] = i == j ? sqrt(fmax(sum, 1e-8)) : sum / g->root[j][j];
    }
}

static void sample(const gaussian *g, size_t n, far_rng *rng, point *out) {
  double z[MAX_KEYS];
  for (size_t k = 0; k < n; ++k) z[k] = normal(rng);
  for (size_t i = 0; i < n; ++i) {
    double x = g->mean[i];
    for (size_t k = 0; k <= i; ++k) x += g->root[i][k] * z[k];
    out->x[i] = x < 0 ? 0 : x > 1 ? 1 : x;
  }
}

/* Moves to the mean of the elite; the covariance learns from their steps off the old mean. */
static void adapt(gaussian *g, size_t n, const point *elite) {
  const double rate = 0.3;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int e = 0; e < ELITE; ++e)
        sum += (elite[e].x[i] - g->mean[i]) * (elite[e].x[j] - g->mean[j]) / ELITE;
      g->covariance[i][j] = (1 - rate) * g->covariance[i][j] + rate * sum;
    }
  for (size_t i = 0; i < n; ++i) {
    g->mean[i] = 0;
    for (int e = 0; e < ELITE; ++e) g->mean[i] += elite[e].x[i] / ELITE;
  }
}

/* The two best of an evolution from one point: its best sample and its last centre. */
static void evolve(const study *st, const bench *b, point from, uint64_t basin, point out[2]) {
  const size_t n = n_keys(st);
  point samples[SAMPLES];
  gaussian g = {.mean = {0}};
  far_rng rng;
  far_rng_init(&rng, SEED_SEARCH, 1000 * (uint64_t)from.m + 1 + basin, FAR_PURPOSE_SEARCH);
  for (size_t k = 0; k < n; ++k) {
    g.mean[k] = from.x[k];
    g.covariance[k][k] = 0.04 * 0.04;
  }
  out[0] = from;
  for (int i = 0; i < SAMPLES; ++i) samples[i] = from;
  for (int generation = 0; generation < GENERATIONS; ++generation) {
    factor(&g, n);
    for (int i = 0; i < SAMPLES; ++i) sample(&g, n, &rng, &samples[i]);
    rank(st, b, samples, SAMPLES, ALL, RUNS_EVOLVE, SEED_SEARCH);
    if (generation == 0 || samples[0].score < out[0].score) out[0] = samples[0];
    adapt(&g, n, samples);
  }
  out[1] = out[0];
  memcpy(out[1].x, g.mean, sizeof g.mean);
}

static double distance(const study *st, const point *x, const point *y) {
  double sum = 0;
  for (size_t k = 0; k < n_keys(st); ++k) sum += (x->x[k] - y->x[k]) * (x->x[k] - y->x[k]);
  return sqrt(sum);
}

/* The best point that is not near one of those already chosen. */
static point next_basin(const study *st, const point *pool, const point *chosen, int n) {
  for (int i = 0; i < LAST_HEAT; ++i) {
    bool apart = true;
    for (int k = 0; k < n; ++k) apart = apart && distance(st, &pool[i], &chosen[k]) > 0.15;
    if (apart) return pool[i];
  }
  return pool[n];
}

/* The finalists of one window length, two a basin. */
static void search_window(const study *st, const bench *b, int m, point *finalist) {
  static point pool[CANDIDATES];
  point basin[BASINS];
  far_rng rng;
  far_rng_init(&rng, SEED_SEARCH, 1000 * (uint64_t)m, FAR_PURPOSE_SEARCH);
  for (int i = 0; i < CANDIDATES; ++i) {
    pool[i].m = m;
    for (size_t k = 0; k < MAX_KEYS; ++k) pool[i].x[k] = far_rng_uniform(&rng);
  }
  for (int h = 0; h < N_HEATS; ++h)
    rank(st, b, pool, heats[h].candidates, heats[h].look, heats[h].runs, SEED_SEARCH);
  for (int i = 0; i < BASINS; ++i) {
    basin[i] = next_basin(st, pool, basin, i);
    evolve(st, b, basin[i], (uint64_t)i, &finalist[2 * i]);
  }
}

static point search(const study *st, const bench *b) {
  enum { EACH = 2 * BASINS };
  point finalist[N_WINDOWS * EACH];
  const bool has_window = strncmp(st->prefix, "q-learning", 10) != 0;
  const int n = has_window ? N_WINDOWS : 1;
  for (int i = 0; i < n; ++i) {
    search_window(st, b, has_window ? windows[i] : 0, &finalist[EACH * i]);
    rank(st, b, &finalist[EACH * i], EACH, ALL, RUNS_FINALIST, SEED_FINALIST);
    fprintf(stderr, "  %s: m = %d: %.4g\n", st->name, finalist[EACH * i].m,
            finalist[EACH * i].score);
  }
  qsort(finalist, (size_t)EACH * (size_t)n, sizeof *finalist, by_score);
  return finalist[0];
}

static void report(const study *st, const bench *b, const point *p) {
  char spec[512];
  measured m = cells_of(st, ALL);
  print_spec(spec, st, p);
  measure(&m, b, spec, RUNS_LAST, SEED_LAST);
  const double score = score_of(st, &m);
  printf("%s\n  %s\n  ", st->name, spec);
  if (st->goal == FIT)
    printf("root-mean-square distance %.1f", score);
  else if (st->goal == FIT_RELATIVE)
    printf("root-mean-square distance %.2f%%", 100 * score);
  else
    printf("total of both chains %.0f", -score);
  printf(" on %d fresh runs\n", RUNS_LAST);
  for (size_t i = 0; i < m.n; ++i) {
    const double ci95 = far_student_975(RUNS_LAST - 1) * m.std[i] / sqrt(RUNS_LAST);
    printf("  N=%d", i < m.n / 2 ? 10 : 50);
    if (m.gamma_e[i] == m.gamma_e[i]) printf("  gamma_e=%-4g", m.gamma_e[i]);
    printf("  %8.2f ± %.2f", m.mean[i], ci95);
    if (st->goal != TUNE) printf("  (paper %.2f)", m.paper[i]);
    printf("\n");
  }
  fflush(stdout);
}

static int usage(void) {
  fprintf(stderr, "usage: calibrate all|STUDY... [--threads N]\nstudies:\n");
  for (int i = 0; i < N_STUDIES; ++i) fprintf(stderr, "  %s\n", studies[i].name);
  return 2;
}

static const study *find(const char *name) {
  for (int i = 0; i < N_STUDIES; ++i)
    if (strcmp(studies[i].name, name) == 0) return &studies[i];
  return NULL;
}

int main(int argc, char **argv) {
  bench b = {{NULL, NULL}, 0};
  if (argc > 3 && strcmp(argv[argc - 2], "--threads") == 0) {
    b.threads = (unsigned)strtoul(argv[argc - 1], NULL, 10);
    argc -= 2;
  }
  const bool all = argc == 2 && strcmp(argv[1], "all") == 0;
  for (int i = 1; i < argc && !all; ++i)
    if (find(argv[i]) == NULL) return usage();
  if (argc < 2) return usage();
  far_mdp_create(&b.mdp[0], "chain:n=10", NULL);
  far_mdp_create(&b.mdp[1], "chain:n=50", NULL);
  for (int i = 0; i < (all ? N_STUDIES : argc - 1); ++i) {
    const study *st = all ? &studies[i] : find(argv[i + 1]);
    const point best = search(st, &b);
    report(st, &b, &best);
  }
  far_mdp_free(b.mdp[0]);
  far_mdp_free(b.mdp[1]);
  return 0;
}
