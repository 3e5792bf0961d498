/* The parts of a comparison (farsight/comparison.h): records of a store are read (comparison-records.c), divided into
 * groups whose numbers may be compared (comparison-groups.c), analysed (comparison-cells.c, -scores.c,
 * -differences.c) and written into a report (comparison-report.c, -notes.c, -json.c). */
#ifndef FAR_QUESTIONS_COMPARISON_COMPARISON_H
#define FAR_QUESTIONS_COMPARISON_COMPARISON_H

#include "base/json.h"
#include "farsight/comparison.h"
#include "questions/comparison/times.h"

/* ---- parts of far_comparison_report, for documents with an order of their own ---- */

typedef struct far__comparison_rows {
  size_t group;
  const size_t *agents; /* whose rows there are, in this order; NULL: those of all agents */
  size_t n_agents;      /* of `agents` */
  bool captions;        /* tables have captions, not headings */
} far__comparison_rows;

/* The tables "cells" and "comparisons" of one environment. */
void far__comparison_report_env(const far_comparison *comparison, size_t env,
                                const far__comparison_rows *rows, far_report *report);

/* The tables "improvements", "scores" and "profiles", as far as these exist, each with its heading or caption. */
void far__comparison_report_overall(const far_comparison *comparison,
                                    const far__comparison_rows *rows, far_report *report);

/* Notes on the marks and on what limits the conclusions from a group; the methods in words; and the JSON
 * members, for far__report_data_by. */
void far__comparison_report_notes(const far_comparison *comparison, size_t group,
                                  far_report *report);
void far__comparison_report_methods(const far_comparison *comparison, far_report *report);
void far__comparison_json(const void *comparison, far__json *json);

/* The score of entry k of a profile: 0, 0.1, ..., 1. */
double far__comparison_tau(size_t k);

/* ---- what the store has ---- */

typedef struct far__stored_env {
  char *given;        /* as the record has it */
  far_spec *read;     /* NULL where that is no spec */
  char *spec, *model; /* canonical where it is a spec */
  char *label;        /* as one would type it */
  char *typed;        /* as it was typed, or its name; NULL where that is not known */
  char *unusable;     /* why there is no model; or NULL */
  far_mdp *mdp;       /* NULL where it cannot be made, or is another model now */
  bool lent;          /* the model is the caller's */
  bool twin;          /* the label tells it from another model of that name */
} far__stored_env;

typedef struct far__stored_cell {
  char *key, *agent;
  char **typed; /* what the agent was called where the cell was run; n_typed */
  size_t n_typed;
  size_t env;
  int64_t steps, episodes;
  uint64_t seed;
  int numerics;
  double *x;
  int64_t *replicates;
  int64_t n;
  bool kept; /* it is wanted and has the series, or a curve of it */
} far__stored_cell;

typedef struct far__stored {
  far__stored_env *envs;
  size_t n_envs;
  far__stored_cell *cells; /* environment by environment */
  size_t n_cells;
} far__stored;

/* ---- work in progress ---- */

/* The first failure stays, and ends the work at the next look at `status`. Until then everything goes
 * on with what there is: no pointer that is kept points to nothing. */
typedef struct far__comparing {
  const far_comparison_def *def;
  far_comparison *out;
  far__stored *stored;
  far_store *store;
  const char *what; /* the part of the work, as the progress was told last */
  size_t done, count;
  size_t n_older;             /* cells that far_comparison_def.newest left out */
  far_bootstrap_def how;      /* the definition's, or hardly any resamples for a quick one */
  far_bootstrap_cache *cache; /* what cells of as many runs share */
  bool curve; /* the series is wanted at all of its checkpoints: cells have records, and no runs */
  far_status status;
  far_error *error; /* of that failure; may be NULL */
} far__comparing;

/* Takes note of a status whose error is in c->error; true if all is well so far. */
bool far__work_check(far__comparing *c, far_status status);

/* The same for calls without an error whose failures are answers: true if the call succeeded. Lack of
 * memory is no such answer. */
bool far__work_answers(far__comparing *c, far_status status);

/* Zeroed memory for at least one element; an array that has room for `count` elements and one more; a
 * copy of a text. NULL or false without memory. */
void *far__work_room(far__comparing *c, size_t count, size_t size);
bool far__work_grow(far__comparing *c, void **array, size_t count, size_t size);
char *far__work_copy(far__comparing *c, const char *text);

/* Reports progress; false if the caller wants to stop. */
bool far__work_progress(far__comparing *c, const char *what, size_t done, size_t count);

/* From the definition to the groups, what `compute` makes of them while the models are there, and the result.
 * `work` has the members def, error and curve. Fails as far_comparison_create does. */
far_status far__comparison_make(far_comparison **out, far_store *store, far__comparing *work,
                                void (*compute)(far__comparing *c, void *user), void *user);

/* "a, b, c", as far as there is room: then " and others". */
typedef struct far__names {
  char text[300];
  size_t length, count;
  bool cut;
} far__names;
void far__names_add(far__names *names, const char *name);

/* ---- comparison-records.c ---- */

/* Reads the chosen cells of the store. */
void far__stored_read(far__comparing *c);
void far__stored_free(far__stored *stored);

/* A wanted environment is this one: by its spec, or by a pattern of its label. */
bool far__env_is(far__comparing *c, const far__stored_env *env, const char *wanted);

/* The agent's spec would be this canonical one on the environment. */
bool far__agent_is(far__comparing *c, size_t env, int64_t steps, int64_t episodes,
                   const char *canonical, const char *spec);

/* The agent's spec as one would type it; heap. For cells of which nobody knows how it was typed. */
char *far__derived_label(far__comparing *c, const far__stored_cell *cell);

/* Fails, since none of the agents is called so; `what` begins the message. */
void far__unknown_agent(far__comparing *c, const char *what, const char *wanted);

/* ---- comparison-groups.c ---- */

void far__groups_make(far__comparing *c);

/* Gives environments and agents the names of the definition, if the group has exactly these. Labels are
 * specs before. To be called where there is one group. */
void far__group_name(far__comparing *c, far_comparison_group *g);

/* The names as tables have them. */
void far__group_shorten(far__comparing *c, far_comparison_group *g);
void far__groups_free(far_comparison *comparison);

/* ---- statistics ---- */

/* Describes every cell, finds scales and scores, chooses the baseline and compares with it.
 * g->baseline is n_agents where the one asked for is not there. */
void far__group_compute(far__comparing *c, far_comparison_group *g);

/* Scales of environments, aggregates and profiles of agents. */
void far__group_score(far__comparing *c, far_comparison_group *g);

/* Differences to the baseline and improvements over it; g->baseline is set. */
void far__group_compare(far__comparing *c, far_comparison_group *g);

/* Average rewards of the random and of the best policy for each step, where the series adds up rewards and the
 * model is known to have one for all starts; else NAN. `g` and `e` say what the progress is of. */
void far__policy_rates(far__comparing *c, const far_comparison_group *g, size_t e, double *low,
                       double *high);

/* Are the runs of agents i and j with the same replicate a pair on environment e? They are where both were computed here, and
 * imported ones of one record each if the caller says so (far_comparison_def.paired). */
bool far__pairable(const far_comparison_group *g, bool paired, size_t e, size_t i, size_t j);

/* Have agents i and j (or one alone, i = j) the same replicates on all environments that both are on? Then the runs of
 * a replicate, which share random numbers, are resampled together. Imported runs share none. */
bool far__same_replicates(const far_comparison_group *g, size_t i, size_t j);

/* The cell of agent j on environment e. */
static inline far_comparison_cell *far__cell_of(const far_comparison_group *g, size_t e, size_t j) {
  return &g->cells[e * g->n_agents + j];
}

/* How many agents have a better mean on the environment; all of them where there are no runs. */
double far__rank_on(const far_comparison_group *g, size_t e, size_t j, bool lower);

/* The runs of the cell that has most. */
int64_t far__most_runs(const far_comparison_group *g);

/* How many resamples must be expected beyond an end of a bootstrap interval. */
enum { FAR__FEWEST_BEYOND = 2 };

/* A sample of one run hides how much runs vary, so that no bootstrap interval is known. */
void far__no_interval(far_estimate *estimate);

/* Nor is it where all resamples agree: an interval of no width would claim to be sure. */
void far__no_point(far_estimate *estimate);

/* ---- the report ---- */

/* Names as tables have them, with the mark of their origin. */
enum { FAR__SHOWN_SIZE = 200 };
typedef struct far__shown_text {
  char text[FAR__SHOWN_SIZE];
} far__shown_text;
far__shown_text far__shown_env(const far_comparison_group *g, size_t e);
far__shown_text far__shown_agent(const far_comparison_group *g, size_t j);

/* The agent's canonical spec on the first environment that it is on. */
const char *far__agent_spec(const far_comparison_group *g, size_t j);

/* As JSON and CSV have it. */
const char *far__origin_name(far_origin origin);

/* "Undiscounted reward, steps 5000, seed 1; higher is better", behind `what`. */
void far__report_title(far_report *report, const char *what, const char *series,
                       const far_comparison_group *group, bool lower);

/* The specs in full. */
void far__report_specs(far_report *report, const far_comparison_group *g);

#endif
