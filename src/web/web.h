/* The playground: the file of its page, links into the page, and a small server for browsers on this machine.
 *
 *     char *page;
 *     far__web_def def = far__web_def_default();
 *     far_status status = far__web_find(&page, &error);
 *     def.page = page;
 *     def.folder = "results";                           set only what differs
 *     far__web *web = NULL;
 *     if (status == FAR_OK) status = far__web_create(&web, &def, &error);
 *     if (status == FAR_OK) printf("http://127.0.0.1:%u/\n", far__web_port(web));
 *     if (status == FAR_OK) status = far__web_serve(web, stop, NULL, &error);
 *     far__web_free(web);
 *     far_free(page);
 */
#ifndef FAR_WEB_WEB_H
#define FAR_WEB_WEB_H

#include "farsight/base.h"

/* ---- the page ---- */

/* The path of the page, to be freed by far_free: that of the environment variable FARSIGHT_WEB_PAGE; else
 * playground.html beside the file that holds this library (in a folder of a build), or in ../share/farsight (of an
 * installation). Fails with ABSENT where there is none of the latter two, or MEMORY. */
far_status far__web_find(char **path, far_error *error);

/* Copies the page to a file, which is replaced when the new one is complete; *bytes (may be NULL) is its size. Fails
 * with IO or MEMORY. */
far_status far__web_save(const char *page, const char *path, size_t *bytes, far_error *error);

/* Limits of the page: agents shown, steps of a run. */
enum { FAR__WEB_AGENTS = 4, FAR__WEB_STEPS = 1000000000 };

/* What a link makes the page show. */
typedef struct far__web_link_def {
  const char *env;           /* a spec */
  const char *const *agents; /* specs */
  size_t n_agents;
  int64_t steps;        /* 0 by default: the page chooses */
  const uint64_t *seed; /* NULL by default: the page chooses */
} far__web_link_def;

/* Adds the fragment of the page's address for a link: "#env=chain%3An%3D50&agent=q-learning&steps=10000&seed=3". The
 * specs are not checked. */
void far__web_link(far_buffer *out, const far__web_link_def *def);

/* ---- the server ---- */

typedef struct far__web far__web;

typedef struct far__web_def {
  const char *page;   /* the path of the page, which is served at / */
  const char *folder; /* one whose files are served below /reports/; NULL by default: none */
  uint16_t port;      /* 0 by default: one that is free */
  double patience; /* seconds that a client may take for a request, or do nothing; 10 by default */
} far__web_def;

far__web_def far__web_def_default(void);

/* Listens on 127.0.0.1, and nowhere else. Of the folder it serves what stands in it directly: pages that Farsight
 * wrote (.html), figures (.svg), stores (.db) and model files (.json, .drn, .mdp, .pomdp); no hidden files, no
 * symbolic links. The page is read when it is asked for. Fails with CONFLICT (the port is taken), IO or MEMORY. */
far_status far__web_create(far__web **out, const far__web_def *def, far_error *error);

unsigned far__web_port(const far__web *web);

/* Answers requests (GET and HEAD) until `stop`, which is asked after every event, after every signal, and twice a
 * second at least, returns true. All on this thread. Requests that are addressed to another host or port than this
 * server's are refused. Fails with IO. */
far_status far__web_serve(far__web *web, bool (*stop)(void *user), void *user, far_error *error);

void far__web_free(far__web *web);

#endif
