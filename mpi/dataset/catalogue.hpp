// The arrays of a dataset that is written: what was written under each name, and whether it may be
// written again. The same on all MPI ranks.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "description.hpp"

namespace headrace {

// An array that is in the dataset, and what is written now.
struct next_step {
  std::string array;
  bool had_steps = false;
  std::optional<std::int64_t> step;
  bool step_is_there = false;
  type_class old_type{}, type{};
  std::size_t old_bytes = 0, bytes = 0;  // of an element, in the file
  box before, now;
};

// argument_invalid if the array or its step has been written, kind_mismatch, shape_mismatch.
status check_next_step(const next_step& asked);

class array_catalogue {
 public:
  // The same. elem_len: in the file. Gets no memory unless it fails.
  status check(const array_place& place, type_class type, std::size_t elem_len,
               const box& global) const;
  bool has(const std::string& name) const { return arrays_.count(name) > 0; }
  // What check() permitted: a new array or one more step of an old one. May throw std::bad_alloc,
  // and has changed nothing then.
  const catalogue_array& add(const array_place& place, type_class type, std::size_t elem_len,
                             const box& global, bool& is_new);
  // add() is undone: it could not be written.
  void take_back(const array_place& place, bool was_new) noexcept;
  void add(catalogue_array found);

 private:
  std::map<std::string, catalogue_array> arrays_;
};

}  // namespace headrace
