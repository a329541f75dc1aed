// MPI rank 0 receives the blocks of the others, one after another, and writes each by one Fortran
// statement; reading goes the other way. Where many codes start.
#include "files.hpp"
#include "fortran_unit.hpp"
#include "large_count.hpp"
#include "method.hpp"

namespace headrace::bench {
namespace {

constexpr int tag = 7;

class serial_method : public io_method {
 public:
  explicit serial_method(fortran_form form) : unit_(form) {}

  outcome prepare(const trial_facts& facts) override {
    if (facts.all.rank != 0) return {};
    // Untouched: its pages come within the clock, and count as memory beside the array.
    buffer_.reset(new double[static_cast<std::size_t>(facts.split.largest_block())]);
    return {};
  }

  outcome write(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = 1;
    if (facts.all.rank != 0) return send_or_receive(facts, 0, facts.values, true);
    outcome done = open(facts, true);
    const bool opened = done.ok();
    for (int rank = 0; rank < facts.all.size; ++rank) {
      double* values = rank == 0 ? facts.values : buffer_.get();
      if (rank > 0) done.keep(send_or_receive(facts, rank, values, false));
      const auto scope = facts.line.during(phase::transfer);
      if (done.ok()) done = unit_.transfer(values, elements_of(facts, rank), true);
    }
    if (opened) done.keep(close(facts));
    if (facts.asked.sync && done.ok()) {
      const auto scope = facts.line.during(phase::sync);
      done = sync_to_device(facts.asked.file);
    }
    return done;
  }

  outcome read(const trial_facts& facts, trial_notes& notes) override {
    notes.writers = 1;
    if (facts.all.rank != 0) return send_or_receive(facts, 0, facts.values, false);
    outcome done = open(facts, false);
    const bool opened = done.ok();
    for (int rank = 0; rank < facts.all.size; ++rank) {
      double* values = rank == 0 ? facts.values : buffer_.get();
      {
        const auto scope = facts.line.during(phase::transfer);
        if (done.ok()) done = unit_.transfer(values, elements_of(facts, rank), false);
      }
      if (rank > 0) done.keep(send_or_receive(facts, rank, values, true));
    }
    if (opened) done.keep(close(facts));
    return done;
  }

 private:
  static std::int64_t elements_of(const trial_facts& facts, int rank) {
    return facts.split.blocks[static_cast<std::size_t>(rank)].elements();
  }

  // The block of the MPI rank that is not 0.
  static outcome send_or_receive(const trial_facts& facts, int other, double* values, bool send) {
    const auto scope = facts.line.during(phase::exchange);
    const counted_type what(elements_of(facts, facts.all.rank == 0 ? other : facts.all.rank));
    const int code = send ? MPI_Send(values, what.count(), what.type(), other, tag, facts.all.comm)
                          : MPI_Recv(values, what.count(), what.type(), other, tag, facts.all.comm,
                                     MPI_STATUS_IGNORE);
    return mpi_outcome(code, send ? "MPI_Send" : "MPI_Recv");
  }

  outcome open(const trial_facts& facts, bool write) {
    const auto scope = facts.line.during(phase::open);
    return unit_.open(facts.asked.file, write);
  }

  outcome close(const trial_facts& facts) {
    const auto scope = facts.line.during(phase::close);
    return unit_.close();
  }

  fortran_unit unit_;
  std::unique_ptr<double[]> buffer_;
};

}  // namespace

void add_serial_methods(method_list& list) {
  list.push_back({"fortran:serial_ascii",
                  "MPI rank 0 gathers the blocks and writes them by list-directed WRITE", "",
                  make_new<serial_method, fortran_form::list_directed>});
  list.push_back({"fortran:serial_binary",
                  "MPI rank 0 gathers the blocks and writes them by stream WRITE", "",
                  make_new<serial_method, fortran_form::stream>});
}

}  // namespace headrace::bench
