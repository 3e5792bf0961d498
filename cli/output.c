#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "memory.h"

static const char *const DEFAULT = "text";

static bool named(const char *name, far_report_format *out) {
  for (int f = 0; far_report_format_name((far_report_format)f) != NULL; ++f)
    if (strcmp(far_report_format_name((far_report_format)f), name) == 0) {
      *out = (far_report_format)f;
      return true;
    }
  return false;
}

/* A flag that stands for a format must not contradict another. */
static bool flag_format(const arguments *args, const char *flag, far_report_format format,
                        far_report_format *out) {
  const bool named = args_last(args, "format") != NULL;
  if (!args_flag(args, flag)) return true;
  if ((named || *out != FAR_REPORT_TEXT) && *out != format) {
    usage_error(args, "--%s and --%s%s do not go together: choose one, not both", flag,
                named ? "format " : "", far_report_format_name(*out));
    return false;
  }
  *out = format;
  return true;
}

/* Is `name` one of these words, which ", " separates? */
static bool among(const char *name, const char *words) {
  const size_t length = strlen(name);
  for (; *words != '\0'; words += strcspn(words, ","), words += strspn(words, ", "))
    if (strcspn(words, ",") == length && strncmp(words, name, length) == 0) return true;
  return false;
}

static bool check_table(const arguments *args, far_report_format format) {
  const char *name = args_last(args, "table"), *tables = args_tables(args);
  if (name == NULL) return true;
  if (format != FAR_REPORT_CSV)
    usage_error(args, "--table chooses the table of --format csv");
  else if (tables != NULL && !among(name, tables))
    usage_error(args, "--table: no table '%.60s'; there are: %s", name, tables);
  else
    return true;
  return false;
}

bool report_format(const arguments *args, far_report_format *out) {
  const char *name = args_last(args, "format");
  *out = FAR_REPORT_TEXT;
  if (!named(name != NULL ? name : DEFAULT, out)) {
    usage_error(args, "--format %s: must be text, markdown, json, csv, latex or html", name);
    return false;
  }
  if (!flag_format(args, "json", FAR_REPORT_JSON, out)) return false;
  if (!flag_format(args, "markdown", FAR_REPORT_MARKDOWN, out)) return false;
  return check_table(args, *out);
}

int terminal_width(int fd) {
  const char *columns = getenv("COLUMNS");
  int64_t width = 0;
  struct winsize size = {0};
  if (columns != NULL && far__integer_parse(columns, strlen(columns), &width) && width >= 20 &&
      width <= 10000)
    return (int)width;
  if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col >= 20 ? size.ws_col : 0;
}

bool ascii_only(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *value = getenv(names[i]);
    if (value != NULL && value[0] != '\0')
      return strcmp(value, "C") == 0 || strcmp(value, "POSIX") == 0;
  }
  return false;
}

far_report *new_report(const arguments *args) {
  far_report *report;
  need_memory(far_report_create(&report, args_command(args), NULL));
  return report;
}

/* Says which tables --format csv leaves out. */
static void name_others(const arguments *args, const far_report *report) {
  char *names;
  size_t size;
  if (args_last(args, "table") != NULL || far_report_table_name(report, 1) == NULL) return;
  FILE *out = open_text(&names, &size);
  for (size_t i = 1; far_report_table_name(report, i) != NULL; ++i)
    if (fprintf(out, " %s", far_report_table_name(report, i)) < 0) out_of_memory();
  close_text(out, &names);
  note("this is the table '%s'; --table prints another:%s", far_report_table_name(report, 0),
       names);
  free(names);
}

int print_report(const arguments *args, far_report *report) {
  return print_table(args, report, NULL);
}

int print_table(const arguments *args, far_report *report, const char *table) {
  far_render_def def = far_render_def_default();
  far_error error;
  int code = EXIT_OK;
  if (!report_format(args, &def.format)) code = EXIT_USAGE;
  def.width = terminal_width(STDOUT_FILENO);
  def.ascii = ascii_only();
  def.table = args_last(args, "table") != NULL ? args_last(args, "table") : table;
  progress_end();
  if (code == EXIT_OK) {
    errno = 0;
    const far_status status = far_report_render(report, &def, far_sink_file(stdout), &error);
    if (status == FAR_STATUS_UNKNOWN)
      code = usage_error(args, "--table: %s", error.message);
    else if (status == FAR_STATUS_MEMORY)
      code = run_error(&error);
    else if (status != FAR_OK)
      output_failed(errno); /* finish_output reports it */
  }
  if (code == EXIT_OK && def.format == FAR_REPORT_CSV && def.table == NULL)
    name_others(args, report);
  far_report_free(report);
  return code;
}
