/* Studies, growth, the player and the search of parameters while memory runs out: failing-memory.h says what is tested. */
#define POINTS_INTO_TEXT 1
#include "failing-memory.h"
#include "questions/cost/cost.h"
#include "questions/growth/scaling.h"
#include "questions/learning/player.h"
#include "questions/tuning/tuned-comparison.h"

static far_status study(double *out, const char *what, far_error *error) {
  far_study *s;
  char *text;
  far_status status = far_study_read(&s, what, strlen(what), NULL, 0, error);
  if (status != FAR_OK) return status;
  status = far_study_print(&text, s, error);
  if (status == FAR_OK) *out = digest(text, strlen(text));
  if (status == FAR_OK) free(text);
  far_study_free(s);
  return status;
}

/* A study that names an agent twice is refused, whatever else fails. */
static far_status twins(double *out, const char *what, far_error *error) {
  far_study *s;
  const far_status status = far_study_read(&s, what, strlen(what), NULL, 0, error);
  *out = status;
  far_study_free(s);
  return status == FAR_STATUS_CONFLICT ? FAR_OK : status;
}

static far_status scale(double *out, const char *what, far_error *error) {
  static const int64_t sizes[] = {3, 4, 5};
  const char *const agents[] = {"delayed-q:m=2", what};
  far__scaling_def def = far__scaling_def_default();
  far__scaling *s;
  far_report *report;
  def.env = "chain";
  def.sizes = sizes, def.n_sizes = 3;
  def.agents = agents, def.n_agents = 2;
  def.measure = FAR__SCALING_EARNED;
  def.runs = 3, def.max_steps = 1500, def.threads = 1;
  far_status status = far__scaling_create(&s, &def, error);
  if (status != FAR_OK) return status;
  status = far__scaling_run(s, error);
  if (status == FAR_OK) status = far_report_create(&report, "growth", error);
  if (status == FAR_OK) {
    far__scaling_report(s, report);
    status = render(out, report, error);
    *out = 1; /* the text has times, and so may take one allocation more or less */
    far_report_free(report);
  }
  far__scaling_free(s);
  return status;
}

/* What does not depend on the time that trials take. */
static far_status estimate(double *out, const char *what, far_error *error) {
  far_study *s;
  far__cost_def def = far__cost_def_default();
  far__cost *cost;
  far_status status = far_study_read(&s, what, strlen(what), NULL, 0, error);
  if (status != FAR_OK) return status;
  def.study = s;
  def.seconds = 0; /* no trial is begun, so that as much is allocated every time */
  status = far__cost_estimate(&cost, &def, error);
  if (status == FAR_OK) *out = cost->steps + (double)cost->runs;
  if (status == FAR_OK) far__cost_free(cost);
  far_study_free(s);
  return status;
}

/* There and back: copies are made and restored. */
static far_status play(double *out, const char *what, far_error *error) {
  far_mdp *mdp;
  far__player *player = NULL;
  far__player_def def = far__player_def_default();
  far__player_update update;
  bool found;
  const char *const agents[] = {what, "delayed-q:m=2"};
  far_status status = far_mdp_create(&mdp, "chain:n=3", error);
  if (status != FAR_OK) return status;
  def.mdp = mdp, def.agents = agents, def.n_agents = 2, def.steps = 100;
  status = far__player_create(&player, &def, error);
  if (status == FAR_OK) status = far__player_advance(player, 80, error);
  if (status == FAR_OK) status = far__player_seek(player, 40, error);
  if (status == FAR_OK) status = far__player_next_update(player, &update, &found, error);
  if (status == FAR_OK)
    *out = far__player_run_of(player, 0)->total + far__player_run_of(player, 1)->total +
           (double)far__player_t(player);
  far__player_free(player);
  far_mdp_free(mdp);
  return status;
}

static far_status tune_by(double *out, const char *method, const char *what, far_error *error) {
  far_mdp *mdp;
  far_tune *t;
  far_tune_def def = far_tune_def_default();
  far_status status = far_mdp_create(&mdp, "chain:n=3", error);
  const far_tune_cell cell = {.mdp = mdp, .low = 0, .high = 10};
  def.agent = what;
  def.cells = &cell;
  def.n_cells = 1;
  def.method = method;
  def.budget = 300;
  def.steps = 10;
  def.runs = def.evaluation = def.profile = 2;
  def.threads = 1;
  if (status == FAR_OK) status = far_tune_run(&t, &def, error);
  if (status == FAR_OK) {
    const far_tune_result *r = far_tune_result_of(t);
    *out = r->score.mean + r->gain + (double)r->candidates + digest(r->best, strlen(r->best));
    far_tune_free(t);
  }
  far_mdp_free(mdp);
  return status;
}

/* All formats of the report of a comparison. */
static far_status render_tuned(double *out, const far__tuned_comparison *c, far_error *error) {
  far_report *report;
  far_status status = far_report_create(&report, "tune", error);
  if (status != FAR_OK) return status;
  far__tuned_comparison_report(c, report);
  status = render(out, report, error);
  far_report_free(report);
  return status;
}

static far_status compare_by(double *out, const char *score, const char *what, far_error *error) {
  const char *const agents[] = {what, "q-learning:epsilon=[0.1,0.3]"};
  far_mdp *mdp;
  far__tuned_comparison *c;
  far__tuned_comparison_def def = far__tuned_comparison_def_default();
  far_status status = far_mdp_create(&mdp, "chain:n=3", error);
  far_tune_cell cell = {.mdp = mdp};
  def.agents = agents;
  def.n_agents = 2;
  def.tune.cells = &cell;
  def.tune.n_cells = 1;
  def.tune.budget = 200;
  def.tune.steps = 10;
  def.tune.runs = def.tune.evaluation = def.tune.profile = 2;
  def.tune.threads = 1;
  def.tune.score = score;
  if (status == FAR_OK && score == NULL) status = far__tune_cells_scale(&cell, 1, 10, NULL, error);
  if (status == FAR_OK) status = far__tuned_comparison_run(&c, &def, error);
  if (status == FAR_OK) {
    const far_plot_def how = far_plot_def_default();
    far_figure *figure = NULL;
    status = render_tuned(out, c, error);
    if (status == FAR_OK) status = far__tuned_comparison_figure(&figure, c, &how, error);
    status = draw(out, status, figure, error);
    far__tuned_comparison_free(c);
  }
  far_mdp_free(mdp);
  return status;
}

static far_status compare_tuned(double *out, const char *what, far_error *error) {
  return compare_by(out, NULL, what, error);
}

static far_status compare_scored(double *out, const char *what, far_error *error) {
  return compare_by(out, "coverage", what, error);
}

static far_status tune(double *out, const char *what, far_error *error) {
  return tune_by(out, "halving", what, error);
}

static far_status tune_by_nlopt(double *out, const char *what, far_error *error) {
  return tune_by(out, "crs", what, error);
}

/* The study `what` run until its agents are ranked, and its report. */
static far_status rank_study(double *out, const char *what, far_error *error) {
  const far_study_run_def def = {.threads = 1};
  far_study *s = NULL;
  far_results *results = NULL;
  far_report *report = NULL;
  far_status status = far_study_read(&s, what, strlen(what), NULL, 0, error);
  if (status == FAR_OK) status = far_study_run(&results, s, &def, error);
  if (status == FAR_OK) status = far_report_create(&report, "run", error);
  if (status == FAR_OK) far_results_report(results, report);
  if (status == FAR_OK) status = render(out, report, error);
  if (status == FAR_OK) *out = far_ranking_pair_at(results->ranking, 0)->p; /* the text has times */
  far_report_free(report);
  far_results_free(results);
  far_study_free(s);
  return status;
}

static const char a_study[] = "name: short\nsteps: 30\nruns: 3\nenvironments:\n"
                              "  - chain: {n: [3, 4], slip: 0.1..0.3 step 0.1}\n  - loop\n"
                              "agents:\n  - delayed-q: {m: [2, 3]}\n  - psrl\n"
                              "metrics: [coverage]\ncurve: log 3\nuntil: ci=10%\n";

static void sweep_all(bool stores) {
  (void)stores;
  sweep(study, a_study);
  sweep(twins, "steps: 30\nenvironments: [loop]\nagents: [psrl, random, psrl]\n");
  sweep(rank_study,
        "steps: 20\nruns: 45\nenvironments: [loop]\nagents: [psrl, delayed-q]\nuntil: rank=5%\n");
  sweep(scale, "psrl");
  sweep(estimate, a_study);
  sweep(play, "r-max");
  sweep(tune, "delayed-q:m=[1..3],eps1=[0.1,0.2]");
  sweep(tune, "q-learning:explore=[epsilon,softmax],epsilon=[0.1..0.5]");
  sweep(compare_tuned, "delayed-q:m=[1..3],eps1=[0.1,0.2]");
  sweep(compare_scored, "q-learning:epsilon=[0.2,0.4]");
  sweep(tune_by_nlopt, "q-learning:alpha=[0.1..1],epsilon=[0.1..0.5]");
}

int main(void) {
  return sweep_memory(sweep_all);
}
