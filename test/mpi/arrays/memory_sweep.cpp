// One MPI rank is refused an allocation, each in its turn, alone or with all later ones: all MPI
// ranks have the same failure or all succeed, and nobody waits for ever. Arguments: every how
// manieth allocation, and how the names of the ways to try begin.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "faults_files.hpp"
#include "library_code.hpp"
#include "refused_buffers.hpp"

namespace {

bool counts = false;
bool refuses_all_later = false;
long long turn = 0;
long long seen = 0;

}  // namespace

// ADIOS2 2.12 itself is refused none. Without memory on one MPI rank its BP5Writer leaves the
// others in the barriers of adios2_open, LocalTimeDate() ends the program because it is noexcept,
// and other failures of adios2_open name no reason.
bool memory_is_refused(std::size_t) {
  static const library_code adios2("libadios2");
  return counts && !adios2.is_at_work() && (++seen == turn || (refuses_all_later && seen > turn));
}

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

constexpr unsigned longest_wait = 60;  // seconds
std::string where;

void tell_who_waits(int) {
  if (::write(STDERR_FILENO, where.data(), where.size()) < 0) std::abort();
  std::abort();
}

// Longer than what a string has within itself, in each part.
const std::string directory = "a_directory_whose_name_is_long_enough_to_need_memory_of_its_own/";
constexpr const char* array_name = "an_array_whose_name_is_too_long_for_a_string_without_memory";
constexpr const char* other_name = "another_array_whose_name_is_too_long_for_a_string_as_it_is";
constexpr const char* attribute_name = "an_attribute_whose_name_is_too_long_for_a_string_as_it_is";

// The calls of a scenario, in one of which memory is refused. Each says whether it succeeded.
class memory_sweep {
 public:
  memory_sweep(checks& check, long long stride) : check_(check), stride_(stride) {}

  // what(): the scenario, to its end also after a failure.
  void run(const std::string& name, const std::function<void()>& what) {
    long long refusals = 0;
    for (const bool all_later : {false, true})
      for (const int victim : {0, check_.size() - 1}) {
        int refused = 1;
        long long at = 1 + first_++ % stride_;
        for (; refused != 0; at += stride_) {
          refused = attempt(name, what, victim, at, all_later);
          refusals += refused;
        }
      }
    // In steps of many a small call may be passed over.
    check_.that(refusals > 0 || stride_ > 1, name + ": nothing was refused");
    refusals_ += refusals;
  }

  void refused_something() {
    check_.that(refusals_ > 10, "only " + std::to_string(refusals_) + " allocations were refused");
  }

  bool call(const std::string& doing, const std::function<int(hr_error&)>& make) {
    hr_error error{};
    counts = is_victim_;
    const int code = make(error);
    counts = false;
    int codes[2] = {code, -code};
    MPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check_.that(codes[0] == -codes[1], where + doing + ": another outcome than elsewhere: " +
                                           std::to_string(code) + ", " + error.message);
    if (codes[0] != -codes[1]) MPI_Abort(MPI_COMM_WORLD, 1);  // the next call would wait
    if (code != 0) {
      check_.that(code == ENOMEM,
                  where + doing + ": status " + std::to_string(code) + ", " + error.message);
      check_.that(std::strstr(error.message, "memory") != nullptr, where + doing + error.message);
    }
    return code == 0;
  }

 private:
  int attempt(const std::string& name, const std::function<void()>& what, int victim, long long at,
              bool all_later) {
    where = name + ", allocation " + std::to_string(at) + (all_later ? " and all later" : "") +
            " of MPI rank " + std::to_string(victim) + "\n";
    is_victim_ = check_.rank() == victim;
    refuses_all_later = all_later;
    turn = at;
    seen = 0;
    ::alarm(longest_wait);
    what();
    ::alarm(0);
    int refused = is_victim_ && seen >= at ? 1 : 0;
    MPI_Bcast(&refused, 1, MPI_INT, victim, MPI_COMM_WORLD);
    return refused;
  }

  checks& check_;
  long long stride_;
  long long first_ = 0;
  long long refusals_ = 0;
  bool is_victim_ = false;
};

class sweep_of_way {
 public:
  sweep_of_way(memory_sweep& sweep, const way& by)
      : sweep_(sweep), options_(by.options()), name_(by.text()) {
    file_ = directory + "a_file_whose_name_needs_memory_too." + by.ending;
    has_datasets_ = std::string(by.format) != "npy";
    options_.dataset = array_name;
  }

  void run() {
    spread_array data(MPI_COMM_WORLD, spread::kind_named("int32"), {7, 6, 5}, cut::uneven);
    data.fill(3);
    data_ = &data;
    sweep_.run(name_ + ", writing",
               [&] { sweep_.call("", [&](hr_error& error) { return write(error); }); });
    hr_error error{};
    write(error);
    sweep_.run(name_ + ", reading", [&] {
      sweep_.call("", [&](hr_error& failed) {
        return hr_read_parallel(file_.c_str(), data.array(), data.layout(), &options_, nullptr,
                                &failed);
      });
    });
    if (!has_datasets_) return;
    sweep_.run(name_ + ", a dataset", [&] { writes_dataset(); });
    writes_dataset();
    sweep_.run(name_ + ", reading a dataset", [&] { reads_dataset(); });
  }

 private:
  int write(hr_error& error) {
    return hr_write_parallel(file_.c_str(), data_->array(), data_->layout(), &options_, nullptr,
                             &error);
  }

  bool opens(hr_dataset& state, const char* action) {
    return sweep_.call("opening", [&](hr_error& error) {
      return hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, action, &options_, &error);
    });
  }

  void closes(hr_dataset& state) {
    sweep_.call("closing", [&](hr_error& error) { return hr_close_dataset(&state, &error); });
  }

  void writes_array(hr_dataset state, const char* name, const long long* step) {
    sweep_.call("writing", [&](hr_error& error) {
      return hr_write_dataset_array(state, name, data_->array(), data_->layout(), nullptr, step,
                                    &error);
    });
  }

  // 3 steps, one of which an array leaves out; attributes of an array and of the file.
  void writes_dataset() {
    hr_dataset state = 0;
    if (!opens(state, "write")) return;
    double number = 1.5;
    const hr_array one = spread::scalar(number, HR_TYPE_REAL);
    for (const long long step : {1LL, 2LL, 3LL}) {
      writes_array(state, array_name, &step);
      if (step != 2) writes_array(state, other_name, &step);
    }
    for (const char* const of : {array_name, static_cast<const char*>(nullptr)})
      sweep_.call("an attribute", [&](hr_error& error) {
        return hr_write_attribute(state, of, attribute_name, &one, &error);
      });
    closes(state);
  }

  void reads_dataset() {
    hr_dataset state = 0;
    if (!opens(state, "read")) return;
    double number = 0;
    const hr_array one = spread::scalar(number, HR_TYPE_REAL);
    hr_array_info info{};
    long long there = 0;
    sweep_.call("describing", [&](hr_error& error) {
      return hr_describe_dataset_array(state, other_name, &info, &there, &error);
    });
    const long long step = 3;
    sweep_.call("reading", [&](hr_error& error) {
      return hr_read_dataset_array(state, array_name, data_->array(), data_->layout(), &step,
                                   &error);
    });
    for (const char* const of : {array_name, static_cast<const char*>(nullptr)})
      sweep_.call("reading an attribute", [&](hr_error& error) {
        return hr_read_attribute(state, of, attribute_name, &one, &error);
      });
    closes(state);
  }

  memory_sweep& sweep_;
  hr_parallel_options options_;
  std::string name_;
  std::string file_;
  bool has_datasets_ = true;
  const spread_array* data_ = nullptr;
};

void make_layouts(memory_sweep& sweep, const checks& check) {
  sweep.run("a layout", [&] {
    const long long global[2] = {10, 3LL * check.size()};
    const long long start[2] = {1, 3LL * check.rank() + 1};
    const long long count[2] = {10, 3};
    hr_layout made = 0;
    sweep.call("", [&](hr_error& error) {
      return hr_make_layout(&made, MPI_COMM_WORLD, 2, global, start, count, &error);
    });
    hr_free_layout(&made, nullptr);
  });
}

void test(checks& check, long long stride, const char* wanted) {
  ::signal(SIGALRM, tell_who_waits);
  if (check.rank() == 0 && std::system(("mkdir -p " + directory).c_str()) != 0)
    check.that(false, "cannot make the directory");
  MPI_Barrier(MPI_COMM_WORLD);
  memory_sweep sweep(check, stride);
  make_layouts(sweep, check);
  for (const way& by : faults::ways())
    if (by.text().rfind(wanted, 0) == 0) sweep_of_way(sweep, by).run();
  sweep.refused_something();
}

}  // namespace

int main(int count, char** arguments) {
  const long long stride = count > 1 ? std::atoll(arguments[1]) : 1;
  const char* const wanted = count > 2 ? arguments[2] : "";
  return spread::run(count, arguments, "memory sweep",
                     [&](checks& check) { test(check, stride, wanted); });
}
