/* Wrapped around the machine of the processor (src/run/gpu/lanes-host.c) by the linker: what a launch is handed, and memory
 * before and after it, go to the file that FARSIGHT_RECORD names. check.py has the compiled kernels do the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/gpu/machine.h"
#include "run/gpu/sweep.h"

int __real_machine_allocate(void **out, size_t bytes, char why[FAR__WHY]);
void __real_machine_free(void *memory);
int __real_machine_begin(const lanes *all, char why[FAR__WHY]);
int __real_machine_advance(const lanes *all, kernel which, char why[FAR__WHY]);
int __real_machine_advance_tallied(const lanes *all, far__fused loop, char why[FAR__WHY]);
int __real_machine_sweep(const sweeps *x, unsigned from, unsigned count, char why[FAR__WHY]);

int __wrap_machine_allocate(void **out, size_t bytes, char why[FAR__WHY]);
void __wrap_machine_free(void *memory);
int __wrap_machine_begin(const lanes *all, char why[FAR__WHY]);
int __wrap_machine_advance(const lanes *all, kernel which, char why[FAR__WHY]);
int __wrap_machine_advance_tallied(const lanes *all, far__fused loop, char why[FAR__WHY]);
int __wrap_machine_sweep(const sweeps *x, unsigned from, unsigned count, char why[FAR__WHY]);

/* ---- the memory of the machine ---- */

enum { PIECES = 64 };

static struct piece {
  unsigned char *at;
  size_t bytes;
} pieces[PIECES];

int __wrap_machine_allocate(void **out, size_t bytes, char why[FAR__WHY]) {
  if (__real_machine_allocate(out, bytes, why) != 0) return 1;
  for (size_t i = 0; i < PIECES; ++i)
    if (pieces[i].at == NULL) {
      pieces[i] = (struct piece){*out, bytes};
      return 0;
    }
  abort();
}

void __wrap_machine_free(void *memory) {
  for (size_t i = 0; i < PIECES; ++i)
    if (pieces[i].at == memory) pieces[i].at = NULL;
  __real_machine_free(memory);
}

/* ---- the file: lines of text, each followed by the bytes that it announces ---- */

static FILE *file(void) {
  static FILE *opened;
  if (opened == NULL) opened = fopen(getenv("FARSIGHT_RECORD"), "ab");
  if (opened == NULL) abort();
  return opened;
}

static void put_memory(const char *when) {
  for (size_t i = 0; i < PIECES; ++i) {
    if (pieces[i].at == NULL) continue;
    fprintf(file(), "%s %llu %zu\n", when, (unsigned long long)(uintptr_t)pieces[i].at,
            pieces[i].bytes);
    fwrite(pieces[i].at, 1, pieces[i].bytes, file());
  }
}

static void put_parameter(const void *bytes, size_t n) {
  fprintf(file(), "parameter %zu\n", n);
  fwrite(bytes, 1, n, file());
}

/* One thread more than there are lanes: it has nothing to do. */
static void put_kernel(const char *name, const lanes *all) {
  fprintf(file(), "kernel %s 1 %lld\n", name, (long long)all->n + 1);
  put_parameter(all, sizeof *all);
}

static void put_end(void) {
  put_memory("after");
  fprintf(file(), "end\n");
  fflush(file());
}

/* ---- launches ---- */

int __wrap_machine_begin(const lanes *all, char why[FAR__WHY]) {
  put_memory("before");
  put_kernel("fill_kernel", all);
  put_kernel("begin_kernel", all);
  const int code = __real_machine_begin(all, why);
  put_end();
  return code;
}

int __wrap_machine_advance(const lanes *all, kernel which, char why[FAR__WHY]) {
  static const char *const names[] = {
#define KERNEL(LOOP, SET, ACTIONS) #LOOP "_" #SET "_" #ACTIONS "_kernel",
#include "run/gpu/kernels.def"
#undef KERNEL
  };
  put_memory("before");
  put_kernel(names[which], all);
  const int code = __real_machine_advance(all, which, why);
  put_end();
  return code;
}

int __wrap_machine_advance_tallied(const lanes *all, far__fused loop, char why[FAR__WHY]) {
  put_memory("before");
  switch (loop) {
#define FAR_FUSED(NAME)                                                                            \
  case FAR__FUSED_##NAME:                                                                          \
    put_kernel(#NAME "_tallied", all);                                                             \
    break;
#include "run/fused.def"
#undef FAR_FUSED
  case FAR__FUSED_NONE: abort();
  }
  const int code = __real_machine_advance_tallied(all, loop, why);
  put_end();
  return code;
}

int __wrap_machine_sweep(const sweeps *x, unsigned from, unsigned count, char why[FAR__WHY]) {
  put_memory("before");
  for (unsigned i = 0; i < count; ++i) {
    fprintf(file(), "kernel sweep_kernel 2 %d\n", SWEEP_THREADS);
    put_parameter(x, sizeof *x);
    put_parameter(&from, sizeof from);
    put_parameter(&i, sizeof i);
  }
  const int code = __real_machine_sweep(x, from, count, why);
  put_end();
  return code;
}
