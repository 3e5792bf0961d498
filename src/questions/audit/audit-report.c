#include "questions/audit/audit-report.h"

#include <stdio.h>

#include "base/json.h"
#include "farsight/statistics.h"
#include "report/build.h"

/* "12.3 M" from ten million on, so that the column stays narrow. */
static far__brief short_count(int64_t n) {
  far__brief out = far__brief_count(n);
  if (n >= 10000000) snprintf(out.text, sizeof out.text, "%.1f M", (double)n / 1e6);
  return out;
}

bool far__audit_violated(const far_audit *audit) {
  for (size_t i = 0; i < audit->n_claims; ++i)
    if (audit->claims[i].verdict == FAR_VERDICT_VIOLATED) return true;
  return false;
}

/* ---- tables ---- */

static void add_number(far_table *t, double x) {
  far__table_known_as(t, x, "%.4g", x);
}

static void add_claim(far_table *t, const far_claim *c, int64_t runs) {
  far__table_row(t);
  far__table_text(t, "%s", c->name);
  far__table_text(t, "%s", c->statement);
  far__table_real_as(t, (double)c->checked, "%s", short_count(c->checked).text);
  far__table_real_as(t, (double)c->violated, "%s", short_count(c->violated).text);
  add_number(t, c->worst);
  add_number(t, c->bound);
  /* How many runs the verdict rests on, where it is not all of them. */
  if (c->runs == 0 || c->runs == runs)
    far__table_text(t, "%s", far_verdict_text(c->verdict));
  else
    far__table_text(t, "%s (%lld runs)", far_verdict_text(c->verdict), (long long)c->runs);
  far__table_count(t, c->runs);
  far__table_count(t, c->runs_violated);
  far__table_text(t, "%s", c->source);
}

static void add_claims(far_report *report, const far_audit *audit) {
  far_table *t = far__report_table(report, "claims");
  far__table_column(t, "claim", "claim", FAR__COLUMN_TEXT);
  far__table_column(t, "statement", "", FAR__COLUMN_TEXT);
  far__table_column(t, "checked", "checked", FAR__COLUMN_COUNT);
  far__table_column(t, "violated", "violated", FAR__COLUMN_COUNT);
  far__table_column(t, "worst", "worst", FAR__COLUMN_REAL);
  far__table_column(t, "bound", "bound", FAR__COLUMN_REAL);
  far__table_column(t, "verdict", "", FAR__COLUMN_TEXT);
  far__table_column(t, "runs", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "runs_violated", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "source", NULL, FAR__COLUMN_TEXT);
  for (size_t i = 0; i < audit->n_claims; ++i) add_claim(t, &audit->claims[i], audit->runs);
}

static void add_facts(far_report *report, const far_audit *audit) {
  if (audit->n_facts == 0) return;
  far__report_heading(report, 2, "Counted over all runs");
  far_table *t = far__report_table(report, "counts");
  far__table_column(t, "name", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "total", "total", FAR__COLUMN_COUNT);
  far__table_column(t, "meaning", "what", FAR__COLUMN_TEXT);
  for (size_t i = 0; i < audit->n_facts; ++i) {
    far__table_row(t);
    far__table_text(t, "%s", audit->facts[i].name);
    far__table_real_as(t, (double)audit->facts[i].total, "%s",
                       far__brief_count(audit->facts[i].total).text);
    far__table_text(t, "%s", audit->facts[i].meaning);
  }
}

/* ---- what the numbers mean ---- */

/* No violation in n runs bounds the share of runs with one: the upper end of its interval. */
static void add_silence(far_report *report, const far_audit *audit) {
  double low, high;
  bool any = false;
  for (size_t i = 0; i < audit->n_claims; ++i)
    any |= !audit->claims[i].certain && audit->claims[i].verdict == FAR_VERDICT_KEPT &&
           audit->claims[i].runs == audit->runs;
  if (!any) return;
  far_proportion_interval(0, audit->runs, &low, &high);
  far__report_note(
      report, FAR__NOTE_CAVEAT,
      "What was kept in all %lld runs fails in at most %.3g%% of runs (95%%); delta = %.3g%%.",
      (long long)audit->runs, 100 * high, 100 * audit->delta);
}

static void add_frequency(far_report *report, const far_claim *c, int64_t runs, double delta) {
  char judged[64];
  if (c->certain)
    snprintf(judged, sizeof judged, "it must never be");
  else
    snprintf(judged, sizeof judged, "%s delta = %.3g%%",
             c->verdict == FAR_VERDICT_VIOLATED ? "more than"
             : c->high <= delta                 ? "within"
                                                : "not clearly beyond",
             100 * delta);
  far__report_list(
      report, "%s violated in %lld of %lld runs (%.3g%%, 95%% interval %.3g%% to %.3g%%): %s",
      c->name, (long long)c->runs_violated, (long long)runs,
      100 * (double)c->runs_violated / (double)runs, 100 * c->low, 100 * c->high, judged);
}

/* The first violation, and the command that ends at it, where the model has a spec. */
static void add_violation(far_report *report, const far_claim *c, const far_audit_def *def,
                          const char *env, const char *agent) {
  const far_violation *v = &c->first;
  char every[48] = "";
  if (def->every != far_audit_def_default().every)
    snprintf(every, sizeof every, " --every %lld", (long long)def->every);
  far__report_item(report, "first: run %llu, t = %lld, s = %lu, a = %lu: %.9g > %.9g",
                   (unsigned long long)v->replicate, (long long)v->t, (unsigned long)v->s,
                   (unsigned long)v->a, v->value, v->bound);
  char line[400] = "";
  size_t used = 0;
  for (size_t i = 0; i < v->n_values && used < sizeof line; ++i)
    used += (size_t)snprintf(line + used, sizeof line - used, "%s%s %.9g", i ? ", " : "",
                             v->values[i].name, v->values[i].value);
  if (v->n_values > 0) far__report_item(report, "       %s", line);
  if (far_mdp_spec(def->mdp)[0] == '\0') return; /* the command could not make the model */
  far__report_item(report, "again: farsight audit -e '%s' \\", env);
  far__report_item(report, "         -a '%s' \\", agent);
  far__report_item(report, "         --seed %llu --first %llu --runs 1 --steps %lld%s",
                   (unsigned long long)def->seed, (unsigned long long)v->replicate, (long long)v->t,
                   every);
}

/* ---- JSON ---- */

static void write_claim(far__json *j, const far_claim *c) {
  static const char *const verdicts[] = {"untested", "kept", "within", "violated"};
  far__json_object(j, NULL);
  far__json_text(j, "name", c->name);
  far__json_text(j, "statement", c->statement);
  far__json_text(j, "source", c->source);
  far__json_flag(j, "certain", c->certain);
  far__json_integer(j, "checked", (uint64_t)c->checked);
  far__json_integer(j, "violated", (uint64_t)c->violated);
  far__json_integer(j, "runs", (uint64_t)c->runs);
  far__json_integer(j, "runs_violated", (uint64_t)c->runs_violated);
  far__json_real(j, "low", c->low);
  far__json_real(j, "high", c->high);
  far__json_real(j, "worst", c->worst);
  far__json_real(j, "bound", c->bound);
  far__json_text(j, "verdict", verdicts[c->verdict]);
  if (c->violated > 0) {
    far__json_object(j, "first");
    far__json_integer(j, "s", c->first.s);
    far__json_integer(j, "a", c->first.a);
    far__json_integer(j, "run", c->first.replicate);
    far__json_integer(j, "t", (uint64_t)c->first.t);
    far__json_real(j, "value", c->first.value);
    far__json_real(j, "bound", c->first.bound);
    far__json_object(j, "values");
    for (size_t i = 0; i < c->first.n_values; ++i)
      far__json_real(j, c->first.values[i].name, c->first.values[i].value);
    far__json_end(j);
    far__json_end(j);
  } else {
    far__json_null(j, "first");
  }
  far__json_end(j);
}

typedef struct question {
  const far_audit *audit;
  far_audit_def def;
} question;

static void write_audit(const void *user, far__json *j) {
  const question *q = user;
  const far_audit *audit = q->audit;
  far__json_integer(j, "seed", q->def.seed);
  far__json_text(j, "env", far_mdp_spec(q->def.mdp));
  far__json_text(j, "agent", audit->agent);
  far__json_integer(j, "steps", (uint64_t)audit->steps);
  far__json_integer(j, "runs", (uint64_t)audit->runs);
  far__json_real(j, "delta", audit->delta);
  far__json_text(j, "known", audit->known);
  if (audit->cut > 0) far__json_integer(j, "cut", (uint64_t)audit->cut);
  far__json_array(j, "claims");
  for (size_t i = 0; i < audit->n_claims; ++i) write_claim(j, &audit->claims[i]);
  far__json_end(j);
  far__json_object(j, "counts");
  for (size_t i = 0; i < audit->n_facts; ++i)
    far__json_integer(j, audit->facts[i].name, (uint64_t)audit->facts[i].total);
  far__json_end(j);
}

/* ---- the whole ---- */

void far__audit_report(const far_audit *audit, const far_audit_def *def, const char *env,
                       far_report *report) {
  const question q = {audit, *def};
  far__report_data_by(report, write_audit, far__report_copy(report, &q, sizeof q));
  far__report_list(report, "%s", audit->agent);
  const char *spec = far_mdp_spec(def->mdp), *name = env != NULL ? env : "a model from arrays";
  far__report_item(report, "on %s", spec[0] != '\0' ? spec : name);
  far__report_item(report, "%lld runs of %lld steps, seed %llu; delta = %g", (long long)audit->runs,
                   (long long)audit->steps, (unsigned long long)def->seed, audit->delta);
  if (audit->known[0] != '\0') far__report_item(report, "%s", audit->known);
  if (audit->cut > 0)
    far__report_item(report,
                     "episodes are cut after %lld steps, of which the agent takes no notice: its "
                     "claims are of the problem that goes on",
                     (long long)audit->cut);
  add_claims(report, audit);
  add_facts(report, audit);
  add_silence(report, audit);
  for (size_t i = 0; i < audit->n_claims; ++i) {
    if (audit->claims[i].violated == 0) continue;
    add_frequency(report, &audit->claims[i], audit->runs, audit->delta);
    add_violation(report, &audit->claims[i], def, env, audit->agent);
  }
}
