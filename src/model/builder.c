#include "model/model.h"

#include <math.h> /* only for INFINITY, fabs and fmax */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/available.h"
#include "base/error.h"
#include "base/pages.h"
#include "base/text.h"

typedef struct run { /* outcomes that were added one after the other to the same row */
  size_t row, first;
} run;

struct far_mdp_builder {
  uint32_t n_states, n_actions;
  bool *terminal;
  far_outcome *outcomes; /* in the order in which they were added */
  size_t n_outcomes, capacity;
  double expected; /* outcomes for which memory was checked in advance */
  run *runs;
  size_t n_runs, runs_capacity;
  far_outcome *starts; /* join the outcomes at the end, as the last row */
  size_t n_starts, starts_capacity;
  double reward_min, reward_max; /* as declared; min > max while they are not */
  double discount;
  int64_t horizon;
  char **state_name, **action_name; /* NULL until there is one */
  bool keep;                        /* probabilities that add to 1 but for rounding */
  far__layout layout;
};

static size_t n_pairs(const far_mdp_builder *b) {
  return (size_t)b->n_states * b->n_actions;
}

far_status far_mdp_builder_create(far_mdp_builder **out, uint32_t n_states, uint32_t n_actions,
                                  far_error *error) {
  *out = NULL;
  if (n_states == 0 || n_actions == 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a model needs at least 1 state and 1 action");
  if ((uint64_t)n_states * n_actions > SIZE_MAX / 256)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "%lu states x %lu actions are too many",
                     (unsigned long)n_states, (unsigned long)n_actions);
  const far_status status = far__check_states(n_states, "a model", error);
  if (status != FAR_OK) return status;
  far_mdp_builder *b = calloc(1, sizeof *b);
  if (b != NULL) {
    *b = (far_mdp_builder){.n_states = n_states,
                           .n_actions = n_actions,
                           .terminal = calloc(n_states, sizeof(bool)),
                           .reward_min = INFINITY,
                           .reward_max = -INFINITY,
                           .layout = {.n_states = n_states, .n_actions = n_actions}};
  }
  if (b == NULL || b->terminal == NULL) {
    free(b);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a model of %lu states",
                     (unsigned long)n_states);
  }
  *out = b;
  return FAR_OK;
}

void far_mdp_builder_free(far_mdp_builder *b) {
  if (b == NULL) return;
  free(b->terminal);
  free(b->outcomes);
  free(b->runs);
  free(b->starts);
  far__names_free(b->state_name, b->n_states);
  far__names_free(b->action_name, b->n_actions);
  far__layout_free(&b->layout);
  free(b);
}

static far_status check_state(const far_mdp_builder *b, uint32_t s, far_error *error) {
  if (s < b->n_states) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "state %lu is outside 0 ... %lu", (unsigned long)s,
                   (unsigned long)b->n_states - 1);
}

static far_status check_action(const far_mdp_builder *b, uint32_t a, far_error *error) {
  if (a < b->n_actions) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "action %lu is outside 0 ... %lu", (unsigned long)a,
                   (unsigned long)b->n_actions - 1);
}

static far_status no_room(const far_mdp_builder *b, far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for more than %zu outcomes",
                   b->n_outcomes + b->n_starts);
}

/* Bytes of the sampling tables per outcome, and of the search for absent states per state. */
enum {
  DRAW_BYTES = sizeof(uint64_t) + sizeof(uint32_t),
  STATE_BYTES = 3 * sizeof(bool) + sizeof(uint32_t)
};

far_status far__mdp_builder_expect(far_mdp_builder *b, double outcomes, far_error *error) {
  char what[96];
  const double pairs = (double)n_pairs(b);
  b->expected = outcomes;
  snprintf(what, sizeof what, "a model of %lu states, %lu actions and %.3g outcomes",
           (unsigned long)b->n_states, (unsigned long)b->n_actions, outcomes);
  const double rest = fmax(pairs * sizeof(run), outcomes * DRAW_BYTES); /* the runs go first */
  return far__check_memory(outcomes * sizeof(far_outcome) + pairs * sizeof(size_t) + rest +
                               (double)b->n_states * STATE_BYTES,
                           what, error);
}

/* Where the number of outcomes was not announced: checks, every NEXT outcomes, whether there is memory to finish the
 * model and for the next ones. */
static far_status check_growth(const far_mdp_builder *b, far_error *error) {
  enum { NEXT = 1 << 22 };
  char what[64];
  const double n = (double)b->n_outcomes;
  if (b->n_outcomes % NEXT != 0 || b->n_outcomes == 0 || n < b->expected) return FAR_OK;
  snprintf(what, sizeof what, "a model of more than %zu outcomes", b->n_outcomes);
  return far__check_memory(n * DRAW_BYTES + NEXT * (sizeof(far_outcome) + DRAW_BYTES), what, error);
}

static far_status push(far_mdp_builder *b, size_t row, far_outcome outcome, far_error *error) {
  const far_status status = check_growth(b, error);
  if (status != FAR_OK) return status;
  const bool new_run = b->n_runs == 0 || b->runs[b->n_runs - 1].row != row;
  if (!far__grow((void **)&b->outcomes, b->n_outcomes, &b->capacity, sizeof outcome) ||
      (new_run && !far__grow((void **)&b->runs, b->n_runs, &b->runs_capacity, sizeof *b->runs)))
    return no_room(b, error);
  if (new_run) b->runs[b->n_runs++] = (run){row, b->n_outcomes};
  b->outcomes[b->n_outcomes++] = outcome;
  return FAR_OK;
}

static far_status check_probability(double p, far_error *error) {
  if (p >= 0 && p <= 1) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "probability %s is outside [0, 1]",
                   far__shortest(p).text);
}

far_status far_mdp_builder_outcome(far_mdp_builder *b, uint32_t s, uint32_t a, double probability,
                                   uint32_t next, double reward, far_error *error) {
  far_status status = check_state(b, s, error);
  if (status == FAR_OK) status = check_state(b, next, error);
  if (status != FAR_OK) return status;
  status = check_action(b, a, error);
  if (status != FAR_OK) return status;
  status = check_probability(probability, error);
  if (status != FAR_OK) return status;
  if (reward - reward != 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "a reward must be finite");
  if (probability == 0) return FAR_OK;
  const far_outcome outcome = {.probability = probability, .reward = reward, .next = next};
  return push(b, (size_t)s * b->n_actions + a, outcome, error);
}

far_status far_mdp_builder_start(far_mdp_builder *b, uint32_t s, double probability,
                                 far_error *error) {
  far_status status = check_state(b, s, error);
  if (status == FAR_OK) status = check_probability(probability, error);
  if (status != FAR_OK || probability == 0) return status;
  if (!far__grow((void **)&b->starts, b->n_starts, &b->starts_capacity, sizeof *b->starts))
    return no_room(b, error);
  b->starts[b->n_starts++] = (far_outcome){.probability = probability, .next = s};
  return FAR_OK;
}

far_status far_mdp_builder_terminal(far_mdp_builder *b, uint32_t s, far_error *error) {
  const far_status status = check_state(b, s, error);
  if (status == FAR_OK) b->terminal[s] = true;
  return status;
}

far_status far_mdp_builder_range(far_mdp_builder *b, double min, double max, far_error *error) {
  const double range = max - min;
  if (!(range >= 0) || range - range != 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the reward range [%g, %g] must be finite", min,
                     max);
  b->reward_min = min;
  b->reward_max = max;
  return FAR_OK;
}

/* ---- names, criterion, layout ---- */

static far_status set_name(char ***names, size_t count, size_t index, const char *name,
                           far_error *error) {
  if (!far__is_name(name))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a name has 1 to %d bytes of UTF-8 and no control characters", FAR__NAME_MAX);
  if (*names == NULL) *names = (char **)calloc(count, sizeof **names);
  char *copy = *names != NULL ? strdup(name) : NULL;
  if (copy == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a name");
  free((*names)[index]);
  (*names)[index] = copy;
  return FAR_OK;
}

far_status far_mdp_builder_state_name(far_mdp_builder *b, uint32_t s, const char *name,
                                      far_error *error) {
  const far_status status = check_state(b, s, error);
  return status != FAR_OK ? status : set_name(&b->state_name, b->n_states, s, name, error);
}

far_status far_mdp_builder_action_name(far_mdp_builder *b, uint32_t a, const char *name,
                                       far_error *error) {
  const far_status status = check_action(b, a, error);
  return status != FAR_OK ? status : set_name(&b->action_name, b->n_actions, a, name, error);
}

far_status far_mdp_builder_discount(far_mdp_builder *b, double discount, far_error *error) {
  if (!(discount > 0 && discount <= 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the discount %s is outside (0, 1]",
                     far__shortest(discount).text);
  b->discount = discount;
  return FAR_OK;
}

far_status far_mdp_builder_horizon(far_mdp_builder *b, int64_t horizon, far_error *error) {
  if (horizon < 0 || horizon > FAR_HORIZON_MAX)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a horizon of %lld steps is outside 1 ... %d (0: there is none)",
                     (long long)horizon, FAR_HORIZON_MAX);
  b->horizon = horizon;
  return FAR_OK;
}

void far__mdp_builder_keep(far_mdp_builder *b) {
  b->keep = true;
}

far_status far__mdp_builder_fits(const far_mdp_builder *b, uint32_t n_states, uint32_t n_actions,
                                 far_error *error) {
  if (b->n_states == n_states && b->n_actions == n_actions) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1,
                   "the arrays are of %lu states and %lu actions, the builder of %lu and %lu",
                   (unsigned long)n_states, (unsigned long)n_actions, (unsigned long)b->n_states,
                   (unsigned long)b->n_actions);
}

far__layout *far__mdp_builder_layout(far_mdp_builder *b) {
  return &b->layout;
}

/* ---- finishing ---- */

static far_status allocate(far_mdp **out, const far_mdp_builder *b, far_error *error) {
  far_mdp *mdp = calloc(1, sizeof *mdp);
  *out = mdp;
  if (mdp != NULL) {
    const size_t n = b->n_outcomes > 0 ? b->n_outcomes : 1;
    mdp->n_rows = n_pairs(b) + 1;
    mdp->row = calloc(mdp->n_rows + 1, sizeof *mdp->row);
    mdp->upto = calloc(n, sizeof *mdp->upto);
    mdp->terminal = malloc(b->n_states * sizeof *mdp->terminal);
    far__large_pages(mdp->row, (mdp->n_rows + 1) * sizeof *mdp->row);
    far__large_pages(mdp->upto, n * sizeof *mdp->upto);
    if (mdp->row && mdp->upto && mdp->terminal) return FAR_OK;
  }
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a model of %zu outcomes",
                   b->n_outcomes);
}

static size_t run_end(const far_mdp_builder *b, size_t i) {
  return i + 1 < b->n_runs ? b->runs[i + 1].first : b->n_outcomes;
}

/* Sets the shape, with the range of the rewards unless it is declared, and marks outcomes that end an episode. */
static void find_shape(far_mdp *mdp, const far_mdp_builder *b) {
  far_shape *shape = &mdp->shape;
  *shape =
      (far_shape){.n_states = b->n_states,
                  .n_actions = b->n_actions,
                  .reward_min = b->reward_min,
                  .reward_max = b->reward_max,
                  .horizon = b->horizon,
                  .gamma = b->discount > 0 && b->discount < 1 ? b->discount : FAR_GAMMA_DEFAULT};
  memcpy(mdp->terminal, b->terminal, b->n_states * sizeof *b->terminal);
  const bool declared = b->reward_min <= b->reward_max;
  for (size_t i = 0; i < b->n_runs; ++i) {
    if (b->runs[i].row == n_pairs(b)) continue; /* the starts */
    for (size_t k = b->runs[i].first; k < run_end(b, i); ++k) {
      far_outcome *o = &b->outcomes[k];
      o->done = b->terminal[o->next];
      shape->episodic |= o->done;
      if (declared) continue;
      if (o->reward < shape->reward_min) shape->reward_min = o->reward;
      if (o->reward > shape->reward_max) shape->reward_max = o->reward;
    }
  }
}

static bool runs_in_order(const far_mdp_builder *b) {
  for (size_t i = 1; i < b->n_runs; ++i)
    if (b->runs[i - 1].row > b->runs[i].row) return false;
  return true;
}

/* Copies the outcomes to their rows, keeping their order within a row. */
static bool scatter(far_mdp *mdp, const far_mdp_builder *b) {
  mdp->outcome = malloc(b->n_outcomes * sizeof *mdp->outcome);
  if (mdp->outcome == NULL) return false;
  for (size_t i = 0; i < b->n_runs; ++i) {
    const size_t first = b->runs[i].first, n = run_end(b, i) - first;
    size_t *to = &mdp->row[b->runs[i].row];
    memcpy(mdp->outcome + *to, b->outcomes + first, n * sizeof *mdp->outcome);
    *to += n;
  }
  memmove(mdp->row + 1, mdp->row, mdp->n_rows * sizeof *mdp->row); /* undo the filling's shift */
  mdp->row[0] = 0;
  return true;
}

/* Groups the outcomes by row. If they came in the order of the rows nothing is copied: the model takes the builder's
 * array. */
static far_status gather(far_mdp *mdp, far_mdp_builder *b, far_error *error) {
  for (size_t i = 0; i < b->n_runs; ++i)
    mdp->row[b->runs[i].row + 1] += run_end(b, i) - b->runs[i].first;
  for (size_t r = 0; r < mdp->n_rows; ++r) mdp->row[r + 1] += mdp->row[r];
  if (!runs_in_order(b)) {
    if (scatter(mdp, b)) return FAR_OK;
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a model of %zu outcomes",
                     b->n_outcomes);
  }
  mdp->outcome = b->outcomes;
  b->outcomes = NULL;
  far_outcome *fitting = realloc(mdp->outcome, (b->n_outcomes + 1) * sizeof *mdp->outcome);
  if (fitting != NULL) mdp->outcome = fitting;
  return FAR_OK;
}

/* "state 3", or "state 'left'" */
static void add_place(far__named *out, const char *what, char *const *names, size_t i) {
  enum { SHOWN = 48 }; /* bytes of a name */
  const size_t used = strlen(out->text);
  const char *name = names != NULL ? names[i] : NULL;
  if (name == NULL) {
    snprintf(out->text + used, sizeof out->text - used, "%s %zu", what, i);
    return;
  }
  const size_t length = strlen(name);
  size_t n = 0;
  while (n < length && n + far__utf8_length(name + n, length - n) <= SHOWN)
    n += far__utf8_length(name + n, length - n);
  snprintf(out->text + used, sizeof out->text - used, "%s '%.*s%s'", what, (int)n, name,
           n < length ? "..." : "");
}

far__named far__mdp_builder_state(const far_mdp_builder *b, size_t s) {
  far__named out = {""};
  add_place(&out, "state", b->state_name, s);
  return out;
}

far__named far__mdp_builder_pair(const far_mdp_builder *b, size_t s, size_t a) {
  far__named out = {""};
  add_place(&out, "state", b->state_name, s);
  add_place(&out, ", action", b->action_name, a);
  return out;
}

static far__named row_name(const far_mdp_builder *b, const far_mdp *mdp, size_t row) {
  if (row + 1 == mdp->n_rows) return (far__named){"the start distribution"};
  return far__mdp_builder_pair(b, row / mdp->shape.n_actions, row % mdp->shape.n_actions);
}

static far_status check_row(const far_mdp_builder *b, const far_mdp *mdp, size_t row,
                            far_error *error) {
  const bool is_start = row + 1 == mdp->n_rows;
  const bool ended = !is_start && mdp->terminal[row / mdp->shape.n_actions];
  const size_t first = mdp->row[row], end = mdp->row[row + 1];
  if (ended && end > first)
    return far__fail(error, FAR_STATUS_RANGE, -1, "%s: a terminal state has no outcomes",
                     row_name(b, mdp, row).text);
  if (!ended && end == first)
    return far__fail(error, FAR_STATUS_RANGE, -1, "%s has no outcome", row_name(b, mdp, row).text);
  double sum = 0;
  for (size_t k = first; k < end; ++k) {
    const far_outcome *o = &mdp->outcome[k];
    sum += o->probability;
    if (is_start && mdp->terminal[o->next])
      return far__fail(error, FAR_STATUS_RANGE, -1, "start %s is terminal",
                       far__mdp_builder_state(b, o->next).text);
    if (!is_start && !(o->reward >= mdp->shape.reward_min && o->reward <= mdp->shape.reward_max))
      return far__fail(error, FAR_STATUS_RANGE, -1, "%s: reward %s is outside the range [%s, %s]",
                       row_name(b, mdp, row).text, far__shortest(o->reward).text,
                       far__shortest(mdp->shape.reward_min).text,
                       far__shortest(mdp->shape.reward_max).text);
  }
  if (!ended && fabs(sum - 1) > 1e-9)
    return far__fail(error, FAR_STATUS_RANGE, -1, "%s: probabilities add to %.12g, not to 1",
                     row_name(b, mdp, row).text, sum);
  return FAR_OK;
}

/* Refuses rewards whose difference exceeds all doubles. */
static far_status check_range(const far_mdp *mdp, far_error *error) {
  const double range = mdp->shape.reward_max - mdp->shape.reward_min;
  if (mdp->shape.reward_min > mdp->shape.reward_max || range - range == 0) return FAR_OK;
  return far__fail(error, FAR_STATUS_RANGE, -1, "the rewards from %s to %s are too far apart",
                   far__shortest(mdp->shape.reward_min).text,
                   far__shortest(mdp->shape.reward_max).text);
}

/* The last of the 2^64 draws that belong to the first p of all, p in (0, 1]. */
static uint64_t last_draw(double p) {
  const double scaled = p * 0x1p64;
  if (scaled >= 0x1p64) return UINT64_MAX;
  return scaled >= 1 ? (uint64_t)scaled - 1 : 0;
}

/* Vose's construction; weight and list are scratch for n columns. */
static void alias_row(far_mdp *mdp, size_t first, size_t n, double *weight, uint32_t *list) {
  size_t small = 0, large = n; /* list[0..small) under-full, list[large..n) over-full columns */
  for (size_t k = 0; k < n; ++k) {
    weight[k] = mdp->outcome[first + k].probability * (double)n;
    mdp->upto[first + k] = UINT64_MAX;
    mdp->other[first + k] = (uint32_t)k;
    if (weight[k] < 1)
      list[small++] = (uint32_t)k;
    else
      list[--large] = (uint32_t)k;
  }
  while (small > 0 && large < n) {
    const uint32_t poor = list[--small], rich = list[large];
    mdp->upto[first + poor] = last_draw(weight[poor]);
    mdp->other[first + poor] = rich;
    weight[rich] -= 1 - weight[poor];
    if (weight[rich] < 1) {
      ++large;
      list[small++] = rich;
    }
  }
}

static far_status prepare_sampling(far_mdp *mdp, bool keep, far_error *error) {
  size_t longest = 0;
  for (size_t r = 0; r < mdp->n_rows; ++r) {
    const size_t n = mdp->row[r + 1] - mdp->row[r];
    longest = n > longest ? n : longest;
  }
  double *weight = malloc((longest + 1) * sizeof *weight);
  uint32_t *list = malloc((longest + 1) * sizeof *list);
  const bool alias = longest > FAR__ALIAS_ABOVE;
  if (alias) mdp->other = calloc(mdp->row[mdp->n_rows], sizeof *mdp->other);
  far_status status = FAR_OK;
  if (weight == NULL || list == NULL || (alias && mdp->other == NULL))
    status =
        far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a row of %zu outcomes", longest);
  for (size_t r = 0; status == FAR_OK && r < mdp->n_rows; ++r) {
    const size_t first = mdp->row[r], end = mdp->row[r + 1];
    double sum = 0, upto = 0;
    if (end == first) continue;
    for (size_t k = first; k < end; ++k) sum += mdp->outcome[k].probability;
    const bool exact = sum == 1 || (keep && fabs(sum - 1) <= 0x1p-52 * (double)(end - first));
    for (size_t k = first; k < end && !exact; ++k) mdp->outcome[k].probability /= sum;
    if (end - first > FAR__ALIAS_ABOVE) {
      alias_row(mdp, first, end - first, weight, list);
      continue;
    }
    for (size_t k = first; k < end; ++k)
      mdp->upto[k] = last_draw(upto += mdp->outcome[k].probability);
    mdp->upto[end - 1] = UINT64_MAX;
  }
  free(weight);
  free(list);
  return status;
}

far_status far_mdp_builder_finish(far_mdp **out, far_mdp_builder *b, far_error *error) {
  *out = NULL;
  far_status status = far__layout_check(&b->layout, error);
  for (size_t i = 0; i < b->n_starts && status == FAR_OK; ++i)
    status = push(b, n_pairs(b), b->starts[i], error);
  if (status == FAR_OK) status = allocate(out, b, error);
  if (status == FAR_OK) {
    find_shape(*out, b);
    status = gather(*out, b, error);
    free(b->runs); /* before the sampling tables are allocated */
    b->runs = NULL;
    if (status == FAR_OK) status = check_range(*out, error);
    for (size_t r = 0; status == FAR_OK && r < (*out)->n_rows; ++r)
      status = check_row(b, *out, r, error);
  }
  if (status == FAR_OK) status = prepare_sampling(*out, b->keep, error);
  if (status == FAR_OK) status = far__mdp_find_absent(*out, error);
  if (status == FAR_OK) {
    far_mdp *mdp = *out;
    mdp->discount = b->discount;
    mdp->undiscounted = b->discount == 1 && b->horizon == 0;
    mdp->state_name = b->state_name;
    mdp->action_name = b->action_name;
    mdp->layout = b->layout;
    b->state_name = b->action_name = NULL;
    b->layout = (far__layout){.kind = FAR_LAYOUT_NONE};
  } else {
    far_mdp_free(*out);
    *out = NULL;
  }
  far_mdp_builder_free(b);
  return status;
}
