/* Parts of studies and searches that questions and front ends use. */
#ifndef FAR_LAB_STUDY_PARTS_H
#define FAR_LAB_STUDY_PARTS_H

#include "farsight/study.h"

/* ---- texts of a study ---- */

/* Reads a list of whole numbers with the ranges of a grid, as in "5,10,20..50 step 10" or "[4..16
 * step 2, 20..320 log 5]"; "20..50:10" is short for "20..50 step 10". At most `most` numbers go to
 * `out`, and *count is how many there are. Numbers of a range that are equal when rounded count
 * once. SYNTAX or RANGE, with the position in the text. */
far_status far__integers_parse(int64_t *out, size_t *count, size_t most, const char *text,
                               far_error *error);

/* The checkpoints of a curve's text in a run of so many steps: "100" (so many, evenly), "log 100",
 * or "10,100,1000"; ascending, the last being `steps` (to be freed by far_free). SYNTAX, RANGE or
 * MEMORY. */
far_status far__curve_checkpoints(int64_t **out, size_t *count, const char *text, int64_t steps,
                                  far_error *error);

/* ---- runs until a rule is met ---- */

/* A study's `until`, with its runs as the maximum; RANGE if it has none, SYNTAX if it is a ranking. */
far_status far__study_until(far_until *out, const far_study *study, far_error *error);

/* As far_batch_run (or, unless `store` is NULL, far_store_run), but gives each cell as many runs as
 * it needs: all begin with until->first, and those whose interval is not narrow enough continue to
 * the next look. looks[i] is the last look at cell i (its n is 0 if there was none, after
 * CANCELLED), and has the number of its runs that were computed: in the batch of the last look,
 * `known` includes the runs of earlier looks. The batch has far_batch_result(i)->runs = looks[i].n.
 * The numbers of runs in *def are ignored. */
far_status far__until_run(far_batch **out, far_look *looks, const far_until *until,
                          const far_batch_def *def, far_store *store, far_error *error);

/* A study's `until`, with its runs as the maximum; RANGE if it is no ranking or there is one agent. */
far_status far__study_ranking(far_ranking_def *out, const far_study *study, far_error *error);

/* As far__until_run, but runs are added until every pair of agents is decided on every environment, or
 * there is no further look: an agent gets runs as long as one of its pairs is open. The ranking must be
 * a new one, and cell i * n_agents + j agent j on environment i. computed[i] is the number of runs of
 * cell i that were computed. After CANCELLED the ranking has the looks that were taken. */
far_status far__ranking_run(far_batch **out, far_ranking *ranking, int64_t *computed,
                            const far_batch_def *def, far_store *store, far_error *error);

/* ---- results ---- */

/* The half-width of the 95% interval of a cell's mean: the one that allows for the stopping rule where
 * there was one. */
double far__results_half_width(const far_results *results, size_t cell);

/* The times of a metric of a cell, if its numbers are times that the end of a run cuts off (far_metric.event): a
 * run with all of the cell's steps is censored. Else NULL, and if no run is finished. */
const far_times *far__results_times(const far_results *results, size_t cell, size_t metric);

/* ---- searches ---- */

/* The methods of a search: name and summary; NULL past the end. */
const far_type_info *far__tune_method(size_t index);

/* The spec with brackets that a search would use (the caller's, to be freed by far_free): the agent's own where it has
 * some, or else a decade to either side of the default of each number among its parameters, but for tolerances of its
 * arithmetic. Fails with SYNTAX, UNKNOWN, RANGE, CONFLICT or MEMORY; positions are in `agent`. */
far_status far__tune_space(char **out, const char *agent, const far_shape *shape, far_error *error);

/* The seed of a stage of a search: the first eight bytes, as a little-endian number, of the SHA-256 digest of the
 * text "STAGE SEED", as in "tune 1". */
uint64_t far__tune_seed(uint64_t seed, const char *stage);

#define FAR__TUNE_STD_UNIT 0.35 /* a distance of 1 between the logarithms of standard deviations */

enum { FAR__TUNE_KEYS = 16 }; /* that one agent can have in brackets */

/* What a cell adds to the mean square of FAR_GOAL_FIT, if its runs have this mean and this standard
 * deviation (NAN: not known, and not counted): ((mean - target)/unit)^2 + (ln(std/cell->std)/0.35)^2. A
 * standard deviation below a hundredth of the cell's counts as that. */
double far__tune_fit_term(const far_tune_cell *cell, double mean, double std);

#endif
