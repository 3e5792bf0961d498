/* The title and the sections of a page, and its table of contents. */
#include "report/html.h"

/* Returns the heading that is the title: the only one of level 1, if it is the first of all headings; else NULL. */
static const far__part *find_title(const far_report *r) {
  const far__part *first = NULL;
  size_t n_top = 0;
  for (size_t i = 0; i < r->n_parts; ++i) {
    if (r->parts[i].kind != FAR__BLOCK_HEADING) continue;
    if (first == NULL) first = &r->parts[i];
    n_top += r->parts[i].level <= 1;
  }
  return n_top == 1 && first->level <= 1 ? first : NULL;
}

static bool is_letter(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* "s-learning-curves": ASCII letters and digits, in lower case; all characters between them become one hyphen. */
static void make_slug(char out[FAR__ID_SIZE], const char *text) {
  size_t n = 2;
  memcpy(out, "s-", 3);
  for (; *text != '\0' && n + 12 < FAR__ID_SIZE; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (is_letter(c))
      out[n++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    else if (out[n - 1] != '-')
      out[n++] = '-';
  }
  while (n > 1 && out[n - 1] == '-') --n;
  out[n] = '\0';
}

static bool is_taken(const far__html *h, const char *id) {
  for (size_t i = 0; i < h->n_sections; ++i)
    if (strcmp(h->sections[i].id, id) == 0) return true;
  return false;
}

static void make_id(const far__html *h, char out[FAR__ID_SIZE], const char *text) {
  make_slug(out, text);
  const size_t n = strlen(out);
  for (size_t i = 2; is_taken(h, out); ++i) snprintf(out + n, FAR__ID_SIZE - n, "-%zu", i);
}

/* Levels of headings may begin at any number and skip some; depths of sections begin at 1 and skip none. `above` holds
 * the levels of the sections that are open. */
bool far__html_outline(far__html *h) {
  int above[FAR__DEPTH], depth = 0;
  h->title = find_title(h->report);
  for (size_t i = 0; i < h->report->n_parts; ++i) {
    const far__part *part = &h->report->parts[i];
    if (part->kind != FAR__BLOCK_HEADING || part == h->title) continue;
    while (depth > 0 && above[depth - 1] >= part->level) --depth;
    if (depth == FAR__DEPTH) --depth;
    above[depth++] = part->level;
    if (!far__grow((void **)&h->sections, h->n_sections, &h->section_room, sizeof *h->sections))
      return false;
    far__section *s = &h->sections[h->n_sections];
    *s = (far__section){.heading = part, .depth = depth};
    make_id(h, s->id, part->text);
    ++h->n_sections;
  }
  return true;
}

/* A list of links, two levels deep. */
void far__html_contents(const far__html *h) {
  int depth = 0;
  for (size_t i = 0; i < h->n_sections; ++i) {
    const far__section *s = &h->sections[i];
    if (s->depth > 2) continue;
    far__put(h->out, s->depth > depth ? "\n<ol>" : "</li>");
    for (; depth > s->depth; --depth) far__put(h->out, "</ol></li>");
    depth = s->depth;
    far__put(h->out, "\n<li");
    far__html_scope(h->out, s->heading->scope);
    far__put(h->out, "><a href=\"#");
    far__put(h->out, s->id);
    far__put(h->out, "\">");
    far__html_name(h->out, s->heading->text);
    far__put(h->out, "</a>");
  }
  for (; depth > 0; --depth) far__put(h->out, "</li></ol>");
}
