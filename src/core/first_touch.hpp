// The pages of a large new array, made ready by a second thread while the first fills them. Used by
// transfer.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

namespace headrace {

// The system clears a page when it is touched first: up to half of the time of a read into memory
// that was just allocated. Works as long as this object lives; does nothing if the pages are
// there already, for a few megabytes, or if the program may use one core only.
class first_touch {
 public:
  first_touch(char* data, std::size_t bytes) noexcept;
  ~first_touch();
  first_touch(const first_touch&) = delete;
  first_touch& operator=(const first_touch&) = delete;

  bool works() const noexcept { return other_.joinable(); }

 private:
  void touch(char* begin, const char* end) noexcept;

  std::atomic<bool> stopped_{false};
  std::thread other_;
};

}  // namespace headrace
