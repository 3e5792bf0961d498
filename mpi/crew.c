/* Rank 0: the crew of all ranks. Its own threads count as one of them. */
#include "crew.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "slots.h"
#include "wire.h"

typedef struct ranks_crew {
  far_crew base;
  far__link *link;
  far_crew *own; /* rank 0's threads */
  far_batch_def def;
  size_t hands;
  far__slots slots;
} ranks_crew;

/* Longer than this rank 0 does not sleep while blocks are out: a result may wait for so long. */
static const double LONGEST_NAP = 1e-3;

bool far__never(void *user, const far_progress *progress) {
  (void)user;
  (void)progress;
  return true;
}

static far_status to_all(ranks_crew *c, far__tag tag, const void *bytes, size_t size,
                         far_error *error) {
  far_status status = FAR_OK;
  for (int rank = 1; rank < c->link->size && status == FAR_OK; ++rank)
    status = far__link_send(c->link, rank, tag, bytes, size, error);
  return status;
}

/* ---- what comes in ---- */

static far_status strange(far_error *error, const far__message *m) {
  return far__rank_fail(error, FAR_STATUS_FORMAT,
                        "rank %d sent something unexpected (%d, %zu bytes)", m->from, (int)m->tag,
                        m->size);
}

/* A result has its own numbers at the end of the message: they are moved to the front. */
static far_status take_result(ranks_crew *c, far__message *m, far_block *block, far_error *error) {
  far__wire_block head;
  if (m->size < sizeof head) return strange(error, m);
  memcpy(&head, m->bytes, sizeof head);
  const size_t left = m->size - sizeof head;
  if (head.cell >= c->def.n_cells || head.runs < 0 ||
      (uint64_t)head.runs > left / sizeof(double) / far_batch_width(&c->def, head.cell) ||
      !far__slots_return(&c->slots, m->from))
    return strange(error, m);
  memmove(m->bytes, (char *)m->bytes + sizeof head, left);
  *block = (far_block){head.cell, head.first, head.runs, head.seconds, m->bytes};
  m->bytes = NULL;
  return FAR_OK;
}

static far_status take_error(const far__message *m, far_error *error) {
  far_error told;
  if (m->size != sizeof told) return strange(error, m);
  memcpy(&told, m->bytes, sizeof told);
  if (error != NULL) *error = told;
  return told.code != FAR_OK ? told.code : FAR_STATUS_FORMAT;
}

static far_status take_ready(ranks_crew *c, const far__message *m, far_error *error) {
  far__wire_ready ready;
  if (m->size != sizeof ready) return strange(error, m);
  memcpy(&ready, m->bytes, sizeof ready);
  c->hands += ready.hands;
  far__slots_open(&c->slots, m->from, ready.room);
  return FAR_OK;
}

/* Waits for so many messages of this kind and forgets all others but errors, the first of which is the
 * value. A rank that failed is never READY but is DONE. */
static far_status await(ranks_crew *c, far__tag tag, int count, far_error *error) {
  far_status status = FAR_OK;
  double nap = 0;
  while (count > 0) {
    far__message m;
    bool got;
    far_error problem;
    far_status here = far__link_poll(c->link, &m, &got, &problem);
    if (got) {
      if (m.tag == FAR__TAG_ERROR) here = take_error(&m, &problem);
      if (m.tag == FAR__TAG_READY) here = take_ready(c, &m, &problem);
      count -= m.tag == tag || (m.tag == FAR__TAG_ERROR && tag == FAR__TAG_READY);
      free(m.bytes);
    } else {
      nap = far__nap_after(nap, LONGEST_NAP);
      far__link_sleep(c->link, nap);
    }
    if (here != FAR_OK && status == FAR_OK && error != NULL) *error = problem;
    if (here != FAR_OK && status == FAR_OK) status = here;
  }
  return status;
}

/* ---- what the batch calls ---- */

static void finish(ranks_crew *c) {
  (void)to_all(c, FAR__TAG_END, NULL, 0, NULL);
  (void)await(c, FAR__TAG_DONE, c->link->size - 1, NULL);
  far__slots_free(&c->slots);
  far_crew_free(c->own);
  c->own = NULL;
}

static far_status describe(ranks_crew *c, far_error *error) {
  void *bytes;
  size_t size;
  far_status status = far__plan_pack(&bytes, &size, &c->def, c->def.threads, error);
  if (status != FAR_OK) return status;
  const uint64_t told = size;
  if (size > INT32_MAX)
    status = far__rank_fail(error, FAR_STATUS_RANGE,
                            "%zu cells take %zu bytes to describe, more than an MPI message holds",
                            c->def.n_cells, size);
  else
    status = to_all(c, FAR__TAG_BATCH, &told, sizeof told, error);
  if (status == FAR_OK) far__link_broadcast(c->link, bytes, size);
  free(bytes);
  return status;
}

/* Rank 0's threads last: they begin to work at once, the others wait for the slowest of them anyway. */
static far_status begin_all(ranks_crew *c, far_error *error) {
  far_status status = await(c, FAR__TAG_READY, c->link->size - 1, error);
  if (status == FAR_OK) status = c->own->begin(c->own, &c->def, error);
  if (status != FAR_OK) return status;
  c->hands += c->own->hands(c->own);
  far__slots_open(&c->slots, 0, c->own->room(c->own));
  return FAR_OK;
}

static far_status crew_begin(far_crew *crew, const far_batch_def *def, far_error *error) {
  ranks_crew *c = (ranks_crew *)crew;
  c->def = *def;
  c->def.threads = def->threads > 0 ? def->threads : 1;
  c->def.progress = far__never;
  c->hands = 0;
  far_status status = far_crew_create(&c->own, c->def.threads, error);
  if (status != FAR_OK) return status;
  if (!far__slots_make(&c->slots, c->link->size, 4 * (size_t)c->def.threads))
    status = far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for %d ranks", c->link->size);
  if (status == FAR_OK) status = describe(c, error);
  if (status != FAR_OK) {
    far__slots_free(&c->slots);
    far_crew_free(c->own);
    return status;
  }
  status = begin_all(c, error);
  if (status != FAR_OK) finish(c);
  return status;
}

static size_t crew_hands(const far_crew *crew) {
  return ((const ranks_crew *)crew)->hands;
}

static size_t crew_room(const far_crew *crew) {
  return ((const ranks_crew *)crew)->slots.room;
}

static far_status crew_give(far_crew *crew, const far_block *block, far_error *error) {
  ranks_crew *c = (ranks_crew *)crew;
  const int rank = far__slots_take(&c->slots);
  if (rank < 0) return far__rank_fail(error, FAR_STATUS_RANGE, "no rank has room for a block");
  if (rank == 0) return c->own->give(c->own, block, error);
  const far__wire_block head = {block->cell, block->first, block->runs, 0};
  const double begun = far__link_clock();
  const far_status status =
      far__link_send(c->link, rank, FAR__TAG_BLOCK, &head, sizeof head, error);
  c->link->traffic.seconds += far__link_clock() - begun;
  return status;
}

static far_status take_own(ranks_crew *c, far_block *block, bool *got, double seconds,
                           far_error *error) {
  const far_status status = c->own->take(c->own, block, got, seconds, error);
  if (status == FAR_OK && *got) (void)far__slots_return(&c->slots, 0);
  return status;
}

static far_status take_other(ranks_crew *c, far_block *block, bool *got, far_error *error) {
  far__message m;
  const double begun = far__link_clock();
  far_status status = far__link_poll(c->link, &m, got, error);
  if (status != FAR_OK || !*got) return status;
  if (m.tag == FAR__TAG_RESULT)
    status = take_result(c, &m, block, error);
  else
    status = m.tag == FAR__TAG_ERROR ? take_error(&m, error) : strange(error, &m);
  free(m.bytes);
  c->link->traffic.seconds += far__link_clock() - begun;
  *got = status == FAR_OK;
  return status;
}

/* Sleeps where its own threads wake it; the others' results are looked for in between. */
static far_status crew_take(far_crew *crew, far_block *block, bool *got, double seconds,
                            far_error *error) {
  ranks_crew *c = (ranks_crew *)crew;
  const double until = far__link_clock() + seconds;
  double nap = 0, left = 0;
  do {
    far_status status = take_other(c, block, got, error);
    if (status != FAR_OK || *got) return status;
    status = take_own(c, block, got, left > 0 ? nap : 0, error);
    if (status != FAR_OK || *got) return status;
    left = seconds > 0 ? until - far__link_clock() : 0;
    nap = far__nap_after(nap, left < LONGEST_NAP ? left : LONGEST_NAP);
    c->link->traffic.naps += left > 0;
  } while (left > 0);
  return FAR_OK;
}

static void crew_stop(far_crew *crew) {
  ranks_crew *c = (ranks_crew *)crew;
  c->own->stop(c->own);
  (void)to_all(c, FAR__TAG_STOP, NULL, 0, NULL);
}

static void crew_end(far_crew *crew) {
  ranks_crew *c = (ranks_crew *)crew;
  c->own->end(c->own);
  finish(c);
}

far_status far__ranks_crew_create(far_crew **out, far__link *link, far_error *error) {
  ranks_crew *c = calloc(1, sizeof *c);
  *out = NULL;
  if (c == NULL) return far__rank_fail(error, FAR_STATUS_MEMORY, "no memory for the ranks");
  c->base = (far_crew){.begin = crew_begin,
                       .hands = crew_hands,
                       .room = crew_room,
                       .give = crew_give,
                       .take = crew_take,
                       .stop = crew_stop,
                       .end = crew_end};
  c->link = link;
  *out = &c->base;
  return FAR_OK;
}

void far__ranks_crew_free(far_crew *crew) {
  free(crew);
}
