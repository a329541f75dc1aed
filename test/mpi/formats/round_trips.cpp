// Arrays of every kind, array rank and form in memory come back as they were, written and read in
// every way, with other decompositions and on other numbers of MPI ranks.
//
// HEADRACE_TEST_LONG=1: every kind written in each way is read in each way, and every form in
// memory goes each way with each array rank. In the short form each two of them meet, and no longer
// all three.
#include <algorithm>

#include "formats.hpp"

namespace {

using namespace format_tests;

class round_trips {
 public:
  round_trips(checks& check, const format_in_test& format)
      : check_(check), format_(format), file_(format.file("round_trips")) {}

  void every_kind() {
    const std::size_t others = spread::long_tests() ? format_.readers : 1;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      for (std::size_t w = 0; w < format_.ways.size(); ++w) {
        const kind& of = kinds[k];
        const way& how = format_.ways[w];
        const std::string what = std::string(of.name) + ", " + text_of(how);
        spread_array from(MPI_COMM_WORLD, of, {13, 7, 5}, cut::uneven);
        write(how, from, what);
        spread_array to(MPI_COMM_WORLD, of, {13, 7, 5}, cut::skewed, memory::halo);
        for (std::size_t i = 0; i < others; ++i) {
          const way& other = format_.ways[(w + k + i) % format_.readers];
          read(other, to, what + ", read " + text_of(other));
        }
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
    const cut written[] = {cut::skewed, cut::balanced, cut::equal};
    std::size_t next = 0;
    for (const extents& shape : shapes)
      for (const memory form :
           {memory::contiguous, memory::halo, memory::every_second, memory::backwards})
        for (const way& how : format_.ways) {
          const auto met = shape.size() + static_cast<std::size_t>(form) +
                           static_cast<std::size_t>(&how - &format_.ways[0]);
          if (!spread::long_tests() && met % 3 != 0) continue;
          const kind& of = kinds[next % kinds.size()];
          const cut by = written[next % 3];
          const std::string what = "array rank " + std::to_string(shape.size()) + ", form " +
                                   std::to_string(static_cast<int>(form)) + ", " + of.name + ", " +
                                   name_of(by) + ", " + text_of(how);
          spread_array from(MPI_COMM_WORLD, of, shape, by, form);
          write(how, from, what);
          spread_array to(MPI_COMM_WORLD, of, shape, cut::uneven, form);
          read(format_.ways[++next % format_.readers], to, what);
        }
  }

  // Written by all MPI ranks, read by the first half, and the other way round.
  void other_numbers_of_ranks() {
    const kind& of = kind_named("real64");
    MPI_Comm half = MPI_COMM_NULL;
    const bool in_half = check_.rank() < (check_.size() + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, in_half ? 0 : MPI_UNDEFINED, -check_.rank(), &half);
    for (const way& how : format_.ways) {
      const std::string what = "other numbers of MPI ranks, " + text_of(how);
      spread_array from(MPI_COMM_WORLD, of, {11, 12, 3}, cut::uneven, memory::halo);
      write(how, from, what);
      if (in_half) {
        spread_array to(half, of, {11, 12, 3}, cut::skewed);
        read(how, to, what);
        spread_array again(half, of, {10, 3, 9}, cut::skewed, memory::halo);
        write(how, again, what);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      spread_array all(MPI_COMM_WORLD, of, {10, 3, 9}, cut::uneven);
      read(how, all, what);
    }
    if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  }

  // Some MPI ranks have nothing; one element; blocks of several cycles, and of one MPI rank several
  // slabs.
  void uneven_parts() {
    const long long planes = check_.size() == 1 ? 100 : 20;
    for (const way& how : format_.ways) {
      goes_round(how, "int32", {9, 8}, cut::one_holder, cut::uneven);
      goes_round(how, "int32", {1, 1}, cut::uneven, cut::uneven);
      goes_round(how, "real64", {300, 200, planes}, cut::uneven, cut::skewed);
    }
  }

  void no_elements() {
    for (const extents& shape : std::vector<extents>{{0, 5}, {4, 0}, {0}})
      for (const way& how : format_.ways) {
        if (format_.no_elements == nullptr) {
          goes_round(how, "int16", shape, cut::equal, cut::last, 0);
          continue;
        }
        spread_array none(MPI_COMM_WORLD, kind_named("int16"), shape, cut::uneven);
        hr_error error{};
        const hr_parallel_options chosen = format_.options(how);
        check_.fails(
            hr_write_parallel(file_.c_str(), none.array(), none.layout(), &chosen, nullptr, &error),
            error, HR_ARGUMENT_INVALID, format_.no_elements, "an array without elements");
      }
  }

  // Of a directory's name, as shells complete it.
  void slash_behind_the_name() {
    if (format_.name != "zarr" && format_.name != "adios2") return;
    const std::string name = file_;
    for (const char* const more : {"/", "//"}) {
      file_ = name + more;
      goes_round(format_.ways.front(), "int32", {9, 8}, cut::uneven, cut::skewed);
    }
    file_ = name;
  }

  // Lost bytes are looked for as holes: null bytes that were written are none, however few they
  // are.
  void null_elements() {
    for (const extents& shape : std::vector<extents>{{64, 8, 8}, {950, 8}, {100, 1000}})
      for (const way& how : format_.ways) {
        const std::string what = "null elements, " + text_of(how);
        hr_error error{};
        const hr_parallel_options chosen = format_.options(how, "/rho");
        spread_array all(MPI_COMM_WORLD, kind_named("real64"), shape, cut::balanced);
        char* const bytes = static_cast<char*>(all.array()->base);
        std::size_t count = bytes == nullptr ? 0 : sizeof(double);
        for (int d = 0; d < all.array()->array_rank; ++d)
          count *= static_cast<std::size_t>(all.array()->extent[d]);
        std::fill_n(bytes, count, '\0');
        check_.ok(
            hr_write_parallel(file_.c_str(), all.array(), all.layout(), &chosen, nullptr, &error),
            error, "write " + what);
        std::fill_n(bytes, count, 'x');
        check_.ok(
            hr_read_parallel(file_.c_str(), all.array(), all.layout(), &chosen, nullptr, &error),
            error, "read " + what);
        check_.that(std::all_of(bytes, bytes + count, [](char one) { return one == '\0'; }), what);
      }
  }

 private:
  void write(const way& how, spread_array& from, const std::string& what, int least_writers = 1) {
    hr_error error{};
    hr_parallel_report report{};
    const hr_parallel_options chosen = format_.options(how, "/rho");
    from.fill();
    check_.ok(
        hr_write_parallel(file_.c_str(), from.array(), from.layout(), &chosen, &report, &error),
        error, "write " + what);
    check_.that(std::string(report.format) == format_.name &&
                    std::string(report.pattern) == how.pattern && report.writers >= least_writers,
                "report of " + what);
  }

  void read(const way& how, spread_array& to, const std::string& what) {
    hr_error error{};
    const hr_parallel_options chosen = format_.options(how, "rho");
    to.clear();
    check_.ok(hr_read_parallel(file_.c_str(), to.array(), to.layout(), &chosen, nullptr, &error),
              error, "read " + what);
    check_.that(to.wrong() == 0, std::to_string(to.wrong()) + " wrong bytes of " + what);
  }

  void goes_round(const way& how, const char* kind_name, const extents& shape, cut written,
                  cut wanted, int least_writers = 1) {
    const std::string what = std::string(name_of(written)) + " parts, " + text_of(how);
    spread_array from(MPI_COMM_WORLD, kind_named(kind_name), shape, written);
    write(how, from, what, least_writers);
    spread_array to(MPI_COMM_WORLD, kind_named(kind_name), shape, wanted, memory::halo);
    read(how, to, what);
  }

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
  trips.no_elements();
  trips.slash_behind_the_name();
  trips.null_elements();
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
