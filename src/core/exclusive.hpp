// Files that one program at a time may have: new ones that nobody else created, old ones locked.
#pragma once

#include <string>

#include "status.hpp"

namespace headrace {

// Creates an empty file, with mode and owner of the file model if that exists; created is false
// when the name is taken.
status create_new(const std::string& file, const std::string& model, bool& created);

// Holds a file that others replace by a new one under its name.
class file_lock {
 public:
  file_lock() = default;
  ~file_lock() { release(); }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

  // Waits until nobody else holds the file of that name. Holds nothing where there is no such file
  // and where the file system has no locks.
  status take(const std::string& file);
  void release() noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace headrace
