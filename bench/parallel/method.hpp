// A way to write and read the array, and the list of them. Families of methods are raw.cpp,
// fortran_files.cpp, serial_gather.cpp, mpiio.cpp, hdf5.cpp, netcdf4.cpp, pnetcdf.cpp, adios2.cpp
// and headrace_calls.cpp. Next: trial.hpp times them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "decomposition.hpp"
#include "outcome.hpp"
#include "recorder.hpp"
#include "request.hpp"
#include "world.hpp"

namespace headrace::bench {

// What a method has in hand.
struct trial_facts {
  const world& all;
  const request& asked;
  const decomposition& split;
  double* values;  // of this MPI rank's block, contiguous
  recorder& line;

  const block& own() const { return split.blocks[static_cast<std::size_t>(all.rank)]; }
  std::int64_t elements() const { return own().elements(); }
  char* bytes() const { return reinterpret_cast<char*>(values); }
  std::int64_t byte_count() const { return 8 * elements(); }
};

// What is told about it afterwards.
struct trial_notes {
  int writers = 0;  // MPI ranks that touch the file system
  bool redistributed = false;
  bool knows_hints = false;  // otherwise MPI-IO is asked when a file is closed
  std::string hints_in_force;
  std::string hints_ignored;
};

// A new object for each trial. All functions are called on all MPI ranks; each returns the outcome
// of its own MPI rank, after all collective calls that the others make, so that nobody waits.
class io_method {
 public:
  virtual ~io_method() = default;
  // Outside the clock: directories, MPI types, layouts.
  virtual outcome prepare(const trial_facts&) { return {}; }
  // From open to close; the file does not exist before.
  virtual outcome write(const trial_facts& facts, trial_notes& notes) = 0;
  virtual outcome read(const trial_facts& facts, trial_notes& notes) = 0;
  // False: read() fills nothing.
  virtual bool transfers() const { return true; }
  // The least that the file has when it is whole; libraries report success on full disks.
  virtual std::int64_t least_bytes(const trial_facts& facts) const {
    return 8 * facts.split.elements();
  }
};

// Collective, for libraries without a call that brings a file to the device: when all MPI ranks
// have closed it, one of each node does. done: of this MPI rank so far.
outcome sync_closed_file(const trial_facts& facts, outcome done);

using method_maker = std::unique_ptr<io_method> (*)(const std::string& name);
// The maker of a class whose constructor takes these arguments.
template <class Method, auto... arguments>
std::unique_ptr<io_method> make_new(const std::string&) {
  return std::make_unique<Method>(arguments...);
}

struct method_entry {
  std::string name;
  std::string description;
  std::string unavailable;  // why not; empty: it is there
  method_maker make;
};
using method_list = std::vector<method_entry>;

const method_list& all_methods();
// Throws std::invalid_argument when there is none of that name, or it is not built in.
std::unique_ptr<io_method> make_method(const std::string& name);

// Each family's file defines its own.
void add_raw_methods(method_list& list);
void add_fortran_methods(method_list& list);
void add_serial_methods(method_list& list);
void add_mpiio_methods(method_list& list);
void add_hdf5_methods(method_list& list);
void add_netcdf4_methods(method_list& list);
void add_pnetcdf_methods(method_list& list);
void add_adios2_methods(method_list& list);
void add_headrace_methods(method_list& list);

}  // namespace headrace::bench
