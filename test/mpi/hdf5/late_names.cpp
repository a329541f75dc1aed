// Names that come after a small array has used them for its dimensions: an array that holds the
// coordinates, one that does not, and a group. The file late_names.h5 stays: read_late_names.py
// opens it with h5py.
#include "formats/formats.hpp"

namespace {

using namespace format_tests;

class late_names {
 public:
  explicit late_names(checks& check) : check_(check) {}

  void write() {
    check_.ok(hr_open_dataset(&state_, file, MPI_COMM_WORLD, "write", nullptr, &error_), error_,
              "open");
    put("rho", {5, 4}, "x,y", 1);
    put("psi", {5, 4}, "x,group", 2);
    tell_unit("rho");  // delivers: what follows finds the dimensions in the file
    put("x", {5}, "x", 3);
    put("y", {3}, "n", 4);
    put("group/inner", {4}, "z", 5);
    put("later", {5, 4}, "x,y", 6);
    tell_unit("later");
    check_.ok(hr_flush_dataset(state_, &error_), error_, "flush");
    put("last", {4, 5}, "z,x", 7);
    check_.ok(hr_close_dataset(&state_, &error_), error_, "close");
  }

  void read() {
    check_.ok(hr_open_dataset(&state_, file, MPI_COMM_WORLD, "read", nullptr, &error_), error_,
              "open to read");
    get("rho", {5, 4}, 1);
    get("psi", {5, 4}, 2);
    get("x", {5}, 3);
    get("y", {3}, 4);
    get("group/inner", {4}, 5);
    get("later", {5, 4}, 6);
    get("last", {4, 5}, 7);
    check_.ok(hr_close_dataset(&state_, &error_), error_, "close after reading");
  }

 private:
  static constexpr const char* file = "late_names.h5";

  void put(const char* name, const extents& shape, const char* dimensions, std::int64_t first) {
    spread_array from(MPI_COMM_WORLD, kind_named("int32"), shape, cut::uneven);
    from.fill(first);
    check_.ok(hr_write_dataset_array(state_, name, from.array(), from.layout(), dimensions, nullptr,
                                     &error_),
              error_, name);
  }
  void get(const char* name, const extents& shape, std::int64_t first) {
    spread_array to(MPI_COMM_WORLD, kind_named("int32"), shape, cut::skewed);
    to.clear();
    check_.ok(hr_read_dataset_array(state_, name, to.array(), to.layout(), nullptr, &error_),
              error_, name);
    check_.that(to.wrong(first) == 0, std::string(name) + ": wrong elements");
  }
  void tell_unit(const char* name) {
    std::int32_t value = 4;
    const hr_array four = scalar(value, HR_TYPE_INTEGER);
    check_.ok(hr_write_attribute(state_, name, "four", &four, &error_), error_, "an attribute");
  }

  checks& check_;
  hr_dataset state_ = 0;
  hr_error error_{};
};

void test(checks& check) {
  late_names all(check);
  all.write();
  all.read();
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "late names in HDF5", test);
}
