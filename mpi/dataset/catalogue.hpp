// What an array is, in a file or in a program, and the arrays of a dataset that is written: what
// was written under each name, and whether it may be written again. The same on all MPI ranks. Only
// ../abi/dataset.cpp asks and adds; formats get what was added.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../src/core/array_view.hpp"
#include "../../src/core/status.hpp"
#include "../move/boxes.hpp"

namespace headrace {

// The numbers of steps in the order of writing. As a rule they grow, and a number is found at once
// however many there are.
class step_list {
 public:
  step_list() = default;
  explicit step_list(std::vector<std::int64_t> numbers);
  const std::vector<std::int64_t>& numbers() const noexcept { return numbers_; }
  std::int64_t count() const noexcept { return static_cast<std::int64_t>(numbers_.size()); }
  std::int64_t operator[](std::int64_t place) const {
    return numbers_[static_cast<std::size_t>(place)];
  }
  // -1: it is none of them.
  std::int64_t place_of(std::int64_t number) const;
  // May throw std::bad_alloc, and has changed nothing then.
  void add(std::int64_t number);
  std::vector<std::int64_t> take() && noexcept { return std::move(numbers_); }
  void take_back() noexcept { numbers_.pop_back(); }

 private:
  std::vector<std::int64_t> numbers_;
  bool grows_ = true;  // none is less than the one before it
};

// What an array in a file is, or each of its steps.
struct described_array {
  std::string name{};
  type_class type{};
  std::size_t elem_len = 0;  // in the file: logicals are one byte
  box global;
  std::vector<std::string> dimensions;  // in Fortran's order, without the steps
  bool has_steps = false;
  step_list steps{};

  std::int64_t bytes() const noexcept {
    return volume(global) * static_cast<std::int64_t>(elem_len);
  }
};

// One to write, or a step of it.
struct requested_array : described_array {
  bool has_default_names = false;  // its dimensions', d1, d2, ...: nobody gave them
  std::optional<std::int64_t> step;
};

// An array that is written, or a step of one.
struct catalogue_entry {
  const described_array* array = nullptr;
  bool is_new = false;
  std::int64_t step = -1;  // its place among the array's; -1: none

  std::int64_t step_number() const { return array->steps[step]; }
};

class array_catalogue {
 public:
  // argument_invalid if the array or its step has been written, kind_mismatch, shape_mismatch.
  // Gets no memory unless it fails.
  status check(const requested_array& next) const;
  bool has(const std::string& name) const { return arrays_.count(name) > 0; }
  // Whether any array has steps. Looks at all.
  bool has_steps() const;
  // Of a dimension of that name, with its groups in front, if one has another extent.
  std::optional<std::int64_t> other_extent(const std::string& path, std::int64_t extent) const;
  // What check() permitted. May throw std::bad_alloc, and has changed nothing then. A default name
  // that a dimension of another extent has, or an array, gets the array's in front: "rho_d1".
  catalogue_entry add(requested_array&& next);
  // add() is undone: it could not be written.
  void take_back(const catalogue_entry& added) noexcept;
  const described_array& add(described_array found);

 private:
  void learn_dimensions(const described_array& array);
  bool is_free(const std::string& path, std::int64_t extent) const;
  std::string free_name(const std::string& array, const std::string& name,
                        std::int64_t extent) const;

  std::unordered_map<std::string, described_array> arrays_;
  // Whose dimensions are not known yet: it may be taken back.
  const described_array* last_ = nullptr;
  // Extents of dimensions, by names with the groups of their arrays in front: the first and the
  // last one.
  std::unordered_map<std::string, std::pair<std::int64_t, std::int64_t>> dimensions_;
};

}  // namespace headrace
