#include "next_step.hpp"

#include "../../src/core/name_text.hpp"

namespace headrace {

status check_next_step(const next_step& asked) {
  const std::string array = "the array " + shown(asked.array, 100);
  if (!asked.had_steps || !asked.step)
    return status::failure(stat_code::argument_invalid, array + " has been written already")
        .advise("give every state of it a step, from the first on");
  if (asked.step_is_there)
    return status::failure(stat_code::argument_invalid,
                           array + " has the step " + std::to_string(*asked.step) + " already")
        .advise("write the same array once for each step, or give it another name");
  if (!asked.same_kind)
    return status::failure(stat_code::kind_mismatch,
                           array + " has another kind than its earlier steps");
  if (asked.before == asked.now) return {};
  return status::failure(stat_code::shape_mismatch,
                         array + " has another shape than its earlier steps")
      .expected(text_of(asked.before), text_of(asked.now));
}

}  // namespace headrace
