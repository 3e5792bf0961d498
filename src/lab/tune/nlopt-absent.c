/* In place of NLopt's method where the build found no NLopt. */
#include "base/error.h"
#include "lab/tune/search.h"

far_status far__search_nlopt(far__search *search, far_error *error) {
  (void)search;
  return far__fail(error, FAR_STATUS_ABSENT, -1,
                   "this farsight was built without NLopt, so it has no method 'crs'; install "
                   "libnlopt-dev and build again, or use random or halving");
}
