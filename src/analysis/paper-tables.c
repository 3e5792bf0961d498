#include "farsight/paper-tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results.h"
#include "base/error.h"
#include "base/text.h"
#include "farsight/memory.h"
#include "farsight/study.h"

#define NONE NAN

static const far_paper_row rows[] = {
#define ROW(method, gamma_e, agent, mean10, ci10, mean50, ci50)                                    \
  {method, gamma_e, agent, {mean10, mean50}, {ci10, ci50}},
#include "analysis/paper-tables.def"
#undef ROW
};

enum { N_ROWS = sizeof rows / sizeof *rows, STEPS = 10000, SPEC_SIZE = 1200 };

struct far_paper_tables {
  far_mdp *mdps[FAR_PAPER_TABLES];
  char specs[N_ROWS][SPEC_SIZE];
  far_cell cells[FAR_PAPER_TABLES * N_ROWS];
  int64_t *checkpoints;
  far_batch_def def;
  far_batch *batch;
  bool stopped;
};

const far_paper_row *far_paper_row_at(size_t index) {
  return index < N_ROWS ? &rows[index] : NULL;
}

const char *far_paper_env(size_t table) {
  static const char *const envs[FAR_PAPER_TABLES] = {"chain:n=10", "chain:n=50"};
  return table < FAR_PAPER_TABLES ? envs[table] : NULL;
}

far_paper_def far_paper_def_default(void) {
  return (far_paper_def){.runs = 300, .seed = 1};
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

/* The spec of a row: its own, or the one that is given for the paper's Directed rows. */
static void write_spec(char out[SPEC_SIZE], const far_paper_row *row, const char *directed) {
  if (directed == NULL || !has(row->gamma_e) || !has(row->mean[0]))
    snprintf(out, SPEC_SIZE, "%s", row->agent);
  else
    snprintf(out, SPEC_SIZE, "%.1100s%cgamma_e=%g", directed,
             strchr(directed, ':') != NULL ? ',' : ':', row->gamma_e);
}

static far_status make_specs(far_paper_tables *t, const far_paper_def *def, far_error *error) {
  const far_shape shape = far_mdp_shape(t->mdps[0]);
  far_status status = check_directed(def->directed, error);
  for (size_t i = 0; status == FAR_OK && i < N_ROWS; ++i) {
    write_spec(t->specs[i], &rows[i], def->directed);
    status = far_agent_check(t->specs[i], &shape, NULL, NULL, error);
  }
  return status;
}

static far_status prepare(far_paper_tables *t, const far_paper_def *def, far_error *error) {
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && i < FAR_PAPER_TABLES; ++i)
    status = far_mdp_create(&t->mdps[i], far_paper_env(i), error);
  if (status == FAR_OK) status = make_specs(t, def, error);
  size_t n_checkpoints = 0;
  if (status == FAR_OK && def->curve != NULL)
    status = far_curve_checkpoints(&t->checkpoints, &n_checkpoints, def->curve, STEPS, error);
  for (size_t i = 0; i < FAR_PAPER_TABLES * N_ROWS; ++i)
    t->cells[i] = (far_cell){.mdp = t->mdps[i / N_ROWS],
                             .agent = t->specs[i % N_ROWS],
                             .steps = STEPS,
                             .checkpoints = t->checkpoints,
                             .n_checkpoints = n_checkpoints};
  t->def = far_batch_def_default();
  t->def.cells = t->cells;
  t->def.n_cells = FAR_PAPER_TABLES * N_ROWS;
  t->def.runs = def->runs;
  t->def.seed = def->seed;
  t->def.threads = def->threads;
  t->def.pool = def->pool;
  t->def.progress = def->progress;
  t->def.user = def->user;
  return status;
}

far_status far_paper_tables_run(far_paper_tables **out, const far_paper_def *def,
                                far_error *error) {
  far_paper_tables *t = calloc(1, sizeof *t);
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
    far_paper_tables_free(t);
  return status;
}

void far_paper_tables_free(far_paper_tables *t) {
  if (t == NULL) return;
  far_batch_free(t->batch);
  far_free(t->checkpoints);
  for (size_t i = 0; i < FAR_PAPER_TABLES; ++i) far_mdp_free(t->mdps[i]);
  free(t);
}

const far_batch *far_paper_tables_batch(const far_paper_tables *t, size_t *n_cells) {
  *n_cells = t->def.n_cells;
  return t->batch;
}

double far_paper_tables_distance(const far_paper_tables *t) {
  double sum = 0;
  int n = 0;
  for (size_t i = 0; i < t->def.n_cells; ++i) {
    const far_paper_row *row = &rows[i % N_ROWS];
    const double paper = row->mean[i / N_ROWS];
    if (!has(row->gamma_e) || !has(paper)) continue;
    const double d = far_batch_result(t->batch, i)->mean - paper;
    sum += d * d;
    ++n;
  }
  return sqrt(sum / n);
}

/* ---- the document ---- */

static void write_data(far_json *j, const far_paper_tables *t) {
  far_json_integer(j, "seed", t->def.seed);
  far_json_array(j, "cells");
  for (size_t i = 0; i < t->def.n_cells; ++i) {
    const far_paper_row *row = &rows[i % N_ROWS];
    far_json_object(j, NULL);
    far_json_integer(j, "table", i / N_ROWS + 1);
    far_json_text(j, "method", row->method);
    far_json_real(j, "paper_mean", row->mean[i / N_ROWS]);
    far_json_real(j, "paper_ci95", row->ci95[i / N_ROWS]);
    if (has(row->gamma_e)) far_json_real(j, "gamma_e", row->gamma_e);
    far__write_cell(j, &t->cells[i], far_batch_result(t->batch, i));
    far_json_end(j);
  }
  far_json_end(j);
}

/* Two decimals, as the paper has them. */
static void add_ours(far_table *table, const far_result *result) {
  const double low = result->mean - result->ci95, high = result->mean + result->ci95;
  if (has(result->mean) && has(result->ci95))
    far_table_interval_as(table, result->mean, low, high, "%.2f ± %.2f", result->mean,
                          result->ci95);
  else if (has(result->mean))
    far_table_real_as(table, result->mean, "%.2f", result->mean);
  else
    far_table_none(table);
}

static void add_difference(far_table *table, double paper, double ci95, double mean) {
  const double difference = mean - paper;
  if (!has(paper) || !has(mean)) return; /* not in the paper, or stopped before it was reached */
  far_table_real_as(table, difference, "%+.2f", difference);
  far_table_real_as(table, difference / paper, "%+.1f%%", 100 * difference / paper);
  far_table_text(table, "%s",
                 fabs(difference) <= ci95           ? "in its interval"
                 : fabs(difference) <= 0.05 * paper ? "within 5%"
                                                    : "");
}

static void add_row(far_table *table, const far_paper_tables *t, size_t i, size_t which) {
  const far_paper_row *row = &rows[i];
  const far_result *result = far_batch_result(t->batch, which * N_ROWS + i);
  const double paper = row->mean[which], ci95 = row->ci95[which];
  far_table_row(table);
  far_table_count(table, (int64_t)which + 1);
  far_table_spec(table, row->method, result->agent);
  if (has(row->gamma_e))
    far_table_real_as(table, row->gamma_e, "γ_E = %.2f", row->gamma_e);
  else
    far_table_blank(table);
  if (has(paper))
    far_table_interval_as(table, paper, paper - ci95, paper + ci95, "%.2f ± %.*f", paper,
                          ci95 < 1 ? 3 : 2, ci95);
  else
    far_table_none(table);
  add_ours(table, result);
  add_difference(table, paper, ci95, result->mean);
}

/* What the paper does not have stands below a rule. */
static void add_table(far_report *report, const far_paper_tables *t, size_t which) {
  far_report_heading(report, 2, "Table %zu: %s", which + 1, far_paper_env(which));
  far_table *table = far_report_table(report, "rows");
  far_table_column(table, "table", NULL, FAR_COLUMN_COUNT);
  far_table_column(table, "method", "method", FAR_COLUMN_SPEC);
  far_table_column(table, "gamma_e", "", FAR_COLUMN_REAL);
  far_table_column(table, "paper", "paper", FAR_COLUMN_INTERVAL);
  far_table_column(table, "ours", "ours", FAR_COLUMN_INTERVAL);
  far_table_column(table, "difference", "difference", FAR_COLUMN_REAL);
  far_table_column(table, "relative", "", FAR_COLUMN_REAL);
  far_table_column(table, "agreement", "", FAR_COLUMN_TEXT);
  for (size_t i = 0; i < N_ROWS; ++i) {
    if (i > 0 && !has(rows[i].mean[which]) && has(rows[i - 1].mean[which])) far_table_rule(table);
    add_row(table, t, i, which);
  }
}

static int width_of(const char *text) {
  return far__text_width(text, strlen(text));
}

/* Rows of one method differ in gamma_e alone. */
static void add_specs(far_report *report, const far_paper_tables *t) {
  int widest = 0;
  for (size_t i = 0; i < N_ROWS; ++i)
    widest = width_of(rows[i].method) > widest ? width_of(rows[i].method) : widest;
  far_report_list(report,
                  "The paper gives no parameters; these were searched for (docs/reproduction.md):");
  for (size_t i = 0; i < N_ROWS; ++i)
    if (i == 0 || strcmp(rows[i].method, rows[i - 1].method) != 0)
      far_report_item(report, "%s:%*s%s", rows[i].method, widest - width_of(rows[i].method) + 1, "",
                      far_batch_result(t->batch, i)->agent);
}

void far_paper_tables_report(const far_paper_tables *t, far_report *report) {
  if (t->stopped) far_report_stopped(report);
  write_data(far_report_data(report), t);
  far_report_heading(report, 1,
                     "Oh & Iyengar 2018, Tables 1 and 2: undiscounted reward in %d steps, "
                     "mean ± 95%%",
                     STEPS);
  far_paper_tables_sections(t, report);
}

void far_paper_tables_sections(const far_paper_tables *t, far_report *report) {
  const double distance = far_paper_tables_distance(t);
  far_report_paragraph(
      report,
      "The paper: 300 runs. Ours: runs %lld, seed %llu. Below the second rule: not in the paper.",
      (long long)t->def.runs, (unsigned long long)t->def.seed);
  for (size_t which = 0; which < FAR_PAPER_TABLES; ++which) add_table(report, t, which);
  far_report_note(report, FAR_NOTE_REMARK,
                  "in its interval: our mean lies in the paper's 95%% interval");
  if (has(distance))
    far_report_note(report, FAR_NOTE_REMARK,
                    "The ten Directed means are %.0f from the paper's (root mean square).",
                    distance);
  add_specs(report, t);
}
