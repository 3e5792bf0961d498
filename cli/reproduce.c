/* farsight reproduce: Tables 1 and 2 of Oh & Iyengar 2018, ours beside the paper's. */
#include "cells.h"
#include "hints.h"
#include "json.h"
#include "table.h"
#include "wrap.h"

#include <math.h>
#include <string.h>

#define NONE NAN

typedef struct row {
  const char *method;
  double gamma_e;
  const char *agent;
  double paper_mean[2], paper_ci95[2]; /* of Table 1 and Table 2 */
} row;

static const row rows[] = {
#define ROW(method, gamma_e, agent, mean10, ci10, mean50, ci50)                                    \
  {method, gamma_e, agent, {mean10, mean50}, {ci10, ci50}},
#include "reproduce.def"
#undef ROW
};

enum { N_ROWS = sizeof rows / sizeof *rows, N_TABLES = 2 };

static const char *const envs[N_TABLES] = {"chain:n=10", "chain:n=50"};

static const option_info options[] = {
    {0, "directed", "SPEC", "another set for the Directed rows of the paper, without gamma_e",
     COMPLETE_AGENT},
    BATCH_OPTIONS,
};

static bool has(double x) {
  return x == x;
}

/* ---- JSON ---- */

static void print_json(const far_batch *batch, const far_batch_def *def, const void *context) {
  (void)context;
  write_head_json(def->seed);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const row *r = &rows[i % N_ROWS];
    const size_t t = i / N_ROWS;
    printf("%s\n  {\"table\":%zu,\"method\":", i ? "," : "", t + 1);
    json_write_string(stdout, r->method);
    printf(",\"paper_mean\":");
    json_write_real(stdout, r->paper_mean[t]);
    printf(",\"paper_ci95\":");
    json_write_real(stdout, r->paper_ci95[t]);
    if (has(r->gamma_e)) {
      printf(",\"gamma_e\":");
      json_write_real(stdout, r->gamma_e);
    }
    printf(",");
    write_cell_json(&def->cells[i], far_batch_result(batch, i));
    printf("}");
  }
  printf("\n]}\n");
}

/* ---- tables ---- */

/* Two decimals, as the paper has them. */
static number_text as_printed(double mean, double ci95) {
  number_text out = {"–"};
  if (has(mean) && has(ci95))
    snprintf(out.text, sizeof out.text, "%.2f ± %.2f", mean, ci95);
  else if (has(mean))
    snprintf(out.text, sizeof out.text, "%.2f", mean);
  return out;
}

static void fill_row(table *t, const row *r, size_t which, const far_result *result) {
  const double paper = r->paper_mean[which], ci95 = r->paper_ci95[which];
  table_row(t);
  table_cell(t, 0, "%s", r->method);
  if (has(r->gamma_e)) table_cell(t, 1, "γ_E = %.2f", r->gamma_e);
  table_cell(t, 3, "%s", as_printed(result->mean, result->ci95).text);
  if (!has(paper)) {
    table_cell(t, 2, "–");
    return;
  }
  table_cell(t, 2, "%.2f ± %.*f", paper, ci95 < 1 ? 3 : 2, ci95);
  if (!has(result->mean)) return; /* stopped before it was reached */
  const double difference = result->mean - paper;
  table_cell(t, 4, "%+.2f", difference);
  table_cell(t, 5, "%+.1f%%", 100 * difference / paper);
  table_cell(t, 6, "%s",
             fabs(difference) <= ci95           ? "in its interval"
             : fabs(difference) <= 0.05 * paper ? "within 5%"
                                                : "");
}

static void print_one(const far_batch *batch, size_t which) {
  static const char *const heads[] = {"method", "", "paper", "ours", "difference", "", ""};
  table t = table_create("llrrrrl");
  table_row(&t);
  for (size_t c = 0; c < 7; ++c) table_cell(&t, c, "%s", heads[c]);
  bool ours = false;
  for (size_t i = 0; i < N_ROWS; ++i) {
    if (!has(rows[i].paper_mean[which]) && !ours) {
      ours = true;
      table_row(&t); /* a rule: what follows the paper does not have */
    }
    fill_row(&t, &rows[i], which, far_batch_result(batch, which * N_ROWS + i));
  }
  printf("\nTable %zu: %s\n\n", which + 1, envs[which]);
  table_print(&t, 2);
}

/* Root-mean-square distance of the ten Directed means from the paper's. */
static double directed_distance(const far_batch *batch) {
  double sum = 0;
  int n = 0;
  for (size_t i = 0; i < N_TABLES * N_ROWS; ++i) {
    const row *r = &rows[i % N_ROWS];
    const double paper = r->paper_mean[i / N_ROWS];
    if (!has(r->gamma_e) || !has(paper)) continue;
    const double d = far_batch_result(batch, i)->mean - paper;
    sum += d * d;
    ++n;
  }
  return sqrt(sum / n);
}

static void print_methods(const far_batch *batch) {
  int widest = 0;
  for (size_t i = 0; i < N_ROWS; ++i) {
    const int width = text_width(rows[i].method, strlen(rows[i].method));
    widest = width > widest ? width : widest;
  }
  for (size_t i = 0; i < N_ROWS; ++i) { /* rows of one method differ in gamma_e alone */
    if (i > 0 && strcmp(rows[i].method, rows[i - 1].method) == 0) continue;
    const int fill = widest - text_width(rows[i].method, strlen(rows[i].method));
    printf("  %s:%*s%s\n", rows[i].method, fill + 1, "", far_batch_result(batch, i)->agent);
  }
}

static void print_tables(const far_batch *batch, const far_batch_def *def, const void *context) {
  (void)context;
  printf(
      "Oh & Iyengar 2018, Tables 1 and 2: undiscounted reward in %lld steps, mean ± 95%%\n"
      "The paper: 300 runs. Ours: runs %lld, seed %llu. Below the second rule: not in the paper.\n",
      (long long)def->cells[0].steps, (long long)def->runs, (unsigned long long)def->seed);
  for (size_t which = 0; which < N_TABLES; ++which) print_one(batch, which);
  printf("\nin its interval: our mean lies in the paper's 95%% interval\n");
  const double distance = directed_distance(batch);
  if (has(distance))
    printf("\nThe ten Directed means are %.0f from the paper's (root mean square).\n", distance);
  printf("\nThe paper gives no parameters; these were searched for (docs/reproduction.md):\n");
  print_methods(batch);
}

/* ---- the command ---- */

typedef struct row_spec {
  char text[1200];
} row_spec;

/* The spec of a row: its own, or the one that the user gives for the paper's Directed rows. */
static row_spec spec_of(const row *r, const char *directed) {
  row_spec out;
  if (directed == NULL || !has(r->gamma_e) || !has(r->paper_mean[0]))
    snprintf(out.text, sizeof out.text, "%s", r->agent);
  else
    snprintf(out.text, sizeof out.text, "%.1100s%cgamma_e=%g", directed,
             strchr(directed, ':') != NULL ? ',' : ':', r->gamma_e);
  return out;
}

/* The rows need a directed-delayed-q whose gamma_e is open; the exit code. */
static int check_directed(const arguments *args) {
  const char *directed = args_text(args, "directed", 0);
  const far_type_info *type = directed != NULL ? far_spec_type(far_agent_type, directed) : NULL;
  if (type == NULL) return EXIT_OK; /* not given, or unknown: making the agent says more */
  if (strcmp(type->name, "directed-delayed-q") != 0)
    return usage_error(args, "--directed must be a directed-delayed-q; this is %s", type->name);
  if (strstr(directed, ":gamma_e=") != NULL || strstr(directed, ",gamma_e=") != NULL)
    return usage_error(args, "--directed: leave gamma_e out; the rows set it");
  return EXIT_OK;
}

static int run_tables(const arguments *args, far_batch_def *def, far_mdp *const *mdps) {
  far_cell cells[N_TABLES * N_ROWS];
  row_spec specs[N_ROWS];
  far_error error;
  const far_shape shape = far_mdp_shape(mdps[0]);
  for (size_t i = 0; i < N_ROWS; ++i) {
    specs[i] = spec_of(&rows[i], args_text(args, "directed", 0));
    if (far_agent_check(specs[i].text, &shape, NULL, NULL, &error) != FAR_OK)
      return spec_error(&error, specs[i].text);
  }
  for (size_t i = 0; i < N_TABLES * N_ROWS; ++i)
    cells[i] = (far_cell){.mdp = mdps[i / N_ROWS], .agent = specs[i % N_ROWS].text, .steps = 10000};
  def->cells = cells;
  def->n_cells = N_TABLES * N_ROWS;
  const batch_job job = {.def = def};
  return run_batch(&job, args_flag(args, "json") ? print_json : print_tables, NULL);
}

static int run(const arguments *args) {
  far_batch_def def = far_batch_def_default();
  far_mdp *mdps[N_TABLES] = {NULL};
  far_error error;
  if (!batch_options(args, &def)) return EXIT_USAGE;
  int code = check_directed(args);
  for (size_t i = 0; code == EXIT_OK && i < N_TABLES; ++i)
    if (far_mdp_create(&mdps[i], envs[i], &error) != FAR_OK) code = run_error(&error);
  if (code == EXIT_OK) code = run_tables(args, &def, mdps);
  for (size_t i = 0; i < N_TABLES; ++i) far_mdp_free(mdps[i]);
  return code;
}

const command cmd_reproduce = {
    .name = "reproduce",
    .synopsis = "[OPTIONS]",
    .summary = "Compute the paper's Tables 1 and 2, ours beside the paper's",
    .details =
        "All fourteen cells of Oh & Iyengar 2018, and the baselines that the paper lacks. The\n"
        "paper does not give its parameters; docs/reproduction.md tells how these were found.\n",
    .examples = "  farsight reproduce\n"
                "  farsight reproduce --directed directed-delayed-q:m=5,lambda=2,clamp=off\n"
                "  farsight reproduce --runs 3000 --json > tables.json\n",
    .words = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .run = run,
};
