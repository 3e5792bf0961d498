/* A report as Markdown. */
#include "report/build.h"
#include "report/document.h"

/* Would a Markdown parser take the text from here on for an HTML tag? */
static bool begins_tag(const char *p) {
  return p[0] == '<' && ((p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z') ||
                         p[1] == '/' || p[1] == '!' || p[1] == '?');
}

/* Text on one line: line breaks become spaces. */
static void put_line(far_buffer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (begins_tag(text + i)) far__put(out, "\\");
    far_buffer_add(out, text[i] == '\n' ? " " : text + i, 1);
  }
}

/* Text with its line breaks. */
static void put_prose(far_buffer *out, const char *text) {
  for (const char *p = text; *p != '\0'; ++p) {
    if (begins_tag(p)) far__put(out, "\\");
    far_buffer_add(out, p, 1);
  }
}

static void put_cell(far_buffer *out, const char *text) {
  far__put(out, "| ");
  for (const char *p = text; *p != '\0'; ++p) {
    if (*p == '|') far__put(out, "\\");
    put_line(out, p, 1);
  }
  far__put(out, " ");
}

static void put_table(far_buffer *out, const far_table *t) {
  for (size_t c = 0; c < t->n_columns; ++c)
    if (t->columns[c].title != NULL) put_cell(out, t->columns[c].title);
  far__put(out, "|\n");
  for (size_t c = 0; c < t->n_columns; ++c)
    if (t->columns[c].title != NULL)
      far__put(out, far__is_right(t->columns[c].kind) ? "|--:" : "|---");
  far__put(out, "|\n");
  for (size_t r = 0; r < t->n_rows; ++r) {
    for (size_t c = 0; c < t->n_columns; ++c)
      if (t->columns[c].title != NULL) put_cell(out, t->entries[r * t->n_columns + c].shown);
    far__put(out, "|\n");
  }
}

/* A term and its text on one line: semicolons replace the line breaks that separate remarks. */
static void put_entry(far_buffer *out, const far__part *part) {
  far__put(out, "- **");
  put_prose(out, part->name);
  far__put(out, part->text[0] != '\0' ? "** " : "**");
  for (const char *text = part->text; *text != '\0';) {
    const size_t n = strcspn(text, "\n");
    put_line(out, text, n);
    far__put(out, text[n] == '\n' ? "; " : "");
    text += n + (text[n] == '\n');
  }
  far__put(out, "\n");
}

/* A block of code whose fence is longer than all runs of backticks in the command. */
static void put_command(far_buffer *out, const char *command) {
  size_t fence = 3;
  for (const char *at = command; (at = strchr(at, '`')) != NULL; at += strspn(at, "`"))
    if (strspn(at, "`") >= fence) fence = strspn(at, "`") + 1;
  for (size_t i = 0; i < fence; ++i) far__put(out, "`");
  far__put(out, "sh\n");
  far__put(out, command);
  far__put(out, "\n");
  for (size_t i = 0; i < fence; ++i) far__put(out, "`");
  far__put(out, "\n");
}

static void put_verdict(far_buffer *out, const far__part *part) {
  far__put(out, "> ");
  if (part->name != NULL) {
    far__put(out, "**");
    put_prose(out, part->name);
    far__put(out, "** ");
  }
  put_line(out, part->text, strlen(part->text));
  far__put(out, "\n");
}

static void put_part(far_buffer *out, const far__part *part) {
  switch (part->kind) {
  case FAR__BLOCK_TABLE:
    if (part->table->caption != NULL) {
      put_prose(out, part->table->caption);
      far__put(out, "\n\n");
    }
    put_table(out, part->table);
    return;
  case FAR__BLOCK_COMMAND: put_command(out, part->text); return;
  case FAR__BLOCK_VERDICT: put_verdict(out, part); return;
  case FAR__BLOCK_HEADING:
    for (int i = 0; i < part->level + 2; ++i) far__put(out, "#");
    far__put(out, " ");
    break;
  case FAR__BLOCK_ITEM: /* Indented text is code; a line break would end the code. */
    far__put(out, "    ");
    for (const char *p = part->text; *p != '\0'; ++p) far_buffer_add(out, *p == '\n' ? " " : p, 1);
    far__put(out, "\n");
    return;
  case FAR__BLOCK_ENTRY: put_entry(out, part); return;
  case FAR__BLOCK_METHODS: far__put(out, "Methods: "); break;
  case FAR__BLOCK_PICTURE:
    if (part->drawing != NULL) {
      far__put(out, "```\n");
      far__put(out, part->drawing);
      far__put(out, "```\n\n");
    }
    far__put(out, "Figure: ");
    break;
  default:
    if (part->text[0] != '\0' && strchr("*+-#>", part->text[0]) != NULL) far__put(out, "\\");
  }
  put_prose(out, part->text);
  far__put(out, "\n");
}

void far__render_markdown(far_buffer *out, const far_report *r) {
  const far__part *last = NULL;
  for (size_t i = 0; i < r->n_parts; ++i) {
    const far__part *part = &r->parts[i];
    if (!far__is_seen(part)) continue;
    const bool joined = last != NULL && last->kind == part->kind &&
                        (part->kind == FAR__BLOCK_ITEM || part->kind == FAR__BLOCK_ENTRY);
    if (last != NULL && !joined)
      far__put(out, last->kind == part->kind && part->kind == FAR__BLOCK_VERDICT ? ">\n" : "\n");
    put_part(out, last = part);
  }
  if (out->bytes != NULL) out->length = far__printable(out->bytes, out->bytes, out->length);
}
