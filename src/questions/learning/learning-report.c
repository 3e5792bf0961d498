/* What an agent knew at several times, as tables for people and all arrays for programs. */
#include <math.h> /* only for NAN */
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"
#include "questions/learning/learning.h"
#include "report/build.h"

enum { MOST_ROWS = 100000 };

/* ---- the table of times ---- */

static void add_share(far_table *table, uint64_t part, uint64_t whole) {
  far__table_real_as(table, (double)part, "%llu of %llu", (unsigned long long)part,
                     (unsigned long long)whole);
}

static void add_time(far_table *table, const far__learning *x, const far__learning_frame *f) {
  far__table_row(table);
  far__table_count(table, f->step);
  far__table_real(table, f->total);
  add_share(table, f->states_visited, x->n_live);
  add_share(table, f->pairs_visited, (uint64_t)x->n_live * x->n_actions);
  if (x->exact.q == NULL) return;
  if (f->policy != NULL)
    add_share(table, f->states_optimal, f->states_compared);
  else
    far__table_none(table);
  far__table_real(table, f->q_error);
}

static void add_times(const far__learning *x, far_report *report) {
  far_table *table = far__report_table(report, "times");
  far__table_column(table, "step", "steps", FAR__COLUMN_COUNT);
  far__table_column(table, "total", "reward", FAR__COLUMN_REAL);
  far__table_column(table, "states_visited", "states", FAR__COLUMN_REAL);
  far__table_column(table, "pairs_visited", "pairs", FAR__COLUMN_REAL);
  if (x->exact.q != NULL) {
    far__table_column(table, "states_optimal", "optimal", FAR__COLUMN_REAL);
    far__table_column(table, "q_error", "max |Q − Q*|", FAR__COLUMN_REAL);
  }
  for (size_t i = 0; i < x->n_frames; ++i) add_time(table, x, &x->frames[i]);
}

/* ---- the table of pairs, for programs ---- */

static const far__learned COLUMNS[] = {FAR__LEARNED_VISITS, FAR__LEARNED_Q, FAR__LEARNED_BONUS,
                                       FAR__LEARNED_E,      FAR__LEARNED_N, FAR__LEARNED_LEARN,
                                       FAR__LEARNED_POLICY};
enum { N_COLUMNS = sizeof COLUMNS / sizeof *COLUMNS };

static void add_pair(far_table *table, const far__learning *x, size_t frame, size_t i) {
  far__table_row(table);
  far__table_count(table, x->frames[frame].step);
  far__table_count(table, (int64_t)(i / x->n_actions));
  far__table_count(table, (int64_t)(i % x->n_actions));
  for (size_t k = 0; k < N_COLUMNS; ++k) {
    const double *array = far__learning_array(x, frame, COLUMNS[k]);
    if (array != NULL)
      far__table_real(table, array[i]);
    else
      far__table_none(table);
  }
  if (x->exact.q != NULL)
    far__table_real(table, x->exact.q[i]);
  else
    far__table_none(table);
}

static void add_pairs(const far__learning *x, far_report *report) {
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  if (pairs > MOST_ROWS / x->n_frames) {
    far__report_note(report, FAR__NOTE_REMARK,
                     "The table of pairs would have more than %d rows and is left out.", MOST_ROWS);
    return;
  }
  far_table *table = far__report_table(report, "pairs");
  far__table_column(table, "step", NULL, FAR__COLUMN_COUNT);
  far__table_column(table, "state", NULL, FAR__COLUMN_COUNT);
  far__table_column(table, "action", NULL, FAR__COLUMN_COUNT);
  for (size_t k = 0; k < N_COLUMNS; ++k)
    far__table_column(table, far__learned_name(COLUMNS[k]), NULL, FAR__COLUMN_REAL);
  far__table_column(table, "exact_q", NULL, FAR__COLUMN_REAL);
  for (size_t frame = 0; frame < x->n_frames; ++frame)
    for (size_t i = 0; i < pairs; ++i) add_pair(table, x, frame, i);
}

/* ---- JSON ---- */

static void write_array(far__json *j, const char *key, const double *array, size_t n) {
  if (array == NULL) {
    far__json_null(j, key);
    return;
  }
  far__json_array(j, key);
  for (size_t i = 0; i < n; ++i) far__json_real(j, NULL, array[i]);
  far__json_end(j);
}

static void write_exact(far__json *j, const far__learning *x) {
  const far__learning_exact *e = &x->exact;
  far__json_object(j, "exact");
  far__json_real(j, "gamma", e->gamma);
  far__json_text(j, "missing", e->why[0] != '\0' ? e->why : NULL);
  far__json_real(j, "error", e->v != NULL ? e->error : NAN);
  write_array(j, "value", e->v, x->n_states);
  write_array(j, "q", e->q, (size_t)x->n_states * x->n_actions);
  far__json_array(j, "policy");
  for (uint32_t s = 0; e->policy != NULL && s < x->n_states; ++s)
    far__json_integer(j, NULL, e->policy[s]);
  far__json_end(j);
  far__json_end(j);
}

static void write_all(const void *user, far__json *j) {
  const far__learning *x = user;
  far__json_text(j, "env", x->env);
  far__json_text(j, "agent", x->agent);
  far__json_integer(j, "states", x->n_states);
  far__json_integer(j, "actions", x->n_actions);
  far__json_integer(j, "live", x->n_live);
  far__json_integer(j, "steps", (uint64_t)x->steps);
  far__json_integer(j, "seed", x->seed);
  far__json_integer(j, "replicate", x->replicate);
  far__json_real(j, "total", x->total);
  if (x->horizon > 0) {
    far__json_integer(j, "horizon", (uint64_t)x->horizon);
    far__json_integer(j, "episode_step", (uint64_t)x->step);
    far__json_flag(j, "by_step", x->by_step);
  }
  far__json_array(j, "frames");
  for (size_t i = 0; i < x->n_frames; ++i) {
    const far__learning_frame *f = &x->frames[i];
    const size_t pairs = (size_t)x->n_states * x->n_actions;
    far__json_object(j, NULL);
    far__json_integer(j, "step", (uint64_t)f->step);
    far__json_real(j, "total", f->total);
    far__json_integer(j, "states_visited", f->states_visited);
    far__json_integer(j, "pairs_visited", f->pairs_visited);
    far__json_integer(j, "states_optimal", f->states_optimal);
    far__json_real(j, "q_error", f->q_error);
    for (size_t q = 0; q < FAR__LEARNED_COUNT; ++q)
      write_array(j, far__learned_name(q), far__learning_array(x, i, (far__learned)q),
                  q == FAR__LEARNED_VALUE ? x->n_states : pairs);
    write_array(j, "optimal", f->optimal, x->n_states);
    far__json_end(j);
  }
  far__json_end(j);
  write_exact(j, x);
}

/* ---- the whole ---- */

/* What the horizon means for what is shown. */
static void add_step_note(const far__learning *x, far_report *report) {
  if (x->horizon == 0) return;
  if (x->by_step)
    far__report_note(report, FAR__NOTE_REMARK,
                     "Values, policy and what they are compared with are those of step %lld of an "
                     "episode of %lld; visited means on that step. Visits are counted over %s.",
                     (long long)x->step, (long long)x->horizon,
                     x->step_given ? "that step alone" : "all steps");
  else
    far__report_note(
        report, FAR__NOTE_REMARK,
        "Episodes are cut after %lld steps, and this agent assumes that they go on: its "
        "values are the same at every step, and the exact ones are of the problem "
        "without a horizon.",
        (long long)x->horizon);
}

static void add_exact_note(const far__learning *x, far_report *report) {
  const far__learning_exact *e = &x->exact;
  const far__real_text gamma = far__shortest(e->gamma), error = far__above(e->error);
  if (e->q != NULL)
    far__report_note(
        report, FAR__NOTE_REMARK,
        "States and pairs: those visited so far. Optimal: visited states whose most "
        "probable action is optimal. Q*: the exact action values with gamma %s, certified "
        "within %s, compared on visited pairs.",
        gamma.text, error.text);
  if (e->q != NULL && !e->same_gamma)
    far__report_note(
        report, FAR__NOTE_REMARK,
        "The agent plans with another discount: its values are not compared with these.");
  if (e->q == NULL)
    far__report_note(
        report, FAR__NOTE_CAVEAT,
        "States and pairs: those visited so far. There are no exact values to compare with: %s.",
        e->why);
}

void far__learning_report(const far__learning *learning, far_report *report) {
  const far__learning *x = learning;
  far__report_heading(report, 1, "%s in %s", x->agent_label, x->env_label);
  if (!x->live)
    far__report_paragraph(report, "One run: %s step%s, seed %llu, replicate %llu, total reward %s.",
                          far__brief_count(x->steps).text, far__plural(x->steps),
                          (unsigned long long)x->seed, (unsigned long long)x->replicate,
                          far__brief_real(x->total).text);
  far__report_paragraph(report, "%lu states (%lu live), %lu actions.", (unsigned long)x->n_states,
                        (unsigned long)x->n_live, (unsigned long)x->n_actions);
  add_times(x, report);
  add_pairs(x, report);
  add_exact_note(x, report);
  add_step_note(x, report);
  far__report_data_by(report, write_all, x);
}
