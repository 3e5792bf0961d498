/* Runs a fuzz target over the files of a folder, where there is no libFuzzer. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "rb");
  if (f == NULL) return 0;
  static uint8_t data[1 << 20];
  const size_t size = fread(data, 1, sizeof data, f);
  fclose(f);
  LLVMFuzzerTestOneInput(data, size);
  return 1;
}

int main(int argc, char **argv) {
  DIR *folder = argc > 1 ? opendir(argv[1]) : NULL;
  int passed = 0;
  if (folder == NULL) return 2;
  for (struct dirent *e; (e = readdir(folder)) != NULL;)
    if (e->d_name[0] != '.') passed += replay(argv[1], e->d_name);
  closedir(folder);
  fprintf(stderr, "%d passed, 0 failed\n", passed);
  return passed == 0;
}
