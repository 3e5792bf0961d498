/* The numbers of an agent over the states, their ranges, and how they are written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "questions/learning/player.h"
#include "watch.h"

/* All states are read if they have at most MOST_READ pairs; else PAGE states at a time. */
enum { MOST_READ = 1 << 16, PAGE = 1 << 10 };

static const struct {
  const char *name, *title;
} quantities[N_QUANTITIES] = {
    [SHOW_VALUE] = {"value", "value: Q + bonus of the best action"},
    [SHOW_Q] = {"Q", "Q of the best action"},
    [SHOW_BONUS] = {"bonus", "bonus, the largest of the actions"},
    [SHOW_E] = {"E", "E, the largest of the actions"},
    [SHOW_LEARN] = {"LEARN", "LEARN: share of actions being learned"},
    [SHOW_VISITS] = {"visits", "visits (colours: logarithmic)"},
    [SHOW_POLICY] = {"policy", "policy: probability of the likeliest action"},
};

const char *quantity_name(quantity q) {
  return quantities[q].name;
}

const char *quantity_title(quantity q) {
  return quantities[q].title;
}

/* ---- reading ---- */

numbers *numbers_create(const far_shape *shape) {
  const bool all = (size_t)shape->n_states * shape->n_actions <= MOST_READ;
  numbers *n = room_for(1, sizeof *n);
  n->n_actions = shape->n_actions;
  n->count = all || shape->n_states < PAGE ? shape->n_states : PAGE;
  for (int q = 0; q < N_QUANTITIES; ++q)
    n->pair[q] = room_for((size_t)n->count * n->n_actions, sizeof(double));
  return n;
}

void numbers_free(numbers *n) {
  if (n == NULL) return;
  for (int q = 0; q < N_QUANTITIES; ++q) free(n->pair[q]);
  free(n);
}

static bool read_values(numbers *n, quantity q, const far_agent *agent, far_value kind) {
  for (uint32_t i = 0; i < n->count; ++i)
    for (uint32_t a = 0; a < n->n_actions; ++a)
      if (!far_agent_value(agent, kind, n->first + i, a, &n->pair[q][(size_t)i * n->n_actions + a]))
        return false;
  return true;
}

static bool read_policy(numbers *n, const far_agent *agent) {
  const far_shape *shape = far_agent_shape(agent);
  double *out = n->pair[SHOW_POLICY];
  memset(out, 0, (size_t)n->count * n->n_actions * sizeof *out);
  for (uint32_t i = 0; i < n->count; ++i)
    if (far_shape_is_live(shape, n->first + i) &&
        !far_agent_policy(agent, n->first + i, out + (size_t)i * n->n_actions))
      return false;
  return true;
}

/* The value is Q + bonus, or Q for agents without a bonus. */
static void add_values(numbers *n) {
  n->has[SHOW_VALUE] = n->has[SHOW_Q];
  for (size_t i = 0; n->has[SHOW_Q] && i < (size_t)n->count * n->n_actions; ++i)
    n->pair[SHOW_VALUE][i] = n->pair[SHOW_Q][i] + (n->has[SHOW_BONUS] ? n->pair[SHOW_BONUS][i] : 0);
}

void numbers_read(numbers *n, const far__player_run *run, uint32_t first) {
  const uint32_t n_states = far_agent_shape(run->agent)->n_states;
  n->first = first + n->count <= n_states ? first : n_states - n->count;
  n->has[SHOW_Q] = read_values(n, SHOW_Q, run->agent, FAR_VALUE_Q);
  n->has[SHOW_BONUS] = read_values(n, SHOW_BONUS, run->agent, FAR_VALUE_BONUS);
  n->has[SHOW_E] = read_values(n, SHOW_E, run->agent, FAR_VALUE_E);
  n->has[SHOW_LEARN] = read_values(n, SHOW_LEARN, run->agent, FAR_VALUE_LEARN);
  n->has[SHOW_POLICY] = read_policy(n, run->agent);
  n->has[SHOW_VISITS] = true;
  memcpy(n->pair[SHOW_VISITS], run->visits + (size_t)n->first * n->n_actions,
         (size_t)n->count * n->n_actions * sizeof(double));
  add_values(n);
}

double pair_number(const numbers *n, quantity q, uint32_t s, uint32_t a) {
  if (!n->has[q] || s < n->first || s - n->first >= n->count) return NAN;
  return n->pair[q][(size_t)(s - n->first) * n->n_actions + a];
}

double state_number(const numbers *n, quantity q, uint32_t s) {
  double most = pair_number(n, q, s, 0), sum = most;
  for (uint32_t a = 1; a < n->n_actions; ++a) {
    const double x = pair_number(n, q, s, a);
    if (x > most) most = x;
    sum += x;
  }
  return q == SHOW_VISITS ? sum : q == SHOW_LEARN ? sum / n->n_actions : most;
}

uint32_t likely_action(const numbers *n, uint32_t s) {
  const quantity q = n->has[SHOW_POLICY] ? SHOW_POLICY : SHOW_VALUE;
  const double most = state_number(n, q, s);
  uint32_t best = UINT32_MAX;
  for (uint32_t a = 0; most == most && a < n->n_actions; ++a) {
    if (pair_number(n, q, s, a) != most) continue;
    if (best != UINT32_MAX) return UINT32_MAX;
    best = a;
  }
  return best;
}

/* ---- ranges ---- */

scale empty_scale(void) {
  return (scale){.low = INFINITY, .high = -INFINITY};
}

static void widen(scale *out, double x) {
  if (!isfinite(x)) return;
  if (x < out->low) out->low = x;
  if (x > out->high) out->high = x;
}

/* Four or five digits in all. */
static void choose_decimals(scale *out, quantity q) {
  const double most = fmax(fabs(out->low), fabs(out->high));
  const int digits = most < 1 ? 4 : most < 10 ? 3 : most < 100 ? 2 : most < 10000 ? 1 : 0;
  out->decimals = q == SHOW_VISITS ? 0 : digits;
}

void scale_states(scale *out, const numbers *n, quantity q, const far_shape *shape) {
  for (uint32_t i = 0; i < n->count; ++i)
    if (far_shape_is_live(shape, n->first + i)) widen(out, state_number(n, q, n->first + i));
  if (q == SHOW_LEARN || q == SHOW_POLICY) out->low = 0, out->high = 1;
  if (q == SHOW_VISITS) out->low = 0;
  choose_decimals(out, q);
}

void scale_pairs(scale *out, const numbers *n, quantity q, const far_shape *shape) {
  for (uint32_t i = 0; i < n->count; ++i)
    for (uint32_t a = 0; far_shape_is_live(shape, n->first + i) && a < n->n_actions; ++a)
      widen(out, pair_number(n, q, n->first + i, a));
  if (q == SHOW_LEARN || q == SHOW_POLICY) out->low = 0, out->high = 1;
  if (q == SHOW_VISITS) out->low = 0;
  choose_decimals(out, q);
}

unsigned heat_on(const scale *s, quantity q, double x) {
  if (q == SHOW_VISITS) return x > 0 ? heat_of(log1p(x), 0, log1p(s->high)) : 0;
  return heat_of(x, s->low, s->high);
}

/* ---- text ---- */

number_text fit_number(double x, int width, int decimals) {
  static const char units[] = "kMGT";
  number_text out;
  if (isnan(x)) return (number_text){"–"};
  if (isinf(x)) return x > 0 ? (number_text){"∞"} : (number_text){"−∞"};
  for (int d = decimals; d >= 0; --d)
    if (snprintf(out.text, sizeof out.text, "%.*f", d, x + 0.0) <= width) return out;
  double scaled = x / 1000;
  const char *unit = units;
  for (; fabs(scaled) >= 999.5 && unit[1] != '\0'; ++unit) scaled /= 1000;
  for (int d = 2; d >= 0; --d)
    if (snprintf(out.text, sizeof out.text, "%.*f%c", d, scaled, *unit) <= width) return out;
  snprintf(out.text, sizeof out.text, "%.0e", x);
  return out;
}

number_text fit_reward(double x, int width) {
  return fit_number(x, width, x == rint(x) ? 0 : 3);
}
