#include "questions/paper/paper-tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "farsight/base.h"
#include "farsight/study.h"
#include "lab/study/parts.h"
#include "questions/results/results.h"
#include "report/build.h"

#define NONE NAN

static const far__paper_row rows[] = {
#define ROW(method, gamma_e, agent, mean10, ci10, mean50, ci50)                                    \
  {method, gamma_e, agent, {mean10, mean50}, {ci10, ci50}},
#include "questions/paper/paper-tables.def"
#undef ROW
};

static const far__paper_alternative alternatives[] = {
#define ALTERNATIVE(method, gamma_e, row, payments, agent)                                         \
  {method, gamma_e, row, {"chain:n=10" payments, "chain:n=50" payments}, agent},
#include "questions/paper/paper-alternatives.def"
#undef ALTERNATIVE
};

enum {
  N_ROWS = sizeof rows / sizeof *rows,
  N_ALTERNATIVES = sizeof alternatives / sizeof *alternatives,
  N_CELLS = FAR__PAPER_TABLES * N_ROWS, /* of the tables; then those of the alternatives */
  N_ALL = N_CELLS + FAR__PAPER_TABLES * N_ALTERNATIVES,
  STEPS = 10000,
  SPEC_SIZE = 1200
};

struct far__paper_tables {
  far_mdp *mdps[N_ALL]; /* one a cell: they are small */
  char specs[N_ROWS][SPEC_SIZE];
  far_cell cells[N_ALL];
  int64_t *checkpoints;
  far_batch_def def;
  far_batch *batch;
  bool stopped;
};

const far__paper_row *far__paper_row_at(size_t index) {
  return index < N_ROWS ? &rows[index] : NULL;
}

const char *far__paper_env(size_t table) {
  static const char *const envs[FAR__PAPER_TABLES] = {"chain:n=10", "chain:n=50"};
  return table < FAR__PAPER_TABLES ? envs[table] : NULL;
}

double far__paper_std(const far__paper_row *row, size_t table) {
  return row->ci95[table] * sqrt(FAR__PAPER_RUNS) / 1.96;
}

const far__paper_alternative *far__paper_alternative_at(size_t index) {
  return index < N_ALTERNATIVES ? &alternatives[index] : NULL;
}

far__paper_def far__paper_def_default(void) {
  return (far__paper_def){.runs = FAR__PAPER_RUNS, .seed = 1};
}

static bool has(double x) {
  return x == x;
}

/* ---- computing ---- */

/* The rows need a directed-delayed-q whose gamma_e is open. */
static far_status check_directed(const char *directed, far_error *error) {
  static const char name[] = "directed-delayed-q";
  if (directed == NULL) return FAR_OK;
  const size_t length = strcspn(directed, ":");
  const far_type_info *type = far_spec_type(far_agent_type, directed);
  if (type != NULL && strcmp(type->name, name) != 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "must be a %s; this is %.*s", name,
                     (int)length, directed);
  if (strstr(directed, ":gamma_e=") != NULL || strstr(directed, ",gamma_e=") != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "leave gamma_e out; the rows set it");
  return FAR_OK;
}

static far_status make_specs(far__paper_tables *t, const far__paper_def *def, far_error *error) {
  const far_shape shape = far_shape_for(far_mdp_shape(t->mdps[0]), STEPS, 0);
  far_status status = check_directed(def->directed, error);
  for (size_t i = 0; status == FAR_OK && i < N_ROWS; ++i) {
    /* The spec of a row: its own, or the one that is given for the paper's Directed rows. */
    const far__paper_row *row = &rows[i];
    if (def->directed == NULL || !has(row->gamma_e) || !has(row->mean[0]))
      snprintf(t->specs[i], SPEC_SIZE, "%s", row->agent);
    else
      snprintf(t->specs[i], SPEC_SIZE, "%.1100s%cgamma_e=%g", def->directed,
               strchr(def->directed, ':') != NULL ? ',' : ':', row->gamma_e);
    status = far_agent_check(t->specs[i], &shape, NULL, NULL, error);
  }
  return status;
}

/* The environment of a cell, and its agent. */
static const char *env_of(size_t i) {
  if (i < N_CELLS) return far__paper_env(i / N_ROWS);
  return alternatives[(i - N_CELLS) % N_ALTERNATIVES].env[(i - N_CELLS) / N_ALTERNATIVES];
}

static far_status prepare(far__paper_tables *t, const far__paper_def *def, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < N_ALL; ++i)
    status = far_mdp_create(&t->mdps[i], env_of(i), error);
  if (status == FAR_OK) status = make_specs(t, def, error);
  size_t n_checkpoints = 0;
  if (status == FAR_OK && def->curve != NULL)
    status = far__curve_checkpoints(&t->checkpoints, &n_checkpoints, def->curve, STEPS, error);
  for (size_t i = 0; i < N_ALL; ++i)
    t->cells[i] =
        (far_cell){.mdp = t->mdps[i],
                   .agent = i < N_CELLS ? t->specs[i % N_ROWS]
                                        : alternatives[(i - N_CELLS) % N_ALTERNATIVES].agent,
                   .steps = STEPS,
                   .checkpoints = t->checkpoints,
                   .n_checkpoints = n_checkpoints};
  t->def = far_batch_def_default();
  t->def.cells = t->cells;
  t->def.n_cells = N_ALL;
  t->def.runs = def->runs;
  t->def.seed = def->seed;
  t->def.threads = def->threads;
  t->def.pool = def->pool;
  t->def.progress = def->progress;
  t->def.user = def->user;
  return status;
}

far_status far__paper_tables_run(far__paper_tables **out, const far__paper_def *def,
                                 far_error *error) {
  far__paper_tables *t = calloc(1, sizeof *t);
  *out = NULL;
  if (t == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the tables");
  far_status status = prepare(t, def, error);
  if (status == FAR_OK)
    status = def->store != NULL ? far_store_run(&t->batch, def->store, &t->def, error)
                                : far_batch_run(&t->batch, &t->def, error);
  t->stopped = status == FAR_STATUS_CANCELLED;
  if (t->batch != NULL)
    *out = t;
  else
    far__paper_tables_free(t);
  return status;
}

void far__paper_tables_free(far__paper_tables *t) {
  if (t == NULL) return;
  far_batch_free(t->batch);
  far_free(t->checkpoints);
  for (size_t i = 0; i < N_ALL; ++i) far_mdp_free(t->mdps[i]);
  free(t);
}

const far_batch *far__paper_tables_batch(const far__paper_tables *t, size_t *n_cells) {
  *n_cells = N_CELLS;
  return t->batch;
}

const far_result *far__paper_tables_alternative(const far__paper_tables *t, size_t table,
                                                size_t index) {
  return far_batch_result(t->batch, N_CELLS + table * N_ALTERNATIVES + index);
}

double far__paper_tables_distance(const far__paper_tables *t) {
  double sum = 0;
  int n = 0;
  for (size_t i = 0; i < N_CELLS; ++i) {
    const far__paper_row *row = &rows[i % N_ROWS];
    const double paper = row->mean[i / N_ROWS];
    if (!has(row->gamma_e) || !has(paper)) continue;
    const double d = far_batch_result(t->batch, i)->mean - paper;
    sum += d * d;
    ++n;
  }
  return sqrt(sum / n);
}

/* ---- means and standard deviations together ---- */

static double term_of(const far__paper_row *row, size_t table, const far_result *result) {
  const far_tune_cell cell = {.target = row->mean[table],
                              .unit = 0.06 * row->mean[table] + 100,
                              .std = far__paper_std(row, table)};
  return far__tune_fit_term(&cell, result->mean, result->std);
}

far__paper_fit far__paper_tables_fit(const far__paper_tables *t) {
  far__paper_fit sum = {0};
  double n = 0, n_alternatives = 0;
  for (size_t table = 0; table < FAR__PAPER_TABLES; ++table) {
    for (size_t i = 0; i < N_ROWS; ++i) {
      if (!has(rows[i].gamma_e) || !has(rows[i].mean[table])) continue;
      sum.directed += term_of(&rows[i], table, far_batch_result(t->batch, table * N_ROWS + i));
      n += 1;
    }
    for (size_t i = 0; i < N_ALTERNATIVES; ++i) {
      if (!has(alternatives[i].gamma_e)) continue;
      const far__paper_row *row = &rows[alternatives[i].row];
      const far_result *result = far__paper_tables_alternative(t, table, i);
      const double d = result->mean - row->mean[table];
      sum.alternative += term_of(row, table, result);
      sum.alternative_means += d * d;
      n_alternatives += 1;
    }
  }
  return (far__paper_fit){sqrt(sum.directed / n), sqrt(sum.alternative / n_alternatives),
                          sqrt(sum.alternative_means / n_alternatives)};
}

/* ---- the document ---- */

static void write_paper(far__json *j, const far__paper_row *row, size_t table) {
  far__json_real(j, "paper_mean", row->mean[table]);
  far__json_real(j, "paper_ci95", row->ci95[table]);
  far__json_real(j, "paper_std", far__paper_std(row, table));
}

static void write_data(const void *user, far__json *j) {
  const far__paper_tables *t = user;
  const far__paper_fit fit = far__paper_tables_fit(t);
  far__json_integer(j, "seed", t->def.seed);
  far__json_array(j, "cells");
  for (size_t i = 0; i < N_CELLS; ++i) {
    const far__paper_row *row = &rows[i % N_ROWS];
    far__json_object(j, NULL);
    far__json_integer(j, "table", i / N_ROWS + 1);
    far__json_text(j, "method", row->method);
    write_paper(j, row, i / N_ROWS);
    if (has(row->gamma_e)) far__json_real(j, "gamma_e", row->gamma_e);
    far__write_cell(j, &t->cells[i], far_batch_result(t->batch, i));
    far__json_end(j);
  }
  far__json_end(j);
  far__json_array(j, "alternatives");
  for (size_t i = N_CELLS; i < N_ALL; ++i) {
    const size_t table = (i - N_CELLS) / N_ALTERNATIVES;
    const far__paper_alternative *a = &alternatives[(i - N_CELLS) % N_ALTERNATIVES];
    far__json_object(j, NULL);
    far__json_integer(j, "table", table + 1);
    far__json_text(j, "method", a->method);
    far__json_integer(j, "paper_row", a->row);
    write_paper(j, &rows[a->row], table);
    if (has(a->gamma_e)) far__json_real(j, "gamma_e", a->gamma_e);
    far__write_cell(j, &t->cells[i], far_batch_result(t->batch, i));
    far__json_end(j);
  }
  far__json_end(j);
  far__json_object(j, "distance");
  far__json_real(j, "means", far__paper_tables_distance(t));
  far__json_real(j, "means_and_stds", fit.directed);
  far__json_real(j, "alternative_means", fit.alternative_means);
  far__json_real(j, "alternative_means_and_stds", fit.alternative);
  far__json_end(j);
}

/* Four digits, as many as are known of a standard deviation and more. */
static void add_std(far_table *table, double std) {
  if (has(std))
    far__table_real_as(table, std, "%.*f", std < 1 ? 3 : 0, std);
  else
    far__table_none(table);
}

static void add_row(far_table *table, const far__paper_tables *t, size_t i, size_t which) {
  const far__paper_row *row = &rows[i];
  const far_result *result = far_batch_result(t->batch, which * N_ROWS + i);
  const double paper = row->mean[which], ci95 = row->ci95[which];
  far__table_row(table);
  far__table_count(table, (int64_t)which + 1);
  far__table_spec(table, row->method, result->agent);
  if (has(row->gamma_e))
    far__table_real_as(table, row->gamma_e, "γ_E = %.2f", row->gamma_e);
  else
    far__table_blank(table);
  if (has(paper))
    far__table_interval_as(table, paper, paper - ci95, paper + ci95, "%.2f ± %.*f", paper,
                           ci95 < 1 ? 3 : 2, ci95);
  else
    far__table_none(table);
  add_std(table, far__paper_std(row, which));
  /* Two decimals, as the paper has them. */
  const double low = result->mean - result->ci95, high = result->mean + result->ci95;
  if (has(result->mean) && has(result->ci95))
    far__table_interval_as(table, result->mean, low, high, "%.2f ± %.2f", result->mean,
                           result->ci95);
  else if (has(result->mean))
    far__table_real_as(table, result->mean, "%.2f", result->mean);
  else
    far__table_none(table);
  add_std(table, result->std);
  const double difference = result->mean - paper;
  if (!has(paper) || !has(result->mean))
    return; /* not in the paper, or stopped before it was reached */
  far__table_real_as(table, difference, "%+.2f", difference);
  far__table_real_as(table, difference / paper, "%+.1f%%", 100 * difference / paper);
  far__table_text(table, "%s",
                  fabs(difference) <= ci95           ? "in its interval"
                  : fabs(difference) <= 0.05 * paper ? "within 5%"
                                                     : "");
}

/* What the paper does not have stands below a rule. */
static void add_table(far_report *report, const far__paper_tables *t, size_t which) {
  far__report_heading(report, 2, "Table %zu: %s", which + 1, far__paper_env(which));
  far_table *table = far__report_table(report, "rows");
  far__table_column(table, "table", NULL, FAR__COLUMN_COUNT);
  far__table_column(table, "method", "method", FAR__COLUMN_SPEC);
  far__table_column(table, "gamma_e", "", FAR__COLUMN_REAL);
  far__table_column(table, "paper", "paper", FAR__COLUMN_INTERVAL);
  far__table_column(table, "paper_std", "std", FAR__COLUMN_REAL);
  far__table_column(table, "ours", "ours", FAR__COLUMN_INTERVAL);
  far__table_column(table, "ours_std", "std", FAR__COLUMN_REAL);
  far__table_column(table, "difference", NULL, FAR__COLUMN_REAL);
  far__table_column(table, "relative", "", FAR__COLUMN_REAL);
  far__table_column(table, "agreement", "", FAR__COLUMN_TEXT);
  for (size_t i = 0; i < N_ROWS; ++i) {
    if (i > 0 && !has(rows[i].mean[which]) && has(rows[i - 1].mean[which])) far__table_rule(table);
    add_row(table, t, i, which);
  }
}

/* ---- alternatives ---- */

/* "7090 (433)"; for programs the two numbers. */
static void add_moments(far_table *table, double mean, double std) {
  const int digits = mean < 100 ? 3 : 0;
  if (has(mean) && has(std))
    far__table_real_as(table, mean, "%.*f (%.*f)", digits, mean, digits, std);
  else if (has(mean))
    far__table_real_as(table, mean, "%.*f", digits, mean);
  else
    far__table_none(table);
  if (has(std))
    far__table_real(table, std);
  else
    far__table_none(table);
}

static void add_alternatives(far_report *report, const far__paper_tables *t) {
  static const struct {
    const char *paper, *paper_std, *ours, *ours_std, *title;
  } keys[FAR__PAPER_TABLES] = {{"paper_10", "paper_std_10", "ours_10", "ours_std_10", "N = 10"},
                               {"paper_50", "paper_std_50", "ours_50", "ours_std_50", "N = 50"}};
  far__report_heading(report, 2, "Programs that are not printed, but come near: mean (std)");
  far_table *table = far__report_table(report, "alternatives");
  far__table_column(table, "method", "program", FAR__COLUMN_SPEC);
  far__table_column(table, "paper_gamma_e", "", FAR__COLUMN_REAL);
  for (size_t which = 0; which < FAR__PAPER_TABLES; ++which) {
    far__table_column(table, keys[which].paper, which == 0 ? "paper, N = 10" : "paper, N = 50",
                      FAR__COLUMN_REAL);
    far__table_column(table, keys[which].paper_std, NULL, FAR__COLUMN_REAL);
    far__table_column(table, keys[which].ours, keys[which].title, FAR__COLUMN_REAL);
    far__table_column(table, keys[which].ours_std, NULL, FAR__COLUMN_REAL);
  }
  for (size_t i = 0; i < N_ALTERNATIVES; ++i) {
    if (i > 0 && has(alternatives[i - 1].gamma_e) != has(alternatives[i].gamma_e))
      far__table_rule(table);
    const far__paper_alternative *a = &alternatives[i];
    const far__paper_row *row = &rows[a->row];
    far__table_row(table);
    far__table_spec(table, a->method, far__paper_tables_alternative(t, 0, i)->agent);
    if (has(row->gamma_e))
      far__table_real_as(table, row->gamma_e, "γ_E = %.2f", row->gamma_e);
    else
      far__table_blank(table);
    for (size_t k = 0; k < FAR__PAPER_TABLES; ++k) {
      const far_result *result = far__paper_tables_alternative(t, k, i);
      add_moments(table, row->mean[k], far__paper_std(row, k));
      add_moments(table, result->mean, result->std);
    }
  }
}

/* ---- notes ---- */

static void add_notes(far_report *report, const far__paper_tables *t) {
  const double distance = far__paper_tables_distance(t);
  const far__paper_fit fit = far__paper_tables_fit(t);
  far__report_note(report, FAR__NOTE_REMARK,
                   "in its interval: our mean lies in the paper's 95%% interval");
  far__report_note(
      report, FAR__NOTE_REMARK,
      "std: the standard deviation of one run; the paper's as its ± implies, read as 1.96 "
      "standard errors of %d runs (docs/reproduction.md says why)",
      FAR__PAPER_RUNS);
  if (!has(distance)) return;
  far__report_note(report, FAR__NOTE_REMARK,
                   "The ten Directed means are %.0f from the paper's (root mean square).",
                   distance);
  if (has(fit.directed) && has(fit.alternative))
    far__report_note(
        report, FAR__NOTE_REMARK,
        "Means and stds together, as 'farsight tune --fit' measures them: Directed %.2f "
        "from the paper's, E learned at visits %.2f (its means %.0f).",
        fit.directed, fit.alternative, fit.alternative_means);
}

static int width_of(const char *text) {
  return far__text_width(text, strlen(text));
}

/* The environment is told where it is not that of the tables. */
static void add_item(far_report *report, const char *method, int widest, const char *spec,
                     const char *env) {
  const bool own = strcmp(env, far__paper_env(0)) != 0;
  far__report_item(report, "%s:%*s%s%s%s", method, widest - width_of(method) + 1, "", spec,
                   own ? " on " : "", own ? env : "");
}

/* Rows of one method differ in gamma_e alone. */
static void add_specs(far_report *report, const far__paper_tables *t) {
  int widest = 0;
  for (size_t i = 0; i < N_ROWS; ++i)
    widest = width_of(rows[i].method) > widest ? width_of(rows[i].method) : widest;
  for (size_t i = 0; i < N_ALTERNATIVES; ++i)
    if (width_of(alternatives[i].method) > widest) widest = width_of(alternatives[i].method);
  far__report_list(
      report, "The paper gives no parameters; these were searched for (docs/reproduction.md):");
  for (size_t i = 0; i < N_ROWS; ++i)
    if (i == 0 || strcmp(rows[i].method, rows[i - 1].method) != 0)
      add_item(report, rows[i].method, widest, far_batch_result(t->batch, i)->agent,
               far__paper_env(0));
  for (size_t i = 0; i < N_ALTERNATIVES; ++i)
    if (i == 0 || strcmp(alternatives[i].method, alternatives[i - 1].method) != 0)
      add_item(report, alternatives[i].method, widest,
               far__paper_tables_alternative(t, 0, i)->agent, alternatives[i].env[0]);
}

void far__paper_tables_report(const far__paper_tables *t, far_report *report) {
  if (t->stopped) far__report_stopped(report);
  far__report_data_by(report, write_data, t);
  far__report_heading(report, 1,
                      "Oh & Iyengar 2018, Tables 1 and 2: undiscounted reward in %d steps, "
                      "mean ± 95%%",
                      STEPS);
  far__paper_tables_sections(t, report);
}

void far__paper_tables_sections(const far__paper_tables *t, far_report *report) {
  far__report_paragraph(
      report,
      "The paper: 300 runs. Ours: runs %lld, seed %llu. Below the second rule: not in the paper.",
      (long long)t->def.runs, (unsigned long long)t->def.seed);
  for (size_t which = 0; which < FAR__PAPER_TABLES; ++which) add_table(report, t, which);
  add_alternatives(report, t);
  add_notes(report, t);
  add_specs(report, t);
}
