/* Follows a store: see store-progress.h. */
#include "questions/store/store-progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "lab/store/access.h"
#include "statistics/rules.h"

far_status far__follow_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory to follow the store");
}

far__follower_def far__follower_def_default(void) {
  return (far__follower_def){0};
}

/* ---- making one ---- */

static far_status begin(far__follower *f, far_error *error) {
  far_status status = FAR_OK;
  if (f->def.plan != NULL && f->def.ranking != NULL)
    status = far_ranking_create(&f->ranking, f->def.ranking, f->def.plan->n_cells / f->def.n_agents,
                                f->def.n_agents, error);
  if (status == FAR_OK && f->def.plan != NULL) {
    f->seen.has_plan = true;
    status = far_keeper_create(&f->keeper, NULL, f->def.plan, error);
    if (status == FAR_OK) status = far__followed_plan(f, error);
    if (status == FAR_OK) status = far__followed_relabel(f, error);
    if (status == FAR_OK) status = far__followed_measure(f, error);
  }
  if (status == FAR_OK) far__followed_rate(f, 0);
  f->n_moments = 0;
  return status;
}

far_status far__follower_create(far__follower **out, const far__follower_def *def,
                                far_error *error) {
  *out = NULL;
  far_status status = def->until != NULL ? far__until_check(def->until, error) : FAR_OK;
  if (status == FAR_OK && def->ranking != NULL && def->n_agents == 0)
    status = far__fail(error, FAR_STATUS_RANGE, -1, "a ranking of no agents");
  if (status != FAR_OK) return status;
  far__follower *f = calloc(1, sizeof *f);
  if (f == NULL) return far__follow_memory(error);
  f->def = *def;
  if (def->until != NULL) f->until = *def->until;
  status = begin(f, error);
  if (status == FAR_OK)
    *out = f;
  else
    far__follower_free(f);
  return status;
}

void far__follower_free(far__follower *f) {
  if (f == NULL) return;
  for (size_t i = 0; i < f->seen.n_cells; ++i) far__followed_cell_free(&f->cells[i]);
  for (size_t i = 0; i < f->n_envs; ++i) far__followed_env_free(&f->envs[i]);
  for (size_t i = 0; i < f->n_agents; ++i) free(f->agents[i].label);
  for (size_t i = 0; i < f->seen.n_sessions; ++i) {
    free(f->origins[i].machine);
    free(f->origins[i].command);
    free(f->origins[i].version);
    free(f->origins[i].started);
    free(f->origins[i].last);
  }
  free(f->cells);
  free(f->shown);
  free(f->slots);
  free(f->envs);
  free(f->agents);
  free(f->sessions);
  free(f->origins);
  far_keeper_free(f->keeper);
  far_ranking_free(f->ranking);
  free(f);
}

const far__store_progress *far__follower_seen(const far__follower *f) {
  return &f->seen;
}

/* ---- sessions ---- */

static far_status find_session(size_t *out, far__follower *f, int64_t id, far_error *error) {
  for (*out = f->seen.n_sessions; *out > 0;)
    if (f->origins[--*out].id == id) return FAR_OK;
  *out = f->seen.n_sessions;
  if (!far__grow((void **)&f->sessions, *out, &f->sessions_capacity, sizeof *f->sessions) ||
      !far__grow((void **)&f->origins, *out, &f->origins_capacity, sizeof *f->origins))
    return far__follow_memory(error);
  f->seen.sessions = f->sessions;
  f->origins[*out] = (far__followed_session){.id = id, .changed = true, .first_steps = -1};
  f->sessions[*out] = (far__store_progress_session){.machine = "",
                                                    .command = "",
                                                    .version = "",
                                                    .started = "",
                                                    .last = "",
                                                    .ranks = 1,
                                                    .age = NAN};
  ++f->seen.n_sessions;
  return FAR_OK;
}

/* The ranks of an MPI job stand in a remark behind its command: "farsight run a.yaml # 4 ranks". */
static int ranks_of(const char *command) {
  const char *at = strrchr(command, '#');
  if (at == NULL || strncmp(at, "# ", 2) != 0) return 1;
  int64_t ranks;
  const size_t length = strspn(at + 2, "0123456789");
  const char *word = at + 2 + length;
  if (strncmp(word, " ranks", 6) != 0 || (word[6] != '\0' && word[6] != ' ')) return 1;
  if (!far__integer_parse(at + 2, length, &ranks) || ranks > 10000000) return 1;
  return ranks > 1 ? (int)ranks : 1;
}

static far_status read_session(far__follower *f, size_t i, far_store *store, far_error *error) {
  far__followed_session *o = &f->origins[i];
  far_session s;
  bool found;
  const far_status status = far__store_origin(&s, &found, store, o->id, error);
  if (status != FAR_OK) return status;
  o->changed = false;
  if (!found) return FAR_OK; /* a block of no session: 'farsight store check' tells */
  if (!far__follow_replace(&o->machine, s.machine) ||
      !far__follow_replace(&o->command, s.command) ||
      !far__follow_replace(&o->version, s.version) ||
      !far__follow_replace(&o->started, s.started) || !far__follow_replace(&o->last, s.last)) {
    o->changed = true;
    return far__follow_memory(error);
  }
  f->sessions[i].processors = s.processors;
  f->sessions[i].ranks = ranks_of(o->command);
  return FAR_OK;
}

static const char *text_or_none(const char *text) {
  return text != NULL ? text : "";
}

/* Reads the sessions that have written since, and points to their new texts. */
static far_status read_sessions(far__follower *f, far_store *store, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; i < f->seen.n_sessions; ++i) {
    far__followed_session *o = &f->origins[i];
    far__store_progress_session *s = &f->sessions[i];
    if (status == FAR_OK && o->changed) status = read_session(f, i, store, error);
    s->machine = text_or_none(o->machine);
    s->command = text_or_none(o->command);
    s->version = text_or_none(o->version);
    s->started = text_or_none(o->started);
    s->last = text_or_none(o->last);
  }
  return status;
}

static void count_session(far__follower *f, size_t i, const far__store_block *block) {
  far__store_progress_session *s = &f->sessions[i];
  const double steps = (double)block->runs * (double)block->cell.steps;
  f->origins[i].changed = true;
  if (block->totals == NULL) return;
  if (f->origins[i].first_steps < 0) f->origins[i].first_steps = steps;
  s->runs += block->runs;
  s->steps += steps;
  s->seconds += block->seconds;
}

/* ---- polls ---- */

/* What can fail comes first, since a block that failed is taken again. */
static far_status take_block(void *user, const far__store_block *block, far_error *error) {
  far__follower *f = user;
  size_t session, cell = far__followed_find(f, block->cell.key);
  if (f->def.proceeds != NULL && !f->def.proceeds(f->def.user))
    return far__fail(error, FAR_STATUS_CANCELLED, -1, "stopped on request");
  far_status status = find_session(&session, f, block->session, error);
  if (status == FAR_OK && cell == f->seen.n_cells)
    status = far__followed_add(f, &block->cell, NULL, error);
  if (status == FAR_OK) status = far__followed_take(f, cell, block, error);
  if (status != FAR_OK) return status;
  count_session(f, session, block);
  f->after = block->id;
  return FAR_OK;
}

far_status far__follower_poll(far__follower *f, far_store *store, double now, far_error *error) {
  far_status status = far__store_blocks_after(store, f->after, take_block, f, error);
  if (status == FAR_OK) status = read_sessions(f, store, error);
  if (status == FAR_OK) status = far__followed_relabel(f, error);
  if (status == FAR_OK) status = far__followed_measure(f, error);
  if (status == FAR_OK) far__followed_rate(f, now);
  return status;
}
