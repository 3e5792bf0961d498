/* Models: creating, describing and writing them. */
#include "base/json.h"
#include "model/criterion.h"
#include "web.h"

far_mdp *web_model_create(const char *spec) {
  far_mdp *mdp;
  return far_mdp_create(&mdp, spec, web__error()) == FAR_OK ? mdp : NULL;
}

far_mdp *web_model_read(const char *text, size_t length, far_format format) {
  far_mdp *mdp;
  return far_mdp_read(&mdp, text, length, format, web__error()) == FAR_OK ? mdp : NULL;
}

void web_model_free(far_mdp *mdp) {
  far_mdp_free(mdp);
}

/* ---- described ---- */

static void write_reals(far__json *json, const char *key, const double *x, size_t n) {
  far__json_array(json, key);
  for (size_t i = 0; i < n; ++i) far__json_real(json, NULL, x[i]);
  far__json_end(json);
}

static void write_labels(far__json *json, const char *key, const char (*label)[FAR_LABEL_SIZE],
                         size_t n) {
  far__json_array(json, key);
  for (size_t i = 0; i < n; ++i) far__json_text(json, NULL, label[i]);
  far__json_end(json);
}

static void write_walls(far__json *json, const far_layout *layout) {
  far__json_array(json, "walls");
  for (size_t i = 0; i < layout->n_walls; ++i) write_reals(json, NULL, &layout->walls[i].x0, 4);
  far__json_end(json);
}

static void write_layout(far__json *json, const far_mdp *mdp, const far_shape *shape) {
  static const char *const kinds[] = {"none", "line", "grid", "graph"};
  const far_layout layout = far_mdp_layout(mdp);
  if (layout.kind == FAR_LAYOUT_NONE) {
    far__json_null(json, "layout");
    return;
  }
  far__json_object(json, "layout");
  far__json_text(json, "kind", kinds[layout.kind]);
  far__json_real(json, "width", layout.width);
  far__json_real(json, "height", layout.height);
  write_reals(json, "x", layout.x, shape->n_states);
  write_reals(json, "y", layout.y, shape->n_states);
  write_labels(json, "labels", layout.label, shape->n_states);
  write_reals(json, "dx", layout.dx, shape->n_actions);
  write_reals(json, "dy", layout.dy, shape->n_actions);
  write_labels(json, "actions", layout.action_label, shape->n_actions);
  write_walls(json, &layout);
  far__json_end(json);
}

static void write_states(far__json *json, const far_mdp *mdp, const far_shape *shape) {
  far__json_array(json, "states");
  for (uint32_t s = 0; s < shape->n_states; ++s)
    far__json_text(json, NULL, far_mdp_state_name(mdp, s));
  far__json_end(json);
  far__json_array(json, "actions");
  for (uint32_t a = 0; a < shape->n_actions; ++a)
    far__json_text(json, NULL, far_mdp_action_name(mdp, a));
  far__json_end(json);
  far__json_array(json, "terminal");
  for (uint32_t s = 0; s < shape->n_states; ++s)
    if (far_mdp_terminal(mdp, s)) far__json_integer(json, NULL, s);
  far__json_end(json);
}

static void write_starts(far__json *json, const far_mdp *mdp) {
  size_t count;
  const far_outcome *starts = far_mdp_starts(mdp, &count);
  far__json_array(json, "starts");
  for (size_t i = 0; i < count; ++i) {
    far__json_array(json, NULL);
    far__json_integer(json, NULL, starts[i].next);
    far__json_real(json, NULL, starts[i].probability);
    far__json_end(json);
  }
  far__json_end(json);
}

const char *web_model_describe(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  char hash[FAR_HASH_TEXT];
  far__json json;
  far_mdp_hash(hash, mdp);
  far__json_begin(&json, far_sink_buffer(web__text()));
  far__json_object(&json, NULL);
  far__json_text(&json, "spec", far_mdp_spec(mdp));
  far__json_text(&json, "hash", hash);
  far__json_integer(&json, "n_states", shape.n_states);
  far__json_integer(&json, "n_actions", shape.n_actions);
  far__json_real(&json, "reward_min", shape.reward_min);
  far__json_real(&json, "reward_max", shape.reward_max);
  far__json_integer(&json, "horizon", (uint64_t)far_mdp_horizon(mdp));
  far__json_real(&json, "gamma", far_mdp_gamma(mdp));
  far__json_flag(&json, "average", shape.average);
  far__json_real(&json, "discount", far_mdp_discount(mdp));
  far__json_text(&json, "caveat", far__mdp_caveat(mdp));
  write_states(&json, mdp, &shape);
  write_starts(&json, mdp);
  write_layout(&json, mdp, &shape);
  far__json_end(&json);
  return web__text_end();
}

static size_t count_outcomes(const far_mdp *mdp, const far_shape *shape) {
  size_t all = 0, count;
  for (uint32_t s = 0; s < shape->n_states; ++s)
    for (uint32_t a = 0; a < shape->n_actions; ++a) {
      (void)far_mdp_outcomes(mdp, s, a, &count);
      all += count;
    }
  return all;
}

static double *put_outcomes(double *out, const far_mdp *mdp, uint32_t s, uint32_t a) {
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  for (size_t i = 0; i < count; ++i, ++o) {
    *out++ = s;
    *out++ = a;
    *out++ = o->probability;
    *out++ = o->next;
    *out++ = o->reward;
    *out++ = o->done;
  }
  return out;
}

const double *web_model_outcomes(const far_mdp *mdp) {
  const far_shape shape = far_mdp_shape(mdp);
  double *numbers = web__numbers(UINT64_C(6) * count_outcomes(mdp, &shape)), *at = numbers;
  if (numbers == NULL) return NULL;
  for (uint32_t s = 0; s < shape.n_states; ++s)
    for (uint32_t a = 0; a < shape.n_actions; ++a) at = put_outcomes(at, mdp, s, a);
  return numbers;
}

const char *web_model_print(const far_mdp *mdp, far_format format) {
  char *text;
  size_t length;
  if (far_mdp_print(&text, &length, mdp, format, 0, web__error()) != FAR_OK) return NULL;
  far_buffer_add(web__text(), text, length);
  far_free(text);
  return web__text_end();
}

/* ---- specs ---- */

const char *web_model_resolve(const char *spec) {
  char out[FAR_SPEC_SIZE];
  return far_mdp_resolve(out, spec, web__error()) == FAR_OK ? web__text_of(out) : NULL;
}

static void write_warning(void *user, bool severe, const char *message) {
  far__json *json = user;
  far__json_object(json, NULL);
  far__json_flag(json, "severe", severe);
  far__json_text(json, "message", message);
  far__json_end(json);
}

const char *web_agent_resolve(const char *spec, const far_mdp *mdp, int64_t steps) {
  const far_shape shape = far_shape_for(far_mdp_shape(mdp), steps > 0 ? steps : 0, 0);
  char out[FAR_SPEC_SIZE];
  far__json json;
  if (far_agent_resolve(out, spec, &shape, web__error()) != FAR_OK) return NULL;
  far__json_begin(&json, far_sink_buffer(web__text()));
  far__json_object(&json, NULL);
  far__json_text(&json, "spec", out);
  far__json_array(&json, "warnings");
  const far_status status = far_agent_check(spec, &shape, write_warning, &json, web__error());
  far__json_end(&json);
  far__json_end(&json);
  return status == FAR_OK ? web__text_end() : NULL;
}
