// What an operation cost this process: processor time and memory.
#pragma once

#include <cstdint>

namespace headrace::bench {

class process_costs {
 public:
  // Begins to measure: resets the peak of resident memory.
  void begin() noexcept;
  void end() noexcept;

  double user() const noexcept { return user_; }      // seconds
  double system() const noexcept { return system_; }  // seconds, in the kernel
  // Bytes by which the resident memory rose at most; -1 if the system does not tell.
  std::int64_t peak_memory() const noexcept { return peak_; }

 private:
  double user_ = 0;
  double system_ = 0;
  std::int64_t resident_ = -1;
  std::int64_t peak_ = -1;
};

}  // namespace headrace::bench
