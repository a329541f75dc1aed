/* What intercept/run/strings.c needs of the library it belongs to, so that it can be preloaded
 * alone: the real functions of libgfortran.so.5, or of the stand-in for .so.3 if that is what the
 * caller's program has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../../../intercept/real_calls.h"

int run_active_flag;

__attribute__((constructor)) static void start(void) {
  const char* run = getenv("HEADRACE_RUN");
  run_active_flag = run && strcmp(run, "1") == 0;
}

/* One object calls in these tests: all addresses are its. */
const struct real_call* find_real_call(const char* name, const void* caller) {
  static struct real_call calls[16];
  static const char* names[16];
  (void)caller;
  for (int i = 0; i < 16; ++i) {
    if (names[i] && strcmp(names[i], name) == 0) return &calls[i];
    if (names[i]) continue;
    Dl_info information = {0};
    void* function = dlsym(RTLD_NEXT, name);
    if (!function) function = dlsym(dlopen("libgfortran.so.5", RTLD_LAZY), name);
    if (!function || !dladdr(function, &information)) abort();
    calls[i] = (struct real_call){0, UINTPTR_MAX, function,
                                  strstr(information.dli_fname, ".so.3") ? 3 : 5};
    names[i] = name;
    return &calls[i];
  }
  abort();
}
