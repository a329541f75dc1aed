#include "writer.hpp"

#include <algorithm>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/catalogue.hpp"
#include "../../disk/library_files.hpp"
#include "attributes.hpp"
#include "files.hpp"

namespace headrace {
namespace {

// What an index has at least room for, and generous bounds of what it holds: of a block with up to
// 8 dimensions, of an array or attribute beside its texts, of a write by each writer.
constexpr std::int64_t least_index_bytes = std::int64_t{64} << 10;
constexpr std::int64_t block_index_bytes = 1024;
constexpr std::int64_t name_index_bytes = 2048;
constexpr std::int64_t flush_index_bytes = 16;

// For a destructor, which goes on without the memory that was missing.
template <class Part>
void without_exceptions(Part part) noexcept {
  try {
    part();
  } catch (const std::bad_alloc&) {
    return;
  }
}

}  // namespace

adios2_writer::~adios2_writer() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (adios_ == nullptr) return;
  if (engine_ != nullptr && !broken_ && finalized == 0) {
    without_exceptions([&] { adios2_drop_files(path_); });
    broken_ = true;  // BP5's profile is a new file, which may fail
    without_exceptions([&] {
      broken_ = !call("", [&] { return adios2_close(engine_) == adios2_error_none; }).ok();
    });
  }
  // After a failure closing waits for MPI ranks that do not come, and ADIOS2's destructors end the
  // program: what it holds is left to the end of the process.
  if (broken_) without_exceptions([&] { adios2_close_files(path_); });
  if (finalized != 0 || broken_) return;
  without_exceptions([&] {
    const status ignored = call("", [&] { return adios2_finalize(adios_) == adios2_error_none; });
    static_cast<void>(ignored);
  });
}

status adios2_writer::start() {
  MPI_Comm members = serial() ? MPI_COMM_SELF : comm_->handle();
  if (gathers())
    MPI_Comm_split(comm_->handle(), takes_part() ? 0 : MPI_UNDEFINED, comm_->rank(), &members);
  status done;
  if (takes_part())
    done = call("cannot start ADIOS2", [&] {
      adios_ = adios2_init_mpi(members);  // duplicates it
      if (adios_ != nullptr) io_ = adios2_declare_io(adios_, "headrace");
      return io_ != nullptr;
    });
  if (gathers() && takes_part()) MPI_Comm_free(&members);
  if (done.ok())
    done = adios2_configure(io_, file_, kind_, writers(), settings_.hints, notes_.hints);
  if (done.ok() && takes_part())
    done = adios2_create_files(file_, kind_,
                               gathers() ? comm_->node_of(comm_->rank()) : comm_->rank());
  return done;
}

status adios2_writer::open() {
  if (status s = adios2_engine_of(settings_.hints, kind_); !s.ok()) return s;
  if (status s = check_writable_directory(*comm_, file_); !s.ok()) return s;
  const auto find_path = [&] { return path_ = adios2_path_of(file_), status(); };
  if (status s = agree_on(*comm_, find_path); !s.ok()) return s;
  if (status s = agree_on(*comm_, [&] { return start(); }); !s.ok()) return s;
  broken_ = true;
  status done;
  if (takes_part())
    done = call("cannot create the store", [&] {
      engine_ = adios2_open(io_, file_.c_str(), adios2_mode_write);
      return engine_ != nullptr;
    });
  if (!done.ok() && !settings_.hints.empty())  // ADIOS2 names neither the parameter nor its value
    done = std::move(done).advise("check the values of hints=\"" + text_of(settings_.hints) +
                                  "\", which are ADIOS2's parameters");
  notes_.writers = writers();
  const status opened = agree(*comm_, done);
  broken_ = !opened.ok();
  return opened;
}

status adios2_writer::write(const array_place& place, const array_view& local,
                            const array_layout& layout) {
  written_array* array = nullptr;
  {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    if (status s = declare(place, local, layout, array); !s.ok()) return s;
    const std::int64_t bytes =
        volume(layout.global()) * static_cast<std::int64_t>(form_of(local).file_bytes);
    if (status s = check_room(*comm_, file_, bytes); !s.ok()) return s;
    const status kept = agree_on(*comm_, [&] {
      array->steps.reserve(array->steps.size() + 1);
      return status();
    });
    if (!kept.ok()) return kept;
    if (place.step) array->steps.push_back(*place.step);
    broken_ = true;
    if (status s = begin_step(place.step); !s.ok()) return s;
  }
  const status moved = transfer(*array, local, layout);
  broken_ = !moved.ok();
  return moved;
}

status adios2_writer::declare(const array_place& place, const array_view& local,
                              const array_layout& layout, written_array*& array) {
  written_array made;
  if (status s = adios2_form_of(local, made.form); !s.ok()) return std::move(s).in_file(file_);
  made.whole = layout.global();
  made.dimensions = place.dimensions;
  made.has_steps = place.step.has_value();
  if (status s = check_step_name(place); !s.ok()) return s;
  const auto known = arrays_.find(place.name);
  if (known == arrays_.end()) {
    if (is_empty(made.whole))
      return status::failure(
                 stat_code::argument_invalid,
                 "ADIOS2 keeps no array without elements, and " + shown(place.name) + " has none")
          .in_file(file_);
    if (status s = agree_on(*comm_, [&] { return define(place.name, made, layout); }); !s.ok())
      return s;
    return agree_on(*comm_, [&] {
      array = &arrays_.emplace(place.name, made).first->second;
      return status();
    });
  }
  array = &known->second;
  const adios2_form& form = array->form;
  next_step next{place.name, array->has_steps, place.step, false, true, array->whole, made.whole};
  next.step_is_there =
      place.step && std::count(array->steps.begin(), array->steps.end(), *place.step) > 0;
  next.same_kind = form.type == made.form.type && form.mark == made.form.mark &&
                   form.text_length == made.form.text_length;
  return check_next_step(next).in_file_once(file_);
}

// The numbers of steps are a variable too.
status adios2_writer::check_step_name(const array_place& place) const {
  const bool has_name = place.name == adios2_step_variable;
  const bool has_steps = place.step.has_value() ||
                         std::any_of(arrays_.begin(), arrays_.end(),
                                     [](const auto& known) { return known.second.has_steps; });
  if (!has_steps || (!has_name && arrays_.count(adios2_step_variable) == 0)) return {};
  return status::failure(stat_code::argument_invalid,
                         "array \"step\" has the name of the numbers of steps")
      .in_file(file_)
      .advise("give it another name, or write no arrays with steps beside it");
}

status adios2_writer::define(const std::string& name, written_array& array,
                             const array_layout& layout) {
  if (!takes_part()) return {};
  const adios2_section shape = adios2_section_of(array.whole, array.form);
  const adios2_section own = adios2_section_of(layout.own(), array.form);
  return call("cannot add the variable " + shown(name), [&] {
    array.variable = adios2_define_variable(io_, name.c_str(), array.form.type, shape.count.size(),
                                            shape.count.data(), own.start.data(), own.count.data(),
                                            adios2_constant_dims_false);
    return array.variable != nullptr;
  });
}

// What is written without a step goes with what is being written.
status adios2_writer::begin_step(const std::optional<std::int64_t>& step) {
  if (in_step_ && step && step_ && *step != *step_)
    if (status s = end_step(); !s.ok()) return s;
  status done;
  if (!in_step_ && takes_part())
    done = call("cannot begin a step", [&] {
      adios2_step_status state = adios2_step_status_other_error;
      return adios2_begin_step(engine_, adios2_step_mode_append, -1, &state) == adios2_error_none &&
             state == adios2_step_status_ok;
    });
  in_step_ = true;
  if (step && step_ != step) {
    step_ = step;
    if (done.ok() && takes_part()) done = put_step_number(*step);
  }
  return agree(*comm_, done);
}

status adios2_writer::put_step_number(std::int64_t step) {
  status done;
  if (step_variable_ == nullptr)
    done = call("cannot add the variable step", [&] {
      step_variable_ = adios2_define_variable(io_, adios2_step_variable, adios2_type_int64_t, 0,
                                              nullptr, nullptr, nullptr, adios2_constant_dims_true);
      return step_variable_ != nullptr;
    });
  if (!done.ok() || comm_->rank() != 0) return done;
  return call("cannot write the number of the step", [&] {
    return adios2_put(engine_, step_variable_, &step, adios2_mode_sync) == adios2_error_none;
  });
}

// MPI rank 0 writes the index while others are still sending theirs, so it must have room.
status adios2_writer::reserve_index() {
  std::int64_t bytes = blocks_ * block_index_bytes + flushes_ * flush_index_bytes;
  for (const auto& [name, array] : arrays_)
    bytes += static_cast<std::int64_t>(name.size() + 8 * array.steps.size()) + name_index_bytes;
  for (const auto& [name, kept] : attributes_)
    bytes += static_cast<std::int64_t>(name.size() + kept.bytes.size()) + name_index_bytes;
  if (!takes_part()) bytes = 0;
  reduce(*comm_, MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM);
  if (status s = check_room(*comm_, file_ + "/md.0", bytes); !s.ok()) return s;
  status done;
  if (comm_->rank() == 0) done = adios2_reserve_index(file_, bytes + least_index_bytes);
  return agree(*comm_, done);
}

// Held blocks go out first: only then the index says how long the data files are.
status adios2_writer::end_step() {
  in_step_ = false;
  step_.reset();
  status done;
  if (held_ > 0 && takes_part()) done = write_out();
  held_ = 0;
  if (status s = agree(*comm_, done); !s.ok()) return s;
  if (status s = reserve_index(); !s.ok()) return s;
  blocks_ = 0;
  flushes_ = 0;
  if (takes_part()) done = end_step_here();
  return agree(*comm_, done);
}

// BP4 writes the last data here, each MPI rank alone, then all send their index to the first one,
// which writes it. One that fails before it sent its own leaves the others waiting.
status adios2_writer::end_step_here() {
  std::string words;
  const auto end = [&] { return adios2_end_step(engine_) == adios2_error_none; };
  const status done =
      caught([&] { return adios2_try("cannot write the step", file_, end, words); });
  if (done.ok() || !is_bp4() || serial()) return done;
  if (words.find(file_ + "/md.") != std::string::npos) return done;
  adios2_drop_files(path_);
  const status joined = call("", [&] { return adios2_flush(engine_) == adios2_error_none; });
  static_cast<void>(joined);
  return done;
}

status adios2_writer::write_attribute(const std::string& array, const std::string& name,
                                      const array_view& value) {
  if (!array.empty() && arrays_.count(array) == 0)
    return status::failure(stat_code::array_missing, "there is no array " + shown(array))
        .in_file(file_)
        .advise("write the array before its attributes");
  adios2_form form;
  if (value.type != type_class::character)
    if (status s = adios2_form_of(value, form); !s.ok()) return std::move(s).in_file(file_);
  return agree_on(*comm_, [&] {
    kept_attribute& kept = attributes_[adios2_attribute_name(array, name)];
    kept.bytes.assign(value.base, value.base + byte_count(value).value_or(0));
    kept.bytes.push_back('\0');
    kept.value = value;
    kept.value.base = kept.bytes.data();
    return status();
  });
}

status adios2_writer::put_attributes() {
  status done;
  for (const auto& [name, kept] : attributes_)
    done.keep_first(adios2_put_attribute(io_, file_, name, kept.value));
  return done;
}

// Names of dimensions, marks and steps, for headrace and for people with bpls -a.
status adios2_writer::put_descriptions() {
  status done;
  for (const auto& [name, array] : arrays_) {
    std::vector<std::string> dimensions(array.dimensions.rbegin(), array.dimensions.rend());
    if (array.form.text_length > 0)
      dimensions.push_back("string" + std::to_string(array.form.text_length));
    const auto named = [&, &owner = name](const char* attribute) {
      return adios2_attribute_name(owner, attribute);
    };
    done.keep_first(adios2_put_texts(io_, file_, named(adios2_dimensions_name), dimensions));
    if (!array.form.mark.empty())
      done.keep_first(adios2_put_texts(io_, file_, named(adios2_mark_name), {array.form.mark}));
    if (array.has_steps)
      done.keep_first(adios2_put_numbers(io_, file_, named(adios2_steps_name), array.steps));
  }
  return done;
}

status adios2_writer::close_here() {
  if (!in_step_)
    if (status s = begin_step({}); !s.ok()) return s;
  status done = agree_on(*comm_, [&] {
    if (!takes_part()) return status();
    status put = put_attributes();
    put.keep_first(put_descriptions());
    return put;
  });
  if (!done.ok()) return done;
  if (status s = end_step(); !s.ok()) return s;
  if (status s = check_room(*comm_, file_ + "/md.0", 0); !s.ok()) return s;
  if (takes_part())
    done = call("cannot close the store", [&] {
      adios2_engine* const engine = std::exchange(engine_, nullptr);
      return adios2_close(engine) == adios2_error_none;
    });
  if (comm_->rank() == 0) adios2_release_index(file_);
  return agree(*comm_, done);
}

status adios2_writer::finish() {
  {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    broken_ = true;
    const status closed = close_here();
    broken_ = !closed.ok();
    if (broken_) return closed;
  }
  if (!settings_.sync) return {};
  const auto during = notes_.line.during(HR_PHASE_SYNC);
  return sync_directory_on_all_nodes(*comm_, file_);
}

}  // namespace headrace
