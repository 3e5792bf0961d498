/* In place of the reader of YAML where the build found no libyaml. */
#include "base/error.h"
#include "lab/study/tree.h"

far_status far__tree_parse(far__tree *out, const char *text, size_t length, far_error *error) {
  (void)text, (void)length;
  *out = (far__tree){0};
  return far__fail(
      error, FAR_STATUS_ABSENT, -1,
      "this farsight was built without libyaml, so it cannot read study files; install "
      "libyaml-dev and build again, or give the study on the command line");
}
