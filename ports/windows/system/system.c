#include <unistd.h>
#include <windows.h>

static long memory_pages(long size) {
  MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
  return GlobalMemoryStatusEx(&memory) ? (long)(memory.ullAvailPhys / (unsigned long)size) : -1;
}

long sysconf(int what) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  switch (what) {
  case _SC_NPROCESSORS_ONLN: return (long)info.dwNumberOfProcessors;
  case _SC_PAGESIZE: return (long)info.dwPageSize;
  case _SC_PHYS_PAGES: return memory_pages((long)info.dwPageSize);
  default: return -1;
  }
}
