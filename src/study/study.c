#include "farsight/study.h"

far_study_def far_study_def_default(void) {
  return (far_study_def){.steps = 10000, .runs = 300, .seed = 1};
}
