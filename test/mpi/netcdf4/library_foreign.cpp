// Files that write_foreign.py made with netCDF4 are read like our own, classic ones through PnetCDF
// whatever format is asked for; what Fortran has no kind for is refused by name.
#include <algorithm>
#include <iterator>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

class foreign_file {
 public:
  foreign_file(checks& check, const format_in_test& format, const way& how, const std::string& file)
      : check_(check), what_(file + ", " + text_of(how) + ", ") {
    hr_error error{};
    const hr_parallel_options chosen = format.options(how);
    check.ok(hr_open_dataset(&state_, (format.directory + "/" + file).c_str(), MPI_COMM_WORLD,
                             "read", &chosen, &error),
             error, what_);
  }
  ~foreign_file() { hr_close_dataset(&state_, nullptr); }
  foreign_file(const foreign_file&) = delete;
  foreign_file& operator=(const foreign_file&) = delete;

  void holds(const char* name, const char* kind_name, const extents& global, std::int64_t offset,
             const long long* step) {
    hr_error error{};
    spread_array to(MPI_COMM_WORLD, kind_named(kind_name), global, cut::uneven, memory::halo);
    to.clear();
    check_.ok(hr_read_dataset_array(state_, name, to.array(), to.layout(), step, &error), error,
              what_ + name);
    check_.that(to.wrong(offset) == 0, what_ + "elements of " + name);
  }

  // NetCDF's fill value.
  void has_nothing(const char* name, const extents& global, const long long* step) {
    hr_error error{};
    spread_array to(MPI_COMM_WORLD, kind_named("real32"), global, cut::balanced);
    check_.ok(hr_read_dataset_array(state_, name, to.array(), to.layout(), step, &error), error,
              what_ + name + " where nothing is");
    const float* const values = static_cast<const float*>(to.array()->base);
    check_.that(to.array()->extent[0] == 0 || values[0] > 9e36F,
                what_ + name + " is no fill value");
  }

  // Texts of length 0: their last dimension may grow, and nobody has written.
  void has_empty_texts(const char* name, const extents& global) {
    hr_error error{};
    hr_array_info info{};
    check_.ok(hr_describe_dataset_array(state_, name, &info, nullptr, &error), error, what_ + name);
    check_.that(info.type == HR_TYPE_CHARACTER && info.elem_len == 0, what_ + name);
    const spread_array like(MPI_COMM_WORLD, kind_named("int8"), global, cut::uneven);
    hr_array nothing = *like.array();
    nothing.type = HR_TYPE_CHARACTER;
    nothing.elem_len = 0;
    std::fill(std::begin(nothing.stride), std::end(nothing.stride), 0);
    check_.ok(hr_read_dataset_array(state_, name, &nothing, like.layout(), nullptr, &error), error,
              what_ + name);
  }

  void refuses(const char* name) {
    hr_error error{};
    hr_array_info info{};
    long long steps = 0;
    check_.fails(hr_describe_dataset_array(state_, name, &info, &steps, &error), error,
                 HR_KIND_UNSUPPORTED, name, what_ + name);
  }

  void has_attributes() {
    hr_error error{};
    char units[7] = "";
    hr_array value = scalar(units, HR_TYPE_CHARACTER, 6);
    check_.ok(hr_read_attribute(state_, "rho", "units", &value, &error), error, what_ + "units");
    check_.that(std::string(units) == "kg/m3 ", what_ + "units");
    std::int32_t level = 0;
    value = scalar(level, HR_TYPE_INTEGER);
    check_.ok(hr_read_attribute(state_, "rho", "level", &value, &error), error, what_ + "level");
    check_.that(level == 7, what_ + "level");
  }

  void has_a_string_attribute() {
    hr_error error{};
    char label[21] = "";
    const hr_array value = scalar(label, HR_TYPE_CHARACTER, 20);
    check_.ok(hr_read_attribute(state_, "rho", "label", &value, &error), error, what_ + "label");
    check_.that(std::string(label) == "grams per litre \xc2\xb5  ", what_ + "label");
  }

 private:
  checks& check_;
  std::string what_;
  hr_dataset state_ = 0;
};

void test(checks& check, const format_in_test& format) {
  std::vector<std::string> files;
  if (hr_parallel_unavailable("pnetcdf") == nullptr)
    files = {"foreign_1.nc", "foreign_2.nc", "foreign_5.nc"};
  if (format.name == "netcdf4") files.emplace_back("foreign_4.nc");
  const long long first = 1;
  const long long second = 2;
  for (const std::string& file : files)
    for (const way& how : format.ways) {
      foreign_file state(check, format, how, file);
      state.holds("rho", "real64", {13, 7, 5}, 0, nullptr);
      state.holds("u", "real32", {13, 7}, 200, &second);       // a real time: steps count from 1
      state.holds("packed", "int16", {13, 7, 5}, 0, nullptr);  // as stored
      state.holds("names", "character7", {5}, 0, nullptr);
      state.has_attributes();
      if (file != "foreign_4.nc") continue;
      state.holds("big", "int32", {13, 7, 5}, 0, nullptr);
      state.holds("gzip", "real64", {13, 7, 5}, 0, nullptr);
      state.holds("inner/rho", "real64", {13, 7, 5}, 0, nullptr);
      state.holds("few", "real32", {13, 7}, 100, &first);
      state.has_nothing("few", {13, 7}, &second);
      state.holds("inner/few", "real32", {13, 7}, 100, &second);
      state.has_empty_texts("wordless", {5});
      state.has_a_string_attribute();
      for (const char* name : {"u8", "u64", "free"}) state.refuses(name);
    }
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
