/* What the best agent of an environment learned, on its layout, at several times of one of its runs. The run is
 * computed again from its spec and seed. */
#include <stdio.h>
#include <string.h>

#include "farsight/mdp.h"
#include "questions/learning/layout-figure.h"
#include "questions/learning/learning.h"
#include "questions/page/page.h"
#include "report/build.h"

enum { MOST_ENVS = 4, MOST_STATES = 150, MOST_FRAMES = 8 };
#define MOST_SECONDS 2.0 /* of processor time for a run, in the mean over the store */

/* ---- what is shown ---- */

/* The best agent that can be computed again; n_agents if there is none. */
static size_t chosen(const far__page *page, size_t group, size_t e) {
  const far_comparison_group *g = far__page_group(page, group);
  const size_t leader = page->findings[group]->envs[e].leader;
  if (leader < g->n_agents && g->agents[leader].origin == FAR_ORIGIN_COMPUTED) return leader;
  return g->n_agents;
}

/* The model has a layout of a size that can be shown. */
static bool is_drawn(const far_comparison_env *env) {
  return env->mdp != NULL && far_mdp_layout(env->mdp).kind != FAR_LAYOUT_NONE &&
         far_mdp_shape(env->mdp).n_states <= MOST_STATES;
}

/* Runs of the store take so long that one more would be felt; a fact of the store, so that the page does not
 * depend on how fast this machine is. */
static bool is_slow(far__page *page) {
  far_store_info info = {0};
  far__page_check(page, far_store_info_of(&info, page->store, page->error));
  return info.runs > 0 && info.seconds / (double)info.runs > MOST_SECONDS;
}

/* ---- figures ---- */

static void add_quantity(far__page *page, const far__learning *learning, far__learned quantity,
                         const char *what) {
  far__view_of views[MOST_FRAMES];
  char labels[MOST_FRAMES][48];
  size_t n = 0;
  far__learning_figure_def def = far__learning_figure_def_default();
  far_error why;
  for (size_t k = 0; k < learning->n_frames && n < MOST_FRAMES; ++k) {
    far_figure *figure = NULL;
    def.frame = k;
    const far_status status = far__learning_figure(&figure, learning, quantity, &def, &why);
    if (status == FAR_STATUS_MEMORY) far__page_check(page, status);
    if (status != FAR_OK) continue;
    snprintf(labels[n], sizeof labels[n], "after %.30s steps",
             far__say_count(learning->frames[k].step).text);
    views[n] = (far__view_of){figure, labels[n]};
    ++n;
  }
  far__page_figure(
      page, far__learned_name(quantity), views, n, "%s of %s on %s, replicate %llu of seed %llu.",
      what, far__say_name(learning->agent_label).text, far__say_name(learning->env_label).text,
      (unsigned long long)learning->replicate, (unsigned long long)learning->seed);
  far__report_show_last(page->report);
}

static bool proceed(void *user, const char *what, int64_t done, int64_t count) {
  (void)what;
  return far__page_progress(user, "run", (size_t)done, (size_t)(count > done ? count : done + 1));
}

static void add_env(far__page *page, size_t group, size_t e, size_t agent) {
  const far_comparison_group *g = far__page_group(page, group);
  const far_comparison_cell *cell = far__cell_of(g, e, agent);
  far__learning_def def = far__learning_def_default();
  far__learning *learning = NULL;
  far_error why;
  def.mdp = g->envs[e].mdp;
  def.replicate = (uint64_t)cell->replicates[0];
  def.progress = proceed;
  def.user = page;
  const far_status status =
      far__learning_from_store(&learning, page->store, cell->keys[0], &def, &why);
  far__page_fails(page, status, &why);
  if (status != FAR_OK) return;
  far__report_environment(page->report, g->envs[e].label);
  if (page->level == 2)
    far__report_heading(page->report, 3, "%s", far__say_name(g->envs[e].brief).text);
  add_quantity(page, learning, FAR__LEARNED_POLICY, "Policy");
  add_quantity(page, learning, FAR__LEARNED_VISITS, "Visits");
  far__report_environment(page->report, NULL);
  far__learning_free(learning);
}

void far__page_learning(far__page *page, size_t group) {
  const far_comparison_group *g = far__page_group(page, group);
  size_t shown = 0, left_out = 0;
  if (page->full || page->def->figure_bytes == 0 || page->def->most_steps == 0) return;
  const bool slow = g->steps > page->def->most_steps || g->steps < 1 || is_slow(page);
  for (size_t e = 0; e < g->n_envs && page->status == FAR_OK && !page->full; ++e) {
    const size_t agent = chosen(page, group, e);
    if (agent == g->n_agents || !is_drawn(&g->envs[e])) continue;
    if (slow || shown == MOST_ENVS) {
      ++left_out;
      continue;
    }
    if (shown++ == 0) {
      far__report_heading(page->report, page->level, "What the best agents learned");
      far__report_paragraph(page->report,
                            "One run of the agent with the best mean, computed again from its "
                            "parameters and seed.");
    }
    add_env(page, group, e, agent);
  }
  if (left_out > 0)
    far__report_note(
        page->report, FAR__NOTE_REMARK,
        "What was learned on %s is not drawn here%s; 'farsight plot policy' does it.",
        far__say_number(left_out, shown > 0 ? "other environment" : "environment").text,
        slow ? ", since computing a run again would take long" : "");
}
