/* The palette. The first three colours of series are those of Okabe & Ito (2008); within a theme
 * the colours of series differ from each other for people with each kind of colour blindness, and from the background.
 * Levels are interpolated linearly in sRGB between a few colours of evenly growing lightness: they stay in order in
 * print, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/figure/figure.h"

/* The colours of an ink: in the light theme, in the dark theme. */
static const char *const plain[][2] = {
    [FAR__NO_INK] = {"none", "none"},
    [FAR__INK_TEXT] = {"#1c2128", "#e6e9ec"},
    [FAR__INK_MUTED] = {"#57606a", "#a8b0b8"},
    [FAR__INK_GRID] = {"#e3e6ea", "#30363d"},
    [FAR__INK_PAPER] = {"#ffffff", "#14171a"},
    [FAR__INK_EMPTY] = {"#f0f1f3", "#22272c"},
    [FAR__INK_WALL] = {"#6e7781", "#6e7781"},
    [FAR__INK_ON_PALE] = {"#1c2128", "#f0f2f4"},
    [FAR__INK_ON_MIDDLE] = {"#1c2128", "#14171a"},
    [FAR__INK_ON_DEEP] = {"#ffffff", "#14171a"},
};

static const char *const series[][2] = {
    {"#0072b2", "#4fb0f0"}, {"#d55e00", "#ff8c42"}, {"#009e73", "#3ccfa3"}, {"#aa3377", "#e58ac0"},
    {"#9a3bf0", "#f5e04a"}, {"#404040", "#8f7cff"}, {"#8e0b00", "#f15055"}, {"#3b1f95", "#caf8a8"}};

/* Colours between which levels are interpolated. Heat grows from pale to deep on light paper, from deep to pale on dark
 * paper. */
typedef struct ramp {
  int n;
  unsigned stops[5];
} ramp;
static const ramp ramps[2][2] = {
    /* heat */ {{5, {0xf1f6fa, 0xb9d7ea, 0x6aaed6, 0x2373b4, 0x08306b}},
                {5, {0x18232e, 0x1d4a73, 0x2c7bb5, 0x74b5dd, 0xe4f1fa}}},
    /* sign */ {{5, {0x9c4a00, 0xe9a660, 0xf4f4f4, 0x6aaed6, 0x08457f}},
                {5, {0xffb26b, 0xa05c17, 0x262a2f, 0x2b6ea3, 0x9bd0f5}}}};

static unsigned mix(unsigned a, unsigned b, double share, int shift) {
  const double x = (a >> shift & 255) * (1 - share) + (b >> shift & 255) * share;
  return (unsigned)(x + 0.5) << shift;
}

static unsigned level_colour(far__ink ink, bool dark) {
  const bool sign = ink >= FAR__INK_SIGN;
  const ramp *r = &ramps[sign][dark];
  const double at =
      (double)(ink - (sign ? FAR__INK_SIGN : FAR__INK_HEAT)) / (FAR__LEVELS - 1) * (r->n - 1);
  const int i = at >= r->n - 1 ? r->n - 2 : (int)at;
  unsigned out = 0;
  for (int shift = 0; shift <= 16; shift += 8)
    out |= mix(r->stops[i], r->stops[i + 1], at - i, shift);
  return out;
}

far__colour far__ink_colour(far__ink ink, bool dark) {
  far__colour out;
  if (ink >= FAR__INK_HEAT)
    snprintf(out.text, sizeof out.text, "#%06x", level_colour(ink, dark));
  else
    snprintf(out.text, sizeof out.text, "%s",
             ink >= FAR__INK_SERIES ? series[ink - FAR__INK_SERIES][dark] : plain[ink][dark]);
  return out;
}

far__ink_name far__ink_named(far__ink ink) {
  static const char *const names[] = {"none",  "text", "muted", "grid",   "paper",
                                      "empty", "wall", "pale",  "middle", "deep"};
  far__ink_name out;
  if (ink >= FAR__INK_SIGN)
    snprintf(out.text, sizeof out.text, "d%d", (int)ink - FAR__INK_SIGN);
  else if (ink >= FAR__INK_HEAT)
    snprintf(out.text, sizeof out.text, "h%d", (int)ink - FAR__INK_HEAT);
  else if (ink >= FAR__INK_SERIES)
    snprintf(out.text, sizeof out.text, "s%d", (int)ink - FAR__INK_SERIES);
  else
    snprintf(out.text, sizeof out.text, "%s", names[ink]);
  return out;
}

far__ink far__ink_level(double share, bool sign) {
  const double level = fmin(fmax(share, 0), 1) * (FAR__LEVELS - 1);
  return (far__ink)((sign ? FAR__INK_SIGN : FAR__INK_HEAT) + (int)(level + 0.5));
}

/* The levels nearest to the background (FAR__INK_ON_PALE) are pale in the light theme and dark in the dark theme, the
 * farthest (FAR__INK_ON_DEEP) the reverse; those between (FAR__INK_ON_MIDDLE) are light enough for dark text in both
 * themes. So text has a contrast of 3.8 or more on every level. */
far__ink far__ink_on(far__ink level) {
  const int at = (int)level - (level >= FAR__INK_SIGN ? FAR__INK_SIGN : FAR__INK_HEAT);
  const bool sign = level >= FAR__INK_SIGN;
  if (sign ? at <= 3 || at >= 28 : at >= 22) return FAR__INK_ON_DEEP;
  return (sign ? at <= 7 || at >= 25 : at >= 17) ? FAR__INK_ON_MIDDLE : FAR__INK_ON_PALE;
}

const far__dash far__dashes[8] = {
    {"", ""},
    {"7 3", "on 7bp off 3bp"},
    {"2 2.5", "on 2bp off 2.5bp"},
    {"9 3 2 3", "on 9bp off 3bp on 2bp off 3bp"},
    {"13 4", "on 13bp off 4bp"},
    {"5 2.5 2 2.5 2 2.5", "on 5bp off 2.5bp on 2bp off 2.5bp on 2bp off 2.5bp"},
    {"4 4", "on 4bp off 4bp"},
    {"2 5", "on 2bp off 5bp"},
};
