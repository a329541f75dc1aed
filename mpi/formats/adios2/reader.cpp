#include "reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "../../../src/core/name_text.hpp"
#include "../../disk/library_files.hpp"
#include "../../move/plans.hpp"
#include "../../move/slabs.hpp"
#include "attributes.hpp"
#include "spans.hpp"
#include "store.hpp"

namespace headrace {
namespace {

constexpr std::int64_t serial_piece_bytes = std::int64_t{8} << 20;
// What ADIOS2 may buffer while it reads.
constexpr std::int64_t most_buffered_bytes = std::int64_t{16} << 20;

// BP5 leaves a profile of every reading process in /tmp, whatever its parameters say.
void remove_profile(const std::string& file) noexcept {
  std::array<char, PATH_MAX> profile{};
  const std::size_t slash = file.rfind('/');
  const char* const name = file.c_str() + (slash == std::string::npos ? 0 : slash + 1);
  std::snprintf(profile.data(), profile.size(), "/tmp/%s_%x_profiling.json", name,
                static_cast<unsigned>(::getpid()));
  if (*name != '\0') ::unlink(profile.data());
}

// In destructors.
void end_adios2(adios2_adios*& adios, adios2_engine*& engine, const std::string& file) noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0 || adios == nullptr) return;
  const status ignored = adios2_try("", "", [&] {
    if (engine != nullptr) adios2_close(engine);
    adios2_finalize(adios);
    return true;
  });
  static_cast<void>(ignored);
  remove_profile(file);
  adios = nullptr;
  engine = nullptr;
}

// ADIOS2 gives names in memory of its own to free.
std::vector<std::string> names_of(adios2_io* io) {
  std::size_t count = 0;
  std::vector<std::string> names;
  char** const found = adios2_available_variables(io, &count);
  for (std::size_t i = 0; i < count; ++i) {
    names.emplace_back(found[i]);
    std::free(found[i]);
  }
  std::free(found);
  return names;
}

}  // namespace

adios2_reader::~adios2_reader() {
  if (!broken_) end_adios2(adios_, engine_, file_);
}

status adios2_reader::start(MPI_Comm comm) {
  return call("cannot open the store", [&] {
    adios_ = adios2_init_mpi(comm);
    if (adios_ != nullptr) io_ = adios2_declare_io(adios_, "headrace");
    if (io_ != nullptr) engine_ = adios2_open(io_, file_.c_str(), adios2_mode_readRandomAccess);
    return engine_ != nullptr;
  });
}

// A damaged store makes MPI rank 0 fail while the others wait for it, so it looks alone first.
status adios2_reader::try_alone() const {
  status opened;
  if (comm_->rank() == 0)
    opened = caught([&] {
      if (status s = check_bp5_store(file_); !s.ok()) return s;
      adios2_reader alone(file_, comm_, settings_, notes_);
      const status started = alone.start(MPI_COMM_SELF);
      if (started.ok() || started.code() == ENOMEM) return started;
      return status::failure(stat_code::header_damaged,
                             "this is no whole ADIOS2 store: " + started.message());
    });
  return status_of_root(*comm_, opened);
}

status adios2_reader::open() {
  if (status s = check_readable(*comm_, file_); !s.ok()) return s;
  if (status s = try_alone(); !s.ok()) return s;
  notes_.writers = serial() ? 1 : comm_->size();
  status done = agree_on(*comm_, [&] {
    for (const auto& [name, value] : settings_.hints) notes_.hints.ignored[name] = value;
    return status();
  });
  if (!done.ok()) return done;
  if (takes_part()) done = start(serial() ? MPI_COMM_SELF : comm_->handle());
  return agree(*comm_, done);
}

status adios2_reader::names(std::vector<std::string>& found) {
  const auto list = [&](root_message& all) {
    for (const std::string& name : names_of(io_))
      if (name != adios2_step_variable) all.text += name + '\0';
    return status();
  };
  return from_root(*comm_, list, [&](const root_message& all) { found = split_texts(all.text); });
}

status adios2_reader::missing(const std::string& name) {
  std::vector<std::string> there;
  if (status s = names(there); !s.ok()) return s;
  return status::failure(stat_code::array_missing, "there is no array " + shown(name))
      .in_file(file_)
      .advise("the store has " + (there.empty() ? "none" : names_text(there)));
}

status adios2_reader::find(const std::string& name, known_array*& found) {
  const auto known = arrays_.find(name);
  if (known != arrays_.end()) {
    found = &known->second;
    return {};
  }
  known_array array;
  const status done =
      agree_on(*comm_, [&] { return takes_part() ? learn(name, array) : status(); });
  if (done.code() == static_cast<int>(stat_code::array_missing)) return missing(name);
  if (!done.ok()) return done;
  if (serial()) {
    const auto make = [&](root_message& all) {
      all = pack(array);
      return status();
    };
    const auto take = [&](const root_message& all) { unpack(all, array); };
    if (status s = from_root(*comm_, make, take); !s.ok()) return s;
  }
  const status kept = agree_on(*comm_, [&] {
    found = &arrays_.emplace(name, std::move(array)).first->second;
    return status();
  });
  if (!kept.ok()) arrays_.erase(name);  // on all, also where only another one lacked memory
  return kept;
}

status adios2_reader::learn(const std::string& name, known_array& array) {
  adios2_variable* variable = nullptr;
  if (status s = call("cannot look for " + shown(name),
                      [&] {
                        variable = adios2_inquire_variable(io_, name.c_str());
                        return true;
                      });
      !s.ok())
    return s;
  if (variable == nullptr) return status::failure(stat_code::array_missing, "");
  if (status s = learn_shape(variable, name, array); !s.ok()) return s;
  learn_steps(variable, name, array);
  return {};
}

status adios2_reader::learn_shape(adios2_variable* variable, const std::string& name,
                                  known_array& array) {
  adios2_shapeid kind = adios2_shapeid_unknown;
  std::size_t rank = 0;
  std::vector<std::size_t> shape;
  if (status s = call("cannot read the shape of " + shown(name),
                      [&] {
                        if (adios2_variable_type(&array.form.type, variable) != 0 ||
                            adios2_variable_shapeid(&kind, variable) != 0 ||
                            adios2_variable_ndims(&rank, variable) != 0)
                          return false;
                        shape.resize(rank);
                        return rank == 0 || adios2_variable_shape(shape.data(), variable) == 0;
                      });
      !s.ok())
    return s;
  const std::vector<std::string> mark =
      adios2_get_texts(io_, adios2_attribute_name(name, adios2_mark_name));
  if (!mark.empty()) array.form.mark = mark[0];
  std::vector<std::string> dimensions =
      adios2_get_texts(io_, adios2_attribute_name(name, adios2_dimensions_name));
  dimensions.resize(shape.size());
  if (array.form.mark == "character" && !shape.empty()) {
    array.form.text_length = shape.back();
    shape.pop_back();
    dimensions.pop_back();
  }
  array_info& info = array.array.info;
  const bool fits = shape.size() <= max_parallel_rank &&
                    (kind == adios2_shapeid_global_array || kind == adios2_shapeid_global_value);
  if (!fits || !adios2_kind_of(array.form, info))
    return status::failure(
               stat_code::kind_unsupported,
               fits ? "variable " + shown(name) + " has a type that Fortran has not"
                    : "variable " + shown(name) + " is no global array of array rank 0 to 7")
        .in_file(file_);
  info.array_rank = static_cast<int>(shape.size());
  info.bytes = info.elem_len;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    info.extent[d] = static_cast<std::ptrdiff_t>(shape[shape.size() - 1 - d]);
    info.bytes *= shape[d];
    const std::string& given = dimensions[shape.size() - 1 - d];
    array.array.dimensions.push_back(given.empty() ? "d" + std::to_string(d + 1) : given);
  }
  return {};
}

// Ours have their numbers in an attribute; those of others count from 1.
void adios2_reader::learn_steps(adios2_variable* variable, const std::string& name,
                                known_array& array) {
  std::size_t count = 0;
  if (adios2_variable_steps(&count, variable) != adios2_error_none) count = 0;
  std::vector<std::int64_t>& steps = array.array.steps;
  steps = adios2_get_numbers(io_, adios2_attribute_name(name, adios2_steps_name));
  array.array.has_steps = !steps.empty() || count > 1;
  if (steps.size() == count || !array.array.has_steps) return;
  steps.resize(count);
  std::iota(steps.begin(), steps.end(), 1);
}

root_message adios2_reader::pack(const known_array& array) {
  const stored_array& stored = array.array;
  const array_info& info = stored.info;
  root_message all;
  all.numbers = {array.form.type, static_cast<std::int64_t>(array.form.text_length),
                 info.array_rank, stored.has_steps ? 1 : 0};
  all.numbers.insert(all.numbers.end(), info.extent.begin(), info.extent.begin() + info.array_rank);
  all.numbers.insert(all.numbers.end(), stored.steps.begin(), stored.steps.end());
  all.text = array.form.mark + '\0' + joined_texts(stored.dimensions);
  return all;
}

void adios2_reader::unpack(const root_message& all, known_array& array) {
  stored_array& stored = array.array;
  array_info& info = stored.info;
  auto next = all.numbers.begin();
  array.form.type = static_cast<adios2_type>(*next++);
  array.form.text_length = static_cast<std::size_t>(*next++);
  stored.dimensions = split_texts(all.text);
  array.form.mark = stored.dimensions.front();
  stored.dimensions.erase(stored.dimensions.begin());
  static_cast<void>(adios2_kind_of(array.form, info));
  info.array_rank = static_cast<int>(*next++);
  stored.has_steps = *next++ != 0;
  info.bytes = info.elem_len;
  for (int d = 0; d < info.array_rank; ++d) {
    info.extent[static_cast<std::size_t>(d)] = static_cast<std::ptrdiff_t>(*next);
    info.bytes *= static_cast<std::uint64_t>(*next++);
  }
  stored.steps.assign(next, all.numbers.end());
}

status adios2_reader::describe(const std::string& name, stored_array& found) {
  known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  found = array->array;
  return {};
}

// Elements follow one another in data.
status adios2_reader::get(const selection& from, const box& part, char* data) {
  const std::int64_t most = most_buffered_bytes / std::max<std::int64_t>(1, from.element_bytes);
  for (const box& one : adios2_parts_for_reading(part, from.written, most)) {
    if (status s = get_part(from, one, data); !s.ok()) return s;
    data += volume(one) * from.element_bytes;
  }
  return {};
}

status adios2_reader::get_part(const selection& from, const box& part, char* data) {
  const adios2_section section = adios2_section_of(part, from.form);
  return call("cannot read", [&] {
    const bool selected =
        section.start.empty() ||
        adios2_set_selection(from.variable, section.start.size(), section.start.data(),
                             section.count.data()) == adios2_error_none;
    return selected &&
           (from.step_index < 0 ||
            adios2_set_step_selection(from.variable, static_cast<std::size_t>(from.step_index),
                                      1) == adios2_error_none) &&
           adios2_get(engine_, from.variable, data, adios2_mode_sync) == adios2_error_none;
  });
}

status adios2_reader::read(const std::string& name, std::int64_t step_index,
                           const array_view& local, const array_layout& layout) {
  known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  const element_form form = form_of(local);
  selection from{nullptr, array->form, step_index, static_cast<std::int64_t>(form.file_bytes), {}};
  const status found = agree_on(*comm_, [&] {
    if (!takes_part()) return status();
    from.variable = adios2_inquire_variable(io_, name.c_str());
    from.written =
        adios2_written_blocks(engine_, from.variable, step_index, layout.global(), array->form);
    return status();
  });
  if (!found.ok()) return found;
  if (!serial()) {
    const auto get_part = [&](const box& part, char* data) {
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      return data == nullptr ? status() : get(from, part, data);
    };
    const status result = read_slabs(layout, local, form, get_part);
    // To close it would read again, and the others would wait for who cannot.
    if (!result.ok()) broken_ = true;
    return result;
  }
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_file(layout, from.element_bytes, serial_piece_bytes, 1, plan); !s.ok())
    return s;
  return exchange_in(layout, local, form, *plan, notes_.line,
                     [&](const piece& part, char* data, std::size_t) {
                       status done;
                       for (const box& one : boxes_of_range(part.of, part.first, part.last)) {
                         done.keep_first(get(from, one, data));
                         data += volume(one) * from.element_bytes;
                       }
                       return done;
                     });
}

status adios2_reader::read_attribute(const std::string& array, const std::string& name,
                                     const array_view& value) {
  const status done = agree_on(*comm_, [&] {
    if (!takes_part()) return status();
    return adios2_get_attribute(io_, file_, adios2_attribute_name(array, name), value);
  });
  if (!done.ok() || !serial()) return done;
  const auto bytes = static_cast<int>(byte_count(value).value_or(0));
  copy_from(*comm_, 0, value.base, bytes, MPI_BYTE);
  return {};
}

}  // namespace headrace
