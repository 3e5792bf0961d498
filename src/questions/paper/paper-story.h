/* What is behind the paper's tables: more runs of Oh & Iyengar's comparison, so that a page can tell it.
 *
 *     far__paper_story_def def = far__paper_story_def_default();
 *     far__paper_story *story;
 *     far_status status = far__paper_story_create(&story, &def, &error);
 *     if (status == FAR_OK) far__paper_page(report, story, &error);
 *     far__paper_story_free(story);
 *
 * docs/reproduction.md and docs/growth.md have the whole of it, with more runs.
 */
#ifndef FAR_QUESTIONS_PAPER_PAPER_STORY_H
#define FAR_QUESTIONS_PAPER_PAPER_STORY_H

#include "farsight/store.h"
#include "questions/growth/scaling.h"
#include "questions/paper/paper-tables.h"

typedef struct far__paper_story_def {
  far__paper_def tables; /* store and curve are not read; progress is that of every batch */
  int64_t runs;          /* of the other comparisons; 100 by default */
  int64_t growth_runs;   /* of every size of the growth study; 40 by default */
  /* May be NULL: called before each part, with a word for it. */
  void (*begin)(void *user, const char *part);
} far__paper_story_def;

far__paper_story_def far__paper_story_def_default(void);

/* One reading of the Directed algorithm with the parameters of the tables, gamma_E = 0.99. */
typedef struct far__paper_reading {
  const char *name; /* "as printed", "clamp on", ... */
  const char *spec;
  double mean[FAR__PAPER_TABLES], ci95[FAR__PAPER_TABLES];
} far__paper_reading;

enum { FAR__PAPER_READINGS = 4, FAR__PAPER_SETTINGS = 2 };

typedef struct far__paper_story {
  far__paper_tables *tables;
  /* In memory: the tables with curves; gamma_E swept (steps 10,000); both have the tables' seed. */
  far_store *curves, *sweep;
  far__scaling *growth; /* steps to learn on chains, of Directed, Delayed QL and ε-greedy */
  far__paper_reading readings[FAR__PAPER_READINGS];
  /* Means of the sweep at gamma_E = 0.1 and 0.99: with the setting of the tables, and with the clamped one
   * that was tuned. */
  double sweep_low[FAR__PAPER_SETTINGS][FAR__PAPER_TABLES];
  double sweep_high[FAR__PAPER_SETTINGS][FAR__PAPER_TABLES];

  /* What the numbers come to. */
  size_t in_interval, within, cells;  /* of the paper's cells: in its interval; else within 5% */
  bool order_kept[FAR__PAPER_TABLES]; /* the five Directed means have the paper's order */
  double
      gap_closed[FAR__PAPER_TABLES]; /* by interval estimation alone: the share of the paper's gap
                                        * between Delayed QL and its best Directed row */
  double interval_mean[FAR__PAPER_TABLES]; /* Delayed QL with interval estimation, else unchanged */
  double tuned_spread[FAR__PAPER_TABLES];  /* of the tuned rows: (most - least) / most */
} far__paper_story;

/* Runs everything. On CANCELLED, and on any other error, *out is NULL. Fails as far__paper_tables_run does,
 * and with ABSENT where the build has no store. */
far_status far__paper_story_create(far__paper_story **out, const far__paper_story_def *def,
                                   far_error *error);
void far__paper_story_free(far__paper_story *story); /* NULL is fine */

#endif
