#include "agents/guest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"

enum { WORD = 8 };

/* ---- failures ---- */

/* Keeps a failure, with the step in which a choice or an update failed. */
static void note(const far_agent *agent, far_status code, int64_t step, const char *what) {
  far__guest *g = agent->guest;
  far__set_error(&g->failure, code, -1, "%s, step %lld of replicate %llu: %s", g->def->name,
                 (long long)step, (unsigned long long)g->replicate, what);
}

static bool failed(const far_agent *agent) {
  return agent->guest->failure.code != FAR_OK;
}

/* The same with the status that a hook has returned, and its message if it has left one. */
static void note_status(const far_agent *agent, far_status status, int64_t step,
                        const far_error *said) {
  note(agent, status, step, said->message[0] != '\0' ? said->message : far_status_text(status));
}

/* The failure of a hook that cannot report one, as the instance explains it; no message if there is none. */
static far_error explained(const far__guest *g) {
  far_error said = {FAR_OK, -1, ""};
  if (g->def->explain != NULL) g->def->explain(g->instance, &said);
  return said;
}

static far_status fail_as(far_status status, const far_error *said, const char *name,
                          const char *task, far_error *error) {
  return far__fail(error, status, -1, "%s could not be %s: %.400s", name, task,
                   said->message[0] != '\0' ? said->message : far_status_text(status));
}

far_status far__guest_status(const far_agent *agent, far_error *error) {
  const far_error *failure = &agent->guest->failure;
  if (failure->code != FAR_OK && error != NULL) *error = *failure;
  return failure->code;
}

/* ---- life ---- */

static far_status make_instance(far_agent *agent, uint64_t seed, uint64_t replicate,
                                far_error *error) {
  far__guest *g = agent->guest;
  far_error said = {FAR_OK, -1, ""};
  g->instance = NULL;
  const far_status status = g->def->create(&g->instance, agent->block, &agent->shape, seed,
                                           replicate, g->def->user, &said);
  if (status == FAR_OK && g->instance != NULL) return FAR_OK;
  g->instance = NULL;
  return fail_as(status != FAR_OK ? status : FAR_STATUS_RANGE, &said, g->def->name, "created",
                 error);
}

static far_status make_guest(far_agent *agent, const far_agent_def *def, uint64_t replicate,
                             far_error *error) {
  agent->guest = calloc(1, sizeof *agent->guest);
  if (agent->guest == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for %s", def->name);
  agent->guest->def = def;
  agent->guest->replicate = replicate;
  return FAR_OK;
}

far_status far__guest_create(far_agent *agent, const far_agent_def *def, uint64_t seed,
                             uint64_t replicate, far_error *error) {
  const far_status status = make_guest(agent, def, replicate, error);
  return status == FAR_OK ? make_instance(agent, seed, replicate, error) : status;
}

void far__guest_reset(far_agent *agent, uint64_t seed, uint64_t replicate) {
  far__guest *g = agent->guest;
  far_error said = {FAR_OK, -1, ""};
  far_status status;
  g->replicate = replicate;
  g->failure.code = FAR_OK;
  if (g->instance != NULL && g->def->reset != NULL) {
    status = g->def->reset(g->instance, seed, replicate, &said);
  } else {
    if (g->instance != NULL) g->def->free(g->instance);
    status = make_instance(agent, seed, replicate, &said);
  }
  if (status != FAR_OK) note_status(agent, status, 0, &said);
}

far_status far__guest_clone(far_agent *copy, const far_agent *agent, far_error *error) {
  const far__guest *g = agent->guest;
  far_error said = {FAR_OK, -1, ""};
  if (g->def->clone == NULL || g->instance == NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "%s cannot be copied: it has no `clone`",
                     g->def->name);
  far_status status = make_guest(copy, g->def, g->replicate, error);
  if (status != FAR_OK) return status;
  copy->guest->failure = g->failure;
  status = g->def->clone(&copy->guest->instance, g->instance, &said);
  if (status == FAR_OK && copy->guest->instance != NULL) return FAR_OK;
  copy->guest->instance = NULL;
  return fail_as(status != FAR_OK ? status : FAR_STATUS_RANGE, &said, g->def->name, "copied",
                 error);
}

void far__guest_free(far__guest *guest) {
  if (guest != NULL && guest->instance != NULL) guest->def->free(guest->instance);
  free(guest);
}

/* ---- files: the length of the bytes, then the bytes, as words ---- */

far_status far__guest_freeze(far_agent *out, const far_agent *agent, far_error *error) {
  const far__guest *g = agent->guest;
  if (failed(agent)) return far__guest_status(agent, error);
  if (g->def->save == NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "%s cannot be saved: it has no `save`",
                     g->def->name);
  const size_t size = g->def->save(g->instance, NULL, 0);
  const far_error said = explained(g);
  if (size == SIZE_MAX && said.message[0] != '\0')
    return fail_as(said.code != FAR_OK ? said.code : FAR_STATUS_RANGE, &said, g->def->name, "saved",
                   error);
  const size_t words = size / WORD + (size % WORD > 0);
  uint8_t *bytes = size < SIZE_MAX / 4 ? calloc(words + 1, WORD) : NULL;
  *out = *agent;
  out->block = size < SIZE_MAX / 4 ? malloc(agent->state_offset + (words + 1) * WORD) : NULL;
  far_status status = FAR_OK;
  if (bytes == NULL || out->block == NULL)
    status = far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to save the agent");
  else if (g->def->save(g->instance, bytes, size) != size)
    status = far__fail(error, FAR_STATUS_RANGE, -1, "%s saves itself in different lengths",
                       g->def->name);
  out->pool_used = out->pool_room = words + 1;
  for (size_t i = 0; status == FAR_OK && i <= words; ++i) {
    const uint64_t word = i == 0 ? size : far__get_u64(bytes + (i - 1) * WORD);
    memcpy((unsigned char *)far__agent_pool(out) + i * WORD, &word, WORD);
  }
  free(bytes);
  if (status != FAR_OK) free(out->block);
  return status;
}

static far_status load_bytes(far_agent *agent, const uint8_t *bytes, size_t size,
                             far_error *error) {
  const far__guest *g = agent->guest;
  far_error said = {FAR_OK, -1, ""};
  const far_status status = g->def->load(g->instance, bytes, size, &said);
  if (status == FAR_OK) return FAR_OK;
  (void)fail_as(status, &said, g->def->name, "loaded", error);
  return status == FAR_STATUS_MEMORY ? status : FAR_STATUS_FORMAT;
}

far_status far__guest_thaw(far_agent *agent, far_error *error) {
  const size_t words = agent->pool_used;
  const unsigned char *pool = far__agent_pool(agent);
  uint64_t word, size = 0;
  if (words > 0) memcpy(&size, pool, WORD);
  if (words == 0 || agent->guest->def->load == NULL || size > (words - 1) * WORD)
    return far__fail(error, FAR_STATUS_FORMAT, -1, "%s cannot be loaded from this",
                     agent->guest->def->name);
  uint8_t *bytes = malloc(words * WORD);
  if (bytes == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to load the agent");
  for (size_t i = 1; i < words; ++i) {
    memcpy(&word, pool + i * WORD, WORD);
    far__put_u64(bytes + (i - 1) * WORD, word);
  }
  const far_status status = load_bytes(agent, bytes, (size_t)size, error);
  free(bytes);
  agent->pool_used = 0;
  return status;
}

/* ---- the hooks of the library ---- */

static far_status resolve(far__spec *spec, const far_shape *shape, far_error *error) {
  (void)spec, (void)shape, (void)error;
  return FAR_OK;
}

static void advise(const far__spec *spec, const far_shape *shape, const far__advice *advice) {
  (void)spec, (void)shape, (void)advice;
}

static size_t state_size(const far_shape *shape, const void *params) {
  (void)shape, (void)params;
  return 0;
}

static void init(far_agent *agent) {
  (void)agent; /* far__guest_create and far__guest_reset, which know the stream */
}

static uint32_t act(far_agent *agent, uint32_t s) {
  const far__guest *g = agent->guest;
  const uint32_t n_actions = agent->shape.n_actions;
  far_error said = {FAR_OK, -1, ""};
  uint32_t a = UINT32_MAX;
  if (failed(agent)) return 0;
  const far_status status = g->def->act(g->instance, s, &a, &said);
  if (status != FAR_OK) {
    note_status(agent, status, agent->t + 1, &said);
  } else if (a >= n_actions) {
    char text[80];
    snprintf(text, sizeof text, "action %lu is outside 0 ... %lu", (unsigned long)a,
             (unsigned long)n_actions - 1);
    note(agent, FAR_STATUS_RANGE, agent->t + 1, text);
  }
  return failed(agent) ? 0 : a;
}

static void observe(far_agent *agent, const far_transition *step) {
  far_error said = {FAR_OK, -1, ""};
  if (failed(agent)) return;
  const far_status status = agent->guest->def->observe(agent->guest->instance, step, &said);
  if (status != FAR_OK) note_status(agent, status, agent->t, &said);
}

static bool value(const far_agent *agent, far_value kind, size_t pair, double *out) {
  const far__guest *g = agent->guest;
  const uint32_t n_actions = agent->shape.n_actions;
  if (failed(agent) || g->def->value == NULL) return false;
  if (!g->def->value(g->instance, kind, (uint32_t)(pair / n_actions), (uint32_t)(pair % n_actions),
                     out))
    return false;
  if (*out - *out == 0) return true;
  const far_error said = explained(g);
  char text[80];
  snprintf(text, sizeof text, "the value %s of state %lu is not finite", far__shortest(*out).text,
           (unsigned long)(pair / n_actions));
  note(agent, said.code != FAR_OK ? said.code : FAR_STATUS_RANGE, agent->t,
       said.message[0] != '\0' ? said.message : text);
  return false;
}

static bool is_policy(const double *p, uint32_t n, double *sum) {
  bool fine = true;
  *sum = 0;
  for (uint32_t a = 0; a < n; ++a) {
    *sum += p[a];
    fine &= p[a] >= 0 && p[a] <= 1;
  }
  return fine && fabs(*sum - 1) <= 1e-9;
}

static bool policy(const far_agent *agent, uint32_t s, double *out) {
  const far__guest *g = agent->guest;
  far_error said = {FAR_OK, -1, ""};
  double sum;
  if (failed(agent) || g->def->policy == NULL) return false;
  const far_status status = g->def->policy(g->instance, s, out, &said);
  if (status != FAR_OK) {
    note_status(agent, status, agent->t, &said);
  } else if (!is_policy(out, agent->shape.n_actions, &sum)) {
    char text[120];
    snprintf(text, sizeof text,
             "the policy of state %lu is not a distribution: the sum of its entries is %s",
             (unsigned long)s, far__shortest(sum).text);
    note(agent, FAR_STATUS_RANGE, agent->t, text);
  }
  return !failed(agent);
}

static bool valid(const far_agent *agent) {
  return !failed(agent); /* its own `load` has checked the rest */
}

const far__agent_type far__guest_type = {.resolve = resolve,
                                         .advise = advise,
                                         .state_size = state_size,
                                         .init = init,
                                         .act = act,
                                         .observe = observe,
                                         .value = value,
                                         .policy = policy,
                                         .valid = valid};
