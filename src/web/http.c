#include "web/http.h"

#include <string.h>

#include "base/text.h"

/* ---- characters ---- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool among(char c, const char *set) {
  return c != '\0' && strchr(set, c) != NULL;
}

/* Is the character allowed in names of methods and fields? */
static bool is_token(char c) {
  return is_digit(c) || is_letter(c) || among(c, "!#$%&'*+-.^_`|~");
}

/* Is the character allowed in the value of a field? All are but control characters other than a tab. */
static bool is_value(char c) {
  return c == '\t' || ((unsigned char)c >= ' ' && c != 127);
}

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  return lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}

/* ---- pieces of text, not ended by a zero ---- */

typedef struct piece {
  const char *text;
  size_t length;
} piece;

static size_t span(piece of, bool (*belongs)(char c)) {
  size_t n = 0;
  while (n < of.length && belongs(of.text[n])) ++n;
  return n;
}

static piece behind(piece of, size_t n) {
  return (piece){of.text + n, of.length - n};
}

static bool is_text(piece of, const char *text) {
  return of.length == strlen(text) && memcmp(of.text, text, of.length) == 0;
}

static bool is_word(piece of, const char *lower_case) {
  if (of.length != strlen(lower_case)) return false;
  for (size_t i = 0; i < of.length; ++i)
    if (lower(of.text[i]) != lower_case[i]) return false;
  return true;
}

static piece trimmed(piece of) {
  while (of.length > 0 && among(of.text[0], " \t")) of = behind(of, 1);
  while (of.length > 0 && among(of.text[of.length - 1], " \t")) --of.length;
  return of;
}

/* The next line, without its end; INCOMPLETE where there is none. */
static far__http_status take_line(piece *from, piece *line) {
  const char *end = from->length > 0 ? memchr(from->text, '\n', from->length) : NULL;
  if (end == NULL) return FAR__HTTP_INCOMPLETE;
  const size_t n = (size_t)(end - from->text);
  if (n == 0 || end[-1] != '\r') return FAR__HTTP_BAD;
  *line = (piece){from->text, n - 1};
  *from = behind(*from, n + 1);
  return FAR__HTTP_OK;
}

/* ---- the request line ---- */

static bool is_target(char c) {
  return (unsigned char)c > ' ' && (unsigned char)c < 127 && c != '#';
}

/* Decodes the path before a query; refuses control characters and incomplete percent-encodings. */
static far__http_status read_path(char *out, piece target) {
  size_t n = 0;
  for (size_t i = 0; i < target.length && target.text[i] != '?'; ++i) {
    int code = (unsigned char)target.text[i];
    if (code == '%') {
      if (i + 2 >= target.length) return FAR__HTTP_BAD;
      const int high = hex_digit(target.text[i + 1]), low = hex_digit(target.text[i + 2]);
      if (high < 0 || low < 0) return FAR__HTTP_BAD;
      code = 16 * high + low;
      i += 2;
    }
    if (code < ' ' || code == 127) return FAR__HTTP_BAD;
    out[n++] = (char)code;
  }
  out[n] = '\0';
  return out[0] == '/' ? FAR__HTTP_OK : FAR__HTTP_BAD;
}

static far__http_status read_version(piece version) {
  const piece number = behind(version, version.length < 5 ? version.length : 5);
  if (number.length != 3 || memcmp(version.text, "HTTP/", 5) != 0) return FAR__HTTP_BAD;
  if (!is_digit(number.text[0]) || number.text[1] != '.' || !is_digit(number.text[2]))
    return FAR__HTTP_BAD;
  return number.text[0] == '1' ? FAR__HTTP_OK : FAR__HTTP_VERSION;
}

/* Reads "METHOD TARGET VERSION", with one space between them. Returns FAR__HTTP_METHOD if the method is neither GET nor
 * HEAD and the rest is valid. */
static far__http_status read_request_line(far__http_request *out, piece line) {
  const piece method = {line.text, span(line, is_token)};
  piece rest = behind(line, method.length);
  if (method.length == 0 || rest.length == 0 || rest.text[0] != ' ') return FAR__HTTP_BAD;
  rest = behind(rest, 1);
  const piece target = {rest.text, span(rest, is_target)};
  rest = behind(rest, target.length);
  if (target.length == 0 || rest.length == 0 || rest.text[0] != ' ') return FAR__HTTP_BAD;
  if (target.length > FAR__HTTP_TARGET) return FAR__HTTP_LONG_TARGET;
  far__http_status status = read_version(behind(rest, 1));
  out->head_only = is_text(method, "HEAD");
  if (status == FAR__HTTP_OK && !out->head_only && !is_text(method, "GET"))
    return FAR__HTTP_METHOD; /* the target of such a method need not be a path */
  return status == FAR__HTTP_OK ? read_path(out->path, target) : status;
}

/* ---- fields ---- */

/* "127.0.0.1:8017"; the port may be left out only if it is 80. */
static bool is_own_host(piece host, unsigned port) {
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char with_port[32];
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(with_port, sizeof with_port, "%s:%u", names[i], port);
    if (is_word(host, with_port) || (port == 80 && is_word(host, names[i]))) return true;
  }
  return false;
}

/* Reads all fields up to the empty line, and checks the field Host. */
static far__http_status read_fields(piece from, unsigned port) {
  size_t hosts = 0;
  bool own = false;
  for (;;) {
    piece line;
    const far__http_status status = take_line(&from, &line);
    if (status != FAR__HTTP_OK) return status;
    if (line.length == 0) break;
    const piece name = {line.text, span(line, is_token)};
    const piece rest = behind(line, name.length);
    if (name.length == 0 || rest.length == 0 || rest.text[0] != ':') return FAR__HTTP_BAD;
    if (span(behind(rest, 1), is_value) + 1 < rest.length) return FAR__HTTP_BAD;
    if (!is_word(name, "host")) continue;
    hosts += 1;
    own = is_own_host(trimmed(behind(rest, 1)), port);
  }
  if (hosts > 1) return FAR__HTTP_BAD;
  return own ? FAR__HTTP_OK : FAR__HTTP_FORBIDDEN;
}

/* The status if no head ends within FAR__HTTP_HEAD bytes: its first line is too long, or its fields. */
static far__http_status too_long(piece all) {
  const size_t line = FAR__HTTP_TARGET + 32; /* a method and a version are short */
  const char *end = memchr(all.text, '\n', all.length);
  return end == NULL || (size_t)(end - all.text) > line ? FAR__HTTP_LONG_TARGET
                                                        : FAR__HTTP_LONG_HEAD;
}

far__http_status far__http_read(far__http_request *out, const char *bytes, size_t length,
                                unsigned port) {
  const piece all = {bytes, length < FAR__HTTP_HEAD ? length : FAR__HTTP_HEAD};
  piece rest = all, line;
  out->head_only = false;
  out->path[0] = '\0';
  far__http_status status = take_line(&rest, &line), fields = FAR__HTTP_INCOMPLETE;
  if (status == FAR__HTTP_OK) {
    status = read_request_line(out, line);
    if (status != FAR__HTTP_OK && status != FAR__HTTP_METHOD) return status;
    fields = read_fields(rest, port);
  }
  if (status == FAR__HTTP_BAD) return status;
  if (fields == FAR__HTTP_INCOMPLETE)
    return all.length < FAR__HTTP_HEAD ? FAR__HTTP_INCOMPLETE : too_long(all);
  return fields == FAR__HTTP_OK ? status : fields;
}

/* ---- answers ---- */

const char *far__http_reason(far__http_status status) {
  switch (status) {
  case FAR__HTTP_OK: return "OK";
  case FAR__HTTP_MOVED: return "Permanent Redirect";
  case FAR__HTTP_BAD: return "Bad Request";
  case FAR__HTTP_FORBIDDEN: return "Forbidden";
  case FAR__HTTP_NOT_FOUND: return "Not Found";
  case FAR__HTTP_METHOD: return "Method Not Allowed";
  case FAR__HTTP_TIMEOUT: return "Request Timeout";
  case FAR__HTTP_LONG_TARGET: return "URI Too Long";
  case FAR__HTTP_LONG_HEAD: return "Request Header Fields Too Large";
  case FAR__HTTP_VERSION: return "HTTP Version Not Supported";
  case FAR__HTTP_INCOMPLETE:
  case FAR__HTTP_FAILED: break;
  }
  return "Internal Server Error";
}

void far__http_head(far_buffer *out, const far__http_answer *answer) {
  far__text_format(out,
                   "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: ", (int)answer->status,
                   far__http_reason(answer->status), answer->type);
  far__text_count(out, answer->length);
  far__put(out, "\r\nContent-Security-Policy: ");
  far__put(out, answer->policy);
  far__put(out, "\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                "Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n"
                "Connection: close\r\n");
  if (answer->fields != NULL) far__put(out, answer->fields);
  far__put(out, "\r\n");
}

void far__http_encode(far_buffer *out, const char *text) {
  static const char digits[] = "0123456789ABCDEF";
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    const char escaped[3] = {'%', digits[c >> 4], digits[c & 15]};
    const bool plain = is_digit(*text) || is_letter(*text) || among(*text, "-_.!~*'()");
    far_buffer_add(out, plain ? text : escaped, plain ? 1 : 3);
  }
}
