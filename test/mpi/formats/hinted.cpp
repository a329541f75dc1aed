// Hints that change how MPI-IO writes must not change what is in the file: ROMIO, told to collect
// or to sieve, also writes what lies between the bytes that it was given, as it finds it or as its
// buffer was before: null bytes most of the time, but for MALLOC_PERTURB_.
#include <string>
#include <vector>

#include "formats.hpp"

namespace {

using namespace format_tests;

const std::vector<const char*> hints_of_writing = {
    "cb_buffer_size=65536", "romio", "romio_ds_write=enable",
    "romio_cb_write=enable,romio_ds_write=enable,cb_buffer_size=65536"};
// Between the chunks of a step lie the nodes of their index.
const std::vector<const char*> hints_of_hdf5 = {"hdf5_chunk_bytes=4400,cb_buffer_size=65536",
                                                "hdf5_chunk_bytes=4400,romio_cb_write=enable",
                                                "hdf5_chunk_bytes=4400,romio_ds_write=enable"};
const long long steps[] = {3, 5, 8, 9, 11};

class hinted {
 public:
  hinted(checks& check, const format_in_test& format, const way& how)
      : check_(check), how_(how), file_(format.file("hinted")) {
    chosen_ = format.options(how_);
  }

  void one_array(const extents& shape, cut by) {
    spread_array one(MPI_COMM_WORLD, kind_named("real64"), shape, by);
    one.fill();
    hr_parallel_report report{};
    check_.ok(
        hr_write_parallel(file_.c_str(), one.array(), one.layout(), &chosen_, &report, &error_),
        error_, "write " + text_of(how_));
    const std::string ignored = report.hints_ignored;  // ROMIO knows all of them
    check_.that(ignored.empty(), text_of(how_) + ": ignored are " + ignored);
    one.clear();
    check_.ok(
        hr_read_parallel(file_.c_str(), one.array(), one.layout(), &chosen_, nullptr, &error_),
        error_, "read " + text_of(how_));
    check_.that(one.wrong() == 0, std::to_string(one.wrong()) + " wrong bytes of " + text_of(how_));
  }

  // ends_with_a_step: what describes it is written when the dataset is closed.
  void state(bool ends_with_a_step) {
    hr_dataset made = open("write");
    if (ends_with_a_step) write_whole(made);
    write_steps(made);
    if (!ends_with_a_step) write_whole(made);
    close(made);
    made = open("read");
    read_steps(made);
    read_whole(made);
    close(made);
  }

 private:
  void write_whole(hr_dataset made) {
    whole_.fill();
    check_.ok(hr_write_dataset_array(made, "whole", whole_.array(), whole_.layout(), nullptr,
                                     nullptr, &error_),
              error_, "write whole, " + text_of(how_));
  }

  void write_steps(hr_dataset made) {
    for (const long long step : steps)
      for (const char* const name : {"a", "b"}) {
        stepped_.fill(first_value(name, step));
        check_.ok(hr_write_dataset_array(made, name, stepped_.array(), stepped_.layout(), nullptr,
                                         &step, &error_),
                  error_, std::string("write ") + name + ", " + text_of(how_));
      }
  }

  void read_whole(hr_dataset made) {
    whole_.clear();
    check_.ok(
        hr_read_dataset_array(made, "whole", whole_.array(), whole_.layout(), nullptr, &error_),
        error_, "read whole, " + text_of(how_));
    check_.that(whole_.wrong() == 0, "wrong bytes of whole, " + text_of(how_));
  }

  void read_steps(hr_dataset made) {
    for (const long long step : steps)
      for (const char* const name : {"a", "b"}) {
        const std::string what =
            std::string(name) + " in step " + std::to_string(step) + ", " + text_of(how_);
        stepped_.clear();
        check_.ok(
            hr_read_dataset_array(made, name, stepped_.array(), stepped_.layout(), &step, &error_),
            error_, "read " + what);
        check_.that(stepped_.wrong(first_value(name, step)) == 0, "wrong bytes of " + what);
      }
  }

  static long long first_value(const char* name, long long step) { return name[0] + step; }

  hr_dataset open(const char* action) {
    hr_dataset opened = 0;
    check_.ok(hr_open_dataset(&opened, file_.c_str(), MPI_COMM_WORLD, action, &chosen_, &error_),
              error_, std::string("open to ") + action + ", " + text_of(how_));
    return opened;
  }

  void close(hr_dataset& made) {
    check_.ok(hr_close_dataset(&made, &error_), error_, "close, " + text_of(how_));
  }

  checks& check_;
  way how_;
  std::string file_;
  spread_array whole_{MPI_COMM_WORLD, kind_named("real32"), {40, 30, 20}, cut::uneven};
  spread_array stepped_{MPI_COMM_WORLD, kind_named("real64"), {50, 40, 10}, cut::skewed};
  hr_parallel_options chosen_{};
  hr_error error_{};
};

void test(checks& check, const format_in_test& format) {
  std::vector<const char*> all = hints_of_writing;
  if (format.name == "hdf5") all.insert(all.end(), hints_of_hdf5.begin(), hints_of_hdf5.end());
  for (const way& known : format.ways)
    for (const char* const hints : all) {
      const std::string transfer = known.transfer == nullptr ? "library" : known.transfer;
      if (transfer != "library" || std::string(known.pattern) == "serial") continue;
      hinted here(check, format, {known.pattern, known.transfer, hints});
      here.one_array({64, 64, 16}, cut::uneven);
      here.one_array({64, 64, 16}, cut::last);
      here.one_array({9, 8}, cut::one_holder);
      if (format.name == "npy") continue;  // holds no datasets
      here.state(true);
      here.state(false);
    }
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
