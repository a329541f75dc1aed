// A file per MPI rank by Fortran's statements: one WRITE or READ of the whole block.
#include "files.hpp"
#include "fortran_unit.hpp"
#include "method.hpp"

namespace headrace::bench {
namespace {

class fortran_method : public io_method {
 public:
  explicit fortran_method(fortran_form form) : form_(form) {}

  outcome prepare(const trial_facts& facts) override {
    path_ = facts.asked.file + "/" + std::to_string(facts.all.rank);
    const bool first = facts.all.rank == 0 && facts.asked.operation == "write";
    return first ? make_directory(facts.asked.file) : outcome{};
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    outcome done = transfer(facts, notes, true);
    // Fortran has no statement that brings a file to the device.
    if (facts.asked.sync && done.ok()) {
      const auto scope = facts.line.during(phase::sync);
      done = sync_to_device(path_);
    }
    return done;
  }

  outcome read(const trial_facts& facts, trial_notes& notes) override {
    return transfer(facts, notes, false);
  }

 private:
  outcome transfer(const trial_facts& facts, trial_notes& notes, bool write) {
    notes.writers = facts.all.size;
    fortran_unit unit(form_);
    outcome done;
    {
      const auto scope = facts.line.during(phase::open);
      done = unit.open(path_, write);
    }
    if (!done.ok()) return done;
    {
      const auto scope = facts.line.during(phase::transfer);
      done = unit.transfer(facts.values, facts.elements(), write);
    }
    const auto scope = facts.line.during(phase::close);
    done.keep(unit.close());
    return done;
  }

  fortran_form form_;
  std::string path_;
};

}  // namespace

void add_fortran_methods(method_list& list) {
  list.push_back({"fortran:stream", "a file per MPI rank, one stream WRITE of its block", "",
                  make_new<fortran_method, fortran_form::stream>});
  list.push_back({"fortran:sequential",
                  "a file per MPI rank, one sequential unformatted WRITE of its block", "",
                  make_new<fortran_method, fortran_form::sequential>});
}

}  // namespace headrace::bench
