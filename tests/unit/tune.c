/* Tuning: the space, the schedule, every method on objectives whose optimum is known, and a search of a
 * real agent against the runs that it claims to have made. */
#include <farsight/lab.h>
#include <stdlib.h>

#include "check.h"
#include "horizons.h"
#include "lab/study/parts.h"
#include "lab/tune/scorer.h"
#include "lab/tune/search.h"

/* ---- the space ---- */

static double number(const far__axis *axis, double u) {
  return strtod(far__axis_value(axis, u).text, NULL);
}

static void test_values(void) {
  far__space s;
  CHECK(far__space_read(&s,
                        "directed-delayed-q:gamma=[0.5..0.999 horizon],m=[1..100 log],eta=0.5,"
                        "lambda=[0.01..100 log],gamma_e=[0.1..0.9],clamp=[on|off],rho=[1, 2 ,5]",
                        NULL) == FAR_OK);
  CHECK(s.n_axes == 6 && s.n_parts == 7);
  CHECK_TEXT(far__axis_value(&s.axes[0], 0).text, "0.5");
  CHECK_TEXT(far__axis_value(&s.axes[0], 1).text, "0.999");
  CHECK_NEAR(number(&s.axes[0], 0.5), 1 - sqrt(0.5 * 0.001), 1e-5);
  CHECK_TEXT(far__axis_value(&s.axes[1], 0).text, "1");
  CHECK_TEXT(far__axis_value(&s.axes[1], 1).text, "100");
  CHECK_TEXT(far__axis_value(&s.axes[1], 0.5).text, "10"); /* floor(sqrt(101)) */
  CHECK_TEXT(far__axis_value(&s.axes[2], 0.5).text, "1");
  CHECK_TEXT(far__axis_value(&s.axes[2], 0.123).text, "0.03105"); /* 10^(-2 + 0.492) */
  CHECK_TEXT(far__axis_value(&s.axes[3], 0.3333).text, "0.3666");
  CHECK_TEXT(far__axis_value(&s.axes[4], 0.49).text, "on");
  CHECK_TEXT(far__axis_value(&s.axes[4], 0.5).text, "off");
  CHECK_TEXT(far__axis_value(&s.axes[5], 0.4).text, "2");
  CHECK_TEXT(far__axis_value(&s.axes[5], 1).text, "5");
  const double u[] = {0, 0.5, 0.5, 1, 0, 1};
  far__text text = {0};
  far__space_spec(&text, &s, u, "ties=lowest");
  CHECK_TEXT(text.bytes, "directed-delayed-q:gamma=0.5,m=10,eta=0.5,lambda=1,gamma_e=0.9,clamp=on,"
                         "rho=5,ties=lowest");
  text.length = 0;
  far__space_plain(&text, &s, NULL);
  CHECK_TEXT(text.bytes, "directed-delayed-q:eta=0.5");
  free(text.bytes);
  far__space_free(&s);
}

/* Every whole number of a range is met, each about as often as its share of the scale. */
static void test_whole_numbers(void) {
  far__space s;
  int linear[6] = {0}, log[6] = {0};
  CHECK(far__space_read(&s, "delayed-q:m=[1..5]", NULL) == FAR_OK);
  for (int i = 0; i < 1000; ++i) linear[(int)number(&s.axes[0], i / 1000.0)] += 1;
  far__space_free(&s);
  CHECK(far__space_read(&s, "delayed-q:m=[1..5 log]", NULL) == FAR_OK);
  for (int i = 0; i < 1000; ++i) log[(int)number(&s.axes[0], i / 1000.0)] += 1;
  far__space_free(&s);
  for (int m = 1; m <= 5; ++m) {
    CHECK(linear[m] == 200);
    CHECK_NEAR(log[m], 1000 * (logl(m + 1) - logl(m)) / logl(6), 2);
  }
}

/* What is printed is what is measured: the text has four significant digits (with horizon 1 - x has),
 * and reads back as the value. */
static void test_rounding(void) {
  far__space s;
  CHECK(far__round4(0.123456) == 0.1235 && far__round4(98766) == 98770 && far__round4(0) == 0);
  CHECK(far__space_read(&s, "q-learning:gamma=[0.1..0.9999 horizon],alpha=[1e-5..1 log]", NULL) ==
        FAR_OK);
  for (int i = 0; i <= 1000; ++i) {
    const double u = i / 1000.0, gamma = number(&s.axes[0], u), alpha = number(&s.axes[1], u);
    CHECK(alpha == far__round4(alpha));
    const double rest = 1 - gamma, exact = 0.9 * pow(0.0001 / 0.9, u);
    CHECK(fabs(rest - far__round4(rest)) < 1e-15 && fabs(rest / exact - 1) < 5.1e-4);
    CHECK(strlen(far__axis_value(&s.axes[0], u).text) <= 10);
  }
  far__space_free(&s);
}

static void test_lists(void) {
  static const struct {
    const char *spec, *values;
  } cases[] = {{"delayed-q:m=[5..25 step 5]", "5 10 15 20 25 "},
               {"delayed-q:m=[1..100 log 5]", "1 3 10 32 100 "},
               {"delayed-q:m=[1..3 log 9]", "1 2 3 "},
               {"delayed-q:eps1=[0.1..0.3 count 5]", "0.1 0.15 0.2 0.25 0.3 "},
               {"delayed-q:eps1=[0.1..0.5 step 0.1]", "0.1 0.2 0.3 0.4 0.5 "},
               {"delayed-q:form=[2006]", "2006 "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far__space s;
    char all[256] = "";
    CHECK(far__space_read(&s, cases[i].spec, NULL) == FAR_OK);
    for (size_t k = 0; k < s.axes[0].n_values; ++k) {
      strcat(all, s.axes[0].values[k]);
      strcat(all, " ");
    }
    CHECK_TEXT(all, cases[i].values);
    far__space_free(&s);
  }
}

static void test_wrong_spaces(void) {
  static const struct {
    const char *spec;
    far_status code;
    int position;
    const char *message;
  } cases[] = {
      {"delayd:m=[1..3]", FAR_STATUS_UNKNOWN, 0, "did you mean 'delayed-q'"},
      {"delayed-q:gama=[0.1..0.3]", FAR_STATUS_UNKNOWN, 10, "did you mean 'gamma'"},
      {"delayed-q:m=[1..", FAR_STATUS_SYNTAX, 10, "closed"},
      {"delayed-q:m=[3..1]", FAR_STATUS_RANGE, 13, "from the smaller to the larger"},
      {"delayed-q:m=[0..3]", FAR_STATUS_RANGE, 13, "at least 1|whole number in [1"},
      {"delayed-q:m=[1.5..3]", FAR_STATUS_RANGE, 13, "whole number"},
      {"delayed-q:gamma=[0.5..1]", FAR_STATUS_RANGE, 22, "in [0, 1)"},
      {"delayed-q:gamma=[0..0.9 log]", FAR_STATUS_RANGE, 17, "above 0"},
      {"delayed-q:eps1=[1e-320..0.9 log]", FAR_STATUS_RANGE, 16, "so near to 0"},
      {"delayed-q:m=[1..9 horizon]", FAR_STATUS_RANGE, 13, "below 1"},
      {"delayed-q:gamma=[0.1..0.9 lag]", FAR_STATUS_SYNTAX, 26, "after a range"},
      {"delayed-q:gamma=[0.1..0.9 horizon 5]", FAR_STATUS_SYNTAX, 26, "after a range"},
      {"delayed-q:m=[1..9 step 0]", FAR_STATUS_SYNTAX, 23, "above 0"},
      {"delayed-q:m=[1..9 step]", FAR_STATUS_SYNTAX, 22, "above 0"},
      {"delayed-q:eps1=[0.1..99999 step 1]", FAR_STATUS_RANGE, 32, "more than 1000 values"},
      {"delayed-q:m=[5..25 step 51e-320]", FAR_STATUS_RANGE, 24, "more than 1000 values"},
      {"delayed-q:m=[1..9 count 1]", FAR_STATUS_SYNTAX, 24, "2 to 1000"},
      {"delayed-q:form=[2009,2007]", FAR_STATUS_RANGE, 21, "one of 2009, 2006"},
      {"delayed-q:form=[1..2]", FAR_STATUS_SYNTAX, 16, "[2009|2006]"},
      {"delayed-q:m=[]", FAR_STATUS_SYNTAX, 13, "missing"},
      {"delayed-q:m=[1,,2]", FAR_STATUS_SYNTAX, 15, "missing"},
      {"delayed-q:m=5,m=[1..4]", FAR_STATUS_SYNTAX, 14, "twice"},
      {"delayed-q:m", FAR_STATUS_SYNTAX, 10, "key=value"},
      {"delayed-q:", FAR_STATUS_SYNTAX, 10, "key=value"},
      {"delayed-q:m=[1..inf]", FAR_STATUS_RANGE, 16, "whole number"},
      {"delayed-q:eps1=[1..inf log]", FAR_STATUS_RANGE, -2, "finite|above 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    far__space s;
    far_error error = {0};
    CHECK(far__space_read(&s, cases[i].spec, &error) == cases[i].code);
    if (cases[i].position != -2) CHECK(error.position == cases[i].position);
    char part[64];
    snprintf(part, sizeof part, "%s", cases[i].message);
    char *other = strchr(part, '|');
    if (other != NULL && strchr(part, '[') == NULL) *other++ = '\0';
    const bool either = strchr(cases[i].message, '[') != NULL && other != NULL;
    if (either) continue; /* the words of the bounds are base/spec.h's */
    CHECK(strstr(error.message, part) != NULL || (other != NULL && strstr(error.message, other)));
  }
}

static void test_default_ranges(void) {
  const far_shape shape = far_shape_default(10, 2);
  char *space;
  far_error error;
  CHECK(far__tune_space(&space, "directed-delayed-q", &shape, NULL) == FAR_OK);
  CHECK_TEXT(space, "directed-delayed-q:eps1=[1e-06..0.0001 log],m=[500..50000 "
                    "log],gamma_e=[0.9..0.999 horizon]");
  free(space);
  CHECK(far__tune_space(&space, "psrl", &shape, NULL) == FAR_OK);
  CHECK(strstr(space, "tol") == NULL); /* a tolerance is no choice */
  free(space);
  CHECK(far__tune_space(&space, "mbie-eb", &shape, NULL) == FAR_OK);
  CHECK(strstr(space, "m=") == NULL); /* whose default is no limit */
  free(space);
  CHECK(far__tune_space(&space, "r-max:tol=[0.01..1 log]", &shape, NULL) ==
        FAR_OK); /* but may be */
  free(space);
  CHECK(far__tune_space(&space, "directed-delayed-q:gamma=0.9,m=[1..3]", &shape, NULL) == FAR_OK);
  CHECK_TEXT(space, "directed-delayed-q:gamma=0.9,m=[1..3]");
  free(space);
  CHECK(far__tune_space(&space, "delayed-q:gamma=0.9,eps1=0.1,m=3", &shape, &error) ==
        FAR_STATUS_CONFLICT);
  CHECK_CONTAINS(error.message, "brackets");
  CHECK(space == NULL);
  for (size_t i = 0; far_agent_type(i) != NULL; ++i) { /* what is chosen can be read and run */
    far__space s;
    double u[FAR__TUNE_KEYS] = {0};
    const far_shape own = shape_for(far_agent_type(i)->name, shape);
    const far_status status = far__tune_space(&space, far_agent_type(i)->name, &own, &error);
    const bool none = strcmp(far_agent_type(i)->name, "imed-rl") == 0; /* has nothing to search */
    CHECK(status == (far_agent_type(i)->baseline || none ? FAR_STATUS_CONFLICT : FAR_OK));
    if (status != FAR_OK) continue;
    CHECK(far__space_read(&s, space, &error) == FAR_OK);
    for (size_t k = 0; k < s.n_axes; ++k) u[k] = 0.5;
    far__text text = {0};
    far__space_spec(&text, &s, u, NULL);
    CHECK(far_agent_check(text.bytes, &own, NULL, NULL, &error) == FAR_OK);
    free(text.bytes);
    free(space);
    far__space_free(&s);
  }
}

/* ---- the schedule of halving ---- */

static void test_schedule(void) {
  far__schedule p = far__halving_schedule(243, 1, 27); /* 81 + 27 2 + 9 6 + 3 18 */
  CHECK(p.rungs == 4 && p.steps == 243);
  CHECK(p.counts[0] == 81 && p.counts[1] == 27 && p.counts[2] == 9 && p.counts[3] == 3);
  CHECK(p.runs[0] == 1 && p.runs[1] == 3 && p.runs[2] == 9 && p.runs[3] == 27);
  p = far__halving_schedule(2420, 10, 27); /* 80 + 26 2 + 8 6 + 2 18 = 216; 81 are too many */
  CHECK(p.rungs == 4 && p.steps == 2160 && p.counts[0] == 80 && p.counts[3] == 2);
  p = far__halving_schedule(80, 1, 10); /* rungs 1, 3, 10: 35 + 11 2 + 3 7; 36 are 88 */
  CHECK(p.rungs == 3 && p.counts[0] == 35 && p.counts[1] == 11 && p.counts[2] == 3);
  CHECK(p.runs[0] == 1 && p.runs[1] == 3 && p.runs[2] == 10 && p.steps == 78);
  p = far__halving_schedule(30, 1, 30); /* one candidate: no rungs to climb */
  CHECK(p.rungs == 1 && p.counts[0] == 1 && p.runs[0] == 30);
  CHECK(far__halving_schedule(29, 1, 30).rungs == 0);
  for (int64_t budget = 1; budget < 3000; ++budget) {
    p = far__halving_schedule(budget, 7, 20);
    CHECK(p.steps <= budget && (p.rungs > 0) == (budget >= 140));
    if (p.rungs > 0) CHECK(p.runs[p.rungs - 1] == 20);
  }
}

/* ---- methods on a known objective ---- */

/* Score: 1 - |x - x*|^2 in the unit cube and, on run k, noise that is the same for all candidates
 * nearby only in part, as with common random numbers. It keeps its own books. */
typedef struct world {
  double optimum[3];
  double noise;
  size_t n;
  int64_t asked; /* runs */
  int64_t largest;
  bool uneven;           /* a list with different numbers of runs was seen */
  double forbidden_from; /* u[0] from here on cannot run */
} world;

static far__space space;

static double coordinate(const char *spec, size_t axis) {
  static const char *const keys[] = {"alpha=", "epsilon=", "gamma="};
  return strtod(strstr(spec, keys[axis]) + strlen(keys[axis]), NULL);
}

static far_status synthetic_check(void *user, const char *spec, far_error *error) {
  const world *w = user;
  if (coordinate(spec, 0) < w->forbidden_from) return FAR_OK;
  snprintf(error->message, sizeof error->message, "forbidden");
  return error->code = FAR_STATUS_CONFLICT;
}

static far_status synthetic_measure(void *user, far__candidate *const *list, size_t n, int64_t runs,
                                    far_error *error) {
  world *w = user;
  (void)error;
  const int64_t before = list[0]->runs;
  for (size_t i = 0; i < n; ++i) {
    far__candidate *c = list[i];
    double score = 1, sum = 0;
    for (size_t k = 0; k < w->n; ++k) {
      const double d = coordinate(c->spec, k) - w->optimum[k];
      score -= d * d;
    }
    for (int64_t r = 0; r < runs; ++r) {
      far_rng rng;
      far_rng_init(&rng, c->index, (uint64_t)r, FAR_PURPOSE_AGENT);
      sum += far_rng_uniform(&rng) - 0.5;
    }
    w->uneven = w->uneven || c->runs != before || c->runs >= runs;
    w->asked += runs - c->runs;
    w->largest = runs > w->largest ? runs : w->largest;
    c->runs = runs;
    c->score = score + w->noise * sum / (double)runs;
  }
  return FAR_OK;
}

enum { COST = 100, RUNS = 27, FULL = 200 };

static far__search start(world *w, uint64_t seed) {
  return (far__search){.space = &space,
                       .objective = {.check = synthetic_check,
                                     .measure = synthetic_measure,
                                     .user = w,
                                     .cost = COST},
                       .budget = (int64_t)FULL * RUNS * COST + 50,
                       .runs = RUNS,
                       .seed = seed};
}

typedef far_status method(far__search *search, far_error *error);

static const struct {
  const char *name;
  method *run;
  double distance; /* from the optimum, without noise */
} methods[] = {{"random", far__search_random, 0.15},
               {"halving", far__search_halving, 0.08},
               {"crs", far__search_nlopt, 0.1}};

static void test_methods(void) {
  far_error error;
  CHECK(far__space_read(&space, "q-learning:alpha=[0.0001..1],epsilon=[0..1],gamma=[0..0.9999]",
                        NULL) == FAR_OK);
  for (size_t i = 0; i < 3; ++i)
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      world w = {.optimum = {0.7, 0.2, 0.55}, .n = 3, .forbidden_from = 2};
      far__search s = start(&w, seed);
      const far_status status = methods[i].run(&s, &error);
      if (status == FAR_STATUS_ABSENT) continue; /* this build has no NLopt */
      CHECK(status == FAR_OK);
      const far__candidate *best = far__search_best(&s);
      CHECK(best != NULL && best->runs == RUNS &&
            best->score > 1 - methods[i].distance * methods[i].distance);
      CHECK(s.spent == w.asked * COST && s.spent <= s.budget && w.largest == RUNS && !w.uneven);
      CHECK(s.spent > s.budget / 2);
      far__search_free(&s);
    }
}

/* With noise, too, the winner is better than most. */
static void test_noise(void) {
  far_error error;
  for (size_t i = 0; i < 3; ++i) {
    world w = {.optimum = {0.7, 0.2, 0.55}, .n = 3, .noise = 0.5, .forbidden_from = 2};
    far__search s = start(&w, 1);
    if (methods[i].run(&s, &error) == FAR_STATUS_ABSENT) continue;
    const far__candidate *best = far__search_best(&s);
    double truth = 1;
    for (size_t k = 0; k < 3; ++k) {
      const double d = coordinate(best->spec, k) - w.optimum[k];
      truth -= d * d;
    }
    CHECK(truth > 0.9);
    far__search_free(&s);
  }
}

static bool same_trials(const far__search *a, const far__search *b) {
  bool same = a->n_trials == b->n_trials;
  for (size_t i = 0; same && i < a->n_trials; ++i)
    same = strcmp(a->trials[i].agent, b->trials[i].agent) == 0 &&
           a->trials[i].runs == b->trials[i].runs && a->trials[i].score == b->trials[i].score;
  return same;
}

static void test_seeds(void) {
  far_error error;
  for (size_t i = 0; i < 3; ++i) {
    world w[3] = {0};
    far__search s[3];
    far_status status = FAR_OK;
    for (int k = 0; k < 3; ++k) {
      w[k] = (world){.optimum = {0.7, 0.2, 0.55}, .n = 3, .noise = 0.1, .forbidden_from = 2};
      s[k] = start(&w[k], k < 2 ? 7 : 8);
      status = methods[i].run(&s[k], &error);
    }
    if (status == FAR_OK) {
      CHECK(same_trials(&s[0], &s[1]));
      CHECK(!same_trials(&s[0], &s[2]));
    }
    for (int k = 0; k < 3; ++k) far__search_free(&s[k]);
  }
}

/* Halving: the trials are the schedule's, each rung's are the best of the rung before. */
static void test_rungs(void) {
  world w = {.optimum = {0.3, 0.6, 0.5}, .n = 3, .noise = 1, .forbidden_from = 2};
  far__search s = start(&w, 3);
  CHECK(far__search_halving(&s, NULL) == FAR_OK);
  const far__schedule p = far__halving_schedule(s.budget, COST, RUNS);
  CHECK(p.rungs == 4 && s.spent == p.steps && s.count == (size_t)p.counts[0]);
  size_t at = 0;
  for (int k = 0; k < p.rungs; ++k) {
    const far_tune_trial *rung = s.trials + at;
    for (int64_t i = 0; i < p.counts[k]; ++i) {
      CHECK(rung[i].runs == p.runs[k]);
      if (k == 0) continue;
      const far_tune_trial *before = rung - p.counts[k - 1];
      int64_t better = 0;
      double own = NAN;
      for (int64_t j = 0; j < p.counts[k - 1]; ++j)
        if (before[j].candidate == rung[i].candidate) own = before[j].score;
      for (int64_t j = 0; j < p.counts[k - 1]; ++j) better += before[j].score > own;
      CHECK(better < p.counts[k] && own == own);
    }
    at += (size_t)p.counts[k];
  }
  CHECK(at == s.n_trials);
  far__search_free(&s);
}

/* The final: as many as the rest of the budget pays for meet on three times the runs, a third of them on
 * nine times, the best each time. */
static void test_final(void) {
  world w = {.optimum = {0.3, 0.6, 0.5}, .n = 3, .noise = 1, .forbidden_from = 2};
  far__search s = start(&w, 3);
  CHECK(far__search_random(&s, NULL) == FAR_OK && s.n_trials == FULL);
  s.budget += 40 * RUNS * COST; /* 11 2 + 3 6 = 40 */
  CHECK(far__search_final(&s, NULL) == FAR_OK);
  CHECK(s.n_trials == FULL + 11 + 3 && s.spent <= s.budget && s.spent == w.asked * COST);
  for (size_t i = FULL; i < s.n_trials; ++i) {
    const bool last = i >= FULL + 11;
    const size_t first = last ? FULL : 0, end = last ? FULL + 11 : FULL;
    size_t better = 0;
    double own = NAN;
    CHECK(s.trials[i].runs == (last ? 9 : 3) * RUNS);
    for (size_t k = first; k < end; ++k)
      if (s.trials[k].candidate == s.trials[i].candidate) own = s.trials[k].score;
    for (size_t k = first; k < end; ++k) better += s.trials[k].score > own;
    CHECK(better < (size_t)(last ? 3 : 11));
  }
  CHECK(far__search_best(&s)->runs == 9 * RUNS);
  far__search_free(&s);
  s = start(&w, 3);
  CHECK(far__search_random(&s, NULL) == FAR_OK && far__search_final(&s, NULL) == FAR_OK);
  CHECK(s.n_trials == FULL); /* nothing is left for a final */
  s.budget = INT64_MAX / 4;  /* what is left for all is not counted out one by one */
  CHECK(far__search_final(&s, NULL) == FAR_OK && s.n_trials == FULL + FULL + FULL / 3);
  far__search_free(&s);
}

static void test_budget(void) {
  far_error error;
  for (size_t i = 0; i < 3; ++i)
    for (int64_t budget = 0; budget <= 8 * RUNS * COST; budget += 777) {
      world w = {.optimum = {0.7, 0.2, 0.55}, .n = 3, .forbidden_from = 2};
      far__search s = start(&w, 1);
      s.budget = budget;
      const far_status status = methods[i].run(&s, &error);
      CHECK(w.asked * COST <= budget && s.spent == w.asked * COST);
      if (status != FAR_STATUS_ABSENT)
        CHECK((status == FAR_OK) == (budget >= RUNS * COST) &&
              (far__search_best(&s) != NULL) == (status == FAR_OK));
      if (status == FAR_STATUS_RANGE) CHECK_CONTAINS(error.message, "2700");
      far__search_free(&s);
    }
}

/* Sets that cannot run are never measured; where none can, that is an error. */
static void test_impossible(void) {
  far_error error;
  for (size_t i = 0; i < 3; ++i) {
    world w = {.optimum = {0.7, 0.2, 0.55}, .n = 3, .forbidden_from = 0.5};
    far__search s = start(&w, 1);
    if (methods[i].run(&s, &error) == FAR_OK)
      for (size_t k = 0; k < s.n_trials; ++k) CHECK(coordinate(s.trials[k].agent, 0) < 0.5);
    far__search_free(&s);
    w.forbidden_from = -1;
    s = start(&w, 1);
    const far_status status = methods[i].run(&s, &error);
    CHECK(status == FAR_STATUS_CONFLICT || status == FAR_STATUS_ABSENT);
    if (status == FAR_STATUS_CONFLICT) CHECK_CONTAINS(error.message, "forbidden");
    CHECK(s.spent == 0);
    far__search_free(&s);
  }
}

/* Values that can be counted: the coordinate of each gives it back. */
static void test_counts(void) {
  static const struct {
    const char *spec;
    double count;
    int64_t first;
  } cases[] = {{"delayed-q:m=[1..5]", 5, 1},
               {"delayed-q:m=[1..3000 log]", 3000, 1},
               {"delayed-q:m=[7..4000 log]", 3994, 7},
               {"delayed-q:m=[3,4,5]", 3, 3},
               {"delayed-q:m=[3]", 1, 3}};
  far__space s;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CHECK(far__space_read(&s, cases[i].spec, NULL) == FAR_OK);
    CHECK(far__axis_count(&s.axes[0]) == cases[i].count);
    for (int64_t k = 0; k < (int64_t)cases[i].count; ++k)
      CHECK(number(&s.axes[0], far__axis_at(&s.axes[0], k)) == (double)(cases[i].first + k));
    far__space_free(&s);
  }
  CHECK(far__space_read(&s, "delayed-q:m=[1..5],form=[2009,2006]", NULL) == FAR_OK);
  CHECK(far__space_count(&s) == 10);
  far__space_free(&s);
  CHECK(far__space_read(&s, "delayed-q:m=[1..5],eps1=[0.1..0.2]", NULL) == FAR_OK);
  CHECK(far__space_count(&s) == INFINITY);
  far__space_free(&s);
}

/* A space of six sets is measured whole, once, by every method whose budget pays for it; by halving's first
 * rung where that does. */
static void test_finite(void) {
  far_error error;
  far__space six;
  CHECK(far__space_read(&six, "q-learning:alpha=[0.1,0.5],epsilon=[0,0.5,1],gamma=0.9", NULL) ==
        FAR_OK);
  for (size_t i = 0; i < 3; ++i) {
    world w = {.optimum = {0.5, 0.5, 0.9}, .n = 3, .forbidden_from = 2};
    far__search s = start(&w, 1);
    s.space = &six;
    const far_status status = methods[i].run(&s, &error);
    if (status != FAR_STATUS_ABSENT) {
      CHECK(status == FAR_OK && s.count == 6 && s.n_trials == 6 && s.all_added);
      CHECK(s.spent == 6 * RUNS * COST);
      CHECK_TEXT(far__search_best(&s)->spec, "q-learning:alpha=0.5,epsilon=0.5,gamma=0.9");
    }
    far__search_free(&s);
  }
  world w = {.optimum = {0.5, 0.5, 0.9}, .n = 3, .forbidden_from = 0.3};
  far__search s = start(&w, 1);
  s.space = &six;
  CHECK(far__search_halving(&s, &error) == FAR_OK && s.count == 3 && s.n_trials == 3);
  far__search_free(&s);
  w.forbidden_from = 2;
  s = start(&w, 1);
  s.space = &six;
  s.budget = 5 * RUNS * COST; /* for 6 on few runs */
  CHECK(far__search_halving(&s, &error) == FAR_OK && s.count == 6 && s.all_added);
  CHECK(s.spent <= s.budget && s.trials[0].runs < RUNS && far__search_best(&s)->runs == RUNS);
  far__search_free(&s);
  far__space_free(&six);
}

/* ---- keys that apply to some sets only ---- */

static void test_conditional(void) {
  static const char *const never[][2] = {
      {"q-learning:explore=[epsilon,softmax],ties=lowest", "explore=softmax: none"},
      {"q-learning:epsilon=[0.1..1],temperature=[1..2]", "epsilon: none"},
      {"directed-delayed-q:e0=[0.1,0.9],eta=0.5", "e0=0.9: none"}};
  far_mdp *mdp;
  far_tune *t;
  far_error error;
  CHECK(far_mdp_create(&mdp, "chain:n=4", NULL) == FAR_OK);
  far_tune_cell cell = {.mdp = mdp, .target = NAN};
  far_tune_def def = far_tune_def_default();
  def.cells = &cell;
  def.n_cells = 1;
  def.steps = 100;
  def.runs = 2;
  def.budget = 40000;
  def.evaluation = def.profile = 5;
  def.agent = "q-learning:explore=[epsilon,softmax],epsilon=[0.01..1 log],temperature=[0.01..1]";
  def.method = "random";
  CHECK(far_tune_run(&t, &def, &error) == FAR_OK);
  const far_tune_result *r = far_tune_result_of(t);
  int softmax = 0;
  for (size_t i = 0; i < r->n_trials; ++i) {
    const char *spec = r->trials[i].agent;
    const bool is = strstr(spec, "softmax") != NULL;
    CHECK(is == (strstr(spec, "epsilon=") == NULL) && is == (strstr(spec, "temperature") != NULL));
    softmax += is;
  }
  CHECK(softmax > 40 && r->n_trials - (size_t)softmax > 40 && r->n_profiles == 3);
  const far_tune_profile *last = &r->profiles[2]; /* of the key that the best set does not have */
  CHECK(last->value == NULL && last->n_points == 0 && last->low == NULL && isnan(last->mean_loss));
  CHECK(strstr(r->best, last->key) == NULL || strcmp(last->key, "epsilon") == 0);
  far_tune_free(t);
  for (size_t i = 0; i < sizeof never / sizeof *never; ++i) {
    def.agent = never[i][0];
    CHECK(far_tune_run(&t, &def, &error) != FAR_OK && t == NULL);
    CHECK_CONTAINS(error.message, never[i][1]);
  }
  def.agent = "directed-delayed-q:e0=[0.1..0.9],eta=0.5"; /* refused values are not left out */
  CHECK(far_tune_run(&t, &def, &error) == FAR_OK);
  for (size_t i = 0; i < far_tune_result_of(t)->n_trials; ++i)
    CHECK(strstr(far_tune_result_of(t)->trials[i].agent, "e0=") != NULL);
  far_tune_free(t);
  far_mdp_free(mdp);
}

/* ---- a search of a real agent ---- */

static far_mdp *chains[2];
static double optimum[2];                    /* what the best policy earns in 500 steps */
static const double nothing[2] = {100, -50}; /* where the scales begin */

static void solve_chains(void) {
  const far_solve_def def = far_solve_def_default();
  for (int i = 0; i < 2; ++i) {
    far_solver *solver;
    far_average best;
    CHECK(far_mdp_create(&chains[i], i ? "chain:n=6" : "chain:n=4", NULL) == FAR_OK);
    CHECK(far_solver_create(&solver, chains[i], NULL) == FAR_OK);
    CHECK(far_solver_average(&best, solver, &def, NULL) == FAR_OK);
    optimum[i] = 500 * best.gain;
    far_average_free(&best);
    far_solver_free(solver);
  }
}

static far_tune_def real_def(far_tune_cell cells[2]) {
  far_tune_def def = far_tune_def_default();
  for (int i = 0; i < 2; ++i)
    cells[i] =
        (far_tune_cell){.mdp = chains[i], .target = NAN, .low = nothing[i], .high = optimum[i]};
  def.agent = "delayed-q:m=[1..20 log],eps1=[0.05..0.4],form=[2009,2006]";
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 6;
  def.steps = 500;
  def.budget = 200000;
  def.evaluation = 20;
  def.profile = 10;
  def.threads = 1;
  return def;
}

static double mean_total(const far_mdp *mdp, const char *agent, int64_t runs, const char *stage) {
  const far_cell cell = {.mdp = mdp, .agent = agent, .steps = 500};
  far_batch_def def = far_batch_def_default();
  far_batch *batch;
  def.cells = &cell;
  def.n_cells = 1;
  def.runs = runs;
  def.seed = far__tune_seed(1, stage);
  CHECK(far_batch_run(&batch, &def, NULL) == FAR_OK);
  const double mean = far_batch_result(batch, 0)->mean;
  far_batch_free(batch);
  return mean;
}

static double score_of(const char *agent, int64_t runs, const char *stage) {
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    sum += (mean_total(chains[i], agent, runs, stage) - nothing[i]) / (optimum[i] - nothing[i]);
  return sum / 2;
}

/* Every number of the report, from runs made outside the search. */
static void test_report(void) {
  far_tune_cell cells[2];
  const far_tune_def def = real_def(cells);
  far_tune *t;
  CHECK(far_tune_run(&t, &def, NULL) == FAR_OK);
  const far_tune_result *r = far_tune_result_of(t);
  CHECK(r->normalised && r->spent <= r->budget && r->budget == 200000);
  CHECK_NEAR(r->tuned, score_of(r->best, r->tuned_runs, "tune"), 1e-9);
  CHECK(r->tuned_runs == 18);
  CHECK_NEAR(r->score.mean, score_of(r->best, 20, "evaluate"), 1e-9);
  CHECK_TEXT(r->defaults, "delayed-q");
  CHECK_NEAR(r->default_score.mean, score_of("delayed-q", 20, "evaluate"), 1e-9);
  CHECK_NEAR(r->gain, r->score.mean - r->default_score.mean, 1e-12);
  CHECK_NEAR(r->optimism, r->tuned - r->score.mean, 1e-12);
  CHECK_NEAR(r->means[1], mean_total(chains[1], r->best, 20, "evaluate"), 1e-9);
  CHECK(r->score.runs == 20 && r->score.ci95 > 0 && r->gain_ci95 > 0 && r->ci95s[0] > 0);
  CHECK(r->evaluation_steps == 2 * 2 * 20 * 500 && r->candidates > 20);
  for (size_t i = 0; i < r->n_trials; i += 17)
    CHECK_NEAR(r->trials[i].score, score_of(r->trials[i].agent, r->trials[i].runs, "tune"), 1e-9);
  far_tune_free(t);
}

/* Near only if the whole interval is: fewer runs never make an optimum look flatter. */
static far_tune_near verdict(const far_tune_point *p, double tolerance) {
  if (p->loss + p->ci95 <= tolerance) return FAR_TUNE_NEAR;
  return p->loss - p->ci95 > tolerance ? FAR_TUNE_FAR : FAR_TUNE_PERHAPS;
}

static bool is_end(const far_tune_profile *p, const char *end, far_tune_near most) {
  if (strcmp(end, p->value) == 0) return true;
  for (size_t k = 0; k < p->n_points; ++k)
    if (p->points[k].value == end) return p->points[k].near <= most;
  return false;
}

static void check_stretches(const far_tune_profile *p) {
  const double low = strtod(p->low, NULL), high = strtod(p->high, NULL);
  const double least = strtod(p->low_perhaps, NULL), most = strtod(p->high_perhaps, NULL);
  CHECK(is_end(p, p->low, FAR_TUNE_NEAR) && is_end(p, p->high, FAR_TUNE_NEAR));
  CHECK(is_end(p, p->low_perhaps, FAR_TUNE_PERHAPS) &&
        is_end(p, p->high_perhaps, FAR_TUNE_PERHAPS));
  CHECK(least <= low && low <= strtod(p->value, NULL) && high <= most);
  for (size_t k = 0; k < p->n_points; ++k) {
    const double x = strtod(p->points[k].value, NULL);
    if (x >= low && x <= high) CHECK(p->points[k].near == FAR_TUNE_NEAR);
    if (x >= least && x <= most) CHECK(p->points[k].near != FAR_TUNE_FAR);
  }
}

static void test_profiles(void) {
  far_tune_cell cells[2];
  const far_tune_def def = real_def(cells);
  far_tune *t;
  CHECK(far_tune_run(&t, &def, NULL) == FAR_OK);
  const far_tune_result *r = far_tune_result_of(t);
  const double best = score_of(r->best, 10, "profile");
  int64_t points = 1;
  int verdicts[3] = {0};
  CHECK(r->n_profiles == 3);
  CHECK_NEAR(r->profile_score, best, 1e-9);
  for (size_t i = 0; i < r->n_profiles; ++i) {
    const far_tune_profile *p = &r->profiles[i];
    double sum = 0, worst = -INFINITY;
    for (size_t k = 0; k < p->n_points; ++k) {
      char spec[256], find[64], with[64];
      snprintf(find, sizeof find, "%s=%s", p->key, p->value);
      snprintf(with, sizeof with, "%s=%s", p->key, p->points[k].value);
      const char *at = strstr(r->best, find);
      CHECK(at != NULL && strcmp(find, with) != 0);
      snprintf(spec, sizeof spec, "%.*s%s%s", (int)(at - r->best), r->best, with,
               at + strlen(find));
      CHECK_NEAR(p->points[k].loss, best - score_of(spec, 10, "profile"), 1e-9);
      CHECK(p->points[k].near == verdict(&p->points[k], 0.01 * r->profile_score));
      verdicts[p->points[k].near] += 1;
      sum += p->points[k].loss;
      worst = p->points[k].loss > worst ? p->points[k].loss : worst;
    }
    points += (int64_t)p->n_points;
    CHECK(p->n_points > 0 && (p->low == NULL) == (strcmp(p->key, "form") == 0));
    if (p->low != NULL) check_stretches(p);
    CHECK_NEAR(p->mean_loss, sum / (double)p->n_points, 1e-12);
    CHECK(p->worst_loss == worst && (i == 0 || p->mean_loss <= r->profiles[i - 1].mean_loss));
  }
  CHECK(r->profile_steps == points * 2 * 10 * 500);
  CHECK(verdicts[FAR_TUNE_PERHAPS] > 0 && verdicts[FAR_TUNE_FAR] > 0);
  far_tune_free(t);
}

/* One cell without a scale makes all scores plain rewards; then a loss of more than all is impossible. */
static void test_plain(void) {
  static const double ends[][2] = {{0, 0}, {NAN, 1}, {0, NAN}, {2, 1}, {-INFINITY, 0}};
  far_tune_cell cells[2];
  far_tune_def def = real_def(cells);
  far_tune *t;
  def.budget = 30000;
  def.profile = 3;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    cells[1].low = ends[i][0];
    cells[1].high = ends[i][1];
    CHECK(far_tune_run(&t, &def, NULL) == FAR_OK);
    const far_tune_result *r = far_tune_result_of(t);
    CHECK(!r->normalised);
    CHECK_NEAR(r->score.mean, (r->means[0] + r->means[1]) / 2, 1e-9);
    for (size_t k = 0; k < r->n_profiles; ++k)
      CHECK(r->profiles[k].worst_loss <= r->profile_score * (1 + 1e-12));
    far_tune_free(t);
  }
}

/* Rewards that are moved and stretched change no score but by rounding. */
static void test_scale(void) {
  const double totals[] = {1, 2, 4, 10, 12, 8}, moved[] = {-98, -96, -92, 10, 12, 8};
  const far_tune_cell a[] = {{.low = 1, .high = 5}, {.low = 0, .high = 20}};
  const far_tune_cell b[] = {{.low = -98, .high = -90}, {.low = 0, .high = 20}};
  far_tune_def def = {.cells = a, .n_cells = 2, .goal = FAR_GOAL_REWARD};
  far__scorer scorer;
  CHECK(far__scorer_make(&scorer, &def, NULL) == FAR_OK && scorer.normalised);
  const double score = far__scorer_score(&scorer, totals, 3, NULL);
  CHECK_NEAR(score, ((7.0 / 3 - 1) / 4 + 10.0 / 20) / 2, 1e-15);
  far__scorer_free(&scorer);
  def.cells = b;
  CHECK(far__scorer_make(&scorer, &def, NULL) == FAR_OK && scorer.normalised);
  CHECK_NEAR(far__scorer_score(&scorer, moved, 3, NULL), score, 1e-15);
  far__scorer_free(&scorer);
}

static void test_threads(void) {
  far_tune_cell cells[2];
  far_tune_def def = real_def(cells);
  far_tune *t[2];
  CHECK(far_tune_run(&t[0], &def, NULL) == FAR_OK);
  def.threads = 3;
  CHECK(far_tune_run(&t[1], &def, NULL) == FAR_OK);
  const far_tune_result *a = far_tune_result_of(t[0]), *b = far_tune_result_of(t[1]);
  CHECK_TEXT(a->best, b->best);
  CHECK(a->n_trials == b->n_trials && a->score.mean == b->score.mean &&
        a->gain_ci95 == b->gain_ci95);
  for (size_t i = 0; i < a->n_trials; ++i) CHECK(a->trials[i].score == b->trials[i].score);
  far_tune_free(t[0]);
  far_tune_free(t[1]);
}

/* The seed of a stage is one line in any language; stages and seeds do not meet. */
static void test_stage_seeds(void) {
  CHECK(far__tune_seed(1, "tune") == 9918297459668626900u);
  CHECK(far__tune_seed(1, "evaluate") == 3131764745990381041u);
  CHECK(far__tune_seed(1, "profile") == 9723463646392529645u);
  uint64_t seen[300];
  for (uint64_t i = 0; i < 100; ++i) {
    seen[3 * i] = far__tune_seed(i, "tune");
    seen[3 * i + 1] = far__tune_seed(i, "evaluate");
    seen[3 * i + 2] = far__tune_seed(i, "profile");
  }
  for (int i = 0; i < 300; ++i) {
    CHECK(seen[i] > 1000000); /* nobody's own */
    for (int k = 0; k < i; ++k) CHECK(seen[i] != seen[k]);
  }
}

/* A fit: the distance is the root of the mean square, and its interval the jackknife's. */
static void test_fit(void) {
  const double totals[] = {1, 2, 4, 10, 12, 8}; /* two cells of three runs: 7/3 and 10 */
  far_tune_cell cells[] = {{.target = 2}, {.target = 8}};
  const far_tune_def def = {.cells = cells, .n_cells = 2, .goal = FAR_GOAL_FIT};
  far_tune_def relative = def;
  double values[3], sums[2];
  far__cell_moments scratch[4];
  far__scorer b = {.def = &def, .scratch = scratch, .sums = sums};
  const double score = far__scorer_score(&b, totals, 3, values);
  CHECK_NEAR(score, -sqrt((1.0 / 9 + 4) / 2), 1e-15);
  const double without[] = {-sqrt((1 + 4) / 2.0), -sqrt((0.25 + 1) / 2), -sqrt((0.25 + 9) / 2)};
  for (int r = 0; r < 3; ++r) CHECK_NEAR(values[r], 3 * score - 2 * without[r], 1e-14);
  relative.goal = FAR_GOAL_FIT_RELATIVE;
  b.def = &relative;
  CHECK_NEAR(far__scorer_score(&b, totals, 3, NULL), -sqrt((1.0 / 36 + 1.0 / 16) / 2), 1e-15);
}

/* A metric of which less is better counts with a minus, and has no scale. */
static void test_metric_scores(void) {
  const double totals[] = {1, 2, 4, 10, 12, 8};
  const far_tune_cell cells[] = {{.low = 1, .high = 5}, {.low = 0, .high = 20}};
  far_tune_def def = {.cells = cells, .n_cells = 2, .score = "regret"};
  double values[3];
  far__scorer b;
  CHECK(far__scorer_make(&b, &def, NULL) == FAR_OK && !b.normalised);
  CHECK_NEAR(far__scorer_score(&b, totals, 3, values), -(7.0 / 3 + 10) / 2, 1e-14);
  CHECK(values[0] == -5.5 && values[1] == -7 && values[2] == -6);
  far__scorer_free(&b);
  def.score = "episodes";
  CHECK(far__scorer_make(&b, &def, NULL) == FAR_OK && !b.normalised);
  CHECK_NEAR(far__scorer_score(&b, totals, 3, NULL), (7.0 / 3 + 10) / 2, 1e-14);
  far__scorer_free(&b);
  def.goal = FAR_GOAL_FIT;
  CHECK(far__scorer_make(&b, &def, NULL) == FAR_STATUS_CONFLICT);
  far__scorer_free(&b);
  def.score = "no-such-metric";
  def.goal = FAR_GOAL_REWARD;
  CHECK(far__scorer_make(&b, &def, NULL) == FAR_STATUS_UNKNOWN);
  far__scorer_free(&b);
}

/* The same with units of means and with standard deviations: of 1, 2, 4 sqrt(7/3), of 10, 12, 8 two. */
static void test_fit_spreads(void) {
  const double totals[] = {1, 2, 4, 10, 12, 8};
  far_tune_cell cells[] = {{.target = 2, .unit = 4}, {.target = 8, .unit = 0.5, .std = 1}};
  const far_tune_def def = {.cells = cells, .n_cells = 2, .goal = FAR_GOAL_FIT};
  double values[3], sums[2];
  far__cell_moments scratch[4];
  const far__scorer b = {.def = &def, .scratch = scratch, .sums = sums};
  const double log2 = log(2) / 0.35, half = 0.5 * log(2) / 0.35; /* 12 and 8 have a std of sqrt 8 */
  const double score = far__scorer_score(&b, totals, 3, values);
  CHECK_NEAR(score, -sqrt((1.0 / 144 + 16 + log2 * log2) / 2), 1e-13);
  const double without[] = {-sqrt((1.0 / 16 + 16 + 9 * half * half) / 2),
                            -sqrt((1.0 / 64 + 4 + half * half) / 2),
                            -sqrt((1.0 / 64 + 36 + half * half) / 2)};
  for (int r = 0; r < 3; ++r) CHECK_NEAR(values[r], 3 * score - 2 * without[r], 1e-12);
  CHECK_NEAR(far__tune_fit_term(&cells[1], 9, 2), 4 + log2 * log2, 1e-12);
  CHECK_NEAR(far__tune_fit_term(&cells[1], 9, NAN), 4, 1e-12);
  const double one[] = {1, 10}, equal[] = {1, 1, 8, 8}; /* one run has no std; 0 counts as 1/100 */
  CHECK_NEAR(far__scorer_score(&b, one, 1, NULL), -sqrt((1.0 / 16 + 16) / 2), 1e-13);
  CHECK_NEAR(far__scorer_score(&b, equal, 2, NULL), -sqrt((1.0 / 16 + pow(log(100) / 0.35, 2)) / 2),
             1e-12);
}

static bool stop_at_once(void *user, const far_tune_progress *progress) {
  int64_t *left = user;
  CHECK(progress->steps_done <= progress->steps && progress->stage == FAR_TUNE_SEARCH);
  return --*left > 0;
}

static void test_cancel(void) {
  far_tune_cell cells[2];
  far_tune_def def = real_def(cells);
  int64_t left = 1;
  far_tune *t;
  far_error error;
  def.progress = stop_at_once;
  def.user = &left;
  def.steps = 200000;
  def.budget = 0;
  def.runs = 50;
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_CANCELLED);
  CHECK(far_tune_result_of(t)->score.runs == 0 && far_tune_result_of(t)->n_profiles == 0);
  far_tune_free(t);
}

static void test_wrong_definitions(void) {
  far_tune_cell cells[2];
  far_tune_def def = real_def(cells);
  far_tune *t;
  far_error error;
  def.method = "guess";
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_UNKNOWN && t == NULL);
  CHECK_CONTAINS(error.message, "random, halving");
  def = real_def(cells);
  def.budget = 100;
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_RANGE && t == NULL);
  def = real_def(cells);
  def.goal = FAR_GOAL_FIT;
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "mean");
  cells[0].std = -1;
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "unit and std");
  def = real_def(cells);
  def.evaluation = 1;
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_RANGE);
  def = real_def(cells);
  def.profile = INT64_MAX; /* times the points and steps it overflows */
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "profile is");
  def.profile = 100000000;
  def.steps = 100000000;
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_RANGE);
  CHECK_CONTAINS(error.message, "1e15 are possible");
  def = real_def(cells);
  def.n_cells = 0;
  CHECK(far_tune_run(&t, &def, &error) == FAR_STATUS_CONFLICT);
}

int main(void) {
  test_values();
  test_whole_numbers();
  test_rounding();
  test_lists();
  test_wrong_spaces();
  test_default_ranges();
  test_schedule();
  test_methods();
  test_noise();
  test_seeds();
  test_rungs();
  test_final();
  test_budget();
  test_impossible();
  test_counts();
  test_finite();
  far__space_free(&space);
  test_stage_seeds();
  test_fit();
  test_metric_scores();
  test_fit_spreads();
  test_conditional();
  solve_chains();
  test_report();
  test_profiles();
  test_plain();
  test_scale();
  test_threads();
  test_cancel();
  test_wrong_definitions();
  far_mdp_free(chains[0]);
  far_mdp_free(chains[1]);
  return check_report();
}
