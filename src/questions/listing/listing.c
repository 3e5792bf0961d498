/* Agents, environments and metrics as a table, one in full, and as JSON. */
#include "farsight/listing.h"

#include <stdio.h>
#include <string.h>

#include "farsight/agent.h"
#include "farsight/metric.h"
#include "farsight/number.h"

static const char *better(const far_type_info *info) {
  return info->higher_is_better ? "higher" : "lower";
}

/* ---- all of them ---- */

static const char *what_it_learns(const far_type_info *agent) {
  if (agent->peeks) return "nothing: is told the model";
  if (agent->baseline) return "nothing";
  return agent->model_based ? "a model" : "values";
}

/* With which parameters its guarantee holds: hardly ever with the defaults. */
static const char *proved_with(const far_type_info *agent) {
  if (agent->baseline || agent->guarantee == NULL) return "";
  if (strncmp(agent->guarantee, "none", strlen("none")) == 0) return "none";
  return strstr(agent->guarantee, "preset=theory") != NULL ? "with preset=theory"
                                                           : "with conditions";
}

/* What the third column says of a type; NULL where the list has none. */
static const char *third_title(far_listing *list) {
  if (list == far_agent_type) return "learns";
  return list == far_metric_type ? "better" : NULL;
}

static void add_types(far_listing *list, far_report *report) {
  const char *third = third_title(list);
  far_table *t = far_report_table(report, "types");
  far_table_column(t, "name", "name", FAR_COLUMN_TEXT);
  far_table_column(t, "summary", "what it is", FAR_COLUMN_TEXT);
  if (third != NULL) far_table_column(t, third, third, FAR_COLUMN_TEXT);
  if (list == far_agent_type) far_table_column(t, "guarantee", "guarantee", FAR_COLUMN_TEXT);
  far_table_column(t, "reference", NULL, FAR_COLUMN_TEXT);
  for (size_t i = 0; list(i) != NULL; ++i) {
    far_table_row(t);
    far_table_text(t, "%s", list(i)->name);
    far_table_text(t, "%s", list(i)->summary);
    if (list == far_agent_type)
      far_table_text(t, "%s", what_it_learns(list(i)));
    else if (third != NULL)
      far_table_text(t, "%s", better(list(i)));
    if (list == far_agent_type) far_table_text(t, "%s", proved_with(list(i)));
    far_table_text(t, "%s", list(i)->reference);
  }
  if (list == far_agent_type)
    far_report_paragraph(
        report, "Default parameters were searched for reward and carry no guarantee. preset=theory "
                "carries one and needs more samples than most runs have: 'farsight pac' shows how "
                "many, and what is proved.");
}

/* ---- one ---- */

/* "PATH" of "path": what stands for a value. */
static void add_bare(const far_type_info *info, far_report *report) {
  char name[32] = "";
  const char *p = info->params[0].name;
  for (size_t i = 0; p[i] != '\0' && i + 1 < sizeof name; ++i)
    name[i] = p[i] >= 'a' && p[i] <= 'z' ? (char)(p[i] - 'a' + 'A') : p[i];
  far_report_list(report, "Written as %s:%s; there are no keys.", info->name, name);
  far_report_entry(report, name, "%s", info->params[0].help);
}

static void add_keys(const far_type_info *info, far_report *report) {
  if (info->n_params == 0) {
    far_report_paragraph(report, "There are no keys.");
    return;
  }
  far_report_list(report, "Keys:");
  for (size_t i = 0; i < info->n_params; ++i) {
    const far_param *p = &info->params[i];
    char bounds[128];
    far_param_bounds(bounds, sizeof bounds, p);
    far_report_entry(report, p->name, "%s\n%s; default %s", p->help, bounds, p->fallback);
  }
  if (info->guarantee != NULL)
    far_report_paragraph(report, "In defaults, range is the largest reward minus the smallest.");
}

/* For programs: the parameters as a table. */
static void add_params(const far_type_info *info, far_report *report) {
  far_table *t = far_report_table(report, "params");
  far_table_column(t, "name", NULL, FAR_COLUMN_TEXT);
  far_table_column(t, "bounds", NULL, FAR_COLUMN_TEXT);
  far_table_column(t, "default", NULL, FAR_COLUMN_TEXT);
  far_table_column(t, "help", NULL, FAR_COLUMN_TEXT);
  for (size_t i = 0; i < info->n_params; ++i) {
    char bounds[128];
    far_param_bounds(bounds, sizeof bounds, &info->params[i]);
    far_table_row(t);
    far_table_text(t, "%s", info->params[i].name);
    far_table_text(t, "%s", bounds);
    far_table_text(t, "%s", info->params[i].fallback);
    far_table_text(t, "%s", info->params[i].help);
  }
}

static void add_type(far_listing *list, const far_type_info *info, far_report *report) {
  far_report_heading(report, 1, "%s", info->name);
  far_report_paragraph(report, "%s.", info->summary);
  far_report_paragraph(report, "Reference: %s", info->reference);
  if (info->guarantee != NULL) far_report_paragraph(report, "Guarantee: %s", info->guarantee);
  if (list == far_metric_type) far_report_paragraph(report, "Better: %s", better(info));
  if (info->event != NULL)
    far_report_paragraph(report, "Event: %s; runs without it by their end are censored",
                         info->event);
  if (info->peeks)
    far_report_paragraph(report, "Peeks: it is told about the model, so it runs where there is one "
                                 "('farsight run', studies) and not as 'farsight agent'");
  if (info->bare)
    add_bare(info, report);
  else
    add_keys(info, report);
  add_params(info, report);
}

/* What is listed. */
typedef struct selection {
  far_listing *list;
  const far_type_info *only;
} selection;

static void write_selection(const void *user, far_json *j) {
  const selection *s = user;
  far_types_write(s->list, s->only, j, "types");
}

void far_types_report(far_listing *list, const far_type_info *only, far_report *report) {
  const selection s = {list, only};
  far_report_data_by(report, write_selection, far_report_copy(report, &s, sizeof s));
  if (only != NULL)
    add_type(list, only, report);
  else
    add_types(list, report);
}

/* ---- JSON ---- */

static void write_choices(far_json *j, const char *choices) {
  far_json_array(j, "choices");
  for (const char *word = choices; word != NULL;) {
    char choice[64];
    const size_t n = strcspn(word, "|");
    snprintf(choice, sizeof choice, "%.*s", (int)n, word);
    far_json_text(j, NULL, choice);
    word = word[n] == '\0' ? NULL : word + n + 1;
  }
  far_json_end(j);
}

/* A derived default has no value of its own: null, and the rule beside it. */
static void write_default(far_json *j, const far_param *p) {
  const size_t length = strlen(p->fallback);
  double number;
  if (p->derived) {
    far_json_null(j, "default");
    far_json_text(j, "rule", p->fallback);
  } else if (far_real_parse(p->fallback, length, &number) &&
             (p->kind == FAR_PARAM_REAL || p->kind == FAR_PARAM_INTEGER)) {
    far_json_raw(j, "default", p->fallback, length);
  } else {
    far_json_text(j, "default", p->fallback);
  }
}

static void write_bounds(far_json *j, const far_param *p) {
  const bool number = p->kind == FAR_PARAM_REAL || p->kind == FAR_PARAM_INTEGER;
  if (number) {
    far_json_real(j, "min", p->min);
    far_json_real(j, "max", p->max);
    far_json_flag(j, "min_open", p->min_open);
    far_json_flag(j, "max_open", p->max_open);
  } else {
    far_json_null(j, "min");
    far_json_null(j, "max");
  }
  if (p->kind == FAR_PARAM_CHOICE)
    write_choices(j, p->choices);
  else
    far_json_null(j, "choices");
}

static void write_param(far_json *j, const far_param *p) {
  static const char *const kinds[] = {"real", "integer", "choice", "text"};
  far_json_object(j, NULL);
  far_json_text(j, "name", p->name);
  far_json_text(j, "type", kinds[p->kind]);
  write_default(j, p);
  write_bounds(j, p);
  if (p->word != NULL) far_json_text(j, "word", p->word);
  far_json_text(j, "help", p->help);
  far_json_end(j);
}

static void write_type(far_json *j, far_listing *list, const far_type_info *info) {
  far_json_object(j, NULL);
  far_json_text(j, "name", info->name);
  far_json_text(j, "summary", info->summary);
  far_json_text(j, "reference", info->reference);
  if (list == far_metric_type) {
    far_json_flag(j, "higher_is_better", info->higher_is_better);
    if (info->event != NULL)
      far_json_text(j, "event", info->event);
    else
      far_json_null(j, "event");
  }
  if (list == far_agent_type) {
    far_json_flag(j, "model_based", info->model_based);
    far_json_flag(j, "baseline", info->baseline);
    far_json_flag(j, "peeks", info->peeks);
    far_json_flag(j, "finite_horizon", info->finite_horizon);
    far_json_text(j, "guarantee", info->guarantee != NULL ? info->guarantee : "");
  }
  far_json_array(j, "params");
  for (size_t i = 0; i < info->n_params; ++i) write_param(j, &info->params[i]);
  far_json_end(j);
  far_json_end(j);
}

void far_types_write(far_listing *list, const far_type_info *only, far_json *j, const char *key) {
  far_json_array(j, key);
  for (size_t i = 0; list(i) != NULL; ++i)
    if (only == NULL || list(i) == only) write_type(j, list, list(i));
  far_json_end(j);
}
