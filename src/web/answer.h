/* What a request is answered with. */
#ifndef FAR_WEB_ANSWER_H
#define FAR_WEB_ANSWER_H

#include <stdint.h>

#include "web/http.h"

/* What there is to serve. */
typedef struct far__web_site {
  char *page; /* the path of the playground */
  int folder; /* of reports; -1: none */
} far__web_site;

/* Bytes to be sent, and then the rest of a file. */
typedef struct far__web_answer {
  far_buffer text;
  int file;             /* -1: none */
  int64_t offset, left; /* of the file */
} far__web_answer;

/* An answer to a request of this status; `request` is NULL where none was read. Without memory text.failed is
 * true. */
void far__web_answer_make(far__web_answer *out, const far__web_site *site, far__http_status status,
                          const far__http_request *request);

void far__web_answer_free(far__web_answer *answer);

#endif
