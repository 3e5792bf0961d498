/* Writing to a sink, with a status. */
#ifndef FAR_BASE_SINK_H
#define FAR_BASE_SINK_H

#include "farsight/base.h"

/* Writes all bytes. Fails with MEMORY where the sink is a buffer, else with IO; `what` is for the message, as in
 * "the report". */
far_status far__sink_write(far_sink sink, const char *bytes, size_t length, const char *what,
                           far_error *error);

#endif
