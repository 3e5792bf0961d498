/* Any bytes as what the processes of an MPI job send each other, without MPI: the description of a batch, behind the mark
 * and the version that are checked first, and the messages that rank 0 takes in. */
#include "fuzz.h"
#include "run/blocks.h"
#include "run/mpi/pool.c"

enum { RANKS = 4, CELLS = 3 };

/* ---- no MPI ---- */

far_status far__transport_send(far__transport *transport, int to, far__tag tag, const void *bytes,
                               size_t size, far_error *error) {
  (void)transport, (void)to, (void)tag, (void)bytes, (void)size, (void)error;
  return FAR_OK;
}
far_status far__transport_poll(far__transport *transport, far__message *message, bool *got,
                               far_error *error) {
  (void)transport, (void)message, (void)error;
  *got = false;
  return FAR_OK;
}
void far__transport_broadcast(far__transport *transport, void *bytes, size_t size) {
  (void)transport, (void)bytes, (void)size;
}
double far__nap_after(double nap, double most) {
  (void)nap;
  return most;
}
void far__transport_sleep(far__transport *transport, double seconds) {
  (void)transport, (void)seconds;
}

/* ---- the description of a batch ---- */

static void check_cells(const far__remote_batch *plan, const char *end) {
  expect(plan->device <= FAR_DEVICE_AUTO);
  for (size_t i = 0; i < plan->def.n_cells; ++i) {
    const far_cell *c = &plan->cells[i];
    const char *checkpoints = (const char *)c->checkpoints;
    expect(plan->model_of[i] < plan->n_models && c->steps >= 1 && c->runs >= 1);
    expect(c->agent + strlen(c->agent) < end);
    expect(c->n_checkpoints == 0 ||
           (size_t)(end - checkpoints) / sizeof *c->checkpoints >= c->n_checkpoints);
  }
  for (size_t k = 0; k < plan->n_models; ++k)
    expect(strlen(plan->specs[k]) + strlen(plan->hashes[k]) < (size_t)(end - (char *)plan->bytes));
}

static char *append(char *to, const void *bytes, size_t size) {
  if (size > 0) memcpy(to, bytes, size);
  return to + size;
}

static void check_description(const uint8_t *data, size_t size) {
  const uint64_t mark = 0x4641525349474854, numerics = (uint64_t)far_numerics();
  const uint64_t version_size = strlen(far_version()) + 1;
  const size_t padded = (size_t)(version_size + 7) / 8 * 8, whole = 3 * 8 + padded + size;
  char *bytes = calloc(1, whole), *at = bytes;
  if (bytes == NULL) abort();
  at = append(at, &mark, 8);
  at = append(at, &version_size, 8);
  memcpy(at, far_version(), (size_t)version_size);
  at += padded;
  at = append(at, &numerics, 8);
  at = append(at, data, size);
  far__remote_batch plan;
  far_error error = {FAR_OK, -1, ""};
  const far_status status = far__batch_unpack(&plan, bytes, whole, &error);
  if (status == FAR_OK)
    check_cells(&plan, at);
  else
    expect(status != FAR_STATUS_MISMATCH && error.code == status && error.message[0] != '\0');
  far__remote_batch_free(&plan);
}

/* ---- what rank 0 is told ---- */

static void check_result(const ranks_pool *c, const far_block *block) {
  expect(block->cell < c->def.n_cells && block->runs >= 0);
  double sum = 0;
  const size_t count = (size_t)block->runs * far__batch_width(&c->def, block->cell);
  for (size_t i = 0; i < count; ++i) sum += block->values[i]; /* all of them are there */
  expect(sum == sum || sum != sum);
  free((double *)block->values);
}

static void take_message(ranks_pool *c, far__message *m) {
  far_error error = {FAR_OK, -1, ""};
  far_block block = {0};
  far_status status = FAR_OK;
  switch (m->tag) {
  case FAR__TAG_READY: status = take_ready(c, m, &error); break;
  case FAR__TAG_DONE: take_done(c, m); break;
  case FAR__TAG_ERROR: status = take_error(m, &error); break;
  case FAR__TAG_RESULT:
    status = take_result(c, m, &block, &error);
    if (status == FAR_OK) check_result(c, &block);
    break;
  default: status = strange(&error, m);
  }
  if (status != FAR_OK) expect(memchr(error.message, '\0', sizeof error.message) != NULL);
  free(m->bytes);
}

/* A tag, a rank, a length in two bytes and as many bytes, again and again; a block is handed out after each. */
static void check_messages(const uint8_t *data, size_t size) {
  static const int64_t checkpoints[] = {5, 10};
  static const far_cell cells[CELLS] = {{.agent = "random", .steps = 10, .runs = 4},
                                        {.checkpoints = checkpoints, .n_checkpoints = 2, .runs = 9},
                                        {.steps = 1, .runs = 1}};
  far__transport transport = {.size = RANKS};
  ranks_pool c = {.transport = &transport, .def = {.cells = cells, .n_cells = CELLS, .runs = 4}};
  expect(far__devices_make(&c.devices, RANKS) && far__devices_begin(&c.devices));
  expect(far__least_busy_make(&c.ranks_by_load, RANKS, 8));
  for (size_t at = 0; at + 4 <= size;) {
    far__message m = {.from = data[at + 1] % RANKS,
                      .tag = (far__tag)(data[at] % 10),
                      .size = data[at + 2] + 256u * data[at + 3]};
    at += 4;
    if (m.size > size - at) m.size = size - at;
    m.bytes = m.size > 0 ? malloc(m.size) : NULL;
    if (m.size > 0) memcpy(m.bytes, data + at, m.size);
    at += m.size;
    take_message(&c, &m);
    (void)far__least_busy_take(&c.ranks_by_load);
    (void)far__least_busy_take(&c.devices.by_load);
    for (size_t i = 0; i < CELLS; ++i) (void)far__devices_take(&c.devices, i);
  }
  (void)far__devices_info(&c.devices);
  far__devices_end(&c.devices);
  far__least_busy_free(&c.ranks_by_load);
  far__devices_free(&c.devices);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 2 == 0)
    check_description(data + 1, size - 1);
  else
    check_messages(data + 1, size - 1);
  return 0;
}
