/* Pages: whole documents about stored results, to be rendered as one file of HTML, and in all other formats of
 * reports.
 *
 *     far_page_def def = far_page_def_default();
 *     def.name = "results.db";                         set only what differs
 *     far_report *report;
 *     far_status status = far_report_create(&report, "report", &error);
 *     if (status == FAR_OK) status = far_store_page(report, store, &def, &error);
 *     if (status == FAR_OK) status = far_page_save(report, "results.html", &bytes, &error);
 *     far_report_free(report);
 *
 * A page begins with the verdict: what was compared, what won, how sure that is, and what limits it. Then come
 * tables and figures, the claims of audits, methods, parameters, hashes, and for every cell the command that
 * computes it again. The same store and definition give the same bytes, but for audits of another version.
 */
#ifndef FARSIGHT_PAGE_H
#define FARSIGHT_PAGE_H

#include "farsight/changes.h"
#include "farsight/comparison.h"
#include "farsight/learning.h"
#include "farsight/paper-story.h"
#include "farsight/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strings and arrays must live as long as the call. */
typedef struct far_page_def {
  const char *name; /* of the store, for the title and for commands; "results.db" by default */
  /* Which results, the baseline, the level. `most_agents` is not read: all agents are compared. The bootstrap is
   * left out (`quick`) where it would take long. Its progress is that of the page as well, also with "hash",
   * "figure", "audit" and "run". */
  far_comparison_def results;
  size_t most_agents; /* with rows of their own in every table: the best ones; 60 by default */
  size_t most_series; /* in a figure; 10 by default */
  size_t most_cells;  /* whose commands are shown; 400 by default */
  /* Figures beyond this size are left out, and the page says so; 1.2 MB by default; 0: no figures. */
  size_t figure_bytes;
  /* Of a run that is computed again to show what an agent learned; 200,000 by default; 0: none. */
  int64_t most_steps;
  bool audit;         /* audit the agents that can be; false by default */
  int64_t audit_runs; /* of each audit; 20 by default */
  /* Of each of these runs, at most, and not more than those of the store have; 10,000 by default. */
  int64_t audit_steps;
  unsigned threads; /* of audits; 0: one for each processor */
} far_page_def;

FAR_API far_page_def far_page_def_default(void);

/* Adds the page of a store to a report. Fails with UNKNOWN (the store has no results; or as
 * far_comparison_create), CANCELLED, MEMORY, or as the store does; the report is then not to be rendered. */
FAR_API far_status far_store_page(far_report *report, far_store *store, const far_page_def *def,
                                  far_error *error);

/* Adds a page about what changed between two stores. Fails with MEMORY. */
FAR_API far_status far_changes_page(far_report *report, const far_changes *changes,
                                    far_error *error);

/* Adds the paper's story: its tables, the curves behind them, and what they do and do not show. Every sentence
 * with a number is made from the runs of the story, which may be freed afterwards. Fails with MEMORY. */
FAR_API far_status far_paper_page(far_report *report, const far_paper_story *story,
                                  far_error *error);

/* Writes a report as HTML to a file; *bytes (may be NULL) is its size. A file that exists is replaced when the
 * new one is complete, and only if it is a page that Farsight wrote, or empty: else CONFLICT. Fails also with
 * IO or MEMORY. */
FAR_API far_status far_page_save(const far_report *report, const char *path, size_t *bytes,
                                 far_error *error);

#ifdef __cplusplus
}
#endif

#endif
