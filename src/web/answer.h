/* Answers to HTTP requests. */
#ifndef FAR_WEB_ANSWER_H
#define FAR_WEB_ANSWER_H

#include <stdint.h>

#include "web/http.h"

/* The files that are served. */
typedef struct far__web_site {
  char *page; /* the path of the playground */
  int folder; /* descriptor of the folder of reports; -1: none */
} far__web_site;

/* An answer: bytes to be sent, then `left` bytes of a file from `offset` on. */
typedef struct far__web_answer {
  far_buffer text;
  int file;             /* -1: none */
  int64_t offset, left; /* of the file */
} far__web_answer;

/* Makes the answer to a request that far__http_read gave this status; `request` is NULL if none was read. Without
 * memory out->text.failed is true. */
void far__web_answer_make(far__web_answer *out, const far__web_site *site, far__http_status status,
                          const far__http_request *request);

void far__web_answer_free(far__web_answer *answer);

#endif
