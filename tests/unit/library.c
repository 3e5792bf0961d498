/* The manners of a C library: version, status texts, memory that it hands out. */
#include <farsight/lab.h>

#include "check.h"

static void test_version(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", FAR_VERSION_MAJOR, FAR_VERSION_MINOR, FAR_VERSION_PATCH);
  CHECK_TEXT(FAR_VERSION_TEXT, text);
  CHECK_TEXT(far_version(), FAR_VERSION_TEXT); /* CMake's project version and the header's */
  CHECK(FAR_VERSION_MINOR < 1000 && FAR_VERSION_PATCH < 1000);
  CHECK(FAR_VERSION_NUMBER ==
        FAR_VERSION_OF(FAR_VERSION_MAJOR, FAR_VERSION_MINOR, FAR_VERSION_PATCH));
#if FAR_VERSION_NUMBER < FAR_VERSION_OF(0, 1, 0)
#error "the preprocessor compares versions"
#endif
}

static void test_status(void) {
  CHECK(FAR_OK == 0 && FAR_STATUS_SYNTAX == 1 && FAR_STATUS_MEMORY == 5 && FAR_STATUS_ABSENT == 10);
  CHECK_TEXT(far_status_text(FAR_OK), "success");
  for (int i = 0; i <= FAR_STATUS_ABSENT; ++i) {
    const char *text = far_status_text((far_status)i);
    CHECK(strcmp(text, "unknown status") != 0);
    for (int k = 0; k < i; ++k) CHECK(strcmp(text, far_status_text((far_status)k)) != 0);
  }
  CHECK_TEXT(far_status_text((far_status)(FAR_STATUS_ABSENT + 1)), "unknown status");
}

static void test_free(void) {
  far_mdp *mdp;
  char *text;
  size_t length;
  far_free(NULL);
  CHECK(far_mdp_create(&mdp, "chain:n=3", NULL) == FAR_OK);
  CHECK(far_mdp_print(&text, &length, mdp, FAR_FORMAT_JSON, 0, NULL) == FAR_OK);
  CHECK(strlen(text) == length);
  far_free(text);
  far_mdp_free(mdp);
}

int main(void) {
  test_version();
  test_status();
  test_free();
  return check_report();
}
