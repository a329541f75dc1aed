// Hints for HDF5 files: what they change, and what is told about them.
#include <string>
#include <vector>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

const char* const file_name = "hints.h5";

bool in_list(const std::string& list, const std::string& hint) {
  return ("," + list + ",").find("," + hint + ",") != std::string::npos;
}

// headrace obeys it itself, whoever moves the elements. What headrace tells MPI-IO of its own is in
// force only if MPI-IO knows it.
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

// Each hint is told once: in force or ignored, whatever else was asked for.
class told_once {
 public:
  explicit told_once(checks& check)
      : check_(check), from_(MPI_COMM_WORLD, kind_named("real64"), {64, 32, 20}, cut::uneven) {
    from_.fill();
  }

  void with(const way& how, bool in_steps, const std::vector<std::string>& hints) {
    std::string asked;
    for (const std::string& hint : hints) asked += (asked.empty() ? "" : ",") + hint;
    const std::string what =
        asked + ", " + how.pattern + " by " + how.transfer + (in_steps ? ", a step: " : ": ");
    const hr_parallel_report report = write(how, in_steps, asked, what);
    for (const std::string& hint : hints) {
      const bool in_force = in_list(report.hints_in_force, hint);
      const bool ignored = in_list(report.hints_ignored, hint);
      check_.that(in_force != ignored, what + hint + " is told " + (in_force ? "twice" : "never"));
      if (hint.rfind("hdf5_chunk_bytes=", 0) == 0)
        check_.that(in_force, what + hint + " is ignored");
      if (hint == "no_such_hint=5") check_.that(ignored, what + hint + " is in force");
    }
  }

 private:
  hr_parallel_report write(const way& how, bool in_steps, const std::string& asked,
                           const std::string& what) {
    hr_error error{};
    hr_parallel_options chosen = options_of(how);
    chosen.hints = asked.c_str();
    hr_dataset state = 0;
    check_.ok(hr_open_dataset(&state, file_name, MPI_COMM_WORLD, "write", &chosen, &error), error,
              what + "open");
    const long long step = 3;
    check_.ok(hr_write_dataset_array(state, "rho", from_.array(), from_.layout(), nullptr,
                                     in_steps ? &step : nullptr, &error),
              error, what + "write");
    hr_parallel_report report{};
    check_.ok(hr_report_dataset(state, &report, &error), error, what + "report");
    check_.ok(hr_close_dataset(&state, &error), error, what + "close");
    return report;
  }

  checks& check_;
  spread_array from_;
};

void hints_are_told_once(checks& check) {
  told_once told(check);
  for (const way& how : hdf5_ways)
    for (const bool in_steps : {false, true}) {
      told.with(how, in_steps, {"hdf5_chunk_bytes=65536"});
      told.with(how, in_steps, {"striping_factor=1", "hdf5_chunk_bytes=65536"});
      told.with(how, in_steps, {"cb_nodes=1", "no_such_hint=5"});
    }
}

// HDF5 passes by all chunks before it says where one is: with 70,000 it does not come to an end.
void tiny_chunks_become_larger(checks& check) {
  for (const way& how : hdf5_ways) {
    const std::string what =
        std::string("chunks of 8 bytes, ") + how.pattern + " by " + how.transfer;
    spread_array data(MPI_COMM_WORLD, kind_named("real64"), {70000}, cut::uneven);
    data.fill(4);
    hr_error error{};
    hr_parallel_options chosen = options_of(how);
    chosen.hints = "hdf5_chunk_bytes=8";
    hr_dataset state = 0;
    check.ok(hr_open_dataset(&state, file_name, MPI_COMM_WORLD, "write", &chosen, &error), error,
             what);
    const long long step = 1;
    check.ok(
        hr_write_dataset_array(state, "rho", data.array(), data.layout(), nullptr, &step, &error),
        error, what);
    hr_parallel_report report{};
    check.ok(hr_report_dataset(state, &report, &error), error, what);
    check.ok(hr_close_dataset(&state, &error), error, what);
    check.that(
        in_list(report.hints_ignored, "hdf5_chunk_bytes=8") &&
            in_list(report.hints_in_force, "hdf5_chunk_bytes=544"),
        what + ": in force is " + report.hints_in_force + ", ignored " + report.hints_ignored);
    data.clear();
    hr_parallel_options again = options_of(how);
    check.ok(hr_open_dataset(&state, file_name, MPI_COMM_WORLD, "read", &again, &error), error,
             what);
    check.ok(hr_read_dataset_array(state, "rho", data.array(), data.layout(), &step, &error), error,
             what);
    check.ok(hr_close_dataset(&state, &error), error, what);
    check.that(data.wrong(4) == 0, what + ": wrong bytes");
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
  hints_are_told_once(check);
  tiny_chunks_become_larger(check);
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
