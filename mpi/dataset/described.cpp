#include "described.hpp"

#include <optional>

#include "../../src/core/name_text.hpp"
#include "../disk/library_files.hpp"
#include "../move/slabs.hpp"
#include "../together/from_root.hpp"
#include "attribute_failures.hpp"

namespace headrace {
namespace {

void pass(message_pass& way, catalogue_array& one) {
  std::vector<std::int64_t> steps = one.steps.numbers();
  way.text(one.name);
  way.number(one.type);
  way.number(one.elem_len);
  way.number(one.global.array_rank);
  for (std::int64_t& count : one.global.count) way.number(count);
  way.texts(one.dimensions);
  way.number(one.has_steps);
  way.numbers(steps);
  if (!way.packs()) one.steps = step_list(steps);
}

void pass(message_pass& way, stored_place& where) {
  way.number(where.swapped_word);
  way.list(where.segments, [&](file_segment& one) {
    way.number(one.first);
    way.number(one.last);
    way.number(one.address);
  });
}

void pass(message_pass& way, stored_array& stored) {
  array_info& info = stored.info;
  way.number(info.type);
  way.number(info.elem_len);
  way.number(info.array_rank);
  way.number(info.any_logical_kind);
  way.number(info.order);
  way.number(info.bytes);
  for (std::size_t d = 0; d < max_parallel_rank; ++d) way.number(info.extent[d]);
  way.texts(stored.dimensions);
  way.number(stored.has_steps);
  way.numbers(stored.steps);
}

// A call of a library may take apart a whole chunk for it.
constexpr std::int64_t library_piece_bytes = std::int64_t{8} << 20;

// Collective: what find(place) says on MPI rank 0.
template <class Find>
status place_from_root(const communicator& comm, const std::string& file, Find find,
                       stored_place& where) {
  return pass_from_root(
      comm, [&] { return find(where).in_file_once(file); },
      [&](message_pass& way) { pass(way, where); });
}

// The file that the MPI ranks move bytes to or from.
class moved_file {
 public:
  // Collective. MPI rank 0 alone has it open with the pattern serial.
  status open(const communicator& comm, const std::string& path, const parallel_settings& settings,
              bool writes) {
    if (opened_) return {};
    const bool here = comm.rank() == 0 || settings.pattern != write_pattern::serial;
    const status opened = agree(comm, here ? open_here(path, writes) : status());
    opened_ = opened.ok();
    return opened;
  }
  status open_here(const std::string& path, bool writes) {
    if (file_.is_open()) return {};
    return caught([&] { return writes ? file_.open_to_write(path) : file_.open_to_read(path); });
  }
  status close() {
    opened_ = false;
    return file_.close();
  }
  const positioned_file& get() const noexcept { return file_; }

 private:
  positioned_file file_;
  bool opened_ = false;  // on every MPI rank that moves bytes
};

class described_writer final : public dataset_writer {
 public:
  using dataset_writer::dataset_writer;

  status begin(bool is_new, const description_maker& make);
  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override;
  // MPI rank 0 writes all of it: it costs the others one message and one agreement.
  bool delivers_one() const noexcept override { return true; }
  status prepare(kept_arrays& kept) override;
  status write_kept(kept_arrays& kept) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status flush() override;
  void renamed(const std::string& file) noexcept override;
  status finish() override;

 private:
  status place_here(const catalogue_entry& entry, stored_place& where);
  status write_kept_here(const kept_arrays& kept);
  bool is_root() const noexcept { return comm_->rank() == 0; }
  // Collective: what MPI rank 0 does with the description.
  template <class Part>
  status by_root(Part part) {
    status mine;
    if (is_root()) mine = caught(part);
    return status_of_root(*comm_, std::move(mine).in_file_once(path_));
  }

  std::unique_ptr<file_description> description_;  // on MPI rank 0
  moved_file file_;
  std::optional<kept_delivery> delivery_;
  std::vector<stored_place> places_;  // of what is delivered
};

status described_writer::begin(bool is_new, const description_maker& make) {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  notes_.writers = 1;
  const auto describe = [&](root_message& all) {
    status made;
    std::vector<catalogue_array> found;
    if (is_new) made = create_with_hints(path_, settings_.hints, notes_.hints);
    if (made.ok()) made = make(description_, found);
    message_pass way(all, true);
    for (catalogue_array& one : found) pass(way, one);
    return std::move(made).in_file_once(path_);
  };
  const auto take = [&](root_message& all) {
    for (message_pass way(all, false); way.has_more();) {
      catalogue_array one;
      pass(way, one);
      catalogue_.add(std::move(one));
    }
  };
  const auto describe_new = [&] {
    root_message nothing;
    return describe(nothing);
  };
  const status begun = is_new ? by_root(describe_new) : from_root(*comm_, describe, take);
  if (!settings_.hints.empty()) {
    if (begun.ok()) broadcast_found(*comm_, notes_.hints);
    notes_.hints.learn(settings_.hints, hint_list{});
  }
  return begun;
}

status described_writer::write(const catalogue_entry& entry, const array_view& local,
                               const array_layout& layout) {
  stored_place where;
  {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    const auto find = [&](stored_place& found) { return description_->place(entry, found); };
    if (status s = place_from_root(*comm_, path_, find, where); !s.ok()) return s;
    if (!where.segments.empty())
      if (status s = file_.open(*comm_, path_, settings_, true); !s.ok()) return s;
  }
  status done;
  if (!where.segments.empty())
    done = write_placed(file_.get(), where, local, layout, settings_, notes_).in_file_once(path_);
  // The format knows what is in force of its own hints.
  if (done.ok() && entry.is_new && !settings_.hints.empty()) broadcast_found(*comm_, notes_.hints);
  return done;
}

status described_writer::place_here(const catalogue_entry& entry, stored_place& where) {
  if (status s = file_.open_here(path_, true); !s.ok()) return s;
  return description_->place(entry, where);
}

status described_writer::prepare(kept_arrays& kept) {
  delivery_.emplace(kept, *comm_, std::vector<int>());
  if (is_root()) places_.resize(kept.all().size());
  return {};
}

// Libraries and the system each go on sooner with many arrays in a row.
status described_writer::write_kept_here(const kept_arrays& kept) {
  const std::vector<kept_array>& all = kept.all();
  const auto named = [](status failure, const kept_array& one) {
    return std::move(failure).in_array(one.entry.array->name);
  };
  const std::size_t in_a_row = description_->keeps_places() ? all.size() : 1;
  for (std::size_t first = 0; first < all.size(); first += in_a_row) {
    {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      for (std::size_t i = first; i < first + in_a_row; ++i) {
        places_[i] = {};
        if (status s = place_here(all[i].entry, places_[i]); !s.ok())
          return named(std::move(s), all[i]);
      }
    }
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    for (std::size_t i = first; i < first + in_a_row; ++i) {
      const kept_array& one = all[i];
      const element_form form{one.elem_len, one.elem_len, one.type == type_class::logical};
      status s = write_whole(file_.get(), places_[i], delivery_->next_whole(i),
                             one.entry.array->global, form);
      if (!s.ok()) return named(std::move(s), one);
    }
  }
  return {};
}

status described_writer::write_kept(kept_arrays& kept) {
  delivery_->exchange(notes_.line);
  status mine;
  if (is_root()) mine = caught([&] { return write_kept_here(kept); });
  delivery_.reset();
  // The format knows what is in force of its own hints.
  if (!settings_.hints.empty()) broadcast_found(*comm_, notes_.hints);
  return std::move(mine).in_file_once(path_);
}

status described_writer::write_attribute(const std::string& array, const std::string& name,
                                         const array_view& value) {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  if (!array.empty() && !catalogue_.has(array)) return no_array_to_describe(array).in_file(path_);
  return by_root([&] { return description_->write_attribute(array, name, value); });
}

status described_writer::flush() {
  const auto during = notes_.line.during(HR_PHASE_CLOSE);
  if (settings_.sync)
    if (status s = sync_on_all_nodes(*comm_, path_); !s.ok()) return s;
  status flushed = by_root([&] {
    // What goes into a deleted file is lost.
    status named = file_.get().is_open() ? file_.get().check_named(path_) : status();
    return named.ok() ? description_->flush() : named;
  });
  return flushed.ok() && settings_.sync ? sync_on_all_nodes(*comm_, path_) : flushed;
}

void described_writer::renamed(const std::string& file) noexcept {
  try {
    path_ = file;
  } catch (const std::bad_alloc&) {
    path_.clear();  // it is open already; only messages name it
  }
  if (description_ != nullptr) description_->renamed(file);
}

status described_writer::finish() {
  {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    // Network file systems write what other nodes hold when these close the file.
    if (status s = agree(*comm_, file_.close()); !s.ok()) return s;
    if (status s = by_root([&] { return description_->finish(); }); !s.ok()) return s;
  }
  if (!settings_.hints.empty()) broadcast_found(*comm_, notes_.hints);
  if (!settings_.sync) return {};
  const auto during = notes_.line.during(HR_PHASE_SYNC);
  return sync_on_all_nodes(*comm_, path_);
}

class described_reader final : public dataset_reader {
 public:
  described_reader(const dataset_opening& how, described_opener open)
      : dataset_reader(how), open_(std::move(open)) {}

  status begin();
  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, stored_array& found) override;
  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;

 private:
  struct known_array {
    stored_array stored;
    stored_place where;  // without steps
  };

  status known(const std::string& name, const known_array*& found);
  status read_by_library(const std::string& name, std::int64_t step_index, const array_view& local,
                         const array_layout& layout);
  bool is_root() const noexcept { return comm_->rank() == 0; }
  bool is_serial() const noexcept { return settings_.pattern == write_pattern::serial; }

  described_opener open_;
  std::unique_ptr<described_file> source_;  // on MPI rank 0, and where the library reads
  bool library_is_open_ = false;            // on all MPI ranks that read by it
  std::map<std::string, known_array> known_;
  moved_file file_;
};

status described_reader::begin() {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  status opened;
  if (is_root()) opened = caught([&] { return open_(source_); });
  notes_.hints.learn(settings_.hints, hint_list{});
  return status_of_root(*comm_, std::move(opened).in_file_once(path_));
}

status described_reader::names(std::vector<std::string>& found) {
  return pass_from_root(
      *comm_, [&] { return source_->names(found).in_file_once(path_); },
      [&](message_pass& way) { way.texts(found); });
}

status described_reader::known(const std::string& name, const known_array*& found) {
  auto entry = known_.find(name);
  if (entry == known_.end()) {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    known_array array;
    const auto look = [&] {
      status looked = source_->describe(name, array.stored);
      if (looked.ok() && !array.stored.has_steps) looked = source_->place(name, -1, array.where);
      return std::move(looked).in_file_once(path_);
    };
    const auto pass_both = [&](message_pass& way) {
      pass(way, array.stored);
      pass(way, array.where);
      if (!way.packs()) entry = known_.emplace(name, std::move(array)).first;
    };
    if (status s = pass_from_root(*comm_, look, pass_both); !s.ok()) {
      known_.erase(name);  // on all, also where only another one lacked memory
      return s;
    }
  }
  found = &entry->second;
  return {};
}

status described_reader::describe(const std::string& name, stored_array& found) {
  const known_array* array = nullptr;
  if (status s = known(name, array); !s.ok()) return s;
  found = array->stored;
  return {};
}

status described_reader::read(const std::string& name, std::int64_t step_index,
                              const array_view& local, const array_layout& layout) {
  const known_array* array = nullptr;
  if (status s = known(name, array); !s.ok()) return s;
  if (is_empty(layout.global())) return {};
  stored_place of_step;
  const stored_place* where = &array->where;
  if (array->stored.has_steps) {
    const auto find = [&](stored_place& found) { return source_->place(name, step_index, found); };
    if (status s = place_from_root(*comm_, path_, find, of_step); !s.ok()) return s;
    where = &of_step;
  }
  if (where->segments.empty()) return read_by_library(name, step_index, local, layout);
  if (status s = file_.open(*comm_, path_, settings_, false); !s.ok()) return s;
  return read_placed(file_.get(), *where, local, layout, settings_, notes_).in_file_once(path_);
}

// Every MPI rank has the file open for itself, or MPI rank 0 alone.
status described_reader::read_by_library(const std::string& name, std::int64_t step_index,
                                         const array_view& local, const array_layout& layout) {
  if (!library_is_open_) {
    status opened;
    if (source_ == nullptr && !is_serial()) opened = caught([&] { return open_(source_); });
    if (status s = agree(*comm_, std::move(opened).in_file_once(path_)); !s.ok()) return s;
    library_is_open_ = true;
  }
  const element_form form = form_of(local);
  const auto get = [&](const box& part, char* data) {
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    return source_->read(name, step_index, part, data).in_file_once(path_);
  };
  if (!is_serial()) {
    notes_.writers = comm_->size();
    return pass_slabs(layout, local, form, direction::in, get);
  }
  notes_.writers = 1;
  return pass_by_root(layout, local, form, notes_.line, direction::in, get, library_piece_bytes);
}

status described_reader::read_attribute(const std::string& array, const std::string& name,
                                        const array_view& value) {
  status found;
  if (is_root()) found = caught([&] { return source_->read_attribute(array, name, value); });
  if (status s = status_of_root(*comm_, std::move(found).in_file_once(path_)); !s.ok()) return s;
  const auto bytes = static_cast<int>(byte_count(value).value_or(0));
  copy_from(*comm_, 0, value.base, bytes, MPI_BYTE);
  return {};
}

status make_writer(bool is_new, const dataset_opening& how, const description_maker& make,
                   std::unique_ptr<dataset_writer>& made) {
  const auto begin = [&](described_writer& writer) { return writer.begin(is_new, make); };
  return make_and_begin<described_writer>(*how.comm, made, begin, how);
}

}  // namespace

status create_described(const dataset_opening& how, const description_maker& make,
                        std::unique_ptr<dataset_writer>& made) {
  return make_writer(true, how, make, made);
}

status append_described(const dataset_opening& how, const description_maker& make,
                        std::unique_ptr<dataset_writer>& made) {
  return make_writer(false, how, make, made);
}

status open_described(const dataset_opening& how, described_opener open,
                      std::unique_ptr<dataset_reader>& made) {
  const auto begin = [](described_reader& reader) { return reader.begin(); };
  return make_and_begin<described_reader>(*how.comm, made, begin, how, std::move(open));
}

}  // namespace headrace
