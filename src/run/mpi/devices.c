#include "devices.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/blocks.h"

enum { AHEAD = 2 }; /* blocks out for each device */

bool far__devices_make(far__devices *devices, int ranks) {
  const size_t n = (size_t)ranks;
  *devices = (far__devices){.ranks = ranks};
  devices->lanes = calloc(n, sizeof *devices->lanes);
  devices->infos = calloc(n, sizeof *devices->infos);
  devices->told = calloc(n, sizeof *devices->told);
  if (devices->lanes != NULL && devices->infos != NULL && devices->told != NULL) return true;
  far__devices_free(devices);
  return false;
}

static void forget_lanes(far__devices *devices) {
  for (int rank = 0; devices->lanes != NULL && rank < devices->ranks; ++rank) {
    free(devices->lanes[rank]);
    devices->lanes[rank] = NULL;
  }
}

void far__devices_free(far__devices *devices) {
  forget_lanes(devices);
  free(devices->lanes);
  free(devices->infos);
  free(devices->told);
  far__least_busy_free(&devices->by_load);
  *devices = (far__devices){0};
}

/* ---- a batch ---- */

int64_t *far__devices_lanes(const far_pool *pool, const far_batch_def *def) {
  bool any = false;
  int64_t *lanes = pool->takes != NULL ? calloc(def->n_cells, sizeof *lanes) : NULL;
  for (size_t i = 0; lanes != NULL && i < def->n_cells; ++i) {
    const int64_t most = INT_MAX / 2 / (int64_t)(sizeof(double) * far__batch_width(def, i));
    const int64_t own = pool->takes(pool, i);
    lanes[i] = own < most ? own : most;
    any |= lanes[i] > 0;
  }
  if (any) return lanes;
  free(lanes);
  return NULL;
}

bool far__devices_begin(far__devices *devices) {
  forget_lanes(devices);
  far__least_busy_free(&devices->by_load);
  return far__least_busy_make(&devices->by_load, devices->ranks, AHEAD);
}

void far__devices_open(far__devices *devices, int rank, int64_t *lanes, size_t room) {
  if (lanes == NULL) return;
  devices->lanes[rank] = lanes;
  far__least_busy_open(&devices->by_load, rank, room);
}

int64_t far__devices_take(const far__devices *devices, size_t cell) {
  int64_t least = 0;
  for (int rank = 0; rank < devices->ranks; ++rank) {
    if (devices->lanes[rank] == NULL) continue;
    const int64_t here = devices->lanes[rank][cell];
    if (here == 0) return 0;
    if (least == 0 || here < least) least = here;
  }
  return least;
}

void far__devices_lose(far__devices *devices, int rank) {
  if (devices->lanes[rank] == NULL) return;
  free(devices->lanes[rank]);
  devices->lanes[rank] = NULL;
  far__least_busy_close(&devices->by_load, rank);
}

/* ---- results and failures of devices ---- */

static bool has_device(const far_device_info *info) {
  return info->name[0] != '\0';
}

static int count_devices(const far__devices *devices) {
  int count = 0;
  for (int rank = 0; rank < devices->ranks; ++rank) count += has_device(&devices->infos[rank]);
  return count;
}

static void tell(far__devices *devices, int rank) {
  char text[FAR_DEVICE_TEXT + 64];
  const char *failure = devices->infos[rank].failure;
  if (failure[0] == '\0' || strcmp(failure, devices->told[rank]) == 0) return;
  memcpy(devices->told[rank], failure, FAR_DEVICE_TEXT);
  snprintf(text, sizeof text, "%s; the %s compute what is missing", failure,
           has_device(&devices->infos[rank]) ? "others" : "processors");
  if (devices->note != NULL) devices->note(devices->user, text);
}

/* Reports failures. A rank without a device is reported only if no rank has one. */
void far__devices_end(far__devices *devices) {
  const bool any = count_devices(devices) > 0;
  for (int rank = 0; rank < devices->ranks; ++rank)
    if (any ? has_device(&devices->infos[rank]) : rank == 0) tell(devices, rank);
  forget_lanes(devices);
}

far_device_info far__devices_info(const far__devices *devices) {
  const int count = count_devices(devices);
  far_device_info all = {0};
  for (int rank = devices->ranks - 1; rank >= 0; --rank) {
    const far_device_info *one = &devices->infos[rank];
    all.batches = one->batches > all.batches ? one->batches : all.batches;
    all.runs += one->runs;
    all.seconds = one->seconds > all.seconds ? one->seconds : all.seconds; /* devices overlap */
    if (one->choice[0] != '\0') memcpy(all.choice, one->choice, sizeof all.choice);
    if (count > 0 && !has_device(one)) continue;
    if (one->failure[0] != '\0') memcpy(all.failure, one->failure, sizeof all.failure);
    if (count <= 1)
      memcpy(all.name, one->name, sizeof all.name);
    else
      snprintf(all.name, sizeof all.name, "%d devices (%.200s)", count, one->name);
  }
  return all;
}
