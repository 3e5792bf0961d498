/* A report as a page of HTML in one file. The page loads nothing: a policy in its head forbids all requests, and all
 * styles and scripts except the embedded style and script, which the policy names by their digests. The page can be
 * read without its script (page.js), which adds interaction: sorting, choosing, hiding, values at the pointer. */
#include <stdlib.h>

#include "base/markup.h"
#include "farsight/base.h"
#include "report/build.h"
#include "report/figure/figure.h"
#include "report/html.h"

/* ---- the head ---- */

/* Base64 (RFC 4648). */
static void put_base64(far_buffer *out, const uint8_t *bytes, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned word = (unsigned)bytes[i] << 16;
    if (i + 1 < n) word |= (unsigned)bytes[i + 1] << 8;
    if (i + 2 < n) word |= bytes[i + 2];
    far_buffer_add(out, &digits[word >> 18], 1);
    far_buffer_add(out, &digits[word >> 12 & 63], 1);
    far_buffer_add(out, i + 1 < n ? &digits[word >> 6 & 63] : "=", 1);
    far_buffer_add(out, i + 2 < n ? &digits[word & 63] : "=", 1);
  }
}

/* Writes "'sha256-...'", by which a policy allows the embedded style or script with this text. */
static void put_source(far_buffer *out, const char *text, size_t length) {
  uint8_t digest[FAR_HASH_BYTES];
  far_hash(digest, text, length);
  far__put(out, "'sha256-");
  put_base64(out, digest, sizeof digest);
  far__put(out, "'");
}

/* Makes the page's style: the colours of figures for the theme that the reader prefers or chose by the page's button,
 * then page.css. */
static void make_style(far_buffer *out, bool has_figures) {
  const far_sink sink = far_sink_buffer(out);
  bool made =
      !has_figures ||
      (far__figure_style(FAR_THEME_AUTO, "", sink, NULL) == FAR_OK &&
       far__figure_style(FAR_THEME_LIGHT, ":root[data-theme=light] ", sink, NULL) == FAR_OK &&
       far__figure_style(FAR_THEME_DARK, ":root[data-theme=dark] ", sink, NULL) == FAR_OK);
  far__put(out, far__page_css);
  out->failed = out->failed || !made;
}

static void put_policy(far_buffer *out, const far_buffer *style) {
  far__put(out,
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
  put_source(out, style->bytes, style->length);
  far__put(out, "; script-src ");
  put_source(out, far__page_js, strlen(far__page_js));
  far__put(out, "; base-uri 'none'; form-action 'none'\">\n");
}

static void put_title(far__html *h) {
  if (h->title != NULL) {
    far__html_text(h->out, h->title->text);
    return;
  }
  far__put(h->out, "farsight ");
  far__html_text(h->out, h->report->command);
}

static void put_head(far__html *h) {
  far_buffer style = {0};
  make_style(&style, h->report->n_views > 0);
  h->out->failed = h->out->failed || style.failed;
  if (h->out->failed) {
    far_buffer_free(&style);
    return;
  }
  far__put(h->out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  put_policy(h->out, &style);
  far__put(h->out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n" FAR__PAGE_MARK);
  far__text_format(h->out, "%.100s\">\n<title>", far_version());
  put_title(h);
  far__put(h->out, "</title>\n<style>");
  far_buffer_add(h->out, style.bytes, style.length);
  far__put(h->out, "</style>\n</head>\n");
  far_buffer_free(&style);
}

/* ---- consecutive blocks that share an element ---- */

static far__html_group group_of(const far__part *part) {
  switch (part->kind) {
  case FAR__BLOCK_ITEM: return FAR__GROUP_ITEMS;
  case FAR__BLOCK_ENTRY: return FAR__GROUP_ENTRIES;
  case FAR__BLOCK_VERDICT: return part->name != NULL ? FAR__GROUP_TERMS : FAR__GROUP_VERDICT;
  case FAR__BLOCK_METHODS: return FAR__GROUP_METHODS;
  default: return FAR__GROUP_NONE;
  }
}

static bool is_verdict(far__html_group group) {
  return group == FAR__GROUP_VERDICT || group == FAR__GROUP_TERMS;
}

static void open_group(far__html *h, far__html_group group, int scope) {
  static const char *const starts[] = {
      [FAR__GROUP_ITEMS] = "<ul class=\"items\"",
      [FAR__GROUP_ENTRIES] = "<dl",
      [FAR__GROUP_VERDICT] = "<section class=\"verdict\"",
      [FAR__GROUP_TERMS] = "<section class=\"verdict\"",
      [FAR__GROUP_METHODS] = "<div class=\"methods\"",
  };
  if (group == FAR__GROUP_NONE) return;
  far__put(h->out, starts[group]);
  if (is_verdict(group) && h->n_verdicts++ == 0) /* a label must be unique on the page */
    far__put(h->out, " aria-label=\"Verdict\"");
  far__html_scope(h->out, scope);
  far__put(h->out, ">\n");
}

static void close_group(far__html *h) {
  static const char *const ends[] = {
      [FAR__GROUP_NONE] = "",
      [FAR__GROUP_ITEMS] = "</ul>\n",
      [FAR__GROUP_ENTRIES] = "</dl>\n",
      [FAR__GROUP_VERDICT] = "</section>\n",
      [FAR__GROUP_TERMS] = "</dl>\n</section>\n",
      [FAR__GROUP_METHODS] = "</div>\n",
  };
  far__put(h->out, ends[h->group]);
  h->group = FAR__GROUP_NONE;
}

/* The sentences and the terms of a verdict share a card. */
static void enter_group(far__html *h, far__html_group group, int scope) {
  const bool same = h->group_scope == scope;
  if (same && is_verdict(group) && is_verdict(h->group)) {
    if (group != h->group) far__put(h->out, group == FAR__GROUP_TERMS ? "<dl>\n" : "</dl>\n");
  } else if (!same || group != h->group) {
    close_group(h);
    open_group(h, group, scope);
    if (group == FAR__GROUP_TERMS) far__put(h->out, "<dl>\n");
  }
  h->group = group;
  h->group_scope = scope;
}

/* ---- sections ---- */

static void close_sections(far__html *h, int left) {
  for (; h->open > left; --h->open) far__put(h->out, "</section>\n");
}

/* Closes the outermost open section that belongs to another environment than `scope`, with all sections in it. */
static void leave_scope(far__html *h, int scope) {
  int left = 0;
  while (left < h->open && (h->scopes[left] == 0 || h->scopes[left] == scope)) ++left;
  if (left < h->open) {
    close_group(h);
    close_sections(h, left);
  }
}

static void open_section(far__html *h, const far__part *part) {
  const far__section *s = &h->sections[h->section++];
  close_group(h);
  close_sections(h, s->depth - 1);
  leave_scope(h, part->scope);
  far__put(h->out, "<section id=\"");
  far__put(h->out, s->id);
  far__put(h->out, "\"");
  far__html_scope(h->out, part->scope);
  far__text_format(h->out, "><h%d>", s->depth + 1);
  far__html_text(h->out, part->text);
  far__text_format(h->out, "</h%d>\n", s->depth + 1);
  h->scopes[h->open++] = part->scope;
  h->heading = part->text;
}

/* ---- blocks ---- */

static void put_element(far__html *h, const char *start, const far__part *part, const char *end) {
  far__put(h->out, start);
  far__html_scope(h->out, part->scope);
  far__put(h->out, ">");
  far__html_text(h->out, part->text);
  far__put(h->out, end);
}

/* A term and its text, in which line breaks separate remarks. */
static void put_entry(far_buffer *out, const far__part *part) {
  far__put(out, "<dt>");
  far__html_name(out, part->name);
  far__put(out, "</dt><dd>");
  far__html_lines(out, part->text);
  far__put(out, "</dd>\n");
}

static void put_words(far_buffer *out, const char *start, const char *text, const char *end) {
  far__put(out, start);
  far__html_words(out, text);
  far__put(out, end);
}

static void put_inner(far_buffer *out, const char *start, const char *text, const char *end) {
  far__put(out, start);
  far__html_lines(out, text);
  far__put(out, end);
}

static void put_note(far__html *h, const far__part *part) {
  const bool caveat = part->level == FAR__NOTE_CAVEAT;
  far__put(h->out, caveat ? "<p class=\"note caveat\"" : "<p class=\"note\"");
  far__html_scope(h->out, part->scope);
  far__put(h->out, caveat ? "><strong>Caveat:</strong> " : ">");
  far__html_text(h->out, part->text);
  far__put(h->out, "</p>\n");
}

static void put_command(far__html *h, const far__part *part) {
  far__put(h->out, "<pre class=\"command\"");
  far__html_scope(h->out, part->scope);
  put_words(h->out, "><code>", part->text, "</code></pre>\n");
}

static void put_part(far__html *h, const far__part *part) {
  switch (part->kind) {
  case FAR__BLOCK_HEADING: break; /* written by open_section */
  case FAR__BLOCK_PARAGRAPH: put_element(h, "<p", part, "</p>\n"); break;
  case FAR__BLOCK_LIST: put_element(h, "<p class=\"list\"", part, "</p>\n"); break;
  case FAR__BLOCK_ITEM: put_words(h->out, "<li>", part->text, "</li>\n"); break;
  case FAR__BLOCK_METHODS: put_inner(h->out, "<p>", part->text, "</p>\n"); break;
  case FAR__BLOCK_VERDICT:
    if (part->name == NULL)
      put_inner(h->out, "<p>", part->text, "</p>\n");
    else
      put_entry(h->out, part);
    break;
  case FAR__BLOCK_ENTRY: put_entry(h->out, part); break;
  case FAR__BLOCK_NOTE: put_note(h, part); break;
  case FAR__BLOCK_COMMAND: put_command(h, part); break;
  case FAR__BLOCK_PICTURE: far__html_figure(h, part); break;
  case FAR__BLOCK_TABLE: far__html_table(h, part); break;
  }
}

static void put_parts(far__html *h) {
  for (size_t i = 0; i < h->report->n_parts; ++i) {
    const far__part *part = &h->report->parts[i];
    if (!far__is_seen(part) || part == h->title) continue;
    if (part->kind == FAR__BLOCK_HEADING) {
      open_section(h, part);
      continue;
    }
    leave_scope(h, part->scope);
    enter_group(h, group_of(part), part->scope);
    put_part(h, part);
  }
  close_group(h);
  close_sections(h, 0);
}

/* ---- the page ---- */

/* The tools of the page need its script, which shows them. */
static void put_tools(const far__html *h) {
  const far_report *r = h->report;
  far__put(h->out, "<div id=\"tools\" hidden>\n");
  if (r->n_scopes > 1) {
    far__put(h->out, "<details id=\"filter\"><summary>Environments</summary>\n<fieldset>"
                     "<legend class=\"unseen\">Environments to show</legend>\n");
    for (size_t i = 0; i < r->n_scopes; ++i) {
      far__text_format(h->out, "<label><input type=\"checkbox\" value=\"%zu\" checked> ", i + 1);
      far__html_name(h->out, r->scopes[i]);
      far__put(h->out, "</label>\n");
    }
    far__put(h->out, "</fieldset></details>\n");
  }
  far__put(h->out, "</div>\n");
}

/* The table of contents: beside the text on a wide screen; above the text, folded, on a narrow one. */
static void put_navigation(const far__html *h) {
  if (h->n_sections < 2) return;
  far__put(h->out, "<nav class=\"side\" aria-label=\"Contents\"><p>Contents</p>");
  far__html_contents(h);
  far__put(
      h->out,
      "</nav>\n<nav class=\"top\" aria-label=\"Contents\"><details><summary>Contents</summary>");
  far__html_contents(h);
  far__put(h->out, "</details></nav>\n");
}

static void put_body(far__html *h) {
  far__put(h->out, h->n_sections < 2 ? "<body class=\"alone\">\n" : "<body>\n");
  far__put(h->out, "<a class=\"skip\" href=\"#main\">Skip to the text</a>\n<header><h1>");
  put_title(h);
  far__put(h->out, "</h1>\n");
  put_tools(h);
  far__put(h->out, "</header>\n");
  put_navigation(h);
  far__put(h->out, "<main id=\"main\" tabindex=\"-1\">\n");
  put_parts(h);
  far__text_format(h->out, "</main>\n<footer><p>Written by farsight %.100s.</p></footer>\n",
                   far_version());
  far__put(h->out, "<p id=\"live\" class=\"unseen\" role=\"status\"></p>\n<script>");
  far__put(h->out, far__page_js);
  far__put(h->out, "</script>\n</body>\n</html>\n");
}

void far__render_html(far_buffer *out, const far_report *r) {
  far__html h = {.out = out, .report = r};
  const bool outlined = far__html_outline(&h);
  out->failed = out->failed || !outlined;
  if (outlined) {
    h.heading = h.title != NULL ? h.title->text : r->command;
    put_head(&h);
    put_body(&h);
  }
  free(h.sections);
}
