#include "frame_file.h"

#include <errno.h>
#include <string.h>

#include "frame_svg.h"

static bool read_theme(const arguments *args, frame_file *out) {
  static const char *const themes[] = {"auto", "light", "dark"}; /* as far_theme has them */
  const char *word = args_last(args, "theme");
  for (int i = 0; word != NULL && i < 3; ++i)
    if (strcmp(word, themes[i]) == 0) {
      out->theme = (far_theme)i;
      return true;
    }
  if (word != NULL) usage_error(args, "--theme '%s': must be auto, light or dark", word);
  return word == NULL;
}

/* "100x30". */
static bool read_size(const arguments *args, frame_file *out) {
  const char *text = args_last(args, "size");
  int64_t columns, rows;
  if (text == NULL) return true;
  const size_t length = strcspn(text, "x");
  if (text[length] == 'x' && far_integer_parse(text, length, &columns) &&
      far_integer_parse(text + length + 1, strlen(text + length + 1), &rows) && columns >= 40 &&
      columns <= 1000 && rows >= 12 && rows <= 1000) {
    out->columns = (int)columns, out->rows = (int)rows;
    return true;
  }
  usage_error(args, "--size '%s': must be columns x rows from 40x12 to 1000x1000, such as 100x30",
              text);
  return false;
}

bool frame_file_options(const arguments *args, frame_file *out) {
  *out = (frame_file){.output = args_last(args, "output"), .theme = FAR_THEME_AUTO};
  return read_size(args, out) && read_theme(args, out);
}

int frame_file_save(const frame_file *file, const frame *f, const char *title) {
  if (strcmp(file->output, "-") == 0) {
    frame_svg(stdout, f, file->theme, title);
    return EXIT_OK;
  }
  FILE *to = fopen(file->output, "w");
  if (to != NULL) frame_svg(to, f, file->theme, title);
  const bool good = to != NULL && ferror(to) == 0;
  if (to != NULL && fclose(to) == 0 && good) return EXIT_OK;
  return complain("cannot write '%s': %s", file->output, strerror(errno));
}
