#include "dataset.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <utility>

#include "../../src/abi/choices.hpp"
#include "../../src/core/file_endings.hpp"
#include "../../src/core/file_limits.hpp"
#include "../../src/core/name_text.hpp"
#include "../move/element_form.hpp"
#include "../together/attendance.hpp"
#include "../together/from_root.hpp"

namespace headrace {
namespace {

const char* const nothing_more = "nothing more is written after a call that failed: ";
const char* const not_made = "nothing was done in this call, because an earlier one was refused: ";
const char* const but_one = "the dataset is complete without what was refused: ";
const char* const nothing_kept =
    "what was there before stays, and nothing is kept of this dataset, after a call that failed: ";
const char* const flushed_kept =
    "what was there at the last flush_dataset, or before, stays, after a call that failed: ";

// A failure that all MPI ranks have keeps its number, also if there is no memory for its text.
template <class Make>
status same_number(const status& failure, Make make) noexcept {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    return status::no_memory(failure.code());
  }
}

std::string plain_name(std::string name) {
  const std::size_t begin = name.find_first_not_of('/');
  if (begin == std::string::npos) return "data";
  if (begin > 0) name.erase(0, begin);
  return name;
}

}  // namespace

status parallel_dataset::open(const char* file, const communicator_ptr& comm, const char* action,
                              const hr_parallel_options& options,
                              std::shared_ptr<parallel_dataset>& made,
                              bool (*grows)(const std::string& file)) {
  std::shared_ptr<parallel_dataset> dataset;
  std::string how;
  std::string compared;
  const bool checks = attendance_is_checked();  // failures are told by the calls that cause them
  const status ready = agree_on_same(*comm, "file names or options", compared, [&] {
    dataset = std::make_shared<parallel_dataset>();
    dataset->file_ = text_of(file);
    dataset->comm_ = comm;
    how = text_of(action);
    compared = "file=" + dataset->file_ + "\naction=" + how + "\n" + text_of(options) +
               (checks ? "\nHEADRACE_CHECK=1" : "");
    return status();
  });
  if (!ready.ok()) return ready;
  dataset->checks_ = checks;
  dataset->keeps_ = !checks;
  if (dataset->file_.empty())
    return status::failure(stat_code::file_name_empty, "the file name is empty")
        .advise("give the name of a file or store");
  const status opened = dataset->run_to_end(
      [&] { return dataset->open_here(how, options, grows).in_file_once(dataset->file_); });
  if (!opened.ok()) return opened;
  made = std::move(dataset);
  return {};
}

status parallel_dataset::open_here(const std::string& action, const hr_parallel_options& options,
                                   bool (*grows)(const std::string& file)) {
  enum class action_of { read, write, append };
  static constexpr std::pair<const char*, action_of> actions[] = {
      {"read", action_of::read}, {"write", action_of::write}, {"append", action_of::append}};
  action_of chosen = action_of::read;
  if (status s = choose("action", action.c_str(), actions, chosen); !s.ok()) return s;
  // A program may use Fortran on some MPI ranks only.
  if (status s = agree(*comm_, find_backend(file_, text_of(options.format), format_)); !s.ok())
    return s;
  if (status s = convert(options, *format_, settings_); !s.ok()) return s;
  keeps_ = keeps_ && chosen != action_of::read && (format_->abilities & can_keep) != 0 &&
           settings_.transfer == format_->preferred_transfer;
  const bool directory = (format_->abilities & is_a_directory) != 0;
  // Shells complete the names of directories with it.
  if (directory) file_ = without_slashes(file_);
  if (chosen == action_of::write) return begin_new(directory);
  if (chosen == action_of::append) return begin_to_append(directory, grows);
  if (status s = recover_replaced(*comm_, file_); !s.ok()) return s;
  // A library that keeps one file open reads on in the old one.
  const bool reads_by_name = !settings_.by_library() || directory;
  if (reads_by_name && comm_->rank() == 0) opened_.learn(file_);
  return format_->open({file_, comm_, settings_, notes_}, reader_);
}

status parallel_dataset::begin_new(bool directory) {
  {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    if (status s = target_.begin(comm_, file_, directory); !s.ok()) return s;
  }
  const no_signal_at_limit guard;
  errno = 0;  // see disk_error_in_errno()
  return format_->create({target_.path(), comm_, settings_, notes_}, writer_);
}

// What is not there yet is made.
status parallel_dataset::begin_to_append(bool directory, bool (*grows)(const std::string& file)) {
  if ((format_->abilities & can_append) == 0) return cannot_append("to be appended to");
  if (status s = recover_replaced(*comm_, file_); !s.ok()) return s;
  bool is_there = false;
  const auto look = [&] {
    struct stat found {};
    is_there = ::stat(file_.c_str(), &found) == 0;
    if (!is_there && errno != ENOENT) return status::system(errno, "cannot look at the file");
    // Of two that add to one file each loses what the other has written.
    if (is_there && grows != nullptr && grows(file_))
      return status::failure(stat_code::argument_invalid,
                             "this program has the dataset open to add to it already")
          .in_file(file_)
          .advise("write by that handle, or call close_dataset before");
    return status();
  };
  const auto pass = [&](message_pass& way) { way.number(is_there); };
  if (status s = pass_from_root(*comm_, look, pass); !s.ok()) return s;
  if (!is_there) return begin_new(directory);
  if (settings_.by_library())
    return status::failure(stat_code::argument_invalid,
                           "files grow with transfer=\"headrace\" only")
        .advise("leave transfer= out");
  const no_signal_at_limit guard;
  errno = 0;  // see disk_error_in_errno()
  return format_->create({file_, comm_, settings_, notes_, true}, writer_);
}

status parallel_dataset::check_open(bool writes) const {
  if (writes ? writer_ != nullptr : reader_ != nullptr) return {};
  return status::failure(stat_code::argument_invalid, writes ? "the dataset is open for reading"
                                                             : "the dataset is open for writing")
      .in_file(file_)
      .advise(writes ? "open it with action=\"write\" or \"append\""
                     : "close it and open it for reading");
}

// Users know their own name, not that of the file beside it.
status parallel_dataset::as_named(status failure) const noexcept {
  if (failure.ok()) return failure;
  return same_number(failure, [&] {
    const std::string& temporary = target_.path();
    std::string text = failure.message();
    const std::size_t found = temporary.empty() ? std::string::npos : text.find(temporary);
    if (found == std::string::npos) return std::move(failure);
    return status::passed_on(failure.code(), text.replace(found, temporary.size(), file_));
  });
}

void parallel_dataset::lose() noexcept {
  if (writer_ == nullptr || comm_->rank() != 0) return;
  std::fprintf(stderr,
               "headrace: the dataset \"%s\" was not closed before MPI_Finalize: what was written "
               "to it%s is lost, what was there before stays; call close_dataset\n",
               file_.c_str(), is_unnamed() ? "" : " after the last flush_dataset");
  target_.discard();
}

// A later call repeats the failure, and says that it is not its own.
status parallel_dataset::after_failure(const char* what) const noexcept {
  return same_number(failed_, [&] {
    return status::passed_on(failed_.code(), std::string(what) + failed_.message());
  });
}

// Runs a part that agrees within, to its end also if one MPI rank leaves it alone. All have the
// same outcome, with the file's name, and the wait for others is in the notes.
template <class Part>
status parallel_dataset::run_to_end(Part part) {
  status mine;
  bool left = false;
  try {
    mine = as_named(part());
  } catch (const std::bad_alloc&) {
    mine = caught([&] { return no_memory().in_file(file_); });
    left = true;
  }
  const auto during = notes_.line.during(HR_PHASE_WAIT);
  status result = agree_at_end(*comm_, std::move(mine), left);
  if (!result.ok() && reader_ != nullptr) reader_->forget();
  return result;
}

// The failure of a part of writing is the dataset's, unless the part was refused for its arguments.
template <class Part>
status parallel_dataset::keep(Part part) {
  const no_signal_at_limit guard;
  errno = 0;  // see disk_error_in_errno()
  status result = run_to_end(part);
  return ends_a_dataset(result) ? fail(as_named(std::move(result))) : result;
}

// Not collective: all have the failure already, and some may have closed the dataset.
status parallel_dataset::fail(const status& why) noexcept {
  const auto named = [&] {
    status copy = why;
    return std::move(copy).in_file_once(file_);
  };
  failed_.keep_first(same_number(why, named));
  if (writer_ != nullptr && ends_a_dataset(why)) writer_->fail();
  return same_number(why, named);
}

// Failure layout_invalid if it is of other MPI ranks.
status parallel_dataset::layout_here(const layout_ptr& given, const std::string& name,
                                     layout_ptr& here) {
  constexpr std::size_t most = 8;  // a program has few
  for (const layout_ptr& known : layouts_)
    if (known->has_blocks_of(*given)) {
      here = known;
      return {};
    }
  if (status s = check_layout(*given, *comm_); !s.ok()) return std::move(s).in_array(name);
  here = std::make_shared<const array_layout>(given->on(comm_));
  if (layouts_.size() == most) layouts_.clear();
  layouts_.push_back(here);
  return {};
}

// Not collective. What may be written is in the catalogue then.
status parallel_dataset::check_array(const char* given, const hr_array* described,
                                     const layout_ptr& layout, const char* dimensions,
                                     const long long* step, array_call& call) {
  if (layout == nullptr) return closed_layout();
  if (!failed_.ok()) return after_failure(nothing_more);
  kept_array& array = call.array;
  array.dimensions = text_of(dimensions);
  requested_array next;
  next.name = text_of(given);
  if (step != nullptr) next.step = *step;
  next.has_default_names = array.dimensions.empty();
  status checked = check_open(true);
  if (checked.ok()) checked = check_name(next.name, "the array");
  next.name = plain_name(std::move(next.name));
  const std::string& name = next.name;
  if (checked.ok()) checked = layout_here(layout, name, array.layout);
  if (checked.ok()) checked = check_block(described, *layout, true, call.local).in_array(name);
  if (checked.ok())
    checked = dimension_names(array.dimensions, layout->array_rank(), next.dimensions);
  if (checked.ok()) {
    array.memory_len = call.local.elem_len;
    next.type = call.local.type;
    next.elem_len = form_of(call.local).file_bytes;
    next.global = layout->global();
    checked = writer_->catalogue().check(next);
  }
  if (!checked.ok()) return std::move(checked).in_file_once(file_);
  array.entry = writer_->catalogue().add(std::move(next));
  return {};
}

// As all MPI ranks see it, also one that has no memory. Who lacks the array or its layout guesses
// what the others have: 8 bytes an element, or as many elements as here. bytes: of the whole array
// in the file.
bool parallel_dataset::is_small(const hr_array* described, const layout_ptr& layout,
                                std::int64_t& bytes) const {
  const bool is_logical = described != nullptr && described->type == HR_TYPE_LOGICAL;
  const auto elem_len = static_cast<std::int64_t>(described == nullptr ? 8
                                                  : is_logical         ? 1
                                                                       : described->elem_len);
  bytes = 0;
  if (layout != nullptr) {
    if (elem_len == 0 || !kept_arrays::fits(*layout, elem_len, settings_)) return false;
    bytes = volume(layout->global()) * elem_len;
    return true;
  }
  double guess = static_cast<double>(elem_len) * comm_->size();
  for (int d = 0; described != nullptr && d < std::min(described->array_rank, max_array_rank); ++d)
    guess *= static_cast<double>(described->extent[d]);
  return described == nullptr || guess <= static_cast<double>(kept_arrays::most_array_bytes);
}

// A lack of memory is told by the call that delivers, on all MPI ranks alike.
status parallel_dataset::keep_small(const char* given, const hr_array* described,
                                    const layout_ptr& layout, const char* dimensions,
                                    const long long* step, std::int64_t bytes,
                                    catalogue_entry& entry) {
  array_call call;
  status mine = caught([&] {
    status checked = check_array(given, described, layout, dimensions, step, call);
    if (!checked.ok()) return std::move(checked).in_file_once(file_);
    entry = call.array.entry;
    checked = as_named(writer_->accept(entry, call.local, *call.array.layout));
    if (checked.ok()) kept_.keep(std::move(call.array), call.local);
    return std::move(checked).in_file_once(file_);
  });
  if (!mine.ok()) writer_->catalogue().take_back(std::exchange(entry, {}));
  kept_.count(bytes);
  const bool is_told_later = mine.code() == ENOMEM;
  status& unknown = is_told_later ? untold_ : refused_;
  if (!mine.ok()) unknown.keep_first(same_number(mine, [&] { return mine; }));
  if (kept_.is_full())
    if (status all = deliver(); mine.ok() || is_told_later) return all;
  return is_told_later ? status() : std::move(mine);
}

// Collective: what came of the last delivery, and whether all have kept the same since then and can
// deliver it.
status parallel_dataset::agree_on_kept() {
  const no_signal_at_limit guard;
  const bool is_late = !late_.ok();
  status mine = std::exchange(late_, status());
  mine.keep_first(std::exchange(untold_, status()));
  if (mine.ok() && kept_.has_calls()) mine = caught([&] { return writer_->prepare(kept_); });
  is_unsettled_ = false;
  status all = agree_same(
      *comm_, std::move(mine), "arrays", kept_.digest(), [&] { return kept_.text(); }, is_late);
  const bool differs = all.code() == static_cast<int>(stat_code::ranks_disagree);
  const status here = std::exchange(refused_, status());
  if (differs)  // as a rule because some have refused what others have kept
    if (status why = agree(*comm_, here); !why.ok()) all = std::move(why);
  const bool ends = ends_a_dataset(all) || (differs && keeps_);  // some have had success
  return ends ? fail(as_named(std::move(all))) : as_named(std::move(all));
}

// Collective: what is kept goes into the file. MPI ranks with less to do go on at once, and all
// hear in agree_on_kept() what came of it.
status parallel_dataset::deliver() {
  if (is_over()) return after_failure(nothing_more);
  if (!kept_.has_calls()) return {};
  status refused = agree_on_kept();
  // What an earlier delivery left out does not concern these arrays: they are compared now.
  status result = refused.ok() || !failed_.ok() ? refused : agree_on_kept();
  if (result.ok()) {
    const no_signal_at_limit guard;
    errno = 0;  // see disk_error_in_errno()
    late_ = as_named(caught([&] { return writer_->write_kept(kept_); }));
    is_unsettled_ = true;
  }
  kept_.clear();
  refused.keep_first(std::move(result));
  return refused;
}

// Collective: nothing is kept any more, and nothing is left to hear of it.
status parallel_dataset::deliver_and_settle() {
  status result = deliver();
  if (failed_.ok() && is_unsettled_) result.keep_first(agree_on_kept());
  return result;
}

// Before a call that all make together. It is not made if they hear of another one that was
// refused.
status parallel_dataset::settle_before() {
  status result = deliver_and_settle();
  if (result.ok() || !failed_.ok()) return result;
  return same_number(result, [&] {
    return status::passed_on(result.code(), std::string(not_made) + result.message());
  });
}

status parallel_dataset::write(const char* given, const hr_array* described,
                               const layout_ptr& layout, const char* dimensions,
                               const long long* step) {
  if (is_over()) return after_failure(nothing_more);
  const bool packs = writer_ != nullptr && (keeps_ || writer_->delivers_one());
  if (std::int64_t bytes = 0; packs && is_small(described, layout, bytes)) {
    catalogue_entry entry;
    status mine = keep_small(given, described, layout, dimensions, step, bytes, entry);
    if (keeps_) return mine;
    status all = deliver_and_settle();
    if (!all.ok() && failed_.ok()) writer_->catalogue().take_back(entry);
    if (!all.ok() || mine.ok()) return all;
    return agree(*comm_, mine);  // refused on all MPI ranks: one message
  }
  if (status s = settle_before(); !s.ok()) return s;
  // All memory that the write takes here: the others do not wait in an agreement at first.
  array_call call;
  status mine =
      caught([&] { return check_array(given, described, layout, dimensions, step, call); });
  const kept_array& array = call.array;
  const std::uint64_t digest = mine.ok() ? digest_of(array) : 0;
  const status right =
      agree_same(*comm_, std::move(mine), "arrays", digest, [&] { return text_of(array); });
  status result = right.ok()
                      ? keep([&] { return writer_->write(array.entry, call.local, *array.layout); })
                      : right;
  if (ends_a_dataset(right) && failed_.ok()) result = fail(right);
  // Formats know of the array while more can come.
  if (!result.ok() && writer_ != nullptr && failed_.ok())
    writer_->catalogue().take_back(array.entry);
  return result;
}

status parallel_dataset::find_step(const described_array& stored, const long long* step,
                                   std::int64_t& index) const {
  index = -1;
  if (!stored.has_steps && step == nullptr) return {};
  const std::string known = steps_text(stored.steps.numbers());
  if (step == nullptr && stored.steps.count() != 1)
    return status::failure(stat_code::step_missing,
                           "the array has several steps, and none is named")
        .advise("give step=, one of " + known);
  index = step == nullptr ? 0 : stored.steps.place_of(*step);
  if (index >= 0) return {};
  return status::failure(stat_code::step_missing, "the array has no step " + std::to_string(*step))
      .advise(known.empty() ? "read it without step=" : "it has " + known);
}

// What is known of the arrays is of the old file: elsewhere in the new one other elements lie.
status parallel_dataset::check_not_replaced() const {
  if (!opened_.is_replaced_at(file_)) return {};
  return status::failure(stat_code::file_changed_while_reading,
                         "the file was replaced by another one after it was opened")
      .in_file(file_)
      .advise("call close_dataset and open_dataset again to read the new one");
}

status parallel_dataset::read(const char* given, const hr_array* described,
                              const layout_ptr& layout, const long long* step) {
  std::string name;
  array_view local;
  std::string compared;
  const status right = agree_on_same(*comm_, "arrays", compared, [&] {
    if (layout == nullptr) return closed_layout();
    name = plain_name(text_of(given));
    compared = name + " " + text_of(layout->global()) + ", step " +
               (step == nullptr ? "" : std::to_string(*step));
    status checked = check_open(false);
    if (checked.ok()) checked = check_name(text_of(given), "the array");
    if (checked.ok()) checked = check_layout(*layout, *comm_).in_array(name);
    if (checked.ok()) checked = check_block(described, *layout, false, local).in_array(name);
    return std::move(checked).in_file_once(file_);
  });
  if (!right.ok()) return right;
  return run_to_end([&] {
    const described_array* stored = nullptr;
    if (status s = reader_->describe(name, stored); !s.ok()) return s;
    std::int64_t index = -1;
    status fits = check_fits(name, local, *layout, *stored);
    if (fits.ok()) fits = find_step(*stored, step, index).in_array(name);
    if (fits.ok()) fits = check_not_replaced();
    if (status s = agree(*comm_, std::move(fits).in_file_once(file_)); !s.ok()) return s;
    status done = reader_->read(name, index, local, layout->on(comm_));
    if (status s = check_not_replaced(); !s.ok()) return s;
    return done;
  });
}

status parallel_dataset::check_attribute(bool writes, const char* array, const char* name,
                                         const hr_array* value, attribute_call& call) const {
  call.array = text_of(array);
  call.name = text_of(name);
  status checked = check_open(writes);
  if (checked.ok()) checked = check_name(call.name, "the attribute");
  if (checked.ok()) checked = attribute_value(value, call.value);
  if (!checked.ok()) return std::move(checked).in_file_once(file_);
  const std::string where = call.array + "/" + call.name;
  call.compared = where + ": " + value_text(call.value);
  if (writes) call.compared += element_lines(file_ + ":" + where, call.value);
  if (!call.array.empty()) call.array = plain_name(call.array);
  return {};
}

status parallel_dataset::write_attribute(const char* array, const char* name,
                                         const hr_array* value) {
  if (status s = settle_before(); !s.ok()) return s;
  attribute_call call;
  const status right = agree_on_same(*comm_, "attributes", call.compared, [&] {
    return failed_.ok() ? check_attribute(true, array, name, value, call)
                        : after_failure(nothing_more);
  });
  if (!right.ok()) return ends_a_dataset(right) && failed_.ok() ? fail(right) : right;
  return keep([&] { return writer_->write_attribute(call.array, call.name, call.value); });
}

status parallel_dataset::read_attribute(const char* array, const char* name,
                                        const hr_array* value) {
  attribute_call call;
  const status right = agree_on_same(*comm_, "attributes", call.compared, [&] {
    return check_attribute(false, array, name, value, call);
  });
  if (!right.ok()) return right;
  return run_to_end([&] { return reader_->read_attribute(call.array, call.name, call.value); });
}

status parallel_dataset::describe(const char* given, described_array& found) {
  std::string name;
  const status right = agree_on_same(*comm_, "arrays", name, [&] {
    name = text_of(given);
    status checked = check_open(false);
    if (checked.ok()) checked = check_name(name, "the array");
    return std::move(checked).in_file_once(file_);
  });
  if (!right.ok()) return right;
  return run_to_end([&] {
    const described_array* known = nullptr;
    status described = reader_->describe(plain_name(name), known);
    if (described.ok()) found = *known;
    return described;
  });
}

status parallel_dataset::list(const std::vector<std::string>*& names) {
  const status right = agree_on(*comm_, [&] { return check_open(false).in_file_once(file_); });
  if (!right.ok()) return right;
  if (!names_) {
    std::vector<std::string> found;
    const status listed = run_to_end([&] { return reader_->names(found); });
    if (!listed.ok()) return listed;
    names_ = std::move(found);
  }
  names = &*names_;
  return {};
}

status parallel_dataset::flush() {
  if (status s = settle_before(); !s.ok()) return s;
  const status able = agree_on(*comm_, [&] {
    status checked = check_open(true);
    if (checked.ok() && !failed_.ok()) checked = after_failure(nothing_more);
    if (checked.ok() && (format_->abilities & can_append) == 0)
      checked = cannot_append("to be flushed");
    else if (checked.ok() && settings_.by_library())
      checked = status::failure(stat_code::argument_invalid,
                                "what transfer=\"library\" writes cannot be flushed")
                    .advise("leave transfer= out, or close the dataset to have all of it");
    return std::move(checked).in_file_once(file_);
  });
  if (!able.ok()) return able;
  return keep([&] {
    if (status s = writer_->flush(); !s.ok() || !is_unnamed()) return s;
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    if (status s = target_.commit(); !s.ok()) return s;
    writer_->renamed(file_);
    has_name_ = true;  // also if the name does not come to the device
    return settings_.sync ? target_.sync_name() : status();
  });
}

status parallel_dataset::close() {
  reader_.reset();
  if (writer_ == nullptr) return {};
  const no_signal_at_limit guard;
  status refused = deliver();
  // Who has a failure of its own tells it here at the latest.
  if (keeps_ && failed_.ok()) refused.keep_first(agree_on_kept());
  errno = 0;  // see disk_error_in_errno()
  status result;
  if (is_over()) {
    result = after_failure("");
  } else {
    result = run_to_end([&] { return failed_.ok() ? writer_->finish() : failed_; });
  }
  {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    writer_.reset();
  }
  if (!result.ok())
    return failed_.ok() ? result : after_failure(is_unnamed() ? nothing_kept : flushed_kept);
  if (is_unnamed()) {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    result = target_.commit();
    if (result.ok() && settings_.sync) result = target_.sync_name();
  }
  if (!result.ok() || refused.ok()) return result;
  return same_number(refused, [&] {
    return status::passed_on(refused.code(), std::string(but_one) + refused.message());
  });
}

status parallel_dataset::abandon() {
  if (is_over() || !kept_.has_calls() || mpi_has_ended()) return {};
  // Those who go on hear of it when they deliver the same arrays.
  const status told = agree_on(*comm_, [&] {
    if (!untold_.ok()) return same_number(untold_, [&] { return untold_; });
    return status::failure(stat_code::handle_closed, "the dataset was abandoned").in_file(file_);
  });
  failed_.keep_first(same_number(told, [&] { return told; }));
  return {};
}

void parallel_dataset::fill(hr_parallel_report& report) const {
  const auto put = [](char* to, std::size_t capacity, const std::string& text) {
    text.copy(to, capacity - 1);
    to[std::min(text.size(), capacity - 1)] = '\0';
  };
  report = {};
  put(report.format, sizeof report.format, format_->name);
  put(report.pattern, sizeof report.pattern, name_of(settings_.pattern));
  put(report.transfer, sizeof report.transfer, settings_.by_library() ? "library" : "headrace");
  report.writers = notes_.writers;
  report.redistributed = notes_.redistributed ? 1 : 0;
  put(report.hints_in_force, sizeof report.hints_in_force, text_of(notes_.hints.in_force));
  put(report.hints_ignored, sizeof report.hints_ignored, text_of(notes_.hints.ignored));
  notes_.line.fill(report);
}

}  // namespace headrace
