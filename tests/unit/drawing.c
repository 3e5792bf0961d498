/* Layouts for drawing: what the families have, and what the builder refuses. */
#include <farsight/farsight.h>
#include <stdlib.h>

#include "check.h"
#include "model/criterion.h"

/* ---- the families ---- */

typedef struct drawn {
  const char *spec;
  far_layout_kind kind;
  double width, height;
  bool arrows; /* has some action a direction? */
} drawn;

static const drawn cases[] = {
    {"chain:n=7", FAR_LAYOUT_LINE, 7, 1, true},
    {"riverswim", FAR_LAYOUT_LINE, 6, 1, true},
    {"riverswim:n=5,form=2013", FAR_LAYOUT_LINE, 5, 1, true},
    {"sixarms", FAR_LAYOUT_GRAPH, 6, 2, false},
    {"threearms", FAR_LAYOUT_GRAPH, 3, 2, false},
    {"loop", FAR_LAYOUT_GRAPH, 5, 2, false},
    {"loop:length=2", FAR_LAYOUT_GRAPH, 3, 2, false},
    {"loop:length=6", FAR_LAYOUT_GRAPH, 7, 2, false},
    {"deepsea:n=5", FAR_LAYOUT_GRID, 5, 6, false},
    {"deepsea:n=4,mapping=fixed", FAR_LAYOUT_GRID, 4, 5, true},
    {"combination-lock:n=9", FAR_LAYOUT_LINE, 9, 1, false},
    {"bridge", FAR_LAYOUT_GRID, 7, 3, true},
    {"bridge:n=1,noise=0.25", FAR_LAYOUT_GRID, 3, 3, true},
    {"frozen-lake", FAR_LAYOUT_GRID, 4, 4, true},
    {"frozen-lake:map=8x8,success=0.8", FAR_LAYOUT_GRID, 8, 8, true},
    {"taxi", FAR_LAYOUT_GRID, 23, 31, true},
    {"taxi:rainy=on", FAR_LAYOUT_GRID, 23, 31, true},
    {"cliff-walking", FAR_LAYOUT_GRID, 12, 4, true},
    {"cliff-walking:slippery=on", FAR_LAYOUT_GRID, 12, 4, true},
    {"four-rooms", FAR_LAYOUT_GRID, 13, 13, true},
    {"grid", FAR_LAYOUT_GRID, 5, 5, true},
    {"grid:map=S#G/..P,slip=0.5", FAR_LAYOUT_GRID, 3, 2, true},
    {"hard-bandit", FAR_LAYOUT_GRAPH, 0, 0, false},
    {"hard-bandit:actions=3,depth=3", FAR_LAYOUT_GRAPH, 27, 5, false},
    {"hard-bandit:actions=2,depth=1", FAR_LAYOUT_GRAPH, 2, 3, false},
    {"mountain-car:positions=6,velocities=5", FAR_LAYOUT_GRID, 7, 5, false},
    {"garnet:states=9", FAR_LAYOUT_NONE, 0, 0, false},
    {"dirichlet", FAR_LAYOUT_NONE, 0, 0, false},
};

/* A message that says which model. */
static void check_of(bool good, const char *spec, const char *what) {
  check_that(good, __FILE__, __LINE__, what);
  if (!good) printf("  %s\n", spec);
}

static void check_places(const far_layout *l, uint32_t n_states, const char *spec) {
  bool inside = true, unique = true, cells = true;
  for (uint32_t s = 0; s < n_states; ++s) {
    const double x = l->x[s], y = l->y[s];
    inside = inside && x >= 0.5 && x <= l->width - 0.5 && y >= 0.5 && y <= l->height - 0.5;
    if (l->kind == FAR_LAYOUT_GRID) cells = cells && x == floor(x) + 0.5 && y == floor(y) + 0.5;
    if (l->kind == FAR_LAYOUT_LINE) cells = cells && x == s + 0.5 && y == 0.5;
    for (uint32_t other = 0; other < s; ++other)
      unique = unique && !(l->x[other] == x && l->y[other] == y);
    inside = inside && memchr(l->label[s], '\0', FAR_LABEL_SIZE) != NULL;
  }
  check_of(inside, spec, "every state is inside");
  check_of(unique, spec, "no two states are in one place");
  check_of(cells, spec, "the places go with the kind");
}

/* Does a wall have a point strictly inside the way between two centres, or around a centre? */
static bool blocked(const far_layout *l, double x0, double y0, double x1, double y1) {
  const double left = fmin(x0, x1), right = fmax(x0, x1), top = fmin(y0, y1), low = fmax(y0, y1);
  for (size_t i = 0; i < l->n_walls; ++i) {
    const far_wall *w = &l->walls[i];
    if (w->x1 >= left && w->x0 <= right && w->y1 >= top && w->y0 <= low) return true;
  }
  return false;
}

static int state_at(const far_layout *l, uint32_t n_states, double x, double y) {
  for (uint32_t s = 0; s < n_states; ++s)
    if (l->x[s] == x && l->y[s] == y) return (int)s;
  return -1;
}

/* Where the arrow leads, and the intended outcome, the first, with it: that state, or none where a wall
 * or the edge is in the way; off the cliff one falls to the start, below the deep sea is the end. */
static bool agrees(const far_mdp *mdp, const far_layout *l, uint32_t s, uint32_t a, int *moved) {
  const uint32_t n_states = far_mdp_shape(mdp).n_states;
  const double x = l->x[s] + l->dx[a], y = l->y[s] + l->dy[a];
  const int to = state_at(l, n_states, x, y);
  size_t count;
  const far_outcome *o = far_mdp_outcomes(mdp, s, a, &count);
  if (to >= 0 && strcmp(l->label[to], "C") == 0) return strcmp(l->label[o->next], "S") == 0;
  if (strcmp(l->label[o->next], "end") == 0) return true;
  if (to >= 0 && !blocked(l, l->x[s], l->y[s], x, y)) {
    *moved += 1;
    return o->next == (uint32_t)to;
  }
  return l->x[o->next] == l->x[s] && (l->y[o->next] == l->y[s] || l->y[o->next] == y);
}

static void check_arrows(const far_mdp *mdp, const far_layout *l, const drawn *c) {
  const far_shape shape = far_mdp_shape(mdp);
  bool good = true, any = false;
  int moved = 0;
  for (uint32_t a = 0; a < shape.n_actions; ++a) {
    if (l->dx[a] == 0 && l->dy[a] == 0) continue;
    any = true;
    good = good && l->action_label[a][0] != '\0';
    for (uint32_t s = 0; s < shape.n_states; ++s)
      if (far_shape_is_live(&shape, s)) good = good && agrees(mdp, l, s, a, &moved);
  }
  check_of(any == c->arrows, c->spec, "there are arrows where actions have a direction");
  check_of(good, c->spec, "arrows point to the intended outcome");
  check_of(!any || moved > 0, c->spec, "some moves go along the arrow");
}

static void check_walls(const far_layout *l, uint32_t n_states, const char *spec) {
  bool good = true;
  for (size_t i = 0; i < l->n_walls; ++i) {
    const far_wall *w = &l->walls[i];
    good = good && w->x0 >= 0 && w->x0 <= w->x1 && w->x1 <= l->width && w->y0 >= 0 &&
           w->y0 <= w->y1 && w->y1 <= l->height;
  }
  for (uint32_t s = 0; s < n_states; ++s)
    good = good && !blocked(l, l->x[s], l->y[s], l->x[s], l->y[s]);
  check_of(good, spec, "walls are inside, and no state in them");
}

static void test_case(const drawn *c) {
  far_mdp *mdp = NULL;
  far_error error = {0};
  const bool made = far_mdp_create(&mdp, c->spec, &error) == FAR_OK;
  check_of(made, c->spec, error.message);
  if (!made) return;
  const far_layout l = far_mdp_layout(mdp);
  const uint32_t n_states = far_mdp_shape(mdp).n_states;
  check_of(l.kind == c->kind, c->spec, "the kind");
  if (l.kind == FAR_LAYOUT_NONE) {
    CHECK(l.x == NULL && l.y == NULL && l.label == NULL && l.walls == NULL && l.n_walls == 0);
  } else {
    check_of(c->width == 0 || (l.width == c->width && l.height == c->height), c->spec, "the size");
    check_places(&l, n_states, c->spec);
    check_arrows(mdp, &l, c);
    check_walls(&l, n_states, c->spec);
  }
  far_mdp_free(mdp);
}

/* A family that is not among the cases is not tested. */
static void test_families(void) {
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i) {
    const char *name = far_mdp_family(i)->name;
    bool found = far_mdp_family(i)->bare;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
      found = found || (strncmp(cases[k].spec, name, strlen(name)) == 0 &&
                        strchr(":", cases[k].spec[strlen(name)]) != NULL);
    check_of(found, name, "the family is tested");
  }
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) test_case(&cases[k]);
}

static void test_details(void) {
  far_mdp *mdp;
  CHECK(far_mdp_create(&mdp, "grid:map=S#G/..P", NULL) == FAR_OK);
  const far_layout l = far_mdp_layout(mdp);
  CHECK(l.n_walls == 1 && l.walls[0].x0 == 1 && l.walls[0].x1 == 2);
  CHECK(l.walls[0].y0 == 0 && l.walls[0].y1 == 1);
  CHECK(l.x[1] == 2.5 && l.y[1] == 0.5 && l.x[2] == 0.5 && l.y[2] == 1.5);
  CHECK_TEXT(l.label[0], "S");
  CHECK_TEXT(l.label[1], "G");
  CHECK_TEXT(l.label[2], "");
  CHECK_TEXT(l.action_label[0], "up");
  CHECK(l.dx[0] == 0 && l.dy[0] == -1);
  far_mdp_free(mdp);
  CHECK(far_mdp_create(&mdp, "chain:n=1048577", NULL) == FAR_OK); /* nobody can draw it */
  CHECK(far_mdp_layout(mdp).kind == FAR_LAYOUT_NONE);
  far_mdp_free(mdp);
}

/* ---- the builder ---- */

static far_mdp_builder *begin(void) {
  far_mdp_builder *b = NULL;
  CHECK(far_mdp_builder_create(&b, 2, 1, NULL) == FAR_OK);
  far_mdp_builder_outcome(b, 0, 0, 1, 1, 1, NULL);
  far_mdp_builder_terminal(b, 1, NULL);
  far_mdp_builder_start(b, 0, 1, NULL);
  return b;
}

/* The same model with and without a layout has the same hash. */
static void test_hash(void) {
  far_mdp *plain = NULL, *placed = NULL;
  char one[FAR_HASH_TEXT], other[FAR_HASH_TEXT];
  far_mdp_builder *b = begin();
  CHECK(far_mdp_builder_finish(&plain, b, NULL) == FAR_OK);
  b = begin();
  CHECK(far_mdp_builder_layout(b, FAR_LAYOUT_GRAPH, 3, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_place(b, 0, 0.75, 0.5, "begin", NULL) == FAR_OK);
  CHECK(far_mdp_builder_place(b, 0, 0.5, 0.5, NULL, NULL) == FAR_OK); /* replaces it */
  CHECK(far_mdp_builder_place(b, 1, 2.5, 0.5, "goal", NULL) == FAR_OK);
  CHECK(far_mdp_builder_arrow(b, 0, 2, 0, "on", NULL) == FAR_OK);
  for (int i = 0; i < 40; ++i)
    CHECK(far_mdp_builder_wall(b, 1, 0, 1 + i / 40.0, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&placed, b, NULL) == FAR_OK);
  far_mdp_hash(one, plain);
  far_mdp_hash(other, placed);
  CHECK_TEXT(one, other);
  const far_layout l = far_mdp_layout(placed);
  CHECK(l.kind == FAR_LAYOUT_GRAPH && l.width == 3 && l.n_walls == 40 && l.walls[20].x1 == 1.5);
  CHECK(l.x[0] == 0.5 && l.x[1] == 2.5 && l.dx[0] == 2);
  CHECK_TEXT(l.label[0], "");
  CHECK_TEXT(l.label[1], "goal");
  CHECK_TEXT(l.action_label[0], "on");
  CHECK(far__mdp_bytes(placed) > far__mdp_bytes(plain));
  far_mdp_free(plain);
  far_mdp_free(placed);
}

static void says(far_status status, far_status wanted, const far_error *error, const char *part) {
  CHECK(status == wanted);
  CHECK_CONTAINS(error->message, part);
}

static void test_refusals(void) {
  far_mdp_builder *b = begin();
  far_mdp *mdp = (far_mdp *)1;
  far_error e = {0};
  const far_status range = FAR_STATUS_RANGE, conflict = FAR_STATUS_CONFLICT;
  says(far_mdp_builder_place(b, 0, 1, 1, NULL, &e), conflict, &e, "no layout yet");
  says(far_mdp_builder_arrow(b, 0, 1, 1, NULL, &e), conflict, &e, "no layout yet");
  says(far_mdp_builder_wall(b, 0, 0, 1, 1, &e), conflict, &e, "no layout yet");
  says(far_mdp_builder_layout(b, FAR_LAYOUT_NONE, 2, 2, &e), range, &e, "no kind 0");
  says(far_mdp_builder_layout(b, (far_layout_kind)9, 2, 2, &e), range, &e, "no kind 9");
  says(far_mdp_builder_layout(b, FAR_LAYOUT_GRID, 0, 2, &e), range, &e, "0 x 2");
  says(far_mdp_builder_layout(b, FAR_LAYOUT_GRID, 2, NAN, &e), range, &e, "at least 1");
  says(far_mdp_builder_layout(b, FAR_LAYOUT_GRID, INFINITY, 2, &e), range, &e, "finite");
  CHECK(far_mdp_builder_layout(b, FAR_LAYOUT_GRID, 2, 2, NULL) == FAR_OK);
  says(far_mdp_builder_layout(b, FAR_LAYOUT_GRID, 2, 2, &e), conflict, &e, "already");
  says(far_mdp_builder_place(b, 2, 0.5, 0.5, NULL, &e), range, &e, "state 2 is outside 0 ... 1");
  says(far_mdp_builder_place(b, 1, 2.5, 0.5, NULL, &e), range, &e, "not inside the layout, 2 x 2");
  says(far_mdp_builder_place(b, 1, NAN, 0.5, NULL, &e), range, &e, "state 1");
  says(far_mdp_builder_place(b, 1, 1, 0.5, NULL, &e), range, &e, "not the centre of a cell");
  says(far_mdp_builder_place(b, 1, 0.5, 0.5, "too long", &e), range, &e, "at most 7 bytes");
  says(far_mdp_builder_place(b, 1, 0.5, 0.5, "\n", &e), range, &e, "control characters");
  says(far_mdp_builder_arrow(b, 1, 0, 0, NULL, &e), range, &e, "action 1 is outside 0 ... 0");
  says(far_mdp_builder_arrow(b, 0, INFINITY, 0, NULL, &e), range, &e, "must be finite");
  says(far_mdp_builder_arrow(b, 0, 1, 0, "12345678", &e), range, &e, "at most 7 bytes");
  says(far_mdp_builder_wall(b, 1, 0, 0, 1, &e), range, &e, "corners");
  says(far_mdp_builder_wall(b, 0, 0, 3, 1, &e), range, &e, "not inside");
  says(far_mdp_builder_wall(b, 0, 0, NAN, 1, &e), range, &e, "nan");
  CHECK(far_mdp_builder_place(b, 0, 0.5, 0.5, NULL, NULL) == FAR_OK);
  says(far_mdp_builder_finish(&mdp, b, &e), range, &e, "state 1 has no place in the layout");
  CHECK(mdp == NULL);
  b = begin();
  CHECK(far_mdp_builder_layout(b, FAR_LAYOUT_GRID, 2, 2, NULL) == FAR_OK);
  far_mdp_builder_free(b);
}

int main(void) {
  test_families();
  test_details();
  test_hash();
  test_refusals();
  return check_report();
}
