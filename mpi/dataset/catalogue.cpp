#include "catalogue.hpp"

#include <algorithm>

#include "../../src/core/name_text.hpp"
#include "attribute_failures.hpp"

namespace headrace {

status check_next_step(const next_step& asked) {
  const std::string array = "the array " + shown(asked.array, 100);
  if (!asked.had_steps || !asked.step)
    return status::failure(stat_code::argument_invalid, array + " has been written already")
        .advise("give step= in every call that writes this array");
  if (asked.step_is_there)
    return status::failure(stat_code::argument_invalid,
                           array + " has the step " + std::to_string(*asked.step) + " already")
        .advise("write the same array once for each step, or give it another name");
  if (asked.old_type != asked.type || asked.old_bytes != asked.bytes)
    return status::failure(stat_code::kind_mismatch,
                           array + " has another kind than its earlier steps")
        .expected(kind_text(asked.old_type, asked.old_bytes), kind_text(asked.type, asked.bytes))
        .advise("write all steps of an array from the same kind, or give it another name");
  if (asked.before == asked.now) return {};
  return status::failure(stat_code::shape_mismatch,
                         array + " has another shape than its earlier steps")
      .expected(text_of(asked.before), text_of(asked.now))
      .advise("write all steps of an array with the same extents, or give it another name");
}

status array_catalogue::check(const array_place& place, type_class type, std::size_t elem_len,
                              const box& global) const {
  const auto known = arrays_.find(place.name);
  if (known == arrays_.end()) return {};
  const catalogue_array& old = known->second;
  const bool is_there =
      place.step && std::find(old.steps.begin(), old.steps.end(), *place.step) != old.steps.end();
  const bool same_kind = old.type == type && old.elem_len == elem_len;
  if (old.has_steps && place.step && !is_there && same_kind && old.global == global) return {};
  return check_next_step({place.name, old.has_steps, place.step, is_there, old.type, type,
                          old.elem_len, elem_len, old.global, global});
}

const catalogue_array& array_catalogue::add(const array_place& place, type_class type,
                                            std::size_t elem_len, const box& global, bool& is_new) {
  const auto known = arrays_.find(place.name);
  is_new = known == arrays_.end();
  if (!is_new) {
    if (place.step) known->second.steps.push_back(*place.step);
    return known->second;
  }
  catalogue_array made{place.name, type, elem_len, global, place.dimensions, place.step.has_value(),
                       {}};
  if (place.step) made.steps.push_back(*place.step);
  return arrays_.emplace(place.name, std::move(made)).first->second;
}

void array_catalogue::take_back(const array_place& place, bool was_new) noexcept {
  const auto known = arrays_.find(place.name);
  if (known == arrays_.end()) return;
  if (was_new)
    arrays_.erase(known);
  else if (place.step && !known->second.steps.empty() && known->second.steps.back() == *place.step)
    known->second.steps.pop_back();
}

void array_catalogue::add(catalogue_array found) {
  std::string name = found.name;
  arrays_.insert_or_assign(std::move(name), std::move(found));
}

}  // namespace headrace
