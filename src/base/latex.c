#include "base/latex.h"

#include <string.h>

#include "base/markup.h"
#include "base/text.h"

/* Characters that LaTeX reads as commands, and signs that its older engines lack in text. */
static const char *const replacements[][2] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"%", "\\%"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\"", "''"},
    {"*", "$*$"},
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"∞", "$\\infty$"},
    {"−", "$-$"},
    {"–", "--"},
    {"—", "---"},
    {"…", "\\ldots{}"},
    {"≤", "$\\leq$"},
    {"≥", "$\\geq$"},
    {"→", "$\\rightarrow$"},
    {"←", "$\\leftarrow$"},
    {"↑", "$\\uparrow$"},
    {"↓", "$\\downarrow$"},
    {"∝", "$\\propto$"},
    {"½", "\\textonehalf{}"},
    {"✓", "$\\surd$"}, /* a check mark needs another package */
    {"γ", "$\\gamma$"},
    {"ε", "$\\varepsilon$"},
    {"δ", "$\\delta$"},
    {"λ", "$\\lambda$"},
    {"ρ", "$\\rho$"},
    {"·", "$\\cdot$"},
    {"²", "$^2$"},
    {"√", "$\\surd$"},
};

static const char *replacement(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof replacements / sizeof *replacements; ++i)
    if (strlen(replacements[i][0]) == length && memcmp(replacements[i][0], text, length) == 0)
      return replacements[i][1];
  return NULL;
}

void far__latex_text(far_buffer *out, const char *text) {
  const size_t length = strlen(text);
  for (size_t at = 0; at < length;) {
    const size_t n = far__utf8_length(text + at, length - at);
    const char *by = n > 0 ? replacement(text + at, n) : "?";
    const bool starts = at == 0 || strchr(" [(", text[at - 1]) != NULL;
    if (text[at] == '-' && starts && text[at + 1] >= '0' && text[at + 1] <= '9') by = "$-$";
    if (n > 0 && far__code_obeyed(far__utf8_code(text + at, n))) by = " ";
    if (by != NULL)
      far__put(out, by);
    else
      far_buffer_add(out, text + at, n);
    at += n > 0 ? n : 1;
  }
}
