// Hints for HDF5 files: what they change, and what is told about them.
#include <cstdio>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

const char* const file_name = "hints.h5";

bool in_list(const std::string& list, const std::string& hint) {
  return ("," + list + ",").find("," + hint + ",") != std::string::npos;
}

// headrace obeys it itself, whoever moves the elements. What headrace tells MPI-IO of its own is in
// force only where MPI-IO knows it.
void chunks_are_in_force(checks& check, const spread_array& from) {
  const std::string hint = "hdf5_chunk_bytes=65536";
  for (const way& how :
       {way{"shared_collective", "headrace"}, way{"shared_independent", "headrace"},
        way{"shared_collective", "library"}, way{"serial", "library"}}) {
    const std::string what = hint + ", " + how.pattern + " by " + how.transfer + ": ";
    hr_error error{};
    hr_parallel_options chosen = options_of(how, "rho");
    chosen.hints = hint.c_str();
    hr_parallel_report report{};
    check.ok(hr_write_parallel(file_name, from.array(), from.layout(), &chosen, &report, &error),
             error, what);
    const std::string in_force = report.hints_in_force;
    check.that(in_list(in_force, hint), what + "in force is " + in_force);
    check.that(std::string(report.hints_ignored).empty(), what + report.hints_ignored);
#ifdef OPEN_MPI
    check.that(in_force.find("romio") == std::string::npos, what + "in force is " + in_force);
#endif
  }
}

// Hints change owners and pieces, not the result; they are reported.
void test(checks& check) {
  const kind& of = kind_named("real64");
  spread_array from(MPI_COMM_WORLD, of, {64, 32, 20}, cut::uneven);
  from.fill();
  for (const char* text :
       {"cb_nodes=2", "cb_buffer_size=65536", "cb_nodes=1,cb_buffer_size=8192"}) {
    hr_error error{};
    hr_parallel_options chosen = options_of({}, "rho");
    chosen.hints = text;
    hr_parallel_report report{};
    check.ok(hr_write_parallel(file_name, from.array(), from.layout(), &chosen, &report, &error),
             error, text);
    check.that(check.size() == 1 || std::string(report.hints_ignored).empty(),
               std::string(text) + " ignored: " + report.hints_ignored);
    spread_array to(MPI_COMM_WORLD, of, {64, 32, 20}, cut::skewed);
    to.clear();
    check.ok(hr_read_parallel(file_name, to.array(), to.layout(), &chosen, nullptr, &error), error,
             std::string("read, ") + text);
    check.that(to.wrong() == 0, std::string(text) + ": wrong bytes");
  }
  chunks_are_in_force(check, from);
  hr_error error{};
  hr_parallel_options chosen = options_of({"shared_collective", "library"}, "rho");
  chosen.hints = "cb_nodes=1,no_such_hint=5";
  hr_parallel_report report{};
  check.ok(hr_write_parallel(file_name, from.array(), from.layout(), &chosen, &report, &error),
           error, "library hints");
  check.that(std::string(report.hints_in_force) != "", "the library says what is in force");
  check.that(in_list(report.hints_ignored, "no_such_hint=5"),
             "a hint that nobody knows is ignored");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "hints for HDF5", test);
}
