// What the minimal programs of HDF5, NetCDF-4 and PnetCDF have in common: phases and their clocks,
// and the parts of a block that go in one call. Their files add the library's own calls.
#pragma once

#include <optional>

#include "method.hpp"
#include "mpi_hints.hpp"

namespace headrace::bench {

class library_method : public io_method {
 public:
  explicit library_method(bool collective) : collective_(collective) {}
  outcome prepare(const trial_facts& facts) override;
  outcome write(const trial_facts& facts, trial_notes& notes) override;
  outcome read(const trial_facts& facts, trial_notes& notes) override;

 protected:
  // After a failure collective calls go on: the other MPI ranks make them too. done: the first
  // failure so far. open tells whether there is an array.
  virtual bool open(const trial_facts& facts, bool write, outcome& done) = 0;
  virtual void transfer(const block& part, bool write, double* values, outcome& done) = 0;
  virtual void sync(const trial_facts&, outcome&) {}
  virtual void close(outcome& done) = 0;

  bool collective() const noexcept { return collective_; }
  MPI_Info hints() const noexcept { return info_->get(); }

 private:
  outcome run(const trial_facts& facts, trial_notes& notes, bool write);

  bool collective_;
  std::optional<hint_info> info_;
};

}  // namespace headrace::bench
