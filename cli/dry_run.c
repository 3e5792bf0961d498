#include "dry_run.h"
#include "json.h"
#include "memory.h"
#include "table.h"

#include <math.h>
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

/* What a store takes beside the numbers, as measured: when it is empty, for a cell, and for a block of
 * one series. */
static const double EMPTY_BYTES = 37000, CELL_BYTES = 1024, BLOCK_BYTES = 100;

/* About how many blocks so many runs of a cell become: they take 20 ms each, with many threads longer,
 * and some are of one run, while nothing is known of the cell's speed. */
static double count_blocks(const plan *p, double runs, double seconds) {
  return fmin(runs, p->threads + seconds / fmax(0.02, p->threads / 400.0));
}

/* Towards the end of the batch blocks become smaller and smaller, so that all threads end together. */
static double count_last_blocks(const plan *p, double runs) {
  return fmin(runs, 2.0 * p->threads * log2(1 + runs / p->threads));
}

static void add_up(plan *p) {
  const far_batch_def *def = &p->g->def;
  double blocks = 0, runs = 0;
  for (size_t i = 0; i < def->n_cells; ++i) {
    const double left = (double)(def->runs - p->known[i]), steps = (double)def->cells[i].steps;
    const double work = left * steps * p->rates[i];
    p->all_runs += def->runs;
    p->all_known += p->known[i];
    p->steps += left * steps;
    p->seconds += work / p->threads;
    p->bytes += left * 8 * (double)far_batch_width(def, i) + (p->known[i] == 0 ? CELL_BYTES : 0);
    blocks += count_blocks(p, left, work);
    runs += left;
  }
  const size_t points = def->cells[0].n_checkpoints, width = far_batch_width(def, 0);
  const size_t curves = points > 0 ? (width - 1 - def->n_metrics) / points : 0;
  const size_t series = 1 + def->n_metrics + curves;
  blocks = fmin(runs, blocks + count_last_blocks(p, runs));
  p->bytes += BLOCK_BYTES * blocks * (double)series;
  if (p->store == NULL || access(p->store, F_OK) != 0) p->bytes += EMPTY_BYTES;
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

static const char *plural(size_t n) {
  return n == 1 ? "" : "s";
}

static void print_plan(const plan *p) {
  const far_batch_def *def = &p->g->def;
  printf("%s%s%s environment%s x %s agent%s: %s cell%s\n", p->g->name, p->g->name[0] ? ": " : "",
         format_count((int64_t)p->g->n_envs).text, plural(p->g->n_envs),
         format_count((int64_t)p->g->n_agents).text, plural(p->g->n_agents),
         format_count((int64_t)def->n_cells).text, plural(def->n_cells));
  if (p->g->sequential)
    printf("  until   %s: from %s to %s runs of each; what follows is for the most\n",
           far_study_info_of(p->g->study).until, format_count(p->g->until.first).text,
           format_count(p->g->until.most).text);
  printf("  runs    %s of each, %s in all; %s steps a run, seed %llu\n",
         format_count(def->runs).text, format_count(p->all_runs).text,
         format_count(def->cells[0].steps).text, (unsigned long long)def->seed);
  if (def->cells[0].n_checkpoints > 0)
    printf("  curve   %zu checkpoints\n", def->cells[0].n_checkpoints);
  if (p->store != NULL)
    printf("  known   %s runs are in %s\n", format_count(p->all_known).text, p->store);
  printf("  time    about %s on %u thread%s\n", format_seconds(p->seconds).text, p->threads,
         plural(p->threads));
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
    need_memory(far_agent_resolve(agent, def->cells[i].agent, &shape, NULL));
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
  if (def->pool != NULL) return (unsigned)count_ranks() * (def->threads > 0 ? def->threads : 1);
  return def->threads > 0 ? def->threads : n > 0 ? (unsigned)n : 1;
}

int dry_run(const grid *g, const arguments *args) {
  const size_t n = g->def.n_cells;
  plan p = {.g = g, .store = args_last(args, "store"), .threads = thread_count(&g->def)};
  p.known = room_for(n, sizeof *p.known);
  p.rates = room_for(n, sizeof *p.rates);
  measure_cells(&g->def, g->n_agents, p.rates);
  const int code = read_known(&p);
  if (code == EXIT_OK) {
    add_up(&p);
    (args_flag(args, "json") ? print_json : print_plan)(&p);
  }
  free(p.known);
  free(p.rates);
  return code;
}
