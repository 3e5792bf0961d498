#ifndef FAR_ANALYSIS_LABEL_H
#define FAR_ANALYSIS_LABEL_H

#include <stdbool.h>

/* Two specs have the same name before the colon. */
bool far__same_type(const char *a, const char *b);

#endif
