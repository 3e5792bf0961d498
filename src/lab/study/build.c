/* The part of making a study that makes models, and checks all that depends on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/agent.h"
#include "farsight/mdp.h"
#include "lab/study/study.h"
#include "model/criterion.h"
#include "run/series.h"
#include "solve/parts.h"

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the study");
}

/* ---- notes ---- */

typedef struct notes {
  const far_study_def *def;
  far_study_note at; /* of what */
} notes;

static void take(void *user, bool severe, const char *message) {
  const notes *n = user;
  far_study_note note = n->at;
  note.severe = severe;
  note.message = message;
  if (n->def->note != NULL) n->def->note(n->def->note_user, &note);
}

/* Does the study record one of the metrics that the note of same totals recommends? */
static bool records_episodes(const far_study *s) {
  static const char *const names[] = {"episodes", "return", "success"};
  for (size_t k = 0; k < s->batch.n_metrics; ++k)
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
      const size_t length = strlen(names[i]);
      const char *name = s->metrics[k]->name;
      if (strncmp(name, names[i], length) == 0 && strchr(":", name[length]) != NULL) return true;
    }
  return false;
}

/* Notes that all policies earn the same total. A run of a fixed number of episodes needs no such note. */
static void tell_same_total(const far_study *s, const far_mdp *mdp, notes *n) {
  char message[FAR__SAME_TOTAL_SIZE];
  if (n->def->note == NULL || s->episodes > 0 || records_episodes(s)) return;
  if (far__mdp_same_total(message, mdp)) take(n, false, message);
}

/* A discount for all environments leaves alone those whose spec or file says that something else counts. */
static void tell_discount_unused(far_shape shape, notes *n) {
  const double gamma = n->def->gamma;
  char message[160];
  if (n->def->note == NULL || gamma != gamma || (shape.horizon == 0 && !shape.average)) return;
  snprintf(message, sizeof message,
           "the discount %s, given to all environments, does not count here: the %s does",
           far__shortest(gamma).text, shape.average ? "average reward" : "horizon");
  take(n, false, message);
}

/* The notes on a model; NULL: a simulator's. */
static far_status note_model(const far_study *s, const far_mdp *mdp, notes *n, far_error *error) {
  if (mdp == NULL) return FAR_OK;
  if (far__mdp_caveat(mdp) != NULL) take(n, true, far__mdp_caveat(mdp));
  tell_discount_unused(far_mdp_shape(mdp), n);
  tell_same_total(s, mdp, n);
  uint32_t count = 0, first = 0;
  char message[120];
  if (n->def->note == NULL) return FAR_OK;
  const far_status status = far_mdp_unreachable(mdp, &count, &first, error);
  if (status != FAR_OK || count == 0) return status;
  snprintf(message, sizeof message, "%lu states can never be reached, the first is %lu",
           (unsigned long)count, (unsigned long)first);
  take(n, false, message);
  return FAR_OK;
}

/* ---- agents ---- */

/* Adds agent and environment to an error that has no position in the agent's spec. */
static void name_cell(const far_study_note *at, far_error *error) {
  if (error == NULL || error->position >= 0) return;
  if (error->code != FAR_STATUS_RANGE && error->code != FAR_STATUS_CONFLICT) return;
  const far_error said = *error;
  far__fail(error, said.code, -1, "%.100s on %.100s: %s", at->agent, at->env, said.message);
}

/* Agent j on environment i, whose shape this is: its cell. */
static far_status make_cell(const far_study *s, size_t i, size_t j, const far_shape *shape,
                            notes *n, far_error *error) {
  const far__specs *agents = &s->specs[FAR__AGENTS];
  const size_t at = i * agents->n_items + j;
  const far_status status = far_spec_of_agent(&s->agents[at], agents->items[j], shape, error);
  if (status != FAR_OK) return status;
  far_spec_advise(s->agents[at], take, n);
  s->cells[at] = (far_cell){.mdp = s->mdps[i],
                            .agent = agents->items[j],
                            .spec = s->agents[at],
                            .steps = shape->steps,
                            .episodes = s->episodes,
                            .checkpoints = s->checkpoints,
                            .n_checkpoints = s->n_checkpoints,
                            .simulator = s->simulators[i],
                            .name = n->at.env,
                            .env_label = s->specs[FAR__ENVS].labels[i],
                            .agent_label = agents->labels[j]};
  return FAR_OK;
}

/* Sets shape->steps, which agents may read: the steps of a run, or the most that its episodes can have. */
static far_status find_steps(far_shape *shape, const far_study *s, bool simulated, const char *env,
                             far_error *error) {
  *shape = far_shape_for(*shape, s->steps, s->episodes);
  if (s->episodes == 0) return FAR_OK;
  if (shape->horizon > 0) {
    if (s->episodes > INT64_MAX / 2 / shape->horizon)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "%lld episodes of %lld steps are too many steps", (long long)s->episodes,
                       (long long)shape->horizon);
    const int64_t all = s->episodes * shape->horizon;
    if (s->steps == 0 || s->steps > all) shape->steps = all;
    return FAR_OK;
  }
  if (!simulated && !shape->episodic)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "no episode can end here, so that none can be counted: give steps in place of "
                     "episodes, or a horizon that cuts the episodes (%.60s%shorizon=20)",
                     env, strchr(env, ':') != NULL ? "," : ":");
  if (s->steps > 0) return FAR_OK;
  if (simulated)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "an episode may have any number of steps here: give the simulator a horizon "
                     "that cuts it, or beside episodes the most steps of a run");
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "an episode may have any number of steps here: give a horizon that cuts it "
                   "(%.60s%shorizon=100), or beside episodes the most steps of a run",
                   env, strchr(env, ':') != NULL ? "," : ":");
}

/* All agents on environment i; their canonical specs. */
static far_status make_row(const far_study *s, size_t i, char **canonical, notes *n,
                           far__where *where, far_error *error) {
  const far__specs *agents = &s->specs[FAR__AGENTS];
  const far_simulator_def *simulator = s->simulators[i];
  far_shape shape = simulator != NULL ? simulator->shape : far_mdp_shape(s->mdps[i]);
  const far_status found = find_steps(&shape, s, simulator != NULL, n->at.env, error);
  if (found != FAR_OK) return far__in_item(s, FAR__ENVS, i, where, found, error);
  for (size_t j = 0; j < agents->n_items; ++j) {
    n->at.agent = agents->items[j];
    const far_status status = make_cell(s, i, j, &shape, n, error);
    if (status != FAR_OK) {
      name_cell(&n->at, error);
      return far__in_item(s, FAR__AGENTS, j, where, status, error);
    }
    canonical[j] = (char *)far_spec_canonical(s->agents[i * agents->n_items + j]);
  }
  n->at.agent = NULL;
  return FAR_OK;
}

static far_status fill_row(const far_study *s, size_t i, notes *n, far__where *where,
                           far_error *error) {
  char **canonical = calloc(s->specs[FAR__AGENTS].n_items, sizeof *canonical); /* the specs' own */
  if (canonical == NULL) return no_memory(error);
  far_status status = make_row(s, i, canonical, n, where, error);
  if (status == FAR_OK)
    status = far__refuse_twins(s, FAR__AGENTS, canonical, n->at.env, where, error);
  free(canonical);
  return status;
}

/* Notes that a model takes seconds to build. The constants were measured on chains and garnets. */
static void note_size(const far_spec *env, notes *n) {
  const double outcomes = far__spec_outcomes(env), noted = 2e7, bytes = 36, a_second = 1e7;
  if (!(outcomes >= noted)) return;
  char message[160];
  snprintf(message, sizeof message,
           "building this model of %.2g outcomes takes about %.2g GB of memory and %.2g s",
           outcomes, outcomes * bytes / 1e9, outcomes / a_second);
  n->at = (far_study_note){.env = far_spec_typed(env), .early = true};
  take(n, false, message);
}

/* A model or simulator of the program has its own discount, which must then be the study's. */
static far_status check_gamma(const far_study *s, const far_shape *shape, far_error *error) {
  if (s->gamma != s->gamma || shape->horizon > 0 || far_shape_gamma(shape) == s->gamma)
    return FAR_OK;
  return far__fail(
      error, FAR_STATUS_CONFLICT, -1,
      "the study's discount is %s, and this model, which is given as it is, has %s: give the model "
      "the discount where it is made",
      far__shortest(s->gamma).text, far__shortest(far_shape_gamma(shape)).text);
}

static far_status make_model(far_study *s, size_t i, notes *n, far_error *error) {
  if (s->simulators[i] != NULL) {
    const far_status status = far_simulator_check(s->simulators[i], error);
    return status == FAR_OK ? check_gamma(s, &s->simulators[i]->shape, error) : status;
  }
  if (s->lent[i] == NULL) {
    note_size(s->envs[i], n);
    return far_mdp_from(&s->mdps[i], s->envs[i], error);
  }
  s->mdps[i] = (far_mdp *)s->lent[i]; /* which is only read */
  const far_shape shape = far_mdp_shape(s->mdps[i]);
  return check_gamma(s, &shape, error);
}

static far_status make_models(far_study *s, notes *n, far__where *where, far_error *error) {
  const far__specs *envs = &s->specs[FAR__ENVS];
  for (size_t i = 0; i < envs->n_items; ++i) {
    far_status status = make_model(s, i, n, error);
    if (status != FAR_OK) return far__in_item(s, FAR__ENVS, i, where, status, error);
    n->at = (far_study_note){.env = envs->items[i]};
    status = note_model(s, s->mdps[i], n, error);
    if (status == FAR_OK) status = fill_row(s, i, n, where, error);
    if (status != FAR_OK) return status;
  }
  return FAR_OK;
}

/* ---- metrics ---- */

static far_status check_metric(const far_study *s, size_t k, size_t cell, notes *n,
                               far__where *where, far_error *error) {
  const far__specs *metrics = &s->specs[FAR__METRICS], *agents = &s->specs[FAR__AGENTS];
  const far_cell *c = &s->cells[cell];
  far_error inner;
  n->at = (far_study_note){.env = s->specs[FAR__ENVS].items[cell / agents->n_items],
                           .agent = c->agent,
                           .metric = metrics->items[k]};
  const far_status status = far__metric_check(s->metrics[k], c, take, n, &inner);
  if (status == FAR_OK) return FAR_OK;
  *where = (far__where){.part = FAR__METRICS, .entry = metrics->from[k]};
  far__set_error(error, status, -1, "%.80s with %.80s on %.60s: %.240s", n->at.metric, n->at.agent,
                 n->at.env, inner.message);
  return status;
}

static far_status check_metrics(const far_study *s, notes *n, far__where *where, far_error *error) {
  for (size_t cell = 0; cell < s->batch.n_cells; ++cell)
    for (size_t k = 0; k < s->batch.n_metrics; ++k) {
      const far_status status = check_metric(s, k, cell, n, where, error);
      if (status != FAR_OK) return status;
    }
  return FAR_OK;
}

far_status far__study_build(far_study *s, const far_study_def *def, far__where *where,
                            far_error *error) {
  const size_t n_envs = s->specs[FAR__ENVS].n_items, n_agents = s->specs[FAR__AGENTS].n_items;
  notes n = {.def = def};
  s->mdps = calloc(n_envs, sizeof(far_mdp *));
  s->cells = calloc(n_envs * n_agents, sizeof *s->cells);
  s->agents = calloc(n_envs * n_agents, sizeof *s->agents);
  if (s->mdps == NULL || s->cells == NULL || s->agents == NULL) return no_memory(error);
  s->batch.cells = s->cells;
  s->batch.n_cells = n_envs * n_agents;
  const far_status status = make_models(s, &n, where, error);
  return status == FAR_OK ? check_metrics(s, &n, where, error) : status;
}
