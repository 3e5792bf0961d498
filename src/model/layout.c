#include "model/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/model.h"

void far__layout_free(far__layout *layout) {
  free(layout->x);
  free(layout->y);
  free(layout->dx);
  free(layout->dy);
  free(layout->label);
  free(layout->action_label);
  free(layout->wall);
}

size_t far__layout_bytes(const far__layout *layout) {
  if (layout->kind == FAR_LAYOUT_NONE) return 0;
  const size_t each = 2 * sizeof(double) + FAR_LABEL_SIZE;
  return ((size_t)layout->n_states + layout->n_actions) * each +
         layout->room * sizeof *layout->wall;
}

far_status far__layout_check(const far__layout *layout, far_error *error) {
  if (layout->kind == FAR_LAYOUT_NONE) return FAR_OK;
  for (uint32_t s = 0; s < layout->n_states; ++s)
    if (layout->x[s] < 0)
      return far__fail(error, FAR_STATUS_RANGE, -1, "state %lu has no place in the layout",
                       (unsigned long)s);
  return FAR_OK;
}

far_layout far_mdp_layout(const far_mdp *mdp) {
  const far__layout *l = &mdp->layout;
  if (l->kind == FAR_LAYOUT_NONE) return (far_layout){.kind = FAR_LAYOUT_NONE};
  return (far_layout){.kind = l->kind,
                      .width = l->width,
                      .height = l->height,
                      .x = l->x,
                      .y = l->y,
                      .label = (const char(*)[FAR_LABEL_SIZE])l->label,
                      .dx = l->dx,
                      .dy = l->dy,
                      .action_label = (const char(*)[FAR_LABEL_SIZE])l->action_label,
                      .walls = l->wall,
                      .n_walls = l->n_walls};
}

/* ---- building ---- */

static bool is_finite(double x) {
  return x - x == 0;
}

static far_status allocate(far__layout *l, far_error *error) {
  far__layout made = *l;
  made.x = calloc(l->n_states, sizeof *made.x);
  made.y = calloc(l->n_states, sizeof *made.y);
  made.label = calloc(l->n_states, sizeof *made.label);
  made.dx = calloc(l->n_actions, sizeof *made.dx);
  made.dy = calloc(l->n_actions, sizeof *made.dy);
  made.action_label = calloc(l->n_actions, sizeof *made.action_label);
  if (made.x && made.y && made.label && made.dx && made.dy && made.action_label) {
    *l = made;
    return FAR_OK;
  }
  far__layout_free(&made);
  return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the layout of %lu states",
                   (unsigned long)l->n_states);
}

far_status far_mdp_builder_layout(far_mdp_builder *builder, far_layout_kind kind, double width,
                                  double height, far_error *error) {
  far__layout *l = far__mdp_builder_layout(builder);
  if (l->kind != FAR_LAYOUT_NONE)
    return far__fail(error, FAR_STATUS_CONFLICT, -1, "the model has a layout already");
  if (kind != FAR_LAYOUT_LINE && kind != FAR_LAYOUT_GRID && kind != FAR_LAYOUT_GRAPH)
    return far__fail(error, FAR_STATUS_RANGE, -1, "there is no kind %d of layouts", (int)kind);
  if (!(width >= 1 && height >= 1) || !is_finite(width) || !is_finite(height))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a layout of %s x %s: both must be at least 1 and finite",
                     far__shortest(width).text, far__shortest(height).text);
  const far_status status = allocate(l, error);
  if (status != FAR_OK) return status;
  l->kind = kind;
  l->width = width;
  l->height = height;
  for (uint32_t s = 0; s < l->n_states; ++s) l->x[s] = -1;
  return FAR_OK;
}

static far_status need_layout(const far__layout *l, far_error *error) {
  if (l->kind != FAR_LAYOUT_NONE) return FAR_OK;
  return far__fail(error, FAR_STATUS_CONFLICT, -1,
                   "the model has no layout yet; far_mdp_builder_layout begins one");
}

static far_status set_label(char out[FAR_LABEL_SIZE], const char *label, far_error *error) {
  const char *text = label != NULL ? label : "";
  if (strlen(text) >= FAR_LABEL_SIZE || (text[0] != '\0' && !far__is_name(text)))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "a label has at most %d bytes of UTF-8 and no control characters",
                     FAR_LABEL_SIZE - 1);
  memset(out, 0, FAR_LABEL_SIZE);
  memcpy(out, text, strlen(text) + 1);
  return FAR_OK;
}

/* Is x the centre of a cell? */
static bool is_centre(double x) {
  return x < 0x1p31 && x - 0.5 == (double)(int64_t)(x - 0.5);
}

far_status far_mdp_builder_place(far_mdp_builder *builder, uint32_t s, double x, double y,
                                 const char *label, far_error *error) {
  far__layout *l = far__mdp_builder_layout(builder);
  const far_status status = need_layout(l, error);
  if (status != FAR_OK) return status;
  if (s >= l->n_states)
    return far__fail(error, FAR_STATUS_RANGE, -1, "state %lu is outside 0 ... %lu",
                     (unsigned long)s, (unsigned long)l->n_states - 1);
  if (!(x >= 0.5 && x <= l->width - 0.5 && y >= 0.5 && y <= l->height - 0.5))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the square of state %lu around (%s, %s) is not inside the layout, %s x %s",
                     (unsigned long)s, far__shortest(x).text, far__shortest(y).text,
                     far__shortest(l->width).text, far__shortest(l->height).text);
  if (l->kind == FAR_LAYOUT_GRID && !(is_centre(x) && is_centre(y)))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "(%s, %s) of state %lu is not the centre of a cell", far__shortest(x).text,
                     far__shortest(y).text, (unsigned long)s);
  const far_status labelled = set_label(l->label[s], label, error);
  if (labelled != FAR_OK) return labelled;
  l->x[s] = x;
  l->y[s] = y;
  return FAR_OK;
}

far_status far_mdp_builder_arrow(far_mdp_builder *builder, uint32_t a, double dx, double dy,
                                 const char *label, far_error *error) {
  far__layout *l = far__mdp_builder_layout(builder);
  const far_status status = need_layout(l, error);
  if (status != FAR_OK) return status;
  if (a >= l->n_actions)
    return far__fail(error, FAR_STATUS_RANGE, -1, "action %lu is outside 0 ... %lu",
                     (unsigned long)a, (unsigned long)l->n_actions - 1);
  if (!is_finite(dx) || !is_finite(dy))
    return far__fail(error, FAR_STATUS_RANGE, -1, "the direction of action %lu must be finite",
                     (unsigned long)a);
  const far_status labelled = set_label(l->action_label[a], label, error);
  if (labelled != FAR_OK) return labelled;
  l->dx[a] = dx;
  l->dy[a] = dy;
  return FAR_OK;
}

far_status far_mdp_builder_wall(far_mdp_builder *builder, double x0, double y0, double x1,
                                double y1, far_error *error) {
  far__layout *l = far__mdp_builder_layout(builder);
  const far_wall wall = {x0, y0, x1, y1};
  const far_status status = need_layout(l, error);
  if (status != FAR_OK) return status;
  if (!(x0 >= 0 && x0 <= x1 && x1 <= l->width && y0 >= 0 && y0 <= y1 && y1 <= l->height))
    return far__fail(error, FAR_STATUS_RANGE, -1,
                     "the wall from (%s, %s) to (%s, %s) is not inside the layout, or its corners "
                     "are not in order",
                     far__shortest(x0).text, far__shortest(y0).text, far__shortest(x1).text,
                     far__shortest(y1).text);
  if (l->n_walls == l->room) {
    const size_t room = l->room > 0 ? 2 * l->room : 16;
    far_wall *grown =
        room <= SIZE_MAX / sizeof *grown ? realloc(l->wall, room * sizeof *grown) : NULL;
    if (grown == NULL)
      return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for more than %zu walls", l->room);
    l->wall = grown;
    l->room = room;
  }
  l->wall[l->n_walls++] = wall;
  return FAR_OK;
}
