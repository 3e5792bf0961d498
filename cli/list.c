/* farsight list: what there is. */
#include "hints.h"
#include "json.h"
#include "table.h"
#include "theorems.h"
#include "wrap.h"

#include <string.h>

static const option_info options[] = {
    {0, "json", NULL, "print one JSON document on standard output", COMPLETE_NONE},
};

/* What the third column says of a type; NULL where the list has none. */
static const char *third_head(far_listing *list) {
  if (list == far_agent_type) return "learns";
  return list == far_metric_type ? "better" : NULL;
}

static const char *better(const far_type_info *info) {
  return info->higher_is_better ? "higher" : "lower";
}

static const char *what_it_learns(const far_type_info *agent) {
  if (agent->peeks) return "nothing: is told the model";
  if (agent->baseline) return "nothing";
  return agent->model_based ? "a model" : "values";
}

static void print_names(far_listing *list) {
  const char *third = third_head(list);
  table t = table_create(third != NULL ? "lll" : "ll");
  table_row(&t);
  table_cell(&t, 0, "name");
  table_cell(&t, 1, "what it is");
  if (third != NULL) table_cell(&t, 2, "%s", third);
  for (size_t i = 0; list(i) != NULL; ++i) {
    table_row(&t);
    table_cell(&t, 0, "%s", list(i)->name);
    table_cell(&t, 1, "%s", list(i)->summary);
    if (list == far_agent_type)
      table_cell(&t, 2, "%s", what_it_learns(list(i)));
    else if (third != NULL)
      table_cell(&t, 2, "%s", better(list(i)));
  }
  table_print(&t, 2);
}

enum { KEY_WIDTH = 12 };

static void print_key(const char *name, const char *help) {
  printf("  %-*s ", KEY_WIDTH, name);
  print_wrapped(help, KEY_WIDTH + 3, KEY_WIDTH + 3);
}

static void print_param(const far_param *p) {
  char bounds[128], text[512];
  far_param_bounds(bounds, sizeof bounds, p);
  snprintf(text, sizeof text, "%s; default %s", bounds, p->fallback);
  print_key(p->name, p->help);
  print_paragraph(text, KEY_WIDTH + 5);
}

static void print_labelled(const char *label, const char *text) {
  print_wrapped(text, printf("%s: ", label), 2);
}

/* "PATH" of "path": what stands for a value. */
static void print_bare(const far_type_info *info) {
  char name[32] = "";
  const char *p = info->params[0].name;
  for (size_t i = 0; p[i] != '\0' && i + 1 < sizeof name; ++i)
    name[i] = p[i] >= 'a' && p[i] <= 'z' ? (char)(p[i] - 'a' + 'A') : p[i];
  printf("\nWritten as %s:%s; there are no keys.\n", info->name, name);
  print_key(name, info->params[0].help);
}

static void print_type(const far_type_info *info, far_listing *list) {
  print_labelled(info->name, info->summary);
  printf("\n");
  print_labelled("Reference", info->reference);
  if (info->guarantee != NULL) print_labelled("Guarantee", info->guarantee);
  if (list == far_metric_type) print_labelled("Better", better(info));
  if (info->peeks)
    print_labelled("Peeks", "it is told about the model, so it runs where there is one ('farsight "
                            "run', studies) and not as 'farsight agent'");
  if (info->bare) {
    print_bare(info);
    return;
  }
  if (info->n_params == 0) {
    printf("\nThere are no keys.\n");
    return;
  }
  printf("\nKeys:\n");
  for (size_t i = 0; i < info->n_params; ++i) print_param(&info->params[i]);
  if (info->guarantee != NULL)
    printf("\nIn defaults, range is the largest reward minus the smallest.\n");
}

/* ---- JSON ---- */

static void write_member(const char *name, const char *text) {
  printf("\"%s\":", name);
  json_write_string(stdout, text);
}

static void write_choices(const char *choices) {
  printf("[");
  for (const char *word = choices;;) {
    const size_t n = strcspn(word, "|");
    printf("%s\"%.*s\"", word == choices ? "" : ",", (int)n, word);
    if (word[n] == '\0') break;
    word += n + 1;
  }
  printf("]");
}

/* A derived default has no value of its own: null, and the rule beside it. */
static void write_default(const far_param *p) {
  double number;
  if (p->derived) {
    printf("\"default\":null,");
    write_member("rule", p->fallback);
  } else if (far_real_parse(p->fallback, strlen(p->fallback), &number) &&
             (p->kind == FAR_PARAM_REAL || p->kind == FAR_PARAM_INTEGER)) {
    printf("\"default\":%s", p->fallback);
  } else {
    write_member("default", p->fallback);
  }
}

static void write_param(const far_param *p) {
  static const char *const kinds[] = {"real", "integer", "choice", "text"};
  printf("{");
  write_member("name", p->name);
  printf(",");
  write_member("type", kinds[p->kind]);
  printf(",");
  write_default(p);
  if (p->kind == FAR_PARAM_CHOICE) {
    printf(",\"min\":null,\"max\":null,\"choices\":");
    write_choices(p->choices);
  } else if (p->kind == FAR_PARAM_TEXT) {
    printf(",\"min\":null,\"max\":null,\"choices\":null");
  } else {
    printf(",\"min\":");
    json_write_real(stdout, p->min);
    printf(",\"max\":");
    json_write_real(stdout, p->max);
    printf(",\"min_open\":%s,\"max_open\":%s,\"choices\":null", p->min_open ? "true" : "false",
           p->max_open ? "true" : "false");
  }
  printf(",");
  write_member("help", p->help);
  printf("}");
}

static void write_type(const far_type_info *info, far_listing *list) {
  printf("{");
  write_member("name", info->name);
  printf(",");
  write_member("summary", info->summary);
  printf(",");
  write_member("reference", info->reference);
  if (list == far_metric_type)
    printf(",\"higher_is_better\":%s", info->higher_is_better ? "true" : "false");
  if (list == far_agent_type) {
    printf(",\"model_based\":%s,\"baseline\":%s,\"peeks\":%s,",
           info->model_based ? "true" : "false", info->baseline ? "true" : "false",
           info->peeks ? "true" : "false");
    write_member("guarantee", info->guarantee != NULL ? info->guarantee : "");
  }
  printf(",\"params\":[");
  for (size_t i = 0; i < info->n_params; ++i) {
    printf("%s\n    ", i ? "," : "");
    write_param(&info->params[i]);
  }
  printf("]}");
}

static void write_all(far_listing *list, const far_type_info *only) {
  printf("[");
  bool first = true;
  for (size_t i = 0; list(i) != NULL; ++i) {
    if (only != NULL && list(i) != only) continue;
    printf("%s\n  ", first ? "" : ",");
    write_type(list(i), list);
    first = false;
  }
  printf("\n]\n");
}

/* ---- the command ---- */

static int list_theorems(const arguments *args, const char *name) {
  char message[400];
  const far_theorem *only = NULL;
  if (name != NULL) only = theorem_named(name, message, sizeof message);
  if (name != NULL && only == NULL) return usage_error(args, "%s", message);
  if (args_flag(args, "json")) {
    write_theorems(only);
  } else if (only != NULL) {
    print_theorem(only);
  } else {
    print_theorem_names();
    printf(
        "\nfarsight list theorems NAME tells assumptions and repairs, farsight pac the numbers.\n");
  }
  return EXIT_OK;
}

/* What can be listed; theorems are no types. */
static const struct {
  const char *name;
  far_listing *list;
} listings[] = {{"agents", far_agent_type},
                {"envs", far_mdp_family},
                {"metrics", far_metric_type},
                {"theorems", NULL}};

enum { N_LISTINGS = sizeof listings / sizeof *listings };

/* "agents" or "agent"; N_LISTINGS if there is no such list. */
static size_t listing_of(const char *what) {
  size_t i = 0;
  for (; i < N_LISTINGS; ++i) {
    const char *name = listings[i].name;
    if (strcmp(name, what) == 0) break;
    if (strlen(what) == strlen(name) - 1 && strncmp(name, what, strlen(what)) == 0) break;
  }
  return i;
}

static int no_such_type(const arguments *args, far_listing *list, const char *what,
                        const char *name) {
  const char *near = nearest_type(list, name);
  if (near == NULL)
    return usage_error(args, "there is no '%s'; 'farsight list %s' tells what there is", name,
                       what);
  return usage_error(args, "there is no '%s' among the %s; did you mean '%s'?", name, what, near);
}

static int run(const arguments *args) {
  const char *what = args_word(args, 0), *name = args_word(args, 1);
  const size_t which = what != NULL ? listing_of(what) : N_LISTINGS;
  if (which == N_LISTINGS)
    return usage_error(
        args, "say what to list: agents, envs, metrics or theorems, as in 'farsight list agents'");
  far_listing *list = listings[which].list;
  if (list == NULL) return list_theorems(args, name);
  const far_type_info *only = name != NULL ? far_spec_type(list, name) : NULL;
  if (name != NULL && only == NULL) return no_such_type(args, list, listings[which].name, name);
  if (args_flag(args, "json"))
    write_all(list, only);
  else if (only != NULL)
    print_type(only, list);
  else
    print_names(list);
  if (!args_flag(args, "json") && only == NULL)
    printf("\nfarsight list %s NAME tells the parameters of one.\n", listings[which].name);
  return EXIT_OK;
}

const command cmd_list = {
    .name = "list",
    .synopsis = "agents|envs|metrics|theorems [NAME] [OPTIONS]",
    .summary = "List agents, environments, metrics or theorems, or the details of one",
    .details = "",
    .examples = "  farsight list agents\n"
                "  farsight list agents directed-delayed-q\n"
                "  farsight list envs --json\n"
                "  farsight list theorems directed-delayed-q\n",
    .words = "agents envs metrics theorems",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .run = run,
};
