// Layouts: what is no decomposition is refused on all MPI ranks with the same words.
#include <string>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

using numbers = std::vector<long long>;
using spread::checks;
using spread::cut;

int make(const numbers& global, const numbers& start, const numbers& count, hr_error& error,
         hr_layout* kept = nullptr) {
  hr_layout layout = 0;
  const int code = hr_make_layout(&layout, MPI_COMM_WORLD, static_cast<int>(global.size()),
                                  global.data(), start.data(), count.data(), &error);
  if (kept != nullptr)
    *kept = layout;
  else
    hr_free_layout(&layout, nullptr);
  return code;
}

void refuses_bad_decompositions(checks& check) {
  const long long me = check.rank();
  const long long size = check.size();
  hr_error error{};
  // Each MPI rank has ten rows; the last begins one too early, or ends one too early.
  const bool last = me == size - 1;
  int code = make({8, 10 * size}, {1, 10 * me + 1 - (last && size > 1 ? 1 : 0)}, {8, 10}, error);
  if (size > 1) check.fails(code, error, HR_LAYOUT_INVALID, "overlap at (1:8, ", "an overlap");
  code = make({8, 10 * size}, {1, 10 * me + 1}, {8, last ? 9 : 10}, error);
  check.fails(code, error, HR_LAYOUT_INVALID,
              "no MPI rank has (1:8, " + std::to_string(10 * size) + ":" +
                  std::to_string(10 * size) + "), next to the block (1:8, " +
                  std::to_string(10 * size - 9) + ":" + std::to_string(10 * size - 1) +
                  ") of MPI rank " + std::to_string(size - 1) + "; 8 elements are missing",
              "a gap");
  code = make({8, 10 * size}, {1, 10 * me + (me == 0 ? 2 : 1)}, {8, me == 0 ? 9 : 10}, error);
  check.fails(code, error, HR_LAYOUT_INVALID,
              "no MPI rank has (1:8, 1:1), next to the block (1:8, 2:10) of MPI rank 0; 8 elements",
              "a gap before all blocks");
  code = make({8, 10 * size}, {1, 1}, {0, 0}, error);
  check.fails(code, error, HR_LAYOUT_INVALID,
              "no MPI rank has (1:8, 1:" + std::to_string(10 * size) + "); " +
                  std::to_string(80 * size) + " elements",
              "no block at all");
  code = make({8, 10 * size}, {1, 10 * me + 2}, {8, 10}, error);
  check.fails(code, error, HR_LAYOUT_INVALID,
              "of extents (8, " + std::to_string(10 * size) +
                  ") in dimension 2: expected indices from 1 to " + std::to_string(10 * size) +
                  ", found start " + std::to_string(10 * (size - 1) + 2) + " and count 10",
              "a block outside");
  code = make({8, 10 * size}, {1, 10 * me + 1}, {8, me == 0 ? -1 : 10}, error);
  check.fails(code, error, HR_LAYOUT_INVALID, "count(2) is negative: expected 0 or more, found -1",
              "a negative count");
  code = make({8, -3}, {1, 1}, {8, 1}, error);
  check.fails(code, error, HR_LAYOUT_INVALID, "global(2) is negative: expected 0 or more, found -3",
              "a negative extent");
  code = make({1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, error);
  check.fails(code, error, HR_LAYOUT_INVALID, "expected 1 to 7, found 8", "too many dimensions");
  code = make({8 + (last ? 1 : 0), 10 * size}, {1, 10 * me + 1}, {8, 10}, error);
  if (size > 1)
    check.fails(code, error, HR_RANKS_DISAGREE, "different global extents", "other extents");
  code = make({1LL << 40, 1LL << 40}, {1, 1}, {0, 0}, error);
  check.fails(code, error, HR_LAYOUT_INVALID, "larger than any file", "too large");
  code = make({}, {}, {}, error);
  check.fails(code, error, HR_ARGUMENT_INVALID, "null", "no dimensions");
}

void takes_what_is_legal(checks& check) {
  const long long size = check.size();
  hr_error error{};
  hr_layout layout = 0;
  // One MPI rank has everything.
  int code = make({5, 6}, {1, 1}, {check.rank() == size - 1 ? 5 : 0, 6}, error, &layout);
  check.ok(code, error, "everything on the last MPI rank");
  check.that(hr_free_layout(&layout, nullptr) == 0 && layout < 0, "a layout is freed");
  check.that(hr_free_layout(&layout, nullptr) == 0, "freeing nothing is no error");
  code = make({0, 6}, {1, 1}, {0, check.rank() == 0 ? 6 : 0}, error);
  check.ok(code, error, "an array without elements");
}

void refuses_blocks_that_do_not_fit(checks& check) {
  hr_error error{};
  spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 9}, cut::uneven);
  hr_array shorter = *data.array();
  if (check.rank() == check.size() - 1) --shorter.extent[0];
  int code = hr_write_parallel("x.npy", &shorter, data.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_SHAPE_MISMATCH, "not the extents of its block", "a shorter block");
  hr_array flat = *data.array();
  flat.array_rank = 1;
  code = hr_write_parallel("x.npy", &flat, data.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_SHAPE_MISMATCH, "not the extents of its block", "another array rank");
  code = hr_write_parallel("x.npy", nullptr, data.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_ARGUMENT_INVALID, "null pointer", "no array");
  hr_layout closed = data.layout() + (1LL << 40);
  code = hr_write_parallel("x.npy", data.array(), closed, nullptr, nullptr, &error);
  check.fails(code, error, HR_HANDLE_CLOSED, "array_layout is closed", "a freed layout");
}

void refuses_layouts_of_other_mpi_ranks(checks& check) {
  if (check.size() == 1) return;
  hr_error error{};
  spread::spread_array alone(MPI_COMM_SELF, spread::kind_named("real64"), {12, 9}, cut::uneven);
  alone.fill();
  hr_dataset state = 0;
  check.ok(hr_open_dataset(&state, "others.zarr", MPI_COMM_WORLD, "write", nullptr, &error), error,
           "open a dataset");
  const int code =
      hr_write_dataset_array(state, "rho", alone.array(), alone.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_LAYOUT_INVALID,
              "another communicator than the dataset: expected " + std::to_string(check.size()) +
                  " MPI ranks, found 1 MPI rank; file \"others.zarr\", array \"rho\"",
              "a layout of one MPI rank");
  hr_abandon_dataset(&state, nullptr);
}

void options_have_names(checks& check) {
  hr_error error{};
  spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 9}, cut::uneven);
  const auto fails = [&](const char* file, hr_parallel_options options, int status,
                         const char* words) {
    const int code =
        hr_write_parallel(file, data.array(), data.layout(), &options, nullptr, &error);
    check.fails(code, error, status, words, words);
  };
  hr_parallel_options options{};
  fails("x.doc", options, HR_FORMAT_UNKNOWN, "\".doc\" names no format of parallel arrays");
  fails("x.doc", options, HR_FORMAT_UNKNOWN, "use such an ending, or name the format by format=");
  fails("x.zar", options, HR_FORMAT_UNKNOWN, "did you mean .zarr? known are npy (.npy)");
  for (const char* file : {"r.csv", "r.csv/", "r.CSV.gz"})
    fails(file, options, HR_FORMAT_UNKNOWN,
          "; csv files are written and read by the serial library");
  fails("r.unf", options, HR_FORMAT_UNKNOWN,
        "turn .npy into them, and back, with `headrace convert`");
  fails("x", options, HR_FORMAT_UNKNOWN, "the file name has no ending that names a format");
  fails("", options, HR_FILE_NAME_EMPTY, "the file name is empty");
  options.format = "parquet";
  fails("x", options, HR_FORMAT_UNKNOWN, "no format \"parquet\"");
  options.format = "zar";
  fails("x", options, HR_FORMAT_UNKNOWN, "did you mean zarr? known are ");
  options.format = "csv";
  fails("x", options, HR_FORMAT_UNKNOWN, "csv files are written and read by the serial library");
  options = {};
  options.pattern = "best";
  fails("x.npy", options, HR_OPTION_UNKNOWN, "no pattern=\"best\"");
  options.pattern = "Serail";
  fails("x.npy", options, HR_OPTION_UNKNOWN, "did you mean serial? known are ");
  options = {};
  options.pattern = "serial";
  options.mode = "collective";
  fails("x.npy", options, HR_OPTION_UNKNOWN, "another pattern than \"serial\"");
  options = {};
  options.hints = "fast";
  fails("x.npy", options, HR_OPTION_UNKNOWN, "no profile of hints \"fast\"");
  options.hints = "archer3";
  fails("x.npy", options, HR_OPTION_UNKNOWN, "did you mean archer2? write name=value, ");
  for (const char* text : {"cb_nodes=many", "cb_buffer_size=1M", "romio,striping_factor=2x",
                           "cb_nodes=99999999999999999999"}) {
    options.hints = text;
    fails("x.npy", options, HR_OPTION_UNKNOWN, "is not an integer of 64 bits");
  }
  for (const char* text : {"cb_nodes=1;striping_factor=2", "cb_nodes=1 striping_factor=2"}) {
    options.hints = text;
    fails("x.npy", options, HR_OPTION_UNKNOWN, "write commas between hints");
  }
  options.hints = "archer2,cb_nodes = 1";
  options.checksum = "crc32c";
  fails("x.npy", options, HR_OPTION_UNKNOWN, "npy files know no checksum=\"crc32c\"");
  options = {};
  options.compression = "gzip";
  fails("x.npy", options, HR_OPTION_UNKNOWN, "(.zarr), which knows \"zstd\"");
  fails("x.zarr", options, HR_OPTION_UNKNOWN, "known are \"none\", \"zstd\"");
  options = {};
  options.dimensions = "x";
  fails("x.npy", options, HR_ARGUMENT_INVALID, "names other dimensions");
  if (check.size() > 1) {
    options = {};
    options.sync = check.rank() == 0 ? "none" : "file";
    fails("x.npy", options, HR_RANKS_DISAGREE, "different file names or options");
  }
}

// Those of stores are in ../formats/round_trips.cpp.
void refuses_slashes_behind_files(checks& check) {
  hr_error error{};
  spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 9}, cut::uneven);
  data.fill();
  const std::pair<const char*, std::string> formats[] = {
      {"npy", ".npy/"}, {"hdf5", ".h5/"}, {"netcdf4", ".nc//"}, {"pnetcdf", ".pnc/"}};
  for (const auto& [format, ending] : formats) {
    if (hr_parallel_unavailable(format) != nullptr) continue;
    const std::string words = std::string("the name ends in a slash, which names a directory; ") +
                              format + " files are files; file \"";
    hr_parallel_options options{};
    for (const std::string& file : {"slash" + ending, std::string("slash.out/")}) {
      int code =
          hr_write_parallel(file.c_str(), data.array(), data.layout(), &options, nullptr, &error);
      check.fails(code, error, HR_ARGUMENT_INVALID, words + file, "write " + file);
      code = hr_read_parallel(file.c_str(), data.array(), data.layout(), &options, nullptr, &error);
      check.fails(code, error, HR_ARGUMENT_INVALID, words + file, "read " + file);
      options.format = format;
    }
  }
}

void hints_in_force_are_told(checks& check) {
  hr_error error{};
  spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 9}, cut::uneven);
  hr_parallel_options options{};
  options.hints = "cb_nodes=1,no_such_hint=7,cb_buffer_size=8192";
  hr_parallel_report report{};
  int code = hr_write_parallel("hints.npy", data.array(), data.layout(), &options, &report, &error);
  check.ok(code, error, "hints");
  const std::string in_force = report.hints_in_force;
  check.that(in_force.find("cb_nodes=1") != std::string::npos, "cb_nodes is in force: " + in_force);
  check.that(std::string(report.hints_ignored) == "no_such_hint=7",
             std::string("ignored: ") + report.hints_ignored);
  check.that(report.writers == 1, "one writer");
  options.transfer = "library";
  code = hr_write_parallel("hints.npy", data.array(), data.layout(), &options, &report, &error);
  check.ok(code, error, "hints for MPI-IO");
  const std::string ignored = report.hints_ignored;
  check.that(ignored.find("no_such_hint=7") != std::string::npos, "MPI-IO ignores: " + ignored);
  options.hints = "archer2";
  code = hr_write_parallel("hints.npy", data.array(), data.layout(), &options, &report, &error);
  check.ok(code, error, "a profile");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 1;
  {
    checks check;
    refuses_bad_decompositions(check);
    takes_what_is_legal(check);
    refuses_blocks_that_do_not_fit(check);
    refuses_layouts_of_other_mpi_ranks(check);
    options_have_names(check);
    refuses_slashes_behind_files(check);
    hints_in_force_are_told(check);
    result = check.finish("layouts and options");
  }
  MPI_Finalize();
  return result;
}
