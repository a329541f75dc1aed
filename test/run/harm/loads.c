// Calls the libraries that are named in turn; unloads each after its call if KEEP is not set.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  for (int k = 0; k < 10; ++k) {
    void* library = dlopen(words[1 + k % (count - 1)], RTLD_NOW | RTLD_LOCAL);
    if (!library) return puts(dlerror()), 3;
    void (*writes)(int) = dlsym(library, "writes");
    writes(k / (count - 1));
    if (!getenv("KEEP")) dlclose(library);
  }
  puts("end");
  return 0;
}
