/* What an agent knows, drawn by the code of `farsight plot`. */
#include <stdlib.h>

#include "web.h"

static far_learning *learned(const far_player_run *run, const far_mdp *mdp) {
  const far_shape *shape = far_agent_shape(run->agent);
  const size_t n_pairs = (size_t)shape->n_states * shape->n_actions;
  far_learning_def def = far_learning_def_default();
  far_learning *learning = NULL;
  int64_t *visits = web_alloc(n_pairs * sizeof *visits);
  if (visits == NULL) return NULL;
  for (size_t i = 0; i < n_pairs; ++i) visits[i] = (int64_t)run->visits[i];
  def.mdp = mdp;
  def.name = "model";
  (void)far_learning_from_agent(&learning, run->agent, visits, &def, web__error());
  free(visits);
  return learning;
}

const char *web_lane_figure(const far_player *player, uint32_t k, const far_mdp *mdp,
                            far_learned quantity, double width, const char *id, far_theme theme) {
  const far_player_run *run = far_player_run_of(player, k);
  far_learning_figure_def def = far_learning_figure_def_default();
  far_figure *figure = NULL;
  far_learning *learning = run != NULL ? learned(run, mdp) : NULL;
  if (learning == NULL) return NULL;
  def.width = width;
  (void)far_learning_figure(&figure, learning, quantity, &def, web__error());
  far_learning_free(learning);
  return figure != NULL ? web__figure_svg(figure, id, theme) : NULL;
}

const char *web_figure_style(far_theme theme, const char *scope) {
  const far_status status =
      far_figure_style(theme, scope, far_sink_buffer(web__text()), web__error());
  return status == FAR_OK ? web__text_end() : NULL;
}
