#include "slots.h"

#include <stdlib.h>
#include <string.h>

bool far__slots_make(far__slots *slots, int ranks, size_t most) {
  const size_t n = (size_t)ranks;
  *slots = (far__slots){.ranks = ranks, .most = most};
  slots->next = malloc(n * sizeof *slots->next);
  slots->before = malloc(n * sizeof *slots->before);
  slots->first = malloc((most + 1) * sizeof *slots->first);
  slots->last = malloc((most + 1) * sizeof *slots->last);
  slots->out = calloc(n, sizeof *slots->out);
  slots->limit = calloc(n, sizeof *slots->limit);
  if (slots->next == NULL || slots->before == NULL || slots->first == NULL || slots->last == NULL ||
      slots->out == NULL || slots->limit == NULL) {
    far__slots_free(slots);
    return false;
  }
  for (size_t k = 0; k <= most; ++k) slots->first[k] = slots->last[k] = -1;
  return true;
}

void far__slots_free(far__slots *slots) {
  free(slots->next);
  free(slots->before);
  free(slots->first);
  free(slots->last);
  free(slots->out);
  free(slots->limit);
  *slots = (far__slots){0};
}

/* A rank that has room stands at the end of the list of its number of blocks. */
static void enlist(far__slots *slots, int rank) {
  const size_t k = slots->out[rank];
  if (k >= slots->limit[rank]) return;
  slots->next[rank] = -1;
  slots->before[rank] = slots->last[k];
  if (slots->last[k] >= 0)
    slots->next[slots->last[k]] = rank;
  else
    slots->first[k] = rank;
  slots->last[k] = rank;
}

static void delist(far__slots *slots, int rank) {
  const size_t k = slots->out[rank];
  if (k >= slots->limit[rank]) return;
  const int before = slots->before[rank], next = slots->next[rank];
  if (before >= 0)
    slots->next[before] = next;
  else
    slots->first[k] = next;
  if (next >= 0)
    slots->before[next] = before;
  else
    slots->last[k] = before;
}

void far__slots_open(far__slots *slots, int rank, size_t limit) {
  slots->limit[rank] = limit < slots->most ? limit : slots->most;
  slots->room += slots->limit[rank];
  enlist(slots, rank);
}

int far__slots_take(far__slots *slots) {
  for (size_t k = 0; k < slots->most; ++k) {
    const int rank = slots->first[k];
    if (rank < 0) continue;
    delist(slots, rank);
    slots->out[rank] += 1;
    slots->room -= 1;
    enlist(slots, rank);
    return rank;
  }
  return -1;
}

bool far__slots_return(far__slots *slots, int rank) {
  if (rank < 0 || rank >= slots->ranks || slots->out[rank] == 0) return false;
  delist(slots, rank);
  slots->out[rank] -= 1;
  slots->room += 1;
  enlist(slots, rank);
  return true;
}
