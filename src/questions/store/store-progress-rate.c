/* How fast a study goes, and how long it will take.
 *
 * Work is measured in seconds of processor time, since a step of one agent may cost a thousand times that of
 * another. A cell that has runs costs what these cost; of one that has none the agent's runs elsewhere tell
 * the time of a step, or else all runs do. Speed is what was committed between two moments at which something
 * was: commits come in bursts, and polls between them say nothing. */
#include <math.h>
#include <stdio.h>

#include "questions/store/store-progress.h"

enum {
  LATELY = 60, /* seconds that the speed is of, if there were enough commits */
  LEAST_COMMITS = 4,
  RECENT = 120, /* a session whose last commit is not older is taken as running */
};

/* ---- time ---- */

/* Days since 1970 of a date of the Gregorian calendar (Hinnant's days_from_civil). */
static double days_of(int year, int month, int day) {
  const int y = month <= 2 ? year - 1 : year;
  const int era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
  const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int leap_days = of_era / 4 - of_era / 100;
  return (double)era * 146097 + of_era * 365 + leap_days + of_year - 719468;
}

/* Seconds since 1970 of 2026-01-31T23:59:59Z; NAN if it is none. */
static double moment_of(const char *text) {
  static const char form[] = "0000-00-00T00:00:00Z";
  int numbers[8] = {0};
  size_t which = 0;
  for (size_t i = 0; i < sizeof form; ++i) { /* its end as well */
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (form[i] == '0' ? !digit : text[i] != form[i]) return NAN;
    if (digit)
      numbers[which] = 10 * numbers[which] + (text[i] - '0');
    else
      ++which;
  }
  const int y = numbers[0], mo = numbers[1], d = numbers[2];
  const int h = numbers[3], mi = numbers[4], s = numbers[5];
  if (mo < 1 || mo > 12 || d < 1 || d > 31 || h < 0 || h > 23 || mi < 0 || mi > 59) return NAN;
  return days_of(y, mo, d) * 86400 + h * 3600.0 + mi * 60.0 + s;
}

/* ---- work ---- */

typedef struct cost {
  double all_seconds, all_steps;
} cost;

/* Seconds of a run of cell i; 0 if nothing is known. */
static double cost_of(const far__follower *f, const cost *c, size_t i) {
  const far__store_progress_cell *cell = &f->shown[i];
  const far__followed_agent *agent = &f->agents[f->cells[i].agent];
  if (cell->runs > 0) return cell->seconds / (double)cell->runs;
  if (agent->steps > 0) return agent->seconds / agent->steps * (double)cell->steps;
  return c->all_steps > 0 ? c->all_seconds / c->all_steps * (double)cell->steps : 0;
}

typedef struct work {
  double done, planned;             /* in seconds of processor time */
  double steps_done, steps_planned; /* where nothing is known of these */
} work;

static work count_cells(far__follower *f) {
  cost c = {0};
  work w = {0};
  for (size_t i = 0; i < f->n_agents; ++i) {
    c.all_seconds += f->agents[i].seconds;
    c.all_steps += f->agents[i].steps;
  }
  f->seen.runs = f->seen.planned = f->seen.done = 0;
  f->seen.n_finished = 0;
  f->seen.seconds = 0;
  for (size_t i = 0; i < f->seen.n_cells; ++i) {
    far__followed_cell *cell = &f->cells[i];
    far__store_progress_cell *shown = &f->shown[i];
    const int64_t now = shown->is_planned ? shown->done : shown->runs;
    const double run = cost_of(f, &c, i), more = (double)(now - cell->counted_done);
    f->seen.runs += shown->runs;
    f->seen.seconds += shown->seconds;
    f->sum.steps += more * (double)shown->steps;
    cell->counted_done = now;
    if (!shown->is_planned) continue;
    f->sum.work += more * run;
    f->seen.planned += shown->planned;
    f->seen.done += shown->done;
    f->seen.n_finished += shown->finished;
    w.done += run * (double)shown->done;
    w.planned += run * (double)shown->planned;
    w.steps_done += (double)shown->done * (double)shown->steps;
    w.steps_planned += (double)shown->planned * (double)shown->steps;
  }
  f->sum.seconds = f->seen.seconds;
  return w;
}

/* ---- speed ---- */

/* What was done a second. */
typedef struct speed {
  double steps, seconds, work;
} speed;

static void note_moment(far__follower *f, double now) {
  const far__followed_moment *last = f->n_moments > 0 ? &f->moments[f->n_moments - 1] : NULL;
  f->sum.at = now;
  if (last != NULL && now < last->at) f->n_moments = 0; /* the clock was set back */
  if (f->n_moments > 0 && f->sum.steps == last->steps && f->sum.seconds == last->seconds) return;
  if (f->n_moments == FAR__MOMENTS) {
    for (size_t i = 1; i < FAR__MOMENTS; ++i) f->moments[i - 1] = f->moments[i];
    --f->n_moments;
  }
  f->moments[f->n_moments++] = f->sum;
}

/* By the moments: from the oldest that is recent, or of few enough commits ago, to the last. While nothing
 * comes for longer than that took, the speed falls. */
static bool measured(speed *out, const far__follower *f, double now) {
  if (f->n_moments < 2) return false;
  const far__followed_moment *last = &f->moments[f->n_moments - 1];
  size_t from = f->n_moments > LEAST_COMMITS ? f->n_moments - 1 - LEAST_COMMITS : 0;
  while (from > 0 && f->moments[from - 1].at >= now - LATELY) --from;
  const far__followed_moment *first = &f->moments[from];
  const double took = last->at - first->at, since = now - last->at;
  if (!(took > 0)) return false;
  const double time = since > took && since > 2 ? took + since : took;
  const bool over = since > LATELY && since > 4 * took;
  *out = over ? (speed){0}
              : (speed){(last->steps - first->steps) / time,
                        (last->seconds - first->seconds) / time, (last->work - first->work) / time};
  return true;
}

/* By the sessions that seem to be running, from their first commit to their last: before there are two
 * moments. */
static bool recorded(speed *out, const far__follower *f) {
  bool any = false;
  *out = (speed){0};
  for (size_t i = 0; i < f->seen.n_sessions; ++i) {
    const far__store_progress_session *s = &f->sessions[i];
    const double took = moment_of(s->last) - moment_of(s->started);
    if (!(s->age < RECENT) || !(took >= 2)) continue;
    const double share = s->steps > 0 ? 1 - f->origins[i].first_steps / s->steps : 1;
    out->steps += share * s->steps / took;
    out->seconds += share * s->seconds / took;
    any = true;
  }
  out->work = out->seconds;
  return any;
}

/* ---- both ---- */

static double age_of(const char *time, double now) {
  const double age = now - moment_of(time);
  return age < 0 ? 0 : age; /* NaN stays */
}

static void measure_quiet(far__follower *f, double now) {
  f->seen.quiet = NAN;
  for (size_t i = 0; i < f->seen.n_sessions; ++i) {
    f->sessions[i].age = age_of(f->sessions[i].last, now);
    if (!(f->seen.quiet <= f->sessions[i].age)) f->seen.quiet = f->sessions[i].age;
  }
  if (f->n_moments < 2) return;
  const double since = now - f->moments[f->n_moments - 1].at;
  if (!(f->seen.quiet <= since)) f->seen.quiet = since;
}

static double left(double remaining, double rate) {
  return remaining > 0 && rate > 0 ? remaining / rate : NAN;
}

void far__followed_rate(far__follower *f, double now) {
  speed v;
  far__store_progress *seen = &f->seen;
  const work w = count_cells(f);
  note_moment(f, now);
  measure_quiet(f, now);
  const bool known = measured(&v, f, now) || recorded(&v, f);
  const bool idle = !known && (seen->quiet > RECENT || f->n_moments == 0);
  seen->steps_per_second = known ? v.steps : idle ? 0 : NAN;
  seen->busy = known ? v.seconds : idle ? 0 : NAN;
  seen->finished = seen->has_plan && seen->n_finished == seen->n_planned;
  seen->seconds_left = NAN;
  seen->share = NAN;
  if (!seen->has_plan) return;
  const bool timed = w.planned > 0;
  const double all = timed ? w.planned : w.steps_planned, done = timed ? w.done : w.steps_done;
  seen->share = seen->finished ? 1 : all > 0 ? done / all : 0;
  if (seen->finished)
    seen->seconds_left = 0;
  else if (known)
    seen->seconds_left = timed && v.work > 0 ? left(all - done, v.work)
                                             : left(w.steps_planned - w.steps_done, v.steps);
}
