#include "hello.hpp"

#include <headrace_mpi.h>

#include "clocks.hpp"
#include "fortran_unit.hpp"
#include "json_writer.hpp"
#include "method.hpp"
#include "mpi_io_module.hpp"

namespace headrace::bench {
namespace {

std::string mpi_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text);
  const std::string first = all.substr(0, all.find('\n'));
  // MPICH: "MPICH Version:	4.0.2"
  std::string name;
  for (const char c : first) name += c == '\t' ? ' ' : c;
  return name;
}

std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

std::string formats() {
  json_object made;
  for (const char* format : {"npy", "hdf5", "netcdf4", "pnetcdf", "adios2", "zarr", "statements"}) {
    made.add(format, hr_parallel_unavailable(format));
  }
  return made.text();
}

std::string methods() {
  std::vector<std::string> made;
  for (const method_entry& each : all_methods()) {
    json_object one;
    one.add("name", each.name);
    one.add_json("operations", json_array({json("write"), json("read")}));
    one.add("description", each.description);
    one.add("available", each.unavailable.empty() ? nullptr : each.unavailable.c_str());
    made.push_back(one.text());
  }
  return json_array(made);
}

}  // namespace

std::string hello(const world& all) {
  const std::vector<std::string> offsets = gather_texts(all, json(learn_clock_offset(all)));
  if (all.rank != 0) return "";
  int version = 0;
  int subversion = 0;
  MPI_Get_version(&version, &subversion);
  const std::string mpi = mpi_name();
  json_object made;
  made.add("hello", 1).add("ranks", all.size).add("nodes", all.nodes);
  made.add("node_of", all.node_of).add("hosts", all.hosts);
  made.add("mpi", mpi).add("mpi_io", mpi_io_module());
  made.add("mpi_standard", std::to_string(version) + "." + std::to_string(subversion));
  made.add("compiler", compiler_name()).add("fortran", fortran_compiler());
  made.add("headrace", HEADRACE_VERSION);
  made.add_json("formats", formats());
  made.add_json("clock_offset", json_array(offsets));
  made.add_json("methods", methods());
  return made.text();
}

}  // namespace headrace::bench
