/* The claims of proofs: audits that are run for the page, or the command that would run them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "questions/audit/audit-section.h"
#include "questions/comparison/recipes.h"
#include "questions/page/page.h"
#include "report/build.h"

enum { MOST_AUDITS = 40 };

static bool is_auditable(const far_comparison_agent *agent) {
  char name[64];
  const size_t length = strcspn(agent->label, ":");
  if (agent->origin != FAR_ORIGIN_COMPUTED || length >= sizeof name) return false;
  memcpy(name, agent->label, length);
  name[length] = '\0';
  return far_agent_auditable(name);
}

/* ---- running them ---- */

typedef struct watched {
  far__page *page;
  size_t done, count;
} watched;

static bool watch(void *user, const far_progress *progress) {
  const watched *w = user;
  (void)progress;
  return far__page_progress(w->page, "audit", w->done, w->count);
}

/* An audit that cannot be made is left out. */
static void run_audit(far__page *page, far__audit *out, size_t done, size_t count) {
  const far_comparison_group *g = far__page_group(page, out->group);
  const far_comparison_env *env = &g->envs[out->env];
  const far__page_def *def = page->def;
  watched w = {page, done, count};
  far_audit_def how = far_audit_def_default();
  far_error why;
  how.agent = far__cell_of(g, out->env, out->agent)->spec;
  how.steps = g->steps < def->audit_steps ? g->steps : def->audit_steps;
  how.runs = def->audit_runs;
  how.seed = g->seed;
  how.threads = def->threads;
  how.progress = watch;
  how.user = &w;
  how.mdp = env->mdp;
  if (how.mdp == NULL) return;
  const far_status status = far_audit_run(&out->audit, &how, &why);
  if (status == FAR_STATUS_MEMORY || status == FAR_STATUS_CANCELLED) {
    if (page->status == FAR_OK && page->error != NULL) *page->error = why;
    far__page_check(page, status);
  }
}

void far__page_run_audits(far__page *page, far__audits *out) {
  *out = (far__audits){.items = calloc(MOST_AUDITS, sizeof *out->items)};
  if (out->items == NULL) {
    far__page_check(page, far__fail(page->error, FAR_STATUS_MEMORY, -1, "no memory for audits"));
    return;
  }
  /* Agents with claims on environments with their runs, the best agents first. */
  size_t n = 0;
  for (size_t i = 0; i < page->comparison->n_groups; ++i) {
    const far_comparison_group *g = far__page_group(page, i);
    for (size_t k = 0; k < g->n_agents; ++k)
      for (size_t e = 0; e < g->n_envs; ++e) {
        const size_t j = page->findings[i]->order[k];
        if (!is_auditable(&g->agents[j]) || far__cell_of(g, e, j)->runs == 0) continue;
        if (n < MOST_AUDITS) out->items[n] = (far__audit){.group = i, .env = e, .agent = j};
        ++n;
      }
  }
  out->possible = n;
  if (!page->def->audit) return;
  out->n = out->possible < MOST_AUDITS ? out->possible : MOST_AUDITS;
  for (size_t i = 0; i < out->n && far__page_progress(page, "audit", i, out->n); ++i)
    run_audit(page, &out->items[i], i, out->n);
  far__page_progress(page, "audit", out->n, out->n);
}

void far__audits_free(far__audits *audits) {
  for (size_t i = 0; i < audits->n; ++i) far_audit_free(audits->items[i].audit);
  free(audits->items);
  *audits = (far__audits){0};
}

/* ---- what they found ---- */

typedef struct tally {
  size_t claims, of[FAR_VERDICT_VIOLATED + 1], audits;
} tally;

static tally count(const far__audits *audits) {
  tally out = {0};
  for (size_t i = 0; i < audits->n; ++i) {
    const far_audit *a = audits->items[i].audit;
    if (a == NULL) continue;
    out.audits += 1;
    for (size_t k = 0; k < a->n_claims; ++k) {
      out.claims += 1;
      out.of[a->claims[k].verdict] += 1;
    }
  }
  return out;
}

void far__audits_verdict(const far__page *page, const far__audits *audits) {
  const tally n = count(audits);
  if (n.audits == 0) return;
  far__report_verdict(
      page->report, "Claims",
      "%zu of %zu claims of the proofs are violated in %s; %zu are kept, %zu within "
      "what delta allows, %zu untested.%s",
      n.of[FAR_VERDICT_VIOLATED], n.claims, far__say_number(n.audits, "audit").text,
      n.of[FAR_VERDICT_KEPT], n.of[FAR_VERDICT_WITHIN], n.of[FAR_VERDICT_UNTESTED],
      n.of[FAR_VERDICT_VIOLATED] > 0
          ? " Parameters other than those of the proofs may violate them."
          : "");
}

static far_table *claim_table(far__page *page) {
  far_table *t = far__report_table(page->report, "claims");
  far__table_column(t, "env", "environment", FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "claim", "claim", FAR__COLUMN_TEXT);
  far__table_column(t, "statement", "", FAR__COLUMN_TEXT);
  far__table_column(t, "checked", "checked", FAR__COLUMN_COUNT);
  far__table_column(t, "violated", "violated", FAR__COLUMN_COUNT);
  far__table_column(t, "runs_violated", "in runs", FAR__COLUMN_COUNT);
  far__table_column(t, "verdict", "verdict", FAR__COLUMN_TEXT);
  far__table_column(t, "source", NULL, FAR__COLUMN_TEXT);
  return t;
}

static void add_claims(far__page *page, far_table *t, const far__audit *audit) {
  const far_comparison_group *g = far__page_group(page, audit->group);
  for (size_t k = 0; audit->audit != NULL && k < audit->audit->n_claims; ++k) {
    const far_claim *c = &audit->audit->claims[k];
    far__table_row(t);
    far__table_text(t, "%s", far__say_name(g->envs[audit->env].brief).text);
    far__table_text(t, "%s", far__say_name(g->agents[audit->agent].brief).text);
    far__table_text(t, "%s", c->name);
    far__table_text(t, "%s", c->statement);
    far__table_count(t, c->checked);
    far__table_count(t, c->violated);
    far__table_count(t, c->runs_violated);
    far__table_text(t, "%s", far_verdict_text(c->verdict));
    far__table_text(t, "%s", c->source);
  }
}

/* The command that audits the best agent that can be. */
static void add_hint(far__page *page, const far__audits *audits) {
  const far__audit *first = &audits->items[0];
  const far_comparison_group *g = far__page_group(page, first->group);
  char *env = far__shell_quote(g->envs[first->env].spec);
  const far_comparison_cell *cell = far__cell_of(g, first->env, first->agent);
  char *agent = far__shell_quote(cell->spec);
  if (env == NULL || agent == NULL) far__page_check(page, FAR_STATUS_MEMORY);
  if (env != NULL && agent != NULL)
    far__report_command(page->report, "farsight audit -e %s -a %s --steps %lld --seed %llu", env,
                        agent, (long long)cell->steps, (unsigned long long)g->seed);
  free(env);
  free(agent);
}

void far__page_audits(far__page *page, const far__audits *audits) {
  if (audits->possible == 0) return;
  far__report_heading(page->report, 2, "Claims of the proofs");
  if (count(audits).audits == 0) {
    far__report_paragraph(page->report,
                          "No audit was run. What the proofs claim of %s can be checked along real "
                          "runs: 'farsight report --audit' does it for all of them, and this "
                          "command for the best one.",
                          far__say_number(audits->possible, "cell").text);
    add_hint(page, audits);
    return;
  }
  far__report_paragraph(page->report,
                        "Each claim was checked against the exact solution along %lld runs of at "
                        "most %s steps for each cell.",
                        (long long)page->def->audit_runs,
                        far__say_count(page->def->audit_steps).text);
  far_table *t = claim_table(page);
  for (size_t i = 0; i < audits->n; ++i) {
    const far__audit *a = &audits->items[i];
    far__report_environment(page->report, far__page_group(page, a->group)->envs[a->env].label);
    add_claims(page, t, a);
  }
  far__report_environment(page->report, NULL);
  if (count(audits).of[FAR_VERDICT_VIOLATED] > 0)
    far__report_note(page->report, FAR__NOTE_REMARK,
                     "Practical parameters are not those that the proofs ask for. A violated claim "
                     "then shows where the agent leaves the proof, not that the proof is wrong; "
                     "'farsight pac' prints the parameters of each theorem.");
  if (audits->possible > audits->n)
    far__report_note(page->report, FAR__NOTE_REMARK, "%zu of %zu cells with claims were audited.",
                     audits->n, audits->possible);
}
