/* What an agent knew at several times, drawn on the layout of its environment. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "farsight/mdp.h"
#include "farsight/report.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/layout.h"
#include "questions/learning/learning.h"
#include "report/build.h"

enum { MOST_FRAMES = 8, NOTE = 128 };

far__learning_figure_def far__learning_figure_def_default(void) {
  return (far__learning_figure_def){.frame = FAR__LEARNING_ALL, .exact = true, .width = 720};
}

/* ---- what is drawn ---- */

typedef struct plan {
  const far__learning *x;
  far__learned quantity;
  bool arrows;  /* the policy as arrows over the probability of an optimal action */
  bool exact;   /* with a panel of the exact values */
  double *best; /* probabilities of the exact policy; or NULL */
  double *ones; /* n_states: what is optimal of it, which is all */
  far__layout_panel panels[MOST_FRAMES + 1], others[MOST_FRAMES];
  char titles[MOST_FRAMES + 1][NOTE], notes[MOST_FRAMES + 1][NOTE];
  size_t n, n_others;
} plan;

/* Arrows need directions, nodes or cells; and in a line room for them. */
static bool has_arrows(const far__learning *x) {
  const far_layout l = far_mdp_layout(x->mdp);
  if (l.kind == FAR_LAYOUT_NONE) return false;
  if (l.kind != FAR_LAYOUT_LINE) return true;
  for (uint32_t a = 0; a < x->n_actions; ++a)
    if (l.dx[a] == 0 && l.dy[a] == 0) return false;
  return x->n_states <= 45;
}

static bool has_exact(const far__learning *x, far__learned quantity) {
  return x->exact.q != NULL && (quantity == FAR__LEARNED_Q || quantity == FAR__LEARNED_VALUE ||
                                quantity == FAR__LEARNED_POLICY);
}

/* ---- panels ---- */

/* An agent that was loaded has learned, although its visits are not known. */
static far__layout_panel panel_of(const plan *p, size_t frame) {
  const far__learning_frame *f = &p->x->frames[frame];
  const bool unknown = p->x->live && f->pairs_visited == 0;
  far__layout_panel out = {.visits = unknown ? NULL : f->visits_at};
  out.values = p->arrows ? f->optimal : far__learning_array(p->x, frame, p->quantity);
  if (p->arrows) out.policy = f->policy;
  return out;
}

static void add_frame(plan *p, size_t frame) {
  const far__learning_frame *f = &p->x->frames[frame];
  snprintf(p->titles[p->n], NOTE, "%s step%s", far__brief_count(f->step).text,
           far__plural(f->step));
  int length = 0;
  if (f->pairs_visited > 0 || !p->x->live)
    length = snprintf(p->notes[p->n], NOTE, "%lu/%lu states", (unsigned long)f->states_visited,
                      (unsigned long)p->x->n_live);
  if (!p->x->live)
    snprintf(p->notes[p->n] + length, NOTE - (size_t)length, ", reward %s%s",
             f->total < 0 ? "−" : "", far__brief_real(fabs(f->total)).text);
  far__layout_panel panel = panel_of(p, frame);
  panel.title = p->titles[p->n];
  panel.note = p->notes[p->n];
  p->panels[p->n++] = panel;
}

/* As many as a figure has room for, beside the exact values. */
static size_t most_frames(const plan *p) {
  const size_t n = p->x->n_frames < MOST_FRAMES ? p->x->n_frames : MOST_FRAMES;
  const far_layout_kind kind = far_mdp_layout(p->x->mdp).kind;
  const size_t room = FAR__LAYOUT_STATES / p->x->n_states,
               panels = room > p->exact ? room - p->exact : 0;
  if (kind == FAR_LAYOUT_LINE || kind == FAR_LAYOUT_NONE || n <= panels) return n;
  return panels > 0 ? panels : 1;
}

/* Of many frames some, evenly, with the first and the last, or the last alone. Those that are not drawn count in
 * the scale. */
static void add_frames(plan *p, size_t one) {
  const size_t n = p->x->n_frames, most = most_frames(p);
  for (size_t k = 0; k < most; ++k) {
    const size_t frame = most > 1 ? k * (n - 1) / (most - 1) : n - 1;
    if (one == FAR__LEARNING_ALL)
      add_frame(p, frame);
    else if (frame != one)
      p->others[p->n_others++] = panel_of(p, frame);
  }
  if (one != FAR__LEARNING_ALL) add_frame(p, one);
}

/* The exact policy as probabilities. */
static far_status make_best(plan *p, far_error *error) {
  const far__learning *x = p->x;
  p->best = calloc((size_t)x->n_states * x->n_actions, sizeof *p->best);
  p->ones = calloc(x->n_states, sizeof *p->ones);
  if (p->best == NULL || p->ones == NULL)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure");
  for (uint32_t s = 0; s < x->n_states; ++s) {
    p->best[(size_t)s * x->n_actions + x->exact.policy[s]] = 1;
    p->ones[s] = 1;
  }
  return FAR_OK;
}

static far_status add_exact(plan *p, far_error *error) {
  const bool policy = p->quantity == FAR__LEARNED_POLICY;
  far__layout_panel panel = {.title = p->titles[p->n], .note = p->notes[p->n]};
  const far_status status = policy ? make_best(p, error) : FAR_OK;
  if (status != FAR_OK) return status;
  if (policy)
    panel.values = p->arrows ? p->ones : p->best;
  else
    panel.values = p->quantity == FAR__LEARNED_Q ? p->x->exact.q : p->x->exact.v;
  if (p->arrows) panel.policy = p->best;
  snprintf(p->titles[p->n], NOTE, "%s", policy ? "optimal" : "exact");
  /* Of an agent that plans by steps: undiscounted, unless a discount was given. */
  if (p->x->by_step && p->x->exact.gamma == 1)
    snprintf(p->notes[p->n], NOTE, "step %lld of %lld", (long long)p->x->step,
             (long long)p->x->horizon);
  else
    snprintf(p->notes[p->n], NOTE, "γ = %s%s", far__shortest(p->x->exact.gamma).text,
             !p->x->by_step && p->x->horizon > 0 ? ", no horizon" : "");
  p->panels[p->n++] = panel;
  return FAR_OK;
}

/* ---- words ---- */

static const char *title_of(const plan *p) {
  switch (p->quantity) {
  case FAR__LEARNED_VISITS: return "Visits";
  case FAR__LEARNED_Q: return "Action values Q";
  case FAR__LEARNED_BONUS: return "Exploration bonus";
  case FAR__LEARNED_E: return "Exploration values E";
  case FAR__LEARNED_LEARN: return "Pairs being learned (LEARN)";
  case FAR__LEARNED_N: return "Samples";
  case FAR__LEARNED_VALUE: return "Values of states, max Q";
  default: return "Policy";
  }
}

static const char *scale_of(const plan *p) {
  const far_layout_kind kind = far_mdp_layout(p->x->mdp).kind;
  const bool table = kind == FAR_LAYOUT_LINE || kind == FAR_LAYOUT_NONE;
  switch (p->quantity) {
  case FAR__LEARNED_VISITS: return table ? "visits of the action" : "visits of the state";
  case FAR__LEARNED_Q: return "Q";
  case FAR__LEARNED_BONUS: return "bonus";
  case FAR__LEARNED_E: return "E";
  case FAR__LEARNED_LEARN: return "LEARN: 1 while a pair is learned";
  case FAR__LEARNED_N: return "samples";
  case FAR__LEARNED_VALUE: return "max Q";
  default: return p->arrows ? "probability of an optimal action" : "probability of the action";
  }
}

/* Which step of an episode is shown. */
static void add_step(far__text *text, const plan *p) {
  const far__learning *x = p->x;
  const bool visits = p->quantity == FAR__LEARNED_VISITS;
  if (x->horizon == 0) return;
  if (visits && !x->step_given)
    far__text_format(text, "; all steps of an episode");
  else if (visits || x->by_step)
    far__text_format(text, "; step %lld of an episode of %lld", (long long)x->step,
                     (long long)x->horizon);
  else
    far__text_format(text, "; the same at every step of an episode");
}

static const char *subtitle_of(far__text *text, const plan *p, const char *remark) {
  const far__learning *x = p->x;
  far__text_format(text, "%.*s in %.*s", far__whole_bytes(x->agent_label, 200), x->agent_label,
                   far__whole_bytes(x->env_label, 200), x->env_label);
  if (!x->live)
    far__text_format(text, ", seed %llu, replicate %llu", (unsigned long long)x->seed,
                     (unsigned long long)x->replicate);
  add_step(text, p);
  if (p->n_others == 0 && p->n - p->exact < x->n_frames)
    far__text_format(text, "; %zu of %zu times", p->n - p->exact, x->n_frames);
  if (remark != NULL) far__text_format(text, "; %.*s", far__whole_bytes(remark, 200), remark);
  return text->bytes;
}

static const char *description_of(far__text *text, const plan *p) {
  const far__learning_frame *last = &p->x->frames[p->x->n_frames - 1];
  far__text_format(text, "%s on the layout of the environment", title_of(p));
  for (size_t i = 0; i < p->n; ++i) {
    far__text_format(text, "%s %s", i == 0 ? ":" : ",", p->titles[i]);
    if (p->notes[i][0] != '\0') far__text_format(text, " (%s)", p->notes[i]);
  }
  far__text_format(text, ". In the end %lu of %lu states and %llu pairs were visited.",
                   (unsigned long)last->states_visited, (unsigned long)p->x->n_live,
                   (unsigned long long)last->pairs_visited);
  return text->bytes;
}

/* ---- the figure ---- */

static far__layout_figure_def def_of(const plan *p, const far__learning_figure_def *how) {
  far__layout_figure_def def = far__layout_figure_def_default();
  const bool share = p->quantity == FAR__LEARNED_POLICY || p->quantity == FAR__LEARNED_LEARN;
  const bool visits = p->quantity == FAR__LEARNED_VISITS;
  def.mdp = p->x->mdp;
  def.panels = p->panels;
  def.n_panels = p->n;
  def.others = p->others;
  def.n_others = p->n_others;
  def.pairs = p->quantity != FAR__LEARNED_VALUE && !p->arrows;
  def.whole = visits;
  def.fold = visits || p->quantity == FAR__LEARNED_N ? FAR__FOLD_SUM : FAR__FOLD_MAX;
  def.zero_is_empty = visits;
  if (share) def.low = 0, def.high = 1;
  def.colours = how->colours;
  def.kind = far__learned_name(p->quantity);
  def.title = title_of(p);
  def.scale = scale_of(p);
  def.width = how->width;
  return def;
}

static far_status draw(far_figure **out, const plan *p, const far__learning_figure_def *how,
                       far_error *error) {
  far__text subtitle = {0}, description = {0};
  far__layout_figure_def def = def_of(p, how);
  def.subtitle = subtitle_of(&subtitle, p, how->remark);
  def.description = description_of(&description, p);
  const far_status status = subtitle.failed || description.failed
                                ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure")
                                : far__layout_figure(out, &def, error);
  far_buffer_free(&subtitle);
  far_buffer_free(&description);
  return status;
}

static far_status check(const plan *p, size_t frame, far_error *error) {
  if (frame != FAR__LEARNING_ALL && frame >= p->x->n_frames)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there are %zu times, and no time %zu",
                     p->x->n_frames, frame);
  if ((size_t)p->quantity >= FAR__LEARNED_COUNT)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no quantity %d", (int)p->quantity);
  if (far__learning_array(p->x, p->x->n_frames - 1, p->quantity) == NULL)
    return far__fail(error, FAR_STATUS_UNKNOWN, -1, "%.200s has no such number: %s",
                     p->x->agent_label, far__learned_title(p->quantity));
  return FAR_OK;
}

far_status far__learning_figure(far_figure **out, const far__learning *learning,
                                far__learned quantity, const far__learning_figure_def *def,
                                far_error *error) {
  plan p = {.x = learning, .quantity = quantity};
  *out = NULL;
  far_status status = check(&p, def->frame, error);
  if (status != FAR_OK) return status;
  p.arrows = quantity == FAR__LEARNED_POLICY && has_arrows(learning);
  p.exact = def->exact && has_exact(learning, quantity);
  add_frames(&p, def->frame);
  if (p.exact) status = add_exact(&p, error);
  if (status == FAR_OK) status = draw(out, &p, def, error);
  free(p.best);
  free(p.ones);
  return status;
}
