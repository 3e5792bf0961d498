/* Whether a store is sound, as a report. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "questions/store/store-report.h"
#include "report/build.h"

/* What the JSON document is made of; the report has it. */
typedef struct kept_fault {
  const char *sentence;
  struct kept_fault *next;
} kept_fault;

typedef struct kept_findings {
  kept_fault *first;
  far_store_report summary;
} kept_findings;

typedef struct findings {
  far_report *report;
  far_table *table;
  kept_fault *first, *last;
} findings;

static void keep_fault(findings *f, const char *sentence) {
  const kept_fault fault = {far__report_copy(f->report, sentence, strlen(sentence) + 1), NULL};
  kept_fault *kept = far__report_copy(f->report, &fault, sizeof fault);
  if (kept == NULL) return;
  if (f->last != NULL)
    f->last->next = kept;
  else
    f->first = kept;
  f->last = kept;
}

static void note_fault(void *user, const char *sentence) {
  findings *f = user;
  keep_fault(f, sentence);
  far__table_row(f->table);
  far__table_text(f->table, "%s", sentence);
  far__report_item(f->report, "%s", sentence);
}

static void write_findings(const void *user, far__json *j) {
  const kept_findings *f = user;
  const far_store_report *r = &f->summary;
  far__json_array(j, "faults");
  for (const kept_fault *k = f->first; k != NULL; k = k->next) far__json_text(j, NULL, k->sentence);
  far__json_end(j);
  far__json_integer(j, "count", (uint64_t)r->faults);
  far__json_integer(j, "cells", (uint64_t)r->cells);
  far__json_integer(j, "blocks", (uint64_t)r->blocks);
  far__json_integer(j, "values", (uint64_t)r->values);
  far__json_integer(j, "snapshots", (uint64_t)r->snapshots);
  far__json_text(j, "hash", r->faults == 0 ? r->hash : NULL);
}

far_status far__store_check_report(far_store_report *out, far_store *store, const char *name,
                                   far_report *report, far_error *error) {
  findings f = {report, far__report_table(report, "faults"), NULL, NULL};
  far__table_column(f.table, "fault", NULL, FAR__COLUMN_TEXT);
  const far_status status = far_store_check(out, store, note_fault, &f, error);
  if (status != FAR_OK) return status;
  char snapshots[64] = "", judged[64] = "nothing is wrong";
  if (out->snapshots > 0)
    snprintf(snapshots, sizeof snapshots, ", %lld snapshot%s", (long long)out->snapshots,
             far__plural(out->snapshots));
  if (out->faults > 0)
    snprintf(judged, sizeof judged, "%lld %s wrong", (long long)out->faults,
             out->faults == 1 ? "thing is" : "things are");
  far__report_heading(report, 1, "%s: %lld cell%s, %lld block%s, %lld number%s%s; %s", name,
                      (long long)out->cells, far__plural(out->cells), (long long)out->blocks,
                      far__plural(out->blocks), (long long)out->values, far__plural(out->values),
                      snapshots, judged);
  if (out->faults == 0) far__report_item(report, "results %s", out->hash);
  const kept_findings kept = {f.first, *out};
  far__report_data_by(report, write_findings, far__report_copy(report, &kept, sizeof kept));
  return far__report_status(report, error);
}
