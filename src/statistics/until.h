/* What the texts of stopping rules share: "ci=1%,first=1000" and "rank=5%,first=1000". */
#ifndef FAR_STATISTICS_UNTIL_H
#define FAR_STATISTICS_UNTIL_H

#include "farsight/statistics.h"

/* Parses ",first=1000", which begins at byte `at` of the rule; SYNTAX or RANGE. */
far_status far__parse_first(int64_t *first, const char *text, int at, far_error *error);

/* RANGE unless the looks can grow by this factor, from `first` to `most` runs. */
far_status far__check_looks(int64_t first, double growth, int64_t most, far_error *error);

#endif
