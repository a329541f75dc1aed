// The definitions of a NetCDF file that is written, whichever library makes the calls: names,
// dimensions, steps, attributes. For own transfer MPI rank 0 has one; for transfer="library" all
// that have the file open.
//
// Arrays share the dimension "step" and its numbers. NetCDF-4 allows more than one unlimited
// dimension: there an array that begins with another number than "step" does gets one of its own,
// "<array>_step"; so does the first one if "step" is an array. An array that leaves out steps of
// its dimension has records there that nobody wrote: they are filled at the end.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../disk/library_files.hpp"
#include "contents.hpp"

namespace headrace::netcdf {
namespace {

std::string length_text(std::int64_t length) {
  return length == 0 ? "no fixed length" : "length " + std::to_string(length);
}

// At most so many bytes of a classic header.
std::int64_t header_bytes_of(const std::string& name, std::size_t values) {
  return 64 + static_cast<std::int64_t>(name.size() + 8 * values);
}

class definitions final : public file_description {
 public:
  // classic: one unlimited dimension only. own: the elements do not go through the library. comm:
  // of those that have the file open together.
  definitions(std::string path, std::shared_ptr<library_file> file, bool classic, bool own,
              communicator_ptr comm = nullptr)
      : path_(std::move(path)),
        file_(std::move(file)),
        classic_(classic),
        own_(own),
        comm_(std::move(comm)) {}
  // A library that cannot write cannot close either: an emptied file gives a full disk room for
  // what it still writes.
  ~definitions() override {
    if (!own_ && !is_closed_ && puts() && ::truncate(path_.c_str(), 0) != 0) errno = 0;
  }

  // Takes up what is in a file that is there.
  status adopt(std::vector<described_array>& found) {
    is_published_ = true;
    contents there(path_, file_, true);
    if (status s = there.learn(); !s.ok()) return s;
    const auto& dimensions = there.dimensions();
    for (std::size_t id = 0; id < dimensions.size(); ++id)
      dimensions_[dimensions[id].name] = {dimensions[id].unlimited ? 0 : dimensions[id].length,
                                          static_cast<int>(id)};
    const auto axis_of = [&](int dimension) -> step_axis& {
      for (const auto& axis : axes_)
        if (axis->dimension == dimension) return *axis;
      axes_.push_back(std::make_unique<step_axis>());
      axes_.back()->name = dimensions[static_cast<std::size_t>(dimension)].name;
      axes_.back()->dimension = dimension;
      axes_.back()->variable = -1;  // no numbers: a foreign file
      return *axes_.back();
    };
    has_arrays_ = !there.variables().empty();
    for (std::size_t id = 0; id < there.variables().size(); ++id) {
      const file_variable& variable = there.variables()[id];
      if (there.is_numbers_of_steps(variable))
        axis_of(variable.dimensions[0]).variable = static_cast<int>(id);
      else if (there.names_its_steps(variable))
        axis_of(variable.dimensions[0]).other_type = name_of(variable.type);
    }
    std::vector<std::string> names;
    if (status s = there.names(names); !s.ok()) return s;
    for (const std::string& name : names) {
      contents::known_array* known = nullptr;
      status understood = there.prepare(name, known);
      if (understood.ok()) understood = there.load(*known);
      if (understood.code() == static_cast<int>(stat_code::kind_unsupported)) continue;
      if (!understood.ok()) return understood;
      defined_array& array = arrays_[name];
      array.id = known->id;
      array.form = known->form;
      static_cast<described_array&>(array) = known->array;
      found.push_back(known->array);
      if (!known->array.has_steps) continue;
      array.axis =
          &axis_of(there.variables()[static_cast<std::size_t>(known->id)].dimensions.front());
      array.axis->numbers = step_list(known->numbers);
      array.axis->written = known->numbers.size();
      array.records = {known->records.begin(), known->records.end()};
      array.is_marked = array.records.size() != known->numbers.size();
      array.filled = gaps_of(array);
    }
    return classic_ ? status() : file_->define();  // it is refused now, or never
  }

  status place(const catalogue_entry& entry, stored_place& found) override {
    status done = entry.is_new ? run({&definitions::begin_define}) : status();
    if (done.ok()) done = agreed([&] { return declare(entry); });
    if (done.ok()) done = run({&definitions::end_define});
    if (!done.ok() || !own_) return done;
    return file_->place(target_.variable, target_.record, target_.form, volume(entry.array->global),
                        found);
  }

  // PnetCDF moves what lies behind a header that grows.
  bool keeps_places() const noexcept override { return !classic_; }
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override {
    int id = of_file;
    if (!array.empty()) {
      const auto known = arrays_.find(array);
      if (known == arrays_.end()) return no_array_to_describe(array);
      id = known->second.id;
    }
    if (status s = run({&definitions::begin_define}); !s.ok()) return s;
    const auto bytes = static_cast<std::size_t>(byte_count(value).value_or(0));
    status done = define(header_bytes_of(name, bytes / 8 + 1), "attribute " + shown(name));
    if (done.ok()) done = put_attribute(*file_, id, name, value);
    return done;
  }

  status flush() override {
    if (status s = write_all(); !s.ok()) return s;
    is_published_ = true;
    return file_->flush();
  }

  void renamed(const std::string& file) override {
    path_ = file;
    file_->renamed(file);
  }

  status finish() override {
    if (status s = write_all(); !s.ok()) return s;
    end_ = end_of_arrays();
    if (status s = run({&definitions::close}); !s.ok()) return s;
    is_closed_ = true;
    return {};
  }

  status begin_put(const catalogue_entry& entry, bool collective) override {
    if (comm_ == nullptr) return {};
    const bool extends = !collective && target_.record >= 0;
    std::vector<char> nothing;
    const status ready = agreed([&] {
      nothing = fill_values(target_.form.type, target_.form.parts);
      return status();
    });
    if (!ready.ok()) return ready;
    box first = entry.array->global;
    first.count.fill(1);
    status chosen;
    if (extends)
      chosen =
          file_->extend(target_.variable, section_of(first, target_.form, target_.record, !puts()),
                        nothing.data());
    chosen.keep_first(file_->use(target_.variable, collective));
    return chosen;
  }

  status put(const box& part, char* data) override {
    return file_->move(direction::out, target_.variable,
                       section_of(part, target_.form, target_.record, data == nullptr), data);
  }

  status check_file() const override {
    // Our own calls have counted their bytes.
    const bool is_seen = own_ && is_local_file_system(path_);
    return check_written(path_, std::max(end_, stored_), is_seen ? 0 : stored_);
  }

  void fail() noexcept override { file_->forget(); }

 private:
  struct target {
    int variable = 0;
    value_form form;
    std::int64_t record = -1;  // -1: no steps
  };
  struct step_axis {
    std::string name;
    int dimension = 0;
    int variable = 0;
    step_list numbers;
    std::vector<std::int64_t> unwritten;  // of them; libraries swap bytes in place
    std::size_t written = 0;
    std::string other_type;  // of numbers in a file of others; empty: none or ours

    void collect_unwritten() {
      unwritten.assign(numbers.numbers().begin() + static_cast<std::ptrdiff_t>(written),
                       numbers.numbers().end());
    }
  };
  struct defined_array : described_array {
    int id = 0;
    value_form form;
    step_axis* axis = nullptr;
    std::set<std::int64_t> records;
    std::set<std::int64_t> filled;  // that it does not have
    bool is_marked = false;

    bool has_all() const noexcept {
      return axis == nullptr || static_cast<std::int64_t>(records.size()) == axis->numbers.count();
    }
  };
  struct known_dimension {
    std::int64_t length = 0;
    int id = 0;
  };

  template <class Part>
  status agreed(Part part) const {
    return headrace::agreed(comm_.get(), [&] { return part().in_file_once(path_); });
  }
  // Of MPI ranks that call together, the one with values of its own.
  bool puts() const noexcept { return comm_ == nullptr || comm_->rank() == 0; }
  // The parts of place() and finish(). Only those marked as collective wait for other MPI ranks,
  // and they need no memory.
  using part = status (definitions::*)();
  status run(std::initializer_list<part> parts) {
    for (const part next : parts)
      if (status s = agreed([&] { return (this->*next)(); }); !s.ok()) return s;
    return {};
  }

  status begin_define() { return own_ ? status() : file_->define(); }  // collective
  // PnetCDF moves the records that it knows of if the new definition needs their place.
  status define(std::int64_t more, const std::string& what) {
    if (classic_ && own_) {
      if (is_published_ && has_arrays_) {  // without them nothing lies behind the header
        if (header_room_ == 0) header_room_ = file_->header_room();
        if (more >= header_room_) return refuse_moving(what);
        header_room_ -= more;
      } else if (!axes_.empty() && static_cast<std::int64_t>(axes_.front()->written) <
                                       axes_.front()->numbers.count()) {
        axes_.front()->collect_unwritten();
        if (status s = write_numbers(); !s.ok()) return s;
      }
    }
    return file_->define();
  }

  status refuse_moving(const std::string& what) const {
    return status::failure(stat_code::argument_invalid,
                           what + " would move what is in the file, which others may read by now")
        .advise(
            "define all arrays and attributes before the first flush; the hint h_minfree=BYTES of "
            "a "
            "new file leaves more room for attributes");
  }

  status declare(const catalogue_entry& entry) {
    const described_array& given = *entry.array;
    const std::string& name = given.name;
    if (entry.is_new) {
      defined_array made;
      if (status s = define_array(given, made); !s.ok()) return s;
      arrays_.emplace(name, std::move(made));
    }
    defined_array& array = arrays_.at(name);
    target_ = {array.id, array.form, -1};
    if (!given.has_steps) return {};
    if (array.axis->variable < 0) return no_numbers(name, *array.axis);
    step_list& numbers = array.axis->numbers;
    const std::int64_t known = numbers.place_of(entry.step_number());
    target_.record = known >= 0 ? known : numbers.count();
    if (known < 0) numbers.add(entry.step_number());
    array.records.insert(target_.record);
    array.filled.erase(target_.record);
    return {};
  }

  status no_numbers(const std::string& array, const step_axis& axis) const {
    if (axis.other_type.empty())
      return status::failure(stat_code::argument_invalid,
                             "the steps of array " + shown(array) + " have no numbers in the file")
          .advise("write the steps to a new file");
    return status::failure(stat_code::kind_unsupported,
                           "the steps of array " + shown(array) + " are numbered by the variable " +
                               shown(axis.name) + ", which has another type than headrace's")
        .expected(name_of(value_type::int64), axis.other_type)
        .advise("write the steps to a new file");
  }

  status define_array(const described_array& given, defined_array& array) {
    const std::string& name = given.name;
    status possible = form_of_kind(given.type, given.elem_len, array.form);
    if (!possible.ok()) return std::move(possible).in_file_once(path_ + ":" + name);
    static_cast<described_array&>(array) = given;
    for (const auto& axis : axes_)
      if (axis->name == name)
        return name_is_taken("array " + shown(name), "that of the numbers of steps",
                             "give it another name, or write it before all arrays with steps");
    if (status s = check_dimensions(given, array.form); !s.ok()) return s;
    const bool has_records = !axes_.empty() && axes_.front()->numbers.count() > 0;
    if (classic_ && is_published_ && has_records) return refuse_moving("array " + shown(name));
    if (status s = define(header_bytes_of(name, 32), "array " + shown(name)); !s.ok()) return s;
    has_arrays_ = true;
    file_variable variable{name, array.form.type, false, {}};
    std::vector<std::int64_t> lengths;
    if (given.has_steps) {
      if (status s = find_axis(name, given.steps[0], array.axis); !s.ok()) return s;
      variable.dimensions.push_back(array.axis->dimension);
      lengths.push_back(0);
    }
    const auto add = [&](const std::string& dimension, std::int64_t length) {
      int id = 0;
      status added = dimension_id(name, dimension, length, id);
      variable.dimensions.push_back(id);
      lengths.push_back(length);
      return added;
    };
    for (std::size_t d = given.dimensions.size(); d-- > 0;)
      if (status s = add(given.dimensions[d], given.global.count[d]); !s.ok()) return s;
    if (!array.form.part_dimension.empty())
      if (status s = add(array.form.part_dimension, array.form.parts); !s.ok()) return s;
    status done = file_->add_variable(variable, lengths, array.id);
    if (done.ok() && !array.form.mark.empty())
      done = file_->put_attribute(array.id, mark_name, value_type::text,
                                  static_cast<std::int64_t>(array.form.mark.size()),
                                  array.form.mark.data());
    return done;
  }

  status find_axis(const std::string& array, std::int64_t first_step, step_axis*& found) {
    for (const auto& axis : axes_)
      if (classic_ || axis->numbers.count() == 0 ||
          (axis->name == step_name && axis->numbers[0] == first_step)) {
        found = axis.get();
        return {};
      }
    const bool is_taken = array == step_name || arrays_.count(step_name) > 0;
    auto made = std::make_unique<step_axis>();
    made->name = axes_.empty() && !is_taken ? step_name : array + "_" + step_name;
    if (arrays_.count(made->name) > 0)
      return name_is_taken("the numbers of steps", "that of array " + shown(made->name),
                           "give that array another name");
    if (status s = dimension_id("", made->name, 0, made->dimension); !s.ok()) return s;
    const file_variable numbers{made->name, value_type::int64, false, {made->dimension}};
    if (status s = file_->add_variable(numbers, {0}, made->variable); !s.ok()) return s;
    axes_.push_back(std::move(made));
    found = axes_.back().get();
    return {};
  }

  // Before any of them is in the file: an array that is refused leaves nothing there.
  status check_dimensions(const described_array& given, const value_form& form) const {
    for (std::size_t d = given.dimensions.size(); d-- > 0;) {
      if (given.global.count[d] == 0)
        return status::failure(stat_code::argument_invalid,
                               "NetCDF has no dimension of length 0, and array " +
                                   shown(given.name) + " has one: " + given.dimensions[d]);
      if (status s = check_dimension(given.name, given.dimensions[d], given.global.count[d]);
          !s.ok())
        return s;
    }
    if (form.part_dimension.empty()) return {};
    return check_dimension(given.name, form.part_dimension, form.parts);
  }

  status check_dimension(const std::string& array, const std::string& name,
                         std::int64_t length) const {
    const auto known = dimensions_.find(name);
    if (known != dimensions_.end()) {
      if (known->second.length == length) return {};
      return status::failure(stat_code::shape_mismatch,
                             "dimension " + shown(name) +
                                 (array.empty() ? "" : " of array " + shown(array)) +
                                 " is in the file with another length")
          .expected(length_text(known->second.length), length_text(length))
          .advise("give it another name with dimensions=");
    }
    // Dimensions of NetCDF-4 are HDF5's datasets, as arrays are.
    if (classic_ || arrays_.count(name) == 0) return {};
    return name_is_taken("dimension " + shown(name) + " of array " + shown(array),
                         "that of an array in the file",
                         "write array " + shown(name) + " later, with dimensions=\"" + name +
                             "\" where it has the coordinates, or give the dimension another name");
  }

  status dimension_id(const std::string& array, const std::string& name, std::int64_t length,
                      int& id) {
    if (status s = check_dimension(array, name, length); !s.ok()) return s;
    const auto known = dimensions_.find(name);
    if (known != dimensions_.end()) {
      id = known->second.id;
      return {};
    }
    if (status s = file_->add_dimension(name, length, id); !s.ok()) return s;
    dimensions_[name] = {length, id};
    return {};
  }

  static status name_is_taken(const std::string& what, const std::string& name,
                              std::string advice) {
    return status::failure(stat_code::argument_invalid, what + " cannot have this name")
        .expected("another", name)
        .advise(std::move(advice));
  }

  // Collective.
  status end_define() {
    header_room_ = 0;  // asked anew
    return file_->end_define();
  }

  status write_all() {
    return run({&definitions::begin_define, &definitions::prepare_end, &definitions::end_define,
                &definitions::fill_gaps, &definitions::write_numbers});
  }

  // All memory that the MPI ranks need, and every array says which steps it has, unless it has all.
  status prepare_end() {
    stored_ = 0;
    for (auto& [name, array] : arrays_) {
      if (status s = mark_gaps(array); !s.ok()) return s;
      stored_ += array.bytes() *
                 (array.axis == nullptr ? 1 : static_cast<std::int64_t>(array.records.size()));
    }
    for (const auto& axis : axes_) axis->collect_unwritten();
    return {};
  }

  status mark_gaps(defined_array& array) {
    if (array.has_all() && !array.is_marked) return {};
    std::vector<std::int64_t> records;
    for (const std::int64_t record : array.records) records.push_back(array.axis->numbers[record]);
    status done = define(96 + 8 * static_cast<std::int64_t>(records.size()), "the list of steps");
    if (done.ok())
      done = file_->put_attribute(array.id, steps_attribute, value_type::int64,
                                  static_cast<std::int64_t>(records.size()), records.data());
    if (done.ok() && !array.is_marked && array.form.type != value_type::text)
      done = file_->put_attribute(array.id, "missing_value", array.form.type, 1,
                                  fill_values(array.form.type, 1).data());
    array.is_marked = true;
    return done;
  }

  // Records that somebody must write. Behind the last one of an array NetCDF-4 has the value
  // itself.
  std::set<std::int64_t> gaps_of(const defined_array& array) const {
    std::set<std::int64_t> gaps;
    if (array.axis == nullptr || array.records.empty()) return gaps;
    const std::int64_t end = classic_ ? array.axis->numbers.count() : *array.records.rbegin();
    for (std::int64_t record = 0; record < end; ++record)
      if (array.records.count(record) + array.filled.count(record) == 0) gaps.insert(record);
    return gaps;
  }

  // Collective, but the memory is of the MPI rank that puts.
  status fill_gaps() {
    for (auto& [name, array] : arrays_) {
      if (array.has_all()) continue;
      bool collective = false;
      if (status s = file_->use(array.id, collective); !s.ok()) return s;
      if (!puts()) continue;
      const std::set<std::int64_t> gaps = gaps_of(array);
      if (status s = fill(array, gaps); !s.ok()) return s;
    }
    return {};
  }

  status fill(defined_array& array, const std::set<std::int64_t>& gaps) {
    if (gaps.empty()) return {};
    constexpr std::int64_t part_bytes = std::int64_t{16} << 20;
    const auto most = part_bytes / static_cast<std::int64_t>(array.elem_len);
    const std::vector<box> parts = parts_for_calls(array.global, std::max<std::int64_t>(1, most));
    const std::int64_t values = volume(parts.front()) * array.form.parts;
    for (const std::int64_t record : gaps) {
      for (const box& part : parts) {
        std::vector<char> nothing = fill_values(array.form.type, values);  // see unwritten
        if (status s = file_->move(direction::out, array.id,
                                   section_of(part, array.form, record, false), nothing.data());
            !s.ok())
          return s;
      }
      array.filled.insert(record);
    }
    return {};
  }

  // Collective. The numbers of steps come last: in a classic file they make the records count.
  status write_numbers() {
    for (const auto& axis : axes_) {
      if (axis->unwritten.empty()) continue;
      bool collective = !classic_;
      status done = file_->end_define();
      done.keep_first(file_->use(axis->variable, collective));
      file_section part;
      part.dimensions = 1;
      part.start[0] = puts() ? static_cast<std::int64_t>(axis->written) : 0;
      part.count[0] = puts() ? static_cast<std::int64_t>(axis->unwritten.size()) : 0;
      part.values = part.count[0];
      if (puts() || collective)
        done.keep_first(file_->move(direction::out, axis->variable, part, axis->unwritten.data()));
      collective = true;
      done.keep_first(file_->use(axis->variable, collective));
      if (!done.ok()) return done;
      axis->written += axis->unwritten.size();
      axis->unwritten.clear();
    }
    return {};
  }

  status close() { return file_->close(); }  // collective

  // So long a file is at least; only of classic ones it is known.
  std::int64_t end_of_arrays() const {
    std::int64_t end = 0;
    const auto reach = [&](int variable, std::int64_t records, std::int64_t bytes) {
      end = std::max(end, file_->offset_of(variable, records - 1) + bytes);
    };
    for (const auto& axis : axes_) reach(axis->variable, axis->numbers.count(), 8);
    for (const auto& [name, array] : arrays_)
      reach(array.id, array.axis == nullptr ? 0 : array.axis->numbers.count(), array.bytes());
    return end;
  }

  std::string path_;
  std::shared_ptr<library_file> file_;
  bool classic_;
  bool own_;
  communicator_ptr comm_;
  target target_;  // of place()
  std::map<std::string, defined_array> arrays_;
  std::map<std::string, known_dimension> dimensions_;
  std::vector<std::unique_ptr<step_axis>> axes_;
  bool is_published_ = false;  // others may open it: what is in it stays in its place
  bool has_arrays_ = false;    // also such as Fortran has no kind for
  std::int64_t header_room_ = 0;
  std::int64_t end_ = 0;     // of the arrays in a closed classic file
  std::int64_t stored_ = 0;  // bytes of all arrays
  bool is_closed_ = false;
};

}  // namespace

status create(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made) {
  const bool own = !how.settings.by_library();
  const auto make = [&](const communicator_ptr& comm,
                        std::unique_ptr<file_description>& description,
                        std::vector<described_array>& found) {
    std::shared_ptr<library_file> file;
    std::unique_ptr<definitions> one;
    const status ready = agreed(comm.get(), [&] {
      file = own ? library.make_own() : library.make();
      one = std::make_unique<definitions>(how.file, file, library.classic, own, comm);
      return how.appends ? check_both_ends(how.file) : status();
    });
    if (!ready.ok()) return ready;
    definitions& begun = *one;
    description = std::move(one);
    if (!how.appends) return file->create(how, handle_of(comm));
    status opened = file->open(how, handle_of(comm));
    return opened.ok() ? begun.adopt(found) : opened;
  };
  return create_described(how, make, made);
}

}  // namespace headrace::netcdf
