/* What an agent knew at several times, as tables for people and all arrays for programs. */
#include <math.h> /* only for NAN */
#include <stdio.h>

#include "base/text.h"
#include "farsight/learning.h"

enum { MOST_ROWS = 100000 };

/* ---- the table of times ---- */

static void add_share(far_table *table, uint64_t part, uint64_t whole) {
  far_table_real_as(table, (double)part, "%llu of %llu", (unsigned long long)part,
                    (unsigned long long)whole);
}

static void add_time(far_table *table, const far_learning *x, const far_learning_frame *f) {
  far_table_row(table);
  far_table_count(table, f->step);
  far_table_real(table, f->total);
  add_share(table, f->states_visited, x->n_live);
  add_share(table, f->pairs_visited, (uint64_t)x->n_live * x->n_actions);
  if (x->exact.q == NULL) return;
  if (f->policy != NULL)
    add_share(table, f->states_optimal, f->states_compared);
  else
    far_table_none(table);
  far_table_real(table, f->q_error);
}

static void add_times(const far_learning *x, far_report *report) {
  far_table *table = far_report_table(report, "times");
  far_table_column(table, "step", "steps", FAR_COLUMN_COUNT);
  far_table_column(table, "total", "reward", FAR_COLUMN_REAL);
  far_table_column(table, "states_visited", "states", FAR_COLUMN_REAL);
  far_table_column(table, "pairs_visited", "pairs", FAR_COLUMN_REAL);
  if (x->exact.q != NULL) {
    far_table_column(table, "states_optimal", "optimal", FAR_COLUMN_REAL);
    far_table_column(table, "q_error", "max |Q − Q*|", FAR_COLUMN_REAL);
  }
  for (size_t i = 0; i < x->n_frames; ++i) add_time(table, x, &x->frames[i]);
}

/* ---- the table of pairs, for programs ---- */

static const far_learned COLUMNS[] = {FAR_LEARNED_VISITS, FAR_LEARNED_Q, FAR_LEARNED_BONUS,
                                      FAR_LEARNED_E,      FAR_LEARNED_N, FAR_LEARNED_LEARN,
                                      FAR_LEARNED_POLICY};
enum { N_COLUMNS = sizeof COLUMNS / sizeof *COLUMNS };

static void add_pair(far_table *table, const far_learning *x, size_t frame, size_t i) {
  far_table_row(table);
  far_table_count(table, x->frames[frame].step);
  far_table_count(table, (int64_t)(i / x->n_actions));
  far_table_count(table, (int64_t)(i % x->n_actions));
  for (size_t k = 0; k < N_COLUMNS; ++k) {
    const double *array = far_learning_array(x, frame, COLUMNS[k]);
    if (array != NULL)
      far_table_real(table, array[i]);
    else
      far_table_none(table);
  }
  if (x->exact.q != NULL)
    far_table_real(table, x->exact.q[i]);
  else
    far_table_none(table);
}

static void add_pairs(const far_learning *x, far_report *report) {
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  if (pairs > MOST_ROWS / x->n_frames) {
    far_report_note(report, FAR_NOTE_REMARK,
                    "The table of pairs would have more than %d rows and is left out.", MOST_ROWS);
    return;
  }
  far_table *table = far_report_table(report, "pairs");
  far_table_column(table, "step", NULL, FAR_COLUMN_COUNT);
  far_table_column(table, "state", NULL, FAR_COLUMN_COUNT);
  far_table_column(table, "action", NULL, FAR_COLUMN_COUNT);
  for (size_t k = 0; k < N_COLUMNS; ++k)
    far_table_column(table, far_learned_name(COLUMNS[k]), NULL, FAR_COLUMN_REAL);
  far_table_column(table, "exact_q", NULL, FAR_COLUMN_REAL);
  for (size_t frame = 0; frame < x->n_frames; ++frame)
    for (size_t i = 0; i < pairs; ++i) add_pair(table, x, frame, i);
}

/* ---- JSON ---- */

static void write_array(far_json *j, const char *key, const double *array, size_t n) {
  if (array == NULL) {
    far_json_null(j, key);
    return;
  }
  far_json_array(j, key);
  for (size_t i = 0; i < n; ++i) far_json_real(j, NULL, array[i]);
  far_json_end(j);
}

static void write_frame(far_json *j, const far_learning *x, size_t i) {
  const far_learning_frame *f = &x->frames[i];
  const size_t pairs = (size_t)x->n_states * x->n_actions;
  far_json_object(j, NULL);
  far_json_integer(j, "step", (uint64_t)f->step);
  far_json_real(j, "total", f->total);
  far_json_integer(j, "states_visited", f->states_visited);
  far_json_integer(j, "pairs_visited", f->pairs_visited);
  far_json_integer(j, "states_optimal", f->states_optimal);
  far_json_real(j, "q_error", f->q_error);
  for (size_t q = 0; q < FAR_LEARNED_COUNT; ++q)
    write_array(j, far_learned_name(q), far_learning_array(x, i, (far_learned)q),
                q == FAR_LEARNED_VALUE ? x->n_states : pairs);
  write_array(j, "optimal", f->optimal, x->n_states);
  far_json_end(j);
}

static void write_exact(far_json *j, const far_learning *x) {
  const far_learning_exact *e = &x->exact;
  far_json_object(j, "exact");
  far_json_real(j, "gamma", e->gamma);
  far_json_text(j, "missing", e->why[0] != '\0' ? e->why : NULL);
  far_json_real(j, "error", e->v != NULL ? e->error : NAN);
  write_array(j, "value", e->v, x->n_states);
  write_array(j, "q", e->q, (size_t)x->n_states * x->n_actions);
  far_json_array(j, "policy");
  for (uint32_t s = 0; e->policy != NULL && s < x->n_states; ++s)
    far_json_integer(j, NULL, e->policy[s]);
  far_json_end(j);
  far_json_end(j);
}

static void write_all(const void *user, far_json *j) {
  const far_learning *x = user;
  far_json_text(j, "env", x->env);
  far_json_text(j, "agent", x->agent);
  far_json_integer(j, "states", x->n_states);
  far_json_integer(j, "actions", x->n_actions);
  far_json_integer(j, "live", x->n_live);
  far_json_integer(j, "steps", (uint64_t)x->steps);
  far_json_integer(j, "seed", x->seed);
  far_json_integer(j, "replicate", x->replicate);
  far_json_real(j, "total", x->total);
  if (x->horizon > 0) {
    far_json_integer(j, "horizon", (uint64_t)x->horizon);
    far_json_integer(j, "episode_step", (uint64_t)x->step);
    far_json_flag(j, "by_step", x->by_step);
  }
  far_json_array(j, "frames");
  for (size_t i = 0; i < x->n_frames; ++i) write_frame(j, x, i);
  far_json_end(j);
  write_exact(j, x);
}

/* ---- the whole ---- */

/* What the horizon means for what is shown. */
static void add_step_note(const far_learning *x, far_report *report) {
  if (x->horizon == 0) return;
  if (x->by_step)
    far_report_note(report, FAR_NOTE_REMARK,
                    "Values, policy and what they are compared with are those of step %lld of an "
                    "episode of %lld; visited means on that step. Visits are counted over %s.",
                    (long long)x->step, (long long)x->horizon,
                    x->step_given ? "that step alone" : "all steps");
  else
    far_report_note(
        report, FAR_NOTE_REMARK,
        "Episodes are cut after %lld steps, and this agent assumes that they go on: its "
        "values are the same at every step, and the exact ones are of the problem "
        "without a horizon.",
        (long long)x->horizon);
}

static void add_exact_note(const far_learning *x, far_report *report) {
  const far_learning_exact *e = &x->exact;
  const far__real_text gamma = far__shortest(e->gamma), error = far__above(e->error);
  if (e->q != NULL)
    far_report_note(
        report, FAR_NOTE_REMARK,
        "States and pairs: those visited so far. Optimal: visited states whose most "
        "probable action is optimal. Q*: the exact action values with gamma %s, certified "
        "within %s, compared on visited pairs.",
        gamma.text, error.text);
  if (e->q != NULL && !e->same_gamma)
    far_report_note(
        report, FAR_NOTE_REMARK,
        "The agent plans with another discount: its values are not compared with these.");
  if (e->q == NULL)
    far_report_note(
        report, FAR_NOTE_CAVEAT,
        "States and pairs: those visited so far. There are no exact values to compare with: %s.",
        e->why);
}

void far_learning_report(const far_learning *learning, far_report *report) {
  const far_learning *x = learning;
  char total[FAR_BRIEF_SIZE], steps[FAR_BRIEF_SIZE];
  far_real_brief(total, x->total);
  far_count_brief(steps, x->steps);
  far_report_heading(report, 1, "%s in %s", x->agent_label, x->env_label);
  if (!x->live)
    far_report_paragraph(report, "One run: %s step%s, seed %llu, replicate %llu, total reward %s.",
                         steps, far__plural(x->steps), (unsigned long long)x->seed,
                         (unsigned long long)x->replicate, total);
  far_report_paragraph(report, "%lu states (%lu live), %lu actions.", (unsigned long)x->n_states,
                       (unsigned long)x->n_live, (unsigned long)x->n_actions);
  add_times(x, report);
  add_pairs(x, report);
  add_exact_note(x, report);
  add_step_note(x, report);
  far_report_data_by(report, write_all, x);
}
