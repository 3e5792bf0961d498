/* Runs in simulators; see farsight/worlds.h. */
#include "run/loop.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "run/simulator.h"

enum { LONGEST_VERSION = 64 };
static const char prefix[] = "simulator:";

#define wrong(error, ...) far__fail((error), FAR_STATUS_RANGE, -1, __VA_ARGS__)

/* The version, or NULL; programs compiled before versions existed have a shorter definition. */
static const char *version_of(const far_simulator_def *def) {
  return def->size >= sizeof *def ? def->version : NULL;
}

static bool is_version(const char *text) {
  const size_t length = strlen(text);
  return length >= 1 && length <= LONGEST_VERSION &&
         strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") ==
             length;
}

far_status far_simulator_check(const far_simulator_def *def, far_error *error) {
  if (def->size < offsetof(far_simulator_def, version))
    return wrong(error, "the simulator's size is %zu; it must be sizeof(far_simulator_def)",
                 def->size);
  if (def->name == NULL || !far__is_name(def->name))
    return wrong(error, "a simulator needs a name of 1 to %d bytes", FAR__NAME_MAX);
  if (def->reset == NULL || def->step == NULL)
    return wrong(error, "%s has no hook `%s`", def->name, def->reset == NULL ? "reset" : "step");
  if ((def->create == NULL) != (def->free == NULL))
    return wrong(error, "%s has only one of the hooks `create` and `free`", def->name);
  if (version_of(def) != NULL && strchr(def->name, '@') != NULL)
    return wrong(error, "%s has a version, and '@' in its name, which stands before the version",
                 def->name);
  if (version_of(def) != NULL && !is_version(version_of(def)))
    return wrong(
        error,
        "the version of %s is '%.100s'; it must be 1 to %d letters, digits and any of . _ + "
        "-, as in 1.2",
        def->name, version_of(def), LONGEST_VERSION);
  return FAR_OK;
}

/* ---- names for stores ---- */

far_status far_simulator_spec(char out[FAR_SPEC_SIZE], const far_simulator_def *def,
                              far_error *error) {
  const char *name = def->name != NULL ? def->name : "", *version = version_of(def);
  if (version == NULL)
    return far__fail(
        error, FAR_STATUS_CONFLICT, -1,
        "the simulator %.100s has no version, by which a store could know its runs: give "
        "it one (version=\"1\"), and another whenever the simulator changes",
        name);
  const far_status status = far_simulator_check(def, error);
  if (status != FAR_OK) return status;
  const int length = snprintf(out, FAR_SPEC_SIZE, "%s%s@%s", prefix, name, version);
  char *end = out + length;
  const size_t size = FAR_SPEC_SIZE - (size_t)length;
  const far_shape *shape = &def->shape; /* the criterion follows, as in the specs of families */
  if (shape->horizon > 0)
    snprintf(end, size, ",horizon=%lld", (long long)shape->horizon);
  else if (shape->average)
    snprintf(end, size, ",average=on");
  else if (far_shape_gamma(shape) != FAR_GAMMA_DEFAULT)
    snprintf(end, size, ",gamma=%s", far__shortest(shape->gamma).text);
  return FAR_OK;
}

bool far__simulator_is_spec(const char *env) {
  return strncmp(env, prefix, sizeof prefix - 1) == 0;
}

void far__simulator_hash(char out[FAR_HASH_TEXT], const far_simulator_def *def) {
  const far_shape *shape = &def->shape;
  uint8_t digest[FAR_HASH_BYTES];
  far__hash hash;
  far__hash_begin(&hash);
  far__hash_text(&hash, "farsight simulator 1");
  far__hash_u64(&hash, shape->n_states);
  far__hash_u64(&hash, shape->n_actions);
  far__hash_f64(&hash, shape->reward_min);
  far__hash_f64(&hash, shape->reward_max);
  far__hash_u64(&hash, shape->episodic);
  far__hash_u64(&hash, (uint64_t)shape->horizon);
  for (uint32_t s = 0; s < shape->n_states; ++s)
    if (!far_shape_is_live(shape, s)) far__hash_u64(&hash, s);
  far__hash_end(&hash, digest);
  far_hash_text(out, digest);
}

/* ---- runs ---- */

far_status far__simulator_enter(void **instance, const far_simulator_def *def, far_error *error) {
  far_error said = {FAR_OK, -1, ""};
  *instance = def->user;
  if (def->create == NULL) return FAR_OK;
  *instance = NULL;
  const far_status status = def->create(instance, def->user, &said);
  if (status == FAR_OK && *instance != NULL) return FAR_OK;
  *instance = NULL;
  if (status == FAR_OK) return wrong(error, "%.255s made no instance", def->name);
  return far__fail(error, status, -1, "%.255s could not be created: %.200s", def->name,
                   said.message[0] != '\0' ? said.message : far_status_text(status));
}

void far__simulator_leave(void *instance, const far_simulator_def *def) {
  if (def->free != NULL) def->free(instance);
}

/* Fails with the simulator's name, the step (counted from 1; a reset belongs to the step before it) and the
 * replicate. */
static far_status fail_at(const far__run *run, int64_t step, far_status code, const char *what,
                          far_error *error) {
  return far__fail(error, code, -1, "%.100s, step %lld of replicate %llu: %.300s",
                   run->simulator->name, (long long)step, (unsigned long long)run->replicate, what);
}

static far_status fail_as(const far__run *run, int64_t step, far_status code, const far_error *said,
                          far_error *error) {
  return fail_at(run, step, code, said->message[0] != '\0' ? said->message : far_status_text(code),
                 error);
}

far_status far__simulator_start(far__run *run, far_error *error) {
  const far_shape *shape = &run->simulator->shape;
  far_error said = {FAR_OK, -1, ""};
  uint32_t s = UINT32_MAX;
  const far_status status = run->simulator->reset(run->instance, &run->start, &s, &said);
  if (status != FAR_OK) return fail_as(run, run->agent->t, status, &said, error);
  if (s >= shape->n_states || !far_shape_is_live(shape, s))
    return fail_at(run, run->agent->t, FAR_STATUS_RANGE, "the start is not a live state", error);
  run->s = s;
  return FAR_OK;
}

/* far_agent_observe checks that the step lies within the shape. */
far_status far__simulator_step(far__run *run, far_transition *step, far_error *error) {
  far_error said = {FAR_OK, -1, ""};
  *step = (far_transition){.s = run->s};
  far_status status = far_agent_try_act(run->agent, run->s, &step->a, error);
  if (status != FAR_OK) return status;
  const uint32_t s = step->s, a = step->a;
  const int64_t before = run->agent->t;
  status = run->simulator->step(run->instance, &run->transition, step, &said);
  if (status != FAR_OK) return fail_as(run, before + 1, status, &said, error);
  step->s = s;
  step->a = a;
  step->cut = !step->done && (step->cut || far__agent_last(run->agent));
  status = far_agent_observe(run->agent, step, &said);
  if (status != FAR_OK && run->agent->t == before && status == FAR_STATUS_RANGE)
    return fail_as(run, before + 1, status, &said, error);
  if (status != FAR_OK && error != NULL) *error = said;
  return status;
}
