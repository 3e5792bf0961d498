/* Files that a page has given, to be opened as stores: bytes in the memory of SQLite, by name. sys/stat.h and
 * sqlite3.c find them here; there is no other file. */
#ifndef FARSIGHT_WASM_PAGE_FILE_H
#define FARSIGHT_WASM_PAGE_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Takes over `size` bytes that SQLite has allocated at `at`: a database that is opened by that name owns them. False
 * without memory. No two files may have the same name. */
bool far__page_file_add(const char *name, uint32_t at, uint32_t size);

/* Frees bytes that were not taken over. */
void far__page_file_free(uint32_t at);

/* Frees a file that was not opened. */
void far__page_file_drop(const char *name);

/* In bytes; -1: there is no such file. */
int64_t far__page_file_size(const char *name);

#endif
