/* What rank 0 tells another rank of an MPI job, without MPI: batches, blocks, stops, in any order. The description of a
 * batch is made of the input by the writer of rank 0, and then damaged; plain bytes are the target `ranks`. */
#include "grammar.h"
#include "run/mpi/rank-worker.h"

/* Large models are slow, not wrong, and no files are read. */
static far_status create_small(far_mdp **out, const char *spec, far_error *error) {
  const bool refused = is_large(spec) || strpbrk(spec, "@/") != NULL;
  return far_mdp_create(out, refused ? "" : spec, error);
}
#define far_mdp_create create_small
#include "run/mpi/batch-codec.c"
#undef far_mdp_create

enum { CELLS = 4, MODELS = 4, METRICS = 3, QUIET = 20 };

/* ---- the input ---- */

static struct {
  const uint8_t *at, *end;
  unsigned char *description; /* that rank 0 broadcasts next */
  size_t description_size;
  size_t out;      /* blocks that the rank has */
  bool in_batch;   /* it is ready, and has not failed */
  unsigned silent; /* looks without a message, at the end */
} job;

static unsigned byte(void) {
  return job.at < job.end ? *job.at++ : 0;
}

/* A small number, or one at the edges. */
static uint64_t number(void) {
  static const uint64_t odd[] = {
      UINT64_MAX,        INT64_MAX,         UINT64_C(1) << 61, UINT64_MAX - 1,
      UINT64_C(1) << 63, UINT64_C(1) << 60, UINT32_MAX,        (uint64_t)INT64_MAX / 16};
  const unsigned x = byte();
  return x < 192 ? x : odd[x % (sizeof odd / sizeof *odd)];
}

/* ---- a batch ---- */

static const far_mdp *model_at(size_t k) {
  static const char *const specs[MODELS] = {"chain:n=4", "loop", "frozen-lake", "riverswim"};
  static far_mdp *made[MODELS];
  if (made[k] == NULL) expect(far_mdp_create(&made[k], specs[k], NULL) == FAR_OK);
  return made[k];
}

static const far_metric *metric_at(size_t k) {
  static const char *const specs[METRICS] = {"coverage", "return", "regret"};
  static far_metric *made[METRICS];
  if (made[k] == NULL) expect(far_metric_create(&made[k], specs[k], NULL) == FAR_OK);
  return made[k];
}

static far_cell read_one(int64_t checkpoints[CELLS]) {
  far_cell cell = {.checkpoints = checkpoints};
  cell.mdp = model_at(byte() % MODELS);
  cell.agent = far_agent_type(byte() % length_of(far_agent_type))->name;
  cell.steps = 1 + (int64_t)byte();
  cell.runs = 1 + (int64_t)byte() % 8;
  cell.n_checkpoints = byte() % CELLS;
  if (cell.steps < CELLS) cell.n_checkpoints = 0;
  for (size_t k = 0; k < CELLS; ++k) checkpoints[k] = 1 + (int64_t)k * cell.steps / CELLS;
  return cell;
}

/* Words and bytes of it are changed, and its end is cut off. */
static void damage(unsigned char *bytes, size_t *size) {
  for (unsigned n = byte() % 4; n > 0; --n) {
    const size_t word = byte() % (*size / 8) * 8;
    const bool whole = byte() % 2 == 0;
    const uint64_t x = number();
    if (whole)
      memcpy(bytes + word, &x, sizeof x);
    else
      bytes[word + x % 8] ^= (unsigned char)byte();
  }
  *size -= byte() % 16 == 1 ? byte() % *size : 0;
}

/* Mostly of the right length. */
static far__message message_of(far__tag tag, const void *bytes, size_t size) {
  far__message m = {.tag = tag, .size = byte() % 16 == 1 ? byte() : size};
  m.bytes = m.size > 0 ? calloc(1, m.size) : NULL;
  if (m.size > 0) memcpy(m.bytes, bytes, m.size < size ? m.size : size);
  return m;
}

static far__message batch_message(void) {
  far_cell cells[CELLS];
  const far_metric *metrics[METRICS];
  int64_t checkpoints[CELLS][CELLS];
  void *bytes;
  for (size_t k = 0; k < METRICS; ++k) metrics[k] = metric_at(k);
  far_batch_def def = {.cells = cells, .runs = 1, .metrics = metrics, .seed = byte()};
  const unsigned threads = byte() % 3;
  const far_device device = byte() % 8 == 1 ? FAR_DEVICE_AUTO : FAR_DEVICE_CPU;
  def.n_metrics = byte() % 8;
  if (def.n_metrics > METRICS) def.n_metrics = 0;
  def.lanes = byte();
  def.generic = byte() % 2 == 1;
  for (size_t n = 1 + byte() % CELLS; def.n_cells < n; ++def.n_cells)
    cells[def.n_cells] = read_one(checkpoints[def.n_cells]);
  free(job.description);
  expect(far__batch_pack(&bytes, &job.description_size, &def, threads, device, NULL) == FAR_OK);
  job.description = bytes;
  damage(job.description, &job.description_size);
  const uint64_t told = byte() % 16 == 1 ? number() : job.description_size;
  return message_of(FAR__TAG_BATCH, &told, sizeof told);
}

/* ---- other messages ---- */

static far__message block_message(void) {
  far__block_message head = {.cell = number()};
  head.first = (int64_t)number();
  head.runs = (int64_t)number();
  head.on_device = byte() % 8 == 1;
  job.out += 1;
  return message_of(FAR__TAG_BLOCK, &head, sizeof head);
}

static far__message next_message(unsigned kind) {
  if (kind <= 2) return batch_message();
  if (kind <= 6) return block_message();
  return (far__message){.tag = (far__tag)(FAR__TAG_STOP + byte() % 8)};
}

/* At the end the rank has some time for what is out. */
far_status far__transport_poll(far__transport *transport, far__message *message, bool *got,
                               far_error *error) {
  (void)transport, (void)error;
  if (job.at == job.end) {
    *got = job.out == 0 || !job.in_batch || ++job.silent > QUIET;
    *message = (far__message){.tag = FAR__TAG_BYE};
  } else {
    const unsigned kind = byte() % 8;
    *got = kind > 0;
    if (*got) *message = next_message(kind);
  }
  return FAR_OK;
}

void far__transport_broadcast(far__transport *transport, void *bytes, size_t size) {
  (void)transport;
  expect(size <= INT32_MAX); /* no message of MPI is longer */
  memset(bytes, 0xa5, size);
  if (job.description_size < size) size = job.description_size;
  if (size > 0) memcpy(bytes, job.description, size);
}

/* ---- what the rank says ---- */

static void check_result(const void *bytes, size_t size) {
  far__block_message head;
  double sum = 0;
  expect(job.in_batch && job.out > 0 && size >= sizeof head);
  job.out -= 1;
  memcpy(&head, bytes, sizeof head);
  expect(head.runs >= 0 && (size - sizeof head) % sizeof(double) == 0);
  const double *values = (const double *)((const char *)bytes + sizeof head);
  for (size_t i = 0; i < (size - sizeof head) / sizeof *values; ++i) sum += values[i];
  expect(sum == sum || sum != sum);
}

far_status far__transport_send(far__transport *transport, int to, far__tag tag, const void *bytes,
                               size_t size, far_error *error) {
  (void)transport, (void)error;
  expect(to == 0);
  if (tag == FAR__TAG_RESULT) {
    check_result(bytes, size);
  } else if (tag == FAR__TAG_READY) {
    expect(size >= sizeof(far__ready_message));
    job.in_batch = true;
    job.out = 0;
  } else if (tag == FAR__TAG_ERROR) {
    const far_error *said = bytes;
    expect(size == sizeof *said && said->code != FAR_OK && said->message[0] != '\0');
    expect(memchr(said->message, '\0', sizeof said->message) != NULL);
    job.in_batch = false;
  } else {
    expect(tag == FAR__TAG_DONE && (size == 0 || size == sizeof(far_device_info)));
    job.in_batch = false;
  }
  return FAR_OK;
}

void far__transport_abort(const far__transport *transport, const char *reason) {
  (void)transport;
  expect(reason[0] != '\0');
}
double far__nap_after(double nap, double most) {
  (void)nap;
  return most < 1e-3 ? most : 1e-3;
}
void far__transport_sleep(far__transport *transport, double seconds) {
  (void)transport, (void)seconds;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  far__transport transport = {.rank = 1, .size = 2, .host = "here"};
  job.at = data;
  job.end = data + size;
  job.out = job.silent = 0;
  job.in_batch = false;
  far__rank_work(&transport);
  free(job.description);
  job.description = NULL;
  job.description_size = 0;
  return 0;
}
