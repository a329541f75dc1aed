#include <headrace_mpi.h>

#include <stdexcept>

#include "files.hpp"
#include "method.hpp"

namespace headrace::bench {
namespace {

class null_method : public io_method {
 public:
  outcome write(const trial_facts&, trial_notes&) override { return {}; }
  outcome read(const trial_facts&, trial_notes&) override { return {}; }
  bool transfers() const override { return false; }
  std::int64_t least_bytes(const trial_facts&) const override { return 0; }
};

std::unique_ptr<io_method> make_null(const std::string&) {
  return std::make_unique<null_method>();
}

// Direct programs of a library that this build does not have.
[[maybe_unused]] void add_missing(method_list& list, const char* format,
                                  const std::vector<std::string>& names) {
  const char* reason = hr_parallel_unavailable(format);
  for (const std::string& name : names) {
    list.push_back({name, "direct program of a library that is not built in",
                    reason != nullptr ? reason : std::string("built without ") + format, nullptr});
  }
}

method_list build_list() {
  method_list list;
  list.push_back({"null", "does nothing: the cost of measuring", "", make_null});
  add_raw_methods(list);
  add_fortran_methods(list);
  add_serial_methods(list);
  add_mpiio_methods(list);
#ifdef HEADRACE_BENCH_HDF5
  add_hdf5_methods(list);
#else
  add_missing(list, "hdf5", {"hdf5:collective", "hdf5:independent"});
#endif
#ifdef HEADRACE_BENCH_NETCDF
  add_netcdf4_methods(list);
#else
  add_missing(list, "netcdf4", {"netcdf4:collective", "netcdf4:independent"});
#endif
#ifdef HEADRACE_BENCH_PNETCDF
  add_pnetcdf_methods(list);
#else
  add_missing(list, "pnetcdf", {"pnetcdf:collective", "pnetcdf:independent"});
#endif
#ifdef HEADRACE_BENCH_ADIOS2
  add_adios2_methods(list);
#else
  add_missing(list, "adios2", {"adios2:default", "adios2:bp4", "adios2:tuned"});
#endif
  add_headrace_methods(list);
  return list;
}

}  // namespace

outcome sync_closed_file(const trial_facts& facts, outcome done) {
  {
    const auto scope = facts.line.during(phase::wait);
    done = agree(facts.all, done);
  }
  const auto scope = facts.line.during(phase::sync);
  if (done.ok() && facts.all.node_rank == 0) done = sync_to_device(facts.asked.file);
  return done;
}

const method_list& all_methods() {
  static const method_list list = build_list();
  return list;
}

std::unique_ptr<io_method> make_method(const std::string& name) {
  for (const method_entry& each : all_methods()) {
    if (each.name != name) continue;
    if (!each.unavailable.empty()) {
      throw std::invalid_argument("method " + name + " is not here: " + each.unavailable);
    }
    return each.make(name);
  }
  // Any format and pattern; the library refuses what does not exist.
  if (name.rfind("headrace:", 0) == 0) return all_methods().back().make(name);
  throw std::invalid_argument("there is no method \"" + name +
                              "\"; the first line of this program names them all");
}

}  // namespace headrace::bench
