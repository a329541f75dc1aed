// What HDF5 is told to move. Where the elements in memory have another shape than those in the
// file, it takes each element of a chunk by itself: a hundred times as long for small elements.
#include "formats/hdf5/storage.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "checks.hpp"
#include "formats/hdf5/file.hpp"

namespace {

using headrace::box;
using headrace::status;
using headrace::hdf5::handle;
using spread::checks;

const char* const selections_file = "selections.h5";

std::vector<hsize_t> extents_of(const handle& space) {
  std::vector<hsize_t> extents(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  return extents;
}

box part_of(const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count) {
  box part;
  part.array_rank = static_cast<int>(count.size());
  for (std::size_t d = 0; d < count.size(); ++d) {
    part.start[d] = start[d];
    part.count[d] = count[d];
  }
  return part;
}

class selections {
 public:
  explicit selections(checks& check) : check_(check) {
    const status made = headrace::hdf5::create_file(selections_file, nullptr, {}, file_);
    check_.that(made.ok(), made.message());
  }
  ~selections() { file_.close(); }
  selections(const selections&) = delete;
  selections& operator=(const selections&) = delete;

  // global, a part of it, and in HDF5's order what of the file and of memory belongs together.
  void of(const char* name, const box& global, std::int64_t step, const box& part,
          const std::vector<hsize_t>& expected) {
    handle dataset;
    headrace::hdf5::dataset_plan plan;
    status done = headrace::hdf5::plan_dataset(
        H5T_NATIVE_INT8, headrace::hdf5::extents_in_file(global, step >= 0), step >= 0, 64, plan);
    if (done.ok())
      done = headrace::hdf5::create_dataset(file_.get(), name, H5T_NATIVE_INT8, plan, dataset);
    if (done.ok() && step >= 0) done = headrace::hdf5::extend_dataset(dataset.get(), step + 1);
    handle in_file;
    handle in_memory;
    if (done.ok())
      done = headrace::hdf5::select_part(dataset.get(), part, step, in_file, in_memory);
    if (!check_.that(done.ok(), std::string(name) + ": " + done.message())) return;
    check_.that(extents_of(in_memory) == expected, std::string(name) + ": another shape");
    const auto elements = static_cast<hssize_t>(headrace::volume(part));
    check_.that(H5Sget_select_npoints(in_memory.get()) == elements &&
                    H5Sget_select_npoints(in_file.get()) == elements,
                std::string(name) + ": another number of elements");
    dataset.close();
  }

 private:
  checks& check_;
  handle file_;
};

void test(checks& check) {
  const headrace::hdf5::quiet_errors quiet;
  selections selected(check);
  const box global = part_of({0, 0, 0}, {16, 8, 4});
  const box part = part_of({0, 2, 1}, {16, 3, 2});
  selected.of("array", global, -1, part, {2, 3, 16});
  selected.of("step", global, 2, part, {1, 2, 3, 16});
  selected.of("line", part_of({0}, {100}), 0, part_of({10}, {70}), {1, 70});
  selected.of("scalar_step", part_of({}, {}), 1, part_of({}, {}), {1});
  selected.of("scalar", part_of({}, {}), -1, part_of({}, {}), {1});
  selected.of("nothing", global, 0, part_of({0, 0, 0}, {16, 0, 2}), {0});
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "selections of HDF5", test);
}
