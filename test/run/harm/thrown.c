#include <setjmp.h>

static jmp_buf places[64];
static int top;

int catches_(void (*function)(int*), int* n) {
  if (setjmp(places[top++])) return 1;
  function(n);
  --top;
  return 0;
}

void throw_(void) {
  longjmp(places[--top], 1);
}
