/* Any text as a model file. What is accepted must come back the same from every format. */
#include <farsight/farsight.h>

#include "../unit/models.h"
#include "fuzz.h"

/* Large models are slow, not wrong: numbers of states have at most two digits here. */
static bool has_long_number(const char *text) {
  size_t digits = 0;
  for (const char *p = text; *p != '\0'; ++p) {
    const bool digit = *p >= '0' && *p <= '9';
    digits = digit ? digits + 1 : 0;
    if (digits == 3 && (p == text + 2 || (p[-3] != '.' && p[-3] != 'e'))) return true;
    if (*p == '.')
      while (p[1] >= '0' && p[1] <= '9') ++p;
  }
  return false;
}

static void try_read(const char *text, size_t length, far_format format) {
  far_mdp *mdp, *again;
  far_error error = {FAR_OK, -1, ""};
  const far_status status = far_mdp_read(&mdp, text, length, format, &error);
  if (status != FAR_OK) {
    expect(mdp == NULL && error.code == status && error.message[0] != '\0');
    return;
  }
  for (int to = FAR_FORMAT_CASSANDRA; to <= FAR_FORMAT_JSON; ++to) {
    char *printed;
    size_t n;
    expect(far_mdp_print(&printed, &n, mdp, (far_format)to, 0, NULL) == FAR_OK);
    expect(far_mdp_read(&again, printed, n, FAR_FORMAT_AUTO, NULL) == FAR_OK);
    expect(same_model(mdp, again));
    far_mdp_free(again);
    free(printed);
  }
  far_mdp_free(mdp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1); /* exactly as long as the text, so that reading on is noticed */
  char *exact = malloc(size > 0 ? size : 1);
  if (text == NULL || exact == NULL) abort();
  if (size > 0) memcpy(text, data, size);
  if (size > 0) memcpy(exact, data, size);
  text[size] = '\0';
  if (!has_long_number(text)) try_read(exact, size, FAR_FORMAT_AUTO);
  free(text);
  free(exact);
  return 0;
}
