// A test program's operator new, which refuses what its memory_is_refused() says. To be included
// once in a program.
#pragma once

#include <cstdlib>
#include <new>

bool memory_is_refused(std::size_t bytes);

void* operator new(std::size_t bytes) {
  void* const memory = memory_is_refused(bytes) ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
