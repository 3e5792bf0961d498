/* Agents, environments and metrics as a table, one in full, and as JSON. */
#include "questions/listing/listing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/spec.h"
#include "farsight/agent.h"
#include "farsight/run.h"
#include "report/build.h"

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
  far_table *t = far__report_table(report, "types");
  far__table_column(t, "name", "name", FAR__COLUMN_TEXT);
  far__table_column(t, "summary", "what it is", FAR__COLUMN_TEXT);
  if (third != NULL) far__table_column(t, third, third, FAR__COLUMN_TEXT);
  if (list == far_agent_type) far__table_column(t, "guarantee", "guarantee", FAR__COLUMN_TEXT);
  far__table_column(t, "reference", NULL, FAR__COLUMN_TEXT);
  for (size_t i = 0; list(i) != NULL; ++i) {
    far__table_row(t);
    far__table_text(t, "%s", list(i)->name);
    far__table_text(t, "%s", list(i)->summary);
    if (list == far_agent_type)
      far__table_text(t, "%s", what_it_learns(list(i)));
    else if (third != NULL)
      far__table_text(t, "%s", better(list(i)));
    if (list == far_agent_type) far__table_text(t, "%s", proved_with(list(i)));
    far__table_text(t, "%s", list(i)->reference);
  }
  if (list == far_agent_type)
    far__report_paragraph(
        report, "Default parameters were searched for reward and carry no guarantee. preset=theory "
                "carries one and needs more samples than most runs have: 'farsight pac' shows how "
                "many, and what is proved.");
}

/* ---- one ---- */

static void add_keys(const far_type_info *info, far_report *report) {
  if (info->n_params == 0) {
    far__report_paragraph(report, "There are no keys.");
    return;
  }
  far__report_list(report, "Keys:");
  for (size_t i = 0; i < info->n_params; ++i) {
    const far_param *p = &info->params[i];
    char bounds[128];
    far__param_bounds(bounds, sizeof bounds, p);
    far__report_entry(report, p->name, "%s\n%s; default %s", p->help, bounds, p->fallback);
  }
  if (info->guarantee != NULL)
    far__report_paragraph(report, "In defaults, range is the largest reward minus the smallest.");
}

static void add_type(far_listing *list, const far_type_info *info, far_report *report) {
  far__report_heading(report, 1, "%s", info->name);
  far__report_paragraph(report, "%s.", info->summary);
  far__report_paragraph(report, "Reference: %s", info->reference);
  if (info->guarantee != NULL) far__report_paragraph(report, "Guarantee: %s", info->guarantee);
  if (list == far_metric_type) far__report_paragraph(report, "Better: %s", better(info));
  if (info->event != NULL)
    far__report_paragraph(report, "Event: %s; runs without it by their end are censored",
                          info->event);
  if (info->peeks)
    far__report_paragraph(report,
                          "Peeks: it is told about the model, so it runs where there is one "
                          "('farsight run', studies) and not as 'farsight agent'");
  if (info->bare) {
    char name[32] = "";
    const char *p = info->params[0].name;
    for (size_t i = 0; p[i] != '\0' && i + 1 < sizeof name; ++i)
      name[i] = p[i] >= 'a' && p[i] <= 'z' ? (char)(p[i] - 'a' + 'A') : p[i];
    far__report_list(report, "Written as %s:%s; there are no keys.", info->name, name);
    far__report_entry(report, name, "%s", info->params[0].help);
  } else {
    add_keys(info, report);
  }
  /* For programs: the parameters as a table. */
  far_table *t = far__report_table(report, "params");
  far__table_column(t, "name", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "bounds", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "default", NULL, FAR__COLUMN_TEXT);
  far__table_column(t, "help", NULL, FAR__COLUMN_TEXT);
  for (size_t i = 0; i < info->n_params; ++i) {
    char bounds[128];
    far__param_bounds(bounds, sizeof bounds, &info->params[i]);
    far__table_row(t);
    far__table_text(t, "%s", info->params[i].name);
    far__table_text(t, "%s", bounds);
    far__table_text(t, "%s", info->params[i].fallback);
    far__table_text(t, "%s", info->params[i].help);
  }
}

/* What is listed. */
typedef struct selection {
  far_listing *list;
  const far_type_info *only;
} selection;

static void write_selection(const void *user, far__json *j) {
  const selection *s = user;
  far__types_write(s->list, s->only, j, "types");
}

void far__types_report(far_listing *list, const far_type_info *only, far_report *report) {
  const selection s = {list, only};
  far__report_data_by(report, write_selection, far__report_copy(report, &s, sizeof s));
  if (only != NULL)
    add_type(list, only, report);
  else
    add_types(list, report);
}

/* ---- JSON ---- */

static void write_bounds(far__json *j, const far_param *p) {
  const bool number = p->kind == FAR_PARAM_REAL || p->kind == FAR_PARAM_INTEGER;
  far__json_real(j, "min", number ? p->min : NAN);
  far__json_real(j, "max", number ? p->max : NAN);
  if (number) far__json_flag(j, "min_open", p->min_open);
  if (number) far__json_flag(j, "max_open", p->max_open);
  if (p->kind == FAR_PARAM_CHOICE) {
    far__json_array(j, "choices");
    for (const char *word = p->choices; word != NULL;) {
      char choice[64];
      const size_t n = strcspn(word, "|");
      snprintf(choice, sizeof choice, "%.*s", (int)n, word);
      far__json_text(j, NULL, choice);
      word = word[n] == '\0' ? NULL : word + n + 1;
    }
    far__json_end(j);
  } else {
    far__json_null(j, "choices");
  }
}

static void write_param(far__json *j, const far_param *p) {
  static const char *const kinds[] = {"real", "integer", "choice", "text"};
  far__json_object(j, NULL);
  far__json_text(j, "name", p->name);
  far__json_text(j, "type", kinds[p->kind]);
  /* A derived default has no value of its own: null, and the rule beside it. */
  const size_t length = strlen(p->fallback);
  double number;
  if (p->derived) {
    far__json_null(j, "default");
    far__json_text(j, "rule", p->fallback);
  } else if (far__real_parse(p->fallback, length, &number) &&
             (p->kind == FAR_PARAM_REAL || p->kind == FAR_PARAM_INTEGER)) {
    far__json_raw(j, "default", p->fallback, length);
  } else {
    far__json_text(j, "default", p->fallback);
  }
  write_bounds(j, p);
  if (p->word != NULL) far__json_text(j, "word", p->word);
  far__json_text(j, "help", p->help);
  far__json_end(j);
}

static void write_type(far__json *j, far_listing *list, const far_type_info *info) {
  far__json_object(j, NULL);
  far__json_text(j, "name", info->name);
  far__json_text(j, "summary", info->summary);
  far__json_text(j, "reference", info->reference);
  if (list == far_metric_type) {
    far__json_flag(j, "higher_is_better", info->higher_is_better);
    far__json_text(j, "event", info->event);
  }
  if (list == far_agent_type) {
    far__json_flag(j, "model_based", info->model_based);
    far__json_flag(j, "baseline", info->baseline);
    far__json_flag(j, "peeks", info->peeks);
    far__json_flag(j, "finite_horizon", info->finite_horizon);
    far__json_text(j, "guarantee", info->guarantee != NULL ? info->guarantee : "");
  }
  far__json_array(j, "params");
  for (size_t i = 0; i < info->n_params; ++i) write_param(j, &info->params[i]);
  far__json_end(j);
  far__json_end(j);
}

void far__types_write(far_listing *list, const far_type_info *only, far__json *j, const char *key) {
  far__json_array(j, key);
  for (size_t i = 0; list(i) != NULL; ++i)
    if (only == NULL || list(i) == only) write_type(j, list, list(i));
  far__json_end(j);
}
