// Arrays of every kind, array rank and form in memory come back as they were, written and read in
// every way, with other decompositions and on other numbers of MPI ranks.
#include <cstdio>

#include "ways.hpp"

namespace {

using namespace hdf5_tests;

std::string file_name;

void write_one(checks& check, const way& how, const spread_array& from, const std::string& what) {
  hr_error error{};
  const hr_parallel_options chosen = options(how.pattern, how.transfer, "/rho");
  hr_parallel_report report{};
  check.ok(
      hr_write_parallel(file_name.c_str(), from.array(), from.layout(), &chosen, &report, &error),
      error, "write " + what);
  check.that(report.writers >= 1 && std::string(report.format) == "hdf5", "report of " + what);
}

void read_one(checks& check, const way& how, spread_array& to, const std::string& what) {
  hr_error error{};
  const hr_parallel_options chosen = options(how.pattern, how.transfer, "rho");
  to.clear();
  check.ok(hr_read_parallel(file_name.c_str(), to.array(), to.layout(), &chosen, nullptr, &error),
           error, "read " + what);
  check.that(to.wrong(0) == 0, std::to_string(to.wrong(0)) + " wrong elements of " + what);
}

// Each way of writing against each way of reading, one shape.
void all_ways(checks& check) {
  for (const kind& of : kinds)
    for (std::size_t w = 0; w < ways.size(); ++w) {
      spread_array from(MPI_COMM_WORLD, of, {13, 7, 5}, cut::uneven);
      from.fill(0);
      const std::string what = std::string(of.name) + ", " + text_of(ways[w]);
      write_one(check, ways[w], from, what);
      spread_array to(MPI_COMM_WORLD, of, {13, 7, 5}, cut::skewed, memory::halo);
      for (const way& how : ways) read_one(check, how, to, what + ", read " + text_of(how));
    }
}

void all_array_ranks(checks& check) {
  const std::vector<extents> shapes = {{101},
                                       {17, 9},
                                       {7, 6, 5},
                                       {5, 4, 3, 4},
                                       {4, 3, 3, 2, 3},
                                       {3, 2, 3, 2, 3, 2},
                                       {2, 3, 2, 3, 2, 2, 3}};
  const memory forms[] = {memory::contiguous, memory::halo, memory::every_second,
                          memory::backwards};
  for (const extents& shape : shapes)
    for (const memory form : forms)
      for (std::size_t w = 0; w < ways.size(); ++w) {
        const kind& of = kinds[(shape.size() + w) % kinds.size()];
        const std::string what = "array rank " + std::to_string(shape.size()) + ", form " +
                                 std::to_string(static_cast<int>(form)) + ", " + of.name + ", " +
                                 text_of(ways[w]);
        spread_array from(MPI_COMM_WORLD, of, shape, cut::skewed, form);
        from.fill(0);
        write_one(check, ways[w], from, what);
        spread_array to(MPI_COMM_WORLD, of, shape, cut::uneven, form);
        read_one(check, ways[(w + 1) % ways.size()], to, what);
      }
}

// Written by all MPI ranks, read by the first ones only, and the other way round.
void other_numbers_of_ranks(checks& check) {
  const kind& of = kind_named("real64");
  for (const way& how : ways) {
    const std::string what = "other numbers of MPI ranks, " + text_of(how);
    MPI_Comm half = MPI_COMM_NULL;
    const bool in_half = check.rank() < (check.size() + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, in_half ? 0 : MPI_UNDEFINED, -check.rank(), &half);
    {
      spread_array from(MPI_COMM_WORLD, of, {11, 12, 3}, cut::uneven, memory::halo);
      from.fill(0);
      write_one(check, how, from, what);
    }
    if (in_half) {
      spread_array to(half, of, {11, 12, 3}, cut::skewed);
      read_one(check, how, to, what);
      spread_array again(half, of, {10, 3, 9}, cut::skewed, memory::halo);
      again.fill(0);
      write_one(check, how, again, what);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    spread_array all(MPI_COMM_WORLD, of, {10, 3, 9}, cut::uneven);
    read_one(check, how, all, what);
    if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  }
}

// MPI ranks without elements, arrays without elements, one element.
void empty_parts(checks& check) {
  const kind& of = kind_named("int32");
  for (const way& how : ways) {
    spread_array from(MPI_COMM_WORLD, of, {9, 8}, cut::one_holder);
    from.fill(0);
    write_one(check, how, from, "one holder, " + text_of(how));
    spread_array to(MPI_COMM_WORLD, of, {9, 8}, cut::uneven, memory::halo);
    read_one(check, how, to, "one holder, " + text_of(how));
    for (const extents& shape : std::vector<extents>{{0, 5}, {1, 1}, {4, 0}}) {
      spread_array small(MPI_COMM_WORLD, of, shape, cut::uneven);
      small.fill(0);
      write_one(check, how, small, "small, " + text_of(how));
      read_one(check, how, small, "small, " + text_of(how));
    }
  }
}

// Hints change owners and pieces, not the result; they are reported.
void hints(checks& check) {
  const kind& of = kind_named("real64");
  spread_array from(MPI_COMM_WORLD, of, {64, 32, 20}, cut::uneven);
  from.fill(0);
  for (const char* text :
       {"cb_nodes=2", "cb_buffer_size=65536", "cb_nodes=1,cb_buffer_size=8192"}) {
    hr_error error{};
    hr_parallel_options chosen = options(nullptr, nullptr, "rho");
    chosen.hints = text;
    hr_parallel_report report{};
    check.ok(
        hr_write_parallel(file_name.c_str(), from.array(), from.layout(), &chosen, &report, &error),
        error, text);
    check.that(check.size() == 1 || std::string(report.hints_ignored).empty(),
               std::string(text) + " ignored: " + report.hints_ignored);
    spread_array to(MPI_COMM_WORLD, of, {64, 32, 20}, cut::skewed);
    read_one(check, ways[0], to, text);
  }
  hr_error error{};
  hr_parallel_options chosen = options("shared_collective", "library", "rho");
  chosen.hints = "cb_nodes=1,no_such_hint=5";
  hr_parallel_report report{};
  check.ok(
      hr_write_parallel(file_name.c_str(), from.array(), from.layout(), &chosen, &report, &error),
      error, "library hints");
  check.that(std::string(report.hints_in_force) != "", "the library says what is in force");
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "round trips of HDF5 files", [](checks& check) {
    file_name = "round_trips.h5";
    all_ways(check);
    all_array_ranks(check);
    other_numbers_of_ranks(check);
    empty_parts(check);
    hints(check);
    if (check.rank() == 0) std::remove(file_name.c_str());
  });
}
