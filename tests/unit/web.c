/* The server of the playground: requests read from text, links, the page as a file, and clients that are slow. */
#include <farsight/lab.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "web/http.h"
#include "web/web.h"

static char folder[] = "/tmp/farsight-web-XXXXXX";

/* FOLDER/NAME; valid until the fourth call after it. */
static const char *at(const char *name) {
  static char paths[4][200];
  static int next;
  next = (next + 1) % 4;
  snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
  return paths[next];
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* ---- requests ---- */

static far__http_status read_text(far__http_request *out, const char *text) {
  return far__http_read(out, text, strlen(text), 8017);
}

static void test_requests(void) {
  static const char plain[] =
      "GET /a%20b%2Fc?d=%2 HTTP/1.1\r\nX: 1\r\nHost: localhost:8017\r\n\r\n";
  far__http_request request;
  CHECK(read_text(&request, plain) == FAR__HTTP_OK);
  CHECK(!request.head_only);
  CHECK_TEXT(request.path, "/a b/c");
  for (size_t n = 0; n + 1 < sizeof plain; ++n)
    CHECK(far__http_read(&request, plain, n, 8017) == FAR__HTTP_INCOMPLETE);
  CHECK(far__http_read(&request, plain, sizeof plain - 1, 8018) == FAR__HTTP_FORBIDDEN);
  CHECK(read_text(&request, "HEAD / HTTP/1.0\r\nHOST:127.0.0.1:8017\r\n\r\n") == FAR__HTTP_OK);
  CHECK(request.head_only);
  CHECK(far__http_read(&request, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 35, 80) ==
        FAR__HTTP_OK);
  CHECK(read_text(&request, "PUT * HTTP/1.1\r\nHost: localhost:8017\r\n\r\n") == FAR__HTTP_METHOD);
  CHECK(read_text(&request, "PUT / HTTP/1.1\r\nHost: evil:8017\r\n\r\n") == FAR__HTTP_FORBIDDEN);
  CHECK(read_text(&request, "PUT / HTTP/1.1\r\n") == FAR__HTTP_INCOMPLETE);
  CHECK(read_text(&request, "GET /%4 HTTP/1.1\r\n") == FAR__HTTP_BAD);
  CHECK(read_text(&request, "GET / HTTP/3.0\r\n") == FAR__HTTP_VERSION);
  CHECK(read_text(&request, "GET / HTTP/1.1\n") == FAR__HTTP_BAD);
}

/* A head of exactly the most bytes is read; one more is not, wherever it stands. */
static void test_limits(void) {
  static const char start[] = "GET / HTTP/1.1\r\nHost: localhost:8017\r\nX: ";
  static char text[FAR__HTTP_HEAD + 100];
  far__http_request request;
  memset(text, 'x', sizeof text);
  memcpy(text, start, sizeof start - 1);
  CHECK(far__http_read(&request, text, FAR__HTTP_HEAD - 1, 8017) == FAR__HTTP_INCOMPLETE);
  CHECK(far__http_read(&request, text, FAR__HTTP_HEAD, 8017) == FAR__HTTP_LONG_HEAD);
  memcpy(text + FAR__HTTP_HEAD - 4, "\r\n\r\n", 4);
  CHECK(far__http_read(&request, text, FAR__HTTP_HEAD, 8017) == FAR__HTTP_OK);
  memcpy(text + FAR__HTTP_HEAD - 4, "x\r\n\r\n", 5);
  CHECK(far__http_read(&request, text, FAR__HTTP_HEAD + 1, 8017) == FAR__HTTP_LONG_HEAD);
  memset(text, '/', sizeof text);
  memcpy(text, "GET ", 4);
  CHECK(far__http_read(&request, text, FAR__HTTP_HEAD, 8017) == FAR__HTTP_LONG_TARGET);
  memcpy(text + 4 + FAR__HTTP_TARGET, " HTTP/1.1\r\nHost: localhost:8017\r\n\r\n", 35);
  CHECK(far__http_read(&request, text, sizeof text, 8017) == FAR__HTTP_OK);
  CHECK(strlen(request.path) == FAR__HTTP_TARGET);
  memcpy(text + 4 + FAR__HTTP_TARGET, "/ HTTP/1.1\r\nHost: localhost:8017\r\n\r\n", 36);
  CHECK(far__http_read(&request, text, sizeof text, 8017) == FAR__HTTP_LONG_TARGET);
}

/* ---- the page ---- */

static void test_link(void) {
  const char *const agents[] = {"r-max:m=3", "q-learning"};
  const uint64_t seed = UINT64_MAX;
  far_buffer out = {0};
  far__web_link(&out,
                &(far__web_link_def){.env = "grid:map=S#/.G", .agents = agents, .n_agents = 2});
  CHECK_TEXT(out.bytes, "#env=grid%3Amap%3DS%23%2F.G&agent=r-max%3Am%3D3&agent=q-learning");
  out.length = 0;
  far__web_link(&out,
                &(far__web_link_def){.env = "a-_.!~*'()&+ \xc3\xa9", .steps = 5, .seed = &seed});
  CHECK_TEXT(out.bytes, "#env=a-_.!~*'()%26%2B%20%C3%A9&steps=5&seed=18446744073709551615");
  far_buffer_free(&out);
}

static void test_page(void) {
  far_error error;
  char *path;
  size_t bytes;
  setenv("FARSIGHT_WEB_PAGE", at("page"), 1);
  CHECK(far__web_find(&path, &error) == FAR_OK);
  CHECK_TEXT(path, at("page"));
  write_file(path, "the page");
  CHECK(far__web_save(path, at("copy"), &bytes, &error) == FAR_OK && bytes == 8);
  CHECK(far__web_save(at("absent"), at("copy"), &bytes, &error) == FAR_STATUS_IO && bytes == 0);
  CHECK(far__web_save(path, at("absent/copy"), NULL, &error) == FAR_STATUS_IO);
  CHECK(access(at("copy"), F_OK) == 0 && unlink(at("copy")) == 0);
  far_free(path);
}

/* ---- the server ---- */

static const char request[] = "GET / HTTP/1.0\r\nHost: localhost:";

static far__web *start(double patience) {
  far__web_def def = far__web_def_default();
  far__web *web = NULL;
  far_error error;
  CHECK(def.patience >= 5 && def.port == 0 && def.folder == NULL);
  def.page = at("page");
  def.patience = patience;
  CHECK(far__web_create(&web, &def, &error) == FAR_OK);
  return web;
}

static int connect_to(const far__web *web) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)far__web_port(web))};
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(connect(fd, (const struct sockaddr *)&address, sizeof address) == 0);
  return fd;
}

static int open_files(void) {
  int n = 0;
  for (int fd = 0; fd < 256; ++fd) n += fcntl(fd, F_GETFD) >= 0;
  return n;
}

/* A client on the server's own thread: it acts whenever the server asks whether to stop. */
typedef struct client {
  int fd, drips; /* bytes that it still sends, one in 10 ms */
  int files;     /* open ones after which it is satisfied; 0: reads until the end */
  int looks;     /* after so many it gives up; 0: never */
  size_t length;
  char answer[2000];
} client;

static bool act(void *user) {
  client *c = user;
  if (c->drips > 0) {
    nanosleep(&(struct timespec){0, 10000000}, NULL);
    c->drips -= send(c->fd, "x", 1, MSG_NOSIGNAL) == 1;
  }
  if (c->looks > 0 && --c->looks == 0) return true;
  if (c->files > 0) return open_files() == c->files;
  const ssize_t n =
      recv(c->fd, c->answer + c->length, sizeof c->answer - 1 - c->length, MSG_DONTWAIT);
  if (n > 0) c->length += (size_t)n;
  return n == 0 || c->length == sizeof c->answer - 1;
}

static void serve(far__web *web, client *c) {
  far_error error;
  CHECK(far__web_serve(web, act, c, &error) == FAR_OK);
}

static void send_request(const far__web *web, int fd) {
  char text[100];
  snprintf(text, sizeof text, "%s%u\r\n\r\n", request, far__web_port(web));
  CHECK(send(fd, text, strlen(text), 0) == (ssize_t)strlen(text));
}

static void test_answer(void) {
  far__web *web = start(60);
  client c = {.fd = connect_to(web)};
  send_request(web, c.fd);
  serve(web, &c);
  CHECK_CONTAINS(c.answer, "HTTP/1.1 200 OK\r\n");
  CHECK_CONTAINS(c.answer, "\r\n\r\nthe page");
  close(c.fd);
  far__web_free(web);
  far__web_free(NULL);
}

/* One that never finishes its request is told so, however busy it is; one that says nothing is left. */
static void test_slow(void) {
  far__web *web = start(0.05);
  client c = {.fd = connect_to(web), .drips = 50};
  CHECK(send(c.fd, request, strlen(request), 0) > 0);
  serve(web, &c);
  CHECK_CONTAINS(c.answer, "HTTP/1.1 408 Request Timeout\r\n");
  CHECK(c.drips > 0);
  close(c.fd);
  client idle = {.fd = connect_to(web)};
  serve(web, &idle);
  CHECK(idle.length == 0);
  close(idle.fd);
  far__web_free(web);
}

/* One that does not read its answer is given up: its connection and the page are closed. */
static void test_no_reader(void) {
  far__web *web = start(0.05);
  client c = {.fd = connect_to(web), .files = open_files(), .looks = 400};
  CHECK(truncate(at("page"), 1 << 25) == 0); /* more than the system keeps for it */
  send_request(web, c.fd);
  serve(web, &(client){.fd = c.fd, .files = c.files + 2}); /* both are open now */
  serve(web, &c);
  CHECK(open_files() == c.files);
  CHECK(truncate(at("page"), 8) == 0);
  close(c.fd);
  far__web_free(web);
}

/* More clients that wait than there is room for: the one that asks is answered all the same. */
static void test_crowd(void) {
  enum { CROWD = 40 };
  far__web *web = start(1e6);
  int crowd[CROWD];
  for (int i = 0; i < CROWD; ++i) {
    crowd[i] = connect_to(web);
    serve(web, &(client){.fd = crowd[i], .looks = 2});
  }
  client c = {.fd = connect_to(web), .looks = 40};
  send_request(web, c.fd);
  serve(web, &c);
  CHECK_CONTAINS(c.answer, "\r\n\r\nthe page");
  for (int i = 0; i < CROWD; ++i) close(crowd[i]);
  close(c.fd);
  far__web_free(web);
}

/* Without a descriptor for a connection it waits until there is one. */
static bool after_ten(void *user) {
  return ++*(int *)user > 10;
}

static void test_no_descriptors(void) {
  far__web *web = start(60);
  client c = {.fd = connect_to(web)};
  struct rlimit before, few;
  far_error error;
  int looks = 8, copies[64], n = 0;
  send_request(web, c.fd);
  CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
  few = before;
  few.rlim_cur = 64; /* poll needs so many */
  CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
  while (n < 64 && (copies[n] = dup(c.fd)) >= 0) ++n;
  CHECK(far__web_serve(web, after_ten, &looks, &error) == FAR_OK);
  while (n > 0) close(copies[--n]);
  CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
  serve(web, &c);
  CHECK_CONTAINS(c.answer, "\r\n\r\nthe page");
  close(c.fd);
  far__web_free(web);
}

static void test_refusals(void) {
  far__web *web = start(60), *other;
  far__web_def def = far__web_def_default();
  far_error error;
  def.page = at("page");
  def.port = (uint16_t)far__web_port(web);
  CHECK(far__web_create(&other, &def, &error) == FAR_STATUS_CONFLICT && other == NULL);
  def.port = 0;
  def.folder = at("page");
  CHECK(far__web_create(&other, &def, &error) == FAR_STATUS_IO && other == NULL);
  def.page = folder;
  CHECK(far__web_create(&other, &def, &error) == FAR_STATUS_IO && other == NULL);
  CHECK_CONTAINS(error.message, "not a regular file");
  far__web_free(web);
}

int main(void) {
  CHECK(mkdtemp(folder) != NULL);
  const int files = open_files();
  test_requests();
  test_limits();
  test_link();
  test_page();
  test_answer();
  test_slow();
  test_no_reader();
  test_crowd();
  test_no_descriptors();
  test_refusals();
  CHECK(open_files() == files);
  CHECK(unlink(at("page")) == 0 && rmdir(folder) == 0);
  return check_report();
}
