/* The files of one folder that may be served: by name, never by path. */
#ifndef FAR_WEB_FOLDER_H
#define FAR_WEB_FOLDER_H

#include "farsight/base.h"

typedef struct far__web_kind {
  const char *ending; /* of the name */
  const char *word;   /* for people */
  const char *type;   /* the media type */
  const char *policy; /* its content-security policy */
} far__web_kind;

/* Policies. One that shows text alone: nothing is loaded, nothing runs. */
#define FAR__POLICY_REFUSALS "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
#define FAR__POLICY_TEXT "default-src 'none'; sandbox" FAR__POLICY_REFUSALS

/* The folder of this path as a descriptor. Fails with IO. */
far_status far__folder_open(int *out, const char *path, far_error *error);

/* The file of this name as a descriptor, or -1: it must be of one of the kinds, which *kind gets, a regular file
 * and no symbolic link, stand in the folder itself, not be hidden, and if it is HTML be a page that Farsight
 * wrote. *size: its bytes. */
int far__folder_file(const far__web_kind **kind, int64_t *size, int folder, const char *name);

/* Adds a page that lists these files. */
void far__folder_index(far_buffer *out, int folder);

#endif
