#include "described.hpp"

#include <optional>

#include "../../src/core/name_text.hpp"
#include "../disk/library_files.hpp"
#include "../move/slabs.hpp"
#include "../together/from_root.hpp"
#include "attribute_failures.hpp"

namespace headrace {
namespace {

void pass(message_pass& way, described_array& one) {
  std::vector<std::int64_t> steps = one.steps.numbers();
  way.text(one.name);
  way.number(one.type);
  way.number(one.elem_len);
  way.number(one.global.array_rank);
  for (std::int64_t& count : one.global.count) way.number(count);
  way.texts(one.dimensions);
  way.number(one.has_steps);
  way.numbers(steps);
  if (!way.packs()) one.steps = step_list(std::move(steps));
}

void pass(message_pass& way, stored_place& where) {
  way.number(where.swapped_word);
  way.number(where.last_index_fastest);
  way.list(where.segments, [&](file_segment& one) {
    way.number(one.first);
    way.number(one.last);
    way.number(one.address);
  });
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

  status begin(bool appends, const description_maker& make) {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    notes_.writers = is_together() ? comm_->size() : 1;
    if (by_library())
      if (status s = create_for_library(*comm_, path_, settings_.hints, notes_.hints); !s.ok())
        return s;
    std::vector<described_array> found;
    const auto describe = [&] {
      status made;
      if (!appends && !by_library()) made = create_with_hints(path_, settings_.hints, notes_.hints);
      if (made.ok()) made = make(is_together() ? comm_ : nullptr, description_, found);
      return std::move(made).in_file_once(path_);
    };
    const auto take = [&](message_pass& way) {
      way.list(found, [&](described_array& one) { pass(way, one); });
      for (described_array& one : found)
        if (!way.packs()) catalogue_.add(std::move(one));
    };
    const status begun = appends ? pass_from_root(*comm_, describe, take) : here(describe);
    if (begun.ok()) tell_hints();
    return begun;
  }

  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override {
    if (by_library()) return write_by_library(entry, local, layout);
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
    if (done.ok() && entry.is_new) tell_hints();
    return done;
  }

  // MPI rank 0 writes all of it: it costs the others one message and one agreement.
  bool delivers_one() const noexcept override { return !by_library(); }

  status prepare(kept_arrays& kept) override {
    delivery_.emplace(kept, *comm_, std::vector<int>());
    if (is_root()) places_.resize(kept.all().size());
    return {};
  }

  status write_kept(kept_arrays& kept) override {
    delivery_->exchange(notes_.line);
    status mine;
    if (is_root()) mine = caught([&] { return write_kept_here(kept); });
    delivery_.reset();
    tell_hints();
    return std::move(mine).in_file_once(path_);
  }

  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    if (!array.empty() && !catalogue_.has(array)) return no_array_to_describe(array).in_file(path_);
    return here([&] { return description_->write_attribute(array, name, value); });
  }

  status flush() override {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    if (settings_.sync)
      if (status s = sync_on_all_nodes(*comm_, path_); !s.ok()) return s;
    status flushed = here([&] {
      // What goes into a deleted file is lost.
      status named = file_.get().is_open() ? file_.get().check_named(path_) : status();
      return named.ok() ? description_->flush() : named;
    });
    return flushed.ok() && settings_.sync ? sync_on_all_nodes(*comm_, path_) : flushed;
  }

  void renamed(const std::string& file) noexcept override {
    try {
      path_ = file;
      if (description_ != nullptr) description_->renamed(file);
    } catch (const std::bad_alloc&) {
      path_.clear();  // it is open already; only messages and the check at the end name it
    }
  }

  status finish() override {
    {
      const auto during = notes_.line.during(HR_PHASE_CLOSE);
      // Network file systems write what other nodes hold when these close the file.
      if (status s = agree(*comm_, file_.close()); !s.ok()) return s;
      if (status s = here([&] { return description_->finish(); }); !s.ok()) return s;
      status checked;
      if (is_root()) checked = caught([&] { return description_->check_file(); });
      if (status s = status_of_root(*comm_, std::move(checked).in_file_once(path_)); !s.ok())
        return s;
    }
    tell_hints();
    if (!settings_.sync) return {};
    const auto during = notes_.line.during(HR_PHASE_SYNC);
    return sync_on_all_nodes(*comm_, path_);
  }

  void fail() noexcept override {
    if (!by_library()) return;
    drop_locks(path_.c_str());
    if (description_ != nullptr) description_->fail();
  }

 private:
  status place_here(const catalogue_entry& entry, stored_place& where) {
    if (status s = file_.open_here(path_, true); !s.ok()) return s;
    return description_->place(entry, where);
  }

  status write_by_library(const catalogue_entry& entry, const array_view& local,
                          const array_layout& layout) {
    const bool collective = settings_.pattern == write_pattern::shared_collective;
    {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      stored_place unused;
      if (status s = here([&] { return description_->place(entry, unused); }); !s.ok()) return s;
      if (entry.is_new) tell_hints();
      if (is_empty(layout.global())) return {};
      if (status s = here([&] { return description_->begin_put(entry, collective); }); !s.ok())
        return s;
    }
    const element_form form = form_of(local);
    const auto put_alone = [&](const box& part, char* data) {
      status done = description_->put(part, data).in_file_once(path_);
      if (!done.ok()) drop_locks(path_.c_str());
      return done;
    };
    const auto put = [&](const box& part, char* data) {
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      return put_alone(part, data);
    };
    return is_together()
               ? pass_slabs(layout, local, form, direction::out, put)
               : pass_by_root(layout, local, form, notes_.line, direction::out, put_alone);
  }

  // Libraries and the system each go on sooner with many arrays in a row.
  status write_kept_here(const kept_arrays& kept) {
    const std::vector<kept_array>& all = kept.all();
    const auto named = [](status failure, const kept_array& one) {
      return std::move(failure).in_array(one.entry.array->name);
    };
    const std::size_t in_a_row = description_->keeps_places() ? all.size() : 1;
    status refused;  // an array that the format refuses is left out
    for (std::size_t first = 0; first < all.size(); first += in_a_row) {
      {
        const auto during = notes_.line.during(HR_PHASE_OPEN);
        for (std::size_t i = first; i < first + in_a_row; ++i) {
          places_[i] = {};
          status s = named(place_here(all[i].entry, places_[i]), all[i]);
          if (ends_a_dataset(s)) return s;
          if (!s.ok()) places_[i] = {};
          refused.keep_first(std::move(s));
        }
      }
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      for (std::size_t i = first; i < first + in_a_row; ++i) {
        const kept_array& one = all[i];
        const described_array& array = *one.entry.array;
        const element_form form{array.elem_len, array.elem_len, array.type == type_class::logical};
        char* const elements = delivery_->next_whole(i);
        if (places_[i].segments.empty()) continue;
        status s = write_whole(file_.get(), places_[i], elements, array.global, form);
        if (!s.ok()) return named(std::move(s), one);
      }
    }
    return refused;
  }

  bool is_root() const noexcept { return comm_->rank() == 0; }
  bool by_library() const noexcept { return settings_.by_library(); }
  bool is_together() const noexcept { return settings_.by_library_together(); }
  // The format knows what is in force of its own hints.
  void tell_hints() {
    if (is_together() || settings_.hints.empty()) return;
    broadcast_found(*comm_, notes_.hints);
    notes_.hints.learn(settings_.hints, hint_list{});
  }
  // Collective: what the MPI ranks do that have a description. All know of a failure before one of
  // them closes the file, for which a library waits for the others.
  template <class Part>
  status here(Part part) {
    const auto named = [&] { return part().in_file_once(path_); };
    status mine = is_together() ? run_to_end(*comm_, named)
                                : status_of_root(*comm_, is_root() ? caught(named) : status());
    if (ends_a_dataset(mine)) fail();
    return mine;
  }

  std::unique_ptr<file_description> description_;  // on MPI rank 0, or on all
  moved_file file_;
  std::optional<kept_delivery> delivery_;
  std::vector<stored_place> places_;  // of what is delivered
};

class described_reader final : public dataset_reader {
 public:
  described_reader(const dataset_opening& how, described_opener open)
      : dataset_reader(how), open_(std::move(open)) {}

  status begin() {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    status opened;
    if (is_root()) opened = caught([&] { return open_(nullptr, source_); });
    notes_.hints.learn(settings_.hints, hint_list{});
    if (status s = status_of_root(*comm_, std::move(opened).in_file_once(path_)); !s.ok()) return s;
    if (!settings_.by_library_together()) return {};
    if (status s = check_readable(*comm_, path_); !s.ok()) return s;
    return agree(*comm_, open_(comm_, shared_).in_file_once(path_));
  }

  status names(std::vector<std::string>& found) override {
    return pass_from_root(
        *comm_, [&] { return source_->names(found).in_file_once(path_); },
        [&](message_pass& way) { way.texts(found); });
  }

  status describe(const std::string& name, const described_array*& found) override {
    const known_array* array = nullptr;
    if (status s = known(name, array); !s.ok()) return s;
    found = &array->stored;
    return {};
  }

  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override {
    const known_array* array = nullptr;
    if (status s = known(name, array); !s.ok()) return s;
    if (is_empty(layout.global())) return {};
    if (shared_ != nullptr) {
      bool is_readable = true;
      status done = read_by_library(shared_.get(), name, step_index, local, layout, is_readable);
      if (is_readable || !done.ok()) return done;
    }
    stored_place of_step;
    const stored_place* where = &array->where;
    if (array->stored.has_steps) {
      const auto find = [&](stored_place& found) {
        return source_->place(name, step_index, found);
      };
      if (status s = place_from_root(*comm_, path_, find, of_step); !s.ok()) return s;
      where = &of_step;
    }
    if (where->segments.empty()) {
      bool is_readable = true;
      if (status s = open_library(); !s.ok()) return s;
      return read_by_library(source_.get(), name, step_index, local, layout, is_readable);
    }
    if (status s = file_.open(*comm_, path_, settings_, false); !s.ok()) return s;
    return read_placed(file_.get(), *where, local, layout, settings_, notes_).in_file_once(path_);
  }

  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override {
    status found;
    if (is_root()) found = caught([&] { return source_->read_attribute(array, name, value); });
    if (status s = status_of_root(*comm_, std::move(found).in_file_once(path_)); !s.ok()) return s;
    const auto bytes = static_cast<int>(byte_count(value).value_or(0));
    copy_from(*comm_, 0, value.base, bytes, MPI_BYTE);
    return {};
  }

 private:
  struct known_array {
    described_array stored;
    stored_place where;  // without steps
  };

  status known(const std::string& name, const known_array*& found) {
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
        known_.erase(name);  // on all, also if only another one lacked memory
        return s;
      }
    }
    found = &entry->second;
    return {};
  }

  // Every MPI rank has the file open for itself, or MPI rank 0 alone.
  status open_library() {
    if (library_is_open_) return {};
    status opened;
    if (source_ == nullptr && !is_serial())
      opened = caught([&] { return open_(nullptr, source_); });
    opened = agree(*comm_, std::move(opened).in_file_once(path_));
    library_is_open_ = opened.ok();
    return opened;
  }

  // file: null if the library does not read.
  status read_by_library(described_file* file, const std::string& name, std::int64_t step_index,
                         const array_view& local, const array_layout& layout, bool& is_readable) {
    const bool together = file != nullptr && file == shared_.get();
    const bool collective = together && settings_.pattern == write_pattern::shared_collective;
    status ready;
    if (file != nullptr)
      ready = caught([&] { return file->begin_read(name, step_index, collective, is_readable); });
    if (together) ready = agree(*comm_, std::move(ready).in_file_once(path_));
    if (together && !(ready.ok() && is_readable)) return ready;
    const element_form form = form_of(local);
    const auto get = [&](const box& part, char* data) {
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      status done = ready.ok() ? file->read(part, data) : ready;  // all agree behind the last part
      if (!done.ok() && together) drop_locks(path_.c_str());
      return std::move(done).in_file_once(path_);
    };
    notes_.writers = is_serial() ? 1 : comm_->size();
    return is_serial() ? pass_by_root(layout, local, form, notes_.line, direction::in, get,
                                      library_piece_bytes)
                       : pass_slabs(layout, local, form, direction::in, get);
  }

  bool is_root() const noexcept { return comm_->rank() == 0; }
  bool is_serial() const noexcept { return settings_.pattern == write_pattern::serial; }

  described_opener open_;
  std::unique_ptr<described_file> source_;  // on MPI rank 0, and on all if the library reads
  std::unique_ptr<described_file> shared_;  // with transfer="library": of all MPI ranks together
  bool library_is_open_ = false;            // on all MPI ranks that read by it
  std::map<std::string, known_array> known_;
  moved_file file_;
};

}  // namespace

status create_described(const dataset_opening& how, const description_maker& make,
                        std::unique_ptr<dataset_writer>& made) {
  const auto begin = [&](described_writer& writer) { return writer.begin(how.appends, make); };
  return make_and_begin<described_writer>(*how.comm, made, begin, how);
}

status open_described(const dataset_opening& how, described_opener open,
                      std::unique_ptr<dataset_reader>& made) {
  const auto begin = [](described_reader& reader) { return reader.begin(); };
  return make_and_begin<described_reader>(*how.comm, made, begin, how, std::move(open));
}

}  // namespace headrace
