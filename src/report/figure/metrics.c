/* The length of a text. The reader's font is not known, so each character counts as wide as in the wider of
 * two common fonts without serifs: the metrics of Arial and Helvetica, and those of DejaVu Sans. */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "report/figure/figure.h"

/* The widths of U+0020 to U+007E, in thousandths of the font size. */
static const uint16_t widths[95] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556, 1015, 684, 686, 722, 770, 667,
    611, 778, 752, 295, 500, 667, 557, 863, 748, 787, 667, 787, 722, 667,  611, 732, 684, 989, 685,
    667, 685, 390, 337, 390, 838, 556, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

/* The width of a character, in thousandths of the font size. Beyond ASCII it is estimated: combining marks have no
 * width, ideographs and pictures at least that of a square. */
static double width_of(uint32_t code) {
  if (code >= 0x20 && code < 0x7f) return widths[code - 0x20];
  if ((code >= 0x300 && code < 0x370) || (code >= 0x200b && code < 0x2010) || code == 0xfeff)
    return 0;
  if (code == 0x00b7 || code == 0x2022) return 500;
  if (code >= 0x1f000) return 1400;
  if (code >= 0x1100) return code >= 0x2010 && code < 0x2600 ? 1000 : 1100;
  return code < 0x400 ? 850 : 1000;
}

double far__text_length(const char *text, double size, bool bold) {
  const size_t length = strlen(text);
  double sum = 0;
  for (size_t at = 0; at < length;) {
    size_t bytes = far__utf8_length(text + at, length - at);
    if (bytes == 0) bytes = 1;
    sum += width_of(far__utf8_code(text + at, bytes));
    at += bytes;
  }
  return sum / 1000 * size * (bold ? 1.12 : 1);
}
