/* What a page asks of the WebAssembly module, by the module's own sources as a program of this machine: each line of the
 * input is a call, as "player 100 1 0; psrl|r-max": a name, numbers, and behind a semicolon a text, whose bars stand for
 * ends of lines. Handles are right, as farsight.mjs sees to it; everything else is any value. What is returned is read
 * to its end; what fails says why. */
#include <math.h>
#include <unistd.h>

#include "grammar.h"
#include "plain_json.h"
#include "ports/wasm/system/page-file.h"
#include "ports/wasm/web.h"
#include "questions/learning/learning.h"
#include "questions/learning/player.h"

enum { NUMBERS = 6, MOST_STEPS = 2000, MOST_PAIRS = 5000 };

/* ---- the page: at most one of each ---- */

static struct {
  far_mdp *model;
  far__player *player;
  far_worlds *hand;
  web_batch *batch;
  far_mdp_builder *builder;
  far_store *store;
} page;

typedef struct call {
  double x[NUMBERS];
  char *text; /* or NULL */
} call;

static void forget_runs(void) {
  web_player_free(page.player);
  web_hand_free(page.hand);
  web_batch_free(page.batch);
  page.player = NULL;
  page.hand = NULL;
  page.batch = NULL;
}

/* Large models are slow, not wrong. */
static void take_model(far_mdp *model) {
  if (model == NULL) {
    expect(web_error_code() != FAR_OK && web_error()[0] != '\0');
    return;
  }
  const far_shape shape = far_mdp_shape(model);
  forget_runs();
  web_model_free(page.model);
  page.model = model;
  if ((double)shape.n_states * shape.n_actions <= MOST_PAIRS) return;
  web_model_free(model);
  page.model = NULL;
}

static void leave_page(void) {
  forget_runs();
  web_model_free(page.model);
  web_builder_free(page.builder);
  web_store_close(page.store);
  memset(&page, 0, sizeof page);
}

/* ---- values ---- */

static int64_t whole(double x) {
  if (isnan(x)) return 0;
  return x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : (int64_t)x;
}

static uint32_t index_of(double x) {
  return (uint32_t)whole(x);
}

/* A word that is none of an enumeration is -1. */
static int choice(double x) {
  return (int)(whole(x) % 12);
}

static const char *text_of(const call *c) {
  return c->text != NULL ? c->text : "";
}

static void check_good(bool good) {
  expect(good || (web_error_code() != FAR_OK && web_error()[0] != '\0'));
}

static void check_text(const char *text) {
  check_good(text != NULL);
  if (text != NULL) expect(text[web_length()] == '\0');
}

static void check_json(const char *text) {
  check_text(text);
  if (text != NULL) expect(is_json(text, web_length()));
}

static void check_svg(const char *text) {
  check_text(text);
  if (text != NULL) expect(strstr(text, "<svg") != NULL && strstr(text, "</svg>") != NULL);
}

static void check_numbers(const double *numbers) {
  double sum = 0;
  check_good(numbers != NULL);
  for (size_t i = 0; numbers != NULL && i < web_count(); ++i) sum += numbers[i];
  expect(sum == sum || sum != sum);
}

/* ---- models ---- */

static bool is_slow(const char *spec) {
  return is_large(spec) || strpbrk(spec, "@/") != NULL; /* nor are files read */
}

static void about(const call *c) {
  check_json(c->x[0] < 0 ? web_about() : web_list(choice(c->x[0])));
}
static void create(const call *c) {
  if (is_slow(text_of(c))) return;
  check_text(web_model_resolve(text_of(c)));
  take_model(web_model_create(text_of(c)));
}
static void read_model(const call *c) {
  if (!is_large(text_of(c)))
    take_model(web_model_read(text_of(c), strlen(text_of(c)), (far_format)choice(c->x[0])));
}
static void describe(const call *c) {
  (void)c;
  check_json(web_model_describe(page.model));
  check_numbers(web_model_outcomes(page.model));
}
static void print(const call *c) {
  check_text(web_model_print(page.model, (far_format)choice(c->x[0])));
}
static void resolve(const call *c) {
  check_json(web_agent_resolve(text_of(c), page.model, whole(c->x[0])));
}
static void solve(const call *c) {
  if (far_mdp_horizon(page.model) > MOST_STEPS) return;
  check_json(web_solve(page.model, c->x[0]));
  check_numbers(web_solve_values(page.model, c->x[0]));
}
static void guarantees(const call *c) {
  check_json(web_guarantees(page.model, c->text, c->x[0], c->x[1], c->x[2], c->x[3]));
}

/* ---- a model of its own ---- */

static void build(const call *c) {
  const bool absurd = c->x[0] < 0; /* 2^32 - 1 of both */
  web_builder_free(page.builder);
  page.builder = web_builder_create(absurd ? UINT32_MAX : index_of(c->x[0]) % 64,
                                    absurd ? UINT32_MAX : index_of(c->x[1]) % 64);
  check_good(page.builder != NULL);
}
static void outcome(const call *c) {
  check_good(web_builder_outcome(page.builder, index_of(c->x[0]), index_of(c->x[1]), c->x[2],
                                 index_of(c->x[3]), c->x[4]));
}
static void start(const call *c) {
  check_good(web_builder_start(page.builder, index_of(c->x[0]), c->x[1]));
}
static void terminal(const call *c) {
  check_good(web_builder_terminal(page.builder, index_of(c->x[0])));
}
static void horizon(const call *c) {
  check_good(web_builder_horizon(page.builder, whole(c->x[0])));
}
static void layout(const call *c) {
  check_good(web_builder_layout(page.builder, (far_layout_kind)choice(c->x[0]), c->x[1], c->x[2]));
}
static void place(const call *c) {
  check_good(web_builder_place(page.builder, index_of(c->x[0]), c->x[1], c->x[2], c->text));
}
static void arrow(const call *c) {
  check_good(web_builder_arrow(page.builder, index_of(c->x[0]), c->x[1], c->x[2], c->text));
}
static void wall(const call *c) {
  check_good(web_builder_wall(page.builder, c->x[0], c->x[1], c->x[2], c->x[3]));
}
static void finish(const call *c) {
  far_mdp_builder *builder = page.builder;
  (void)c;
  page.builder = NULL;
  take_model(web_builder_finish(builder));
}

/* ---- one run ---- */

/* Between the steps that are soon done and those that no memory has room for. */
static bool takes_long(int64_t n) {
  const int64_t left = far__player_steps(page.player) - far__player_t(page.player);
  const int64_t steps = n < left ? n : left;
  return steps > MOST_STEPS && steps < INT64_C(1) << 50;
}

static void player(const call *c) {
  web_player_free(page.player);
  page.player = web_player_create(page.model, text_of(c), whole(c->x[0]), (uint64_t)whole(c->x[1]),
                                  (uint64_t)whole(c->x[2]));
  check_good(page.player != NULL);
}
static void play(const call *c) {
  const int64_t n = whole(c->x[0]);
  const double before = web_player_t(page.player);
  check_good(
      web_player_play(page.player, n, n <= MOST_STEPS || !(c->x[1] > 1e-3) ? c->x[1] : 1e-3));
  expect(web_player_t(page.player) >= before);
}
static void seek(const call *c) {
  const int64_t t = whole(c->x[0]);
  if (t <= MOST_STEPS || t > far__player_steps(page.player))
    check_good(web_player_seek(page.player, t));
}
static void trace(const call *c) {
  if (!takes_long(whole(c->x[0]))) check_numbers(web_player_trace(page.player, whole(c->x[0])));
}
static void update(const call *c) {
  (void)c;
  if (far__player_steps(page.player) <= MOST_STEPS) check_numbers(web_player_update(page.player));
}
static void lane(const call *c) {
  const uint32_t k = index_of(c->x[0]);
  check_numbers(web_lane(page.player, k));
  check_text(web_lane_spec(page.player, k));
  check_numbers(web_lane_curve(page.player, k));
  check_text(web_lane_save(page.player, k));
}
static void values(const call *c) {
  check_numbers(web_lane_values(page.player, index_of(c->x[0]), (far__learned)choice(c->x[1]),
                                whole(c->x[2])));
}
static void draw(const call *c) {
  const uint32_t k = index_of(c->x[0]);
  if (far__player_run_of(page.player, k) != NULL)
    check_svg(web_lane_figure(page.player, k, page.model, (far__learned)choice(c->x[1]), c->x[2],
                              c->text, (far_theme)choice(c->x[3])));
}
static void style(const call *c) {
  check_text(web_figure_style((far_theme)choice(c->x[0]), text_of(c)));
}

static void hand(const call *c) {
  web_hand_free(page.hand);
  page.hand = web_hand_create(page.model, (uint64_t)whole(c->x[0]), (uint64_t)whole(c->x[1]));
  check_good(page.hand != NULL);
}
static void step(const call *c) {
  check_numbers(web_hand_step(page.hand, index_of(c->x[0])));
  expect(web_hand_state(page.hand) < far_mdp_shape(page.model).n_states);
}

/* ---- many runs ---- */

static void batch(const call *c) {
  web_batch_free(page.batch);
  page.batch = web_batch_create(page.model, text_of(c), whole(c->x[0]), whole(c->x[1]),
                                (uint64_t)whole(c->x[2]), index_of(c->x[3]));
  check_good(page.batch != NULL);
}

/* All runs that are left, or for a moment. */
static void work(const call *c) {
  const far_batch_def *def = web__batch_def(page.batch);
  if (def->cells[0].steps > MOST_STEPS / 4) return;
  const bool few = def->runs <= 32;
  const int state = web_batch_work(page.batch, few || !(c->x[0] > 1e-3) ? c->x[0] : 1e-3);
  if (few || !isnan(c->x[0])) check_good(state != 0);
}
static void results(const call *c) {
  check_json(web_batch_results(page.batch));
  check_numbers(web_batch_totals(page.batch, index_of(c->x[0])));
}
static void curves(const call *c) {
  check_svg(
      web_batch_figure(page.batch, c->x[0] != 0, c->x[1], c->text, (far_theme)choice(c->x[2])));
}

/* ---- stores: the file that the page gives lies on the disk ---- */

static char path[64];
static unsigned char *file;
static size_t file_size;

bool far__page_file_add(const char *name, uint32_t at, uint32_t size) {
  (void)name, (void)at, (void)size;
  return true;
}
void far__page_file_free(uint32_t at) {
  (void)at;
}
void far__page_file_drop(const char *name) {
  (void)name;
}
int64_t far__page_file_size(const char *name) {
  return page.store != NULL && strcmp(name, path) == 0 ? (int64_t)file_size : -1;
}

static void write_file(const unsigned char *bytes, size_t size) {
  FILE *f = fopen(path, "wb");
  if (f == NULL) abort();
  fwrite(bytes, 1, size, f);
  fclose(f);
}

static void read_file(void) {
  FILE *f = fopen(path, "rb");
  file = malloc(1 << 20);
  if (f == NULL || file == NULL) abort();
  file_size = fread(file, 1, 1 << 20, f);
  fclose(f);
  unlink(path);
}

/* A small store, made once; false where there is no SQLite. */
static bool has_file(void) {
  static const int64_t checkpoints[] = {5, 10};
  far_mdp *mdp;
  far_store *store;
  far_batch *made;
  if (file != NULL) return true;
  snprintf(path, sizeof path, "/tmp/farsight-fuzz-page-%ld", (long)getpid());
  if (far_store_open(&store, path, FAR_STORE_WRITE, NULL) != FAR_OK) return false;
  expect(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  far_cell cells[2] = {
      {.mdp = mdp, .agent = "psrl", .steps = 10, .checkpoints = checkpoints, .n_checkpoints = 2},
      {.mdp = mdp, .agent = "q-learning", .steps = 10}};
  cells[1].checkpoints = checkpoints;
  cells[1].n_checkpoints = 2;
  far_batch_def def = far_batch_def_default();
  def.cells = cells;
  def.n_cells = 2;
  def.runs = 3;
  def.threads = 1;
  expect(far_store_run(&made, store, &def, NULL) == FAR_OK);
  far_batch_free(made);
  far_store_close(store);
  far_mdp_free(mdp);
  read_file();
  return true;
}

/* Numbers are places in the file, and what stands there instead. */
static void open_store(const call *c) {
  if (!has_file()) return;
  unsigned char *copy = malloc(file_size);
  if (copy == NULL) abort();
  memcpy(copy, file, file_size);
  for (int i = 0; i < NUMBERS; i += 2)
    if (c->x[i] > 0) copy[(size_t)whole(c->x[i]) % file_size] = (unsigned char)whole(c->x[i + 1]);
  web_store_close(page.store);
  page.store = NULL;
  write_file(copy, file_size);
  free(copy);
  page.store = web_store_open(path, 1, (uint32_t)file_size);
  check_good(page.store != NULL);
  if (page.store != NULL) {
    expect(web_store_open(path, 1, 1) == NULL && web_error_code() == FAR_STATUS_CONFLICT);
    check_json(web_store_describe(page.store));
  }
  unlink(path);
}

/* Options that say what they want, and few resamples unless they do: many are slow, not wrong. */
static char *options_of(const call *c) {
  static const char first[] = "resamples=100\n";
  char *options = malloc(sizeof first + strlen(text_of(c)));
  if (options == NULL) abort();
  strcpy(options, first);
  strcat(options, text_of(c));
  return options;
}

/* A kind of plot by its number. */
static void plot(const call *c) {
  far_plot_info info;
  char *options = options_of(c), *again = options_of(c);
  const char *kind = far_plot_info_at(&info, (size_t)choice(c->x[0])) ? info.name : "none";
  if (!is_large(text_of(c))) {
    check_svg(web_store_figure(page.store, kind, options, c->x[1] > 0 ? "a" : NULL,
                               (far_theme)choice(c->x[2])));
    check_json(web_store_numbers(page.store, kind, again));
  }
  free(options);
  free(again);
}

/* ---- calls ---- */

typedef enum needs { NOTHING, MODEL, BUILDER, PLAYER, HAND, BATCH, STORE } needs;
typedef enum says { SILENCE, ENV, AGENTS, FILE_TEXT, OPTIONS, WORD } says;

typedef struct function {
  const char *name;
  needs needs;
  says says;
  void (*call)(const call *c);
} function;

static const function functions[] = {
    {"about", NOTHING, SILENCE, about},
    {"create", NOTHING, ENV, create},
    {"read", NOTHING, FILE_TEXT, read_model},
    {"describe", MODEL, SILENCE, describe},
    {"print", MODEL, SILENCE, print},
    {"resolve", MODEL, AGENTS, resolve},
    {"solve", MODEL, SILENCE, solve},
    {"guarantees", MODEL, WORD, guarantees},
    {"build", NOTHING, SILENCE, build},
    {"outcome", BUILDER, SILENCE, outcome},
    {"start", BUILDER, SILENCE, start},
    {"terminal", BUILDER, SILENCE, terminal},
    {"horizon", BUILDER, SILENCE, horizon},
    {"layout", BUILDER, SILENCE, layout},
    {"place", BUILDER, WORD, place},
    {"arrow", BUILDER, WORD, arrow},
    {"wall", BUILDER, SILENCE, wall},
    {"finish", BUILDER, SILENCE, finish},
    {"player", MODEL, AGENTS, player},
    {"play", PLAYER, SILENCE, play},
    {"seek", PLAYER, SILENCE, seek},
    {"trace", PLAYER, SILENCE, trace},
    {"update", PLAYER, SILENCE, update},
    {"lane", PLAYER, SILENCE, lane},
    {"values", PLAYER, SILENCE, values},
    {"draw", PLAYER, WORD, draw},
    {"style", NOTHING, WORD, style},
    {"hand", MODEL, SILENCE, hand},
    {"step", HAND, SILENCE, step},
    {"batch", MODEL, AGENTS, batch},
    {"work", BATCH, SILENCE, work},
    {"results", BATCH, SILENCE, results},
    {"curves", BATCH, WORD, curves},
    {"store", NOTHING, SILENCE, open_store},
    {"plot", STORE, OPTIONS, plot},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_there(needs what) {
  const void *const handles[] = {"",        page.model, page.builder, page.player,
                                 page.hand, page.batch, page.store};
  return handles[what] != NULL;
}

/* One line, which is cut up. */
static void obey(char *text) {
  call c = {.text = strchr(text, ';')};
  const size_t length = strcspn(text, " ;");
  char *at = text + length;
  if (c.text != NULL) *c.text++ = '\0';
  if (c.text != NULL) c.text += *c.text == ' ';
  for (char *bar = c.text; bar != NULL && (bar = strchr(bar, '|')) != NULL;) *bar++ = '\n';
  for (int i = 0; i < NUMBERS && *at != '\0'; ++i) c.x[i] = strtod(at, &at);
  for (size_t i = 0; i < FUNCTIONS; ++i) {
    const function *f = &functions[i];
    if (strlen(f->name) != length || strncmp(f->name, text, length) != 0) continue;
    *web__error() = (far_error){FAR_OK, -1, ""};
    if (is_there(f->needs)) f->call(&c);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = copy_of(data, size, 1);
  for (char *at = text; at != NULL;) {
    char *end = strchr(at, '\n');
    if (end != NULL) *end++ = '\0';
    obey(at);
    at = end;
  }
  leave_page();
  drop_copy(text);
  return 0;
}

/* ---- lines that mean something ---- */

static void put_text(line *out, dice *d, says what) {
  static const char *const options[] = {"width=700",    "most=2", "per-step",      "x=log",
                                        "series=total", "paired", "agent=psrl",    "env=chain*",
                                        "level=0.5",    "seed=7", "baseline=psrl", "y=linear"};
  static const char *const words[] = {"", "a", "r-max", "mbie-eb", "<&\"'>", "\xf0\x9f\x90\xa2"};
  if (what == ENV) put_spec(out, d, far_mdp_family);
  if (what == AGENTS) put_spec(out, d, far_agent_type);
  for (size_t n = roll(d, 3); what == AGENTS && n > 0; --n) {
    put(out, "|");
    put_spec(out, d, far_agent_type);
  }
  for (size_t n = roll(d, 4); what == OPTIONS && n > 0; --n)
    put(out, "%s|", options[roll(d, sizeof options / sizeof *options)]);
  if (what == WORD) put(out, "%s", words[roll(d, sizeof words / sizeof *words)]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static const char *const odd[] = {"-1",   "nan",   "inf", "0.5", "1e18",
                                    "9e18", "1e300", "700", "0.95"};
  dice d = dice_of(seed);
  line made = {.length = 0};
  if (roll(&d, 2) == 0) return LLVMFuzzerMutate(data, size, most);
  const function *f = &functions[roll(&d, FUNCTIONS)];
  put(&made, "\n%s", f->name);
  for (size_t n = roll(&d, NUMBERS); n > 0; --n) {
    if (roll(&d, 4) == 0)
      put(&made, " %s", odd[roll(&d, sizeof odd / sizeof *odd)]);
    else
      put(&made, " %zu", roll(&d, roll(&d, 3) == 0 ? 100 : 5));
  }
  if (f->says != SILENCE) put(&made, "; ");
  put_text(&made, &d, f->says);
  put(&made, "\n");
  return take_line(data, size, most, &d, &made);
}
