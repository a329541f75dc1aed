#include "catalogue.hpp"

#include <algorithm>

#include "../../src/core/name_text.hpp"
#include "attribute_failures.hpp"

namespace headrace {
namespace {

// "group/" of "group/array"; "" if there is none.
std::string group_of(const std::string& array) {
  return array.substr(0, array.rfind('/') + 1);
}

}  // namespace

step_list::step_list(std::vector<std::int64_t> numbers)
    : numbers_(std::move(numbers)), grows_(std::is_sorted(numbers_.begin(), numbers_.end())) {}

std::int64_t step_list::place_of(std::int64_t number) const {
  const auto found = grows_ ? std::lower_bound(numbers_.begin(), numbers_.end(), number)
                            : std::find(numbers_.begin(), numbers_.end(), number);
  return found != numbers_.end() && *found == number ? found - numbers_.begin() : -1;
}

void step_list::add(std::int64_t number) {
  const bool grows = grows_ && (numbers_.empty() || numbers_.back() <= number);
  numbers_.push_back(number);
  grows_ = grows;
}

status array_catalogue::check(const requested_array& next) const {
  const auto known = arrays_.find(next.name);
  if (known == arrays_.end()) return {};
  const described_array& old = known->second;
  const bool has_steps = old.has_steps && next.step;
  if (!old.has_steps && next.step)
    return status::failure(stat_code::argument_invalid,
                           "the array " + shown(next.name) + " of the dataset has no steps")
        .advise("write the steps to an array of another name");
  if (!has_steps || old.steps.place_of(*next.step) >= 0)
    return status::failure(stat_code::argument_invalid,
                           "the dataset has " +
                               (has_steps ? "step " + std::to_string(*next.step) + " of " : "") +
                               "the array " + shown(next.name) + " already")
        .advise(
            "give every array once, or every step of it once, with step= in each call that "
            "writes the array");
  const std::string array = "the array " + shown(next.name, 100);
  if (old.type != next.type || old.elem_len != next.elem_len)
    return status::failure(stat_code::kind_mismatch,
                           array + " has another kind than its earlier steps")
        .expected(kind_text(old.type, old.elem_len), kind_text(next.type, next.elem_len))
        .advise("write all steps of an array from the same kind, or give it another name");
  if (old.global == next.global) return {};
  return status::failure(stat_code::shape_mismatch,
                         array + " has another shape than its earlier steps")
      .expected(text_of(old.global), text_of(next.global))
      .advise("write all steps of an array with the same extents, or give it another name");
}

catalogue_entry array_catalogue::add(requested_array&& next) {
  const auto known = arrays_.find(next.name);
  if (known != arrays_.end()) {
    described_array& old = known->second;
    if (next.step) old.steps.add(*next.step);
    return {&old, false, next.step ? old.steps.count() - 1 : -1};
  }
  if (last_ != nullptr) learn_dimensions(*last_);
  for (std::size_t d = 0; next.has_default_names && d < next.dimensions.size(); ++d)
    next.dimensions[d] = free_name(next.name, next.dimensions[d], next.global.count[d]);
  next.has_steps = next.step.has_value();
  if (next.step) next.steps.add(*next.step);
  std::string name = next.name;
  last_ = &arrays_.emplace(std::move(name), std::move(next)).first->second;
  return {last_, true, next.step ? 0 : -1};
}

bool array_catalogue::has_steps() const {
  return std::any_of(arrays_.begin(), arrays_.end(),
                     [](const auto& known) { return known.second.has_steps; });
}

void array_catalogue::take_back(const catalogue_entry& added) noexcept {
  if (added.array == nullptr) return;
  const auto known = arrays_.find(added.array->name);
  if (added.is_new) {
    last_ = nullptr;
    arrays_.erase(known);
  } else if (added.step >= 0) {
    known->second.steps.take_back();
  }
}

const described_array& array_catalogue::add(described_array found) {
  learn_dimensions(found);
  std::string name = found.name;
  return arrays_.insert_or_assign(std::move(name), std::move(found)).first->second;
}

// Once more does no harm.
void array_catalogue::learn_dimensions(const described_array& array) {
  const std::string group = group_of(array.name);
  for (std::size_t d = 0; d < array.dimensions.size(); ++d) {
    const std::int64_t extent = array.global.count[d];
    const auto known = dimensions_.try_emplace(group + array.dimensions[d], extent, extent).first;
    if (extent != known->second.first) known->second.second = extent;
  }
}

std::optional<std::int64_t> array_catalogue::other_extent(const std::string& path,
                                                          std::int64_t extent) const {
  const auto known = dimensions_.find(path);
  if (known == dimensions_.end()) return {};
  const auto [first, last] = known->second;
  if (first != extent) return first;
  return last != extent ? std::optional(last) : std::nullopt;
}

// Whether no other dimension and no array is called so; an array may hold the coordinates.
bool array_catalogue::is_free(const std::string& path, std::int64_t extent) const {
  if (other_extent(path, extent)) return false;
  const auto array = arrays_.find(path);
  if (array == arrays_.end()) return true;
  const described_array& other = array->second;
  return !other.has_steps && other.global.array_rank == 1 && other.global.count[0] == extent &&
         group_of(path) + other.dimensions.front() == path;
}

std::string array_catalogue::free_name(const std::string& array, const std::string& name,
                                       std::int64_t extent) const {
  const std::string group = group_of(array);
  std::string found = name;
  for (int number = 1; !is_free(group + found, extent); ++number)
    found =
        array.substr(group.size()) + "_" + (number == 1 ? "" : std::to_string(number) + "_") + name;
  return found;
}

}  // namespace headrace
