/* The pool of all ranks, on rank 0. Rank 0's own threads count as one of the ranks. */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "batch-codec.h"
#include "devices.h"
#include "fail.h"
#include "least-busy.h"
#include "run/blocks.h"

typedef struct ranks_pool {
  far_pool base;
  far__transport *transport;
  far_pool *own;     /* rank 0's threads, and its device */
  far_pool *devised; /* the pool of rank 0 with a device, kept between batches; or NULL */
  far_batch_def def;
  size_t workers;
  bool stopping;
  far__least_busy ranks_by_load;
  far__devices devices;
} ranks_pool;

/* The longest sleep of rank 0 while blocks are out, in seconds: a result may wait for so long. */
static const double LONGEST_NAP = 1e-3;

bool far__never(void *user, const far_progress *progress) {
  (void)user;
  (void)progress;
  return true;
}

static far_status to_all(ranks_pool *c, far__tag tag, const void *bytes, size_t size,
                         far_error *error) {
  far_status status = FAR_OK;
  for (int rank = 1; rank < c->transport->size && status == FAR_OK; ++rank)
    status = far__transport_send(c->transport, rank, tag, bytes, size, error);
  return status;
}

/* ---- what comes in ---- */

static far_status strange(far_error *error, const far__message *m) {
  return far__rank_fail(error, FAR_STATUS_FORMAT,
                        "rank %d sent something unexpected (%d, %zu bytes)", m->from, (int)m->tag,
                        m->size);
}

/* A block has come back from a rank; false if that rank had none. A device that returns 0 runs, although no stop was
 * requested, has failed. */
static bool settle(ranks_pool *c, int rank, bool on_device, int64_t runs) {
  if (!on_device) return far__least_busy_return(&c->ranks_by_load, rank);
  if (runs == 0 && !c->stopping) far__devices_lose(&c->devices, rank);
  return far__least_busy_return(&c->devices.by_load, rank);
}

/* Takes a result. Its numbers follow the header in the message; they are moved to the front, and the block takes
 * over the memory. */
static far_status take_result(ranks_pool *c, far__message *m, far_block *block, far_error *error) {
  far__block_message head;
  if (m->size < sizeof head) return strange(error, m);
  memcpy(&head, m->bytes, sizeof head);
  const size_t left = m->size - sizeof head;
  if (head.cell >= c->def.n_cells || head.runs < 0 ||
      (uint64_t)head.runs > left / sizeof(double) / far__batch_width(&c->def, (size_t)head.cell) ||
      !settle(c, m->from, head.on_device != 0, head.runs))
    return strange(error, m);
  memmove(m->bytes, (char *)m->bytes + sizeof head, left);
  *block = (far_block){.cell = (size_t)head.cell,
                       .first = head.first,
                       .runs = head.runs,
                       .seconds = head.seconds,
                       .values = m->bytes,
                       .on_device = head.on_device != 0};
  m->bytes = NULL;
  return FAR_OK;
}

static far_status take_error(const far__message *m, far_error *error) {
  far_error told;
  if (m->size != sizeof told) return strange(error, m);
  memcpy(&told, m->bytes, sizeof told);
  told.message[sizeof told.message - 1] = '\0';
  if (error != NULL) *error = told;
  return told.code != FAR_OK ? told.code : FAR_STATUS_FORMAT;
}

static far_status take_ready(ranks_pool *c, const far__message *m, far_error *error) {
  far__ready_message ready;
  const size_t lanes_size = c->def.n_cells * sizeof(int64_t);
  const bool has_device = m->size == sizeof ready + lanes_size;
  const bool again = c->ranks_by_load.limit[m->from] > 0 || c->devices.lanes[m->from] != NULL;
  if (again || (m->size != sizeof ready && !has_device)) return strange(error, m);
  memcpy(&ready, m->bytes, sizeof ready);
  c->workers += (size_t)ready.workers;
  far__least_busy_open(&c->ranks_by_load, m->from, (size_t)ready.room);
  int64_t *lanes = has_device ? malloc(lanes_size) : NULL;
  if (lanes != NULL) memcpy(lanes, (const char *)m->bytes + sizeof ready, lanes_size);
  far__devices_open(&c->devices, m->from, lanes, (size_t)ready.device_room);
  return FAR_OK;
}

/* Takes the device info of a rank. Terminates its texts, and makes sure that the runs of all ranks can be added. */
static void take_done(ranks_pool *c, const far__message *m) {
  far_device_info *info = &c->devices.infos[m->from];
  if (m->size != sizeof *info) return;
  memcpy(info, m->bytes, sizeof *info);
  char *const texts[] = {info->name, info->failure, info->choice};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) texts[i][FAR_DEVICE_TEXT - 1] = '\0';
  if (info->runs < 0 || info->runs > INT64_MAX / c->transport->size) info->runs = 0;
}

/* Waits for `count` messages of this kind. Other messages are dropped, except for errors; the first error is
 * returned. A rank that failed never sends READY but sends DONE. */
static far_status await(ranks_pool *c, far__tag tag, int count, far_error *error) {
  far_status status = FAR_OK;
  double nap = 0;
  while (count > 0) {
    far__message m;
    bool got;
    far_error problem;
    far_status here = far__transport_poll(c->transport, &m, &got, &problem);
    if (got) {
      if (m.tag == FAR__TAG_ERROR) here = take_error(&m, &problem);
      if (m.tag == FAR__TAG_READY) here = take_ready(c, &m, &problem);
      if (m.tag == FAR__TAG_DONE) take_done(c, &m);
      count -= m.tag == tag || (m.tag == FAR__TAG_ERROR && tag == FAR__TAG_READY);
      free(m.bytes);
    } else {
      nap = far__nap_after(nap, LONGEST_NAP);
      far__transport_sleep(c->transport, nap);
    }
    if (here != FAR_OK && status == FAR_OK && error != NULL) *error = problem;
    if (here != FAR_OK && status == FAR_OK) status = here;
  }
  return status;
}

/* ---- what the batch calls ---- */

static void finish(ranks_pool *c) {
  (void)to_all(c, FAR__TAG_END, NULL, 0, NULL);
  (void)await(c, FAR__TAG_DONE, c->transport->size - 1, NULL);
  far__least_busy_free(&c->ranks_by_load);
  if (c->own == c->devised)
    c->devices.infos[0] = far_device_pool_info(c->own);
  else
    far_pool_free(c->own);
  far__devices_end(&c->devices);
  c->own = NULL;
}

static far_status describe(ranks_pool *c, far_error *error) {
  void *bytes;
  size_t size;
  far_status status =
      far__batch_pack(&bytes, &size, &c->def, c->def.threads, c->devices.wanted, error);
  if (status != FAR_OK) return status;
  const uint64_t told = size;
  if (size > INT32_MAX)
    status = far__rank_fail(error, FAR_STATUS_RANGE,
                            "%zu cells take %zu bytes to describe, more than an MPI message holds",
                            c->def.n_cells, size);
  else
    status = to_all(c, FAR__TAG_BATCH, &told, sizeof told, error);
  if (status == FAR_OK) far__transport_broadcast(c->transport, bytes, size);
  free(bytes);
  return status;
}

/* Begins the batch on rank 0 while the other ranks get ready. */
static far_status begin_all(ranks_pool *c, far_error *error) {
  far_status status = c->own->begin(c->own, &c->def, error);
  const bool begun = status == FAR_OK;
  if (begun) status = await(c, FAR__TAG_READY, c->transport->size - 1, error);
  if (begun && status != FAR_OK) c->own->end(c->own);
  if (status != FAR_OK) return status;
  c->workers += c->own->workers(c->own);
  far__least_busy_open(&c->ranks_by_load, 0, c->own->room(c->own));
  int64_t *lanes = far__devices_lanes(c->own, &c->def);
  if (lanes != NULL) far__devices_open(&c->devices, 0, lanes, c->own->device_room(c->own));
  return FAR_OK;
}

far_status far__rank_device_create(far_pool **out, const far__transport *transport,
                                   far_device device, unsigned threads, far_error *error) {
  far_device_def def = far_device_def_default();
  def.device = device;
  def.number = transport->local;
  def.workers = threads * (unsigned)transport->size;
  return far_device_pool_create(out, &def, error);
}

static far_status make_own(ranks_pool *c, far_error *error) {
  far_status status = FAR_OK;
  if (c->devices.wanted == FAR_DEVICE_CPU) return far_pool_create(&c->own, c->def.threads, error);
  if (c->devised == NULL)
    status = far__rank_device_create(&c->devised, c->transport, c->devices.wanted, c->def.threads,
                                     error);
  c->own = c->devised;
  return status;
}

static far_status pool_begin(far_pool *pool, const far_batch_def *def, far_error *error) {
  ranks_pool *c = (ranks_pool *)pool;
  if (def->snapshots > 0)
    return far__rank_fail(error, FAR_STATUS_CONFLICT,
                          "snapshots are not sent between ranks: run this without mpirun, or "
                          "without snapshots");
  c->def = *def;
  c->def.threads = def->threads > 0 ? def->threads : 1;
  c->def.progress = far__never;
  c->workers = 0;
  c->stopping = false;
  far_status status = make_own(c, error);
  if (status != FAR_OK) return status;
  if (!far__least_busy_make(&c->ranks_by_load, c->transport->size, 4 * (size_t)c->def.threads) ||
      !far__devices_begin(&c->devices))
    status = far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for %d ranks", c->transport->size);
  if (status == FAR_OK) status = describe(c, error);
  if (status != FAR_OK) {
    far__least_busy_free(&c->ranks_by_load);
    if (c->own != c->devised) far_pool_free(c->own);
    return status;
  }
  status = begin_all(c, error);
  if (status != FAR_OK) finish(c);
  return status;
}

static size_t pool_workers(const far_pool *pool) {
  return ((const ranks_pool *)pool)->workers;
}

static size_t pool_room(const far_pool *pool) {
  return ((const ranks_pool *)pool)->ranks_by_load.room;
}

static size_t pool_device_room(const far_pool *pool) {
  return ((const ranks_pool *)pool)->devices.by_load.room;
}

static int64_t pool_takes(const far_pool *pool, size_t cell) {
  return far__devices_take(&((const ranks_pool *)pool)->devices, cell);
}

static far_status pool_give(far_pool *pool, const far_block *block, far_error *error) {
  ranks_pool *c = (ranks_pool *)pool;
  const int rank = far__least_busy_take(block->on_device ? &c->devices.by_load : &c->ranks_by_load);
  if (rank < 0) return far__rank_fail(error, FAR_STATUS_RANGE, "no rank has room for a block");
  if (rank == 0) return c->own->give(c->own, block, error);
  const far__block_message head = {block->cell, block->first, block->runs, 0, block->on_device};
  const double begun = far__clock_seconds();
  const far_status status =
      far__transport_send(c->transport, rank, FAR__TAG_BLOCK, &head, sizeof head, error);
  c->transport->traffic.seconds += far__clock_seconds() - begun;
  return status;
}

static far_status take_own(ranks_pool *c, far_block *block, bool *got, double seconds,
                           far_error *error) {
  const far_status status = c->own->take(c->own, block, got, seconds, error);
  if (*got) (void)settle(c, 0, block->on_device, block->runs);
  return status;
}

static far_status take_other(ranks_pool *c, far_block *block, bool *got, far_error *error) {
  far__message m;
  const double begun = far__clock_seconds();
  far_status status = far__transport_poll(c->transport, &m, got, error);
  if (status != FAR_OK || !*got) return status;
  if (m.tag == FAR__TAG_RESULT)
    status = take_result(c, &m, block, error);
  else
    status = m.tag == FAR__TAG_ERROR ? take_error(&m, error) : strange(error, &m);
  free(m.bytes);
  c->transport->traffic.seconds += far__clock_seconds() - begun;
  *got = status == FAR_OK;
  return status;
}

/* Sleeps in rank 0's own pool, whose threads can wake it, and polls for results of the other ranks in between. */
static far_status pool_take(far_pool *pool, far_block *block, bool *got, double seconds,
                            far_error *error) {
  ranks_pool *c = (ranks_pool *)pool;
  const double until = far__clock_seconds() + seconds;
  double nap = 0, left = 0;
  do {
    far_status status = take_other(c, block, got, error);
    if (status != FAR_OK || *got) return status;
    status = take_own(c, block, got, left > 0 ? nap : 0, error);
    if (status != FAR_OK || *got) return status;
    left = seconds > 0 ? until - far__clock_seconds() : 0;
    nap = far__nap_after(nap, left < LONGEST_NAP ? left : LONGEST_NAP);
    c->transport->traffic.naps += left > 0;
  } while (left > 0);
  return FAR_OK;
}

static void pool_stop(far_pool *pool) {
  ranks_pool *c = (ranks_pool *)pool;
  c->stopping = true;
  c->own->stop(c->own);
  (void)to_all(c, FAR__TAG_STOP, NULL, 0, NULL);
}

static void pool_end(far_pool *pool) {
  ranks_pool *c = (ranks_pool *)pool;
  c->own->end(c->own);
  finish(c);
}

far_status far__ranks_pool_create(far_pool **out, far__transport *transport, far_error *error) {
  ranks_pool *c = calloc(1, sizeof *c);
  *out = NULL;
  if (c == NULL) return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for the ranks");
  c->base = (far_pool){.begin = pool_begin,
                       .workers = pool_workers,
                       .room = pool_room,
                       .give = pool_give,
                       .take = pool_take,
                       .stop = pool_stop,
                       .end = pool_end,
                       .takes = pool_takes,
                       .device_room = pool_device_room};
  c->transport = transport;
  if (!far__devices_make(&c->devices, transport->size)) {
    free(c);
    return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for the ranks");
  }
  *out = &c->base;
  return FAR_OK;
}

void far__ranks_pool_free(far_pool *pool) {
  ranks_pool *c = (ranks_pool *)pool;
  if (c == NULL) return;
  far_device_pool_free(c->devised);
  far__devices_free(&c->devices);
  free(c);
}

void far__ranks_pool_use(far_pool *pool, far_device device, far_device_note_fn *note, void *user) {
  far__devices *devices = &((ranks_pool *)pool)->devices;
  devices->wanted = device;
  devices->note = note;
  devices->user = user;
}

far_device_info far__ranks_pool_info(const far_pool *pool) {
  return far__devices_info(&((const ranks_pool *)pool)->devices);
}
