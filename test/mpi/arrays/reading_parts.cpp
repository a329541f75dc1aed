// Layouts for reading: halos, the same box on every MPI rank, boxes on one of them, any boxes; in
// every format, by every pattern and transfer that it has. What is read is exactly the block.
#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "checks.hpp"

namespace {

using spread::checks;

constexpr std::array<long long, 3> global{13, 9, 11};
using triple = std::array<long long, 3>;

struct part {
  triple start{1, 1, 1};
  triple count{0, 0, 0};
};

double value_at(long long i, long long j, long long k) {
  return static_cast<double>(i + 100 * j + 10000 * k);
}

long long elements(const part& box) {
  return box.count[0] * box.count[1] * box.count[2];
}

std::vector<double> values_of(const part& box) {
  std::vector<double> values;
  for (long long k = 0; k < box.count[2]; ++k)
    for (long long j = 0; j < box.count[1]; ++j)
      for (long long i = 0; i < box.count[0]; ++i)
        values.push_back(value_at(box.start[0] + i, box.start[1] + j, box.start[2] + k));
  return values;
}

hr_array described(std::vector<double>& values, const part& box) {
  hr_array array{};
  array.base = values.data();
  array.elem_len = sizeof(double);
  array.type = HR_TYPE_REAL;
  array.array_rank = 3;
  auto stride = static_cast<std::ptrdiff_t>(sizeof(double));
  for (std::size_t d = 0; d < 3; ++d) {
    array.extent[d] = static_cast<std::ptrdiff_t>(box.count[d]);
    array.stride[d] = stride;
    stride *= static_cast<std::ptrdiff_t>(box.count[d]);
  }
  return array;
}

// A part of the last dimension for each MPI rank.
part share(int rank, int size) {
  part box;
  const long long first = global[2] * rank / size;
  box.start = {1, 1, first + 1};
  box.count = {global[0], global[1], global[2] * (rank + 1) / size - first};
  return box;
}

part with_halo(part box) {
  const long long end = std::min(global[2], box.start[2] + box.count[2]);
  box.start[2] = std::max(1LL, box.start[2] - 1);
  box.count[2] = end - box.start[2] + 1;
  return box;
}

part any_box(std::mt19937& random) {
  part box;
  for (std::size_t d = 0; d < 3; ++d) {
    box.start[d] = 1 + static_cast<long long>(random() % static_cast<unsigned>(global[d]));
    box.count[d] =
        static_cast<long long>(random() % static_cast<unsigned>(global[d] - box.start[d] + 2));
  }
  return box;
}

struct request {
  std::string name;
  part box;
};

std::vector<request> requests(int rank, int size) {
  std::vector<request> all{{"halos", with_halo(share(rank, size))},
                           {"the whole array everywhere", {{1, 1, 1}, global}},
                           {"one element", {{13, 9, 11}, {1, 1, 1}}}};
  part lone;
  if (rank == size - 1) lone = {{3, 2, 4}, {7, 5, 3}};
  all.push_back({"a box on one MPI rank", lone});
  all.push_back({"nothing", {}});
  std::mt19937 random(static_cast<unsigned>(rank) + 1);
  for (int i = 0; i < 8; ++i) all.push_back({"box " + std::to_string(i), any_box(random)});
  return all;
}

void read_parts(checks& check, const std::string& file, const hr_parallel_options& options,
                const std::string& how) {
  for (const request& asked : requests(check.rank(), check.size())) {
    const part& box = asked.box;
    hr_layout layout = 0;
    hr_error error{};
    int code = hr_make_reading_layout(&layout, MPI_COMM_WORLD, 3, global.data(), box.start.data(),
                                      box.count.data(), &error);
    if (!check.ok(code, error, how + ", " + asked.name + ", layout")) continue;
    std::vector<double> values(static_cast<std::size_t>(elements(box)), -1.0);
    const hr_array array = described(values, box);
    code = hr_read_parallel(file.c_str(), &array, layout, &options, nullptr, &error);
    if (check.ok(code, error, how + ", " + asked.name))
      check.that(values == values_of(box), how + ", " + asked.name + ": other values came");
    hr_free_layout(&layout, nullptr);
  }
}

// As numpy.save writes an array in C order.
void write_in_c_order(const std::string& file) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (13, 9, 11), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream out(file, std::ios::binary);
  out.write("\x93NUMPY\x01\x00\x76\x00", 10);
  out << header;
  for (long long i = 1; i <= global[0]; ++i)
    for (long long j = 1; j <= global[1]; ++j)
      for (long long k = 1; k <= global[2]; ++k) {
        const double value = value_at(i, j, k);
        out.write(reinterpret_cast<const char*>(&value), sizeof value);
      }
}

void read_c_order(checks& check) {
  const std::string file = "parts_in_c_order.npy";
  if (check.rank() == 0) write_in_c_order(file);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const char* transfer : {"headrace", "library"})
    for (const char* pattern : {"serial", "shared_independent", "shared_collective"}) {
      hr_parallel_options options{};
      options.transfer = transfer;
      options.pattern = pattern;
      if (std::string(transfer) == "library" && std::string(pattern) == "serial") continue;
      read_parts(check, file, options, file + " " + pattern + " " + transfer);
    }
}

struct format_case {
  const char* name;
  const char* ending;
};

constexpr format_case formats[] = {{"npy", "npy"},    {"hdf5", "h5"},   {"netcdf4", "nc"},
                                   {"pnetcdf", "nc"}, {"adios2", "bp"}, {"zarr", "zarr"}};

void whole_format(checks& check, const format_case& format) {
  if (hr_parallel_unavailable(format.name) != nullptr) return;
  const std::string file = std::string("parts_") + format.name + "." + format.ending;
  const part own = share(check.rank(), check.size());
  std::vector<double> values = values_of(own);
  const hr_array array = described(values, own);
  hr_layout layout = 0;
  hr_error error{};
  int code = hr_make_layout(&layout, MPI_COMM_WORLD, 3, global.data(), own.start.data(),
                            own.count.data(), &error);
  if (!check.ok(code, error, "layout")) return;
  hr_parallel_options options{};
  options.format = format.name;
  code = hr_write_parallel(file.c_str(), &array, layout, &options, nullptr, &error);
  check.ok(code, error, file + ", writing");
  hr_free_layout(&layout, nullptr);
  int ways = 0;
  for (const char* transfer : {"", "headrace", "library"})
    for (const char* pattern : {"", "serial", "shared_independent", "shared_collective"}) {
      options.transfer = transfer;
      options.pattern = pattern;
      hr_dataset opened = 0;  // not every format has every way
      code = hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "read", &options, &error);
      if (code == 0) hr_close_dataset(&opened, nullptr);
      if (code != 0) continue;
      ++ways;
      read_parts(check, file, options, file + " " + pattern + " " + transfer);
    }
  check.that(ways > 0, file + " has a way to be read");
}

void refuses(checks& check) {
  hr_layout layout = 0;
  hr_error error{};
  const part all{{1, 1, 1}, global};
  int code = hr_make_reading_layout(&layout, MPI_COMM_WORLD, 3, global.data(), all.start.data(),
                                    all.count.data(), &error);
  check.ok(code, error, "layout");
  std::vector<double> values = values_of(all);
  const hr_array array = described(values, all);
  code = hr_write_parallel("parts_refused.npy", &array, layout, nullptr, nullptr, &error);
  check.fails(code, error, HR_LAYOUT_INVALID, "layout for reading", "writing with it");
  hr_free_layout(&layout, nullptr);
  const triple beyond{2, 1, 1};
  code = hr_make_reading_layout(&layout, MPI_COMM_WORLD, 3, global.data(), beyond.data(),
                                global.data(), &error);
  check.fails(code, error, HR_LAYOUT_INVALID, "outside", "a block beyond the array");
  if (check.size() > 1) {
    const bool first = check.rank() == 0;
    const part own = share(check.rank(), check.size());
    code = (first ? hr_make_layout : hr_make_reading_layout)(
        &layout, MPI_COMM_WORLD, 3, global.data(), own.start.data(), own.count.data(), &error);
    check.fails(code, error, HR_RANKS_DISAGREE, "global extents", "two kinds of layouts");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return spread::run(argc, argv, "reading_parts", [](checks& check) {
    for (const format_case& format : formats) whole_format(check, format);
    read_c_order(check);
    refuses(check);
  });
}
