#include "device.h"

#include "memory.h"

static far_pool *pool; /* NULL: no device was asked for */

far_pool *device_pool(void) {
  return pool;
}

void tell_device(void *user, const char *text) {
  (void)user;
  warning("%s", text);
}

bool device_choice(const arguments *args, far_device *out) {
  const char *text = args_last(args, "device");
  *out = FAR_DEVICE_CPU;
  if (text == NULL || far_device_parse(out, text)) return true;
  usage_error(args, "--device %s: must be cpu, gpu or auto", text);
  return false;
}

bool device_option(const arguments *args, far_pool **out) {
  far_device_def def = far_device_def_default();
  *out = all_ranks();
  if (!device_choice(args, &def.device)) return false;
  if (def.device == FAR_DEVICE_CPU) return true;
  def.rest = all_ranks();
  def.note = tell_device;
  if (pool == NULL && far_device_pool_create(&pool, &def, NULL) != FAR_OK) out_of_memory();
  *out = pool;
  return true;
}

void note_device(void) {
  if (pool == NULL) return;
  const far_device_info info = far_device_pool_info(pool);
  const bool chosen = info.choice[0] != '\0';
  const char *open = chosen ? " (" : "", *close = chosen ? ")" : "";
  if (info.runs > 0)
    note("%s computed %lld runs in %.3g s%s%s%s", info.name, (long long)info.runs, info.seconds,
         open, info.choice, close);
  else if (info.batches > 0 && info.failure[0] == '\0')
    note("the processors computed all runs%s%s%s", open, info.choice, close);
}
