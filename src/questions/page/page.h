/* Pages: whole documents about stored results, to be rendered as one file of HTML, and in all other formats of
 * reports.
 *
 *     far__page_def def = far__page_def_default();
 *     def.name = "results.db";                         set only what differs
 *     far_report *report;
 *     far_status status = far_report_create(&report, "report", &error);
 *     if (status == FAR_OK) status = far__store_page(report, store, &def, &error);
 *     if (status == FAR_OK) status = far__page_save(report, "results.html", &bytes, &error);
 *     far_report_free(report);
 *
 * A page begins with the verdict: what was compared, what won, how sure that is, and what limits it. Then come
 * tables and figures, the claims of audits, methods, parameters, hashes, and for every cell the command that
 * computes it again. The same store and definition give the same bytes, but for audits of another version.
 */
#ifndef FAR_QUESTIONS_PAGE_PAGE_H
#define FAR_QUESTIONS_PAGE_PAGE_H

#include "base/text.h"
#include "farsight/comparison.h"
#include "farsight/report.h"
#include "questions/changes/changes.h"
#include "questions/comparison/comparison.h"
#include "questions/comparison/findings.h"
#include "questions/comparison/recipes.h"
#include "questions/curves/curves.h"
#include "questions/paper/paper-story.h"

/* Strings and arrays must live as long as the call. */
typedef struct far__page_def {
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
} far__page_def;

far__page_def far__page_def_default(void);

/* Adds the page of a store to a report. Fails with UNKNOWN (the store has no results; or as
 * far_comparison_create), CANCELLED, MEMORY, or as the store does; the report is then not to be rendered. */
far_status far__store_page(far_report *report, far_store *store, const far__page_def *def,
                           far_error *error);

/* Adds a page about what changed between two stores. Fails with MEMORY. */
far_status far__changes_page(far_report *report, const far__changes *changes, far_error *error);

/* Adds the paper's story: its tables, the curves behind them, and what they do and do not show. Every sentence
 * with a number is made from the runs of the story, which may be freed afterwards. Fails with MEMORY. */
far_status far__paper_page(far_report *report, const far__paper_story *story, far_error *error);

/* Writes a report as HTML to a file; *bytes (may be NULL) is its size. A file that exists is replaced when the
 * new one is complete, and only if it is a page that Farsight wrote, or empty: else CONFLICT. Fails also with
 * IO or MEMORY. */
far_status far__page_save(const far_report *report, const char *path, size_t *bytes,
                          far_error *error);

/* ---- what the files of a store's page share ---- */

/* The first failure stays, and ends the work at the next look at `status`. */
typedef struct far__page {
  far_report *report;
  far_store *store;
  const far__page_def *def;
  far_comparison *comparison;
  far__findings **findings; /* of each group */
  far__recipes *recipes;
  int level;    /* of the headings of sections: below that of their group, if there are several */
  size_t bytes; /* of figures so far */
  size_t left_out; /* figures that there was no room for */
  bool full;       /* there was none for one: no other is tried */
  far_status status;
  far_error *error;
} far__page;

/* Takes note of a status whose error is in page->error; true if all is well so far. */
bool far__page_check(far__page *page, far_status status);

/* Keeps MEMORY, CANCELLED and IO, which end a page; other failures mean that something does not apply to
 * the store. `why` is the error of the call. */
void far__page_fails(far__page *page, far_status status, const far_error *why);

/* Reports progress; false, and CANCELLED, if the caller wants to stop. */
bool far__page_progress(far__page *page, const char *what, size_t done, size_t count);

static inline const far_comparison_group *far__page_group(const far__page *page, size_t i) {
  return &page->comparison->groups[i];
}

/* ---- words (words.c) ---- */

/* A text that is built where it is used. */
typedef struct far__words {
  char text[160];
} far__words;

far__words far__say_name(const char *label);            /* cut where it is long */
far__words far__say_count(int64_t n);                   /* "1,234" */
far__words far__say_number(size_t n, const char *noun); /* "1 agent", "12 agents" */
far__words
far__say_mean(const far_comparison_cell *cell); /* "178 ± 4", and how many are censored */
const char *
far__mean_word(const far_comparison *comparison); /* "mean", of times "restricted mean" */
far__words far__say_difference(double mean, double low,
                               double high);              /* "18 ± 6", without its sign */
far__words far__say_p(double p);                          /* "p = 0.003", "p < 0.0001" */
far__words far__say_series(const char *series);           /* "total reward", "regret" */
far__words far__say_group(const far_comparison_group *g); /* "5,000 steps, seed 1" */

/* "a, b and c", or "a, b and 4 others": the agents of rivals. */
void far__say_rivals(far__text *out, const far_comparison_group *g,
                     const far__finding_rival *rivals, size_t n, size_t most);

/* ---- parts, in the order of the page ---- */

void far__page_verdict(far__page *page);                 /* verdict.c */
void far__page_caveats(far__page *page, far__text *out); /* caveats.c: a line for each */
void far__page_sentence(far__page *page, size_t group, size_t e, far__text *out); /* verdict.c */
void far__page_standings(far__page *page, size_t group);                          /* standings.c */
void far__page_envs(far__page *page, size_t group);     /* environments.c */
void far__page_overall(far__page *page, size_t group);  /* overall.c */
void far__page_learning(far__page *page, size_t group); /* learning.c */
void far__page_parameters(far__page *page);             /* origin.c */
void far__page_recipes(far__page *page);                /* origin.c */
void far__page_sessions(far__page *page);               /* origin.c */

/* ---- figures (figures.c) ---- */

/* A figure of a comparison's group by its kind; or of one environment of it (e < n_envs). NULL where it does
 * not apply. */
far_figure *far__page_plot(far__page *page, const char *kind, size_t group, size_t e,
                           far_plot_scale x_scale);

/* The same over all environments, for the best agents alone. */
far_figure *far__page_plot_best(far__page *page, const char *kind, size_t group);

/* Curves of one environment, from the store. */
far_figure *far__page_curves(far__page *page, size_t group, size_t e, far_plot_scale x_scale);

/* A view for the figure that comes next, and what it is called. */
typedef struct far__view_of {
  far_figure *figure;
  const char *label;
} far__view_of;

/* Adds a figure with those views that exist, if there is room for them; frees them else. */
void far__page_figure(far__page *page, const char *name, const far__view_of *views, size_t n,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
