/* The machine of machine.h on the processor: the lanes in a loop. Tests use it for batches with a device, and for
 * failures of a device, where there is no GPU. FARSIGHT_LANES has its settings, separated by spaces:
 *
 *   lanes=N   so many at once (default 1000)
 *   room=N    bytes of memory (default 2^30)
 *   fail=N    the N-th launch fails, and all that follow
 *   lost=N    memory cannot be had from the N-th allocation on
 *   wrong=N   the N-th launch leaves a total that is not right
 *   wait=N    every launch takes N milliseconds more
 *   skip=N    launches up to step N do nothing, in no time
 *   devices=N there are so many (default 1)
 *   absent    there is no device
 */
#define _GNU_SOURCE /* nanosleep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/gpu/lanes-host.h"

static struct { long long launches, allocations; } counted;

/* ---- which kernels were launched, for tests ---- */

static long long used[KERNELS];

FAR_API const char *far_lanes_unused(void);

/* A kernel that was never launched; NULL if all were. */
const char *far_lanes_unused(void) {
#define KERNEL(LOOP, SET, ACTIONS)                                                                 \
  if (used[KERNEL_##LOOP##_##SET##_##ACTIONS] == 0) return #LOOP " " #SET " " #ACTIONS;
#include "run/gpu/kernels.def"
#undef KERNEL
  return NULL;
}

static long long option(const char *name, long long usual) {
  const char *text = getenv("FARSIGHT_LANES");
  const char *found = text != NULL ? strstr(text, name) : NULL;
  return found != NULL ? atoll(found + strlen(name)) : usual;
}

static void wait_a_while(void) {
  const long wait = (long)option("wait=", 0); /* in ms */
  const struct timespec time = {.tv_sec = wait / 1000, .tv_nsec = wait % 1000 * 1000000};
  if (wait > 0) nanosleep(&time, NULL);
}

int machine_open(int number, far__device_traits *traits, char why[FAR__WHY]) {
  const char *text = getenv("FARSIGHT_LANES");
  counted.launches = counted.allocations = 0;
  if ((text != NULL && strstr(text, "absent") != NULL) || number >= option("devices=", 1)) {
    snprintf(why, FAR__WHY, number > 0 ? "no device %d" : "no device", number);
    return 1;
  }
  *traits = (far__device_traits){.name = "lanes of the processor", .memory = machine_room()};
  return 0;
}

int machine_enter(char why[FAR__WHY]) {
  (void)why;
  return 0;
}

double machine_room(void) {
  return (double)option("room=", 1LL << 30);
}

int64_t machine_lanes(void) {
  return option("lanes=", 1000);
}

int machine_allocate(void **out, size_t bytes, char why[FAR__WHY]) {
  const long long lost = option("lost=", 0);
  *out = lost > 0 && ++counted.allocations >= lost ? NULL : malloc(bytes);
  if (*out != NULL) {
    memset(*out, 0xff, bytes); /* reading before the first write gives wrong results */
    return 0;
  }
  snprintf(why, FAR__WHY, "out of memory");
  return 1;
}

void machine_free(void *memory) {
  free(memory);
}

int machine_put(void *to, const void *from, size_t bytes, char why[FAR__WHY]) {
  (void)why;
  memcpy(to, from, bytes);
  return 0;
}

int machine_get(void *to, const void *from, size_t bytes, char why[FAR__WHY]) {
  return machine_put(to, from, bytes, why);
}

int machine_begin(const lanes *all, char why[FAR__WHY]) {
  (void)why;
  for (size_t w = 0; w < all->words * (size_t)all->n; ++w) lane_fill(all, w);
  for (int64_t i = 0; i < all->n; ++i) lane_begin(all, i);
  return 0;
}

int host_launch(bool *wrong, char why[FAR__WHY]) {
  const long long launch = ++counted.launches, failing = option("fail=", 0);
  *wrong = launch == option("wrong=", 0);
  if (failing == 0 || launch < failing) return 0;
  snprintf(why, FAR__WHY, "the launch failed");
  return 1;
}

int machine_advance(const lanes *all, kernel which, char why[FAR__WHY]) {
  bool wrong;
  if (host_launch(&wrong, why) != 0) return 1;
  if (all->until <= option("skip=", 0)) return 0;
  wait_a_while();
  used[which] += 1;
  switch (which) {
#define KERNEL(LOOP, SET, ACTIONS)                                                                 \
  case KERNEL_##LOOP##_##SET##_##ACTIONS:                                                          \
    for (int64_t i = 0; i < all->n; ++i) LOOP##_##SET##_##ACTIONS##_lane(all, i);                  \
    break;
#include "run/gpu/kernels.def"
#undef KERNEL
  case KERNELS: break;
  }
  if (wrong)
    for (int64_t i = 0; i < all->n; ++i) all->values[i] += 1;
  return 0;
}
