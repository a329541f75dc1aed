// Hints that change how MPI-IO writes must not change what is in the file: ROMIO, told to collect
// or to sieve, also writes what lies between the bytes that it was given, as it finds it or as its
// buffer was before: null bytes most of the time, but for MALLOC_PERTURB_.
#include <string>
#include <vector>

#include "formats.hpp"

namespace {

using namespace format_tests;

const char* const hints_of_writing[] = {
    "cb_buffer_size=65536", "romio", "romio_cb_write=enable", "romio_ds_write=enable",
    "romio_cb_write=enable,romio_ds_write=enable,cb_buffer_size=65536"};
const long long steps[] = {3, 5, 8};

class hinted {
 public:
  hinted(checks& check, const format_in_test& format, const way& how)
      : check_(check), how_(how), file_(format.file("hinted")) {
    chosen_ = format.options(how_);
  }

  void one_array(const extents& shape, cut by) {
    spread_array one(MPI_COMM_WORLD, kind_named("real64"), shape, by);
    one.fill();
    check_.ok(
        hr_write_parallel(file_.c_str(), one.array(), one.layout(), &chosen_, nullptr, &error_),
        error_, "write " + text_of(how_));
    one.clear();
    check_.ok(
        hr_read_parallel(file_.c_str(), one.array(), one.layout(), &chosen_, nullptr, &error_),
        error_, "read " + text_of(how_));
    check_.that(one.wrong() == 0, std::to_string(one.wrong()) + " wrong bytes of " + text_of(how_));
  }

  void state() {
    spread_array whole(MPI_COMM_WORLD, kind_named("real32"), {40, 30, 20}, cut::uneven);
    spread_array stepped(MPI_COMM_WORLD, kind_named("real64"), {50, 40, 10}, cut::skewed);
    hr_dataset made = open("write");
    for (const long long step : steps)
      for (const char* const name : {"a", "b"}) {
        stepped.fill(seed(name, step));
        check_.ok(hr_write_dataset_array(made, name, stepped.array(), stepped.layout(), nullptr,
                                         &step, &error_),
                  error_, std::string("write ") + name + ", " + text_of(how_));
      }
    whole.fill();
    check_.ok(hr_write_dataset_array(made, "whole", whole.array(), whole.layout(), nullptr, nullptr,
                                     &error_),
              error_, "write whole, " + text_of(how_));
    check_.ok(hr_close_dataset(&made, &error_), error_, "close, " + text_of(how_));

    made = open("read");
    for (const long long step : steps)
      for (const char* const name : {"a", "b"}) {
        stepped.clear();
        check_.ok(
            hr_read_dataset_array(made, name, stepped.array(), stepped.layout(), &step, &error_),
            error_, std::string("read ") + name + ", " + text_of(how_));
        check_.that(stepped.wrong(seed(name, step)) == 0,
                    std::string("wrong elements of ") + name + ", " + text_of(how_));
      }
    whole.clear();
    check_.ok(hr_read_dataset_array(made, "whole", whole.array(), whole.layout(), nullptr, &error_),
              error_, "read whole, " + text_of(how_));
    check_.that(whole.wrong() == 0, "wrong elements of whole, " + text_of(how_));
    check_.ok(hr_close_dataset(&made, &error_), error_, "close, " + text_of(how_));
  }

 private:
  static int seed(const char* name, long long step) { return name[0] + static_cast<int>(step); }

  hr_dataset open(const char* action) {
    hr_dataset opened = 0;
    check_.ok(hr_open_dataset(&opened, file_.c_str(), MPI_COMM_WORLD, action, &chosen_, &error_),
              error_, std::string("open to ") + action + ", " + text_of(how_));
    return opened;
  }

  checks& check_;
  way how_;
  std::string file_;
  hr_parallel_options chosen_{};
  hr_error error_{};
};

void test(checks& check, const format_in_test& format) {
  for (const way& known : format.ways)
    for (const char* const hints : hints_of_writing) {
      const std::string transfer = known.transfer == nullptr ? "library" : known.transfer;
      if (transfer != "library" || std::string(known.pattern) == "serial") continue;
      hinted here(check, format, {known.pattern, known.transfer, hints});
      here.one_array({64, 64, 16}, cut::uneven);
      here.one_array({64, 64, 16}, cut::last);
      here.one_array({9, 8}, cut::one_holder);
      if (format.name != "npy") here.state();  // holds no datasets
    }
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
