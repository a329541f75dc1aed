// Whether a child of fork() may have copies of what this program has open. Used by temporaries.cpp.
#pragma once

namespace headrace {

// A count that changes before a fork() and after it; odd while one goes on. What was opened at an
// even count is this program's alone while the count stays: closing it is enough to end its locks.
unsigned fork_count() noexcept;

// Since an open of that count. A child that only calls exec() loses what is opened with O_CLOEXEC.
inline bool may_be_copied(unsigned count_then) noexcept {
  return count_then % 2 != 0 || fork_count() != count_then;
}

}  // namespace headrace
