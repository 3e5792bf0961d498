/* The ranks other than 0: they only execute the requests of rank 0. */
#include "rank-worker.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch-codec.h"
#include "devices.h"
#include "fail.h"
#include "pool.h"
#include "run/blocks.h"

typedef struct server {
  far__transport *transport;
  far__remote_batch plan; /* of this batch, or the last */
  far_pool *pool;         /* NULL: no batch is going on, or it has failed */
  far_pool *devised;      /* the pool with a device, which is kept between batches; or NULL */
  size_t out;             /* blocks that the pool has */
  bool over;              /* rank 0 has said goodbye */
} server;

/* The longest sleeps, in seconds. A rank at work is woken by its threads; only a new block may go unnoticed for so
 * long, and the rank has one in reserve. A rank that waits for work polls more often, one that waits for a batch
 * less often. */
static const double NAP_AT_WORK = 5e-3, NAP_WITHOUT_WORK = 1e-3, NAP_WITHOUT_BATCH = 10e-3;

static far_status send(server *s, far__tag tag, const void *bytes, size_t size, far_error *error) {
  return far__transport_send(s->transport, 0, tag, bytes, size, error);
}

static void end_batch(server *s) {
  if (s->pool == NULL) return;
  s->pool->end(s->pool);
  if (s->pool != s->devised) far_pool_free(s->pool);
  s->pool = NULL;
  s->out = 0;
}

/* Reports an error, with rank and host, to rank 0, and ends the batch on this rank. */
static void fail_batch(server *s, const far_error *error) {
  far_error told = {.code = error->code, .position = -1};
  snprintf(told.message, sizeof told.message, "rank %d on %.64s: %.380s", s->transport->rank,
           s->transport->host, error->message);
  end_batch(s);
  (void)send(s, FAR__TAG_ERROR, &told, sizeof told, NULL);
}

/* ---- what rank 0 says ---- */

static far_status take_description(server *s, uint64_t told, far_error *error) {
  far__remote_batch plan;
  const size_t size = (size_t)told;
  void *bytes = told <= INT_MAX ? malloc(size + 1) : NULL; /* no message of MPI is longer */
  if (bytes == NULL) { /* this rank cannot join the broadcast: nobody can continue */
    far__transport_abort(s->transport, "no memory for the description of the batch");
    return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for the batch");
  }
  far__transport_broadcast(s->transport, bytes, size);
  const far_status status = far__batch_unpack(&plan, bytes, size, error);
  if (status != FAR_OK) return status;
  far__remote_batch_adopt(&plan, &s->plan);
  far__remote_batch_free(&s->plan);
  s->plan = plan;
  s->plan.def.progress = far__never;
  return FAR_OK;
}

/* Makes the pool of the batch. A pool with a device needs all models at the start. */
static far_status make_pool(server *s, far_error *error) {
  far_status status = FAR_OK;
  const unsigned threads = s->plan.def.threads;
  if (s->plan.device == FAR_DEVICE_CPU) return far_pool_create(&s->pool, threads, error);
  for (size_t i = 0; status == FAR_OK && i < s->plan.def.n_cells; ++i)
    status = far__remote_batch_model(&s->plan, i, error);
  if (status == FAR_OK && s->devised == NULL)
    status = far__rank_device_create(&s->devised, s->transport, s->plan.device, threads, error);
  s->pool = status == FAR_OK ? s->devised : NULL;
  return status;
}

static far_status begin_pool(server *s, far_error *error) {
  far_status status = make_pool(s, error);
  if (status != FAR_OK) return status;
  status = s->pool->begin(s->pool, &s->plan.def, error);
  if (status == FAR_OK) return FAR_OK;
  if (s->pool != s->devised) far_pool_free(s->pool);
  s->pool = NULL;
  return status;
}

static far_status send_ready(server *s, far_error *error) {
  const size_t count = s->plan.def.n_cells;
  int64_t *lanes = far__devices_lanes(s->pool, &s->plan.def);
  const far__ready_message ready = {s->pool->workers(s->pool), s->pool->room(s->pool),
                                    lanes != NULL ? s->pool->device_room(s->pool) : 0};
  const size_t size = sizeof ready + (lanes != NULL ? count * sizeof *lanes : 0);
  char *bytes = malloc(size);
  far_status status = FAR_STATUS_MEMORY;
  if (bytes == NULL)
    far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for a message of %zu bytes", size);
  else {
    memcpy(bytes, &ready, sizeof ready);
    if (lanes != NULL) memcpy(bytes + sizeof ready, lanes, count * sizeof *lanes);
    status = send(s, FAR__TAG_READY, bytes, size, error);
  }
  free(bytes);
  free(lanes);
  return status;
}

/* Sends DONE, with the info of the device if this rank has used one. */
static far_status send_done(server *s, far_error *error) {
  if (s->devised == NULL) return send(s, FAR__TAG_DONE, NULL, 0, error);
  far_device_info info = far_device_pool_info(s->devised);
  char failure[FAR_DEVICE_TEXT];
  snprintf(failure, sizeof failure, "rank %d on %.64s: %.160s", s->transport->rank,
           s->transport->host, info.failure);
  if (info.failure[0] != '\0') memcpy(info.failure, failure, sizeof failure);
  return send(s, FAR__TAG_DONE, &info, sizeof info, error);
}

/* Begins a batch. The previous batch is over, even if rank 0 has not said so: its threads read data that is replaced
 * here. */
static far_status begin_batch(server *s, const far__message *m, far_error *error) {
  uint64_t size;
  end_batch(s);
  if (m->size != sizeof size)
    return far__rank_fail(error, FAR_STATUS_FORMAT, "rank 0 sent something unexpected");
  memcpy(&size, m->bytes, sizeof size);
  far_status status = take_description(s, size, error);
  if (status == FAR_OK) status = begin_pool(s, error);
  if (status != FAR_OK) return status;
  return send_ready(s, error);
}

static size_t room_for(const server *s, const far__block_message *head) {
  if (head->on_device == 0) return s->pool->room(s->pool);
  return s->pool->takes != NULL ? s->pool->device_room(s->pool) : 0;
}

static far_status take_block(server *s, const far__message *m, far_error *error) {
  far__block_message head;
  if (s->pool == NULL) return FAR_OK; /* rank 0 has not heard of the failure yet */
  if (m->size == sizeof head) memcpy(&head, m->bytes, sizeof head);
  if (m->size != sizeof head || head.cell >= s->plan.def.n_cells || room_for(s, &head) == 0)
    return far__rank_fail(error, FAR_STATUS_FORMAT, "rank 0 sent a block that makes no sense");
  const far_status status = far__remote_batch_model(&s->plan, (size_t)head.cell, error);
  if (status != FAR_OK) return status;
  const far_block block = {.cell = (size_t)head.cell,
                           .first = head.first,
                           .runs = head.runs,
                           .on_device = head.on_device != 0};
  s->out += 1;
  return s->pool->give(s->pool, &block, error);
}

static far_status obey(server *s, const far__message *m, far_error *error) {
  switch (m->tag) {
  case FAR__TAG_BATCH: return begin_batch(s, m, error);
  case FAR__TAG_BLOCK: return take_block(s, m, error);
  case FAR__TAG_STOP:
    if (s->pool != NULL) s->pool->stop(s->pool);
    return FAR_OK;
  case FAR__TAG_END: end_batch(s); return send_done(s, error);
  case FAR__TAG_BYE: s->over = true; return FAR_OK;
  default: return far__rank_fail(error, FAR_STATUS_FORMAT, "rank 0 sent something unexpected");
  }
}

/* ---- what is finished ---- */

static far_status send_block(server *s, const far_block *block, far_error *error) {
  const size_t width = far__batch_width(&s->plan.def, block->cell);
  const far__block_message head = {block->cell, block->first, block->runs, block->seconds,
                                   block->on_device};
  const size_t values = (size_t)block->runs * width * sizeof *block->values;
  char *bytes = malloc(sizeof head + values);
  if (bytes == NULL)
    return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for a message of %zu bytes", values);
  memcpy(bytes, &head, sizeof head);
  if (values > 0) memcpy(bytes + sizeof head, block->values, values);
  const far_status status = send(s, FAR__TAG_RESULT, bytes, sizeof head + values, error);
  free(bytes);
  return status;
}

/* Waits up to `nap` seconds for a finished block and sends it; *got: there was one. If no block is out, it only
 * sleeps. */
static far_status finish_block(server *s, double nap, bool *got, far_error *error) {
  far_block block = {0};
  *got = false;
  if (s->pool == NULL || s->out == 0) {
    if (nap > 0) far__transport_sleep(s->transport, nap);
    return FAR_OK;
  }
  const far_status status = s->pool->take(s->pool, &block, got, nap, error);
  if (!*got) return status;
  s->out -= 1;
  const far_status sent = send_block(s, &block, status == FAR_OK ? error : NULL);
  free((double *)block.values);
  return status == FAR_OK ? sent : status;
}

/* ---- the loop ---- */

static double longest_nap(const server *s) {
  if (s->pool == NULL) return NAP_WITHOUT_BATCH;
  return s->pool->room(s->pool) < s->pool->workers(s->pool) ? NAP_AT_WORK : NAP_WITHOUT_WORK;
}

/* Handles one message and one result, if there are any; true if there was something to do. */
static bool look(server *s, double nap) {
  far__message m;
  far_error error;
  bool heard, finished = false;
  far_status status = far__transport_poll(s->transport, &m, &heard, &error);
  if (status == FAR_OK && heard) {
    status = obey(s, &m, &error);
    free(m.bytes);
  }
  if (status == FAR_OK) status = finish_block(s, heard ? 0 : nap, &finished, &error);
  if (status != FAR_OK) fail_batch(s, &error);
  return heard || finished || status != FAR_OK;
}

void far__rank_work(far__transport *transport) {
  server s = {.transport = transport};
  double nap = 0;
  while (!s.over) nap = look(&s, nap) ? 0 : far__nap_after(nap, longest_nap(&s));
  end_batch(&s);
  far_device_pool_free(s.devised);
  far__remote_batch_free(&s.plan);
}
