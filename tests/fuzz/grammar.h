/* Text made by the parameter tables of the library: what plain bytes hardly ever become. The tables are asked when a
 * target runs, so that new agents and environments are in at once. */
#ifndef FARSIGHT_TESTS_FUZZ_GRAMMAR_H
#define FARSIGHT_TESTS_FUZZ_GRAMMAR_H

#include <farsight/farsight.h>
#include <stdarg.h>
#include <stdio.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

typedef struct dice {
  uint64_t word;
} dice;

static inline dice dice_of(unsigned seed) {
  return (dice){(seed + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15)};
}

/* A number below n. */
static inline size_t roll(dice *d, size_t n) {
  d->word ^= d->word >> 12;
  d->word ^= d->word << 25;
  d->word ^= d->word >> 27;
  return (size_t)((d->word * UINT64_C(2685821657736338717) >> 32) % n);
}

typedef struct line {
  char text[2048];
  size_t length;
} line;

__attribute__((format(printf, 2, 3))) static inline void put(line *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(out->text + out->length, sizeof out->text - out->length, format, list);
  va_end(list);
  if (n > 0 && out->length + (size_t)n < sizeof out->text) out->length += (size_t)n;
  out->text[out->length] = '\0';
}

static inline size_t length_of(far_listing *listing) {
  size_t n = 0;
  while (listing(n) != NULL) ++n;
  return n;
}

/* One of the words between bars. */
static inline void put_choice(line *out, dice *d, const char *words) {
  size_t count = 1;
  for (const char *p = words; *p != '\0'; ++p) count += *p == '|';
  for (size_t skip = roll(d, count); skip > 0; --skip) words = strchr(words, '|') + 1;
  put(out, "%.*s", (int)strcspn(words, "|"), words);
}

static inline void put_number(line *out, dice *d, const far_param *p) {
  static const char *const odd[] = {"0",
                                    "1",
                                    "2",
                                    "0.5",
                                    "0.99",
                                    "-1",
                                    "1e-300",
                                    "1e300",
                                    "inf",
                                    "3e0",
                                    "007",
                                    "1.5",
                                    "9007199254740993"};
  switch (roll(d, 4)) {
  case 0: put(out, "%.17g", p->min); break;
  case 1: put(out, "%.17g", p->max); break;
  case 2: put(out, "%zu", roll(d, 12)); break;
  default: put(out, "%s", odd[roll(d, sizeof odd / sizeof *odd)]);
  }
}

static inline void put_value(line *out, dice *d, const far_param *p) {
  static const char *const texts[] = {"", "x", "SF/HG", "SFFG/FHFH", "S.G", "a b", "@"};
  if (!p->derived && p->fallback != NULL && roll(d, 3) == 0)
    put(out, "%s", p->fallback);
  else if (p->kind == FAR_PARAM_CHOICE)
    put_choice(out, d, p->choices);
  else if (p->kind == FAR_PARAM_TEXT)
    put(out, "%s", texts[roll(d, sizeof texts / sizeof *texts)]);
  else
    put_number(out, d, p);
}

/* A number of three digits or more, or a tree of ten levels: such models may be slow, not wrong. */
static inline bool is_large(const char *text) {
  const char *depth = strstr(text, "depth=");
  if (depth != NULL && depth[6] != '\0' && depth[7] >= '0' && depth[7] <= '9') return true;
  size_t digits = 0;
  for (; *text != '\0' && digits < 3; ++text) {
    if (*text == '.') text += strspn(text + 1, "0123456789"); /* decimals do no harm */
    digits = *text >= '0' && *text <= '9' ? digits + 1 : 0;
  }
  return digits >= 3;
}

/* NAME:KEY=VALUE,KEY=VALUE, mostly right. */
static inline void put_spec(line *out, dice *d, far_listing *listing) {
  const far_type_info *type = listing(roll(d, length_of(listing)));
  put(out, "%s", type->name);
  for (size_t n = roll(d, 5), k = 0; k < n && type->n_params > 0; ++k) {
    const far_param *p = &type->params[roll(d, type->n_params)];
    put(out, "%c%s=", k == 0 ? ':' : ',', p->name);
    put_value(out, d, p);
  }
}

/* Puts the line in place of all the input, or at any place in it. */
static inline size_t take_line(uint8_t *data, size_t size, size_t most, dice *d, const line *made) {
  const bool whole = roll(d, 2) == 0;
  const size_t at = whole ? 0 : roll(d, size + 1), rest = whole ? 0 : size - at;
  if (made->length + at + rest > most) return LLVMFuzzerMutate(data, size, most);
  memmove(data + at + made->length, data + at, rest);
  memcpy(data + at, made->text, made->length);
  return at + made->length + rest;
}

#endif
