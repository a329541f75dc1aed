// The serial calls in a program of several MPI ranks: the one mistake that they can see, two of
// them writing one file at the same time, is refused, and nothing else is.
//
//     serial_writes [two_jobs]
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "checks.hpp"
#include "headrace_records.h"
#include "spread_arrays.hpp"

namespace {

namespace fs = std::filesystem;
using spread::checks;

class serial_writes {
 public:
  explicit serial_writes(checks& check) : check_(check), values_(1000, 1.5 + check.rank()) {}

  void of_one_rank() {
    if (check_.rank() == 0)
      for (const char* const name : {"one.npy", "one.csv", "one.raw", "one.npz"}) write(name);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void of_a_file_for_each() {
    for (const char* const ending : {".npy", ".csv", ".raw"})
      write("own." + std::to_string(check_.rank()) + ending);
    // Names that are cut to the same beginning.
    write(std::string(200, 'n') + std::to_string(check_.rank()) + ".npy");
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void one_after_another() {
    for (int turn = 0; turn < check_.size(); ++turn) {
      if (turn == check_.rank()) write("turns.npy");
      MPI_Barrier(MPI_COMM_WORLD);
    }
    check_.that(first_of("turns.npy") == 0.5 + check_.size(), "the last of the turns is there");
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // MPI rank 0 is in the middle of a file while the others come; same_job: they see it.
  void at_the_same_time(bool same_job) {
    hr_record_file records = 0;
    hr_record_options options{};
    options.action = "write";
    const std::string file = "shared.dat";
    if (check_.rank() == 0) {
      check_.ok(hr_open_records(file.c_str(), &options, &records, &error_), error_, "opening");
      write_record(records);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() != 0 && same_job) {
      for (const char* const format : {"raw", "npy", "csv", "npz", "unformatted"})
        refused(write_as(file, format), format);
      hr_record_file others = 0;
      refused(hr_open_records(file.c_str(), &options, &others, &error_), "records");
    } else if (check_.rank() != 0) {
      check_.ok(write_as(file, "raw"), error_, "another job");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() == 0) {
      write_record(records);
      check_.ok(hr_close_records(&records, &error_), error_, "closing");
      check_.that(fs::file_size(file) == 2 * (values_.size() * sizeof(double) + 8),
                  "the file of who was first");
      check_.that(temporaries() == 0, "something is left beside the file");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    // Now nobody writes it.
    if (check_.rank() == check_.size() - 1) write(file);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // Whoever comes first: no mixture, and no status but these two.
  void all_at_once() {
    values_.assign(std::size_t{1} << 20, 1.5 + check_.rank());
    for (int time = 0; time < 5; ++time) {
      MPI_Barrier(MPI_COMM_WORLD);
      const int code = write_as("race.npy", "npy");
      check_.that(code == 0 || code == HR_WRITTEN_BY_ANOTHER_RANK,
                  std::string("all at once: ") + error_.message);
      int best = 0;
      MPI_Allreduce(&code, &best, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      check_.that(best == 0, "nobody could write the file");
      const double first = first_of("race.npy");
      check_.that(first >= 1.5 && first <= 0.5 + check_.size(), "an array of one MPI rank");
      MPI_Barrier(MPI_COMM_WORLD);
    }
    check_.that(temporaries() == 0, "something is left beside the file");
  }

 private:
  hr_array array() {
    hr_array described{};
    described.base = values_.data();
    described.elem_len = sizeof(double);
    described.type = HR_TYPE_REAL;
    described.array_rank = 1;
    described.extent[0] = static_cast<std::ptrdiff_t>(values_.size());
    described.stride[0] = sizeof(double);
    return described;
  }

  int write_as(const std::string& file, const char* format) {
    const hr_array described = array();
    hr_write_options options{};
    options.format = format;
    return hr_write_array(file.c_str(), &described, format == nullptr ? nullptr : &options,
                          &error_);
  }

  void write(const std::string& file) {
    check_.ok(write_as(file, file.find(".dat") != std::string::npos ? "raw" : nullptr), error_,
              file);
  }

  void write_record(hr_record_file records) {
    const hr_array described = array();
    check_.ok(hr_write_record(records, &described, &error_), error_, "a record");
  }

  void refused(int code, const std::string& what) {
    const std::string message = error_.message;
    check_.that(code == HR_WRITTEN_BY_ANOTHER_RANK, what + ": " + message);
    for (const std::string& word :
         {std::string("MPI rank 0 of this job"),
          "this is MPI rank " + std::to_string(check_.rank()), std::string("headrace_mpi"),
          std::string("shared.dat"), std::string("written_by_another_rank")})
      check_.that(message.find(word) != std::string::npos, what + ": no " + word + ": " + message);
  }

  double first_of(const std::string& file) {
    std::vector<double> found(values_.size());
    hr_array described = array();
    described.base = found.data();
    check_.ok(hr_read_array(file.c_str(), &described, nullptr, &error_), error_, "reading " + file);
    for (const double value : found) check_.that(value == found[0], "a mixture in " + file);
    return found[0];
  }

  static int temporaries() {
    int found = 0;
    for (const auto& entry : fs::directory_iterator("."))
      if (entry.path().filename().string().find(".headrace-") != std::string::npos) ++found;
    return found;
  }

  checks& check_;
  std::vector<double> values_;
  hr_error error_{};
};

}  // namespace

int main(int count, char** arguments) {
  const bool two_jobs = count == 2 && std::strcmp(arguments[1], "two_jobs") == 0;
  if (count > 1 && !two_jobs) return 2;
  return spread::run(count, arguments, "serial writes of MPI ranks", [&](checks& check) {
    // As if a job of its own had started this one; before anything is written.
    if (two_jobs && check.rank() != 0) {
      setenv("OMPI_COMM_WORLD_RANK", "1", 1);
      setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
      setenv("PMIX_NAMESPACE", "another job", 1);
    }
    serial_writes test(check);
    test.at_the_same_time(!two_jobs);
    if (two_jobs) return;
    test.of_one_rank();
    test.of_a_file_for_each();
    test.one_after_another();
    test.all_at_once();
  });
}
