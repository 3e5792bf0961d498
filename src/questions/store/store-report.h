/* What a store has, and whether it is sound, as reports. */
#ifndef FAR_QUESTIONS_STORE_STORE_REPORT_H
#define FAR_QUESTIONS_STORE_STORE_REPORT_H

#include "farsight/report.h"
#include "farsight/store.h"

typedef struct far__store_contents_def {
  const char *name;             /* of the store, for the title */
  size_t most_rows;             /* of cells, and of sessions for people; 0, the default: all */
  bool (*proceeds)(void *user); /* is asked now and then; false ends with CANCELLED. May be NULL */
  void *user;
} far__store_contents_def;

/* Adds cells, series and sessions of a store. Tables "cells", "series" and "sessions"; the JSON
 * document has the members "format", "runs", "blocks", "values", "seconds", "bytes", "snapshots",
 * "cells", "series" and "sessions", always all of them. Fails as the calls that read a store do, with
 * MEMORY or CANCELLED; the report is then not to be rendered. */
far_status far__store_contents_report(far_store *store, const far__store_contents_def *def,
                                      far_report *report, far_error *error);

/* Checks a store (far_store_check) and adds the result. Table "faults"; the JSON document has the
 * members "faults", "count", "cells", "blocks", "values", "snapshots" and "hash". *out says how many
 * faults there are: finding some is no error. */
far_status far__store_check_report(far_store_report *out, far_store *store, const char *name,
                                   far_report *report, far_error *error);

#endif
