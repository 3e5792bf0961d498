/* Figures as files. PDF and PNG are made by an installed converter of SVG, through its standard input and output, so that
 * no file name reaches its command line. */
#define _GNU_SOURCE /* environ, posix_spawn, fileno */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "report/figure/figure.h"

typedef enum ending { SVG, TEX, PDF, PNG, OTHER } ending;

static ending ending_of(const char *path) {
  static const char *const known[] = {".svg", ".tex", ".pdf", ".png"};
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot != NULL && i < OTHER; ++i)
    if (strcmp(dot, known[i]) == 0) return (ending)i;
  return OTHER;
}

/* ---- converters ---- */

static const char *const converters[][2][7] = {
    {{"rsvg-convert", "-f", "pdf", NULL}, {"rsvg-convert", "-f", "png", "-z", "2", NULL}},
    {{"inkscape", "--pipe", "--export-type=pdf", "--export-filename=-", NULL},
     {"inkscape", "--pipe", "--export-type=png", "--export-dpi=192", "--export-filename=-", NULL}},
};

/* Starts the program with these files as its standard input and output; returns 0 or an error number. */
static int spawn(pid_t *pid, const char *const words[7], int in, int out) {
  posix_spawn_file_actions_t files;
  int code = posix_spawn_file_actions_init(&files);
  if (code != 0) return code;
  code = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  if (code == 0) code = posix_spawnp(pid, words[0], &files, NULL, (char *const *)words, environ);
  posix_spawn_file_actions_destroy(&files);
  return code;
}

/* Waits for the program and returns its exit code; -1 if it did not exit normally. */
static int wait_for(pid_t pid) {
  int state;
  while (waitpid(pid, &state, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/* Runs the first converter that is installed. Exit code 127 also means that it is not installed. */
static far_status run_converter(bool png, int in, int out, far_error *error) {
  for (size_t i = 0; i < sizeof converters / sizeof *converters; ++i) {
    const char *const *words = converters[i][png];
    pid_t pid;
    const int code = spawn(&pid, words, in, out);
    if (code == ENOENT) continue;
    if (code != 0)
      return far__fail(error, code == ENOMEM ? FAR_STATUS_MEMORY : FAR_STATUS_IO, -1,
                       "cannot start %s: %s", words[0], strerror(code));
    const int result = wait_for(pid);
    if (result == 0) return FAR_OK;
    if (result != 127)
      return far__fail(error, FAR_STATUS_IO, -1, "%s failed to convert the figure", words[0]);
  }
  return far__fail(error, FAR_STATUS_ABSENT, -1,
                   "%s needs rsvg-convert (Debian: librsvg2-bin) or inkscape, and neither is "
                   "installed; .svg and .tex need nothing",
                   png ? "PNG" : "PDF");
}

/* ---- through temporary files ---- */

static bool read_all(FILE *file, far_buffer *out) {
  char part[8192];
  size_t n;
  rewind(file);
  while ((n = fread(part, 1, sizeof part, file)) > 0) far_buffer_add(out, part, n);
  return !ferror(file);
}

static far_status convert_between(far_buffer *out, const far_buffer *svg, FILE *in, FILE *made,
                                  bool png, far_error *error) {
  if (fwrite(svg->bytes, 1, svg->length, in) != svg->length || fflush(in) != 0 ||
      lseek(fileno(in), 0, SEEK_SET) != 0)
    return far__fail(error, FAR_STATUS_IO, -1, "cannot write a temporary file: %s",
                     strerror(errno));
  const far_status status = run_converter(png, fileno(in), fileno(made), error);
  if (status != FAR_OK) return status;
  if (!read_all(made, out) || out->length == 0)
    return out->failed ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure")
                       : far__fail(error, FAR_STATUS_IO, -1, "the converter wrote nothing");
  return out->failed ? far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for a figure") : FAR_OK;
}

static far_status convert(far_buffer *out, const far_buffer *svg, bool png, far_error *error) {
  FILE *in = tmpfile(), *made = tmpfile();
  const far_status status =
      in == NULL || made == NULL
          ? far__fail(error, errno == ENOMEM ? FAR_STATUS_MEMORY : FAR_STATUS_IO, -1,
                      "cannot make a temporary file: %s", strerror(errno))
          : convert_between(out, svg, in, made, png, error);
  if (in != NULL) fclose(in);
  if (made != NULL) fclose(made);
  return status;
}

/* ---- the file ---- */

far_status far__figure_check_path(const char *path, far_error *error) {
  if (ending_of(path) != OTHER) return FAR_OK;
  return far__fail(error, FAR_STATUS_UNKNOWN, -1, "'%.200s' must end in .svg, .pdf, .png or .tex",
                   path);
}

far_status far_figure_save(const far_figure *f, const char *path, far_theme theme,
                           far_error *error) {
  const ending kind = ending_of(path);
  if (kind == OTHER) return far__figure_check_path(path, error);
  /* converters have no preferred theme: auto is light for them */
  far_figure_def def = far_figure_def_default();
  def.format = kind == TEX ? FAR_FIGURE_TIKZ : FAR_FIGURE_SVG;
  def.theme = kind != SVG && theme == FAR_THEME_AUTO ? FAR_THEME_LIGHT : theme;
  far_buffer text = {0}, converted = {0};
  far_status status = far_figure_render(f, &def, far_sink_buffer(&text), error);
  if (status == FAR_OK && kind >= PDF) status = convert(&converted, &text, kind == PNG, error);
  const far_buffer *out = kind >= PDF ? &converted : &text;
  if (status == FAR_OK) status = far__file_replace(path, out->bytes, out->length, error);
  far_buffer_free(&text);
  far_buffer_free(&converted);
  return status;
}
