/* Layouts drawn with characters, and where reports show them. */
#include <farsight/lab.h>
#include <stdlib.h>

#include "check.h"
#include "questions/model/drawing.h"

static far_mdp *make(const char *spec) {
  far_mdp *mdp = NULL;
  CHECK(far_mdp_create(&mdp, spec, NULL) == FAR_OK);
  return mdp;
}

typedef struct page {
  char text[8192];
} page;

/* The report rendered; "" if nothing was drawn. */
static page render(const far__drawing_def *def, const far_render_def *how) {
  far_report *report = NULL;
  far_buffer out = {0};
  page shown = {""};
  CHECK(far_report_create(&report, "test", NULL) == FAR_OK);
  if (far__drawing_report(def, report)) {
    CHECK(far_report_render(report, how, far_sink_buffer(&out), NULL) == FAR_OK);
    CHECK(out.length < sizeof shown.text);
    if (out.length > 0 && out.length < sizeof shown.text)
      memcpy(shown.text, out.bytes, out.length + 1);
  }
  far_buffer_free(&out);
  far_report_free(report);
  return shown;
}

static page draw(const char *spec, const uint32_t *policy) {
  const far_render_def how = far_render_def_default();
  far_mdp *mdp = make(spec);
  const far__drawing_def def = {mdp, policy, "it."};
  const page out = render(&def, &how);
  far_mdp_free(mdp);
  return out;
}

static const uint32_t lake[16] = {0, 3, 3, 3, 0, 0, 0, 0, 3, 1, 0, 0, 0, 2, 1, 0};

static void test_grids(void) {
  CHECK_TEXT(draw("frozen-lake", lake).text, "  ┌─────────────┐\n"
                                             "  │ S←  ↑  ↑  ↑ │\n"
                                             "  │  ←  H  ←  H │\n"
                                             "  │  ↑  ↓  ←  H │\n"
                                             "  │  H  →  ↓  G │\n"
                                             "  └─────────────┘\n"
                                             "  ← left (0)  ↓ down (1)  → right (2)  ↑ up (3)\n"
                                             "  S start  H terminal  G terminal\n"
                                             "\n"
                                             "Figure: it.\n");
  CHECK_TEXT(draw("grid:map=S##G/..P.", NULL).text,
             "  ┌─────────┐\n"
             "  │ S ███ G │\n"
             "  │ · · P · │\n"
             "  └─────────┘\n"
             "  ↑ up (0)  → right (1)  ↓ down (2)  ← left (3)\n"
             "  S start  G terminal  P terminal  █ wall\n"
             "\n"
             "Figure: it.\n");
}

static void test_lines(void) {
  const uint32_t policy[] = {1, 1, 0, 0, 1, 1, 0, 0, 0, 1, UINT32_MAX};
  CHECK_TEXT(draw("chain:n=11", policy).text, "  state   0  1  2  3  4  5  6  7  8  9 10\n"
                                              "  action  →  →  ←  ←  →  →  ←  ←  ←  →  ·\n"
                                              "  ← left (0)  → right (1)\n"
                                              "  start: state 0  · never reached\n"
                                              "\n"
                                              "Figure: it.\n");
  CHECK_TEXT(draw("chain:n=3", NULL).text, "  state  0 1 2\n"
                                           "  ← left (0)  → right (1)\n"
                                           "  start: state 0\n"
                                           "\n"
                                           "Figure: it.\n");
  CHECK_CONTAINS(draw("combination-lock:n=3", policy).text, "  state  0 1 2\n  action 1 1 0\n");
}

static void test_what_is_not_drawn(void) {
  static const char *const specs[] = {"taxi", "garnet", "sixarms", "chain:n=60",
                                      "frozen-lake:map="};
  char large[256] = "frozen-lake:map=S";
  memset(large + strlen(large), 'F', 40);
  for (size_t i = 0; i < 5; ++i) CHECK_TEXT(draw(i < 4 ? specs[i] : large, NULL).text, "");
  CHECK(strlen(draw("mountain-car", NULL).text) < sizeof(page)); /* whatever its size */
}

/* Two rooms with a wall between them that has no breadth, one upright and one level. */
static far_mdp *make_rooms(void) {
  far_mdp_builder *b = NULL;
  far_mdp *mdp = NULL;
  CHECK(far_mdp_builder_create(&b, 4, 1, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 4; ++s)
    CHECK(far_mdp_builder_outcome(b, s, 0, 1, (s + 1) % 4, 0, NULL) == FAR_OK);
  CHECK(far_mdp_builder_start(b, 3, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_layout(b, FAR_LAYOUT_GRID, 2, 2, NULL) == FAR_OK);
  for (uint32_t s = 0; s < 4; ++s)
    CHECK(far_mdp_builder_place(b, s, s % 2 + 0.5, s / 2 + 0.5, NULL, NULL) == FAR_OK);
  CHECK(far_mdp_builder_wall(b, 1, 0, 1, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_wall(b, 0, 1, 1, 1, NULL) == FAR_OK);
  CHECK(far_mdp_builder_finish(&mdp, b, NULL) == FAR_OK);
  return mdp;
}

static void test_thin_walls(void) {
  const far_render_def how = far_render_def_default();
  far_mdp *mdp = make_rooms();
  const uint32_t policy[4] = {0};
  const far__drawing_def def = {mdp, policy, "rooms"};
  CHECK_TEXT(render(&def, &how).text, "  ┌─────┐\n"
                                      "  │ 0│0 │\n"
                                      "  │ ─   │\n"
                                      "  │ 0 0 │\n"
                                      "  └─────┘\n"
                                      "  numbers are actions\n"
                                      "  start: state 3\n"
                                      "\n"
                                      "Figure: rooms\n");
  far_mdp_free(mdp);
}

/* ---- pieces ---- */

/* As text: a digit for a state, '#', '|' and '-' for walls. */
typedef struct grid {
  char at[8][24];
} grid;

static void note_piece(void *user, const far__drawing_piece *p) {
  static const char walls[] = {
      [FAR__DRAWING_WALL] = '#', [FAR__DRAWING_UPRIGHT] = '|', [FAR__DRAWING_LEVEL] = '-'};
  grid *g = user;
  CHECK((p->part == FAR__DRAWING_STATE) == (p->s != UINT32_MAX));
  for (int i = 0; i < p->width; ++i)
    g->at[p->y][p->x + i] = p->s != UINT32_MAX ? (char)('0' + p->s) : walls[p->part];
}

/* Rows of this many columns, one below the other. */
static page pieces(far__drawing_map map, int height, int width) {
  grid g;
  page out = {""};
  memset(&g, '.', sizeof g);
  map.put = note_piece;
  map.user = &g;
  CHECK(far__drawing_pieces(&map) == height);
  for (int y = 0; y < height; ++y)
    snprintf(out.text + y * (width + 1), (size_t)width + 2, "%.*s\n", width, g.at[y]);
  return out;
}

static void test_pieces(void) {
  far_mdp *rooms = make_rooms(), *walls = make("grid:map=S##G/..P.");
  far__drawing_map map = {.mdp = rooms,
                          .columns = 2,
                          .rows = 2,
                          .cell_width = 2,
                          .cell_height = 1,
                          .gap = 1,
                          .level = true};
  CHECK_TEXT(pieces(map, 3, 7).text, ".00|11.\n.--....\n.22.33.\n");
  map.level = false;
  CHECK_TEXT(pieces(map, 2, 7).text, ".00|11.\n.22.33.\n");
  map.gap = 0, map.cell_height = 2;
  CHECK_TEXT(pieces(map, 4, 4).text, "00|1\n..|.\n2233\n....\n");
  map.first_column = map.columns = 1;
  CHECK_TEXT(pieces(map, 4, 3).text, "|1.\n|..\n33.\n...\n");
  map = (far__drawing_map){
      .mdp = walls, .columns = 4, .rows = 2, .cell_width = 1, .cell_height = 1, .gap = 1};
  CHECK_TEXT(pieces(map, 2, 9).text, ".0.###.1.\n.2.3.4.5.\n");
  map.first_row = map.rows = 1, map.first_column = map.columns = 2, map.gap = 0;
  CHECK_TEXT(pieces(map, 1, 2).text, "45\n");
  far_mdp_free(rooms);
  far_mdp_free(walls);
}

static void check_state(const far_mdp *mdp, uint32_t s, uint32_t a, const char *expected) {
  char text[FAR__DRAWING_TEXT];
  far__drawing_text(text, mdp, s, a);
  CHECK_TEXT(text, expected);
}

static void test_texts(void) {
  far_mdp *lake_mdp = make("frozen-lake"), *lock = make("combination-lock:n=3"),
          *none = make("garnet");
  char mark[FAR__DRAWING_TEXT];
  check_state(lake_mdp, 0, 1, "S↓");
  check_state(lake_mdp, 0, UINT32_MAX, "S");
  check_state(lake_mdp, 1, UINT32_MAX, "·");
  check_state(lock, 1, 1, "1");
  check_state(none, 1, 2, "2");
  CHECK_TEXT(far__drawing_arrow(lake_mdp, 2), "→");
  CHECK(far__drawing_arrow(lock, 0) == NULL && far__drawing_arrow(none, 0) == NULL);
  far__drawing_mark(mark, lake_mdp, 3);
  CHECK_TEXT(mark, "↑");
  far__drawing_mark(mark, none, 11);
  CHECK_TEXT(mark, "11");
  far_mdp_free(lake_mdp);
  far_mdp_free(lock);
  far_mdp_free(none);
}

static void test_formats(void) {
  far_render_def how = far_render_def_default();
  far_mdp *mdp = make("frozen-lake");
  const far__drawing_def def = {.mdp = mdp, .policy = lake};
  how.ascii = true;
  CHECK_CONTAINS(render(&def, &how).text, "  +-------------+\n"
                                          "  | S<  ^  ^  ^ |\n"
                                          "  |  <  H  <  H |\n"
                                          "  |  ^  v  <  H |\n"
                                          "  |  H  >  v  G |\n"
                                          "  +-------------+\n"
                                          "  < left (0)  v down (1)  > right (2)  ^ up (3)\n");
  CHECK_CONTAINS(render(&def, &how).text, "\n\nFigure: the layout.\n");
  how.width = 40; /* the legend is wider */
  CHECK_TEXT(render(&def, &how).text, "");
  how.width = 0;
  how.format = FAR_REPORT_MARKDOWN;
  CHECK_CONTAINS(render(&def, &how).text, "```\n┌─────────────┐\n│ S←  ↑  ↑  ↑ │\n");
  CHECK_CONTAINS(render(&def, &how).text, "G terminal\n```\n\nFigure: the layout.");
  how.format = FAR_REPORT_LATEX;
  CHECK_CONTAINS(render(&def, &how).text, "% Figure: the layout.");
  CHECK(strstr(render(&def, &how).text, "┌") == NULL);
  how.format = FAR_REPORT_JSON;
  CHECK(strstr(render(&def, &how).text, "┌") == NULL);
  far_mdp_free(mdp);
}

/* What is in a label or a name is shown as it is, and never breaks the lines. */
static void test_families(void) {
  for (size_t i = 0; far_mdp_family(i) != NULL; ++i) {
    if (far_mdp_family(i)->bare) continue;
    const page out = draw(far_mdp_family(i)->name, NULL);
    size_t widest = 0;
    for (const char *line = out.text; *line != '\0'; line += strcspn(line, "\n") + 1) {
      size_t n = 0;
      for (const char *p = line; *p != '\n'; ++p) n += ((unsigned char)*p & 0xc0) != 0x80;
      widest = n > widest ? n : widest;
      CHECK(line == out.text || line[-1] == '\n');
      if (n > 0) CHECK(line[strcspn(line, "\n") - 1] != ' ');
    }
    CHECK(widest <= 80);
  }
}

int main(void) {
  test_grids();
  test_lines();
  test_what_is_not_drawn();
  test_thin_walls();
  test_pieces();
  test_texts();
  test_formats();
  test_families();
  return check_report();
}
