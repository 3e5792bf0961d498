/* Stores with numbers made by hand: imported, and so without pairs unless a comparison asks for them. */
#ifndef FARSIGHT_TESTS_HANDMADE_H
#define FARSIGHT_TESTS_HANDMADE_H

#include "stores.h"

/* A field of CSV, in quotes. */
static inline void put_field(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != '\0'; ++text) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fprintf(file, "\",");
}

/* "env,agent,1,2,3;env,agent,..." with as many runs as there are numbers, of 100 steps; "env,agent@500,..." has
 * others. */
static inline far_store *handmade(const char *text) {
  far_store *store = NULL;
  far_import_report report;
  far_error error = {.message = ""};
  char *copy = strdup(text), *at = NULL;
  FILE *file = fopen(store_path("handmade.csv"), "w");
  CHECK(file != NULL && copy != NULL);
  fprintf(file, "env,agent,steps,seed,value\n");
  for (char *cell = strtok_r(copy, ";", &at); cell != NULL; cell = strtok_r(NULL, ";", &at)) {
    char *within = NULL;
    const char *env = strtok_r(cell, ",", &within);
    char *agent = strtok_r(NULL, ",", &within);
    char *steps = strchr(agent, '@');
    if (steps != NULL) *steps++ = '\0';
    const char *number;
    for (int seed = 0; (number = strtok_r(NULL, ",", &within)) != NULL; ++seed) {
      put_field(file, env);
      put_field(file, agent);
      fprintf(file, "%s,%d,%s\n", steps != NULL ? steps : "100", seed, number);
    }
  }
  fclose(file);
  free(copy);
  CHECK(far_store_open(&store, "", FAR_STORE_MEMORY, &error) == FAR_OK);
  CHECK(far_store_import(&report, store, store_path("handmade.csv"), &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return store;
}

/* Few resamples: no test here looks at the bootstrap. */
static inline far_comparison *compare_all(far_store *store, const far_comparison_def *given) {
  far_comparison_def def = given != NULL ? *given : far_comparison_def_default();
  far_comparison *out = NULL;
  far_error error = {.message = ""};
  def.bootstrap.resamples = 100;
  CHECK(far_comparison_create(&out, store, &def, &error) == FAR_OK);
  CHECK_TEXT(error.message, "");
  return out;
}

#endif
