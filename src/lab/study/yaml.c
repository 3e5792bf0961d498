/* YAML by libyaml, event by event: what is not wanted is refused before anything is made of it. */
#include <string.h>
#include <yaml.h>

#include "base/error.h"
#include "base/text.h"
#include "lab/study/tree.h"

typedef struct reader {
  far__tree *tree;
  const char *text;
  size_t length;
  size_t mark;              /* the length of a byte order mark, which libyaml is not shown */
  size_t characters, bytes; /* how far the text is walked: libyaml counts characters */
  size_t open[FAR__DEPTH_MAX], depth;
  size_t documents;
  far_error *error;
} reader;

/* The byte at which character `index` stands; indices mostly grow. */
static size_t byte_of(reader *r, size_t index) {
  if (index < r->characters) {
    r->characters = 0;
    r->bytes = r->mark;
  }
  for (; r->characters < index && r->bytes < r->length; ++r->characters)
    r->bytes += far__utf8_length(r->text + r->bytes, r->length - r->bytes);
  return r->bytes;
}

static far_status refuse(reader *r, size_t at, const char *why) {
  return far__fail(r->error, FAR_STATUS_SYNTAX, (int)at, "%s", why);
}

/* ---- libyaml's own errors ---- */

static far_status bad_yaml(reader *r, const yaml_parser_t *parser) {
  if (parser->error == YAML_MEMORY_ERROR)
    return far__fail(r->error, FAR_STATUS_MEMORY, -1, "no memory for the study file");
  const bool bytes = parser->error == YAML_READER_ERROR;
  const size_t at =
      bytes ? r->mark + parser->problem_offset : byte_of(r, parser->problem_mark.index);
  const char *problem = parser->problem != NULL ? parser->problem : "not understood";
  if (at < r->length && r->text[at] == '\t')
    return refuse(r, at, "a tab; YAML is indented by spaces");
  if (strcmp(problem, "mapping values are not allowed in this context") == 0)
    return refuse(r, at, "not YAML: a second ': ' on this line, or a key that is indented too far");
  if (strcmp(problem, "did not find expected key") == 0 && at < r->length && r->text[at] == '-')
    return refuse(r, at,
                  "this dash is not indented as those above it; the dashes of a list stand in one "
                  "column");
  return far__fail(r->error, FAR_STATUS_SYNTAX, (int)at, "not YAML: %s%s%s", problem,
                   parser->context != NULL ? " " : "",
                   parser->context != NULL ? parser->context : "");
}

/* ---- events ---- */

static far_status add_node(reader *r, far__node_kind kind, size_t at, const char *text,
                           bool quoted) {
  const size_t parent = r->depth > 0 ? r->open[r->depth - 1] : FAR__NONE;
  const bool key = parent != FAR__NONE && r->tree->nodes[parent].kind == FAR__MAP &&
                   r->tree->nodes[parent].count % 2 == 0;
  if (key && kind != FAR__SCALAR) return refuse(r, at, "a key must be a word");
  if (r->tree->count >= FAR__NODES_MAX) return refuse(r, at, "too many values for a study");
  if (kind != FAR__SCALAR && r->depth == FAR__DEPTH_MAX)
    return refuse(r, at, "lists and mappings are nested deeper than a study needs");
  const size_t node = far__tree_add(r->tree, parent, kind, at, text);
  if (node == FAR__NONE)
    return far__fail(r->error, FAR_STATUS_MEMORY, -1, "no memory for the study file");
  r->tree->nodes[node].quoted = quoted;
  if (kind != FAR__SCALAR) r->open[r->depth++] = node;
  return FAR_OK;
}

static far_status check_marks(reader *r, size_t at, const yaml_char_t *anchor,
                              const yaml_char_t *tag) {
  if (anchor != NULL) return refuse(r, at, "anchors (&name) are not understood; write it out");
  if (tag != NULL) return refuse(r, at, "tags (!name) are not understood; leave it out");
  return FAR_OK;
}

/* Where a later line of a word begins with "- ": to YAML it is part of the word, to its writer an item. */
static size_t dash_within(const reader *r, size_t at, size_t end) {
  for (size_t i = at; i < end; ++i) {
    if (r->text[i] != '\n') continue;
    size_t next = i + 1;
    while (next < end && r->text[next] == ' ') ++next;
    if (next + 1 < end && r->text[next] == '-' && r->text[next + 1] == ' ') return next;
  }
  return end;
}

static far_status add_scalar(reader *r, size_t at, const yaml_event_t *event) {
  const char *text = (const char *)event->data.scalar.value;
  const far_status status = check_marks(r, at, event->data.scalar.anchor, event->data.scalar.tag);
  if (status != FAR_OK) return status;
  if (strlen(text) != event->data.scalar.length) return refuse(r, at, "a zero character in a text");
  const yaml_scalar_style_t style = event->data.scalar.style;
  if (style == YAML_PLAIN_SCALAR_STYLE) {
    const size_t end = byte_of(r, event->end_mark.index), dash = dash_within(r, at, end);
    if (dash < end)
      return refuse(r, dash,
                    "this dash is indented further than those above it, so that it belongs to the "
                    "word before it; the dashes of a list stand in one column");
  }
  return add_node(r, FAR__SCALAR, at, text, style != YAML_PLAIN_SCALAR_STYLE);
}

static far_status take_event(reader *r, const yaml_event_t *event) {
  const size_t at = byte_of(r, event->start_mark.index);
  far_status status;
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    if (r->documents++ > 0) return refuse(r, at, "a second document; a file has one study");
    return FAR_OK;
  case YAML_ALIAS_EVENT: return refuse(r, at, "aliases (*name) are not understood; write it out");
  case YAML_SCALAR_EVENT: return add_scalar(r, at, event);
  case YAML_SEQUENCE_START_EVENT:
    status = check_marks(r, at, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    return status == FAR_OK ? add_node(r, FAR__LIST, at, NULL, false) : status;
  case YAML_MAPPING_START_EVENT:
    status = check_marks(r, at, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    return status == FAR_OK ? add_node(r, FAR__MAP, at, NULL, false) : status;
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT: r->depth -= 1; return FAR_OK;
  default: return FAR_OK;
  }
}

static far_status take_events(reader *r, yaml_parser_t *parser) {
  far_status status = FAR_OK;
  for (bool over = false; !over && status == FAR_OK;) {
    yaml_event_t event;
    if (yaml_parser_parse(parser, &event) == 0) return bad_yaml(r, parser);
    over = event.type == YAML_STREAM_END_EVENT;
    status = take_event(r, &event);
    yaml_event_delete(&event);
  }
  return status;
}

static far_status check_bytes(reader *r) {
  if (r->length > FAR__TEXT_MAX)
    return far__fail(r->error, FAR_STATUS_SYNTAX, 0, "a study file has at most %d bytes",
                     (int)FAR__TEXT_MAX);
  for (size_t at = 0, n; at < r->length; at += n) {
    n = far__utf8_length(r->text + at, r->length - at);
    if (n == 0) return refuse(r, at, "not UTF-8");
  }
  return FAR_OK;
}

far_status far__tree_parse(far__tree *out, const char *text, size_t length, far_error *error) {
  reader r = {.tree = out, .text = text, .length = length, .error = error};
  yaml_parser_t parser;
  *out = (far__tree){0};
  far_status status = check_bytes(&r);
  if (status != FAR_OK) return status;
  if (yaml_parser_initialize(&parser) == 0)
    return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the study file");
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  r.mark = r.bytes = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  yaml_parser_set_input_string(&parser, (const unsigned char *)text + r.mark, length - r.mark);
  status = take_events(&r, &parser);
  yaml_parser_delete(&parser);
  return status;
}
