/* Errors, texts, memory, and lists of agents, environments, metrics, theorems and plots. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "questions/listing/listing.h"
#include "web.h"

/* The module serves one page, on one thread: what its functions return is kept here. */
static struct {
  far_error error;
  far_buffer text;
  double *numbers;
  size_t count, room;
} kept;

/* ---- errors ---- */

far_error *web__error(void) {
  return &kept.error;
}

const char *web_error(void) {
  return web__text_of(kept.error.message);
}

int web_error_code(void) {
  return (int)kept.error.code;
}

int web_error_position(void) {
  return kept.error.position;
}

bool web__refuse(far_status code, const char *format, ...) {
  va_list values;
  kept.error = (far_error){.code = code, .position = -1};
  va_start(values, format);
  vsnprintf(kept.error.message, sizeof kept.error.message, format, values);
  va_end(values);
  return false;
}

static void no_memory(void) {
  web__refuse(FAR_STATUS_MEMORY, "no memory");
}

/* ---- texts ---- */

size_t web_length(void) {
  return kept.text.length;
}

far_buffer *web__text(void) {
  far_buffer_free(&kept.text);
  return &kept.text;
}

const char *web__text_end(void) {
  far_buffer_add(&kept.text, "", 0);
  if (!kept.text.failed && kept.text.bytes != NULL) return kept.text.bytes;
  no_memory();
  return NULL;
}

const char *web__text_of(const char *text) {
  far_buffer_add(web__text(), text, strlen(text));
  return web__text_end();
}

size_t web__lines(char *text, const char **lines, size_t most) {
  size_t n = 0;
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    if (n == most) return 0;
    lines[n++] = line;
  }
  return n;
}

/* ---- numbers and memory ---- */

size_t web_count(void) {
  return kept.count;
}

double *web__numbers(uint64_t count) {
  const bool fits = count < SIZE_MAX / sizeof(double);
  if (count + 1 > kept.room || !fits) { /* 0 numbers have an address as well */
    double *more = fits ? realloc(kept.numbers, ((size_t)count + 1) * sizeof *more) : NULL;
    if (more == NULL) {
      no_memory();
      return NULL;
    }
    kept.numbers = more;
    kept.room = (size_t)count + 1;
  }
  kept.count = (size_t)count;
  return kept.numbers;
}

void *web_alloc(size_t bytes) {
  void *block = malloc(bytes);
  if (block == NULL) no_memory();
  return block;
}

void web_free(void *block) {
  free(block);
}

/* ---- documents ---- */

const char *web__report_json(far_report *report) {
  far_render_def how = far_render_def_default();
  how.format = FAR_REPORT_JSON;
  const far_status status =
      far_report_render(report, &how, far_sink_buffer(web__text()), web__error());
  far_report_free(report);
  return status == FAR_OK ? web__text_end() : NULL;
}

const char *web__figure_svg(far_figure *figure, const char *id, far_theme theme) {
  far_figure_def how = far_figure_def_default();
  if (id != NULL) how.format = FAR_FIGURE_INLINE;
  if (id != NULL) how.id = id;
  how.theme = theme;
  const far_status status =
      far_figure_render(figure, &how, far_sink_buffer(web__text()), web__error());
  far_figure_free(figure);
  return status == FAR_OK ? web__text_end() : NULL;
}

/* ---- version and lists ---- */

const char *web_about(void) {
  far__json json;
  far__json_begin(&json, far_sink_buffer(web__text()));
  far__json_object(&json, NULL);
  far__json_text(&json, "version", far_version());
  far__json_integer(&json, "numerics", (uint64_t)far_numerics());
  far__json_end(&json);
  return web__text_end();
}

static void write_plots(far__json *json) {
  far_plot_info info;
  far__json_array(json, NULL);
  for (size_t i = 0; far_plot_info_at(&info, i); ++i) {
    far__json_object(json, NULL);
    far__json_text(json, "name", info.name);
    far__json_text(json, "summary", info.summary);
    far__json_end(json);
  }
  far__json_end(json);
}

const char *web_list(int kind) {
  static far_listing *const lists[] = {far_agent_type, far_mdp_family, far_metric_type};
  far__json json;
  far__json_begin(&json, far_sink_buffer(web__text()));
  if (kind >= 0 && kind < 3)
    far__types_write(lists[kind], NULL, &json, NULL);
  else if (kind == 3)
    far__theorems_write(NULL, &json, NULL);
  else
    write_plots(&json);
  return web__text_end();
}
