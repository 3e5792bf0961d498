/* What the kinds of plots share: which agents are shown, and what the numbers are of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/base.h"
#include "farsight/report.h"
#include "questions/comparison/comparison.h"
#include "questions/listing/label.h"
#include "questions/plots/plot.h"
#include "report/build.h"

/* ---- groups ---- */

far_status far__check_one_group(size_t n_groups, const far__group_key keys[2], far_error *error) {
  if (n_groups == 1) return FAR_OK;
  if (n_groups == 0)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "the store has no results yet");
  if (keys[0].steps != keys[1].steps || keys[0].episodes != keys[1].episodes) {
    far__brief length[2];
    for (int i = 0; i < 2; ++i) length[i] = far__brief_length(keys[i].steps, keys[i].episodes);
    return far__fail(error, FAR_STATUS_CONFLICT, -1,
                     "results of %zu lengths or seeds: choose one, such as %s or %s (--steps, "
                     "--episodes, --run-seed)",
                     n_groups, length[0].text, length[1].text);
  }
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "results of %zu seeds: choose one, such as %llu or %llu", n_groups,
                   (unsigned long long)keys[0].seed, (unsigned long long)keys[1].seed);
}

/* ---- which agents ---- */

typedef struct ranked {
  double rank;
  size_t agent;
} ranked;

static int by_rank(const void *a, const void *b) {
  const ranked *p = a, *q = b;
  if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
  return p->agent < q->agent ? -1 : 1;
}

static int by_agent(const void *a, const void *b) {
  const size_t p = *(const size_t *)a, q = *(const size_t *)b;
  return p < q ? -1 : p > q;
}

far_status far__shown_by(far__shown *out, const double *ranks, size_t n, size_t most, size_t always,
                         far_error *error) {
  const size_t count = n < most ? n : most;
  ranked *order = malloc((n + 1) * sizeof *order);
  *out = (far__shown){
      .agents = malloc((count + 1) * sizeof *out->agents), .n = count, .left_out = n - count};
  if (order == NULL || out->agents == NULL) {
    free(order);
    far__shown_free(out);
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure");
  }
  for (size_t j = 0; j < n; ++j)
    order[j] = (ranked){.agent = j, .rank = j == always ? -INFINITY : ranks[j]};
  if (n > most) qsort(order, n, sizeof *order, by_rank);
  for (size_t i = 0; i < count; ++i) out->agents[i] = order[i].agent;
  if (count > 0) qsort(out->agents, count, sizeof *out->agents, by_agent);
  free(order);
  return FAR_OK;
}

far_status far__shown_create(far__shown *out, const far_comparison *comparison,
                             const far_comparison_group *g, size_t most, far_error *error) {
  double *ranks = calloc(g->n_agents + 1, sizeof *ranks);
  *out = (far__shown){0};
  if (ranks == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure");
  for (size_t j = 0; j < g->n_agents && g->n_agents > most; ++j)
    for (size_t e = 0; e < g->n_envs; ++e) ranks[j] += far__rank_on(g, e, j, comparison->lower);
  const far_status status = far__shown_by(out, ranks, g->n_agents, most, g->baseline, error);
  free(ranks);
  return status;
}

void far__shown_free(far__shown *shown) {
  free(shown->agents);
  *shown = (far__shown){0};
}

const char **far__shown_labels(far_figure *f, const far_comparison_group *g,
                               const far__shown *shown) {
  const char **out = far__figure_room(f, shown->n, sizeof *out);
  for (size_t i = 0; i < shown->n && out != NULL; ++i) out[i] = g->agents[shown->agents[i]].label;
  return out != NULL ? far__brief_labels(f, out, shown->n) : NULL;
}

far_status far__draw_shown(far_figure **out, const char *kind, const far_comparison *comparison,
                           const far_comparison_group *g, double width, size_t most,
                           far__draw_shown_fn *draw, far_error *error) {
  far__shown shown;
  far_status status = far__shown_create(&shown, comparison, g, most, error);
  if (status != FAR_OK) return status;
  status = far__figure_create(out, kind, width, error);
  if (status == FAR_OK) {
    draw(*out, comparison, g, &shown);
    status = far__figure_finish(out, error);
  }
  far__shown_free(&shown);
  return status;
}

far_status far__draw_beside_baseline(far_figure **out, const char *kind,
                                     const far_comparison *comparison,
                                     const far_comparison_group *g, const far_plot_def *def,
                                     far__draw_shown_fn *draw, far_error *error) {
  if (g->baseline >= g->n_agents || g->n_agents < 2)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "%s need a baseline and another agent", kind);
  const size_t most = def->most_series > 1 ? def->most_series : 2;
  return far__draw_shown(out, kind, comparison, g, def->width, most, draw, error);
}

/* ---- words ---- */

const char *far__best_of(far_figure *f, size_t shown, size_t all) {
  return shown < all ? far__figure_print(f, "; the best %zu of %zu agents", shown, all) : "";
}

const char *far__older_text(far_figure *f, size_t n) {
  return n > 0 ? far__figure_print(f, "; %zu cell%s of an older version left out", n,
                                   far__plural((int64_t)n))
               : "";
}

const char *far__censored_text(far_figure *f, const char *comma, int64_t censored, int64_t runs) {
  if (censored == 0) return "";
  return far__figure_print(f, "%s%lld of %lld run%s censored", comma, (long long)censored,
                           (long long)runs, far__plural(runs));
}

/* Of the agents that are shown. */
static const char *censored_runs(far_figure *f, const far_comparison_group *g,
                                 const far__shown *shown) {
  int64_t censored = 0, runs = 0;
  for (size_t i = 0; i < g->n_envs * shown->n; ++i) {
    const size_t e = i / shown->n, j = shown->agents[i % shown->n];
    censored += g->cells[e * g->n_agents + j].times.censored;
    runs += g->cells[e * g->n_agents + j].times.runs;
  }
  return far__censored_text(f, "; ", censored, runs);
}

const char *far__results_line(far_figure *f, const far_comparison_group *g,
                              const far__shown *shown) {
  const char *env = g->n_envs == 1 ? far__figure_print(f, "%s, ", g->envs[0].label)
                                   : far__figure_print(f, "%zu environments, ", g->n_envs);
  const char *length = "";
  const far__brief long_as = far__brief_length(g->steps, g->episodes);
  if (long_as.text[0] != '\0') length = far__figure_print(f, "%s, ", long_as.text);
  return far__figure_print(f, "%s%s%s run%s each%s%s%s", env, length,
                           far__brief_count(far__most_runs(g)).text, far__plural(far__most_runs(g)),
                           far__best_of(f, shown->n, g->n_agents), censored_runs(f, g, shown),
                           far__older_text(f, g->n_older));
}

const char *far__series_title(far_figure *f, const char *series) {
  char text[FAR_SPEC_SIZE];
  far__series_label(text, series);
  return far__figure_print(f, "%s", text);
}

const char *far__capital(far_figure *f, const char *text) {
  if (text[0] < 'a' || text[0] > 'z') return text;
  return far__figure_print(f, "%c%s", text[0] - 'a' + 'A', text + 1);
}

const char *far__interval_text(far_figure *f, double value, double low, double high) {
  if (isinf(value)) return value > 0 ? "∞" : "−∞";
  const far__brief text = far__brief_interval(value, (high - low) / 2);
  return text.text[0] == '-' ? far__figure_print(f, "−%s", text.text + 1)
                             : far__figure_print(f, "%s", text.text);
}

const char *far__p_text(far_figure *f, double p) {
  const far__brief text = far__brief_p(p);
  return p == p ? far__figure_print(f, "p %s%s", text.text[0] == '<' ? "" : "= ", text.text) : "";
}

const char *far__estimate_text(far_figure *f, const far_estimate *e) {
  if (e->low != e->low) return far__figure_print(f, "%.2f", e->value);
  return far__figure_print(f, "%.2f [%.2f, %.2f]", e->value, e->low, e->high);
}

const char *far__correction_text(far_figure *f, const far_comparison *comparison) {
  static const char *const names[] = {[FAR_CORRECTION_BONFERRONI] = "Bonferroni",
                                      [FAR_CORRECTION_HOLM] = "Holm",
                                      [FAR_CORRECTION_FDR] = "FDR"};
  return far__figure_print(f, "p (%s)", names[comparison->correction]);
}

/* Without the rounding of 1 - 0.95. */
const char *far__alpha_text(far_figure *f, const far_comparison *comparison) {
  return far__figure_print(f, "%.6g", 1 - comparison->bootstrap.level);
}

/* ---- marks in a panel ---- */

static const double CAP = 3.5;

/* The height of a number, or the edge beyond which it lies. */
static double within(double at, double first, double last) {
  return fmin(fmax(at, first), last);
}

void far__draw_upright(far_figure *f, const far__panel *p, double x, double low, double high,
                       far__ink ink) {
  const far__paint paint = {.stroke = ink, .width = 1.4};
  const double top = p->y, bottom = p->y + p->height;
  if (low != low || high != high) return;
  const double y0 = isfinite(low) ? within(far__panel_y(p, low), top, bottom) : bottom;
  const double y1 = isfinite(high) ? within(far__panel_y(p, high), top, bottom) : top;
  if (isfinite(high)) {
    far__figure_line(f, x, y0, x, y1, paint);
    far__figure_line(f, x - CAP, y1, x + CAP, y1, paint);
  } else {
    far__figure_arrow(f, x, y0, x, y1, paint);
  }
  if (isfinite(low)) far__figure_line(f, x - CAP, y0, x + CAP, y0, paint);
}

void far__draw_lying(far_figure *f, const far__panel *p, double y, double low, double high,
                     far__ink ink) {
  const far__paint paint = {.stroke = ink, .width = 2};
  if (low != low || high != high || !isfinite(high - low)) return;
  const double left = p->x, right = p->x + p->width;
  const double x0 = far__panel_x(p, low), x1 = far__panel_x(p, high);
  far__figure_line(f, within(x0, left, right), y, within(x1, left, right), y, paint);
  if (x0 >= left) far__figure_line(f, x0, y - CAP, x0, y + CAP, paint);
  if (x1 <= right) far__figure_line(f, x1, y - CAP, x1, y + CAP, paint);
}

enum { BRIEF = 30 }; /* characters that need no shortening */

static const char *brief_label(far_figure *f, const char *label, const char *const *others,
                               size_t n) {
  char text[FAR_SPEC_SIZE];
  if (strlen(label) <= BRIEF || strlen(label) >= sizeof text) return label;
  far__label_brief(text, label, others, n);
  return far__figure_print(f, "%s", text);
}

const char **far__brief_labels(far_figure *f, const char *const *labels, size_t n) {
  const char **out = far__figure_room(f, n, sizeof *out);
  for (size_t i = 0; i < n && out != NULL; ++i) out[i] = brief_label(f, labels[i], labels, n);
  return out;
}

double far__power(double x, double power) {
  return far_exp(power * far_log(x));
}
