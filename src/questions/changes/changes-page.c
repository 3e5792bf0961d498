/* The page of two stores: what changed between them. */
#include <stdio.h>

#include "questions/changes/changes.h"
#include "questions/page/page.h"
#include "report/build.h"

static size_t changed(const far__changes *c) {
  return c->n_changes - c->count[FAR__CHANGE_SAME];
}

/* The first sentence: what of it matters. */
static void say_first(far_report *report, const far__changes *c) {
  const size_t other = c->count[FAR__CHANGE_DIFFERENT];
  if (changed(c) == 0)
    far__report_verdict(report, NULL,
                        "Nothing changed: all %s of both stores have the same results, bit by bit.",
                        far__say_number(c->n_changes, "cell").text);
  else if (other > 0)
    far__report_verdict(
        report, NULL,
        "%s of %s %s other results in %s than in %s, although specs, steps and seed "
        "are the same.",
        far__say_count((int64_t)other).text, far__say_number(c->n_changes, "cell").text,
        other == 1 ? "has" : "have", far__say_name(c->after).text, far__say_name(c->before).text);
  else
    far__report_verdict(
        report, NULL,
        "No result changed: what both stores computed with the same specs, steps and "
        "seed is equal, bit by bit. %s of %s are in one store only, or have other "
        "runs.",
        far__say_count((int64_t)changed(c)).text, far__say_number(c->n_changes, "cell").text);
}

static void say_why(far_report *report, const far__changes *c) {
  if (c->count[FAR__CHANGE_DIFFERENT] == 0) return;
  if (c->numerics_before != c->numerics_after)
    far__report_verdict(report, "Why",
                        "The stores were computed with other numerics: %d before, %d after. Such "
                        "versions give other bits for the same specs and seed.",
                        c->numerics_before, c->numerics_after);
  else
    far__report_verdict(report, "Why",
                        "Both stores have the same numerics, so that the same bits were promised: "
                        "'farsight store check' tells a damaged store; else imported numbers "
                        "changed, or a program's own agents or models did.");
}

static void say_better(far_report *report, const far__changes *c) {
  if (c->n_tests == 0) return;
  if (c->better + c->worse == 0)
    far__report_verdict(report, "By how much",
                        "No mean differs beyond chance in %s, after correction.",
                        far__say_number(c->n_tests, "comparison").text);
  else
    far__report_verdict(report, "By how much",
                        "Of %s, %zu means are better and %zu worse than before, after correction; "
                        "the others cannot be told apart.",
                        far__say_number(c->n_tests, "comparison").text, c->better, c->worse);
}

static void say_counts(far_report *report, const far__changes *c) {
  static const char *const words[] = {
      [FAR__CHANGE_DIFFERENT] = "other numbers for the same runs",
      [FAR__CHANGE_RESEEDED] = "the same specs and steps with another seed",
      [FAR__CHANGE_EXTENDED] = "equal where both have runs; one store has more",
      [FAR__CHANGE_ADDED] = "only in the second store",
      [FAR__CHANGE_REMOVED] = "only in the first store",
      [FAR__CHANGE_SAME] = "the same runs with the same results (equal hashes)",
  };
  for (size_t k = 0; k < FAR__CHANGE_KINDS; ++k)
    if (c->count[k] > 0)
      far__report_verdict(report, far__change_name(k), "%s: %s.",
                          far__say_number(c->count[k], "cell").text, words[k]);
}

far_status far__changes_page(far_report *report, const far__changes *changes, far_error *error) {
  far__report_heading(report, 1, "What changed from %s to %s", far__say_name(changes->before).text,
                      far__say_name(changes->after).text);
  say_first(report, changes);
  say_counts(report, changes);
  say_better(report, changes);
  say_why(report, changes);
  if (changed(changes) > 0)
    far__report_heading(report, 2, "Changes in %s", far__say_series(changes->series).text);
  far__changes_report(changes, report);
  return far__report_status(report, error);
}
