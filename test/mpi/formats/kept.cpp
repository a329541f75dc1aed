// Small arrays that are kept and delivered together: what is in the file, and who hears when of
// what is wrong. The test's time limit tells a wait.
#include "formats.hpp"

namespace {

using namespace format_tests;

constexpr int many = 300;  // more than are delivered at a time

class kept {
 public:
  kept(checks& check, const format_in_test& format)
      : check_(check),
        file_(format.file("kept")),
        chosen_(format.options(format.ways[0])),
        other_extent_(format.other_extent),
        data_(MPI_COMM_WORLD, kind_named("int32"), {6, 5}, cut::uneven) {
    data_.fill(1);
  }

  // Each from memory that is used again at once, of several kinds, cuts and steps; a large one and
  // an attribute between them.
  void many_arrays() {
    open("write");
    const cut cuts[] = {cut::uneven, cut::one_holder, cut::few_holders, cut::bisected};
    for (int i = 0; i < many; ++i) {
      const kind& of = kinds[static_cast<std::size_t>(i) % kinds.size()];
      spread_array from(MPI_COMM_WORLD, of, {6, 5}, cuts[i % 4], memory::halo);
      from.fill(i);
      put(name(i), from, nullptr, 0);
      const long long step = i;
      data_.fill(i);
      if (i % 7 == 0) put("steps", data_, &step, 0);
      data_.clear();
      if (i == 100) put_large();
      if (i == 200) put_attribute(0);
    }
    close(0, "");
    open("read");
    for (int i = 0; i < many; ++i) {
      const kind& of = kinds[static_cast<std::size_t>(i) % kinds.size()];
      get(name(i), of, {6, 5}, nullptr, i);
      const long long step = i;
      if (i % 7 == 0) get("steps", kind_named("int32"), {6, 5}, &step, i);
    }
    get("large", kind_named("real64"), {64, 40, 30}, nullptr, 5);
    close(0, "");
    data_.fill(1);
  }

  // Of arrays that are complete long before their coordinates and attributes come.
  void late_coordinates() {
    open("write");
    for (int i = 0; i < 20; ++i) put(name(i), data_, nullptr, 0, "x,y");
    put_attribute(2);
    spread_array x(MPI_COMM_WORLD, kind_named("real64"), {6}, cut::uneven);
    x.fill(3);
    put("x", x, nullptr, 0, "x");
    for (int i = 20; i < 40; ++i) put(name(i), data_, nullptr, 0, "x,y");
    put_attribute(3);
    close(0, "");
    open("read");
    for (int i = 0; i < 40; ++i) get(name(i), kind_named("int32"), {6, 5}, nullptr, 1);
    get("x", kind_named("real64"), {6}, nullptr, 3);
    for (const int i : {2, 3}) {
      std::int32_t value = 0;
      const hr_array four = scalar(value, HR_TYPE_INTEGER);
      check_.ok(hr_read_attribute(state_, name(i).c_str(), "four", &four, &error_), error_, "four");
      check_.that(value == 4, "an attribute of an array that was complete");
    }
    close(0, "");
  }

  // Bytes fill up too.
  void many_bytes() {
    open("write");
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {128, 64}, cut::balanced);
    for (int i = 0; i < 80; ++i) {
      from.fill(i);
      put(name(i), from, nullptr, 0);
    }
    close(0, "");
    open("read");
    for (const int i : {0, 63, 64, 79}) get(name(i), kind_named("real64"), {128, 64}, nullptr, i);
    close(0, "");
  }

  // The last MPI rank has no array, and knows it at once.
  void one_is_wrong(const char* then) {
    open("write");
    put("u", data_, nullptr, 0);
    const int code = hr_write_dataset_array(state_, "v", is_last() ? nullptr : data_.array(),
                                            data_.layout(), nullptr, nullptr, &error_);
    check_.that((code == HR_ARGUMENT_INVALID) == is_last(), "a null array of one MPI rank");
    put("w", data_, nullptr, 0);
    const std::string words = last() + "the array is a null pointer";
    if (check_.size() == 1) {  // nobody has had success with it
      close(0, "");
      write_old_file();
      return;
    }
    if (then == std::string("flush")) {
      check_.fails(hr_flush_dataset(state_, &error_), error_, HR_ARGUMENT_INVALID, words, then);
      put("x", data_, nullptr, HR_ARGUMENT_INVALID);
    }
    if (then == std::string("many"))
      for (int i = 0; i < 2 * many; ++i)
        hr_write_dataset_array(state_, name(i).c_str(), data_.array(), data_.layout(), nullptr,
                               nullptr, &error_);
    if (then == std::string("abandon")) {
      check_.ok(hr_abandon_dataset(&state_, &error_), error_, then);
      return;
    }
    close(HR_ARGUMENT_INVALID, words);
  }

  // A large array waits for all: all hear of it in the same call.
  void one_lacks_a_large_array() {
    open("write");
    put("u", data_, nullptr, 0);
    spread_array large(MPI_COMM_WORLD, kind_named("real64"), {64, 40, 30}, cut::skewed);
    for (const bool lacks_layout : {false, true}) {
      const int code = hr_write_dataset_array(
          state_, "large", is_last() && !lacks_layout ? nullptr : large.array(),
          is_last() && lacks_layout ? 0 : large.layout(), nullptr, nullptr, &error_);
      const int expected = lacks_layout ? HR_HANDLE_CLOSED : HR_ARGUMENT_INVALID;
      check_.fails(code, error_, expected, last(), "a large array that one lacks");
      hr_abandon_dataset(&state_, nullptr);
      open("write");
      put("u", data_, nullptr, 0);
    }
    hr_abandon_dataset(&state_, nullptr);
  }

  // The last MPI rank gives another name, other dimensions, another step or another kind.
  void others_are_written(const std::string& what) {
    open("write");
    put("u", data_, nullptr, 0);
    const bool is_other = is_last() && check_.size() > 1;
    const long long step = is_other ? 2 : 1;
    spread_array other(MPI_COMM_WORLD, kind_named("real32"), {6, 5}, cut::uneven);
    other.fill(1);
    put(is_other && what == "name" ? "v" : "w", is_other && what == "kind" ? other : data_,
        what == "step" ? &step : nullptr, 0, is_other && what == "dimensions" ? "a,c" : "a,b");
    put("z", data_, nullptr, 0);
    close(check_.size() == 1 ? 0 : HR_RANKS_DISAGREE,
          check_.size() == 1 ? "" : "MPI ranks gave different arrays");
  }

  // Told at once, on all MPI ranks alike; the dataset is as if the call had not been made.
  void written_again() {
    open("write");
    put("u", data_, nullptr, 0);
    const int code = hr_write_dataset_array(state_, "u", data_.array(), data_.layout(), nullptr,
                                            nullptr, &error_);
    check_.fails(code, error_, HR_ARGUMENT_INVALID, "the array \"u\" already", "written again");
    close(0, "");
    open("read");
    get("u", kind_named("int32"), {6, 5}, nullptr, 1);
    close(0, "");
  }

  // "v" has another extent along a dimension of "u".
  void write_refused() {
    open("write");
    spread_array other(MPI_COMM_WORLD, kind_named("int32"), {7, 5}, cut::uneven);
    other.fill(2);
    hr_write_dataset_array(state_, "u", data_.array(), data_.layout(), "x,y", nullptr, &error_);
    is_told_ = hr_write_dataset_array(state_, "v", other.array(), other.layout(), "x,y", nullptr,
                                      &error_) != 0;
  }

  // What the format finds when it writes names the array, and all others are in the file.
  void refused_by_the_format() {
    if (other_extent_ == 0) return;
    write_refused();
    put("w", data_, nullptr, 0, "x,y");
    close_without("v");
    u_and("w");
  }

  // The call that hands many over does not wait for what comes of them: the next that meets all
  // others tells it, whichever that is.
  void refused_among_many(const std::string& then) {
    if (other_extent_ == 0) return;
    write_refused();
    constexpr int at_a_time = 256;
    const int calls = then == "many" ? 2 * at_a_time : at_a_time;
    int code = 0;
    for (int i = 2; i < calls && code == 0; ++i)
      code = hr_write_dataset_array(state_, name(i).c_str(), data_.array(), data_.layout(), "x,y",
                                    nullptr, &error_);
    if (then != "many" || is_told_)
      check_.that(code == 0, "handing over: " + std::string(error_.message));
    std::int32_t value = 4;
    const hr_array four = scalar(value, HR_TYPE_INTEGER);
    if (then == "attribute") code = hr_write_attribute(state_, "u", "four", &four, &error_);
    if (then == "flush") code = hr_flush_dataset(state_, &error_);
    if (then != "close" && !is_told_)
      check_.fails(code, error_, other_extent_, "array \"v\"", then);
    is_told_ = is_told_ || then != "close";
    close_without("v");
    u_and(name(at_a_time - 1));
  }

  void one_abandons() {
    if (check_.size() == 1) return;
    open("write");
    put("u", data_, nullptr, 0);
    if (is_last())
      check_.ok(hr_abandon_dataset(&state_, &error_), error_, "abandon");
    else
      check_.that(hr_close_dataset(&state_, &error_) == HR_HANDLE_CLOSED,
                  std::string("closing what one abandoned: ") + error_.message);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // A handle that one closed before anything was kept.
  void one_has_closed() {
    if (check_.size() == 1) return;
    open("write");
    hr_dataset copy = state_;
    if (is_last()) hr_abandon_dataset(&copy, nullptr);
    copy = state_;
    for (int i = 0; i < 3; ++i) {
      const int code = hr_write_dataset_array(copy, name(i).c_str(), data_.array(), data_.layout(),
                                              nullptr, nullptr, &error_);
      check_.that((code == HR_HANDLE_CLOSED) == is_last(), "an array of what one abandoned");
      if (is_last()) break;  // the others wait for this call
    }
    const int code = hr_close_dataset(&copy, &error_);
    check_.that(code == HR_HANDLE_CLOSED, std::string("closing it: ") + error_.message);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void old_file_is_there() {
    open("read");
    get("old", kind_named("int32"), {6, 5}, nullptr, 1);
    close(0, "");
  }
  void write_old_file() {
    open("write");
    put("old", data_, nullptr, 0);
    close(0, "");
  }

 private:
  bool is_last() const { return check_.rank() == check_.size() - 1; }
  std::string last() const {
    return check_.size() == 1 ? "" : "MPI rank " + std::to_string(check_.size() - 1) + ": ";
  }
  static std::string name(int number) { return "array" + std::to_string(number); }

  void open(const char* action) {
    check_.ok(hr_open_dataset(&state_, file_.c_str(), MPI_COMM_WORLD, action, &chosen_, &error_),
              error_, action);
  }
  void close(int expected, const std::string& words) {
    const int code = hr_close_dataset(&state_, &error_);
    if (expected == 0)
      check_.ok(code, error_, "close");
    else
      check_.fails(code, error_, expected, {"what was there before stays", words}, "close");
  }
  void put(const std::string& name, const spread_array& from, const long long* step, int expected,
           const char* dimensions = nullptr) {
    const int code = hr_write_dataset_array(state_, name.c_str(), from.array(), from.layout(),
                                            dimensions, step, &error_);
    check_.that(code == expected, name + ": " + error_.message);
  }
  // Refused before, or told now.
  void close_without(const std::string& array) {
    const int code = hr_close_dataset(&state_, &error_);
    if (is_told_)
      check_.ok(code, error_, "close");
    else
      check_.fails(code, error_, other_extent_,
                   {"complete without what was refused", "array \"" + array + "\""}, "close");
  }
  void u_and(const std::string& last) {
    open("read");
    for (const std::string& name : {std::string("u"), last})
      get(name, kind_named("int32"), {6, 5}, nullptr, 1);
    close(0, "");
  }
  void put_large() {
    spread_array large(MPI_COMM_WORLD, kind_named("real64"), {64, 40, 30}, cut::skewed);
    large.fill(5);
    put("large", large, nullptr, 0);
  }
  void put_attribute(int number) {
    std::int32_t value = 4;
    const hr_array four = scalar(value, HR_TYPE_INTEGER);
    check_.ok(hr_write_attribute(state_, name(number).c_str(), "four", &four, &error_), error_,
              "an attribute of a kept array");
  }
  void get(const std::string& name, const kind& of, const extents& shape, const long long* step,
           std::int64_t first) {
    spread_array to(MPI_COMM_WORLD, of, shape, cut::skewed);
    to.clear();
    check_.ok(hr_read_dataset_array(state_, name.c_str(), to.array(), to.layout(), step, &error_),
              error_, name);
    check_.that(to.wrong(first) == 0, name + ": wrong elements");
  }

  checks& check_;
  std::string file_;
  hr_parallel_options chosen_;
  int other_extent_;
  bool is_told_ = false;  // a format may see by itself, at once, what it does not take
  spread_array data_;
  hr_dataset state_ = 0;
  hr_error error_{};
};

void test(checks& check, const format_in_test& format) {
  kept arrays(check, format);
  arrays.many_arrays();
  arrays.late_coordinates();
  arrays.many_bytes();
  arrays.write_old_file();
  for (const char* then : {"close", "many", "abandon", "flush"}) {
    arrays.one_is_wrong(then);
    arrays.old_file_is_there();
  }
  arrays.one_lacks_a_large_array();
  for (const char* what : {"name", "dimensions", "step", "kind"}) {
    arrays.others_are_written(what);
    if (check.size() == 1) arrays.write_old_file();
    arrays.old_file_is_there();
  }
  arrays.written_again();
  arrays.refused_by_the_format();
  for (const char* then : {"close", "many", "attribute", "flush"}) arrays.refused_among_many(then);
  arrays.write_old_file();
  arrays.one_abandons();
  arrays.one_has_closed();
  arrays.old_file_is_there();
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
