/* Names and numbers as the sentences of a page have them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "questions/comparison/findings.h"
#include "questions/listing/label.h"
#include "questions/page/page.h"
#include "report/build.h"

/* A label of a store may be a stranger's, and long. */
far__words far__say_name(const char *label) {
  enum { MOST = 60 };
  far__words out = {""};
  size_t used = 0;
  int columns = 0;
  while (label[used] != '\0' && columns < MOST) {
    const size_t n = far__utf8_length(label + used, strlen(label + used));
    const size_t step = n > 0 ? n : 1;
    if (used + step + sizeof "…" > sizeof out.text) break;
    used += step;
    ++columns;
  }
  snprintf(out.text, sizeof out.text, "%.*s%s", (int)used, label, label[used] != '\0' ? "…" : "");
  return out;
}

far__words far__say_count(int64_t n) {
  far__words out;
  snprintf(out.text, sizeof out.text, "%s", far__brief_count(n).text);
  return out;
}

far__words far__say_number(size_t n, const char *noun) {
  far__words out;
  snprintf(out.text, sizeof out.text, "%.40s %.60s%s", far__say_count((int64_t)n).text, noun,
           far__plural((int64_t)n));
  return out;
}

static far__words say_interval(double value, double half) {
  far__words out;
  snprintf(out.text, sizeof out.text, "%s", far__brief_interval(value, half).text);
  return out;
}

far__words far__say_mean(const far_comparison_cell *cell) {
  far__words out = say_interval(cell->summary.mean, (cell->summary.high - cell->summary.low) / 2);
  const size_t used = strlen(out.text);
  if (cell->times.censored > 0)
    snprintf(out.text + used, sizeof out.text - used, ", %lld of %lld runs censored",
             (long long)cell->times.censored, (long long)cell->times.runs);
  return out;
}

const char *far__mean_word(const far_comparison *comparison) {
  return comparison->event != NULL ? "restricted mean" : "mean";
}

far__words far__say_difference(double mean, double low, double high) {
  return say_interval(fabs(mean), (high - low) / 2);
}

far__words far__say_p(double p) {
  far__words out;
  const far__brief text = far__brief_p(p);
  snprintf(out.text, sizeof out.text, "p %s%s", text.text[0] == '<' ? "" : "= ", text.text);
  return out;
}

far__words far__say_series(const char *series) {
  char text[FAR_SPEC_SIZE];
  far__series_label(text, series);
  return far__say_name(text);
}

far__words far__say_group(const far_comparison_group *g) {
  far__words out;
  const far__brief steps = far__brief_length(g->steps, g->episodes);
  char seed[64] = "imported";
  if (g->numerics != 0) snprintf(seed, sizeof seed, "seed %llu", (unsigned long long)g->seed);
  snprintf(out.text, sizeof out.text, "%s, %s",
           steps.text[0] != '\0' ? steps.text : "unknown number of steps", seed);
  const size_t used = strlen(out.text);
  if (g->numerics != 0 && g->numerics != far_numerics())
    snprintf(out.text + used, sizeof out.text - used, ", by another version (numerics %d)",
             g->numerics);
  return out;
}

void far__say_rivals(far__text *out, const far_comparison_group *g,
                     const far__finding_rival *rivals, size_t n, size_t most) {
  const size_t shown = n <= most ? n : most - 1;
  for (size_t i = 0; i < shown; ++i)
    far__text_format(out, "%s%s",
                     i == 0      ? ""
                     : i + 1 < n ? ", "
                                 : " and ",
                     far__say_name(g->agents[rivals[i].agent].brief).text);
  if (shown < n)
    far__text_format(out, "%s%zu other%s", shown > 0 ? " and " : "", n - shown,
                     far__plural((int64_t)(n - shown)));
}
