// What a child of fork() must not destroy.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <memory>
#include <utility>

namespace headrace {

// Holds threads, what has some, and what they wait for. A child of fork() has a copy without the
// threads: joining them, or destroying a condition that they wait for, would crash or never end. It
// leaves them.
template <class T>
class own_process {
 public:
  template <class... Arguments>
  explicit own_process(Arguments&&... arguments)
      : held_(std::make_unique<T>(std::forward<Arguments>(arguments)...)) {}
  ~own_process() {
    if (!is_here()) static_cast<void>(held_.release());
  }
  own_process(const own_process&) = delete;
  own_process& operator=(const own_process&) = delete;

  // False in a child of fork().
  bool is_here() const noexcept { return process_ == ::getpid(); }
  T& operator*() const noexcept { return *held_; }
  T* operator->() const noexcept { return held_.get(); }

 private:
  std::unique_ptr<T> held_;
  pid_t process_ = ::getpid();
};

}  // namespace headrace
