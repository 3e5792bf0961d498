/* Runs in worlds of others; see farsight/simulator.h. */
#include "run/loop.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define wrong(error, ...) far__fail((error), FAR_STATUS_RANGE, -1, __VA_ARGS__)

far_status far_simulator_check(const far_simulator_def *def, far_error *error) {
  if (def->size < sizeof *def)
    return wrong(error, "the simulator's size is %zu; it must be sizeof(far_simulator_def)",
                 def->size);
  if (def->name == NULL || !far__is_name(def->name))
    return wrong(error, "a simulator needs a name of 1 to %d bytes", FAR__NAME_MAX);
  if (def->reset == NULL || def->step == NULL)
    return wrong(error, "%s has no hook `%s`", def->name, def->reset == NULL ? "reset" : "step");
  if ((def->create == NULL) != (def->free == NULL))
    return wrong(error, "%s has only one of the hooks `create` and `free`", def->name);
  return FAR_OK;
}

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

/* What went wrong, with the name, the step (counted from 1; a reset is of the step before it) and the
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

static far_status start(far__run *run, far_error *error) {
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

far_status far__run_begin_simulated(far__run *run, const far_simulator_def *def, void *instance,
                                    far_agent *agent, uint64_t seed, uint64_t told,
                                    uint64_t replicate, far_error *error) {
  *run = (far__run){.simulator = def,
                    .instance = instance,
                    .agent = agent,
                    .replicate = replicate,
                    .halt = INT64_MAX};
  far_rng_init(&run->transition, seed, replicate, FAR_PURPOSE_TRANSITION);
  far_rng_init(&run->start, seed, replicate, FAR_PURPOSE_START);
  far__agent_reset(agent, seed, told, replicate);
  return start(run, error);
}

/* One step, shown to the agent, who checks that it lies within the shape. */
static far_status step_once(far__run *run, far_transition *step, far_error *error) {
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

far_status far__loop_simulated(far__run *run, int64_t steps, far_error *error) {
  far_status status = FAR_OK;
  for (int64_t i = 0; status == FAR_OK && i < steps && run->episodes < run->halt; ++i) {
    far_transition step;
    status = step_once(run, &step, error);
    if (status != FAR_OK) break;
    run->total += step.r;
    run->s = step.next;
    run->episodes += step.done || step.cut;
    if (step.done || step.cut) status = start(run, error);
    if (status == FAR_OK) status = far__run_show(run, &step, error);
  }
  return status;
}
