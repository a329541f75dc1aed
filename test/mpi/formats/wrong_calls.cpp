// What a program may pass that is wrong: each is told as what it is, and the dataset is as if the
// call had not been made.
#include <algorithm>
#include <cmath>

#include "formats.hpp"

namespace {

using namespace format_tests;

class wrong_calls {
 public:
  wrong_calls(checks& check, const format_in_test& format)
      : check_(check),
        format_(format),
        file_(format.file("wrong")),
        chosen_(format.options(format.ways[0])),
        data_(MPI_COMM_WORLD, kind_named("real64"), {12, 9, 4}, cut::uneven) {
    data_.fill(1);
    number_.base = &time_;
    number_.type = HR_TYPE_REAL;
    number_.elem_len = sizeof time_;
  }

  // act makes the one call that is refused; closing gives the new state its name.
  template <class Act>
  void leave_the_dataset(const char* what, int code, const std::string& words, Act act) {
    open("write", what);
    write("u", 3, what);
    refused(act(), code, words, what);
    hr_error error{};
    check_.ok(hr_close_dataset(&state_, &error), error, std::string("closing after ") + what);
    check_.that(state_ < 0, "closing takes the handle back");
    new_state_is_there(what);
  }

  void write_the_old_file() {
    open("write", "the old file");
    write("u", 12, "the old file");
    hr_error error{};
    check_.ok(hr_close_dataset(&state_, &error), error, "the old file");
  }

  int write_closed_layout() {
    return hr_write_dataset_array(state_, "v", data_.array(), 0, nullptr, &twelve_, &error_);
  }
  int write_without_name() {
    return hr_write_dataset_array(state_, "", data_.array(), data_.layout(), nullptr, &twelve_,
                                  &error_);
  }
  int write_without_array() {
    return hr_write_dataset_array(state_, "v", nullptr, data_.layout(), nullptr, &twelve_, &error_);
  }
  int write_attribute_without_name() {
    return hr_write_attribute(state_, nullptr, "", &number_, &error_);
  }

  // The last MPI rank has other ones than the first.
  int write_other_text() {
    char host[] = "nid000001";
    if (is_last()) std::copy_n("nid1     ", 9, host);
    return attribute("host", scalar(host, HR_TYPE_CHARACTER, 9));
  }
  int write_other_texts() {
    char hosts[] = "ab   c    ";
    if (is_last()) std::copy_n("a    bc   ", 10, hosts);
    return attribute("hosts", list(hosts, HR_TYPE_CHARACTER, 5, 2));
  }
  int write_other_numbers() {
    double numbers[] = {0.5, 1.5, is_last() ? 2.5 : -2.5};
    return attribute("numbers", list(numbers, HR_TYPE_REAL));
  }
  int write_other_logical() {
    std::int32_t done = is_last() ? 0 : 1;
    return attribute("done", scalar(done, HR_TYPE_LOGICAL));
  }
  int write_other_name() { return attribute(is_last() ? "other" : "name", number_); }

  // Bytes may differ when the value does not, and be the same when it is equal to nothing.
  void same_values() {
    open("write", "equal attributes");
    write("u", 12, "equal attributes");
    double nothing = std::nan("");
    hr_error error{};
    if (format_.name != "zarr")  // null in JSON
      check_.ok(attribute("nothing", scalar(nothing, HR_TYPE_REAL)), error_, "a NaN everywhere");
    std::int32_t done = is_last() ? -1 : 1;
    check_.ok(attribute("done", scalar(done, HR_TYPE_LOGICAL)), error_, "two ways to say true");
    check_.ok(hr_close_dataset(&state_, &error), error, "closing after equal attributes");
  }

  std::string differs(const char* name, const char* expected, const char* found) const {
    const std::string where = "\"" + file_ + ":/" + name + " = ";
    return last() + "MPI ranks gave different attributes: expected " + where + expected +
           "\" as on MPI rank 0, found " + where + found + "\"";
  }

  void reading() {
    open("read", "reading");
    long long number = 0;
    hr_array_info info{};
    const long long* const step = &twelve_;
    refused(hr_read_dataset_array(state_, nullptr, data_.array(), data_.layout(), step, &error_),
            HR_ARGUMENT_INVALID, "the array has no name", "reading without a name");
    refused(hr_describe_dataset_array(state_, "/", &info, nullptr, &error_), HR_ARGUMENT_INVALID,
            "the array has no name", "describing without a name");
    refused(hr_read_attribute(state_, nullptr, nullptr, &number_, &error_), HR_ARGUMENT_INVALID,
            "the attribute has no name", "reading an attribute without a name");
    refused(hr_read_dataset_array(state_, "u", data_.array(), 0, step, &error_), HR_HANDLE_CLOSED,
            "make_layout", "reading with a layout that was never made");
    for (const long long index : {-1LL, 1LL})
      refused(hr_dataset_step(state_, "u", index, &number, &error_), HR_STEP_MISSING,
              "expected from 0 to 0, found " + std::to_string(index), "a step beyond all");
    if (check_.size() > 1)
      refused(hr_dataset_step(state_, "u", is_last() ? 1 : 0, &number, &error_), HR_RANKS_DISAGREE,
              "different indices of steps", "another index on one MPI rank");
    refused(hr_dataset_step(state_, "u", 0, unless_last(&number), &error_), HR_ARGUMENT_INVALID,
            last() + "step is a null pointer", "a null step on one MPI rank");
    hr_error error{};
    check_.ok(hr_close_dataset(&state_, &error), error, "closing after wrong calls of reading");
  }

  // The others must hear of it: all wait for each other in these calls.
  void beginning_with_a_null_pointer() {
    hr_dataset state = 0;
    refused(hr_open_dataset(unless_last(&state), file_.c_str(), MPI_COMM_WORLD, "read", &chosen_,
                            &error_),
            HR_ARGUMENT_INVALID, last() + "dataset is a null pointer",
            "a null dataset on one MPI rank");
    hr_layout layout = 0;
    const long long one = 1;
    refused(hr_make_layout(unless_last(&layout), MPI_COMM_WORLD, 1, &one, &one, &one, &error_),
            HR_ARGUMENT_INVALID, last() + "layout is a null pointer",
            "a null layout on one MPI rank");
    check_.that(state == 0 && layout == 0, "handles of calls that were refused");
  }

 private:
  bool is_last() const { return check_.rank() == check_.size() - 1; }
  template <class Any>
  Any* unless_last(Any* pointer) const {
    return is_last() ? nullptr : pointer;
  }
  int attribute(const char* name, const hr_array& value) {
    return hr_write_attribute(state_, nullptr, name, &value, &error_);
  }
  std::string last() const {
    return check_.size() == 1 ? "" : "MPI rank " + std::to_string(check_.size() - 1) + ": ";
  }
  void open(const char* action, const std::string& what) {
    hr_error error{};
    check_.ok(hr_open_dataset(&state_, file_.c_str(), MPI_COMM_WORLD, action, &chosen_, &error),
              error, std::string(action) + ", " + what);
  }
  void write(const char* name, long long step, const std::string& what) {
    hr_error error{};
    check_.ok(
        hr_write_dataset_array(state_, name, data_.array(), data_.layout(), nullptr, &step, &error),
        error, std::string("an array before ") + what);
  }
  void refused(int code, int expected, const std::string& words, const std::string& what) {
    check_.fails(code, error_, expected, words, what);
  }
  void new_state_is_there(const std::string& what) {
    open("read", what);
    hr_error error{};
    long long steps = 0;
    long long number = 0;
    check_.ok(hr_describe_dataset_array(state_, "u", nullptr, &steps, &error), error, what);
    check_.ok(hr_dataset_step(state_, "u", 0, &number, &error), error, what);
    check_.that(steps == 1 && number == 3, std::string("another file after ") + what);
    check_.ok(hr_close_dataset(&state_, &error), error, what);
  }

  checks& check_;
  const format_in_test& format_;
  std::string file_;
  hr_parallel_options chosen_;
  spread_array data_;
  double time_ = 0.5;
  hr_array number_{};
  const long long twelve_ = 12;
  hr_dataset state_ = 0;
  hr_error error_{};
};

void attributes_that_differ(wrong_calls& wrong) {
  const int code = HR_RANKS_DISAGREE;
  wrong.leave_the_dataset("a text that differs", code, wrong.differs("host", "nid000001", "nid1"),
                          [&] { return wrong.write_other_text(); });
  wrong.leave_the_dataset("texts that differ", code, wrong.differs("hosts", "ab", "a"),
                          [&] { return wrong.write_other_texts(); });
  wrong.leave_the_dataset("numbers that differ", code, wrong.differs("numbers", "-2.5", "2.5"),
                          [&] { return wrong.write_other_numbers(); });
  wrong.leave_the_dataset("a logical that differs", code, wrong.differs("done", "T", "F"),
                          [&] { return wrong.write_other_logical(); });
  wrong.leave_the_dataset("a name that differs", code, "MPI ranks gave different attributes",
                          [&] { return wrong.write_other_name(); });
}

void test(checks& check, const format_in_test& format) {
  wrong_calls wrong(check, format);
  wrong.write_the_old_file();
  wrong.leave_the_dataset("a layout that was never made", HR_HANDLE_CLOSED, "make_layout",
                          [&] { return wrong.write_closed_layout(); });
  wrong.leave_the_dataset("an array without a name", HR_ARGUMENT_INVALID, "the array has no name",
                          [&] { return wrong.write_without_name(); });
  wrong.leave_the_dataset("a null array", HR_ARGUMENT_INVALID, "the array is a null pointer",
                          [&] { return wrong.write_without_array(); });
  wrong.leave_the_dataset("an attribute without a name", HR_ARGUMENT_INVALID,
                          "the attribute has no name",
                          [&] { return wrong.write_attribute_without_name(); });
  if (check.size() > 1) attributes_that_differ(wrong);
  wrong.same_values();
  wrong.write_the_old_file();
  wrong.reading();
  wrong.beginning_with_a_null_pointer();
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
