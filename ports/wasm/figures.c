/* What an agent knows, drawn by the code of `farsight plot`. */
#include <stdlib.h>

#include "questions/learning/layout-figure.h"
#include "questions/learning/learning.h"
#include "questions/learning/player.h"
#include "report/figure/figure.h"
#include "web.h"

static far__learning *learned(const far__player_run *run, const far_mdp *mdp) {
  const far_shape *shape = far_agent_shape(run->agent);
  const size_t n_pairs = (size_t)shape->n_states * shape->n_actions;
  far__learning_def def = far__learning_def_default();
  far__learning *learning = NULL;
  int64_t *visits = web_alloc(n_pairs * sizeof *visits);
  if (visits == NULL) return NULL;
  for (size_t i = 0; i < n_pairs; ++i) visits[i] = (int64_t)run->visits[i];
  def.mdp = mdp;
  def.name = "model";
  (void)far__learning_from_agent(&learning, run->agent, visits, &def, web__error());
  free(visits);
  return learning;
}

const char *web_lane_figure(const far__player *player, uint32_t k, const far_mdp *mdp,
                            far__learned quantity, double width, const char *id, far_theme theme) {
  const far__player_run *run = far__player_run_of(player, k);
  far__learning_figure_def def = far__learning_figure_def_default();
  far_figure *figure = NULL;
  far__learning *learning = run != NULL ? learned(run, mdp) : NULL;
  if (learning == NULL) return NULL;
  def.width = width;
  (void)far__learning_figure(&figure, learning, quantity, &def, web__error());
  far__learning_free(learning);
  return figure != NULL ? web__figure_svg(figure, id, theme) : NULL;
}

const char *web_figure_style(far_theme theme, const char *scope) {
  const far_status status =
      far__figure_style(theme, scope, far_sink_buffer(web__text()), web__error());
  return status == FAR_OK ? web__text_end() : NULL;
}
