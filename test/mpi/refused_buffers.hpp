// As refused_memory.hpp, for headrace's own buffers too. The program is linked with
// -Wl,--wrap=posix_memalign.
#pragma once

#include <cerrno>

#include "refused_memory.hpp"

extern "C" int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t bytes);
extern "C" int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  return memory_is_refused(bytes) ? ENOMEM : __real_posix_memalign(memory, alignment, bytes);
}
