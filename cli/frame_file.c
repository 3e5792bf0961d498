#include "frame_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "frame_svg.h"
#include "memory.h"
#include "picture.h"

/* "100x30". */
static bool read_size(const arguments *args, frame_file *out) {
  const char *text = args_last(args, "size");
  int64_t columns, rows;
  if (text == NULL) return true;
  const size_t length = strcspn(text, "x");
  if (text[length] == 'x' && far__integer_parse(text, length, &columns) &&
      far__integer_parse(text + length + 1, strlen(text + length + 1), &rows) && columns >= 40 &&
      columns <= 1000 && rows >= 12 && rows <= 1000) {
    out->columns = (int)columns, out->rows = (int)rows;
    return true;
  }
  usage_error(args, "--size '%s': must be columns x rows from 40x12 to 1000x1000, such as 100x30",
              text);
  return false;
}

static bool check_output(const arguments *args, const char *path) {
  const char *dot = path != NULL ? strrchr(path, '.') : NULL;
  if (path == NULL || strcmp(path, "-") == 0 || (dot != NULL && strcmp(dot, ".svg") == 0))
    return true;
  usage_error(args, "--output '%s': the picture is SVG, so the file must end in .svg", path);
  return false;
}

bool frame_file_options(const arguments *args, frame_file *out) {
  *out = (frame_file){.output = args_last(args, "output"), .theme = FAR_THEME_AUTO};
  return check_output(args, out->output) && read_size(args, out) && theme_option(args, &out->theme);
}

int frame_file_save(const frame_file *file, const frame *f, const char *title) {
  if (strcmp(file->output, "-") == 0) {
    frame_svg(stdout, f, file->theme, title);
    return EXIT_OK;
  }
  char *text;
  size_t size;
  far_error error;
  FILE *to = open_text(&text, &size);
  frame_svg(to, f, file->theme, title);
  close_text(to, &text);
  const far_status status = far__file_replace(file->output, text, size, &error);
  free(text);
  return status == FAR_OK ? EXIT_OK : run_error(&error);
}
