#include "model/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/criterion.h"
#include "model/known.h"

void far__names_free(char **names, size_t count) {
  for (size_t i = 0; names != NULL && i < count; ++i) free(names[i]);
  free((void *)names);
}

void far_mdp_free(far_mdp *mdp) {
  if (mdp == NULL) return;
  free(mdp->row);
  free(mdp->outcome);
  free(mdp->upto);
  free(mdp->other);
  free(mdp->terminal);
  free(mdp->absent);
  free(mdp->spec);
  free(mdp->label);
  far__names_free(mdp->state_name, mdp->shape.n_states);
  far__names_free(mdp->action_name, mdp->shape.n_actions);
  far__layout_free(&mdp->layout);
  far__known_free(mdp->known);
  free(mdp);
}

void far__mdp_name(far_mdp *mdp, char *spec, char *label) {
  free(mdp->spec);
  free(mdp->label);
  mdp->spec = spec;
  mdp->label = label;
}

const char *far_mdp_label(const far_mdp *mdp) {
  return mdp->label != NULL ? mdp->label : "";
}

const char *far_mdp_spec(const far_mdp *mdp) {
  return mdp->spec != NULL ? mdp->spec : "";
}

far_shape far_mdp_shape(const far_mdp *mdp) {
  return mdp->shape;
}

int64_t far_mdp_horizon(const far_mdp *mdp) {
  return mdp->shape.horizon;
}

static const far_outcome *row_of(const far_mdp *mdp, size_t row, size_t *count) {
  *count = mdp->row[row + 1] - mdp->row[row];
  return mdp->outcome + mdp->row[row];
}

const far_outcome *far_mdp_outcomes(const far_mdp *mdp, uint32_t s, uint32_t a, size_t *count) {
  assert(s < mdp->shape.n_states && a < mdp->shape.n_actions);
  return row_of(mdp, (size_t)s * mdp->shape.n_actions + a, count);
}

const far_outcome *far_mdp_starts(const far_mdp *mdp, size_t *count) {
  return row_of(mdp, mdp->n_rows - 1, count);
}

bool far_mdp_terminal(const far_mdp *mdp, uint32_t s) {
  assert(s < mdp->shape.n_states);
  return mdp->terminal[s];
}

static size_t names_bytes(char *const *names, size_t count) {
  size_t bytes = names != NULL ? count * sizeof *names : 0;
  for (size_t i = 0; names != NULL && i < count; ++i)
    bytes += names[i] != NULL ? strlen(names[i]) + 1 : 0;
  return bytes;
}

size_t far__mdp_bytes(const far_mdp *mdp) {
  const size_t n = mdp->row[mdp->n_rows];
  return sizeof *mdp + (mdp->n_rows + 1) * sizeof *mdp->row +
         n * (sizeof *mdp->outcome + sizeof *mdp->upto) +
         (mdp->other != NULL ? n * sizeof *mdp->other : 0) +
         mdp->shape.n_states * sizeof *mdp->terminal * (mdp->absent != NULL ? 2 : 1) +
         names_bytes(mdp->state_name, mdp->shape.n_states) +
         names_bytes(mdp->action_name, mdp->shape.n_actions) + far__layout_bytes(&mdp->layout);
}

#define UNDISCOUNTED                                                                               \
  "the model's discount is 1, with which no agent can plan that discounts: they plan with 0.95; "  \
  "give the problem another one (gamma=0.99 behind a file's path), a horizon, or average=on"
#define NO_START                                                                                   \
  "the file names no start, so every episode starts in state 0; add the key \"start\" (for "       \
  "Gymnasium: list(env.unwrapped.initial_state_distrib))"
#define NO_INIT "no state has the label 'init', so every episode starts in state 0"

const char *far__mdp_caveat(const far_mdp *mdp) {
  static const char *const caveats[2][FAR__STARTLESS_KINDS] = {
      {NULL, NO_START, NO_INIT},
      {UNDISCOUNTED, NO_START "; " UNDISCOUNTED, NO_INIT "; " UNDISCOUNTED},
  };
  return caveats[mdp->undiscounted][mdp->startless];
}

const char *far_mdp_state_name(const far_mdp *mdp, uint32_t s) {
  assert(s < mdp->shape.n_states);
  return mdp->state_name != NULL ? mdp->state_name[s] : NULL;
}

const char *far_mdp_action_name(const far_mdp *mdp, uint32_t a) {
  assert(a < mdp->shape.n_actions);
  return mdp->action_name != NULL ? mdp->action_name[a] : NULL;
}

double far_mdp_discount(const far_mdp *mdp) {
  return mdp->discount;
}

double far_mdp_gamma(const far_mdp *mdp) {
  return far_shape_gamma(&mdp->shape);
}

static far_status check_no_horizon(const far_mdp *mdp, const char *criterion, far_error *error) {
  if (mdp->shape.horizon == 0) return FAR_OK;
  return far__fail(
      error, FAR_STATUS_CONFLICT, -1,
      "a problem has one criterion: this one has a horizon of %lld steps, and takes no %s",
      (long long)mdp->shape.horizon, criterion);
}

far_status far_mdp_set_gamma(far_mdp *mdp, double gamma, far_error *error) {
  if (!(gamma > 0 && gamma < 1))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the discount %s is outside (0, 1)",
                     far__shortest(gamma).text);
  const far_status status = check_no_horizon(mdp, "discount", error);
  if (status != FAR_OK) return status;
  mdp->shape.gamma = mdp->discount = gamma;
  mdp->undiscounted = false;
  return FAR_OK;
}

far_status far_mdp_set_average(far_mdp *mdp, far_error *error) {
  const far_status status = check_no_horizon(mdp, "average reward", error);
  if (status != FAR_OK) return status;
  mdp->shape.average = true;
  mdp->undiscounted = false;
  return FAR_OK;
}

static void hash_model(char out[FAR_HASH_TEXT], const far_mdp *mdp, bool criterion) {
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  far__hash_begin(&hash);
  far__hash_text(&hash, "farsight model 1");
  far__hash_u64(&hash, mdp->shape.n_states);
  far__hash_u64(&hash, mdp->shape.n_actions);
  far__hash_f64(&hash, mdp->shape.reward_min);
  far__hash_f64(&hash, mdp->shape.reward_max);
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s)
    if (mdp->terminal[s]) far__hash_u64(&hash, s);
  for (size_t row = 0; row < mdp->n_rows; ++row) {
    size_t count;
    const far_outcome *outcome = row_of(mdp, row, &count);
    far__hash_u64(&hash, count);
    for (size_t k = 0; k < count; ++k) {
      far__hash_f64(&hash, outcome[k].probability);
      far__hash_f64(&hash, outcome[k].reward);
      far__hash_u64(&hash, outcome[k].next);
    }
  }
  if (mdp->shape.horizon > 0)
    far__hash_u64(&hash, (uint64_t)mdp->shape.horizon);
  else if (criterion && mdp->shape.average)
    far__hash_u64(&hash, 0);
  else if (criterion && mdp->shape.gamma != FAR_GAMMA_DEFAULT)
    far__hash_f64(&hash, mdp->shape.gamma);
  far__hash_end(&hash, digest);
  far_hash_text(out, digest);
}

void far_mdp_hash(char out[FAR_HASH_TEXT], const far_mdp *mdp) {
  hash_model(out, mdp, true);
}

void far__mdp_hash_world(char out[FAR_HASH_TEXT], const far_mdp *mdp) {
  hash_model(out, mdp, false);
}

const far_outcome *far_mdp_step(const far_mdp *mdp, uint32_t s, uint32_t a, far_rng *rng) {
  assert(s < mdp->shape.n_states && a < mdp->shape.n_actions && !mdp->terminal[s]);
  return far__mdp_draw(mdp, (size_t)s * mdp->shape.n_actions + a, far_rng_next(rng));
}

uint32_t far_mdp_start(const far_mdp *mdp, far_rng *rng) {
  return far__mdp_start(mdp, rng);
}

/* Marks and queues the successors in one row. */
static size_t visit(const far_mdp *mdp, size_t row, bool *seen, uint32_t *queue, size_t tail) {
  size_t count;
  const far_outcome *outcome = row_of(mdp, row, &count);
  for (size_t k = 0; k < count; ++k) {
    if (seen[outcome[k].next]) continue;
    seen[outcome[k].next] = true;
    queue[tail++] = outcome[k].next;
  }
  return tail;
}

/* Marks in `seen`, which is all false, the states that a run can reach, within the horizon if there
 * is one; returns their number. `queue` is scratch for all states. */
static size_t reach(const far_mdp *mdp, bool *seen, uint32_t *queue) {
  const uint32_t n_actions = mdp->shape.n_actions;
  const int64_t horizon = mdp->shape.horizon;
  size_t tail = visit(mdp, mdp->n_rows - 1, seen, queue, 0), head = 0;
  for (int64_t steps = 0; head < tail && (horizon == 0 || steps < horizon); ++steps)
    for (const size_t level = tail; head < level; ++head) /* all states that are `steps` away */
      for (uint32_t a = 0; a < n_actions; ++a)
        tail = visit(mdp, (size_t)queue[head] * n_actions + a, seen, queue, tail);
  return tail;
}

/* Allocates `seen` for the caller to free; NULL on failure. */
static far_status find_reachable(const far_mdp *mdp, bool **seen, size_t *count, far_error *error) {
  const uint32_t n_states = mdp->shape.n_states;
  uint32_t *queue = malloc(n_states * sizeof *queue);
  *seen = calloc(n_states, sizeof **seen);
  const bool ready = queue != NULL && *seen != NULL;
  if (ready) {
    *count = reach(mdp, *seen, queue);
  } else {
    free(*seen);
    *seen = NULL;
  }
  free(queue);
  if (ready) return FAR_OK;
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to search %lu states",
                   (unsigned long)n_states);
}

far_status far_mdp_unreachable(const far_mdp *mdp, uint32_t *count, uint32_t *first,
                               far_error *error) {
  bool *seen;
  size_t reached;
  const far_status status = find_reachable(mdp, &seen, &reached, error);
  if (status != FAR_OK) return status;
  *count = mdp->shape.n_states - (uint32_t)reached;
  *first = 0;
  while (*first < mdp->shape.n_states && seen[*first]) ++*first;
  free(seen);
  return FAR_OK;
}

far_status far__mdp_find_absent(far_mdp *mdp, far_error *error) {
  bool *mark; /* first the states that are reached, then those that are absent */
  size_t reached, absent = 0;
  const far_status status = find_reachable(mdp, &mark, &reached, error);
  if (status != FAR_OK) return status;
  for (uint32_t s = 0; s < mdp->shape.n_states; ++s) {
    mark[s] = !mark[s] || mdp->terminal[s];
    absent += mark[s];
  }
  if (absent > 0) {
    mdp->shape.absent = mdp->absent = mark;
  } else {
    free(mark);
  }
  return FAR_OK;
}

far_status far_mdp_set_horizon(far_mdp *mdp, int64_t horizon, far_error *error) {
  if (horizon < 0 || horizon > FAR_HORIZON_MAX)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a horizon of %lld steps is outside 1 ... %d (0: there is none)",
                     (long long)horizon, FAR_HORIZON_MAX);
  far__mdp_name(mdp, NULL, NULL);
  mdp->shape.horizon = horizon;
  mdp->shape.average = mdp->shape.average && horizon == 0;
  if (horizon > 0) mdp->undiscounted = false;
  mdp->shape.absent = NULL;
  free(mdp->absent);
  mdp->absent = NULL;
  return far__mdp_find_absent(mdp, error);
}
