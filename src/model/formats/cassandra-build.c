/* Builds the model of a file in Cassandra's format: its rules are resolved a pair at a time. */
#include <math.h> /* only fabs and NAN */
#include <stdlib.h>
#include <string.h>

#include "model/formats/cassandra.h"

far_status far__cassandra_start(far__cassandra *c, size_t s, double p, size_t line) {
  if (p == 0) return FAR_OK;
  return far__extras_start(&c->given, c->in, s, p, line);
}

far_status far__cassandra_start_evenly(far__cassandra *c, const bool *out, size_t line) {
  size_t n = 0;
  far_status status = FAR_OK;
  for (size_t s = 0; s < c->states.count; ++s) n += out == NULL || !out[s];
  for (size_t s = 0; s < c->states.count && status == FAR_OK; ++s)
    if (out == NULL || !out[s]) status = far__cassandra_start(c, s, 1.0 / (double)n, line);
  if (n == 0) return far__input_fail(c->in, line, "no state is left to start from");
  return status;
}

/* The mean of a reward over the observations under O: c->reward for those marked in c->seen, `others` for the rest. */
static far_status expected_reward(far__cassandra *c, uint32_t a, uint32_t next, double others,
                                  double *out) {
  far__row *row = &c->observed;
  far__table_fill_row(&c->o, &c->extras, a, next, row);
  double sum = 0, mean = 0;
  bool equal = true;
  double first = others;
  for (size_t k = 0; k < row->count; ++k) {
    const uint32_t o = row->column[k];
    const double r = c->seen[o] == c->stamp ? c->reward[o] : others;
    if (row->value[o] == 0) continue;
    if (sum == 0) first = r;
    equal = equal && r == first;
    sum += row->value[o];
    mean += row->value[o] * r;
  }
  *out = equal ? first : mean / sum;
  if (fabs(sum - 1) <= 1e-5) return FAR_OK;
  return far__input_fail(c->in, row->line,
                         "a reward depends on the observation after action %lu to state %lu, but "
                         "their probabilities (O:) add to %.12g, not to 1",
                         (unsigned long)a, (unsigned long)next, sum);
}

static bool prepare_observed(far__cassandra *c) {
  if (c->observed.value != NULL) return true;
  c->reward = calloc(c->observations.count, sizeof *c->reward);
  c->seen = calloc(c->observations.count, sizeof *c->seen);
  c->o.n_columns = c->observations.count;
  return c->reward != NULL && c->seen != NULL && far__table_sort(&c->o) &&
         far__row_create(&c->observed, c->observations.count);
}

/* Limits the work, because a small file may ask for much: rules with wildcards for every pair, rewards by observation
 * for every outcome. */
static far_status check_work(const far__cassandra *c) {
  const size_t work = c->work + c->row.work + c->observed.work;
  if (work <= c->in->work) return FAR_OK;
  return far__input_fail(
      c->in, c->row.line,
      "to resolve the entries takes more than the %zu steps allowed for a text of this length; "
      "there "
      "are too many entries with wildcards, or rewards by observation, for so many pairs",
      c->in->work);
}

/* The mean of rewards that depend on the observation; `rule` is the newest of them. */
static far_status observed_reward(far__cassandra *c, far__reward_scan *scan,
                                  const far__reward *rule, uint32_t a, uint32_t next, double *out) {
  if (++c->stamp == 0) { /* once in 2^32 rewards */
    memset(c->seen, 0, c->observations.count * sizeof *c->seen);
    c->stamp = 1;
  }
  double others = 0;
  for (; rule != NULL; rule = far__rewards_next(scan)) {
    c->work += 1;
    if (rule->o == FAR__ANY) {
      others = rule->value;
      break;
    }
    if (c->seen[rule->o] == c->stamp) continue; /* a later entry overrides it */
    c->seen[rule->o] = c->stamp;
    c->reward[rule->o] = rule->value;
  }
  return expected_reward(c, a, next, others, out);
}

static far_status find_reward(far__cassandra *c, uint32_t a, uint32_t s, uint32_t next,
                              double *out) {
  far__reward_scan scan = far__rewards_scan(&c->rewards, a, s, next);
  const bool any_state = far__rewards_any_state(&scan);
  const far__reward *rule = far__rewards_next(&scan);
  *out = rule != NULL ? rule->value : 0;
  if (rule == NULL || rule->o == FAR__ANY) return FAR_OK;
  if (!prepare_observed(c)) return far__input_memory(c->in);
  if (c->expected == NULL) {
    const size_t n = c->states.count * c->actions.count;
    c->expected = malloc(n * sizeof *c->expected);
    if (c->expected == NULL) return far__input_memory(c->in);
    for (size_t i = 0; i < n; ++i) c->expected[i] = NAN;
  }
  double *known = &c->expected[(size_t)a * c->states.count + next];
  if (any_state && *known == *known) {
    *out = *known;
    return FAR_OK;
  }
  far_status status = observed_reward(c, &scan, rule, a, next, out);
  if (any_state) *known = *out;
  c->work += c->observed.count;
  return status == FAR_OK ? check_work(c) : status;
}

static far_status build_pair(far__cassandra *c, far__build *b, uint32_t s, uint32_t a,
                             far_outcome *outcomes) {
  far__row *row = &c->row;
  far__table_fill_row(&c->t, &c->extras, a, s, row);
  size_t n = 0;
  for (size_t k = 0; k < row->count; ++k) {
    const uint32_t next = row->column[k];
    far_outcome o = {.probability = row->value[next], .next = next};
    if (o.probability == 0) continue;
    const far_status status = find_reward(c, a, s, next, &o.reward);
    if (status != FAR_OK) return status;
    if (c->cost && o.reward != 0) o.reward = -o.reward;
    outcomes[n++] = o;
  }
  const far_status status = check_work(c);
  if (status != FAR_OK) return status;
  return far__build_row(b, s, a, outcomes, n, row->line);
}

static far_status build_pairs(far__cassandra *c, far__build *b) {
  far_outcome *outcomes = calloc(c->states.count, sizeof *outcomes);
  if (outcomes == NULL) return far__input_memory(c->in);
  far_status status = FAR_OK;
  if (!far__table_sort(&c->t) || !far__row_create(&c->row, c->states.count))
    status = far__input_memory(c->in);
  for (size_t s = 0; s < c->states.count && status == FAR_OK; ++s)
    for (size_t a = 0; a < c->actions.count && status == FAR_OK; ++a)
      status = build_pair(c, b, (uint32_t)s, (uint32_t)a, outcomes);
  free(outcomes);
  return status;
}

static far_status add_names(far__cassandra *c, const far__symbols *s, bool action) {
  far_status status = FAR_OK;
  for (size_t i = 0; s->names != NULL && i < s->count && status == FAR_OK; ++i)
    status = far__extras_name(&c->extras, c->in, action, i, s->names[i].text, s->names[i].length,
                              s->names[i].line);
  return status;
}

/* Uses the entry `start`. Without it an episode starts in any state that is not terminal. */
static far_status choose_start(far__cassandra *c) {
  far_status status = FAR_OK;
  if (!c->started) {
    bool *out = calloc(c->states.count, sizeof *out);
    if (out == NULL) return far__input_memory(c->in);
    for (size_t i = 0; i < c->extras.n_terminals; ++i)
      if (c->extras.terminals[i].state < c->states.count) out[c->extras.terminals[i].state] = true;
    status = far__cassandra_start_evenly(c, out, 0);
    free(out);
  }
  c->extras.starts = c->given.starts;
  c->extras.n_starts = c->given.n_starts;
  c->given.starts = NULL;
  return status;
}

far_status far__cassandra_build(far_mdp **out, far__cassandra *c) {
  far__build b;
  if (c->actions.count == 0 || c->states.count > c->in->most / c->actions.count)
    return far__input_fail(c->in, c->states.line,
                           "%zu states x %zu actions are more than the %zu pairs allowed",
                           c->states.count, c->actions.count, c->in->most);
  if (c->t.n_rules == 0) return far__input_fail(c->in, 0, "the file has no transitions (T:)");
  far_status status = c->extras.n_starts > 0 ? FAR_OK : choose_start(c);
  if (status == FAR_OK) status = add_names(c, &c->states, false);
  if (status == FAR_OK) status = add_names(c, &c->actions, true);
  if (status == FAR_OK)
    status = far__build_begin(&b, c->in, &c->extras, c->states.count, c->actions.count);
  if (status != FAR_OK) return status;
  return far__build_finish(out, &b, build_pairs(c, &b));
}
