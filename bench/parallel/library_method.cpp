#include "library_method.hpp"

namespace headrace::bench {

outcome library_method::prepare(const trial_facts& facts) {
  info_.emplace(facts.asked.hints);
  return {};
}

outcome library_method::write(const trial_facts& facts, trial_notes& notes) {
  return run(facts, notes, true);
}

outcome library_method::read(const trial_facts& facts, trial_notes& notes) {
  return run(facts, notes, false);
}

outcome library_method::run(const trial_facts& facts, trial_notes& notes, bool write) {
  notes.writers = facts.all.size;
  outcome done;
  bool is_open = false;
  {
    const auto scope = facts.line.during(phase::open);
    is_open = open(facts, write, done);
  }
  if (is_open) {
    const auto scope = facts.line.during(phase::transfer);
    double* values = facts.values;
    const std::int64_t calls = facts.split.calls();
    for (std::int64_t call = 0; call < calls; ++call) {
      const block part = part_of_call(facts.own(), call, calls);
      transfer(part, write, values, done);
      values += part.elements();
    }
  }
  if (is_open && write && facts.asked.sync) sync(facts, done);
  const auto scope = facts.line.during(phase::close);
  close(done);
  return done;
}

}  // namespace headrace::bench
