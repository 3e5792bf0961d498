#include "watch_audit.h"

#include <stdlib.h>
#include <string.h>

#include "questions/learning/player.h"

static void add(watch_audit *audit, size_t k, const far_claim *claim) {
  audit->n_checked += claim->checked > 0;
  audit->n_violated += claim->violated > 0;
  if (claim->violated == 0 || audit->n_violations == MOST_VIOLATIONS) return;
  audit->violations[audit->n_violations++] =
      (watch_violation){k, claim->name, claim->statement, claim->first};
}

static int by_step(const void *a, const void *b) {
  const watch_violation *x = a, *y = b;
  if (x->first.t != y->first.t) return x->first.t < y->first.t ? -1 : 1;
  return (x->agent > y->agent) - (x->agent < y->agent);
}

static bool is_auditable(const far_agent *agent) {
  char name[64];
  const char *spec = far_agent_spec(agent);
  snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
  return far_agent_auditable(name);
}

/* Audits only the run that is watched. */
static far_status audit_agent(far_audit **out, watch *w, const far_agent *agent,
                              far_progress_fn *show, far_error *error) {
  far_audit_def def = far_audit_def_default();
  def.mdp = w->mdp;
  def.agent = far_agent_spec(agent);
  def.steps = far__player_steps(w->player);
  def.runs = 1;
  def.seed = w->seed;
  def.first_replicate = w->replicate;
  def.threads = 1;
  def.progress = show;
  def.user = w;
  const far_status status = far_audit_run(out, &def, error);
  if (status == FAR_OK) return FAR_OK;
  far_audit_free(*out);
  *out = NULL;
  return status;
}

bool watch_audit_run(watch_audit *audit, watch *w, far_progress_fn *show, far_error *error) {
  bool any = false;
  for (size_t k = 0; !audit->done && k < w->n_agents; ++k) {
    const far_agent *agent = far__player_run_of(w->player, k)->agent;
    if (!is_auditable(agent) || audit->audits[k] != NULL) continue;
    if (audit_agent(&audit->audits[k], w, agent, show, error) != FAR_OK) return false;
  }
  for (size_t k = 0; k < w->n_agents; ++k) any |= audit->audits[k] != NULL;
  if (any && !audit->done) {
    for (size_t k = 0; k < WATCH_AGENTS; ++k)
      for (size_t i = 0; audit->audits[k] != NULL && i < audit->audits[k]->n_claims; ++i)
        add(audit, k, &audit->audits[k]->claims[i]);
    qsort(audit->violations, audit->n_violations, sizeof *audit->violations, by_step);
    audit->done = true;
  }
  if (!any) snprintf(error->message, sizeof error->message, "no claims of a proof to audit here");
  return any;
}

const watch_violation *watch_audit_next(const watch_audit *audit, int64_t t) {
  for (size_t i = 0; i < audit->n_violations; ++i)
    if (audit->violations[i].first.t > t) return &audit->violations[i];
  return NULL;
}

void watch_audit_free(watch_audit *audit) {
  for (size_t k = 0; k < WATCH_AGENTS; ++k) far_audit_free(audit->audits[k]);
}
