/* farsight audit: what the proofs claim of an agent, checked along real runs. */
#include "output.h"

#include <string.h>

#include "questions/audit/audit-report.h"
#include "report/build.h"

static const option_info options[] = {
    {'e', "env", "SPEC", "environment", COMPLETE_ENVIRONMENT},
    {'a', "agent", "SPEC", "agent", COMPLETE_AGENT},
    GAMMA_OPTION,
    {0, "steps", "N", "steps of a run (default 10000)", COMPLETE_NONE},
    {0, "runs", "N", "independent runs (default 100)", COMPLETE_NONE},
    {0, "seed", "N", "seed of all random streams (default 1)", COMPLETE_NONE},
    {0, "first", "K", "number of the first run, to look at one again (default 0)", COMPLETE_NONE},
    {0, "threads", "N", "threads; the results do not depend on it (default: all processors)",
     COMPLETE_NONE},
    {0, "delta", "D", "probability of failure to compare with (default: the agent's, or 0.1)",
     COMPLETE_NONE},
    {0, "every", "N", "steps between evaluations of accuracy (default 1000)", COMPLETE_NONE},
    FORMAT_OPTIONS,
};

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

static int audit_on(const arguments *args, const char *env, far_audit_def *def) {
  far_error error;
  far_audit *audit = NULL;
  const far_shape shape = far_shape_for(far_mdp_shape(def->mdp), def->steps, 0);
  if (far_agent_check(def->agent, &shape, NULL, NULL, &error) != FAR_OK)
    return spec_error(&error, def->agent);
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(def->agent, ":"), def->agent);
  if (far_agent_auditable(name)) print_warnings(args, def->agent, env, &shape);
  catch_interrupts();
  const far_status status = far_audit_run(&audit, def, &error);
  if (audit == NULL) return spec_error(&error, def->agent);
  far_report *report = new_report(args);
  far__audit_report(audit, def, env, report);
  if (status != FAR_OK) far__report_stopped(report);
  int code = print_report(args, report);
  if (code == EXIT_OK && far__audit_violated(audit)) code = EXIT_FAILED;
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
  far_report_format format;
  const char *env = args_text(args, "env", 0);
  def.agent = args_text(args, "agent", 0);
  if (!read_options(args, &def) || !report_format(args, &format)) return EXIT_USAGE;
  if (env == NULL) return usage_error(args, "no environment is given, as in -e chain:n=10");
  if (def.agent == NULL) return usage_error(args, "no agent is given, as in -a directed-delayed-q");
  if (args_text(args, "env", 1) != NULL || args_text(args, "agent", 1) != NULL)
    return usage_error(args, "one environment and one agent are audited at a time");
  char problem[FAR_SPEC_SIZE];
  int code = model_to_run(&mdp, problem, args, env);
  if (code != EXIT_OK) return code;
  def.mdp = mdp;
  code = audit_on(args, problem, &def);
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
        "counts below the table show what did. --format csv prints one table, --table chooses it:\n"
        "claims or counts. Exit code 1 if a claim is violated,\n"
        "beyond what delta allows (the whole 95% interval lies above it) if it is not certain.\n",
    .examples = "  farsight audit -e chain:n=5 -a directed-delayed-q\n"
                "  farsight audit -e garnet:states=3,actions=2,branching=2 \\\n"
                "      --gamma 0.5 -a directed-delayed-q:preset=theory,eps=1 --steps 1e6\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .tables = "claims, counts",
    .run = run,
};
