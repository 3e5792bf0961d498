/* farsight audit: what the proofs claim of an agent, checked along real runs. */
#include "cli.h"
#include "json.h"
#include "table.h"

#include <string.h>

static const option_info options[] = {
    {'e', "env", "SPEC", "environment", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent", COMPLETE_AGENT},
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    {0, "runs", "N", "independent runs (default 100)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "first", "K", "number of the first run, to look at one again (default 0)", COMPLETE_NONE},
    {0, "threads", "N", "threads; the results do not depend on it (default: all processors)",
     COMPLETE_NONE},
    {0, "delta", "D", "probability of failure to compare with (default: the agent's, or 0.1)",
     COMPLETE_NONE},
    {0, "every", "N", "steps between evaluations of accuracy (default 1000)", COMPLETE_NONE},
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
};

/* What is audited, as it was given. */
typedef struct subject {
  const char *env, *agent;
  const far_audit_def *def;
} subject;

/* ---- text ---- */

/* "12,345": counts are read, not copied. */
typedef struct count_text {
  char text[32];
} count_text;

static count_text grouped(int64_t n) {
  char digits[24];
  count_text out;
  snprintf(digits, sizeof digits, "%lld", (long long)n);
  size_t length = strlen(digits), at = 0;
  for (size_t i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0) out.text[at++] = ',';
    out.text[at++] = digits[i];
  }
  out.text[at] = '\0';
  return out;
}

/* In a column, where millions are enough. */
static count_text short_count(int64_t n) {
  count_text out;
  if (n < 10000000) return grouped(n);
  snprintf(out.text, sizeof out.text, "%.1f M", (double)n / 1e6);
  return out;
}

static void number_cell(table *t, size_t column, double x) {
  if (x == x)
    table_cell(t, column, "%.4g", x);
  else
    table_cell(t, column, "–");
}

/* Silence in few runs is not silence in all. */
static void verdict_cell(table *t, const far_claim *c, int64_t runs) {
  if (c->runs == 0 || c->runs == runs)
    table_cell(t, 6, "%s", far_verdict_text(c->verdict));
  else
    table_cell(t, 6, "%s (%lld runs)", far_verdict_text(c->verdict), (long long)c->runs);
}

static void print_claims(const far_audit *audit) {
  static const char *const heads[] = {"claim", "", "checked", "violated", "worst", "bound", ""};
  table t = table_create("llrrrrl");
  table_row(&t);
  for (size_t i = 0; i < sizeof heads / sizeof *heads; ++i) table_cell(&t, i, "%s", heads[i]);
  for (size_t i = 0; i < audit->n_claims; ++i) {
    const far_claim *c = &audit->claims[i];
    table_row(&t);
    table_cell(&t, 0, "%s", c->name);
    table_cell(&t, 1, "%s", c->statement);
    table_cell(&t, 2, "%s", short_count(c->checked).text);
    table_cell(&t, 3, "%s", short_count(c->violated).text);
    number_cell(&t, 4, c->worst);
    number_cell(&t, 5, c->bound);
    verdict_cell(&t, c, audit->runs);
  }
  table_print(&t, 2);
}

static void print_facts(const far_audit *audit) {
  if (audit->n_facts > 0) printf("\nCounted over all runs:\n");
  for (size_t i = 0; i < audit->n_facts; ++i)
    printf("  %15s  %s\n", grouped(audit->facts[i].total).text, audit->facts[i].meaning);
}

/* What silence is worth: how rare failures must be if none was seen in so many runs. */
static void print_silence(const far_audit *audit) {
  double low, high;
  bool any = false;
  for (size_t i = 0; i < audit->n_claims; ++i)
    any |= !audit->claims[i].certain && audit->claims[i].verdict == FAR_VERDICT_KEPT &&
           audit->claims[i].runs == audit->runs;
  if (!any) return;
  far_proportion_interval(0, audit->runs, &low, &high);
  printf(
      "\nWhat was kept in all %lld runs fails in at most %.3g%% of runs (95%%); delta = %.3g%%.\n",
      (long long)audit->runs, 100 * high, 100 * audit->delta);
}

static void print_frequency(const far_claim *c, int64_t runs, double delta) {
  printf("\n%s violated in %lld of %lld runs (%.3g%%, 95%% interval %.3g%% to %.3g%%): ", c->name,
         (long long)c->runs_violated, (long long)runs,
         100 * (double)c->runs_violated / (double)runs, 100 * c->low, 100 * c->high);
  if (c->certain)
    printf("it must never be\n");
  else if (c->verdict == FAR_VERDICT_VIOLATED)
    printf("more than delta = %.3g%%\n", 100 * delta);
  else
    printf("%s delta = %.3g%%\n", c->high <= delta ? "within" : "not clearly beyond", 100 * delta);
}

/* The first violation, and the command that ends at it. */
static void print_violation(const far_claim *c, const subject *x) {
  const far_violation *v = &c->first;
  printf("  first: run %llu, t = %lld, s = %lu, a = %lu: %.9g > %.9g",
         (unsigned long long)v->replicate, (long long)v->t, (unsigned long)v->s,
         (unsigned long)v->a, v->value, v->bound);
  for (size_t i = 0; i < v->n_values; ++i)
    printf("%s%s %.9g", i ? ", " : "\n         ", v->values[i].name, v->values[i].value);
  printf("\n  again: farsight audit -e '%s' \\\n           -a '%s' \\\n           --seed %llu "
         "--first %llu "
         "--runs 1 --steps %lld",
         x->env, x->agent, (unsigned long long)x->def->seed, (unsigned long long)v->replicate,
         (long long)v->t);
  if (x->def->every != far_audit_def_default().every)
    printf(" --every %lld", (long long)x->def->every);
  printf("\n");
}

static void print_text(const far_audit *audit, const subject *x) {
  printf("%s\non %s\n%lld runs of %lld steps, seed %llu; delta = %g\n", audit->agent,
         far_mdp_spec(x->def->mdp), (long long)audit->runs, (long long)audit->steps,
         (unsigned long long)x->def->seed, audit->delta);
  if (audit->known[0] != '\0') printf("%s\n", audit->known);
  printf("\n");
  print_claims(audit);
  print_facts(audit);
  print_silence(audit);
  for (size_t i = 0; i < audit->n_claims; ++i) {
    if (audit->claims[i].violated == 0) continue;
    print_frequency(&audit->claims[i], audit->runs, audit->delta);
    print_violation(&audit->claims[i], x);
  }
}

/* ---- JSON ---- */

static void write_violation(const far_violation *v) {
  printf(",\"first\":{\"s\":%lu,\"a\":%lu", (unsigned long)v->s, (unsigned long)v->a);
  json_add_integer(stdout, "run", v->replicate);
  json_add_integer(stdout, "t", (uint64_t)v->t);
  json_add_real(stdout, "value", v->value);
  json_add_real(stdout, "bound", v->bound);
  printf(",\"values\":{");
  for (size_t i = 0; i < v->n_values; ++i) {
    printf("%s\"%s\":", i ? "," : "", v->values[i].name);
    json_write_real(stdout, v->values[i].value);
  }
  printf("}}");
}

static void write_claim(const far_claim *c) {
  static const char *const verdicts[] = {"untested", "kept", "within", "violated"};
  printf("{\"name\":\"%s\"", c->name);
  json_add_text(stdout, "statement", c->statement);
  json_add_text(stdout, "source", c->source);
  printf(",\"certain\":%s", c->certain ? "true" : "false");
  json_add_integer(stdout, "checked", (uint64_t)c->checked);
  json_add_integer(stdout, "violated", (uint64_t)c->violated);
  json_add_integer(stdout, "runs", (uint64_t)c->runs);
  json_add_integer(stdout, "runs_violated", (uint64_t)c->runs_violated);
  json_add_real(stdout, "low", c->low);
  json_add_real(stdout, "high", c->high);
  json_add_real(stdout, "worst", c->worst);
  json_add_real(stdout, "bound", c->bound);
  json_add_text(stdout, "verdict", verdicts[c->verdict]);
  if (c->violated > 0)
    write_violation(&c->first);
  else
    printf(",\"first\":null");
  printf("}");
}

static void print_json(const far_audit *audit, const subject *x) {
  printf("{\"version\":");
  json_write_string(stdout, far_version());
  json_add_integer(stdout, "seed", x->def->seed);
  json_add_text(stdout, "env", far_mdp_spec(x->def->mdp));
  json_add_text(stdout, "agent", audit->agent);
  json_add_integer(stdout, "steps", (uint64_t)audit->steps);
  json_add_integer(stdout, "runs", (uint64_t)audit->runs);
  json_add_real(stdout, "delta", audit->delta);
  json_add_text(stdout, "known", audit->known);
  printf(",\"claims\":[");
  for (size_t i = 0; i < audit->n_claims; ++i) {
    printf("%s\n  ", i ? "," : "");
    write_claim(&audit->claims[i]);
  }
  printf("],\n \"counts\":{");
  for (size_t i = 0; i < audit->n_facts; ++i)
    printf("%s\"%s\":%lld", i ? "," : "", audit->facts[i].name, (long long)audit->facts[i].total);
  printf("}}\n");
}

/* ---- the command ---- */

static bool read_options(const arguments *args, far_audit_def *def) {
  int64_t threads = 0, first = 0;
  if (!args_integer(args, "steps", 1, INT64_MAX / 2, &def->steps)) return false;
  if (!args_integer(args, "runs", 1, 1000000, &def->runs)) return false;
  if (!args_integer(args, "first", 0, INT64_MAX / 2, &first)) return false;
  if (!args_integer(args, "threads", 1, 1024, &threads)) return false;
  if (!args_integer(args, "every", 1, INT64_MAX / 2, &def->every)) return false;
  if (!args_seed(args, "seed", &def->seed) || !args_real(args, "delta", &def->delta)) return false;
  if (args_flag(args, "delta") && !(def->delta > 0 && def->delta < 1)) {
    usage_error(args, "--delta %s: must be in (0, 1)", exact(def->delta).text);
    return false;
  }
  def->first_replicate = (uint64_t)first;
  def->threads = (unsigned)threads;
  def->progress = show_progress;
  return true;
}

/* 1 if a claim is violated beyond what delta allows. */
static int verdict_code(const far_audit *audit) {
  for (size_t i = 0; i < audit->n_claims; ++i)
    if (audit->claims[i].verdict == FAR_VERDICT_VIOLATED) return EXIT_FAILED;
  return EXIT_OK;
}

static int audit_on(const arguments *args, subject *x, far_audit_def *def) {
  far_error error;
  far_audit *audit = NULL;
  const far_shape shape = far_mdp_shape(def->mdp);
  if (far_agent_check(x->agent, &shape, NULL, NULL, &error) != FAR_OK)
    return spec_error(&error, x->agent);
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(x->agent, ":"), x->agent);
  if (far_agent_auditable(name)) print_warnings(args, x->agent, x->env, &shape);
  catch_interrupts();
  const far_status status = far_audit_run(&audit, def, &error);
  if (audit == NULL) return spec_error(&error, x->agent);
  if (args_flag(args, "json"))
    print_json(audit, x);
  else
    print_text(audit, x);
  const int code = verdict_code(audit);
  const bool any = audit->runs > 0;
  far_audit_free(audit);
  if (status == FAR_OK) return code;
  complain("%s; %s", any ? error.message : "stopped",
           any ? "what is finished is above" : "no run was finished");
  return interrupted_code();
}

static int run(const arguments *args) {
  far_mdp *mdp = NULL;
  far_audit_def def = far_audit_def_default();
  subject x = {args_text(args, "env", 0), args_text(args, "agent", 0), &def};
  if (!read_options(args, &def)) return EXIT_USAGE;
  if (x.env == NULL) return usage_error(args, "no environment is given, as in -e chain:n=10");
  if (x.agent == NULL) return usage_error(args, "no agent is given, as in -a directed-delayed-q");
  if (args_text(args, "env", 1) != NULL || args_text(args, "agent", 1) != NULL)
    return usage_error(args, "one environment and one agent are audited at a time");
  int code = model_from_spec(&mdp, args, x.env);
  if (code != EXIT_OK) return code;
  def.mdp = mdp;
  def.agent = x.agent;
  code = audit_on(args, &x, &def);
  far_mdp_free(mdp);
  return code;
}

const command cmd_audit = {
    .name = "audit",
    .synopsis = "-e ENV -a AGENT [OPTIONS]",
    .summary = "Check along real runs what the proofs claim of an agent",
    .details =
        "Every claim is checked against the exact solution, as often as it applies. A certain\n"
        "claim must hold always; of the others, the share of runs in which they fail is\n"
        "compared with delta. 'untested' means that the claim's precondition never occurred; the\n"
        "counts below the table show what did. Exit code 1 if a claim is violated,\n"
        "beyond what delta allows (the whole 95% interval lies above it) if it is not certain.\n",
    .examples = "  farsight audit -e chain:n=5 -a directed-delayed-q\n"
                "  farsight audit -e garnet:states=3,actions=2,branching=2 \\\n"
                "      -a directed-delayed-q:preset=theory,gamma=0.5,eps=1 --steps 1e6 --runs 20\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
