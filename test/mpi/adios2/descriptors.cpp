// One MPI rank has few descriptors left, from none to enough: the same failure on all MPI ranks,
// with the old store as it was, or a new store. Nobody waits for one that could open no file.
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "../arrays/faults_files.hpp"

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

const char* const file = "descriptors.bp";

// While it lives, the process can open so many more files.
class few_descriptors {
 public:
  explicit few_descriptors(int left) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = ::dup(STDOUT_FILENO);
    ::close(lowest);
    struct rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(lowest + left);
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
  ~few_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  few_descriptors(const few_descriptors&) = delete;
  few_descriptors& operator=(const few_descriptors&) = delete;

 private:
  struct rlimit before_ {};
};

int write_with(const way& how, const spread_array& data, bool is_victim, int left,
               hr_error& error) {
  if (!is_victim) return faults::write(file, how, data, error);
  const few_descriptors limit(left);
  return faults::write(file, how, data, error);
}

class scarce_descriptors {
 public:
  scarce_descriptors(checks& check, const way& how, int victim)
      : check_(check), how_(how), victim_(victim) {}

  void try_all() {
    old_.fill(100);
    data_.fill(7);
    hr_error error{};
    check_.ok(faults::write(file, how_, old_, error), error, how_.text() + ", an old store");
    before_ = faults::contents(file);
    bool worked = false;
    for (const int left : {0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 60})
      if (!worked) worked = try_with(left);
    check_.that(worked, how_.text() + ": 60 descriptors were too few");
    check_.that(failures_ > 0 || !writes(), how_.text() + ": no descriptor was needed");
  }

 private:
  bool writes() const { return victim_ == 0 || std::string(how_.pattern) == "file_per_process"; }

  bool try_with(int left) {
    const std::string what = how_.text() + " with " + std::to_string(left) +
                             " descriptors on MPI rank " + std::to_string(victim_);
    hr_error error{};
    MPI_Barrier(MPI_COMM_WORLD);
    const int code = write_with(how_, data_, check_.rank() == victim_, left, error);
    if (code == 0) return is_new(what);
    ++failures_;
    const std::string whose = check_.size() > 1 ? "MPI rank " + std::to_string(victim_) + ": " : "";
    check_.fails(code, error, EMFILE, {file, whose}, what);
    MPI_Barrier(MPI_COMM_WORLD);
    check_.that(faults::has_contents(file, before_), what + ": the old store is not what it was");
    check_.that(faults::leftovers(file) == 0, what + ": something was left beside it");
    return false;
  }

  bool is_new(const std::string& what) {
    spread_array found(MPI_COMM_WORLD, real64_, global_, cut::balanced);
    found.clear();
    hr_error error{};
    check_.ok(faults::read(file, how_, found, error), error, what + ", reading the new store");
    check_.that(found.wrong(7) == 0, what + ": success, but other values");
    return true;
  }

  checks& check_;
  way how_;
  int victim_;
  int failures_ = 0;
  const spread::kind& real64_ = spread::kind_named("real64");
  const spread::extents global_ = {60, 50, 40};
  spread_array old_{MPI_COMM_WORLD, real64_, global_, cut::uneven};
  spread_array data_{MPI_COMM_WORLD, real64_, global_, cut::skewed};
  std::string before_;
};

void test(checks& check) {
  faults::empty_this_directory(check);
  for (const char* const pattern : {"file_per_process", "file_per_node", "serial"})
    for (const char* const hints : {"engine=BP5", "engine=BP4"})
      for (int victim = 0; victim < check.size(); victim += 2)
        scarce_descriptors(check, {"adios2", "bp", pattern, "library", hints}, victim).try_all();
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "few descriptors with ADIOS2", test);
}
