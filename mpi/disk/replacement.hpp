// A file or a directory that takes its name only when all MPI ranks have finished it.
#pragma once

#include <string>

#include "../../src/core/temporaries.hpp"
#include "../together/communicator.hpp"

namespace headrace {

class replacement {
 public:
  replacement() = default;
  ~replacement();  // not collective: MPI rank 0 removes what was not committed
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;

  // Collective. Links are followed; a directory is wanted if the format is one. Afterwards
  // path() does not exist (a directory does, empty) and is beside the target.
  status begin(const communicator_ptr& comm, const std::string& file, bool directory);
  const std::string& path() const noexcept { return temporary_; }
  // Collective: renames, after all is agreed. A directory moves an old one aside first (or swaps
  // with it if the system can).
  status commit();
  // Collective, afterwards: the name survives a loss of power.
  status sync_name() const;
  void discard() noexcept;  // not collective; what the destructor does

 private:
  communicator_ptr comm_;
  std::string target_;
  std::string temporary_;  // on all MPI ranks
  temporary_name name_;    // on MPI rank 0, until the file has its own
  bool directory_ = false;
};

// The file or directory that has a name now. It is held, so that a new one is never taken for it.
class named_file {
 public:
  named_file() = default;
  ~named_file() { forget(); }
  named_file(const named_file&) = delete;
  named_file& operator=(const named_file&) = delete;

  // Without a descriptor for it nothing is known.
  void learn(const std::string& file) noexcept;
  // Whether another one has that name by now.
  bool is_replaced_at(const std::string& file) const noexcept;

 private:
  void forget() noexcept;

  int descriptor_ = -1;
};

// Whether both names lead to one file or directory that is there.
bool are_one_file(const std::string& left, const std::string& right) noexcept;

// Collective, before opening: puts a directory back that commit() had moved aside when its program
// died.
status recover_replaced(const communicator& comm, const std::string& file);

}  // namespace headrace
