/* HTTP/1.1 as functions of text: the head of a request in, the head of an answer out. No sockets here. */
#ifndef FAR_WEB_HTTP_H
#define FAR_WEB_HTTP_H

#include "farsight/base.h"

enum {
  FAR__HTTP_HEAD = 16384,  /* the most bytes of a request's head: line and fields */
  FAR__HTTP_TARGET = 2048, /* the most bytes of the target in the request line */
};

typedef enum far__http_status {
  FAR__HTTP_INCOMPLETE = 0, /* more bytes are needed */
  FAR__HTTP_OK = 200,
  FAR__HTTP_MOVED = 308,
  FAR__HTTP_BAD = 400,
  FAR__HTTP_FORBIDDEN = 403,
  FAR__HTTP_NOT_FOUND = 404,
  FAR__HTTP_METHOD = 405,
  FAR__HTTP_TIMEOUT = 408,
  FAR__HTTP_LONG_TARGET = 414,
  FAR__HTTP_LONG_HEAD = 431,
  FAR__HTTP_FAILED = 500,
  FAR__HTTP_VERSION = 505,
} far__http_status;

typedef struct far__http_request {
  bool head_only;                  /* HEAD: no body is sent */
  char path[FAR__HTTP_TARGET + 1]; /* decoded, without the query; begins with '/' */
} far__http_request;

/* Reads the head of a request that came to 127.0.0.1:port. OK fills *out; after any other status only out->head_only
 * is valid. The grammar is that of RFC 9112, strictly: lines end in CR LF, names of fields are tokens, no field is
 * folded, the target is a path. INCOMPLETE is returned only while `length` is less than FAR__HTTP_HEAD. Bytes after the
 * head are ignored.
 *
 * Returns FORBIDDEN if the field Host names neither 127.0.0.1 nor localhost with this port: another site whose name was
 * made to point to this machine (DNS rebinding) sends its own name. Returns METHOD for methods other than GET and
 * HEAD. */
far__http_status far__http_read(far__http_request *out, const char *bytes, size_t length,
                                unsigned port);

typedef struct far__http_answer {
  far__http_status status;
  const char *type;   /* of the body: "text/html; charset=utf-8" */
  const char *policy; /* the content-security policy */
  const char *fields; /* further fields, each ended by CR LF; NULL: none */
  uint64_t length;    /* of the body */
} far__http_answer;

/* Adds the head of an answer, with "Connection: close". */
void far__http_head(far_buffer *out, const far__http_answer *answer);

/* The words for a status, such as "Not Found". */
const char *far__http_reason(far__http_status status);

/* Adds text, percent-encoded as a component of an address, as by JavaScript's encodeURIComponent. */
void far__http_encode(far_buffer *out, const char *text);

#endif
