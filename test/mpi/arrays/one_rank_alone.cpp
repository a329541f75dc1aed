// What one MPI rank passes that is wrong for it alone: all others hear of it and none waits. The
// test's time limit tells a wait.
//
//     one_rank_alone ENDING
#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

using spread::checks;
using spread::cut;
using spread::spread_array;

// The last MPI rank is the one.
class one_alone {
 public:
  one_alone(checks& check, const std::string& ending)
      : check_(check),
        file_("alone." + ending),
        data_(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 9}, cut::uneven),
        alone_(check.rank() == check.size() - 1) {
    data_.fill(1);
    block_.base = elements_;
    block_.type = HR_TYPE_REAL;
    block_.elem_len = sizeof(double);
    block_.array_rank = 2;
    for (const int d : {0, 1}) block_.extent[d] = d == 0 ? first_count() : 9;
    block_.stride[0] = sizeof(double);
    block_.stride[1] = 12 * sizeof(double);
  }

  void layouts_of_array_files() {
    write_the_file();
    // By the variable that was given to free_layout, and by a copy of it.
    for (const bool by_copy : {false, true}) {
      hr_layout made = new_layout();
      const hr_layout copy = made;
      if (alone_) hr_free_layout(&made, nullptr);
      const hr_layout used = by_copy ? copy : made;
      const std::string how = by_copy ? ", a copy" : "";
      closed(hr_write_parallel(file_.c_str(), &block_, used, nullptr, nullptr, &error_),
             "writing with a layout that one freed" + how);
      closed(hr_read_parallel(file_.c_str(), &block_, used, nullptr, nullptr, &error_),
             "reading with a layout that one freed" + how);
      if (!alone_) hr_free_layout(&made, nullptr);
    }
    // Those that all have freed, and many after it.
    hr_layout made = new_layout();
    hr_free_layout(&made, nullptr);
    for (int i = 0; i < 50; ++i) {
      hr_layout other = new_layout();
      hr_free_layout(&other, nullptr);
    }
    check_.fails(hr_write_parallel(file_.c_str(), &block_, made, nullptr, nullptr, &error_), error_,
                 HR_HANDLE_CLOSED, "make_layout", "a layout that all freed long ago");
    read_the_file("after closed layouts");
  }

  void layouts_of_datasets() {
    hr_layout made = new_layout();
    if (alone_) hr_free_layout(&made, nullptr);
    hr_dataset state = opened("write");
    closed(hr_write_dataset_array(state, "v", &block_, made, nullptr, nullptr, &error_),
           "an array of a dataset with a layout that one freed");
    // One MPI rank alone says what it would say of a closed dataset: nobody waits for it.
    if (check_.size() == 1)  // a refused call, and no more
      hr_abandon_dataset(&state, nullptr);
    else
      check_.fails(hr_close_dataset(&state, &error_), error_, HR_HANDLE_CLOSED,
                   "what was there before stays", "closing after it");
    state = opened("read");
    closed(hr_read_dataset_array(state, "data", &block_, made, nullptr, &error_),
           "reading an array of a dataset with a layout that one freed");
    hr_close_dataset(&state, &error_);
    if (!alone_) hr_free_layout(&made, nullptr);
    read_the_file("after closed layouts of datasets");
  }

  // One MPI rank has ended a dataset that the others still use.
  void datasets_for_writing() {
    hr_dataset state = opened("write");
    hr_dataset copy = state;
    if (alone_) hr_abandon_dataset(&state, nullptr);
    double number = 0.5;
    const hr_array value = spread::scalar(number, HR_TYPE_REAL);
    for (const hr_dataset used : {state, copy}) {
      closed(hr_write_dataset_array(used, "v", data_.array(), data_.layout(), nullptr, nullptr,
                                    &error_),
             "an array for a dataset that one abandoned");
      closed(hr_write_attribute(used, nullptr, "time", &value, &error_),
             "an attribute for a dataset that one abandoned");
    }
    if (!alone_) hr_abandon_dataset(&state, nullptr);
    MPI_Barrier(MPI_COMM_WORLD);
    read_the_file("after an abandoned dataset");
  }

  void datasets_for_reading() {
    hr_dataset state = opened("read");
    if (alone_) hr_close_dataset(&state, nullptr);
    double number = 0;
    long long step = 0;
    const hr_array value = spread::scalar(number, HR_TYPE_REAL);
    closed(hr_read_dataset_array(state, "data", data_.array(), data_.layout(), nullptr, &error_),
           "an array of a dataset that one closed");
    closed(hr_read_attribute(state, nullptr, "time", &value, &error_),
           "an attribute of a dataset that one closed");
    closed(hr_describe_dataset_array(state, "data", nullptr, nullptr, &error_),
           "describing an array of a dataset that one closed");
    closed(hr_dataset_step(state, "data", 0, &step, &error_),
           "a step of a dataset that one closed");
    if (!alone_) hr_close_dataset(&state, nullptr);
    read_the_file("after a closed dataset");
  }

  void arguments() {
    for (const std::string option : {"format", "pattern", "mode", "transfer", "hints", "checksum",
                                     "compression", "sync", "dimensions", "dataset"})
      if (check_.size() > 1 || option != "dataset")
        option_of_one(option);  // a good name of its own
    const hr_layout layout = data_.layout();
    refused(hr_write_parallel(alone_ ? nullptr : file_.c_str(), data_.array(), layout, nullptr,
                              nullptr, &error_),
            "no file name on one");
    refused(hr_write_parallel(file_.c_str(), alone_ ? nullptr : data_.array(), layout, nullptr,
                              nullptr, &error_),
            "no array on one");
    hr_array other = *data_.array();
    if (alone_) other.type = 99;
    refused(hr_write_parallel(file_.c_str(), &other, layout, nullptr, nullptr, &error_),
            "an unknown type on one");
    other = *data_.array();
    if (alone_) other.array_rank = 1;
    refused(hr_read_parallel(file_.c_str(), &other, layout, nullptr, nullptr, &error_),
            "another array rank on one");
    hr_dataset state = 0;
    refused(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, alone_ ? "update" : "read",
                            nullptr, &error_),
            "an action of one alone");
    read_the_file("after wrong arguments");
  }

 private:
  void option_of_one(const std::string& name) {
    hr_parallel_options options{};
    const std::pair<const char*, const char**> all[] = {{"format", &options.format},
                                                        {"pattern", &options.pattern},
                                                        {"mode", &options.mode},
                                                        {"transfer", &options.transfer},
                                                        {"hints", &options.hints},
                                                        {"checksum", &options.checksum},
                                                        {"compression", &options.compression},
                                                        {"sync", &options.sync},
                                                        {"dimensions", &options.dimensions},
                                                        {"dataset", &options.dataset}};
    for (const auto& [option, value] : all)
      if (alone_ && name == option) *value = "no such thing";
    refused(
        hr_write_parallel(file_.c_str(), data_.array(), data_.layout(), &options, nullptr, &error_),
        name + "= of one alone");
  }

  // MPI rank 0 has everything.
  int first_count() const { return check_.rank() == 0 ? 12 : 0; }

  hr_layout new_layout() {
    hr_layout made = 0;
    const long long global[] = {12, 9};
    const long long start[] = {1, 1};
    const long long count[] = {first_count(), 9};
    check_.ok(hr_make_layout(&made, MPI_COMM_WORLD, 2, global, start, count, &error_), error_,
              "a layout");
    return made;
  }

  hr_dataset opened(const char* action) {
    hr_dataset state = 0;
    const spread::told_at_once told;
    check_.ok(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, action, nullptr, &error_),
              error_, action);
    return state;
  }

  void write_the_file() {
    check_.ok(
        hr_write_parallel(file_.c_str(), data_.array(), data_.layout(), nullptr, nullptr, &error_),
        error_, "the file");
  }

  // The calls go on as before, and the file is what it was.
  void read_the_file(const std::string& when) {
    spread_array back(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 9}, cut::balanced);
    back.clear();
    check_.ok(
        hr_read_parallel(file_.c_str(), back.array(), back.layout(), nullptr, nullptr, &error_),
        error_, when);
    check_.that(back.wrong(1) == 0, when + ": other values");
  }

  void closed(int code, const std::string& what) {
    const std::string who =
        check_.size() == 1 ? "" : "MPI rank " + std::to_string(check_.size() - 1) + ": ";
    check_.fails(code, error_, HR_HANDLE_CLOSED, {who, "closed"}, what);
  }

  // The same status and message everywhere; which one the tests of each option say.
  void refused(int code, const std::string& what) {
    check_.that(code != 0, what + " was not refused");
    check_.fails(code, error_, code, std::string(), what);
    int first = code;
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check_.that(first == code, what + ": another status than on MPI rank 0");
  }

  checks& check_;
  std::string file_;
  spread_array data_;
  double elements_[12 * 9] = {};
  hr_array block_{};  // of new_layout()
  bool alone_;
  hr_error error_{};
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string ending = arguments[1];
  return spread::run(count, arguments, "one MPI rank alone, " + ending, [&](checks& check) {
    one_alone test(check, ending);
    test.layouts_of_array_files();
    test.layouts_of_datasets();
    test.datasets_for_writing();
    test.datasets_for_reading();
    test.arguments();
  });
}
