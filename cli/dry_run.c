#include "dry_run.h"
#include "json.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 50 };

typedef struct plan {
  const grid *g;
  const char *store;
  int64_t *known; /* runs of each cell that the store has */
  double *rates;  /* seconds a step */
  unsigned threads;
  int64_t all_runs, all_known;
  double steps, seconds, bytes;
} plan;

/* ---- numbers ---- */

static int read_known(plan *p) {
  far_store *store;
  far_error error;
  if (p->store == NULL || access(p->store, F_OK) != 0) return EXIT_OK;
  far_status status = far_store_open(&store, p->store, FAR_STORE_READ, &error);
  if (status != FAR_OK) return run_error(&error);
  for (size_t i = 0; i < p->g->def.n_cells && status == FAR_OK; ++i)
    status = far_store_known(&p->known[i], store, &p->g->def, i, &error);
  far_store_close(store);
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}

static void add_up(plan *p) {
  const far_batch_def *def = &p->g->def;
  for (size_t i = 0; i < def->n_cells; ++i) {
    const double left = (double)(def->runs - p->known[i]), steps = (double)def->cells[i].steps;
    p->all_runs += def->runs;
    p->all_known += p->known[i];
    p->steps += left * steps;
    p->seconds += left * steps * p->rates[i] / p->threads;
    p->bytes += left * 8 * (double)far_batch_width(def, i) + 1024;
  }
}

/* ---- printing ---- */

static void print_bytes(double bytes) {
  static const char *const units[] = {"kB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit < 3; ++unit) bytes /= 1000;
  printf("%.*f %s", bytes < 9.95 ? 1 : 0, bytes, units[unit]);
}

static void print_cells(const plan *p) {
  const far_batch_def *def = &p->g->def;
  table t = table_create(p->store != NULL ? "llr" : "ll");
  table_row(&t);
  table_cell(&t, 0, "environment");
  table_cell(&t, 1, "agent");
  if (p->store != NULL) table_cell(&t, 2, "runs known");
  for (size_t i = 0; i < def->n_cells && i < MOST_ROWS; ++i) {
    table_row(&t);
    table_cell(&t, 0, "%s", i % p->g->n_agents ? "" : p->g->envs[i / p->g->n_agents]);
    table_cell(&t, 1, "%s", def->cells[i].agent);
    if (p->store != NULL) table_cell(&t, 2, "%s", format_count(p->known[i]).text);
  }
  printf("\n");
  table_print(&t, 2);
  if (def->n_cells > MOST_ROWS)
    printf("  ... and %s more cells; --json lists all\n",
           format_count((int64_t)(def->n_cells - MOST_ROWS)).text);
}

static void print_plan(const plan *p) {
  const far_batch_def *def = &p->g->def;
  printf("%s%s%s environments x %s agents: %s cells\n", p->g->name, p->g->name[0] ? ": " : "",
         format_count((int64_t)p->g->n_envs).text, format_count((int64_t)p->g->n_agents).text,
         format_count((int64_t)def->n_cells).text);
  printf("  runs    %s of each, %s in all; %s steps a run, seed %llu\n", format_count(def->runs).text,
         format_count(p->all_runs).text, format_count(def->cells[0].steps).text,
         (unsigned long long)def->seed);
  if (def->cells[0].n_checkpoints > 0)
    printf("  curve   %zu checkpoints\n", def->cells[0].n_checkpoints);
  if (p->store != NULL)
    printf("  known   %s runs are in %s\n", format_count(p->all_known).text, p->store);
  printf("  time    about %s on %u thread%s\n", format_seconds(p->seconds).text, p->threads,
         p->threads == 1 ? "" : "s");
  printf("  disk    about ");
  print_bytes(p->bytes);
  printf(p->store != NULL ? " in %s\n" : " in a store, if --store names one\n", p->store);
  print_cells(p);
}

static void print_json(const plan *p) {
  const far_batch_def *def = &p->g->def;
  write_head_json(def->seed);
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far_shape shape = far_mdp_shape(def->cells[i].mdp);
    char agent[FAR_SPEC_SIZE] = "";
    far_agent_resolve(agent, def->cells[i].agent, &shape, NULL);
    printf("%s\n  {\"env\":", i ? "," : "");
    json_write_string(stdout, far_mdp_spec(def->cells[i].mdp));
    printf(",\"agent\":");
    json_write_string(stdout, agent);
    printf(",\"steps\":%lld,\"runs\":%lld,\"known\":%lld}", (long long)def->cells[i].steps,
           (long long)def->runs, (long long)p->known[i]);
  }
  printf("\n],\"dry_run\":true,\"study\":");
  json_write_string(stdout, p->g->name);
  printf(",\"runs\":%lld,\"known\":%lld,\"checkpoints\":%zu,\"threads\":%u,\"steps_left\":",
         (long long)p->all_runs, (long long)p->all_known, def->cells[0].n_checkpoints, p->threads);
  json_write_real(stdout, p->steps);
  printf(",\"seconds\":");
  json_write_real(stdout, p->seconds);
  printf(",\"bytes\":");
  json_write_real(stdout, p->bytes);
  printf("}\n");
}

/* ---- the command ---- */

static unsigned thread_count(const far_batch_def *def) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return def->threads > 0 ? def->threads : n > 0 ? (unsigned)n : 1;
}

int dry_run(const grid *g, const arguments *args) {
  const size_t n = g->def.n_cells;
  plan p = {.g = g, .store = args_last(args, "store"), .threads = thread_count(&g->def)};
  p.known = calloc(n, sizeof *p.known);
  p.rates = calloc(n, sizeof *p.rates);
  int code = EXIT_FAILED;
  if (p.known != NULL && p.rates != NULL && measure_cells(&g->def, g->n_agents, p.rates))
    code = read_known(&p);
  if (code == EXIT_OK) {
    add_up(&p);
    (args_flag(args, "json") ? print_json : print_plan)(&p);
  }
  free(p.known);
  free(p.rates);
  return code;
}
