// What cannot be read or written gives the same clear error on every MPI rank, and never a hang.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

std::string bytes_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class bad_input {
 public:
  bad_input(checks& check, const format_in_test& format)
      : check_(check), format_(format), file_(format.file("bad")) {}

  int write(const spread_array& from, hr_error& error, const std::string& file) {
    const hr_parallel_options chosen = format_.options({});
    return hr_write_parallel(file.c_str(), from.array(), from.layout(), &chosen, nullptr, &error);
  }

  int read(const char* kind_name, const extents& global, hr_error& error, const way& how,
           const char* dataset) {
    spread_array to(MPI_COMM_WORLD, kind_named(kind_name), global, cut::skewed);
    hr_parallel_options chosen = format_.options(how);
    chosen.dataset = dataset;
    return hr_read_parallel(file_.c_str(), to.array(), to.layout(), &chosen, nullptr, &error);
  }

  void good_file() {
    hr_error error{};
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {40, 30, 20}, cut::uneven);
    from.fill(0);
    check_.ok(write(from, error, file_), error, "a good file");
  }

  void wrong_questions() {
    hr_error error{};
    for (const way& how : format_.ways) {
      check_.fails(read("real32", {40, 30, 20}, error, how, "data"), error, HR_KIND_MISMATCH,
                   "real of 8 bytes", "another kind");
      check_.fails(read("real64", {40, 30, 21}, error, how, "data"), error, HR_SHAPE_MISMATCH,
                   "(40, 30, 20)", "another shape");
      check_.fails(read("real64", {40, 30, 20}, error, how, "rho"), error, HR_ARRAY_MISSING,
                   "has \"data\"", "another name");
    }
  }

  void unsupported_kind() {
    hr_error error{};
    const kind quadruple = {"real128", HR_TYPE_REAL, 16};
    spread_array from(MPI_COMM_WORLD, quadruple, {4, 3}, cut::uneven);
    check_.fails(write(from, error, file_), error, HR_KIND_UNSUPPORTED, "reals of 16 bytes",
                 "real128");
    check_.ok(read("real64", {40, 30, 20}, error, {}, "data"), error, "the old file is there");
  }

  void name_of_two_dimensions() {
    hr_error error{};
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {4, 3, 4}, cut::uneven);
    from.fill(0);
    hr_parallel_options chosen = format_.options({});
    for (const char* names : {"x,x,y", "x,y,x"}) {  // of different lengths, and of the same
      chosen.dimensions = names;
      const int code =
          hr_write_parallel(file_.c_str(), from.array(), from.layout(), &chosen, nullptr, &error);
      check_.fails(code, error, HR_ARGUMENT_INVALID, "\"x\" stands twice in dimensions=", names);
    }
  }

  // The library alone says no: what a name may be stands beside its words.
  void names_that_netcdf_does_not_allow() {
    hr_error error{};
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {4, 3}, cut::uneven);
    from.fill(0);
    for (const auto& [array, dimensions] : {std::pair{"+rho", "x,y"}, std::pair{"rho", "x,y\ty"}}) {
      hr_parallel_options chosen = format_.options({});
      chosen.dataset = array;
      chosen.dimensions = dimensions;
      const int code =
          hr_write_parallel(file_.c_str(), from.array(), from.layout(), &chosen, nullptr, &error);
      check_.fails(code, error, HR_ARGUMENT_INVALID,
                   std::vector<std::string>{"illegal characters; file \"" + file_ + "\"",
                                            "; a name is UTF-8, begins with"},
                   array);
    }
  }

  // Every byte range of the header broken or cut, then missing altogether: an error or a result,
  // the same everywhere.
  void damaged(const std::string& victim) {
    const std::string whole = bytes_of(victim);
    MPI_Barrier(MPI_COMM_WORLD);
    const auto size = static_cast<long>(whole.size());
    int failures = 0;
    for (const long length : {0L, 3L, 60L, 100L, size / 2, size - 8}) {
      if (length < 0 || length >= size) continue;
      failures += answer_to(victim, whole.substr(0, static_cast<std::size_t>(length)),
                            "cut to " + std::to_string(length));
    }
    check_.that(failures >= 3, victim + ": cut files are errors");
    const std::size_t end = format_.is_netcdf() ? 1024 : 32;
    for (std::size_t at = 0; at < std::min(whole.size(), end); at += 16) {
      std::string broken = whole;
      broken[at] = static_cast<char>(~broken[at]);
      answer_to(victim, broken, "byte " + std::to_string(at) + " broken");
    }
    answer_to(victim, whole, "whole again");
  }

  // What lies behind the end of a classic file reads as zero.
  void steps_are_cut_off() {
    const std::string file = format_.file("cut_steps");
    const hr_parallel_options chosen = format_.options({});
    hr_error error{};
    hr_dataset state = 0;
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {40, 30}, cut::uneven);
    from.fill(0);
    check_.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error),
              error, file);
    for (const long long step : {7LL, 9LL})
      check_.ok(
          hr_write_dataset_array(state, "rho", from.array(), from.layout(), nullptr, &step, &error),
          error, file);
    check_.ok(hr_close_dataset(&state, &error), error, file);
    const std::string whole = bytes_of(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() == 0)
      check_.that(::truncate(file.c_str(), static_cast<off_t>(whole.size() / 2)) == 0, file);
    MPI_Barrier(MPI_COMM_WORLD);
    check_.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "read", &chosen, &error), error,
              file);
    long long steps = 0;
    check_.fails(hr_describe_dataset_array(state, "rho", nullptr, &steps, &error), error,
                 HR_END_OF_FILE, "ends within the array", "steps of a cut file");
    check_.ok(hr_close_dataset(&state, &error), error, file);
  }

  int answer_to(const std::string& victim, const std::string& bytes, const std::string& what) {
    if (check_.rank() == 0) std::ofstream(victim, std::ios::binary) << bytes;
    MPI_Barrier(MPI_COMM_WORLD);
    hr_error error{};
    const int code = read("real64", {40, 30, 20}, error, {}, "data");
    if (code != 0) check_.fails(code, error, code, "", victim + " " + what);
    check_.that(code == 0 || std::strlen(error.message) > 20, victim + " " + what);
    return code != 0 ? 1 : 0;
  }

  void is_missing() {
    if (check_.rank() == 0)
      if (std::system(("rm -r '" + file_ + "'").c_str()) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    hr_error error{};
    check_.fails(read("real64", {40, 30, 20}, error, {}, "data"), error, ENOENT, file_,
                 "a file that is not there");
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {4, 3}, cut::uneven);
    check_.fails(write(from, error, format_.directory + "/no/such/place"), error, ENOENT, "place",
                 "a directory that is not there");
  }

  // A file of another format under this one's name.
  void is_foreign() {
    if (check_.rank() == 0) std::ofstream(file_) << std::string(5000, 'x');
    MPI_Barrier(MPI_COMM_WORLD);
    hr_error error{};
    check_.fails(read("real64", {40, 30, 20}, error, {}, "data"), error, HR_HEADER_DAMAGED,
                 "not a complete", "a text");
    if (check_.rank() == 0) std::remove(file_.c_str());
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void all() {
    good_file();
    wrong_questions();
    unsupported_kind();
    name_of_two_dimensions();
    if (format_.is_netcdf()) {
      names_that_netcdf_does_not_allow();
      damaged(file_);
      if (format_.name == "pnetcdf") steps_are_cut_off();
    } else {
      damaged(file_ + "/md.idx");  // ADIOS2 crashes on the others
    }
    is_missing();
    is_foreign();
  }

 private:
  checks& check_;
  const format_in_test& format_;
  std::string file_;
};

void test(checks& check, const format_in_test& format) {
  bad_input(check, format).all();
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
