#include "store_open.h"

#include "cli.h"
#include "lab/store/access.h"
#include "memory.h"

static bool go_on(void *user, double waited) {
  static bool told;
  const char *path = user;
  if (waited > 3 && !told && !interrupted()) {
    told = true;
    note("waiting for another process that writes to '%s'", path);
  }
  return !interrupted();
}

static far_store *now_open; /* or NULL; commands open one at a time */

far_status open_store_patiently(far_store **out, const char *path, far_store_mode mode,
                                far__go_fn *wait, void *user, far_error *error) {
  const far_status status = far__store_open_watched(out, path, mode, wait, user, error);
  now_open = *out;
  return status;
}

/* Notes that the store has results of another version, which are not reused. */
static far_status note_other_version(far_store *store, const char *path, far_error *error) {
  far_session session;
  bool found = true;
  far_status status = FAR_OK;
  for (size_t i = 0; status == FAR_OK && found; ++i) {
    status = far_store_session(&session, &found, store, i, error);
    if (status != FAR_OK || !found || session.numerics == far_numerics()) continue;
    note("%s has results of another version (numerics %d, this one has %d): they stay in it, are "
         "shown apart, and are not reused",
         path, session.numerics, far_numerics());
    return FAR_OK;
  }
  return status;
}

far_status open_store(far_store **out, const char *path, far_store_mode mode, far_error *error) {
  far_status status = open_store_patiently(out, path, mode, go_on, (void *)path, error);
  if (status == FAR_OK && mode == FAR_STORE_WRITE) status = note_other_version(*out, path, error);
  return status;
}

void close_store(far_store *store) {
  now_open = NULL;
  far_store_close(store);
}

far_status stored_series(char **out, far_store *store, const char *given, far_error *error) {
  const char *name;
  bool exact;
  const far_status status = far_store_series_nearest(&name, &exact, store, given, error);
  *out = status == FAR_OK ? copy_of(name) : NULL;
  if (status == FAR_OK && !exact)
    note("the store has no '%s'; this is '%s', the nearest checkpoint", given, name);
  return status;
}

void close_open_store(void) {
  close_store(now_open);
}
