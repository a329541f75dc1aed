/* The string functions under test and libgfortran's own, by name. */
#ifndef STRING_FUNCTIONS_H
#define STRING_FUNCTIONS_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct string_functions {
  size_t (*len_trim)(size_t, const char*);
  void (*trim)(size_t*, void**, size_t, const char*);
  void (*adjustl)(char*, size_t, const char*);
  void (*adjustr)(char*, size_t, const char*);
  int (*compare)(size_t, const char*, size_t, const char*);
};

static inline struct string_functions functions_of(const char* library) {
  static const char* const names[] = {"string_len_trim", "string_trim", "adjustl", "adjustr",
                                      "compare_string"};
  struct string_functions functions;
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char name[64];
    snprintf(name, sizeof name, "_gfortran_%s", names[i]);
    void* function = handle ? dlsym(handle, name) : NULL;
    if (!function) {
      fprintf(stderr, "strings: %s has no %s: %s\n", library, name, dlerror());
      exit(1);
    }
    ((void**)&functions)[i] = function;
  }
  return functions;
}

#endif
