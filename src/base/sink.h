/* Writing to a sink, with a status that says what failed. */
#ifndef FAR_BASE_SINK_H
#define FAR_BASE_SINK_H

#include "farsight/sink.h"
#include "farsight/status.h"

/* Writes all bytes; `what` they are is for the message: "the report". Fails with MEMORY where the sink
 * is a buffer, which can fail in no other way, else with IO. */
far_status far__sink_write(far_sink sink, const char *bytes, size_t length, const char *what,
                           far_error *error);

#endif
