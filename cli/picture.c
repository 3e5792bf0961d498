#include "picture.h"
#include "report/figure/figure.h"

bool theme_option(const arguments *args, far_theme *out) {
  static const char *const words[] = {
      [FAR_THEME_AUTO] = "auto", [FAR_THEME_LIGHT] = "light", [FAR_THEME_DARK] = "dark", NULL};
  int place = (int)*out;
  if (!args_choice(args, "theme", words, &place)) return false;
  *out = (far_theme)place;
  return true;
}

bool plot_option(const arguments *args) {
  const char *path = args_last(args, "plot");
  far_error error;
  if (path == NULL || far__figure_check_path(path, &error) == FAR_OK) return true;
  usage_error(args, "--plot %s", error.message);
  return false;
}

int save_plot(const arguments *args, far_status drawn, far_figure *figure, const far_error *error) {
  far_error why;
  if (drawn != FAR_OK) return run_error(error);
  drawn = far_figure_save(figure, args_last(args, "plot"), FAR_THEME_AUTO, &why);
  far_figure_free(figure);
  return drawn == FAR_OK ? EXIT_OK : run_error(&why);
}
