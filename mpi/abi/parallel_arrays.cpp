// The C interface of parallel arrays: handles, and the way of every call to its dataset.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "../../src/abi/errors.hpp"
#include "../../src/abi/handles.hpp"
#include "../../src/abi/options.hpp"
#include "../together/attendance.hpp"
#include "closed_handles.hpp"
#include "dataset.hpp"
#include "for_bindings.hpp"

namespace headrace {
namespace {

// Never destroyed: closing what is open is collective, and a program that stops does it alone.
handle_registry<const array_layout>& layouts() {
  static auto* const registry = new handle_registry<const array_layout>;
  return *registry;
}

handle_registry<parallel_dataset>& datasets() {
  static auto* const registry = new handle_registry<parallel_dataset>;
  return *registry;
}

closed_handles& closed_layouts() {
  static auto* const closed = new closed_handles;
  return *closed;
}

closed_handles& closed_datasets() {
  static auto* const closed = new closed_handles;
  return *closed;
}

status null_pointer(const char* what) {
  return status::failure(stat_code::argument_invalid, std::string(what) + " is a null pointer");
}

// Collective.
status all_give(const communicator& comm, const void* pointer, const char* what) {
  return agree_on(comm, [&] { return pointer == nullptr ? null_pointer(what) : status(); });
}

int lose_unclosed(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* /*state*/) {
  for (const auto& open : datasets().all()) open->lose();
  return MPI_SUCCESS;
}

// MPI_Finalize deletes the attributes of MPI_COMM_SELF first: the last moment to speak of what is
// still open.
void watch_finalize() {
  static const bool watched = [] {
    int key = MPI_KEYVAL_INVALID;
    return MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, lose_unclosed, &key, nullptr) ==
               MPI_SUCCESS &&
           MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  }();
  static_cast<void>(watched);
}

bool is_being_added_to(const std::string& file) {
  const auto open = datasets().all();
  return std::any_of(open.begin(), open.end(), [&](const auto& one) { return one->adds_to(file); });
}

const char* text_or(const char* text, const char* otherwise) noexcept {
  return text == nullptr || *text == '\0' ? otherwise : text;
}

// Collective if the handle's communicator is known: a failure of this MPI rank alone, which
// meets the first agree() of the others in this call, or in one that delivers what they kept.
status refuse_together(closed_handles& known, std::int64_t handle, const char* call,
                       status failure) {
  const communicator_ptr comm = known.find(number_of_handle(handle));
  if (comm == nullptr || mpi_has_ended()) return failure;
  if (status s = check_attendance(*comm, call); !s.ok()) return s;
  status told = agree(*comm, std::move(failure));
  known.has_told(number_of_handle(handle));
  return told;
}

// Looks the dataset up, waits for the other MPI ranks if that was asked for, and acts on it. The
// first that act does together is an agree(), and after a failure there it does nothing together.
template <class Act>
int with_dataset(hr_dataset handle, const char* call, hr_error* error, Act act) {
  return guarded(error, [&]() -> status {
    const auto dataset = datasets().find(handle);
    if (dataset == nullptr)
      return refuse_together(closed_datasets(), handle, call, closed_handle("the dataset", handle));
    if (status s = check_mpi_is_running(); !s.ok()) return std::move(s).in_file(dataset->file());
    if (dataset->checks())
      if (status s = check_attendance(dataset->comm(), call); !s.ok()) return s;
    return act(*dataset);
  });
}

// Acts on the dataset for the last time. If MPI ranks are missing, it stays open: its end would
// wait for them.
template <class Act>
int end_dataset(hr_dataset* handle, const char* call, hr_error* error, bool together, Act act) {
  return guarded(error, [&]() -> status {
    if (handle == nullptr || *handle <= 0) return {};
    const auto dataset = datasets().find(*handle);
    const hr_dataset number = std::exchange(*handle, -*handle);
    if (dataset == nullptr) return closed_handle("the dataset", number);
    if (mpi_has_ended()) {  // which told what is lost: lose_unclosed()
      datasets().remove(number);
      return together && dataset->writes() ? check_mpi_is_running().in_file(dataset->file())
                                           : status();
    }
    if (status s = dataset->checks() ? check_attendance(dataset->comm(), call) : status();
        !s.ok()) {
      *handle = number;
      return s;
    }
    datasets().remove(number);
    const bool is_known = !together || !dataset->writes();
    status ended = act(*dataset);
    if (is_known && !dataset->is_over())
      closed_datasets().remember(number, dataset->comm_ptr(), dataset->keeps());
    return ended;
  });
}

// Collective: a handle on all MPI ranks or on none, else those with one would wait for the others.
template <class Object>
status give_handle(const communicator& comm, handle_registry<Object>& (*registry)(),
                   const std::shared_ptr<Object>& object, std::int64_t& handle) {
  std::int64_t number = 0;
  const status given = agree_on(comm, [&] {
    number = registry().add(object);
    return status();
  });
  if (given.ok())
    handle = number;
  else if (number != 0)
    registry().remove(number);
  return given;
}

// Duplicating waits for all MPI ranks too: the roll comes first.
status take_roll(MPI_Comm users, const char* call) {
  return mpi_is_running() && users != MPI_COMM_NULL ? check_attendance(users, call) : status();
}

}  // namespace

status make_layout(hr_layout* layout, MPI_Comm comm, status before, bool for_reading,
                   int array_rank, const long long* global, const long long* start,
                   const long long* count) {
  communicator_ptr own;
  const char* const call = for_reading ? "make_reading_layout" : "make_layout";
  if (status s = take_roll(comm, call); !s.ok()) return s;
  if (status s = communicator::duplicate(comm, own); !s.ok()) return s;
  const status given = agree_on(*own, [&] {
    if (!before.ok()) return std::move(before);
    if (layout == nullptr) return null_pointer("layout");
    if (global == nullptr || start == nullptr || count == nullptr)
      return null_pointer("global, start or count");
    if (array_rank >= 1 && array_rank <= HR_MAX_PARALLEL_RANK) return status();
    return status::failure(stat_code::layout_invalid, "parallel arrays have 1 to 7 dimensions")
        .expected("1 to 7", std::to_string(array_rank))
        .advise("give global, start and count an integer for each dimension");
  });
  if (!given.ok()) return given;
  box block;
  index_list extents{};
  block.array_rank = array_rank;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array_rank); ++d) {
    extents[d] = global[d];
    block.start[d] = start[d] - 1;
    block.count[d] = count[d];
  }
  layout_ptr made;
  if (status s = array_layout::make(own, block, extents, for_reading, made); !s.ok()) return s;
  return give_handle(*own, layouts, made, *layout);
}

namespace {

// Not collective. Those of the stored steps whose numbers are not below first or above last, in the
// order of the file; the last dimension of the local array must count as many.
status choose_steps(const hr_array* local, const std::vector<std::int64_t>& stored, long long first,
                    long long last, std::vector<long long>& steps) {
  const std::string range = std::to_string(first) + " to " + std::to_string(last);
  std::copy_if(stored.begin(), stored.end(), std::back_inserter(steps),
               [&](std::int64_t step) { return first <= step && step <= last; });
  if (steps.empty())
    return status::failure(stat_code::step_missing, "the array has no step from " + range)
        .advise(stored.empty() ? "it has no steps: read it with read_array"
                               : "it has " + steps_text(stored));
  if (local == nullptr || local->array_rank < 1 || local->array_rank > HR_MAX_ARRAY_RANK)
    return status::failure(stat_code::shape_mismatch,
                           "the local array has no last dimension for the steps")
        .expected("1 to " + std::to_string(HR_MAX_ARRAY_RANK) + " dimensions",
                  local == nullptr ? "a null pointer" : std::to_string(local->array_rank))
        .advise("pass one more dimension than the layout has, of as many elements as steps");
  const auto room = static_cast<std::int64_t>(local->extent[local->array_rank - 1]);
  if (room == static_cast<std::int64_t>(steps.size())) return {};
  return status::failure(stat_code::shape_mismatch,
                         "the last dimension of the local array has not the number of steps")
      .expected(std::to_string(steps.size()) + " for the steps from " + range, std::to_string(room))
      .advise("the array has the steps " + steps_text(stored));
}

// The element of its last dimension at a place, as an array of its own.
hr_array part_of(const hr_array& local, std::size_t place) noexcept {
  hr_array part = local;
  --part.array_rank;
  if (part.base != nullptr)
    part.base = static_cast<char*>(part.base) +
                static_cast<std::ptrdiff_t>(place) * local.stride[part.array_rank];
  return part;
}

// One array in a file of its own, from open to close.
status pass_array(const char* file, const hr_array* array, hr_layout handle, bool writes,
                  const hr_parallel_options* options, hr_parallel_report* report) {
  const char* const call = writes ? "write_array" : "read_array";
  const layout_ptr layout = layouts().find(handle);
  if (layout == nullptr) return refuse_together(closed_layouts(), handle, call, closed_layout());
  if (status s = check_mpi_is_running(); !s.ok()) return s;
  if (status s = check_attendance(layout->comm(), call); !s.ok()) return s;
  const hr_parallel_options chosen = options == nullptr ? hr_parallel_options{} : *options;
  std::shared_ptr<parallel_dataset> dataset;
  if (status s = parallel_dataset::open(file, layout->comm_ptr(), writes ? "write" : "read", chosen,
                                        dataset);
      !s.ok())
    return s;
  dataset->write_at_once();
  const char* const name = text_or(chosen.dataset, "data");
  status result = writes ? dataset->write(name, array, layout, chosen.dimensions, nullptr)
                         : dataset->read(name, array, layout, nullptr);
  if (writes && !result.ok()) result = dataset->fail(result);  // the old file stays
  result.keep_first(dataset->close());
  if (report != nullptr) dataset->fill(*report);
  return result;
}

void fill_info(const described_array& found, hr_array_info& info) {
  info = {};
  info.type = static_cast<int>(found.type);
  info.array_rank = found.global.array_rank;
  info.elem_len = found.elem_len;
  std::copy_n(found.global.count.begin(), info.array_rank, info.extent);
  info.bytes = found.bytes();
  info.data_offset = -1;
}

}  // namespace
}  // namespace headrace

extern "C" int hr_make_layout(hr_layout* layout, MPI_Comm comm, int array_rank,
                              const long long* global, const long long* start,
                              const long long* count, hr_error* error) {
  return headrace::guarded(error, [&] {
    return headrace::make_layout(layout, comm, {}, false, array_rank, global, start, count);
  });
}

extern "C" int hr_make_reading_layout(hr_layout* layout, MPI_Comm comm, int array_rank,
                                      const long long* global, const long long* start,
                                      const long long* count, hr_error* error) {
  return headrace::guarded(error, [&] {
    return headrace::make_layout(layout, comm, {}, true, array_rank, global, start, count);
  });
}

extern "C" int hr_free_layout(hr_layout* layout, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&]() -> status {
    if (layout == nullptr || *layout <= 0) return {};
    const layout_ptr freed = layouts().remove(*layout);
    if (freed == nullptr) return closed_layout();
    closed_layouts().remember(*layout, freed->comm_ptr());
    *layout = -*layout;
    return {};
  });
}

extern "C" int hr_write_parallel(const char* file, const hr_array* array, hr_layout layout,
                                 const hr_parallel_options* options, hr_parallel_report* report,
                                 hr_error* error) {
  return headrace::guarded(
      error, [&] { return headrace::pass_array(file, array, layout, true, options, report); });
}

extern "C" int hr_read_parallel(const char* file, const hr_array* array, hr_layout layout,
                                const hr_parallel_options* options, hr_parallel_report* report,
                                hr_error* error) {
  return headrace::guarded(
      error, [&] { return headrace::pass_array(file, array, layout, false, options, report); });
}

extern "C" int hr_open_dataset(hr_dataset* dataset, const char* file, MPI_Comm comm,
                               const char* action, const hr_parallel_options* options,
                               hr_error* error) {
  using namespace headrace;
  return guarded(error, [&]() -> status {
    communicator_ptr own;
    if (status s = take_roll(comm, "open_dataset"); !s.ok()) return s;
    // A dataset may be abandoned by one MPI rank, and small arrays are kept without the others.
    if (status s = communicator::separate(comm, own); !s.ok()) return s;
    if (status s = all_give(*own, dataset, "dataset"); !s.ok()) return s;
    const hr_parallel_options chosen = options == nullptr ? hr_parallel_options{} : *options;
    std::shared_ptr<parallel_dataset> made;
    if (status s = parallel_dataset::open(file, own, text_or(action, "read"), chosen, made,
                                          is_being_added_to);
        !s.ok())
      return s;
    watch_finalize();
    return give_handle(*own, datasets, made, *dataset);
  });
}

extern "C" int hr_write_dataset_array(hr_dataset dataset, const char* name, const hr_array* array,
                                      hr_layout layout, const char* dimensions,
                                      const long long* step, hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "write_array", error, [&](parallel_dataset& open) -> status {
    return open.write(name, array, layouts().find(layout), dimensions, step);
  });
}

extern "C" int hr_read_dataset_array(hr_dataset dataset, const char* name, const hr_array* array,
                                     hr_layout layout, const long long* step, hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "read_array", error, [&](parallel_dataset& open) -> status {
    return open.read(name, array, layouts().find(layout), step);
  });
}

extern "C" int hr_read_dataset_steps(hr_dataset dataset, const char* name, const hr_array* array,
                                     hr_layout layout, long long first, long long last,
                                     hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "read_steps", error, [&](parallel_dataset& open) -> status {
    described_array stored;
    std::vector<long long> steps;
    std::string compared;
    if (status s = open.describe(name, stored); !s.ok()) return s;
    status chosen = agree_on_same(open.comm(), "steps", compared, [&] {
      status s = choose_steps(array, stored.steps.numbers(), first, last, steps);
      for (const long long step : steps) compared += std::to_string(step) + " ";
      return std::move(s).in_file_once(open.file()).in_array(text_of(name));
    });
    const layout_ptr found = layouts().find(layout);
    for (std::size_t i = 0; chosen.ok() && i < steps.size(); ++i) {
      const hr_array part = part_of(*array, i);
      chosen = open.read(name, &part, found, &steps[i]);
    }
    return chosen;
  });
}

extern "C" int hr_write_attribute(hr_dataset dataset, const char* array_name, const char* name,
                                  const hr_array* value, hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "write_attribute", error, [&](parallel_dataset& open) {
    return open.write_attribute(array_name, name, value);
  });
}

extern "C" int hr_read_attribute(hr_dataset dataset, const char* array_name, const char* name,
                                 const hr_array* value, hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "read_attribute", error, [&](parallel_dataset& open) {
    return open.read_attribute(array_name, name, value);
  });
}

int headrace::describe_with_steps(hr_dataset dataset, const char* name, hr_array_info& info,
                                  std::vector<std::int64_t>& steps, hr_error* error) {
  return with_dataset(dataset, "describe_array", error, [&](parallel_dataset& open) -> status {
    described_array found;
    if (status s = open.describe(name, found); !s.ok()) return s;
    fill_info(found, info);
    // All agreed before: no copy, which could lack memory here alone.
    steps = std::move(found.steps).take();
    return {};
  });
}

extern "C" int hr_describe_dataset_array(hr_dataset dataset, const char* name, hr_array_info* info,
                                         long long* steps, hr_error* error) {
  hr_array_info described{};
  std::vector<std::int64_t> numbers;
  const int code = headrace::describe_with_steps(dataset, name, described, numbers, error);
  if (code != 0) return code;
  if (info != nullptr) *info = described;
  if (steps != nullptr) *steps = static_cast<long long>(numbers.size());
  return 0;
}

extern "C" int hr_dataset_step(hr_dataset dataset, const char* name, long long index,
                               long long* step, hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "describe_array", error, [&](parallel_dataset& open) -> status {
    described_array found;
    std::string compared;
    const status given = agree_on_same(open.comm(), "indices of steps", compared, [&] {
      compared = std::to_string(index);
      return step == nullptr ? null_pointer("step") : status();
    });
    if (!given.ok()) return given;
    if (status s = open.describe(name, found); !s.ok()) return s;
    if (index < 0 || index >= found.steps.count())
      return status::failure(stat_code::step_missing,
                             "the array \"" + text_of(name) + "\" has no step of that index")
          .expected(found.steps.count() == 0
                        ? "none: it has no steps"
                        : "from 0 to " + std::to_string(found.steps.count() - 1),
                    std::to_string(index))
          .in_file(open.file());
    *step = found.steps[index];
    return {};
  });
}

int headrace::count_names(hr_dataset dataset, long long* count, std::int64_t& longest,
                          hr_error* error) {
  return with_dataset(dataset, "list_arrays", error, [&](parallel_dataset& open) -> status {
    const std::vector<std::string>* names = nullptr;
    if (status s = all_give(open.comm(), count, "count"); !s.ok()) return s;
    if (status s = open.list(names); !s.ok()) return s;
    *count = static_cast<long long>(names->size());
    for (const std::string& name : *names)
      longest = std::max(longest, static_cast<std::int64_t>(name.size()));
    return {};
  });
}

extern "C" int hr_count_dataset_arrays(hr_dataset dataset, long long* count, hr_error* error) {
  std::int64_t longest = 0;
  return headrace::count_names(dataset, count, longest, error);
}

extern "C" int hr_dataset_array_name(hr_dataset dataset, long long index, char* name, size_t room,
                                     hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "list_arrays", error, [&](parallel_dataset& open) -> status {
    const std::vector<std::string>* names = nullptr;
    if (status s = open.list(names); !s.ok()) return s;
    return agree_on(open.comm(), [&] {
      if (name == nullptr) return null_pointer("name");
      const auto there = static_cast<long long>(names->size());
      if (index < 0 || index >= there)
        return status::failure(stat_code::argument_invalid, "there is no array of that index")
            .expected("from 0 to " + std::to_string(there - 1), std::to_string(index))
            .in_file(open.file());
      const std::string& found = (*names)[static_cast<std::size_t>(index)];
      if (found.size() >= room)
        return status::failure(stat_code::argument_invalid, "the name of the array does not fit")
            .expected(std::to_string(found.size() + 1) + " bytes or more", std::to_string(room))
            .in_file(open.file());
      name[found.copy(name, room - 1)] = '\0';
      return status();
    });
  });
}

extern "C" int hr_report_dataset(hr_dataset dataset, hr_parallel_report* report, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&]() -> status {
    const auto open = datasets().find(dataset);
    if (open == nullptr) return closed_handle("the dataset", dataset);
    if (report == nullptr) return null_pointer("report");
    open->fill(*report);
    return {};
  });
}

extern "C" int hr_flush_dataset(hr_dataset dataset, hr_error* error) {
  using namespace headrace;
  return with_dataset(dataset, "flush_dataset", error,
                      [](parallel_dataset& open) { return open.flush(); });
}

extern "C" int hr_close_dataset(hr_dataset* dataset, hr_error* error) {
  return headrace::end_dataset(dataset, "close_dataset", error, true,
                               [](headrace::parallel_dataset& open) { return open.close(); });
}

extern "C" int hr_abandon_dataset(hr_dataset* dataset, hr_error* error) {
  return headrace::end_dataset(dataset, "abandon_dataset", error, false,
                               [](headrace::parallel_dataset& open) { return open.abandon(); });
}
