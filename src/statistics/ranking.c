/* Enough runs to rank agents: looks on a geometric schedule, a sign-flip test of every open pair at each,
 * a share of the error for each look, and Holm's correction for the pairs. */
#include "farsight/statistics.h"

#include <math.h> /* ceil, which is exact */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "statistics/rules.h"
#include "statistics/sample.h"

enum { LEAST_BITS = 14, STEADY_RUNS = 300 };

/* ---- the rule ---- */

far_ranking_def far_ranking_def_default(void) {
  return (far_ranking_def){.alpha = 0.05, .first = 100, .growth = 1.5, .most = 10000, .seed = 1};
}

bool far__ranking_is_goal(const char *text) {
  return strncmp(text, "rank", 4) == 0;
}

/* Parses "5%" or "0.05", text[0..length), which begins at byte 5 of the rule. */
static far_status parse_alpha(double *alpha, const char *text, size_t length, far_error *error) {
  const bool percent = length > 0 && text[length - 1] == '%';
  double x = 0;
  if (!far__real_parse(text, length - percent, &x))
    return far__fail(error, FAR_STATUS_SYNTAX, 5,
                     "'%.*s' should be a probability of error such as 5%% or 0.05", (int)length,
                     text);
  x = percent ? x / 100 : x;
  if (!(x > 0 && x < 1))
    return far__fail(error, FAR_STATUS_RANGE, 5,
                     "'%.*s' is no probability of error; it must be above 0 and below 100%%",
                     (int)length, text);
  *alpha = x;
  return FAR_OK;
}

far_status far__ranking_parse(far_ranking_def *def, const char *text, far_error *error) {
  if (strncmp(text, "rank=", 5) != 0)
    return far__fail(error, FAR_STATUS_SYNTAX, 0,
                     "'%s' should be rank=5%%, the probability of any wrong decision", text);
  far_ranking_def read = *def;
  const size_t length = strcspn(text + 5, ",");
  far_status status = parse_alpha(&read.alpha, text + 5, length, error);
  if (status == FAR_OK && text[5 + length] != '\0')
    status = far__parse_first(&read.first, text + 5 + length, (int)(5 + length), error);
  if (status == FAR_OK) *def = read;
  return status;
}

far_status far__ranking_check(const far_ranking_def *def, far_error *error) {
  if (!(def->alpha > 0 && def->alpha < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the probability of error is %s; it must be above 0 and below 1",
                     far__shortest(def->alpha).text);
  return far__check_looks(def->first, def->growth, def->most, error);
}

int64_t far__ranking_runs(const far_ranking_def *def, int look) {
  double n = (double)def->first;
  for (int k = 1; k < look && n <= (double)def->most; ++k) n = ceil(n * def->growth);
  return n <= (double)def->most ? (int64_t)n : 0;
}

double far__ranking_share(int look) {
  const double k = look;
  return 4 / ((k + 3) * (k + 4));
}

int far__ranking_bits(const far_ranking_def *def, size_t n_pairs, int look) {
  const double wanted = 16 * (double)n_pairs / (def->alpha * far__ranking_share(look));
  int bits = LEAST_BITS;
  while (bits < FAR__FLIP_BITS_MOST && (double)((int64_t)1 << bits) < wanted) ++bits;
  return bits;
}

/* ---- the comparison ---- */

struct far_ranking {
  far_ranking_def def;
  size_t n_envs, n_agents, n_pairs, n_open;
  int looks;
  far_ranking_pair *pairs;
  far_ranking_pair *next; /* the pairs after the current look */
  int *sign, *next_sign;  /* of the mean at the look of the least p_k / s_k */
  double *p, *adjusted;
};

static bool allocate(far_ranking *r) {
  const size_t m = r->n_pairs;
  r->pairs = calloc(m, sizeof *r->pairs);
  r->next = calloc(m, sizeof *r->next);
  r->sign = calloc(m, sizeof *r->sign);
  r->next_sign = calloc(m, sizeof *r->next_sign);
  r->p = calloc(m, sizeof *r->p);
  r->adjusted = calloc(m, sizeof *r->adjusted);
  return r->pairs != NULL && r->next != NULL && r->sign != NULL && r->next_sign != NULL &&
         r->p != NULL && r->adjusted != NULL;
}

static void list_pairs(far_ranking *r) {
  far_ranking_pair *pair = r->pairs;
  for (size_t env = 0; env < r->n_envs; ++env)
    for (size_t a = 0; a < r->n_agents; ++a)
      for (size_t b = a + 1; b < r->n_agents; ++b)
        *pair++ =
            (far_ranking_pair){.env = env, .a = a, .b = b, .mean = NAN, .p = 1, .p_adjusted = 1};
}

static far_status check_sizes(size_t n_envs, size_t n_agents, far_error *error) {
  const size_t most = FAR_RANKING_PAIRS_MOST;
  if (n_agents < 2)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a ranking needs two agents or more; there is %s",
                     n_agents == 1 ? "one" : "none");
  if (n_envs < 1) return far__fail(error, FAR_STATUS_RANGE, -1, "there is no environment");
  if (n_agents <= most && n_envs <= most / (n_agents * (n_agents - 1) / 2)) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "%zu agents on %zu environments are too many; there may be %zu pairs", n_agents,
                   n_envs, most);
}

far_status far_ranking_create(far_ranking **out, const far_ranking_def *def, size_t n_envs,
                              size_t n_agents, far_error *error) {
  *out = NULL;
  far_status status = far__ranking_check(def, error);
  if (status == FAR_OK) status = check_sizes(n_envs, n_agents, error);
  if (status != FAR_OK) return status;
  far_ranking *r = calloc(1, sizeof *r);
  if (r != NULL) {
    r->def = *def;
    r->n_envs = n_envs;
    r->n_agents = n_agents;
    r->n_open = r->n_pairs = n_envs * (n_agents * (n_agents - 1) / 2);
  }
  if (r == NULL || !allocate(r)) {
    far_ranking_free(r);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the pairs of agents");
  }
  list_pairs(r);
  *out = r;
  return FAR_OK;
}

void far_ranking_free(far_ranking *r) {
  if (r == NULL) return;
  free(r->pairs);
  free(r->next);
  free(r->sign);
  free(r->next_sign);
  free(r->p);
  free(r->adjusted);
  free(r);
}

/* ---- a look ---- */

/* The differences x_a - x_b of the first n runs. */
static far_status subtract(double *d, const far_sample *x, const far_sample *y, int64_t n,
                           far_error *error) {
  far_status status = far__sample_check("the runs", x->x, n, false, error);
  if (status == FAR_OK) status = far__sample_check("the runs", y->x, n, false, error);
  for (int64_t i = 0; status == FAR_OK && i < n; ++i) d[i] = x->x[i] - y->x[i];
  return status;
}

/* Is the sample too skewed for a claim about its mean? Differences that are all equal may be so because the run that
 * decides the mean is rare. */
static bool is_doubtful(const double *d, int64_t n, far__mean_std m) {
  if (m.std == 0) return m.mean != 0 && n < STEADY_RUNS;
  return far__is_skewed(d, n, m);
}

/* Look k at a pair whose differences are d[0..n). */
static far_status test_pair(const far_ranking *r, far_ranking_pair *pair, int *sign,
                            const double *d, int64_t n, far_error *error) {
  const int look = r->looks + 1;
  const far__mean_std m = far__mean_std_of(d, n);
  double p;
  pair->look = look;
  pair->runs = n;
  pair->mean = m.mean;
  pair->skewed = is_doubtful(d, n, m);
  if (pair->skewed) return FAR_OK;
  const far_status status =
      far__flip_test(&p, d, n, far__ranking_bits(&r->def, r->n_pairs, look), r->def.seed, error);
  if (status != FAR_OK) return status;
  p /= far__ranking_share(look);
  if (p >= pair->p) return FAR_OK;
  pair->p = p;
  *sign = m.mean > 0 ? 1 : -1;
  return FAR_OK;
}

static far_status test_pairs(far_ranking *r, const far_sample *cells, double *d, int64_t n,
                             size_t *looked, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < r->n_pairs; ++i) {
    far_ranking_pair *pair = &r->next[i];
    const far_sample *x = cells + pair->env * r->n_agents + pair->a;
    const far_sample *y = cells + pair->env * r->n_agents + pair->b;
    if (pair->better != 0 || x->n < n || y->n < n) continue;
    if (r->def.go_on != NULL && !r->def.go_on(r->def.user))
      return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
    status = subtract(d, x, y, n, error);
    if (status == FAR_OK) status = test_pair(r, pair, &r->next_sign[i], d, n, error);
    ++*looked;
  }
  return status;
}

/* Decides the pairs that Holm's correction allows. */
static far_status decide(far_ranking *r, far_error *error) {
  for (size_t i = 0; i < r->n_pairs; ++i) r->p[i] = r->next[i].p;
  const far_status status = far_p_adjust(r->adjusted, r->p, r->n_pairs, FAR_CORRECTION_HOLM, error);
  for (size_t i = 0; status == FAR_OK && i < r->n_pairs; ++i) {
    far_ranking_pair *pair = &r->next[i];
    pair->p_adjusted = r->adjusted[i];
    if (pair->better != 0 || !(pair->p_adjusted <= r->def.alpha)) continue;
    pair->better = r->def.lower_is_better ? -r->next_sign[i] : r->next_sign[i];
  }
  return status;
}

/* Ends a look: its pairs and signs become the current ones. */
static void take(far_ranking *r) {
  far_ranking_pair *pairs = r->pairs;
  int *sign = r->sign;
  r->pairs = r->next;
  r->next = pairs;
  r->sign = r->next_sign;
  r->next_sign = sign;
  r->n_open = 0;
  for (size_t i = 0; i < r->n_pairs; ++i) r->n_open += r->pairs[i].better == 0;
  ++r->looks;
}

far_status far_ranking_look(far_ranking *r, const far_sample *cells, size_t *looked,
                            far_error *error) {
  const int64_t n = far__ranking_runs(&r->def, r->looks + 1);
  size_t count = 0;
  if (looked != NULL) *looked = 0;
  if (n == 0) return FAR_OK;
  double *d = malloc((size_t)n * sizeof *d);
  if (d == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the differences");
  memcpy(r->next, r->pairs, r->n_pairs * sizeof *r->next);
  memcpy(r->next_sign, r->sign, r->n_pairs * sizeof *r->next_sign);
  far_status status = test_pairs(r, cells, d, n, &count, error);
  if (status == FAR_OK && count > 0) status = decide(r, error);
  if (status == FAR_OK && count > 0) take(r);
  free(d);
  if (status == FAR_OK && looked != NULL) *looked = count;
  return status;
}

far_status far_ranking_compute(far_ranking *r, const far_sample *cells, far_error *error) {
  far_status status = FAR_OK;
  for (size_t looked = 1; status == FAR_OK && looked > 0;)
    status = far_ranking_look(r, cells, &looked, error);
  return status;
}

/* ---- queries ---- */

far_ranking_info far_ranking_info_of(const far_ranking *r) {
  return (far_ranking_info){.def = r->def,
                            .n_envs = r->n_envs,
                            .n_agents = r->n_agents,
                            .n_pairs = r->n_pairs,
                            .n_open = r->n_open,
                            .looks = r->looks,
                            .next = r->n_open > 0 ? far__ranking_runs(&r->def, r->looks + 1) : 0};
}

const far_ranking_pair *far_ranking_pair_at(const far_ranking *r, size_t i) {
  return &r->pairs[i];
}

/* 1 if agent x is better than y on this environment, -1 if it is worse, 0 if that is undecided. */
static int better_than(const far_ranking *r, size_t env, size_t x, size_t y) {
  const size_t n = r->n_agents, a = x < y ? x : y, b = x < y ? y : x;
  const size_t i = env * (n * (n - 1) / 2) + a * n - a * (a + 1) / 2 + (b - a - 1);
  return x < y ? r->pairs[i].better : -r->pairs[i].better;
}

bool far__ranking_is_open(const far_ranking *r, size_t env, size_t agent) {
  for (size_t other = 0; other < r->n_agents; ++other)
    if (other != agent && better_than(r, env, agent, other) == 0) return true;
  return false;
}

void far_ranking_ranks(const far_ranking *r, size_t env, size_t agent, size_t *best,
                       size_t *worst) {
  *best = 1;
  *worst = r->n_agents;
  for (size_t other = 0; other < r->n_agents; ++other) {
    const int better = other != agent ? better_than(r, env, agent, other) : 0;
    *best += better < 0;
    *worst -= better > 0;
  }
}
