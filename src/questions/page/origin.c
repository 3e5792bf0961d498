/* Where the numbers come from: parameters, hashes and commands of all cells, and the sessions of the store. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "farsight/run.h"
#include "questions/comparison/recipes.h"
#include "questions/page/page.h"
#include "report/build.h"

/* ---- parameters ---- */

/* The agent's canonical spec depends on the environment, since its defaults may: the first, and whether there
 * are others. */
static const char *spec_of(const far_comparison_group *g, size_t j, bool *others) {
  const char *first = NULL;
  *others = false;
  for (size_t e = 0; e < g->n_envs; ++e) {
    const far_comparison_cell *cell = far__cell_of(g, e, j);
    if (cell->runs == 0) continue;
    *others = *others || (first != NULL && strcmp(first, cell->spec) != 0);
    first = first != NULL ? first : cell->spec;
  }
  return first != NULL ? first : g->agents[j].label;
}

static bool is_agent_of(const far_comparison_group *g, const char *label) {
  for (size_t j = 0; j < g->n_agents; ++j)
    if (strcmp(g->agents[j].label, label) == 0) return true;
  return false;
}

static bool is_env_of(const far_comparison_group *g, const char *label) {
  for (size_t e = 0; e < g->n_envs; ++e)
    if (strcmp(g->envs[e].label, label) == 0) return true;
  return false;
}

/* A group before this one has it, and has listed it. */
static bool is_listed(const far__page *page, size_t group, const char *label,
                      bool (*is_of)(const far_comparison_group *, const char *)) {
  for (size_t i = 0; i < group; ++i)
    if (is_of(far__page_group(page, i), label)) return true;
  return false;
}

static far_table *begin_specs(far__page *page, const char *key, const char *caption) {
  far_table *t = far__report_table(page->report, NULL);
  far__table_caption(t, "%s", caption);
  far__table_column(t, key, key, FAR__COLUMN_TEXT);
  far__table_column(t, "spec", "every parameter", FAR__COLUMN_TEXT);
  return t;
}

static void list_envs(far__page *page, far_table *t, size_t i) {
  const far_comparison_group *g = far__page_group(page, i);
  for (size_t e = 0; e < g->n_envs; ++e) {
    if (is_listed(page, i, g->envs[e].label, is_env_of)) continue;
    far__table_row(t);
    far__table_text(t, "%s", g->envs[e].label);
    far__table_text(t, "%s%s%s", g->envs[e].spec,
                    g->envs[e].model[0] != '\0' ? " model SHA-256 " : "", g->envs[e].model);
  }
}

/* True if an agent has other parameters on other environments. */
static bool list_agents(far__page *page, far_table *t, size_t i, size_t *left) {
  const far_comparison_group *g = far__page_group(page, i);
  bool any = false;
  for (size_t k = 0; k < g->n_agents; ++k) {
    const size_t j = page->findings[i]->order[k];
    bool others;
    const char *spec = spec_of(g, j, &others);
    if (is_listed(page, i, g->agents[j].label, is_agent_of)) continue;
    if (*left == 0) break;
    *left -= 1;
    any = any || others;
    far__table_row(t);
    far__table_text(t, "%s%s", g->agents[j].label, others ? " *" : "");
    far__table_text(t, "%s",
                    g->agents[j].origin == FAR_ORIGIN_COMPUTED ? spec : "imported: not known");
  }
  return any;
}

void far__page_parameters(far__page *page) {
  const size_t n = page->comparison->n_groups;
  size_t left = page->def->most_cells;
  bool others = false;
  far__report_heading(page->report, 2, "Parameters");
  far_table *envs = begin_specs(page, "environment",
                                "Environments: what differs from the defaults, and everything.");
  for (size_t i = 0; i < n; ++i) list_envs(page, envs, i);
  far_table *agents =
      begin_specs(page, "agent", "Agents: what differs from the defaults, and everything.");
  for (size_t i = 0; i < n; ++i) others = list_agents(page, agents, i, &left) || others;
  if (others)
    far__report_note(page->report, FAR__NOTE_REMARK,
                     "* Defaults depend on the environment: the parameters on its first one. The "
                     "commands below have all.");
  if (left == 0)
    far__report_note(page->report, FAR__NOTE_REMARK,
                     "The best %zu agents; the JSON document has all.", page->def->most_cells);
}

/* ---- hashes and commands ---- */

/* For the report, which keeps both. */
typedef struct recipe_data {
  const far__recipes *recipes;
  const far_comparison *comparison;
} recipe_data;

static void write_recipes(const void *user, far__json *j) {
  const recipe_data *d = user;
  far__json_array(j, "recipes");
  for (size_t i = 0; i < d->recipes->n_cells; ++i) {
    const far__recipe *r = &d->recipes->cells[i];
    const far_comparison_group *g = &d->comparison->groups[r->group];
    far__json_object(j, NULL);
    far__json_integer(j, "group", r->group);
    far__json_text(j, "env", g->envs[r->env].label);
    far__json_text(j, "agent", g->agents[r->agent].label);
    far__json_text(j, "key", r->key);
    far__json_integer(j, "runs", (uint64_t)r->runs);
    far__json_text(j, "hash", r->hash);
    far__json_text(j, "command", r->command);
    far__json_end(j);
  }
  far__json_end(j);
}

/* A table for each environment. */
static far_table *begin_recipes(far__page *page, const far__recipe *r) {
  const far_comparison_group *g = far__page_group(page, r->group);
  far__report_environment(page->report, g->envs[r->env].label);
  far_table *t = far__report_table(page->report, "recipes");
  far__table_caption(t, "%s%s%s", far__say_name(g->envs[r->env].brief).text,
                     page->comparison->n_groups > 1 ? ", " : "",
                     page->comparison->n_groups > 1 ? far__say_group(g).text : "");
  far__table_column(t, "env", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "agent", "agent", FAR__COLUMN_TEXT);
  far__table_column(t, "runs", "runs", FAR__COLUMN_COUNT);
  far__table_column(t, "hash", "SHA-256", FAR__COLUMN_TEXT);
  far__table_column(t, "command", "command", FAR__COLUMN_COMMAND);
  return t;
}

static size_t add_recipes(far__page *page, bool *gaps) {
  const far__recipe *before = NULL;
  far_table *t = NULL;
  size_t shown = 0;
  for (; shown < page->recipes->n_cells && shown < page->def->most_cells; ++shown) {
    const far__recipe *r = &page->recipes->cells[shown];
    if (before == NULL || before->group != r->group || before->env != r->env)
      t = begin_recipes(page, r);
    const far_comparison_group *g = far__page_group(page, r->group);
    far__table_row(t);
    far__table_text(t, "%s", g->envs[r->env].label);
    far__table_text(t, "%s", far__say_name(g->agents[r->agent].brief).text);
    far__table_count(t, r->runs);
    far__table_text(t, "%s", r->hash);
    far__table_text(t, "%s", r->command != NULL ? r->command : r->why);
    *gaps = *gaps || r->gaps;
    before = r;
  }
  far__report_environment(page->report, NULL);
  return shown;
}

void far__page_recipes(far__page *page) {
  bool gaps = false;
  far__report_heading(page->report, 2, "Compute it again");
  far__report_paragraph(
      page->report,
      "Each command computes the runs of its cell again: the same bits on every machine and for "
      "every number of threads. The hash is the SHA-256 of the total rewards of all runs, as "
      "doubles in their order; the JSON that the command prints has it as \"hash\".");
  const size_t shown = add_recipes(page, &gaps);
  if (gaps)
    far__report_note(page->report, FAR__NOTE_CAVEAT,
                     "Some cells do not have the first runs of their seed: their commands compute "
                     "more runs than the store has, and give other hashes.");
  if (shown < page->recipes->n_cells)
    far__report_note(page->report, FAR__NOTE_REMARK,
                     "%zu of %zu cells; 'farsight report --format json' has all.", shown,
                     page->recipes->n_cells);
  const recipe_data d = {page->recipes, page->comparison};
  far__report_data_by(page->report, write_recipes, far__report_copy(page->report, &d, sizeof d));
}

/* ---- sessions ---- */

/* For programs alone. */
static far_table *session_table(far__page *page) {
  static const char *const texts[] = {"started", "last",     "version",
                                      "machine", "compiler", "command"};
  far_table *t = far__report_table(page->report, "sessions");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    far__table_column(t, texts[i], NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "runs", NULL, FAR__COLUMN_COUNT);
  far__table_column(t, "numerics", NULL, FAR__COLUMN_COUNT);
  return t;
}

static void add_session(far__page *page, far_table *t, const far_session *s) {
  far__text command = {0};
  /* A text of a store may be a stranger's: control characters are not passed on. */
  const char *text = s->command;
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    far__text_add(&command, c < 0x20 || c == 0x7f ? "?" : text, 1);
  }
  if (command.failed) far__page_check(page, FAR_STATUS_MEMORY);
  const char *typed = command.bytes != NULL && !command.failed ? command.bytes : "";
  far__table_row(t);
  far__table_text(t, "%s", s->started);
  far__table_text(t, "%s", s->last);
  far__table_text(t, "%s", s->version);
  far__table_text(t, "%s", s->machine);
  far__table_text(t, "%s", s->compiler);
  far__table_text(t, "%s", typed);
  far__table_count(t, s->runs);
  far__table_count(t, s->numerics);
  far__report_entry(
      page->report, s->started, "%s until %s by farsight %s (numerics %d, %s) on %s, %s",
      far__say_number((size_t)s->runs, "run").text, s->last, s->version, s->numerics, s->compiler,
      s->machine, far__say_number((size_t)s->processors, "processor").text);
  if (typed[0] != '\0') far__report_command(page->report, "%s", typed);
  far_buffer_free(&command);
}

void far__page_sessions(far__page *page) {
  enum { MOST = 30 };
  far_store_info info = {0};
  far_session s;
  bool found = true;
  if (!far__page_check(page, far_store_info_of(&info, page->store, page->error))) return;
  const size_t all = (size_t)info.sessions, first = all > MOST ? all - MOST : 0;
  far__report_heading(page->report, 2, "The store");
  far__report_paragraph(
      page->report,
      "%s holds %s with %s, which took %s of processor time. This page was written by farsight %s, "
      "numerics %d. %s in which results were written%s:",
      far__say_name(page->def->name).text, far__say_number((size_t)info.cells, "cell").text,
      far__say_number((size_t)info.runs, "run").text, far__brief_seconds(info.seconds).text,
      far_version(), far_numerics(), all == 1 ? "The session" : "Sessions",
      first > 0 ? ", the last ones" : "");
  far_table *t = session_table(page);
  for (size_t i = first; page->status == FAR_OK && found; ++i) {
    far__page_check(page, far_store_session(&s, &found, page->store, i, page->error));
    if (page->status == FAR_OK && found) add_session(page, t, &s);
  }
}
