#include "device.h"

#include "memory.h"
#include "run/device-pool.h"

static far_device wanted = FAR_DEVICE_CPU;
static far_pool *pool; /* of this process; NULL until it is needed */

void tell_device(void *user, const char *text) {
  (void)user;
  warning("%s", text);
}

far_pool *device_pool(void) {
  far_device_def def = far_device_def_default();
  if (wanted == FAR_DEVICE_CPU) return NULL;
  def.device = wanted;
  def.note = tell_device;
  if (all_ranks() != NULL) def.workers = (unsigned)count_ranks();
  if (pool == NULL && far_device_pool_create(&pool, &def, NULL) != FAR_OK) out_of_memory();
  return pool;
}

bool device_choice(const arguments *args, far_device *out) {
  const char *text = args_last(args, "device");
  *out = FAR_DEVICE_CPU;
  if (text == NULL || far__device_parse(out, text)) return true;
  usage_error(args, "--device %s: must be cpu, gpu or auto", text);
  return false;
}

bool device_option(const arguments *args, far_pool **out) {
  *out = all_ranks();
  if (!device_choice(args, &wanted)) return false;
  if (wanted == FAR_DEVICE_CPU) return true;
  use_devices_of_ranks(wanted, tell_device);
  if (all_ranks() == NULL) *out = device_pool();
  return true;
}

void note_device(void) {
  if (wanted == FAR_DEVICE_CPU) return;
  const far_device_info info =
      all_ranks() != NULL ? devices_of_ranks() : far_device_pool_info(pool);
  const bool chosen = info.choice[0] != '\0';
  const char *open = chosen ? " (" : "", *close = chosen ? ")" : "";
  if (info.runs > 0)
    note("%s computed %lld runs in %.3g s%s%s%s", info.name, (long long)info.runs, info.seconds,
         open, info.choice, close);
  else if (info.batches > 0 && info.failure[0] == '\0')
    note("the processors computed all runs (%s)",
         chosen ? info.choice : "no cell has an agent and options that a GPU takes: docs/gpu.md");
}
