// Hints for ADIOS2's stores: engines and parameters that are obeyed, those that are ignored because
// MPI ranks would share a file, and what is told about both. Every store is read back.
#include <cstring>
#include <string>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

using spread::checks;
using spread::cut;
using spread::memory;
using spread::spread_array;

const char* const file = "hints.bp";

struct hinted {
  const char* hints;
  const char* in_force;  // words of the report
  const char* ignored;   // the report
};

hr_parallel_options options_of(const char* pattern, const char* hints) {
  hr_parallel_options chosen{};
  chosen.pattern = pattern;
  chosen.hints = hints;
  return chosen;
}

class hints_of_stores {
 public:
  explicit hints_of_stores(checks& check) : check_(check) {}

  // BP4's buffer is filled more than once if the array is large.
  void write_array(const char* pattern, const hinted& one, const spread::extents& global) {
    const std::string what = std::string(pattern) + " with " + one.hints;
    spread_array from(MPI_COMM_WORLD, real64_, global, cut::uneven, memory::halo);
    from.fill();
    const hr_parallel_options chosen = options_of(pattern, one.hints);
    hr_error error{};
    hr_parallel_report report{};
    check_.ok(hr_write_parallel(file, from.array(), from.layout(), &chosen, &report, &error), error,
              what);
    check_.that(std::strstr(report.hints_in_force, one.in_force) != nullptr,
                what + ": in force is " + report.hints_in_force);
    check_.that(std::strcmp(report.hints_ignored, one.ignored) == 0,
                what + ": ignored is \"" + report.hints_ignored + "\"");
    spread_array to(MPI_COMM_WORLD, real64_, global, cut::bisected);
    to.clear();
    check_.ok(hr_read_parallel(file, to.array(), to.layout(), nullptr, nullptr, &error), error,
              what + ", reading");
    check_.that(to.wrong() == 0, what + ": other values");
  }

  void write_steps(const char* pattern, const char* hints) {
    const std::string what = std::string("steps, ") + pattern + " with " + hints;
    const hr_parallel_options chosen = options_of(pattern, hints);
    hr_error error{};
    hr_dataset state = 0;
    check_.ok(hr_open_dataset(&state, file, MPI_COMM_WORLD, "write", &chosen, &error), error, what);
    for (long long step = 1; step <= 3; ++step)
      for (const char* const name : {"rho", "u"}) {
        spread_array from(MPI_COMM_WORLD, real64_, state_, cut::uneven);
        from.fill(first_of(name, step));
        check_.ok(hr_write_dataset_array(state, name, from.array(), from.layout(), nullptr, &step,
                                         &error),
                  error, what);
      }
    check_.ok(hr_close_dataset(&state, &error), error, what);
    check_.ok(hr_open_dataset(&state, file, MPI_COMM_WORLD, "read", nullptr, &error), error, what);
    for (long long step = 3; step >= 1; --step)
      for (const char* const name : {"rho", "u"}) {
        spread_array to(MPI_COMM_WORLD, real64_, state_, cut::last);
        to.clear();
        check_.ok(hr_read_dataset_array(state, name, to.array(), to.layout(), &step, &error), error,
                  what + ", reading");
        check_.that(to.wrong(first_of(name, step)) == 0, what + ": other values in " + name);
      }
    check_.ok(hr_close_dataset(&state, &error), error, what);
  }

  void refuse(const char* hints, int expected, const char* advice) {
    spread_array from(MPI_COMM_WORLD, real64_, {4, 4}, cut::balanced);
    const hr_parallel_options chosen = options_of("file_per_process", hints);
    hr_error error{};
    const int code =
        hr_write_parallel("refused.bp", from.array(), from.layout(), &chosen, nullptr, &error);
    check_.fails(code, error, expected, {hints, advice, "refused.bp"}, hints);
  }

 private:
  static std::int64_t first_of(const std::string& name, long long step) {
    return 100 * step + static_cast<std::int64_t>(name.size());
  }

  checks& check_;
  const spread::kind& real64_ = spread::kind_named("real64");
  const spread::extents state_ = {60, 50, 12LL * check_.size()};
};

constexpr hinted obeyed[] = {
    {"", "engine=BP5", ""},
    {"StatsLevel=1,stripesize=65536", "StatsLevel=1", ""},
    {"engine=bp4", "engine=BP4", ""},
    {"engine=BP4,statslevel=1,InitialBufferSize=1Mb", "InitialBufferSize=1Mb", ""}};

constexpr hinted ignored[] = {
    {"NumAggregators=77", "AggregationType=EveryoneWritesSerial", "NumAggregators=77"},
    {"aggregationtype=everyonewritesserial", "AggregationType=EveryoneWritesSerial", ""},
    {"AggregationType=TwoLevelShm,NumSubFiles=1", "AggregationType=EveryoneWritesSerial",
     "AggregationType=TwoLevelShm,NumSubFiles=1"},
    {"AsyncWrite=Guided,BurstBufferPath=elsewhere", "AsyncOpen=off",
     "AsyncWrite=Guided,BurstBufferPath=elsewhere"},
    {"no_such_hint=1", "engine=BP5", "no_such_hint=1"},
    {"engine=BP4,SubStreams=77,CollectiveMetadata=off", "engine=BP4",
     "CollectiveMetadata=off,SubStreams=77"},
    {"engine=BP4,FlushStepsCount=7,Profile=on", "Profile=off", "FlushStepsCount=7,Profile=on"},
    {"engine=BP4,StatsLevel=1,StatsBlockSize=8", "StatsLevel=1", "StatsBlockSize=8"},
    {"engine=BP4,AggregationType=TwoLevelShm", "engine=BP4", "AggregationType=TwoLevelShm"}};

void test(checks& check) {
  hints_of_stores stores(check);
  const spread::extents small = {40, 30, 20};
  const spread::extents large = {128, 128, 160LL * check.size()};  // 20 MiB for each MPI rank
  for (const char* const pattern : {"file_per_process", "file_per_node", "serial"}) {
    for (const hinted& one : obeyed) stores.write_array(pattern, one, small);
    for (const hinted& one : ignored) stores.write_array(pattern, one, small);
    stores.write_array(pattern, {"engine=BP4", "engine=BP4", ""}, large);
    stores.write_steps(pattern, "engine=BP4");
    stores.write_steps(pattern, "NumAggregators=1,AsyncWrite=Naive");
  }
  for (const char* const hints : {"engine=SST", "engine=HDF5", "engine=BP3"})
    stores.refuse(hints, HR_OPTION_UNKNOWN, "BP5 or BP4");
  for (const char* const hints : {"StatsLevel=high", "StatsLevel=high,engine=BP4"})
    stores.refuse(hints, HR_LIBRARY_FAILED, "check the values of hints=");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "hints for ADIOS2", test);
}
