/* Any bytes as the file of a store, read in all ways. */
#include <unistd.h>

#include "read_store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  far_store *store;
  far_error error = {.code = FAR_OK};
  snprintf(path, sizeof path, "/tmp/farsight-fuzz-store-%ld", (long)getpid());
  FILE *f = fopen(path, "wb");
  if (f == NULL) abort();
  fwrite(data, 1, size, f);
  fclose(f);
  const far_status status = far_store_open(&store, path, FAR_STORE_READ, &error);
  if (status == FAR_OK)
    read_store(store);
  else
    expect(store == NULL && error.code == status && error.message[0] != '\0');
  far_store_close(store);
  unlink(path);
  return 0;
}
