/* In place of the store where the build found no SQLite. */
#include "base/error.h"
#include "farsight/store.h"

static far_status absent(far_error *error) {
  return far__fail(error, FAR_STATUS_ABSENT, -1,
                   "this farsight was built without SQLite, so it has no store; install "
                   "libsqlite3-dev and build again");
}

far_status far_store_open(far_store **out, const char *path, far_store_mode mode,
                          far_error *error) {
  (void)path, (void)mode;
  *out = NULL;
  return absent(error);
}
