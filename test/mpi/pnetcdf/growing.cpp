// CDF-5 files that grow in unusual ways: without arrays at first, with numbers of steps of others,
// deleted meanwhile, without permission, and after a call that failed.
#include <pnetcdf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

using namespace spread;
using words = std::vector<std::string>;

const extents shape = {6, 4};

class growing {
 public:
  explicit growing(checks& check) : check_(check) {}

  // Nothing lies behind the header that could move.
  void flushed_without_arrays() {
    open("without.pnc", "write");
    attribute("first", 1);
    ok(hr_flush_dataset(state_, &error_), "flush without arrays");
    ok(put("fixed", nullptr), "an array after the flush");
    ok(put("u", &one_), "a step after the flush");
    ok(hr_flush_dataset(state_, &error_), "flush with arrays");
    attribute("second", 2);
    ok(put("u", &two_), "another step");
    close("a file that was flushed without arrays");
    has_both_steps();
  }

  // Their numbers go into the file that has the name by then.
  void steps_after_flushed_arrays() {
    open("fixed.pnc", "write");
    attribute("first", 1);
    attribute("second", 2);
    ok(put("fixed", nullptr), "an array");
    ok(hr_flush_dataset(state_, &error_), "flush without steps");
    ok(put("u", &one_), "a step after the flush");
    ok(put("u", &two_), "another step");
    close("steps after flushed arrays");
    has_both_steps();
    MPI_Barrier(MPI_COMM_WORLD);
    for (const auto& entry : std::filesystem::directory_iterator("."))
      check_.that(entry.path().extension() != ".part", "left: " + entry.path().string());
  }

  void attributes_only() {
    open("only.pnc", "write");
    attribute("first", 1);
    close("a file with an attribute only");
    open("only.pnc", "append");
    attribute("second", 2);
    close("more attributes");
    open("only.pnc", "append");
    ok(put("fixed", nullptr), "an array after attributes");
    ok(put("u", &one_), "a step after attributes");
    close("arrays after attributes");
    open("only.pnc", "append");
    attribute("third", 3);
    ok(put("u", &two_), "the next step");
    close("steps after attributes");
    has_both_steps();
  }

  void numbers_of_others() {
    const told_at_once told;
    if (check_.rank() == 0) write_numbered_by_int("others.pnc");
    MPI_Barrier(MPI_COMM_WORLD);
    open("others.pnc", "append");
    check_.fails(put("u", &two_), error_, HR_KIND_UNSUPPORTED,
                 words{"the steps of array \"u\"", "expected int64", "found int",
                       "write the steps to a new file"},
                 "steps that an int numbers");
    ok(hr_abandon_dataset(&state_, &error_), "abandon");
  }

  void deleted() {
    open("deleted.pnc", "write");
    ok(put("u", &one_), "a step");
    ok(hr_flush_dataset(state_, &error_), "flush");
    if (check_.rank() == 0) check_.that(unlink("deleted.pnc") == 0, "unlink");
    MPI_Barrier(MPI_COMM_WORLD);
    ok(put("u", &two_), "a step into a deleted file");
    check_.fails(hr_flush_dataset(state_, &error_), error_, HR_FILE_CHANGED_WHILE_WRITING,
                 words{"deleted.pnc", "gone"}, "flush of a deleted file");
    check_.that(hr_close_dataset(&state_, &error_) == HR_FILE_CHANGED_WHILE_WRITING, "close");
  }

  void without_permission() {
    open("locked.pnc", "write");
    ok(put("u", &one_), "a step");
    close("locked.pnc");
    if (check_.rank() == 0) chmod("locked.pnc", 0444);
    MPI_Barrier(MPI_COMM_WORLD);
    const bool is_root = geteuid() == 0;
    if (is_root && seteuid(65534) != 0) check_.that(false, "seteuid");
    const int code = try_to_open("locked.pnc", "append");
    if (is_root && seteuid(0) != 0) check_.that(false, "seteuid back");
    check_.fails(code, error_, EACCES, "locked.pnc", "append without permission");
  }

  void after_a_refused_call() {
    open("refused.pnc", "write");
    ok(put("u", &one_), "a step");
    check_.that(put("u", &one_) != 0, "the same step again");
    std::int32_t value = 1;
    const hr_array from = scalar(value, HR_TYPE_INTEGER);
    for (const char* const name : {"late", "later"})
      ok(hr_write_attribute(state_, nullptr, name, &from, &error_), "an attribute after it");
    ok(hr_abandon_dataset(&state_, &error_), "abandon");
  }

 private:
  void ok(int code, const std::string& what) { check_.ok(code, error_, what); }
  int try_to_open(const char* file, const char* action) {
    const hr_parallel_options chosen{};
    return hr_open_dataset(&state_, file, MPI_COMM_WORLD, action, &chosen, &error_);
  }
  void open(const char* file, const char* action) {
    file_ = file;
    ok(try_to_open(file, action), std::string(action) + " " + file);
  }
  void close(const std::string& what) { ok(hr_close_dataset(&state_, &error_), "close " + what); }
  void attribute(const char* name, std::int32_t value) {
    const hr_array from = scalar(value, HR_TYPE_INTEGER);
    ok(hr_write_attribute(state_, nullptr, name, &from, &error_), file_ + ": " + name);
  }
  int put(const char* name, const long long* step) {
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), shape, cut::uneven);
    from.fill(step == nullptr ? 5 : *step);
    return hr_write_dataset_array(state_, name, from.array(), from.layout(), nullptr, step,
                                  &error_);
  }
  void has_both_steps() {
    open(file_.c_str(), "read");
    for (const char* const name : {"first", "second"}) {
      std::int32_t found = 0;
      const hr_array to = scalar(found, HR_TYPE_INTEGER);
      ok(hr_read_attribute(state_, nullptr, name, &to, &error_), file_ + ": " + name);
    }
    get("fixed", nullptr);
    get("u", &one_);
    get("u", &two_);
    close(file_);
  }
  void get(const char* name, const long long* step) {
    spread_array to(MPI_COMM_WORLD, kind_named("real64"), shape, cut::uneven);
    to.clear();
    ok(hr_read_dataset_array(state_, name, to.array(), to.layout(), step, &error_), name);
    check_.that(to.wrong(step == nullptr ? 5 : *step) == 0, file_ + ": other values of " + name);
  }
  static void write_numbered_by_int(const char* file) {
    int id = 0;
    int dimensions[3] = {};
    int variable = 0;
    const int number = 1;
    const MPI_Offset start = 0;
    const MPI_Offset count = 1;
    ncmpi_create(MPI_COMM_SELF, file, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &id);
    ncmpi_def_dim(id, "time", NC_UNLIMITED, &dimensions[0]);
    ncmpi_def_dim(id, "y", 4, &dimensions[1]);
    ncmpi_def_dim(id, "x", 6, &dimensions[2]);
    ncmpi_def_var(id, "time", NC_INT, 1, dimensions, &variable);
    int other = 0;
    ncmpi_def_var(id, "u", NC_DOUBLE, 3, dimensions, &other);
    ncmpi_enddef(id);
    ncmpi_put_vara_int_all(id, variable, &start, &count, &number);
    ncmpi_close(id);
  }

  checks& check_;
  std::string file_;
  hr_dataset state_ = 0;
  hr_error error_{};
  const long long one_ = 1;
  const long long two_ = 2;
};

void test(checks& check) {
  growing all(check);
  all.flushed_without_arrays();
  all.steps_after_flushed_arrays();
  all.attributes_only();
  all.numbers_of_others();
  all.deleted();
  all.without_permission();
  all.after_a_refused_call();
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "growing", test);
}
