#include "library.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../disk/room.hpp"
#include "../../move/slabs.hpp"
#include "../../together/library_words.hpp"
#include "../../together/mpi_io_module.hpp"
#include "contents.hpp"
#include "definitions.hpp"

namespace headrace::netcdf {
namespace {

// Of HDF5 within NetCDF-4, and of MPI-IO within PnetCDF: not of the arguments.
bool is_of_the_system(int code) noexcept {
  constexpr int hdf5_error = -101;
  constexpr int first_of_files = -201;
  constexpr int last_of_files = -225;
  return code == hdf5_error || (code <= first_of_files && code >= last_of_files);
}

bool is_serial(const parallel_settings& settings) noexcept {
  return settings.pattern == write_pattern::serial;
}

opening opening_for(const std::string& file, const communicator& comm,
                    const parallel_settings& settings, parallel_notes& notes) {
  opening how;
  how.path = file;
  how.parallel = !is_serial(settings);
  how.comm = how.parallel ? comm.handle() : MPI_COMM_SELF;
  how.hints = settings.hints;
  how.found = &notes.hints;
  return how;
}

class library_writer final : public dataset_writer {
 public:
  using dataset_writer::dataset_writer;
  // A library that cannot write cannot close either: an emptied file gives a full disk room for
  // what it still writes.
  ~library_writer() override {
    if (!is_finished_ && comm_->rank() == 0 && ::truncate(path_.c_str(), 0) != 0) errno = 0;
  }

  status begin(const netcdf_library& library);
  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  void fail() noexcept override {
    if (definitions_ != nullptr) definitions_->file().forget();
  }
  status finish() override;

 private:
  status close_here();
  bool is_here() const noexcept { return !is_serial(settings_) || comm_->rank() == 0; }
  // Collective. What the MPI ranks that have the file do, which either needs memory or waits for
  // the others.
  template <class Part>
  status together(Part part) {
    return agree_on(*comm_, [&] { return is_here() ? part() : status(); });
  }
  // Collective, before definitions that need memory.
  status define() {
    return together([&] { return definitions_->file().define(); });
  }
  status put_all(const target& where, const array_view& local, const array_layout& layout);
  status put_by_root(const target& where, const array_view& local, const array_layout& layout);

  std::unique_ptr<definitions> definitions_;  // where the file is open
  bool is_finished_ = false;
};

status library_writer::begin(const netcdf_library& library) {
  if (status s = create_for_library(*comm_, path_, settings_.hints, notes_.hints); !s.ok())
    return s;
  opening how;
  std::shared_ptr<library_file> created;
  const status ready = agree_on(*comm_, [&] {
    how = opening_for(path_, *comm_, settings_, notes_);
    if (!is_here()) return status();
    created = library.make(how);
    definitions_ = std::make_unique<definitions>(
        path_, created, definer{library.classic, false, comm_->rank() == 0});
    return status();
  });
  status made = ready.ok() ? together([&] { return created->create(how); }) : ready;
  if (!made.ok()) fail();
  return made;
}

status library_writer::write(const catalogue_entry& entry, const array_view& local,
                             const array_layout& layout) {
  target where;
  {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    if (entry.is_new)
      if (status s = define(); !s.ok()) return s;
    const auto declare = [&] { return definitions_->declare(entry, where); };
    if (status s = together(declare); !s.ok()) return s;
    if (status s = together([&] { return definitions_->end_define(); }); !s.ok()) return s;
  }
  return is_serial(settings_) ? put_by_root(where, local, layout) : put_all(where, local, layout);
}

status library_writer::put_all(const target& where, const array_view& local,
                               const array_layout& layout) {
  library_file& file = definitions_->file();
  bool collective = settings_.pattern == write_pattern::shared_collective;
  const bool extends = !collective && where.record >= 0;
  std::vector<char> nothing;
  const status ready = agree_on(*comm_, [&] {
    nothing = fill_values(where.form.type, where.form.parts);
    return status();
  });
  if (!ready.ok()) return ready;
  box first = layout.global();
  first.count.fill(1);
  status chosen;
  if (extends)
    chosen = file.extend(where.variable, where.form.type,
                         section_of(first, where.form, where.record, comm_->rank() != 0),
                         nothing.data());
  chosen.keep_first(file.use(where.variable, collective));
  if (status s = agree(*comm_, chosen); !s.ok()) return s;
  notes_.writers = comm_->size();
  const auto put = [&](const box& part, char* data) {
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    return file.put(where.variable, where.form.type,
                    section_of(part, where.form, where.record, data == nullptr), data);
  };
  return write_slabs(layout, local, form_of(local), put);
}

status library_writer::put_by_root(const target& where, const array_view& local,
                                   const array_layout& layout) {
  notes_.writers = 1;
  const auto put = [&](const box& part, char* data) {
    return definitions_->file().put(where.variable, where.form.type,
                                    section_of(part, where.form, where.record, false), data);
  };
  return write_by_root(layout, local, form_of(local), notes_.line, put);
}

status library_writer::write_attribute(const std::string& array, const std::string& name,
                                       const array_view& value) {
  status done = define();
  return done.ok() ? together([&] { return definitions_->write_attribute(array, name, value); })
                   : done;
}

status library_writer::close_here() {
  const auto during = notes_.line.during(HR_PHASE_CLOSE);
  status done = define();
  if (done.ok()) done = together([&] { return definitions_->prepare_end(); });
  if (done.ok()) done = together([&] { return definitions_->end_define(); });
  if (done.ok()) done = together([&] { return definitions_->fill_gaps(); });
  if (done.ok()) done = together([&] { return definitions_->write_numbers(); });
  if (done.ok()) done = together([&] { return definitions_->prepare_close(); });
  if (done.ok()) done = together([&] { return definitions_->close(); });
  if (done.ok())
    done = agree_on(*comm_,
                    [&] { return comm_->rank() == 0 ? definitions_->check_file() : status(); });
  if (done.ok() && !is_serial(settings_)) done = check_room_after(*comm_, path_);
  return done;
}

status library_writer::finish() {
  const status closed = close_here();
  if (!closed.ok()) {
    fail();
    return closed;
  }
  is_finished_ = true;
  if (!settings_.sync) return {};
  const auto during = notes_.line.during(HR_PHASE_SYNC);
  return sync_on_all_nodes(*comm_, path_);
}

class library_reader final : public dataset_reader {
 public:
  using dataset_reader::dataset_reader;

  status begin(const netcdf_library& library) {
    opening how;
    std::shared_ptr<library_file> opened;
    const status ready = agree_on(*comm_, [&] {
      how = opening_for(path_, *comm_, settings_, notes_);
      opened = library.make(how);
      contents_ = std::make_unique<contents>(path_, opened, false);
      return status();
    });
    if (!ready.ok()) return ready;
    if (status s = agree_on(*comm_, [&] { return opened->open(how); }); !s.ok()) return s;
    return agree_on(*comm_, [&] { return contents_->learn(); });
  }

  status names(std::vector<std::string>& found) override {
    return agree_on(*comm_, [&] { return contents_->names(found); });
  }

  status describe(const std::string& name, stored_array& found) override {
    contents::known_array* array = nullptr;
    if (status s = find(name, array); !s.ok()) return s;
    found = array->array;
    return {};
  }

  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override {
    contents::known_array* array = nullptr;
    if (status s = find(name, array); !s.ok()) return s;
    const std::int64_t record =
        step_index < 0 ? -1 : array->records[static_cast<std::size_t>(step_index)];
    const status whole = agree_on(*comm_, [&] {
      return comm_->rank() == 0 ? contents_->check_length(*array, record) : status();
    });
    if (!whole.ok()) return whole;
    library_file& file = contents_->file();
    bool collective = settings_.pattern == write_pattern::shared_collective;
    if (status s = agree(*comm_, file.use(array->id, collective)); !s.ok()) return s;
    notes_.writers = comm_->size();
    const auto get = [&](const box& part, char* data) {
      const auto during = notes_.line.during(HR_PHASE_TRANSFER);
      return file.get(array->id, array->form.type,
                      section_of(part, array->form, record, data == nullptr), data);
    };
    return read_slabs(layout, local, form_of(local), get);
  }

  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override {
    return agree_on(*comm_, [&] { return contents_->read_attribute(array, name, value); });
  }

 private:
  status find(const std::string& name, contents::known_array*& found) {
    const status prepared = agree_on(*comm_, [&] { return contents_->prepare(name, found); });
    return prepared.ok() ? agree(*comm_, contents_->load(*found)) : prepared;
  }

  std::unique_ptr<contents> contents_;
};

template <class Made, class Base>
status make_by_library(const netcdf_library& library, const dataset_opening& how, bool writes,
                       std::unique_ptr<Base>& made) {
  const auto during = how.notes.line.during(HR_PHASE_OPEN);
  if (!is_serial(how.settings))
    if (status s = check_sieving(*how.comm, how.file, writes); !s.ok()) return s;
  if (!writes)
    if (status s = check_readable(*how.comm, how.file); !s.ok()) return s;
  const auto begin = [&](Made& one) { return one.begin(library); };
  return make_and_begin<Made>(*how.comm, made, begin, how);
}

// Not collective: that what most headers lie in can be read. The libraries have no errno for it,
// and OMPIO reports success of reads that failed.
status check_both_ends(const std::string& file) {
  constexpr std::int64_t most = std::int64_t{256} << 10;  // as PnetCDF reads at once
  positioned_file both;
  std::int64_t size = 0;
  status found = check_not_empty(file);
  if (found.ok()) found = both.open_to_read(file);
  if (found.ok()) found = both.size(size);
  const std::int64_t bytes = std::min(size, most);
  std::vector<char> part(static_cast<std::size_t>(bytes));
  if (found.ok()) found = both.read_at(0, part.data(), bytes);
  if (found.ok()) found = both.read_at(size - bytes, part.data(), bytes);
  return found;
}

// For own transfer, of MPI rank 0.
opening opening_alone(const netcdf_library& library, const dataset_opening& all) {
  opening how;
  how.path = all.file;
  const auto hint = library.own_hint == nullptr ? all.settings.hints.end()
                                                : all.settings.hints.find(library.own_hint);
  if (hint != all.settings.hints.end()) how.hints.insert(*hint);
  return how;
}

// What MPI rank 0, or another one, reads by itself. own: says where arrays lie.
status open_contents(const netcdf_library& library, const std::string& file, bool own,
                     std::unique_ptr<described_file>& made) {
  if (status s = check_both_ends(file); !s.ok()) return s;
  opening how;
  how.path = file;
  std::shared_ptr<library_file> opened = own ? library.make_own(how) : library.make(how);
  if (status s = opened->open(how); !s.ok()) return s;
  auto read = std::make_unique<contents>(file, std::move(opened), own);
  if (status s = read->learn(); !s.ok()) return s;
  made = std::move(read);
  return {};
}

}  // namespace

status library_failure(int code, const char* words, const std::string& what,
                       const std::string& file) {
  const int left = full_disk_in_errno();
  // NetCDF-4 takes every failure of HDF5 to create a file for one of permissions.
  if (left != 0 && (code > 0 || is_of_the_system(code)))
    return status::system(left, what).in_file(file);
  if (code > 0) return status::system(code, what).in_file(file);
  if (const int error = error_in_words(words); error > 0)
    return status::system(error, what).in_file(file);
  status failed = status::failure(stat_code::library_failed, what + ": " + words).in_file(file);
  if (code != bad_name) return failed;
  return std::move(failed).advise(
      "a name is UTF-8, begins with a letter, a digit or _ (or a character beyond ASCII), has no "
      "slash and no control character, and does not end with a blank");
}

status create(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made) {
  if (how.settings.transfer == transfer_way::library)
    return make_by_library<library_writer>(library, how, true, made);
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>&) {
    const opening alone = opening_alone(library, how);
    std::shared_ptr<library_file> created = library.make_own(alone);
    if (status s = created->create(alone); !s.ok()) return s;
    for (const auto& [name, value] : alone.hints)
      how.notes.hints.in_force[name] = std::to_string(created->header_reserve());
    description = std::make_unique<definitions>(how.file, std::move(created),
                                                definer{library.classic, true, true});
    return status();
  };
  return create_described(how, make, made);
}

status append(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made) {
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>& found) {
    if (status s = check_both_ends(how.file); !s.ok()) return s;
    if (status s = library.check_growing(how.file); !s.ok()) return s;
    opening alone = opening_alone(library, how);
    alone.appends = true;
    std::shared_ptr<library_file> opened = library.make_own(alone);
    if (status s = opened->open(alone); !s.ok()) return s;
    auto old = std::make_unique<definitions>(how.file, std::move(opened),
                                             definer{library.classic, true, true});
    if (status s = old->adopt(found); !s.ok()) return s;
    description = std::move(old);
    return status();
  };
  return append_described(how, make, made);
}

status open(const netcdf_library& library, const dataset_opening& how,
            std::unique_ptr<dataset_reader>& made) {
  const bool own = how.settings.transfer != transfer_way::library;
  if (!own && !is_serial(how.settings))
    return make_by_library<library_reader>(library, how, false, made);
  if (!library.classic)
    if (status s = check_readable(*how.comm, how.file); !s.ok()) return s;
  const auto open_one = [&library, file = how.file, own](std::unique_ptr<described_file>& opened) {
    return open_contents(library, file, own, opened);
  };
  return open_described(how, open_one, made);
}

}  // namespace headrace::netcdf
