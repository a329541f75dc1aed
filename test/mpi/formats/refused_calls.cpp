// Calls that are refused for their arguments, on all MPI ranks alike or on one of them: the dataset
// stays as it was, more can be written, and closing it succeeds. Read back it has all that was not
// refused. As each format writes by default, by its library, and with all told at once.
#include <functional>
#include <memory>
#include <vector>

#include "formats.hpp"

namespace {

using namespace format_tests;

class refusals {
 public:
  refusals(checks& check, const format_in_test& format, const way& how)
      : check_(check),
        format_(format),
        file_(format.file("refused")),
        chosen_(format.options(how)),
        small_(MPI_COMM_WORLD, kind_named("int32"), {6, 5}, cut::uneven),
        other_(MPI_COMM_WORLD, kind_named("real32"), {6, 5}, cut::uneven),
        longer_(MPI_COMM_WORLD, kind_named("int32"), {7, 5}, cut::uneven),
        large_(MPI_COMM_WORLD, kind_named("real64"), {64, 40, 30}, cut::skewed) {
    small_.fill(1);
    other_.fill(1);
    longer_.fill(1);
    large_.fill(1);
    number_.base = &time_;
    number_.type = HR_TYPE_REAL;
    number_.elem_len = sizeof time_;
  }

  struct call {
    const char* what;
    std::function<int()> make;
    bool of_one = false;      // the others' arguments are right: they hear of it
    bool told_later = false;  // it may be, by the call that delivers
  };

  std::vector<call> calls() {
    static double large_attribute[2] = {1, 2};
    std::vector<call> all = {
        {"an attribute of no array", [&] { return attribute("nothing", "units", number_); }},
        {"an attribute without a name", [&] { return attribute("u", "", number_); }},
        {"an attribute without a value",
         [&] { return hr_write_attribute(state_, "u", "a", nullptr, &error_); }},
        {"an attribute of array rank 2",
         [&] {
           hr_array wide = list(large_attribute, HR_TYPE_REAL);
           wide.array_rank = 2;
           wide.extent[0] = 1;
           wide.extent[1] = 2;
           wide.stride[1] = 8;
           return attribute("u", "a", wide);
         }},
        {"an attribute of a kind that is not there",
         [&] {
           hr_array odd = number_;
           odd.elem_len = 3;
           return attribute("u", "a", odd);
         }},
        {"a name twice", [&] { return put("u", small_, nullptr); }},
        {"a step twice", [&] { return put("s", small_, &first_); }},
        {"a step of an array without", [&] { return put("u", small_, &first_); }},
        {"another kind in a step", [&] { return put("s", other_, &second_); }},
        {"another shape in a step", [&] { return put("s", longer_, &second_); }},
        {"an array without a name", [&] { return put("", small_, nullptr); }},
        {"a layout that was never made",
         [&] {
           return hr_write_dataset_array(state_, "v", small_.array(), 0, nullptr, nullptr, &error_);
         }},
        {"a layout of another shape",
         [&] {
           return hr_write_dataset_array(state_, "v", small_.array(), large_.layout(), nullptr,
                                         nullptr, &error_);
         }},
        {"no array",
         [&] {
           return hr_write_dataset_array(state_, "v", nullptr, small_.layout(), nullptr, nullptr,
                                         &error_);
         }},
        {"too few names of dimensions", [&] { return put("v", small_, nullptr, "a"); }},
        {"a name of a dimension twice", [&] { return put("v", small_, nullptr, "a,a"); }},
        {"reading what is written",
         [&] {
           return hr_read_dataset_array(state_, "u", small_.array(), small_.layout(), nullptr,
                                        &error_);
         }},
        {"a large array without elements",
         [&] {
           return hr_write_dataset_array(state_, "v", nullptr, large_.layout(), nullptr, nullptr,
                                         &error_);
         }},
        {"opening with an unknown action",
         [&] {
           hr_dataset more = 0;
           return hr_open_dataset(&more, format_.file("more").c_str(), MPI_COMM_WORLD, "delete",
                                  &chosen_, &error_);
         }},
        {"opening with an unknown option",
         [&] {
           hr_dataset more = 0;
           hr_parallel_options odd = chosen_;
           odd.pattern = "none such";
           return hr_open_dataset(&more, format_.file("more").c_str(), MPI_COMM_WORLD, "write",
                                  &odd, &error_);
         }},
        {"a closed handle", [&] {
           return hr_write_dataset_array(0, "v", small_.array(), small_.layout(), nullptr, nullptr,
                                         &error_);
         }}};
    if (format_.other_extent != 0)
      all.push_back({"another extent of a dimension",
                     [&] { return put("wide", longer_, nullptr, "new,x"); }, false, true});
    if (check_.size() > 1) {
      all.push_back({"a large array that one lacks",
                     [&] {
                       return hr_write_dataset_array(state_, "v",
                                                     is_last() ? nullptr : large_.array(),
                                                     large_.layout(), nullptr, nullptr, &error_);
                     },
                     true});
      all.push_back({"a large array of another name on one",
                     [&] { return put(is_last() ? "v" : "w", large_, nullptr); }, true});
      all.push_back({"an attribute that differs",
                     [&] {
                       double value = is_last() ? 1 : 2;
                       hr_array differs = number_;
                       differs.base = &value;
                       return attribute("u", "a", differs);
                     },
                     true});
    }
    return all;
  }

  // One call between writes of small and large arrays; flushes: what is refused is told by then.
  void one(const call& refused, bool flushes) {
    const std::string what = refused.what;
    begin(what);
    fails(refused);
    if (flushes)
      check_.that(hr_flush_dataset(state_, &error_) == 0 || refused.told_later,
                  what + ", flush: " + error_.message);
    end(what, refused.told_later && !flushes);
  }

  void all_of_them() {
    begin("all");
    bool told_later = false;
    for (const call& refused : calls()) {
      fails(refused);
      told_later = told_later || refused.told_later;
    }
    end("all", told_later);
  }

 private:
  bool is_last() const { return check_.rank() == check_.size() - 1; }

  void begin(const std::string& what) {
    check_.ok(hr_open_dataset(&state_, file_.c_str(), MPI_COMM_WORLD, "write", &chosen_, &error_),
              error_, "open, " + what);
    good(put("u", small_, nullptr, "x,y"), "u, " + what);
    good(put("s", small_, &first_, "x,y"), "s, " + what);
    good(put("large", large_, nullptr, "l,m,n"), "large, " + what);
    good(attribute("u", "good", number_), "attribute, " + what);
  }

  void fails(const call& refused) {
    error_ = {};
    const int code = refused.make();
    check_.that(code != 0 || refused.told_later, std::string(refused.what) + " is not refused");
    int same[] = {code, -code};
    MPI_Allreduce(MPI_IN_PLACE, same, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check_.that(same[0] == -same[1], std::string(refused.what) + ": MPI ranks differ");
  }

  void end(const std::string& what, bool may_fail) {
    // A call that tells of another one did nothing.
    int code = put("after", large_, nullptr, "l,m,n");
    if (code != 0 && may_fail) code = put("after", large_, nullptr, "l,m,n");
    good(code, "after, " + what);
    good(put("w", small_, nullptr, "x,y"), "w, " + what);
    good(put("s", small_, &second_, "x,y"), "second step, " + what);
    good(attribute("w", "good", number_), "attribute of w, " + what);
    check_.ok(hr_close_dataset(&state_, &error_), error_, "close, " + what);
    check_.ok(hr_open_dataset(&state_, file_.c_str(), MPI_COMM_WORLD, "read", &chosen_, &error_),
              error_, "reading after " + what);
    for (const char* const name : {"u", "w"}) get(name, "int32", {6, 5}, nullptr, what);
    for (const char* const name : {"large", "after"})
      get(name, "real64", {64, 40, 30}, nullptr, what);
    for (const long long* const step : {&first_, &second_}) get("s", "int32", {6, 5}, step, what);
    for (const char* const name : {"u", "w"}) {
      double value = 0;
      hr_array found = number_;
      found.base = &value;
      check_.ok(hr_read_attribute(state_, name, "good", &found, &error_), error_, what);
      check_.that(value == time_, what + ": another attribute of " + name);
    }
    long long count = 0;
    check_.ok(hr_count_dataset_arrays(state_, &count, &error_), error_, what);
    check_.that(count == 5, what + ": there are " + std::to_string(count) + " arrays");
    check_.ok(hr_close_dataset(&state_, &error_), error_, "closing after reading, " + what);
  }

  void good(int code, const std::string& what) { check_.ok(code, error_, what); }
  int attribute(const char* array, const char* name, const hr_array& value) {
    return hr_write_attribute(state_, array, name, &value, &error_);
  }
  int put(const char* name, const spread_array& from, const long long* step,
          const char* dimensions = nullptr) {
    return hr_write_dataset_array(state_, name, from.array(), from.layout(), dimensions, step,
                                  &error_);
  }
  void get(const std::string& name, const char* kind, const extents& shape, const long long* step,
           const std::string& what) {
    spread_array to(MPI_COMM_WORLD, kind_named(kind), shape, cut::bisected);
    to.clear();
    check_.ok(hr_read_dataset_array(state_, name.c_str(), to.array(), to.layout(), step, &error_),
              error_, name + " after " + what);
    check_.that(to.wrong(1) == 0, name + ": wrong elements after " + what);
  }

  checks& check_;
  const format_in_test& format_;
  std::string file_;
  hr_parallel_options chosen_;
  spread_array small_;
  spread_array other_;
  spread_array longer_;
  spread_array large_;
  double time_ = 0.5;
  hr_array number_{};
  const long long first_ = 10;
  const long long second_ = 20;
  hr_dataset state_ = 0;
  hr_error error_{};
};

void test_way(checks& check, const format_in_test& format, const way& how, bool can_flush) {
  refusals test(check, format, how);
  test.all_of_them();
  if (!long_tests() && how.transfer != nullptr) return;
  for (const auto& refused : test.calls()) test.one(refused, false);
  if (!can_flush || !long_tests()) return;
  for (const auto& refused : test.calls()) test.one(refused, true);
}

void test(checks& check, const format_in_test& format) {
  const bool has_library = format.ways[0].transfer != nullptr;
  const bool can_flush = format.name != "adios2";
  way how = format.ways[0];
  how.transfer = nullptr;
  test_way(check, format, how, can_flush);
  {
    const told_at_once told;
    test_way(check, format, how, can_flush);
  }
  if (!has_library) return;
  how.transfer = "library";
  test_way(check, format, how, false);
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
