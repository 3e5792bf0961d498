/* The matrix of the probability of improvement: how often the row's agent is better than the column's. */
#include <math.h>
#include <stdlib.h>

#include "questions/comparison/pairwise.h"
#include "questions/plots/plot.h"

typedef struct drawing {
  far_figure *f;
  const far_comparison *comparison;
  const far_comparison_group *g;
  const far__pairwise *pairs;
  const far__shown *shown;
  size_t *order;      /* indices of shown->agents, the best first */
  const char **names; /* of shown->agents */
  double cell;        /* width and height of one */
  double left, above; /* room for the names */
  bool upright;       /* names of columns are turned */
} drawing;

static size_t agent_at(const drawing *d, size_t i) {
  return d->shown->agents[d->order[i]];
}

static const char *name_at(const drawing *d, size_t i) {
  return d->names[d->order[i]];
}

static const far__pairwise_cell *cell_at(const drawing *d, size_t i, size_t j) {
  return far__pairwise_of(d->pairs, agent_at(d, i), agent_at(d, j));
}

/* ---- the order ---- */

typedef struct ranked {
  double better; /* than the others that are shown, in the mean */
  size_t index;
} ranked;

static int by_better(const void *a, const void *b) {
  const ranked *p = a, *q = b;
  if (p->better != q->better) return p->better > q->better ? -1 : 1;
  return p->index < q->index ? -1 : 1;
}

/* The best agent first, so that cells above the diagonal are mostly wins. */
static void choose_order(drawing *d) {
  const size_t n = d->shown->n;
  ranked *ranks = far__figure_room(d->f, n, sizeof *ranks);
  d->order = far__figure_room(d->f, n, sizeof *d->order);
  if (ranks == NULL || d->order == NULL) return;
  for (size_t i = 0; i < n; ++i) {
    size_t met = 0;
    ranks[i].index = i;
    for (size_t j = 0; j < n; ++j) {
      const far__pairwise_cell *c =
          far__pairwise_of(d->pairs, d->shown->agents[i], d->shown->agents[j]);
      if (c->n_envs == 0) continue;
      ranks[i].better += c->better;
      ++met;
    }
    ranks[i].better = met > 0 ? ranks[i].better / (double)met : -1;
  }
  qsort(ranks, n, sizeof *ranks, by_better);
  for (size_t i = 0; i < n; ++i) d->order[i] = ranks[i].index;
}

/* ---- cells ---- */

/* One star for each of three levels, as tables have them; none unless it is decided. */
static const char *stars(const far__pairwise_cell *c) {
  if (!c->decided) return "";
  return c->p_adjusted <= 0.001 ? "***" : c->p_adjusted <= 0.01 ? "**" : "*";
}

static const char *words_of(const drawing *d, size_t i, size_t j) {
  const far__pairwise_cell *c = cell_at(d, i, j);
  const char *how =
      c->paired ? far__figure_print(d->f, "%lld of %lld pairs won, %lld tied", (long long)c->won,
                                    (long long)c->pairs, (long long)c->tied)
                : "any two runs";
  return far__figure_print(d->f, "%s is better than %s with probability %.3f (%s; adjusted %s)",
                           name_at(d, i), name_at(d, j), c->better, how,
                           far__p_text(d->f, c->p_adjusted));
}

static void write_share(const drawing *d, const far__pairwise_cell *c, double x, double y,
                        far__ink ink) {
  const char *marks = stars(c);
  const bool two = *marks != '\0' && d->cell >= 34;
  const double size = d->cell < 34 ? 9 : FAR__SMALL;
  const far__font font = {.size = size, .anchor = FAR__MIDDLE, .bold = c->decided, .ink = ink};
  if (d->cell < 26) return;
  far__figure_write(d->f, x, y + (two ? -1 : 0.36 * size), font,
                    far__figure_print(d->f, "%.2f", c->better));
  if (two) far__figure_write(d->f, x, y + 13, font, marks);
}

static void draw_cell(const drawing *d, size_t i, size_t j, double x, double y) {
  const far__pairwise_cell *c = cell_at(d, i, j);
  const double gap = d->cell > 20 ? 1.5 : 0.5, side = d->cell - gap;
  const bool known = i != j && c->n_envs > 0;
  const far__ink ink = known ? far__ink_level(c->better, true) : FAR__INK_EMPTY;
  if (known) far__figure_tip(d->f, "%s", words_of(d, i, j));
  far__figure_rectangle(d->f, x, y, side, side, (far__paint){.fill = ink});
  if (known) write_share(d, c, x + side / 2, y + side / 2, far__ink_on(ink));
}

/* ---- names ---- */

static void draw_names(const drawing *d, double x, double y) {
  const size_t n = d->shown->n;
  const far__font beside = {.anchor = FAR__RIGHT};
  const far__font above =
      d->upright ? (far__font){.angle = -90} : (far__font){.anchor = FAR__MIDDLE};
  const char **left = far__figure_distinct(d->f, d->names, n, beside, d->left - 24);
  const char **top =
      far__figure_distinct(d->f, d->names, n, above, (d->upright ? d->above - 8 : d->cell) - 4);
  for (size_t i = 0; i < n && left != NULL && top != NULL; ++i) {
    const double at = ((double)i + 0.5) * d->cell;
    const char *name = name_at(d, i);
    far__figure_write_as(d->f, x - 8, y + at + 4, beside, left[d->order[i]], name);
    far__figure_write_as(d->f, x + at + (d->upright ? 4 : 0), y - 8, above, top[d->order[i]], name);
  }
}

/* From what is always lost to what is always won. */
static void draw_key(const drawing *d, double x, double y, double width) {
  static const char *const names[] = {"0", "0.5", "1"};
  const double step = width / FAR__LEVELS;
  for (int k = 0; k < FAR__LEVELS; ++k)
    far__figure_rectangle(
        d->f, x + (double)k * step, y, step + 0.3, 8,
        (far__paint){.fill = far__ink_level((double)k / (FAR__LEVELS - 1), true)});
  for (int k = 0; k < 3; ++k)
    far__figure_write(
        d->f, x + (double)k * width / 2, y + 21,
        (far__font){.size = FAR__SMALL, .anchor = (far__anchor)k, .ink = FAR__INK_MUTED}, names[k]);
  far__figure_write_within(d->f, x + width + 14, y + 8, d->f->width - x - width - 30,
                           (far__font){.size = FAR__SMALL, .ink = FAR__INK_MUTED},
                           far__figure_print(d->f, "bold: decided; %s ≤ %s *, 0.01 **, 0.001 ***",
                                             far__correction_text(d->f, d->comparison),
                                             far__alpha_text(d->f, d->comparison)));
}

/* ---- the figure ---- */

static void measure(drawing *d) {
  const size_t n = d->shown->n;
  double longest = 0;
  for (size_t i = 0; i < n; ++i)
    longest = fmax(longest, far__text_length(name_at(d, i), FAR__SIZE, false));
  d->left = fmin(longest, 0.3 * d->f->width) + 26;
  d->cell = fmin(58, (d->f->width - d->left - 16) / (double)(n > 0 ? n : 1));
  d->upright = longest > d->cell - 4;
  d->above = d->upright ? fmin(longest, 150) + 16 : 24;
}

static void describe(drawing *d) {
  const size_t n = d->shown->n;
  const char *text = "";
  for (size_t i = 0; i < n * n && i < 100; ++i)
    if (i / n != i % n && cell_at(d, i / n, i % n)->n_envs > 0)
      text = far__figure_print(d->f, "%s %s.", text, words_of(d, i / n, i % n));
  far__figure_name(
      d->f,
      far__figure_print(d->f, "%s: probability that the row beats the column",
                        far__capital(d->f, far__series_title(d->f, d->comparison->series))),
      "A matrix of agents: how often the row's is better than the column's.%s", text);
}

static void draw_all(drawing *d) {
  const size_t n = d->shown->n;
  choose_order(d);
  d->names = far__shown_labels(d->f, d->g, d->shown);
  if (d->f->kept.failed || d->names == NULL) return;
  describe(d);
  measure(d);
  const double top = far__heading(d->f, d->f->title, far__results_line(d->f, d->g, d->shown));
  const double y = top + d->above, side = d->cell * (double)n;
  draw_names(d, d->left, y);
  for (size_t i = 0; i < n * n; ++i)
    draw_cell(d, i / n, i % n, d->left + (double)(i % n) * d->cell,
              y + far__row_of(i, n) * d->cell);
  draw_key(d, d->left, y + side + 14, fmin(140, fmax(60, side)));
  far__figure_height(d->f, y + side + 48);
}

static far_status draw(far_figure **out, const far_comparison *comparison,
                       const far_comparison_group *group, const far_plot_def *def,
                       far_error *error) {
  far__shown shown;
  far__pairwise *pairs = NULL;
  far_status status = far__shown_create(&shown, comparison, group, def->most_series, error);
  if (status == FAR_OK)
    status = far__pairwise_create(&pairs, comparison, (size_t)(group - comparison->groups), error);
  if (status == FAR_OK) status = far__figure_create(out, "matrix", def->width, error);
  if (status == FAR_OK) {
    drawing d = {.f = *out, .comparison = comparison, .g = group, .pairs = pairs, .shown = &shown};
    draw_all(&d);
    status = far__figure_finish(out, error);
  }
  far__pairwise_free(pairs);
  far__shown_free(&shown);
  return status;
}

static far_status report_pairs(far_report *report, const far_comparison *comparison, size_t group,
                               const far_plot_def *def, far_error *error) {
  far__pairwise *pairs;
  (void)def;
  const far_status status = far__pairwise_create(&pairs, comparison, group, error);
  if (status == FAR_OK) far__pairwise_report(pairs, report);
  far__pairwise_free(pairs);
  return status;
}

const far__plot far__plot_matrix = {
    .name = "matrix",
    .summary = "how often each agent is better than each other one, with tests",
    .of_comparison = draw,
    .numbers_of_comparison = report_pairs,
    .table = "pairwise",
};
