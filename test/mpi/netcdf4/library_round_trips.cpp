// Arrays of every kind, array rank and form in memory come back as they were, written and read by
// every pattern, with other decompositions and on other numbers of MPI ranks.
#include "library_formats.hpp"

namespace {

using namespace library_tests;

class round_trips {
 public:
  round_trips(checks& check, const format_in_test& format)
      : check_(check), format_(format), file_(format.file("round_trips")) {}

  void write(const char* pattern, const spread_array& from, const std::string& what) {
    hr_error error{};
    hr_parallel_report report{};
    const hr_parallel_options chosen = format_.options(pattern);
    check_.ok(
        hr_write_parallel(file_.c_str(), from.array(), from.layout(), &chosen, &report, &error),
        error, "write " + what);
    check_.that(report.format == format_.name && std::string(report.pattern) == pattern &&
                    report.writers >= 1,
                "report of " + what);
  }

  void read(const char* pattern, spread_array& to, const std::string& what) {
    hr_error error{};
    const hr_parallel_options chosen = format_.options(pattern);
    to.clear();
    check_.ok(hr_read_parallel(file_.c_str(), to.array(), to.layout(), &chosen, nullptr, &error),
              error, "read " + what);
    check_.that(to.wrong(0) == 0, std::to_string(to.wrong(0)) + " wrong elements of " + what);
  }

  void every_kind() {
    for (const kind& of : kinds)
      for (const char* pattern : format_.patterns) {
        spread_array from(MPI_COMM_WORLD, of, {13, 7, 5}, cut::uneven);
        from.fill(0);
        const std::string what = std::string(of.name) + ", " + pattern;
        write(pattern, from, what);
        spread_array to(MPI_COMM_WORLD, of, {13, 7, 5}, cut::skewed, memory::halo);
        for (const char* other : format_.patterns) read(other, to, what + ", read " + other);
      }
  }

  void every_array_rank() {
    const std::vector<extents> shapes = {{101},
                                         {17, 9},
                                         {7, 6, 5},
                                         {5, 4, 3, 4},
                                         {4, 3, 3, 2, 3},
                                         {3, 2, 3, 2, 3, 2},
                                         {2, 3, 2, 3, 2, 2, 3}};
    const memory forms[] = {memory::contiguous, memory::halo, memory::every_second,
                            memory::backwards};
    std::size_t next = 0;
    for (const extents& shape : shapes)
      for (const memory form : forms) {
        const kind& of = kinds[next % kinds.size()];
        const char* const pattern = format_.patterns[next % format_.patterns.size()];
        const std::string what = "array rank " + std::to_string(shape.size()) + ", form " +
                                 std::to_string(static_cast<int>(form)) + ", " + of.name + ", " +
                                 pattern;
        spread_array from(MPI_COMM_WORLD, of, shape, cut::skewed, form);
        from.fill(0);
        write(pattern, from, what);
        spread_array to(MPI_COMM_WORLD, of, shape, cut::uneven, form);
        read(format_.patterns[++next % format_.patterns.size()], to, what);
      }
  }

  // Written by all MPI ranks, read by the first half, and the other way round.
  void other_numbers_of_ranks() {
    const kind& of = kind_named("real64");
    MPI_Comm half = MPI_COMM_NULL;
    const bool in_half = check_.rank() < (check_.size() + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, in_half ? 0 : MPI_UNDEFINED, -check_.rank(), &half);
    for (const char* pattern : format_.patterns) {
      const std::string what = std::string("other numbers of MPI ranks, ") + pattern;
      {
        spread_array from(MPI_COMM_WORLD, of, {11, 12, 3}, cut::uneven, memory::halo);
        from.fill(0);
        write(pattern, from, what);
      }
      if (in_half) {
        spread_array to(half, of, {11, 12, 3}, cut::skewed);
        read(pattern, to, what);
        spread_array again(half, of, {10, 3, 9}, cut::skewed, memory::halo);
        again.fill(0);
        write(pattern, again, what);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      spread_array all(MPI_COMM_WORLD, of, {10, 3, 9}, cut::uneven);
      read(pattern, all, what);
    }
    if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  }

  // Some MPI ranks have nothing; blocks larger than one cycle and one slab.
  void uneven_parts() {
    for (const char* pattern : format_.patterns) {
      spread_array from(MPI_COMM_WORLD, kind_named("int32"), {9, 8}, cut::one_holder);
      from.fill(0);
      write(pattern, from, std::string("one holder, ") + pattern);
      spread_array to(MPI_COMM_WORLD, kind_named("int32"), {9, 8}, cut::uneven, memory::halo);
      read(pattern, to, std::string("one holder, ") + pattern);
      spread_array large(MPI_COMM_WORLD, kind_named("real64"), {300, 200, 100}, cut::uneven,
                         memory::halo);
      large.fill(0);
      write(pattern, large, std::string("48 MB, ") + pattern);
      spread_array again(MPI_COMM_WORLD, kind_named("real64"), {300, 200, 100}, cut::skewed);
      read(pattern, again, std::string("48 MB, ") + pattern);
    }
  }

  void no_elements_are_refused() {
    spread_array none(MPI_COMM_WORLD, kind_named("int32"), {0, 5}, cut::uneven);
    hr_error error{};
    const hr_parallel_options chosen = format_.options(nullptr);
    check_.fails(
        hr_write_parallel(file_.c_str(), none.array(), none.layout(), &chosen, nullptr, &error),
        error, HR_ARGUMENT_INVALID, format_.is_netcdf() ? "length 0" : "no array without",
        "an array without elements");
  }

 private:
  checks& check_;
  const format_in_test& format_;
  std::string file_;
};

void test(checks& check, const format_in_test& format) {
  round_trips trips(check, format);
  trips.every_kind();
  trips.every_array_rank();
  trips.other_numbers_of_ranks();
  trips.uneven_parts();
  trips.no_elements_are_refused();
}

}  // namespace

int main(int count, char** arguments) {
  return library_tests::run(count, arguments, test);
}
