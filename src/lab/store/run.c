/* Batches through the store: stored runs enter a batch as `done`, finished runs come back through `keep`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/store/access.h"
#include "lab/store/store.h"
#include "run/blocks.h"
#include "run/simulator.h"

struct far_keeper {
  far_store *store;
  const far_batch_def *def;
  far__stored_cell *cells; /* as many as the batch has */
  bool *labelled;          /* the store has the label of that cell, if it has one */
  bool *borrowed;          /* some of its known runs are other cells' */
  far__series *series;     /* total and the metrics */
  far__series *curves;     /* n_curves of each cell; without a name where it has none */
  size_t n_curves;         /* that of the rewards, and of every metric that has one */
  far_block *done;
  size_t n_done, done_capacity;
};

static far_status no_memory(far_error *error) {
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the cells of the store");
}

/* ---- names of cells and series ---- */

/* The canonical spec of a cell's agent. */
static far_status agent_of(char out[FAR_SPEC_SIZE], const far_cell *cell, far_error *error) {
  const far_shape shape = far_cell_shape(cell);
  if (cell->spec == NULL) return far_agent_resolve(out, cell->agent, &shape, error);
  snprintf(out, FAR_SPEC_SIZE, "%s", far_spec_canonical(cell->spec));
  return FAR_OK;
}

/* The environment of cell i, and a hash that distinguishes environments of the same name: of a simulator's shape, or of
 * the content of a model without a spec. */
static far_status name_world(far__stored_cell *out, const far_batch_def *def, size_t i,
                             far_error *error) {
  const far_cell *cell = &def->cells[i];
  char spec[FAR_SPEC_SIZE];
  far_status status = FAR_OK;
  if (cell->simulator != NULL) status = far_simulator_spec(spec, cell->simulator, error);
  if (status != FAR_OK) return status;
  out->env = strdup(cell->simulator != NULL ? spec : far_cell_env(cell));
  if (out->env == NULL) return no_memory(error);
  if (cell->simulator != NULL)
    far__simulator_hash(out->model, cell->simulator);
  else if (far__spec_tells(far_mdp_spec(cell->mdp)))
    return FAR_OK;
  else if (i > 0 && def->cells[i - 1].mdp == cell->mdp)
    memcpy(out->model, out[-1].model, sizeof out->model);
  else
    far_mdp_hash(out->model, cell->mdp);
  return FAR_OK;
}

static far_status name_cell(far__stored_cell *out, const far_batch_def *def, size_t i,
                            far_error *error) {
  const far_cell *cell = &def->cells[i];
  char agent[FAR_SPEC_SIZE];
  *out = (far__stored_cell){.steps = cell->steps,
                            .episodes = cell->episodes,
                            .seed = def->seed,
                            .numerics = far_numerics()};
  far_status status = name_world(out, def, i, error);
  if (status == FAR_OK) status = agent_of(agent, cell, error);
  if (status != FAR_OK) return status;
  out->agent = strdup(agent);
  if (out->agent == NULL) return no_memory(error);
  far__stored_cell_key(out->key, out);
  return far__shared_key(out->shared, out, cell->mdp, error);
}

static far_status name_metric(far__series *out, const far_metric *metric, far_error *error) {
  const char *name = metric->name;
  if (strcmp(name, "total") == 0 || strncmp(name, "curve", 5) == 0)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a metric that is stored cannot be called '%.60s'", name);
  const far_status status = far__series_name(out, strdup(name), error);
  if (status == FAR_OK) out->shared = metric->any_criterion;
  if (status == FAR_OK && out->steps != NULL)
    return far__fail(
        error, FAR_STATUS_CONFLICT, -1,
        "a metric that is stored cannot be called '%.60s': that is the name of a curve", name);
  return status;
}

static far_status name_curve(far__series *out, const char *base, bool shared, const far_cell *cell,
                             far_error *error) {
  if (cell->n_checkpoints == 0) return FAR_OK;
  const far_status status =
      far__series_name(out, far__curve_name(base, cell->checkpoints, cell->n_checkpoints), error);
  out->shared = status == FAR_OK && shared;
  return status;
}

/* The curves of cell i, in the order of the columns of a block. */
static far_status name_curves(far_keeper *k, size_t i, far_error *error) {
  const far_batch_def *def = k->def;
  far__series *out = &k->curves[i * k->n_curves];
  far_status status = name_curve(out, "curve", true, &def->cells[i], error);
  for (size_t m = 0; status == FAR_OK && m < def->n_metrics; ++m)
    if (def->metrics[m]->sofar != NULL)
      status = name_curve(++out, def->metrics[m]->name, def->metrics[m]->any_criterion,
                          &def->cells[i], error);
  return status;
}

static far_status check_def(const far_batch_def *def, far_error *error) {
  if (def->n_cells < 1)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there must be at least 1 cell");
  for (size_t i = 0; i < def->n_cells; ++i) {
    const int64_t runs = far__batch_runs(def, i);
    const bool world = (def->cells[i].mdp != NULL) != (def->cells[i].simulator != NULL);
    if (!world || def->cells[i].agent == NULL || runs < 1)
      return far__fail(error, FAR_STATUS_RANGE, -1,
                       "a cell needs a model or a simulator, an agent and a run");
    if (def->first_replicate > (uint64_t)(INT64_MAX - runs))
      return far__fail(error, FAR_STATUS_RANGE, -1, "replicates above %lld cannot be stored",
                       (long long)INT64_MAX);
  }
  return FAR_OK;
}

static far_status name_all(far_keeper *k, far_error *error) {
  const far_batch_def *def = k->def;
  k->cells = calloc(def->n_cells + 1, sizeof *k->cells);
  k->labelled = calloc(def->n_cells + 1, sizeof *k->labelled);
  k->borrowed = calloc(def->n_cells + 1, sizeof *k->borrowed);
  k->n_curves = 1;
  for (size_t m = 0; m < def->n_metrics; ++m) k->n_curves += def->metrics[m]->sofar != NULL;
  k->curves = calloc(def->n_cells * k->n_curves + 1, sizeof *k->curves);
  k->series = calloc(def->n_metrics + 1, sizeof *k->series);
  if (k->cells == NULL || k->labelled == NULL || k->borrowed == NULL || k->curves == NULL ||
      k->series == NULL)
    return no_memory(error);
  far_status status = far__series_name(&k->series[0], strdup("total"), error);
  k->series[0].shared = true;
  for (size_t m = 0; status == FAR_OK && m < def->n_metrics; ++m)
    status = name_metric(&k->series[m + 1], def->metrics[m], error);
  for (size_t i = 0; status == FAR_OK && i < def->n_cells; ++i) {
    status = name_cell(&k->cells[i], def, i, error);
    if (status == FAR_OK) status = name_curves(k, i, error);
  }
  return status;
}

far_status far_keeper_create(far_keeper **out, far_store *store, const far_batch_def *def,
                             far_error *error) {
  *out = NULL;
  far_status status = check_def(def, error);
  if (status != FAR_OK) return status;
  far_keeper *k = calloc(1, sizeof *k);
  if (k == NULL) return no_memory(error);
  *k = (far_keeper){.store = store, .def = def};
  status = name_all(k, error);
  if (status == FAR_OK)
    *out = k;
  else
    far_keeper_free(k);
  return status;
}

static void free_done(far_keeper *k) {
  for (size_t i = 0; i < k->n_done; ++i) free((double *)k->done[i].values);
  free(k->done);
  k->done = NULL;
  k->n_done = k->done_capacity = 0;
}

void far_keeper_free(far_keeper *k) {
  if (k == NULL) return;
  free_done(k);
  for (size_t i = 0; k->cells != NULL && i < k->def->n_cells; ++i)
    far__stored_cell_free(&k->cells[i]);
  if (k->curves != NULL) far__series_list_free(k->curves, k->def->n_cells * k->n_curves);
  if (k->series != NULL) far__series_list_free(k->series, k->def->n_metrics + 1);
  free(k->cells);
  free(k->labelled);
  free(k->borrowed);
  free(k);
}

/* ---- what is known ---- */

/* Series j of a cell: total, metrics, and the curves if there are any; NULL past the end. */
static far__series *series_of(const far_keeper *k, size_t cell, size_t j) {
  if (j <= k->def->n_metrics) return &k->series[j];
  const size_t c = j - k->def->n_metrics - 1;
  if (c >= k->n_curves) return NULL;
  far__series *curve = &k->curves[cell * k->n_curves + c];
  return curve->name != NULL ? curve : NULL;
}

far_record far__keeper_record(const far_keeper *k, size_t cell) {
  const far__stored_cell *c = &k->cells[cell];
  const far_cell *of = &k->def->cells[cell];
  return (far_record){.env_label = of->env_label != NULL ? of->env_label : "",
                      .agent_label = of->agent_label != NULL ? of->agent_label : "",
                      .key = c->key,
                      .env = c->env,
                      .model = c->model,
                      .agent = c->agent,
                      .steps = c->steps,
                      .episodes = c->episodes,
                      .seed = c->seed,
                      .numerics = c->numerics,
                      .runs = far__batch_runs(k->def, cell)};
}

const char *far__keeper_series(const far_keeper *k, size_t cell, size_t index) {
  const far__series *series = series_of(k, cell, index);
  return series != NULL ? series->name : NULL;
}

/* ---- labels ---- */

static bool wants_label(const far_keeper *k, size_t cell) {
  const far_cell *c = &k->def->cells[cell];
  return c->env_label != NULL && c->agent_label != NULL && !k->labelled[cell];
}

static far_status look_for_label(far_keeper *k, size_t cell, far_error *error) {
  const far_cell *c = &k->def->cells[cell];
  if (!wants_label(k, cell)) return FAR_OK;
  return far__label_has(&k->labelled[cell], k->store, &k->cells[cell], c->env_label, c->agent_label,
                        error);
}

static far_status keep_label(far_keeper *k, size_t cell, far_error *error) {
  const far_cell *c = &k->def->cells[cell];
  if (!wants_label(k, cell)) return FAR_OK;
  const far_status status =
      far__label_put(k->store, &k->cells[cell], c->env_label, c->agent_label, error);
  k->labelled[cell] = status == FAR_OK;
  return status;
}

/* Cells whose runs are all there already may be called something else now. */
static far_status label_known(far_keeper *k, far_error *error) {
  size_t i = 0;
  while (i < k->def->n_cells && (k->cells[i].id == 0 || !wants_label(k, i))) ++i;
  if (i == k->def->n_cells) return FAR_OK;
  far_status status = far__sql_begin(k->store, error);
  if (status != FAR_OK) return status;
  for (; status == FAR_OK && i < k->def->n_cells; ++i)
    if (k->cells[i].id != 0) status = keep_label(k, i, error);
  return far__sql_end(k->store, status, error);
}

/* ---- what is known ---- */

/* The numbers of all runs of a cell, column by column, and how many series each run has. They may come from several
 * cells; the cell's own is the first. */
typedef struct knowledge {
  double *values, *seconds;
  uint32_t *have;
  uint32_t n_series;
  int64_t runs;
  bool borrowed;
} knowledge;

static void knowledge_free(knowledge *w) {
  free(w->values);
  free(w->seconds);
  free(w->have);
}

/* Fills in a series for the runs that have all earlier ones and not this one yet. True if there was such a run. */
static bool fill_in(knowledge *w, const far_keeper *k, const far__column *from, size_t column,
                    size_t width) {
  bool any = false;
  for (int64_t j = 0; j < from->count; ++j) {
    const int64_t i = from->replicates[j] - (int64_t)k->def->first_replicate;
    if (w->have[i] != w->n_series) continue;
    any = true;
    for (size_t c = 0; c < width; ++c)
      w->values[(int64_t)(column + c) * w->runs + i] = from->values[(size_t)j * width + c];
    w->have[i] += 1;
    if (column == 0) w->seconds[i] = from->seconds[j];
  }
  return any;
}

/* What one cell of the store has of a series; *any: something that was not known yet. */
static far_status read_from(knowledge *w, bool *any, far_keeper *k, const far__stored_cell *cell,
                            const far__series *series, size_t column, far_error *error) {
  far__column from;
  const int64_t first = (int64_t)k->def->first_replicate;
  const far_status status =
      far__block_read(&from, k->store, cell, series, first, first + w->runs, error);
  if (status != FAR_OK) return status;
  *any = fill_in(w, k, &from, column, series->width);
  far__column_free(&from);
  return FAR_OK;
}

/* Reads a series of the cell itself first, then of the cells that share its runs. */
static far_status read_series(knowledge *w, far_keeper *k, const far__stored_cell *own,
                              const far__sharers *others, far__series *series, size_t column,
                              far_error *error) {
  bool any = false;
  if (series->id == 0) {
    const far_status status = far__series_find(series, k->store, error);
    if (status != FAR_OK || series->id == 0) return status;
  }
  far_status status = own->id != 0 ? read_from(w, &any, k, own, series, column, error) : FAR_OK;
  for (size_t i = 0; status == FAR_OK && series->shared && i < others->count; ++i) {
    status = read_from(w, &any, k, &others->cells[i], series, column, error);
    w->borrowed = w->borrowed || any;
  }
  return status;
}

/* Counts the snapshots as one series more: a run that is to have them has those of all checkpoints. */
static far_status read_snapshots(knowledge *w, far_keeper *k, size_t cell, far_error *error) {
  const far_cell *of = &k->def->cells[cell];
  const int64_t first = (int64_t)k->def->first_replicate;
  const int64_t last = k->def->snapshots < first + w->runs ? k->def->snapshots : first + w->runs;
  if (of->n_checkpoints == 0 || last <= first) return FAR_OK;
  size_t *counts = calloc((size_t)(last - first), sizeof *counts);
  if (counts == NULL) return no_memory(error);
  const far_status status =
      far__snapshots_count(counts, k->store, &k->cells[cell], of, first, last - first, error);
  for (int64_t i = 0; i < w->runs; ++i)
    w->have[i] += i >= last - first || counts[i] == of->n_checkpoints;
  w->n_series += 1;
  free(counts);
  return status;
}

static far_status make_room(knowledge *w, size_t width, far_error *error) {
  const size_t runs = (size_t)w->runs;
  if ((uint64_t)w->runs > SIZE_MAX / sizeof *w->values / width) return no_memory(error);
  w->values = malloc(runs * width * sizeof *w->values);
  w->seconds = calloc(runs, sizeof *w->seconds);
  w->have = calloc(runs, sizeof *w->have);
  return w->values != NULL && w->seconds != NULL && w->have != NULL ? FAR_OK : no_memory(error);
}

static far_status read_cell(knowledge *w, far_keeper *k, size_t cell, const far__sharers *others,
                            far_error *error) {
  far_status status = make_room(w, far__batch_width(k->def, cell), error);
  size_t column = 0;
  for (size_t j = 0; status == FAR_OK && series_of(k, cell, j) != NULL; ++j) {
    far__series *series = series_of(k, cell, j);
    status = read_series(w, k, &k->cells[cell], others, series, column, error);
    column += series->width;
    w->n_series += 1;
  }
  return status == FAR_OK ? read_snapshots(w, k, cell, error) : status;
}

/* All that the store has of a cell; w->have stays NULL if it has nothing. */
static far_status learn_cell(knowledge *w, far_keeper *k, size_t cell, far_error *error) {
  far__stored_cell *own = &k->cells[cell];
  far__sharers others = {0};
  *w = (knowledge){.runs = far__batch_runs(k->def, cell)};
  far_status status = far__stored_cell_find(&own->id, k->store, own->key, error);
  if (status == FAR_OK && own->id == 0) status = far__refuse_shapes(own, k->store, error);
  if (status == FAR_OK && own->id != 0) status = look_for_label(k, cell, error);
  if (status == FAR_OK) status = far__shared_find(&others, k->store, own, error);
  if (status == FAR_OK && (own->id != 0 || others.count > 0))
    status = read_cell(w, k, cell, &others, error);
  far__sharers_free(&others);
  k->borrowed[cell] = w->borrowed;
  return status;
}

static far_status add_done(far_keeper *k, const knowledge *w, size_t cell, int64_t first,
                           int64_t runs, far_error *error) {
  const size_t width = far__batch_width(k->def, cell);
  if (!far__grow((void **)&k->done, k->n_done, &k->done_capacity, sizeof *k->done))
    return no_memory(error);
  double *values = malloc((size_t)runs * width * sizeof *values), seconds = 0;
  if (values == NULL) return no_memory(error);
  for (size_t c = 0; c < width; ++c)
    memcpy(values + (int64_t)c * runs, w->values + (int64_t)c * w->runs + first,
           (size_t)runs * sizeof *values);
  for (int64_t i = first; i < first + runs; ++i) seconds += w->seconds[i];
  k->done[k->n_done++] =
      (far_block){.cell = cell, .first = first, .runs = runs, .seconds = seconds, .values = values};
  return FAR_OK;
}

/* Adds each interval of successive runs that have all series. */
static far_status add_stretches(far_keeper *k, const knowledge *w, size_t cell, far_error *error) {
  const int64_t runs = w->runs;
  far_status status = FAR_OK;
  for (int64_t i = 0; status == FAR_OK && w->have != NULL && i < runs;) {
    int64_t end = i;
    while (end < runs && w->have[end] == w->n_series) ++end;
    if (end > i) status = add_done(k, w, cell, i, end - i, error);
    i = end + 1;
  }
  return status;
}

far_status far__keeper_done(const far_block **blocks, size_t *count, far_keeper *k,
                            far_error *error) {
  free_done(k);
  *count = 0;
  far_status status = far__sql_begin_read(k->store, error);
  if (status != FAR_OK) return status;
  for (size_t i = 0; status == FAR_OK && i < k->def->n_cells; ++i) {
    knowledge w;
    status = learn_cell(&w, k, i, error);
    if (status == FAR_OK) status = add_stretches(k, &w, i, error);
    knowledge_free(&w);
  }
  far__sql_end_read(k->store);
  if (status != FAR_OK) return status;
  *blocks = k->done;
  *count = k->n_done;
  return FAR_OK;
}

/* ---- what is finished ---- */

static far_status keep_series(far_keeper *k, const far_block *block, far__series *series,
                              size_t column, far_error *error) {
  int64_t added;
  far_status status = series->id == 0 ? far__series_add(series, k->store, error) : FAR_OK;
  if (status != FAR_OK) return status;
  /* the block's numbers are column by column, the store's run by run */
  double *values = malloc((size_t)block->runs * series->width * sizeof *values);
  for (int64_t i = 0; values != NULL && i < block->runs; ++i)
    for (size_t c = 0; c < series->width; ++c)
      values[(size_t)i * series->width + c] =
          block->values[(int64_t)(column + c) * block->runs + i];
  if (values == NULL) return no_memory(error);
  const far__rows rows = {.first = (int64_t)k->def->first_replicate + block->first,
                          .runs = block->runs,
                          .values = values,
                          .seconds = block->seconds,
                          .session = k->store->session};
  status = far__block_put(&added, k->store, &k->cells[block->cell], series, &rows,
                          FAR_STATUS_FORMAT, error);
  free(values);
  return status;
}

static far_status keep_block(far_keeper *k, const far_block *block, far_error *error) {
  far__stored_cell *cell = &k->cells[block->cell];
  far_status status = cell->id == 0 ? far__stored_cell_add(cell, k->store, error) : FAR_OK;
  if (status == FAR_OK) status = far__shared_put(k->store, cell, error);
  if (status == FAR_OK) status = keep_label(k, block->cell, error);
  size_t column = 0;
  for (size_t j = 0; status == FAR_OK; ++j) {
    far__series *series = series_of(k, block->cell, j);
    if (series == NULL) break;
    status = keep_series(k, block, series, column, error);
    column += series->width;
  }
  for (size_t j = 0; status == FAR_OK && j < block->n_snapshots; ++j) {
    bool added;
    status =
        far__snapshot_put(&added, k->store, cell, &block->snapshots[j], k->store->session, error);
  }
  return status;
}

/* After a failed transaction: rows that it created do not exist, so all are looked up again. */
static void forget_rows(far_keeper *k) {
  for (size_t i = 0; i < k->def->n_cells; ++i) k->cells[i].id = 0;
  memset(k->labelled, 0, k->def->n_cells * sizeof *k->labelled);
  for (size_t i = 0; i < k->def->n_cells * k->n_curves; ++i) k->curves[i].id = 0;
  for (size_t j = 0; j <= k->def->n_metrics; ++j) k->series[j].id = 0;
}

far_status far_keeper_keep(void *keeper, const far_block *blocks, size_t count, far_error *error) {
  far_keeper *k = keeper;
  far_status status = far__sql_begin(k->store, error);
  if (status == FAR_STATUS_CANCELLED)
    return far__fail(error, status, -1,
                     "stopped while waiting for another process that writes to '%.200s'; the last "
                     "runs are not stored",
                     k->store->path);
  if (status != FAR_OK) return status;
  status = far__session_touch(k->store, error);
  for (size_t i = 0; status == FAR_OK && i < count; ++i)
    if (blocks[i].runs > 0) status = keep_block(k, &blocks[i], error);
  status = far__sql_end(k->store, status, error);
  if (status != FAR_OK) forget_rows(k);
  return status;
}

/* Runs that another cell had are this cell's too from now on, so that readers find them. */
static far_status keep_borrowed(far_keeper *k, far_error *error) {
  size_t i = 0;
  while (i < k->def->n_cells && !k->borrowed[i]) ++i;
  if (i == k->def->n_cells) return FAR_OK;
  far_status status = far__sql_begin(k->store, error);
  if (status != FAR_OK) return status;
  status = far__session_touch(k->store, error);
  for (i = 0; status == FAR_OK && i < k->n_done; ++i)
    if (k->borrowed[k->done[i].cell]) status = keep_block(k, &k->done[i], error);
  status = far__sql_end(k->store, status, error);
  if (status != FAR_OK) forget_rows(k);
  return status;
}

/* ---- running ---- */

far_status far_store_run(far_batch **out, far_store *store, const far_batch_def *def,
                         far_error *error) {
  far_keeper *keeper;
  far_batch_def through = *def;
  *out = NULL;
  if (def->n_done > 0 || def->keep != NULL)
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "a batch with a store cannot have its own `done` or `keep`");
  if (store->mode == FAR_STORE_READ)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "'%.200s' was opened for reading only",
                     store->path);
  far_status status = far_keeper_create(&keeper, store, def, error);
  if (status != FAR_OK) return status;
  status = far__keeper_done(&through.done, &through.n_done, keeper, error);
  if (status == FAR_OK) status = keep_borrowed(keeper, error);
  if (status == FAR_OK) status = label_known(keeper, error);
  through.keep = far_keeper_keep;
  through.keep_user = keeper;
  if (status == FAR_OK) status = far_batch_run(out, &through, error);
  far_keeper_free(keeper);
  return status;
}

far_status far__store_known(int64_t *out, far_store *store, const far_batch_def *def, size_t cell,
                            far_error *error) {
  far_keeper *keeper;
  const far_block *blocks;
  size_t count;
  far_batch_def alone = *def;
  *out = 0;
  alone.cells = def->cells + cell;
  alone.n_cells = 1;
  far_status status = far_keeper_create(&keeper, store, &alone, error);
  if (status != FAR_OK) return status;
  status = far__keeper_done(&blocks, &count, keeper, error);
  for (size_t i = 0; status == FAR_OK && i < count; ++i) *out += blocks[i].runs;
  far_keeper_free(keeper);
  return status;
}
