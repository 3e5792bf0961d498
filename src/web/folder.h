/* The files of one folder that may be served: by name, never by path. */
#ifndef FAR_WEB_FOLDER_H
#define FAR_WEB_FOLDER_H

#include "farsight/base.h"

typedef struct far__web_kind {
  const char *ending; /* of the file's name */
  const char *word;   /* the name of the kind, for people */
  const char *type;   /* the media type */
  const char *policy; /* the content-security policy */
} far__web_kind;

/* Content-security policies: what every policy ends in, and the policy of plain text, which loads and runs nothing. */
#define FAR__POLICY_REFUSALS "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
#define FAR__POLICY_TEXT "default-src 'none'; sandbox" FAR__POLICY_REFUSALS

/* The folder of this path as a descriptor. Fails with IO. */
far_status far__folder_open(int *out, const char *path, far_error *error);

/* Opens the file of this name and returns its descriptor; -1 if it may not be served. It must be of a known kind
 * (*kind), a regular file, directly in the folder, no symbolic link and not hidden; an HTML file must be a page that
 * Farsight wrote. *size is its size in bytes. */
int far__folder_file(const far__web_kind **kind, int64_t *size, int folder, const char *name);

/* Adds an HTML page that lists the files that far__folder_file opens. */
void far__folder_index(far_buffer *out, int folder);

#endif
