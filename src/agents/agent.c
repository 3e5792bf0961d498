#include "agents/agent.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/facts.h"
#include "agents/guest.h"
#include "agents/learner.h"
#include "agents/problem.h"
#include "base/available.h"
#include "base/error.h"
#include "base/pages.h"
#include "base/text.h"
#include "farsight/agent.h"

enum { WORD = 8 };

static const far__agent_type *const types[] = {
#define FAR_AGENT(name) &far__##name,
#include "agents/agents.def"
#undef FAR_AGENT
};

/* The library's own, then those that were registered, also if replaced since; NULL past the end. */
static const far__agent_type *type_at(size_t index) {
  return index < FAR__AGENT_COUNT ? types[index] : far__registered(index - FAR__AGENT_COUNT);
}

/* Lists the types that have not been replaced by a later one of their name, at most `most`; returns how many. */
static size_t types_in_force(size_t *out, size_t most) {
  size_t n = 0;
  for (size_t i = 0; n < most && type_at(i) != NULL; ++i)
    if (i < FAR__AGENT_COUNT || !far__is_replaced(i - FAR__AGENT_COUNT)) out[n++] = i;
  return n;
}

const far_type_info *far_agent_type(size_t index) {
  if (index < FAR__AGENT_COUNT) return &types[index]->info;
  size_t found[FAR__SPEC_TYPES];
  const size_t n = types_in_force(found, FAR__SPEC_TYPES);
  return index < n ? &type_at(found[index])->info : NULL;
}

const far__agent_type *far__agent_type_of(const far_agent *agent) {
  return type_at(agent->type);
}

bool far__agent_local(const far_agent *agent) {
  const far__agent_type *type = far__agent_type_of(agent);
  return type->local != NULL && type->local(agent);
}

bool far__always_local(const far_agent *agent) {
  (void)agent;
  return true;
}

far_shape far_shape_default(uint32_t n_states, uint32_t n_actions) {
  return (far_shape){
      .n_states = n_states, .n_actions = n_actions, .reward_max = 1, .episodic = true};
}

uint32_t far_shape_live(const far_shape *shape) {
  if (shape->absent == NULL) return shape->n_states;
  uint32_t count = 0;
  for (uint32_t s = 0; s < shape->n_states; ++s) count += !shape->absent[s];
  return count;
}

/* Where episodes can end, the range is widened to contain 0, the value of an end. */
static far_shape effective(const far_shape *shape) {
  far_shape out = *shape;
  if (out.episodic && out.reward_min > 0) out.reward_min = 0;
  if (out.episodic && out.reward_max < 0) out.reward_max = 0;
  return out;
}

/* Counts at least 1, a product that leaves room for the tables, a proper reward range. */
static far_status check_shape(const far_shape *shape, far_error *error) {
  if (shape->n_states == 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the number of states must be at least 1");
  if (shape->n_actions == 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "the number of actions must be at least 1");
  if ((uint64_t)shape->n_states * shape->n_actions > SIZE_MAX / 256)
    return far__fail(error, FAR_STATUS_MEMORY, -1,
                     "%lu states x %lu actions are too many for this machine",
                     (unsigned long)shape->n_states, (unsigned long)shape->n_actions);
  const far_status status = far__check_states(shape->n_states, "an agent", error);
  if (status != FAR_OK) return status;
  const double range = shape->reward_max - shape->reward_min;
  if (!(range > 0) || range - range != 0)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the reward range [%g, %g] must be finite and not empty; a model file whose "
                     "rewards are all equal must name its reward_range, as in [0, 1]",
                     shape->reward_min, shape->reward_max);
  if (shape->horizon < 0 || shape->horizon > FAR_HORIZON_MAX)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a horizon of %lld steps is outside 1 ... %d (0: there is none)",
                     (long long)shape->horizon, FAR_HORIZON_MAX);
  if (far_shape_live(shape) == 0)
    return far__fail(error, FAR_STATUS_RANGE, -1, "every state is absent: one must be live");
  return FAR_OK;
}

/* The tables of an agent that plans by steps have an entry for each pair and step. */
static far_status check_horizon(const far_shape *shape, const far__agent_type *type,
                                far_error *error) {
  const double pairs = (double)shape->n_states * shape->n_actions, steps = (double)shape->horizon;
  if (type->info.finite_horizon && shape->horizon == 0)
    return far__fail(
        error, FAR_STATUS_CONFLICT, -1,
        "%s plans for episodes of a fixed number of steps, and this problem has no horizon: give "
        "the environment one, as in chain:n=5,horizon=20 (a model file: file:PATH,horizon=20; "
        "'farsight "
        "agent': --horizon 20)",
        type->info.name);
  if (!type->by_step || pairs * steps <= 0x1p31) return FAR_OK;
  return far__fail(
      error, FAR_STATUS_MEMORY, -1,
      "%lu states x %lu actions x %lld steps are too many: an agent that plans by steps "
      "has room for 2^31",
      (unsigned long)shape->n_states, (unsigned long)shape->n_actions, (long long)shape->horizon);
}

/* Fills in what the text does not give, and checks that all goes together with this shape. */
static far_status resolve_spec(far__spec *spec, const far_shape *shape, far_error *error) {
  far_status status = check_shape(shape, error);
  if (status == FAR_OK) status = check_horizon(shape, type_at(spec->index), error);
  if (status == FAR_OK) status = far__take_problem(spec, shape, error);
  if (status == FAR_OK) status = type_at(spec->index)->resolve(spec, shape, error);
  if (status == FAR_OK) status = far__spec_check(spec, error);
  return status;
}

static far_status parse_spec(far__spec *spec, const char *text, const far_shape *given,
                             far_shape *shape, far_error *error) {
  const far_type_info *infos[FAR__SPEC_TYPES];
  size_t numbers[FAR__SPEC_TYPES];
  const size_t n = types_in_force(numbers, FAR__SPEC_TYPES);
  for (size_t i = 0; i < n; ++i) infos[i] = &type_at(numbers[i])->info;
  *shape = effective(given);
  const far_status status = far__spec_parse(spec, text, "agent", infos, n, error);
  if (status != FAR_OK) return status;
  spec->index = numbers[spec->index];
  return resolve_spec(spec, shape, error);
}

/* Not of registered agents, which may count steps themselves, and not of baselines, which do not learn. */
static bool ignores_horizon(const far_shape *shape, const far__agent_type *type) {
  return shape->horizon > 0 && !type->by_step && !type->info.finite_horizon &&
         !type->info.baseline && type->def == NULL;
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  const far__agent_type *type = type_at(spec->index);
  type->advise(spec, shape, advice);
  if (type->info.model_based) learner_advise_cost(spec, shape, advice);
  if (ignores_horizon(shape, type)) far__say(advice, false, "%s", FAR_WARNING_HORIZON);
  if (!type->info.baseline) far__advise_discount(spec, shape, advice);
}

far_status far_agent_check(const char *text, const far_shape *given, far_warn_fn *warn, void *user,
                           far_error *error) {
  far__spec spec;
  far_shape shape;
  const far_status status = parse_spec(&spec, text, given, &shape, error);
  if (status == FAR_OK && warn != NULL) advise(&spec, &shape, &(far__advice){warn, user});
  return status;
}

static void lose_promise(void *promises, bool severe, const char *message) {
  (void)message;
  if (!severe) *(bool *)promises = false;
}

/* Does its guarantee hold? Advice that it does not is not severe; severe advice is about cost or learning. */
static bool promises(const far__spec *spec, const far_shape *shape) {
  bool kept = true;
  type_at(spec->index)->advise(spec, shape, &(far__advice){lose_promise, &kept});
  return kept;
}

far_status far_agent_resolve(char out[FAR_SPEC_SIZE], const char *text, const far_shape *given,
                             far_error *error) {
  far__spec spec;
  far_shape shape;
  const far_status status = parse_spec(&spec, text, given, &shape, error);
  return status == FAR_OK ? far__spec_format(out, &spec, error) : status;
}

far_status far__agent_state_size(size_t *out, const char *text, const far_shape *given,
                                 far_error *error) {
  far__spec spec;
  far_shape shape;
  const far_status status = parse_spec(&spec, text, given, &shape, error);
  *out = status == FAR_OK ? type_at(spec.index)->state_size(&shape, spec.values) : 0;
  return status;
}

static size_t bytes_of(const far__spec *spec, const far_shape *shape) {
  const far__agent_type *type = type_at(spec->index);
  const size_t rest = sizeof(far_agent) + type->params_size + 1 +
                      (shape->absent != NULL ? shape->n_states * sizeof(bool) : 0);
  const size_t state = type->state_size(shape, spec->values);
  return state < SIZE_MAX - rest ? rest + state : SIZE_MAX;
}

far_status far__agent_bytes(size_t *out, const char *text, const far_shape *given,
                            far_error *error) {
  far__spec spec;
  far_shape shape;
  const far_status status = parse_spec(&spec, text, given, &shape, error);
  *out = status == FAR_OK ? bytes_of(&spec, &shape) : 0;
  return status;
}

static size_t block_size(const far_agent *agent) {
  return agent->state_offset + agent->state_size + agent->pool_room * WORD;
}

/* The agent's own copy of the marks of absent states. */
static bool copy_absent(far_agent *agent, const bool *from) {
  agent->shape.absent = NULL;
  if (from == NULL) return true;
  bool *copy = malloc(agent->shape.n_states * sizeof *copy);
  if (copy == NULL) return false;
  memcpy(copy, from, agent->shape.n_states * sizeof *copy);
  agent->shape.absent = copy;
  return true;
}

/* An agent with the handle's numbers and memory of its own; NULL without memory. */
static far_agent *allocate(const far_agent *handle, size_t pool_room) {
  far_agent *agent = malloc(sizeof *agent);
  if (agent == NULL) return NULL;
  *agent = *handle;
  agent->guest = NULL;
  agent->memo = (far__memo){NULL, 0, false};
  agent->pool_room = pool_room;
  agent->block = calloc(1, block_size(agent) + 1);  /* + 1: calloc of 0 bytes may return NULL */
  if (far__agent_type_of(agent)->pool_need == NULL) /* for memory that grows they would be slow */
    far__large_pages(agent->block, block_size(agent));
  if (copy_absent(agent, handle->shape.absent) && agent->block != NULL) return agent;
  far_agent_free(agent);
  return NULL;
}

/* All but a guest's instance. */
static void forget(far_agent *agent, uint64_t seed, uint64_t replicate) {
  far_rng_init(&agent->rng, seed, replicate, FAR_PURPOSE_AGENT);
  agent->t = 0;
  agent->h = 0;
  agent->pool_used = 0;
  agent->memo.holds = false;
  if (far__agent_type_of(agent)->info.peeks) return; /* its state is the policy that it was given */
  memset(far__agent_state(agent), 0, agent->state_size);
  far__agent_type_of(agent)->init(agent);
}

static far_status create(far_agent **out, const far__spec *spec, const far_shape *shape,
                         uint64_t seed, uint64_t replicate, far_error *error) {
  const far__agent_type *type = type_at(spec->index);
  const far_agent made = {.state_offset = type->params_size,
                          .state_size = type->state_size(shape, spec->values),
                          .type = spec->index,
                          .shape = *shape,
                          .n_live = far_shape_live(shape),
                          .promises = promises(spec, shape)};
  char what[128];
  snprintf(what, sizeof what, "%s with %lu states x %lu actions", type->info.name,
           (unsigned long)shape->n_states, (unsigned long)shape->n_actions);
  far_status status = far__check_memory((double)made.state_size, what, error);
  if (status != FAR_OK) return status;
  far_agent *agent = allocate(&made, 0);
  if (agent == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %s (%.3g GB)", what,
                     (double)made.state_size / 1e9);
  memcpy(agent->block, spec->values, type->params_size);
  status = far__spec_format(agent->spec, spec, error);
  if (status == FAR_OK) forget(agent, seed, replicate);
  if (status == FAR_OK && type->def != NULL)
    status = far__guest_create(agent, type->def, seed, replicate, error);
  if (status != FAR_OK) {
    far_agent_free(agent);
    return status;
  }
  *out = agent;
  return FAR_OK;
}

far_status far__agent_create(far_agent **out, const char *text, const far_shape *given,
                             uint64_t seed, uint64_t replicate, far_error *error) {
  far__spec spec;
  far_shape shape;
  *out = NULL;
  const far_status status = parse_spec(&spec, text, given, &shape, error);
  return status == FAR_OK ? create(out, &spec, &shape, seed, replicate, error) : status;
}

/* ---- a spec as a value ---- */

static far_status resolve_again(far__spec *spec, const far_spec *of, far_error *error) {
  return resolve_spec(spec, &of->shape, error);
}

far_status far_spec_of_agent(far_spec **out, const char *text, const far_shape *shape,
                             far_error *error) {
  far__spec spec;
  far_spec like = {.resolve = resolve_again};
  *out = NULL;
  const far_status status = parse_spec(&spec, text, shape, &like.shape, error);
  if (status != FAR_OK) return status;
  like.size = type_at(spec.index)->params_size;
  return far__spec_keep(out, &like, &spec, text, error);
}

void far_spec_advise(const far_spec *spec, far_warn_fn *warn, void *user) {
  far__spec parsed;
  far__spec_unpack(&parsed, spec);
  advise(&parsed, &spec->shape, &(far__advice){warn, user});
}

size_t far__spec_bytes(const far_spec *spec) {
  far__spec parsed;
  far__spec_unpack(&parsed, spec);
  return bytes_of(&parsed, &spec->shape);
}

far_status far__agent_from(far_agent **out, const far_spec *spec, far_error *error) {
  far__spec parsed;
  *out = NULL;
  far__spec_unpack(&parsed, spec);
  return create(out, &parsed, &spec->shape, 0, 0, error);
}

far_status far_agent_create(far_agent **out, const char *text, const far_shape *given,
                            uint64_t seed, uint64_t replicate, far_error *error) {
  const far_status status = far__agent_create(out, text, given, seed, replicate, error);
  if (status != FAR_OK || !far__agent_type_of(*out)->info.peeks) return status;
  const char *name = far__agent_type_of(*out)->info.name;
  far_agent_free(*out);
  *out = NULL;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "%s peeks at the model and cannot be made without one: 'farsight run' runs it, "
                   "and in the library far_agent_create_on makes it",
                   name);
}

void far__agent_reset(far_agent *agent, uint64_t seed, uint64_t guest_seed, uint64_t replicate) {
  forget(agent, seed, replicate);
  if (agent->guest != NULL) far__guest_reset(agent, guest_seed, replicate);
}

void far_agent_reset(far_agent *agent, uint64_t seed, uint64_t replicate) {
  far__agent_reset(agent, seed, seed, replicate);
}

void far_agent_free(far_agent *agent) {
  if (agent == NULL) return;
  far__guest_free(agent->guest);
  free((bool *)agent->shape.absent);
  free(agent->memo.words);
  free(agent->block);
  free(agent);
}

/* Doubles the pool, so that growing costs a constant a word on average. */
far_status far__agent_grow(far_agent *agent, size_t words, far_error *error) {
  const size_t most = (SIZE_MAX - agent->state_offset - agent->state_size) / WORD / 4;
  const size_t wanted = words <= most ? agent->pool_used + words : words, room = 2 * wanted;
  if (wanted <= agent->pool_room) return FAR_OK;
  unsigned char *block =
      wanted <= most ? realloc(agent->block, block_size(agent) + (room - agent->pool_room) * WORD)
                     : NULL;
  if (block == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a learned model of %.3g GB",
                     (double)wanted * WORD / 1e9);
  agent->block = block;
  agent->pool_room = room;
  return FAR_OK;
}

far_status far__agent_grow_memo(far_agent *agent, size_t words, far_error *error) {
  if (words <= agent->memo.room) return FAR_OK;
  free(agent->memo.words);
  const bool fits = words <= SIZE_MAX / WORD / 2;
  agent->memo = (far__memo){fits ? malloc(2 * words * WORD) : NULL, 0, false};
  if (agent->memo.words == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the plans of %s (%.3g GB)",
                     far__agent_type_of(agent)->info.name, (double)words * WORD / 1e9);
  agent->memo.room = 2 * words;
  return FAR_OK;
}

far_status far_agent_clone(far_agent **out, const far_agent *agent, far_error *error) {
  *out = allocate(agent, agent->pool_room);
  if (*out == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a copy");
  (*out)->stop = NULL; /* may not live as long as the copy */
  memcpy((*out)->block, agent->block,
         agent->state_offset + agent->state_size + agent->pool_used * WORD);
  if (agent->guest == NULL) return FAR_OK;
  const far_status status = far__guest_clone(*out, agent, error);
  if (status == FAR_OK) return FAR_OK;
  far_agent_free(*out);
  *out = NULL;
  return status;
}

uint32_t far_agent_act(far_agent *agent, uint32_t s) {
  assert(s < agent->shape.n_states);
  return far__agent_act(agent, far__agent_type_of(agent), s);
}

far_status far_agent_try_act(far_agent *agent, uint32_t s, uint32_t *a, far_error *error) {
  if (s >= agent->shape.n_states)
    return far__fail(error, FAR_STATUS_RANGE, -1, "state %lu is outside 0 ... %lu",
                     (unsigned long)s, (unsigned long)agent->shape.n_states - 1);
  const uint32_t chosen = far__agent_act(agent, far__agent_type_of(agent), s);
  const far_status status = far__agent_failure(agent, error);
  if (status == FAR_OK) *a = chosen;
  return status;
}

static far_status check_state(const far_shape *shape, uint32_t s, far_error *error) {
  if (s >= shape->n_states)
    return far__fail(error, FAR_STATUS_RANGE, -1, "state %lu is outside 0 ... %lu",
                     (unsigned long)s, (unsigned long)shape->n_states - 1);
  if (!far_shape_is_live(shape, s))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "state %lu was declared absent (terminal or unreachable); a step that ends "
                     "in a terminal state is done",
                     (unsigned long)s);
  return FAR_OK;
}

far_status far_agent_observe(far_agent *agent, const far_transition *step, far_error *error) {
  const far_shape *shape = &agent->shape;
  far_status status = check_state(shape, step->s, error);
  if (status == FAR_OK && !step->done) status = check_state(shape, step->next, error);
  if (status != FAR_OK) return status;
  if (step->a >= shape->n_actions)
    return far__fail(error, FAR_STATUS_RANGE, -1, "action %lu is outside 0 ... %lu",
                     (unsigned long)step->a, (unsigned long)shape->n_actions - 1);
  if (!(step->r >= shape->reward_min && step->r <= shape->reward_max))
    return far__fail(error, FAR_STATUS_RANGE, -1, "reward %s is outside the range [%s, %s]",
                     far__shortest(step->r).text, far__shortest(shape->reward_min).text,
                     far__shortest(shape->reward_max).text);
  if (step->done && !shape->episodic)
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "an episode ends, but the problem was declared continuing");
  far_transition seen = *step;
  if (far__agent_last(agent)) seen.cut = !step->done;
  return far__agent_learn(agent, far__agent_type_of(agent), &seen, error);
}

/* Is there such a step in an episode? Without a horizon all are step 0. */
static bool has_step(const far_shape *shape, int64_t h) {
  return h >= 0 && h < (shape->horizon > 0 ? shape->horizon : 1);
}

bool far_agent_value_at(const far_agent *agent, far_value kind, int64_t h, uint32_t s, uint32_t a,
                        double *out) {
  const far_shape *shape = &agent->shape;
  if (s >= shape->n_states || a >= shape->n_actions || !has_step(shape, h)) return false;
  const far__agent_type *type = far__agent_type_of(agent);
  const size_t pair = (size_t)far__timed(agent, type, h, s) * shape->n_actions + a;
  double x;
  if (!type->value(agent, kind, pair, &x)) return false;
  *out = far_shape_is_live(shape, s) ? x : 0; /* elsewhere nothing is earned or learned */
  return true;
}

bool far_agent_value(const far_agent *agent, far_value kind, uint32_t s, uint32_t a, double *out) {
  return far_agent_value_at(agent, kind, agent->h, s, a, out);
}

bool far_agent_policy_at(const far_agent *agent, int64_t h, uint32_t s, double *out) {
  if (s >= agent->shape.n_states || !has_step(&agent->shape, h)) return false;
  const far__agent_type *type = far__agent_type_of(agent);
  return type->policy(agent, far__timed(agent, type, h, s), out);
}

bool far_agent_policy(const far_agent *agent, uint32_t s, double *out) {
  return far_agent_policy_at(agent, agent->h, s, out);
}

int64_t far_agent_episode_step(const far_agent *agent) {
  return agent->h;
}

bool far__agent_by_step(const far_agent *agent) {
  return far__agent_type_of(agent)->by_step && agent->shape.horizon > 0;
}

/* The bound of an agent with its guarantee, or of one without. */
static bool bound_of(const far_agent *agent, bool promised, double *bound) {
  const far__agent_type *type = far__agent_type_of(agent);
  double x;
  if (type->certificate == NULL || agent->promises != promised) return false;
  if (!type->certificate(agent, &x) || x != x) return false;
  *bound = x;
  return true;
}

bool far_agent_certificate(const far_agent *agent, double *bound) {
  return bound_of(agent, true, bound);
}

bool far_agent_uncertified(const far_agent *agent, double *bound) {
  return bound_of(agent, false, bound);
}

bool far_agent_stopped(const far_agent *agent) {
  const far__agent_type *type = far__agent_type_of(agent);
  return type->stopped != NULL && type->stopped(agent);
}

bool far_agent_param(const far_agent *agent, const char *name, double *out) {
  const far_type_info *info = &far__agent_type_of(agent)->info;
  for (size_t i = 0; i < info->n_params; ++i)
    if (strcmp(info->params[i].name, name) == 0)
      return far__param_number(&info->params[i], agent->block, out);
  return false;
}

int64_t far_agent_steps(const far_agent *agent) {
  return agent->t;
}

const far_shape *far_agent_shape(const far_agent *agent) {
  return &agent->shape;
}

const char *far_agent_spec(const far_agent *agent) {
  return agent->spec;
}
