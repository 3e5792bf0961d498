/* A server on one thread: a few connections, one request each, every one with a deadline. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "web/answer.h"
#include "web/folder.h"
#include "web/web.h"

#ifndef MSG_NOSIGNAL /* where it is absent the program must ignore SIGPIPE */
#define MSG_NOSIGNAL 0
#endif

enum { CONNECTIONS = 32, CHUNK = 65536, LOOK_MS = 500 };

/* LEAVING: after the answer the server ends its side of the connection, then reads and drops what the client still
 * sends. Closing the connection at once would discard bytes of the answer that the client has not read yet. */
typedef enum stage { READING, WRITING, LEAVING } stage;

typedef struct connection {
  int fd; /* -1: free */
  stage stage;
  double deadline;
  size_t used, sent; /* bytes: received of the request, sent of the answer's text */
  far__web_answer answer;
  char request[FAR__HTTP_HEAD];
} connection;

struct far__web {
  far__web_site site;
  int listener;
  unsigned port;
  double patience;
  bool full; /* no descriptor was left: no new connection for a moment */
  connection connections[CONNECTIONS];
  char chunk[CHUNK];
};

/* ---- one connection ---- */

static void end(connection *c) {
  close(c->fd);
  c->fd = -1;
  far__web_answer_free(&c->answer);
}

static bool would_wait(void) {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

static void leave(far__web *web, connection *c) {
  shutdown(c->fd, SHUT_WR);
  c->stage = LEAVING;
  c->deadline = far__clock_seconds() + (web->patience < 2 ? web->patience : 2);
}

static void respond(far__web *web, connection *c, far__http_status status,
                    const far__http_request *request) {
  far__web_answer_make(&c->answer, &web->site, status, request);
  c->sent = 0;
  c->stage = WRITING;
  c->deadline = far__clock_seconds() + web->patience;
  if (c->answer.text.failed) end(c);
}

static void read_request(far__web *web, connection *c) {
  far__http_request request;
  const ssize_t n = recv(c->fd, c->request + c->used, sizeof c->request - c->used, 0);
  if (n < 0 && would_wait()) return;
  if (n <= 0) {
    end(c);
    return;
  }
  c->used += (size_t)n;
  const far__http_status status = far__http_read(&request, c->request, c->used, web->port);
  if (status != FAR__HTTP_INCOMPLETE) respond(web, c, status, &request);
}

/* Finds the next bytes to send and returns their number; 0 at the end, or if the file has become shorter. */
static size_t next_bytes(far__web *web, const connection *c, const char **bytes) {
  const far__web_answer *a = &c->answer;
  *bytes = a->text.bytes + c->sent;
  if (c->sent < a->text.length) return a->text.length - c->sent;
  const size_t wanted = a->left < CHUNK ? (size_t)a->left : CHUNK;
  const ssize_t n = wanted > 0 ? pread(a->file, web->chunk, wanted, (off_t)a->offset) : 0;
  *bytes = web->chunk;
  return n > 0 ? (size_t)n : 0;
}

static void write_answer(far__web *web, connection *c) {
  const char *bytes;
  const size_t length = next_bytes(web, c, &bytes);
  if (length == 0) {
    leave(web, c);
    return;
  }
  const ssize_t n = send(c->fd, bytes, length, MSG_NOSIGNAL);
  if (n < 0 && would_wait()) return;
  if (n < 0) {
    end(c);
    return;
  }
  c->deadline = far__clock_seconds() + web->patience;
  if (bytes == web->chunk) {
    c->answer.offset += n;
    c->answer.left -= n;
  } else {
    c->sent += (size_t)n;
  }
}

static void drop_rest(far__web *web, connection *c) {
  const ssize_t n = recv(c->fd, web->chunk, sizeof web->chunk, 0);
  if (n == 0 || (n < 0 && !would_wait())) end(c);
}

static void advance(far__web *web, connection *c) {
  switch (c->stage) {
  case READING: read_request(web, c); break;
  case WRITING: write_answer(web, c); break;
  case LEAVING: drop_rest(web, c); break;
  }
}

static void give_up(far__web *web, connection *c) {
  if (c->stage == READING && c->used > 0)
    respond(web, c, FAR__HTTP_TIMEOUT, NULL);
  else
    end(c);
}

/* ---- new connections ---- */

/* A free connection, or else the one with the earliest deadline. */
static connection *oldest(far__web *web) {
  connection *out = &web->connections[0];
  for (connection *c = out; c < web->connections + CONNECTIONS; ++c) {
    if (c->fd < 0) return c;
    if (c->deadline < out->deadline) out = c;
  }
  return out;
}

/* Makes a descriptor non-blocking, and closed in programs that this process starts. */
static bool set_flags(int fd) {
  return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

static void welcome(far__web *web) {
  const int fd = accept(web->listener, NULL, NULL);
  web->full = fd < 0 && !would_wait() && errno != ECONNABORTED;
  if (fd < 0) return;
  if (!set_flags(fd)) {
    close(fd);
    return;
  }
  connection *c = oldest(web);
  if (c->fd >= 0) end(c);
  c->fd = fd;
  c->stage = READING;
  c->used = 0;
  c->deadline = far__clock_seconds() + web->patience;
}

/* ---- all connections ---- */

/* Waits for the next event; milliseconds are rounded up, so that a deadline has passed afterwards. */
static int wait(far__web *web, struct pollfd polled[CONNECTIONS + 1]) {
  const double now = far__clock_seconds();
  double rest = LOOK_MS / 1000.0;
  polled[CONNECTIONS] = (struct pollfd){.fd = web->full ? -1 : web->listener, .events = POLLIN};
  for (size_t i = 0; i < CONNECTIONS; ++i) {
    const connection *c = &web->connections[i];
    polled[i] =
        (struct pollfd){.fd = c->fd, .events = c->stage == WRITING ? POLLOUT : (short)POLLIN};
    if (c->fd >= 0 && c->deadline - now < rest) rest = c->deadline - now;
  }
  return poll(polled, CONNECTIONS + 1, rest > 0 ? (int)(1000 * rest) + 1 : 0);
}

static void attend(far__web *web, const struct pollfd polled[CONNECTIONS + 1]) {
  for (size_t i = 0; i < CONNECTIONS; ++i)
    if (polled[i].fd >= 0 && polled[i].revents != 0) advance(web, &web->connections[i]);
  web->full = false;
  if (polled[CONNECTIONS].revents != 0) welcome(web);
}

static void look_at_clocks(far__web *web) {
  const double now = far__clock_seconds();
  for (connection *c = web->connections; c < web->connections + CONNECTIONS; ++c)
    if (c->fd >= 0 && c->deadline <= now) give_up(web, c);
}

far_status far__web_serve(far__web *web, bool (*stop)(void *user), void *user, far_error *error) {
  struct pollfd polled[CONNECTIONS + 1];
  while (!stop(user)) {
    const int n = wait(web, polled);
    if (n < 0 && errno != EINTR)
      return far__fail(error, FAR_STATUS_IO, -1, "cannot wait for requests: %s", strerror(errno));
    if (n >= 0) attend(web, polled);
    look_at_clocks(web);
  }
  return FAR_OK;
}

/* ---- the beginning and the end ---- */

far__web_def far__web_def_default(void) {
  return (far__web_def){.patience = 10};
}

/* Loopback alone: no other machine can connect. */
static far_status listen_at(far__web *web, uint16_t port, far_error *error) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  socklen_t size = sizeof address;
  const int again = 1; /* allows a port that was closed a moment ago */
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  web->listener = socket(AF_INET, SOCK_STREAM, 0);
  if (web->listener >= 0 && set_flags(web->listener) &&
      setsockopt(web->listener, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again) == 0 &&
      bind(web->listener, (const struct sockaddr *)&address, size) == 0 &&
      listen(web->listener, SOMAXCONN) == 0 &&
      getsockname(web->listener, (struct sockaddr *)&address, &size) == 0) {
    web->port = ntohs(address.sin_port);
    return FAR_OK;
  }
  return far__fail(error, errno == EADDRINUSE ? FAR_STATUS_CONFLICT : FAR_STATUS_IO, -1,
                   "cannot listen on 127.0.0.1:%u: %s", port, strerror(errno));
}

/* Fails at the start, not at the first request, if the page cannot be read. */
static far_status check_page(const char *path, far_error *error) {
  FILE *file;
  const far_status status = far__file_open(&file, NULL, path, INT64_MAX, error);
  if (status == FAR_OK) fclose(file);
  return status;
}

far_status far__web_create(far__web **out, const far__web_def *def, far_error *error) {
  far__web *web = calloc(1, sizeof *web);
  *out = NULL;
  if (web == NULL) return far__fail(error, FAR_STATUS_MEMORY, -1, "no memory for the server");
  web->listener = web->site.folder = -1;
  for (size_t i = 0; i < CONNECTIONS; ++i)
    web->connections[i].fd = web->connections[i].answer.file = -1;
  web->patience = def->patience;
  web->site.page = strdup(def->page);
  far_status status = web->site.page != NULL ? check_page(def->page, error) : FAR_STATUS_MEMORY;
  if (web->site.page == NULL) status = far__fail(error, status, -1, "no memory for the server");
  if (status == FAR_OK && def->folder != NULL)
    status = far__folder_open(&web->site.folder, def->folder, error);
  if (status == FAR_OK) status = listen_at(web, def->port, error);
  if (status == FAR_OK)
    *out = web;
  else
    far__web_free(web);
  return status;
}

unsigned far__web_port(const far__web *web) {
  return web->port;
}

void far__web_free(far__web *web) {
  if (web == NULL) return;
  for (size_t i = 0; i < CONNECTIONS; ++i)
    if (web->connections[i].fd >= 0) end(&web->connections[i]);
  if (web->listener >= 0) close(web->listener);
  if (web->site.folder >= 0) close(web->site.folder);
  free(web->site.page);
  free(web);
}
