#include "least-busy.h"

#include <stdlib.h>
#include <string.h>

bool far__least_busy_make(far__least_busy *ranks_by_load, int ranks, size_t most) {
  const size_t n = (size_t)ranks;
  *ranks_by_load = (far__least_busy){.ranks = ranks, .most = most};
  ranks_by_load->next = malloc(n * sizeof *ranks_by_load->next);
  ranks_by_load->before = malloc(n * sizeof *ranks_by_load->before);
  ranks_by_load->first = malloc((most + 1) * sizeof *ranks_by_load->first);
  ranks_by_load->last = malloc((most + 1) * sizeof *ranks_by_load->last);
  ranks_by_load->out = calloc(n, sizeof *ranks_by_load->out);
  ranks_by_load->limit = calloc(n, sizeof *ranks_by_load->limit);
  if (ranks_by_load->next == NULL || ranks_by_load->before == NULL ||
      ranks_by_load->first == NULL || ranks_by_load->last == NULL || ranks_by_load->out == NULL ||
      ranks_by_load->limit == NULL) {
    far__least_busy_free(ranks_by_load);
    return false;
  }
  for (size_t k = 0; k <= most; ++k) ranks_by_load->first[k] = ranks_by_load->last[k] = -1;
  return true;
}

void far__least_busy_free(far__least_busy *ranks_by_load) {
  free(ranks_by_load->next);
  free(ranks_by_load->before);
  free(ranks_by_load->first);
  free(ranks_by_load->last);
  free(ranks_by_load->out);
  free(ranks_by_load->limit);
  *ranks_by_load = (far__least_busy){0};
}

/* Appends a rank, if it has room, to the list of the ranks with the same number of blocks out. */
static void enlist(far__least_busy *ranks_by_load, int rank) {
  const size_t k = ranks_by_load->out[rank];
  if (k >= ranks_by_load->limit[rank]) return;
  ranks_by_load->next[rank] = -1;
  ranks_by_load->before[rank] = ranks_by_load->last[k];
  if (ranks_by_load->last[k] >= 0)
    ranks_by_load->next[ranks_by_load->last[k]] = rank;
  else
    ranks_by_load->first[k] = rank;
  ranks_by_load->last[k] = rank;
}

static void delist(far__least_busy *ranks_by_load, int rank) {
  const size_t k = ranks_by_load->out[rank];
  if (k >= ranks_by_load->limit[rank]) return;
  const int before = ranks_by_load->before[rank], next = ranks_by_load->next[rank];
  if (before >= 0)
    ranks_by_load->next[before] = next;
  else
    ranks_by_load->first[k] = next;
  if (next >= 0)
    ranks_by_load->before[next] = before;
  else
    ranks_by_load->last[k] = before;
}

void far__least_busy_open(far__least_busy *ranks_by_load, int rank, size_t limit) {
  ranks_by_load->limit[rank] = limit < ranks_by_load->most ? limit : ranks_by_load->most;
  ranks_by_load->room += ranks_by_load->limit[rank];
  enlist(ranks_by_load, rank);
}

void far__least_busy_close(far__least_busy *ranks_by_load, int rank) {
  delist(ranks_by_load, rank);
  ranks_by_load->room -= ranks_by_load->limit[rank] - ranks_by_load->out[rank];
  ranks_by_load->limit[rank] = 0;
}

int far__least_busy_take(far__least_busy *ranks_by_load) {
  for (size_t k = 0; k < ranks_by_load->most; ++k) {
    const int rank = ranks_by_load->first[k];
    if (rank < 0) continue;
    delist(ranks_by_load, rank);
    ranks_by_load->out[rank] += 1;
    ranks_by_load->room -= 1;
    enlist(ranks_by_load, rank);
    return rank;
  }
  return -1;
}

bool far__least_busy_return(far__least_busy *ranks_by_load, int rank) {
  if (rank < 0 || rank >= ranks_by_load->ranks || ranks_by_load->out[rank] == 0) return false;
  const bool closed = ranks_by_load->limit[rank] == 0;
  delist(ranks_by_load, rank);
  ranks_by_load->out[rank] -= 1;
  if (!closed) ranks_by_load->room += 1;
  enlist(ranks_by_load, rank);
  return true;
}
