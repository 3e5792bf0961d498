/* A model built by a page, outcome by outcome. */
#include "web.h"

far_mdp_builder *web_builder_create(uint32_t n_states, uint32_t n_actions) {
  far_mdp_builder *b;
  return far_mdp_builder_create(&b, n_states, n_actions, web__error()) == FAR_OK ? b : NULL;
}

void web_builder_free(far_mdp_builder *builder) {
  far_mdp_builder_free(builder);
}

bool web_builder_outcome(far_mdp_builder *builder, uint32_t s, uint32_t a, double probability,
                         uint32_t next, double reward) {
  return far_mdp_builder_outcome(builder, s, a, probability, next, reward, web__error()) == FAR_OK;
}

bool web_builder_start(far_mdp_builder *builder, uint32_t s, double probability) {
  return far_mdp_builder_start(builder, s, probability, web__error()) == FAR_OK;
}

bool web_builder_terminal(far_mdp_builder *builder, uint32_t s) {
  return far_mdp_builder_terminal(builder, s, web__error()) == FAR_OK;
}

bool web_builder_horizon(far_mdp_builder *builder, int64_t horizon) {
  return far_mdp_builder_horizon(builder, horizon, web__error()) == FAR_OK;
}

bool web_builder_layout(far_mdp_builder *builder, far_layout_kind kind, double width,
                        double height) {
  return far_mdp_builder_layout(builder, kind, width, height, web__error()) == FAR_OK;
}

bool web_builder_place(far_mdp_builder *builder, uint32_t s, double x, double y,
                       const char *label) {
  return far_mdp_builder_place(builder, s, x, y, label, web__error()) == FAR_OK;
}

bool web_builder_arrow(far_mdp_builder *builder, uint32_t a, double dx, double dy,
                       const char *label) {
  return far_mdp_builder_arrow(builder, a, dx, dy, label, web__error()) == FAR_OK;
}

bool web_builder_wall(far_mdp_builder *builder, double x0, double y0, double x1, double y1) {
  return far_mdp_builder_wall(builder, x0, y0, x1, y1, web__error()) == FAR_OK;
}

far_mdp *web_builder_finish(far_mdp_builder *builder) {
  far_mdp *mdp;
  return far_mdp_builder_finish(&mdp, builder, web__error()) == FAR_OK ? mdp : NULL;
}
