#include "batch-codec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "run/blocks.h"

/* The description of a batch in bytes. All fields are padded to units of 8 bytes, so that numbers can be read in
 * place. All machines of a job must be of one kind (MPI itself assumes less); MARK shows if they are not. */
static const uint64_t MARK = 0x4641525349474854; /* "FARSIGHT" */
static const uint64_t AS_BEFORE = UINT64_MAX;    /* checkpoints are those of the cell before */

/* The message holds everything but the name of a model without a spec (such models are refused), the name of a cell
 * in the store of rank 0, and the parsed spec of an agent (each rank parses the text). */
_Static_assert(sizeof(void *) != 8 || (sizeof(far_cell) == 96 && sizeof(far_batch_def) == 152),
               "what is new in a cell or a batch must be sent, too");

/* ---- writing ---- */

typedef struct writer {
  unsigned char *bytes;
  size_t size, room;
  bool full; /* no memory */
} writer;

/* Appends room for so many bytes, rounded up to a multiple of 8; the padding is 0. */
static unsigned char *extend(writer *w, size_t bytes) {
  const size_t size = (bytes + 7) / 8 * 8;
  if (w->size + size > w->room) {
    const size_t room = 2 * (w->size + size) + 256;
    unsigned char *more = realloc(w->bytes, room);
    if (more == NULL) {
      w->full = true;
      return NULL;
    }
    w->bytes = more;
    w->room = room;
  }
  unsigned char *out = w->bytes + w->size;
  w->size += size;
  if (size > 0) memset(out + size - 8, 0, 8);
  return out;
}

static void write_number(writer *w, uint64_t x) {
  unsigned char *out = extend(w, sizeof x);
  if (out != NULL) memcpy(out, &x, sizeof x);
}

static void write_text(writer *w, const char *text) {
  const size_t size = strlen(text) + 1;
  write_number(w, size);
  unsigned char *out = extend(w, size);
  if (out != NULL) memcpy(out, text, size);
}

static void write_checkpoints(writer *w, const far_cell *c, const far_cell *before) {
  const size_t size = c->n_checkpoints * sizeof *c->checkpoints;
  if (before != NULL && before->n_checkpoints == c->n_checkpoints &&
      (size == 0 || memcmp(before->checkpoints, c->checkpoints, size) == 0)) {
    write_number(w, AS_BEFORE);
    return;
  }
  write_number(w, c->n_checkpoints);
  unsigned char *out = extend(w, size);
  if (out != NULL && size > 0) memcpy(out, c->checkpoints, size);
}

/* ---- the models of a batch ---- */

typedef struct models {
  const far_mdp **distinct;
  size_t count;
  size_t *of_cell;
} models;

/* The index of a model, m->count if it is new. `guess` is that of the previous cell: cells of one model usually
 * follow each other. */
static size_t index_of(const models *m, const far_mdp *mdp, size_t guess) {
  if (guess < m->count && m->distinct[guess] == mdp) return guess;
  for (size_t k = 0; k < m->count; ++k)
    if (m->distinct[k] == mdp) return k;
  return m->count;
}

static far_status find_models(models *m, const far_batch_def *def, far_error *error) {
  *m = (models){.distinct = calloc(def->n_cells, sizeof *m->distinct),
                .of_cell = calloc(def->n_cells, sizeof *m->of_cell)};
  if (m->distinct == NULL || m->of_cell == NULL)
    return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory to describe the batch");
  for (size_t i = 0; i < def->n_cells; ++i) {
    const far_mdp *mdp = def->cells[i].mdp;
    if (mdp == NULL)
      return far__rank_fail(error, FAR_STATUS_CONFLICT,
                            "cell %zu has a simulator, which only this process can run", i);
    const size_t k = index_of(m, mdp, i > 0 ? m->of_cell[i - 1] : 0);
    if (k == m->count) m->distinct[m->count++] = mdp;
    m->of_cell[i] = k;
    if (far_mdp_spec(mdp)[0] == '\0')
      return far__rank_fail(error, FAR_STATUS_CONFLICT,
                            "the model of cell %zu was built by hand; other ranks can only make "
                            "models that have a spec, such as file:PATH",
                            i);
  }
  return FAR_OK;
}

/* Does the spec name a file (file:PATH or map=@PATH)? */
static bool reads_file(const char *spec) {
  return strncmp(spec, "file:", 5) == 0 || strstr(spec, "=@") != NULL;
}

/* The hash of a model that is read from a file, since its spec does not determine the content; "" for other models. */
static void hash_of(char out[FAR_HASH_TEXT], const far_mdp *mdp) {
  out[0] = '\0';
  if (reads_file(far_mdp_spec(mdp))) far_mdp_hash(out, mdp);
}

static void write_batch(writer *w, const far_batch_def *def, const models *m, unsigned threads,
                        far_device device) {
  char hash[FAR_HASH_TEXT];
  write_number(w, MARK);
  write_text(w, far_version());
  const uint64_t numbers[] = {(uint64_t)far_numerics(),
                              threads,
                              (uint64_t)def->runs,
                              def->seed,
                              def->first_replicate,
                              def->generic,
                              def->agent_seed,
                              def->lanes,
                              device};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) write_number(w, numbers[i]);
  write_number(w, def->n_metrics);
  for (size_t k = 0; k < def->n_metrics; ++k) write_text(w, def->metrics[k]->name);
  write_number(w, m->count);
  for (size_t k = 0; k < m->count; ++k) {
    write_text(w, far_mdp_spec(m->distinct[k]));
    hash_of(hash, m->distinct[k]);
    write_text(w, hash);
  }
  write_number(w, def->n_cells);
  for (size_t i = 0; i < def->n_cells; ++i) {
    write_number(w, m->of_cell[i]);
    write_text(w, def->cells[i].agent);
    write_number(w, (uint64_t)def->cells[i].steps);
    write_number(w, (uint64_t)def->cells[i].episodes);
    write_number(w, (uint64_t)far__batch_runs(def, i));
    write_checkpoints(w, &def->cells[i], i > 0 ? &def->cells[i - 1] : NULL);
  }
}

far_status far__batch_pack(void **bytes, size_t *size, const far_batch_def *def, unsigned threads,
                           far_device device, far_error *error) {
  models m;
  writer w = {0};
  *bytes = NULL;
  far_status status = find_models(&m, def, error);
  if (status == FAR_OK) write_batch(&w, def, &m, threads, device);
  if (status == FAR_OK && w.full)
    status = far__rank_fail(error, FAR_STATUS_MEMORY, "no memory to describe the batch");
  free(m.distinct);
  free(m.of_cell);
  if (status != FAR_OK) free(w.bytes);
  if (status != FAR_OK) return status;
  *bytes = w.bytes;
  *size = w.size;
  return FAR_OK;
}

/* ---- reading ---- */

typedef struct reader {
  const unsigned char *at;
  size_t left;
  bool bad; /* the description ended too early, or is none */
} reader;

/* The next `count` items of `each` bytes, in place; NULL if the description ends before. */
static const void *read_bytes(reader *r, uint64_t count, size_t each) {
  if (count > r->left / each) {
    r->bad = true;
    return NULL;
  }
  const size_t size = ((size_t)count * each + 7) / 8 * 8;
  const unsigned char *out = r->at;
  r->bad = r->bad || size > r->left;
  if (r->bad) return NULL;
  r->at += size;
  r->left -= size;
  return out;
}

static uint64_t read_number(reader *r) {
  uint64_t x = 0;
  const void *at = read_bytes(r, 1, sizeof x);
  if (at != NULL) memcpy(&x, at, sizeof x);
  return x;
}

static const char *read_text(reader *r) {
  const uint64_t size = read_number(r);
  const char *text = read_bytes(r, size, 1);
  r->bad = r->bad || size == 0 || text == NULL || text[size - 1] != '\0';
  return r->bad ? "" : text;
}

/* A count of items that take at least 8 bytes each, so that the rest of the description bounds it. */
static size_t read_count(reader *r) {
  const uint64_t count = read_number(r);
  if (count <= r->left / 8) return (size_t)count;
  r->bad = true;
  return 0;
}

/* Do the checkpoints ascend, up to the end of the run? A batch checks the same on rank 0. */
static bool ascend(const far_cell *c) {
  int64_t last = 0;
  for (size_t k = 0; k < c->n_checkpoints; last = c->checkpoints[k++])
    if (c->checkpoints[k] <= last) return false;
  return last <= (c->episodes > 0 ? c->episodes : c->steps);
}

static void read_cell(reader *r, far__remote_batch *plan, size_t i) {
  far_cell *c = &plan->cells[i];
  const uint64_t model = read_number(r);
  plan->model_of[i] = (size_t)model;
  c->agent = read_text(r);
  c->steps = (int64_t)read_number(r);
  c->episodes = (int64_t)read_number(r);
  c->runs = (int64_t)read_number(r);
  const uint64_t count = read_number(r);
  if (count == AS_BEFORE && i > 0) {
    c->checkpoints = plan->cells[i - 1].checkpoints;
    c->n_checkpoints = plan->cells[i - 1].n_checkpoints;
  } else {
    c->checkpoints = read_bytes(r, count, sizeof *c->checkpoints);
    c->n_checkpoints = c->checkpoints != NULL ? (size_t)count : 0;
  }
  r->bad = r->bad || model >= plan->n_models || c->steps < 1 || c->episodes < 0 || c->runs < 1 ||
           !ascend(c);
}

static far_status no_memory(far_error *error) {
  return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for the batch");
}

static far_status read_metrics(far__remote_batch *plan, reader *r, far_error *error) {
  const size_t count = read_count(r);
  plan->metrics = calloc(count + 1, sizeof *plan->metrics);
  if (plan->metrics == NULL) return no_memory(error);
  plan->def.metrics = (const far_metric *const *)plan->metrics;
  far_status status = FAR_OK;
  for (; status == FAR_OK && plan->def.n_metrics < count && !r->bad; ++plan->def.n_metrics)
    status = far_metric_create(&plan->metrics[plan->def.n_metrics], read_text(r), error);
  return status;
}

static far_status read_cells(far__remote_batch *plan, reader *r, far_error *error) {
  const size_t count = read_count(r);
  plan->specs = calloc(count + 1, sizeof *plan->specs);
  plan->hashes = calloc(count + 1, sizeof *plan->hashes);
  plan->mdps = calloc(count + 1, sizeof *plan->mdps);
  if (plan->specs == NULL || plan->hashes == NULL || plan->mdps == NULL) return no_memory(error);
  for (; plan->n_models < count; ++plan->n_models) {
    plan->specs[plan->n_models] = read_text(r);
    plan->hashes[plan->n_models] = read_text(r);
  }
  const size_t cells = read_count(r);
  plan->cells = calloc(cells + 1, sizeof *plan->cells);
  plan->model_of = calloc(cells + 1, sizeof *plan->model_of);
  if (plan->cells == NULL || plan->model_of == NULL) return no_memory(error);
  plan->def.cells = plan->cells;
  for (; plan->def.n_cells < cells && !r->bad; ++plan->def.n_cells)
    read_cell(r, plan, plan->def.n_cells);
  return FAR_OK;
}

/* Requires the version of rank 0: other versions may compute different bits. */
static far_status check_version(reader *r, far_error *error) {
  const bool marked = read_number(r) == MARK;
  const char *version = read_text(r);
  const uint64_t numerics = read_number(r);
  if (marked && !r->bad && strcmp(version, far_version()) == 0 &&
      numerics == (uint64_t)far_numerics())
    return FAR_OK;
  return far__rank_fail(error, FAR_STATUS_MISMATCH,
                        "here is farsight %s, on rank 0 is %s: all ranks must be started from the "
                        "same version, on machines of one kind",
                        far_version(), marked && !r->bad ? version : "another");
}

static far_status read_batch(far__remote_batch *plan, reader *r, far_error *error) {
  far_status status = check_version(r, error);
  if (status != FAR_OK) return status;
  plan->def.threads = (unsigned)read_number(r);
  plan->def.runs = (int64_t)read_number(r);
  plan->def.seed = read_number(r);
  plan->def.first_replicate = read_number(r);
  plan->def.generic = read_number(r) != 0;
  plan->def.agent_seed = read_number(r);
  plan->def.lanes = (unsigned)read_number(r);
  const uint64_t device = read_number(r);
  r->bad = r->bad || device > FAR_DEVICE_AUTO;
  plan->device = r->bad ? FAR_DEVICE_CPU : (far_device)device;
  status = read_metrics(plan, r, error);
  if (status == FAR_OK) status = read_cells(plan, r, error);
  if (status == FAR_OK && r->bad)
    status = far__rank_fail(error, FAR_STATUS_FORMAT, "the description of the batch is damaged");
  return status;
}

far_status far__batch_unpack(far__remote_batch *plan, void *bytes, size_t size, far_error *error) {
  reader r = {.at = bytes, .left = size};
  *plan = (far__remote_batch){.bytes = bytes};
  const far_status status = read_batch(plan, &r, error);
  if (status != FAR_OK) far__remote_batch_free(plan);
  return status;
}

/* ---- models, on the other rank ---- */

void far__remote_batch_adopt(far__remote_batch *plan, far__remote_batch *earlier) {
  for (size_t k = 0; k < plan->n_models; ++k)
    for (size_t j = 0; j < earlier->n_models && plan->mdps[k] == NULL; ++j) {
      if (earlier->mdps[j] == NULL || strcmp(plan->specs[k], earlier->specs[j]) != 0 ||
          strcmp(plan->hashes[k], earlier->hashes[j]) != 0)
        continue;
      plan->mdps[k] = earlier->mdps[j];
      earlier->mdps[j] = NULL;
    }
}

/* Makes a model and compares its hash with rank 0's. A model that differs is not kept, since a later batch would
 * take it over. */
static far_status make_model(far__remote_batch *plan, size_t k, far_error *error) {
  char hash[FAR_HASH_TEXT];
  const far_status status = far_mdp_create(&plan->mdps[k], plan->specs[k], error);
  if (status != FAR_OK) return status;
  hash_of(hash, plan->mdps[k]);
  if (strcmp(hash, plan->hashes[k]) == 0) return FAR_OK;
  far_mdp_free(plan->mdps[k]);
  plan->mdps[k] = NULL;
  return far__rank_fail(error, FAR_STATUS_MISMATCH,
                        "%.200s holds another model here than on rank 0: all ranks must see the "
                        "same file",
                        plan->specs[k]);
}

far_status far__remote_batch_model(far__remote_batch *plan, size_t cell, far_error *error) {
  const size_t k = plan->model_of[cell];
  const far_status status = plan->mdps[k] == NULL ? make_model(plan, k, error) : FAR_OK;
  if (status == FAR_OK) plan->cells[cell].mdp = plan->mdps[k];
  return status;
}

void far__remote_batch_free(far__remote_batch *plan) {
  for (size_t k = 0; k < plan->n_models; ++k) far_mdp_free(plan->mdps[k]);
  for (size_t k = 0; k < plan->def.n_metrics; ++k) far_metric_free(plan->metrics[k]);
  free(plan->mdps);
  free(plan->metrics);
  free(plan->specs);
  free(plan->hashes);
  free(plan->cells);
  free(plan->model_of);
  free(plan->bytes);
  *plan = (far__remote_batch){0};
}
