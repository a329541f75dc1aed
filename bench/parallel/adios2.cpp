// A minimal ADIOS2 program: one variable, one step; the library's defaults, BP4, and the parameters
// that headrace chooses for BP5.
#include <adios2_c.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "method.hpp"

namespace headrace::bench {
namespace {

constexpr float patience = 10.0F;  // seconds to wait for a step to read

// BP5 leaves a profile of every reading process in /tmp, whatever its parameters say.
void remove_profile(const std::string& file) {
  std::ostringstream name;
  name << "/tmp/" << std::filesystem::path(file).filename().string() << "_" << std::hex
       << ::getpid() << "_profiling.json";
  ::unlink(name.str().c_str());
}

struct adios2_choice {
  const char* engine;
  bool tuned;
};

class adios2_method : public io_method {
 public:
  explicit adios2_method(adios2_choice choice) : choice_(choice) {}

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = facts.all.size;
    outcome done = open(facts, true);
    if (engine_ != nullptr) {
      const auto scope = facts.line.during(phase::transfer);
      adios2_step_status status{};
      check(done, adios2_begin_step(engine_, adios2_step_mode_append, -1.0F, &status),
            "adios2_begin_step");
      if (facts.elements() > 0) {
        check(done, adios2_put(engine_, variable_, facts.values, adios2_mode_deferred),
              "adios2_put");
      }
      check(done, adios2_end_step(engine_), "adios2_end_step");
      if (!done.ok()) return give_up(facts, done);
    }
    close(facts, done);
    return facts.asked.sync ? sync_closed_file(facts, done) : done;
  }

  outcome read(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = facts.all.size;
    outcome done = open(facts, false);
    if (engine_ != nullptr) {
      const auto scope = facts.line.during(phase::transfer);
      adios2_step_status status{};
      check(done, adios2_begin_step(engine_, adios2_step_mode_read, patience, &status),
            "adios2_begin_step");
      if (status != adios2_step_status_ok) {
        done.keep(failure(library_failed, facts.asked.file + " has no complete step"));
      }
      if (done.ok() && facts.elements() > 0) get(facts, done);
      if (status == adios2_step_status_ok) {
        check(done, adios2_end_step(engine_), "adios2_end_step");
      }
    }
    close(facts, done);
    remove_profile(facts.asked.file);
    return done;
  }

 private:
  static void check(outcome& done, adios2_error error, const char* call) {
    if (error == adios2_error_none) return;
    done.keep(failure(library_failed, std::string(call) + ": ADIOS2 reports error " +
                                          std::to_string(static_cast<int>(error))));
  }

  void take_extents(const trial_facts& facts) {
    global_ = slowest_first<std::size_t>(facts.split.global);
    start_ = slowest_first<std::size_t>(facts.own().start);
    count_ = slowest_first<std::size_t>(facts.own().count);
  }

  outcome open(const trial_facts& facts, bool write) {
    const auto scope = facts.line.during(phase::open);
    outcome done;
    take_extents(facts);
    library_ = adios2_init_mpi(facts.all.comm);
    if (library_ == nullptr) return failure(library_failed, "adios2_init_mpi failed");
    adios2_io* io = adios2_declare_io(library_, "bench");
    check(done, adios2_set_engine(io, choice_.engine), "adios2_set_engine");
    if (!write) check(done, adios2_set_parameter(io, "OpenTimeoutSecs", "10"), "OpenTimeoutSecs");
    if (choice_.tuned && write) tune(facts, io, done);
    if (write) {
      variable_ = adios2_define_variable(io, "data", adios2_type_double, 3, global_.data(),
                                         start_.data(), count_.data(), adios2_constant_dims_true);
    }
    io_ = io;
    engine_ =
        adios2_open(io, facts.asked.file.c_str(), write ? adios2_mode_write : adios2_mode_read);
    if (engine_ == nullptr) {
      done.keep(failure(library_failed, "adios2_open of " + facts.asked.file + " failed"));
    }
    return done;
  }

  // What headrace sets for adios2:file_per_process (mpi/formats/adios2/parameters.cpp): a file for
  // each MPI rank, no minima and maxima.
  static void tune(const trial_facts& facts, adios2_io* io, outcome& done) {
    const std::string files = std::to_string(facts.all.size);
    check(done, adios2_set_parameter(io, "NumAggregators", files.c_str()), "NumAggregators");
    check(done, adios2_set_parameter(io, "AggregationType", "EveryoneWritesSerial"),
          "AggregationType");
    check(done, adios2_set_parameter(io, "StatsLevel", "0"), "StatsLevel");
  }

  void get(const trial_facts& facts, outcome& done) {
    variable_ = adios2_inquire_variable(io_, "data");
    if (variable_ == nullptr) {
      done.keep(failure(library_failed, facts.asked.file + " has no variable \"data\""));
      return;
    }
    check(done, adios2_set_selection(variable_, 3, start_.data(), count_.data()),
          "adios2_set_selection");
    check(done, adios2_get(engine_, variable_, facts.values, adios2_mode_deferred), "adios2_get");
  }

  // After a failed write of one MPI rank the others wait for ever within ADIOS2, and closing ends
  // in an exception: better to end the program than to hang.
  static outcome give_up(const trial_facts& facts, const outcome& done) {
    if (facts.all.size == 1) return done;
    std::fprintf(stderr, "MPI rank %d: %s; ADIOS2 cannot go on after that, so the program ends\n",
                 facts.all.rank, done.message.c_str());
    MPI_Abort(facts.all.comm, 1);
    return done;
  }

  void close(const trial_facts& facts, outcome& done) {
    const auto scope = facts.line.during(phase::close);
    if (engine_ != nullptr) check(done, adios2_close(engine_), "adios2_close");
    if (library_ != nullptr) check(done, adios2_finalize(library_), "adios2_finalize");
  }

  adios2_choice choice_;
  adios2_adios* library_ = nullptr;
  adios2_io* io_ = nullptr;
  adios2_engine* engine_ = nullptr;
  adios2_variable* variable_ = nullptr;
  std::array<std::size_t, 3> global_{};
  std::array<std::size_t, 3> start_{};
  std::array<std::size_t, 3> count_{};
};

std::unique_ptr<io_method> make_adios2(const std::string& name) {
  if (name == "adios2:bp4") return std::make_unique<adios2_method>(adios2_choice{"BP4", false});
  return std::make_unique<adios2_method>(adios2_choice{"BP5", name == "adios2:tuned"});
}

}  // namespace

void add_adios2_methods(method_list& list) {
  list.push_back({"adios2:default", "BP5 as the library chooses", "", make_adios2});
  list.push_back({"adios2:bp4", "BP4 as the library chooses", "", make_adios2});
  list.push_back({"adios2:tuned", "BP5 with headrace's parameters", "", make_adios2});
}

}  // namespace headrace::bench
