// HDF5 files, parallel. Two ways lead to the same file: our own exchange and pwrite (transfer
// "headrace"), for which MPI rank 0 describes the file in memory (memory.hpp), or the library's
// parallel calls (transfer "library"). Next: dimensions.hpp, contents.hpp.
#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "../../../src/core/file_limits.hpp"
#include "../../../src/core/name_text.hpp"
#include "../../disk/library_files.hpp"
#include "contents.hpp"
#include "dimensions.hpp"
#include "file.hpp"
#include "memory.hpp"

namespace headrace::hdf5 {
namespace {

const char* const chunk_hint = "hdf5_chunk_bytes";

// HDF5 passes by all chunks before it says where one is.
constexpr std::int64_t most_chunks_of_a_step = 1024;

// h5py and netCDF4 cannot read such names; those of files that exist are read as they are.
status not_utf8(const char* of, const std::string& name) {
  return status::failure(stat_code::argument_invalid,
                         std::string("the name of the ") + of + " is not UTF-8: " + shown(name))
      .expected("UTF-8", "other bytes")
      .advise("use letters, digits and underscores, or convert the name");
}

// Defines arrays, steps and attributes and says where they lie: of MPI rank 0 alone, in memory, or
// of all MPI ranks together through MPI-IO.
class definitions final : public file_description {
 public:
  // comm: null for one MPI rank alone; otherwise all of it calls, and everything agrees.
  explicit definitions(const dataset_opening& how, communicator_ptr comm = nullptr)
      : path_(how.file), settings_(how.settings), notes_(how.notes), comm_(std::move(comm)) {}
  ~definitions() override {
    if (!file_ || mpi_has_ended()) return;
    const quiet_errors quiet;
    for (auto& [path, array] : arrays_) array.dataset.forget();  // closed with the file
    dimensions_.reset();
    if (!in_memory_) close_unseen(file_, comm_ != nullptr, failed_);
    file_.close();
  }

  // in_memory: the file on the disk is written by bring_to_disk() and by those who move elements.
  status create(bool in_memory) {
    const quiet_errors quiet;
    in_memory_ = in_memory;
    const status ready = agreed([&] {
      tell_chunks(chunk_bytes({}, 1));
      return status();
    });
    if (!ready.ok()) return ready;
    // Agrees within: who lacks memory leaves, and has no file then.
    status created = in_memory ? memory_.create(path_, file_)
                               : create_file(path_, comm_.get(), settings_.hints, file_);
    const status made = agreed([&] {
      if (!created.ok()) return std::move(created);
      if (comm_ != nullptr) learn_hints(file_.get(), settings_.hints, notes_.hints);
      dimensions_ = std::make_unique<dimension_scales>(file_.get(), arrays_);
      return status();
    });
    // Not open on all MPI ranks: there is nothing that they could close together.
    if (!made.ok() && comm_ != nullptr) file_.forget();
    return made;
  }

  status append(std::vector<described_array>& found) {
    const quiet_errors quiet;
    in_memory_ = true;
    std::vector<old_array> old;
    if (status s = find_arrays(path_, old); !s.ok()) return s;
    if (status s = memory_.append(path_, file_); !s.ok()) return s;
    for (const old_array& one : old) {
      found.push_back(one.described);
      written_array& made = arrays_[one.described.name];
      static_cast<described_array&>(made) = one.described;
      made.path = made.name;
      made.is_ours = one.is_ours;
      made.dataset = owned_dataset(H5Dopen2(file_.get(), made.path.c_str(), H5P_DEFAULT));
      if (!made.dataset) return library_failure("cannot open the array \"" + made.path + "\"");
    }
    dimensions_ = std::make_unique<dimension_scales>(file_.get(), arrays_);
    return dimensions_->adopt(old);
  }

  status place(const catalogue_entry& entry, stored_place& found) override {
    const described_array& array = *entry.array;
    const quiet_errors quiet;
    std::string path;
    if (status s = path_of(array.name, path); !s.ok()) return s;
    if (entry.is_new && !is_utf8(path)) return not_utf8("array", path);
    if (array.elem_len == 0)
      return status::failure(stat_code::kind_unsupported, "HDF5 files hold no empty characters");
    const auto known = arrays_.find(path);
    if (entry.is_new && known != arrays_.end())  // under a name with more slashes
      return status::failure(stat_code::argument_invalid,
                             "the array \"" + path + "\" has been written already");
    if (entry.is_new || array.has_steps)
      if (status s = check_growth(array); !s.ok()) return s;
    written_array* array_made = entry.is_new ? nullptr : &known->second;
    if (entry.is_new)
      if (status s = define(path, array, array_made); !s.ok()) return s;
    written_array& made = *array_made;
    if (!made.is_ours && has_user_block(file_.get()))
      return status::failure(
                 stat_code::kind_unsupported,
                 "headrace adds no steps to \"" + path + "\", which is in a file with a user block")
          .advise("write the steps to a new file");
    if (!made.is_ours)
      return status::failure(
                 stat_code::kind_unsupported,
                 "\"" + path + "\" is stored in other chunks than headrace's, or compressed")
          .advise("write the steps to a new array or to a new file");
    const std::vector<hsize_t> extents = extents_in_file(array.global, array.has_steps);
    const hid_t dataset = made.dataset.get();
    if (array.has_steps) {
      const auto extend = [&] {
        if (!in_memory_) return extend_dataset(dataset, entry.step + 1);
        return memory_.add_step(dataset, extents, entry.step, array.elem_len, found.segments);
      };
      if (status s = agreed(extend); !s.ok()) return s;
      made.steps.add(entry.step_number());
    }
    if (is_empty(array.global) || !in_memory_) return {};
    if (!array.has_steps)
      if (status s = segment_of_new(dataset, extents, found.segments); !s.ok()) return s;
    if (found.segments.empty())
      return status::failure(stat_code::library_failed, "HDF5 gave an array no place");
    return entry.is_new ? dimensions_->close(made) : status();
  }

  bool keeps_places() const noexcept override { return true; }
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override {
    const quiet_errors quiet;
    if (!is_utf8(name)) return not_utf8("attribute", name);
    if (name.empty() || is_reserved_attribute(name))
      return status::failure(stat_code::argument_invalid,
                             "\"" + name + "\" cannot be the name of an attribute in an HDF5 file")
          .advise("CLASS, NAME, DIMENSION_LIST and REFERENCE_LIST belong to HDF5");
    if (array.empty()) return put_attribute(file_.get(), name, value);
    std::string path;
    const hid_t open = dataset(array);
    if (open >= 0 || !path_of(array, path).ok()) return put_attribute(open, name, value);
    const handle again = owned_dataset(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT));
    if (!again) return library_failure("cannot open the array \"" + path + "\"");
    return put_attribute(again.get(), name, value);
  }

  status flush() override {
    const quiet_errors quiet;
    if (status s = write_dimensions(false); !s.ok()) return s;
    if (H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0)
      return library_failure("cannot write the metadata");
    return memory_.bring_to_disk(false, settings_.sync);
  }

  void renamed(const std::string& file) override {
    path_ = file;
    memory_.renamed(file);
  }

  status finish() override {
    const quiet_errors quiet;
    status result = caught([&] { return close_file(); });
    if (!in_memory_) return agreed_status(std::move(result));
    return result.ok() ? memory_.bring_to_disk(true, settings_.sync) : result;
  }

  status begin_put(const catalogue_entry& entry, bool collective) override {
    const quiet_errors quiet;
    element_kind kind;
    kind.type = entry.array->type;
    kind.elem_len = entry.array->elem_len;
    return agreed([&] {
      return transfer_.prepare(dataset(entry.array->name), entry.step, kind, collective);
    });
  }

  status put(const box& part, char* data) override {
    return transfer_.move(direction::out, part, data);
  }
  status check_file() const override {
    const quiet_errors quiet;
    // Our own calls have counted their bytes.
    const bool is_seen = in_memory_ && is_local_file_system(path_);
    if (status s = check_written(path_, stored_, is_seen ? 0 : stored_); !s.ok()) return s;
    // HDF5 compares the size with what the file says of itself when it opens it.
    handle opened;
    return open_file(path_, nullptr, {}, opened);
  }

  void fail() noexcept override { failed_ = true; }

 private:
  // One that place() knows.
  hid_t dataset(const std::string& array) const {
    std::string path;
    if (!path_of(array, path).ok()) return H5I_INVALID_HID;
    const auto found = arrays_.find(path);
    return found == arrays_.end() ? H5I_INVALID_HID : found->second.dataset.get();
  }

  template <class Part>
  status agreed(Part part) const {
    return headrace::agreed(comm_.get(), [&] { return part().in_file_once(path_); });
  }
  status agreed_status(status mine) const {
    return agreed([&] { return std::move(mine); });
  }
  // What the hint asks for, within limits.
  std::int64_t chunk_bytes(const box& global, std::int64_t elem_len) const {
    const auto hint = settings_.hints.find(chunk_hint);
    if (hint == settings_.hints.end()) return largest_chunk;
    const std::int64_t asked = std::strtoll(hint->second.c_str(), nullptr, 10);
    const std::int64_t least = volume(global) / most_chunks_of_a_step * elem_len;
    return std::min(std::max({asked, least, elem_len}), largest_chunk);
  }

  // The largest of all arrays is in force.
  void tell_chunks(std::int64_t bytes) const {
    const auto hint = settings_.hints.find(chunk_hint);
    if (hint == settings_.hints.end()) return;
    const std::int64_t before =
        std::strtoll(notes_.hints.in_force[chunk_hint].c_str(), nullptr, 10);
    notes_.hints.learn({*hint}, {{chunk_hint, std::to_string(std::max(before, bytes))}});
  }

  // Before HDF5 writes: it waits for ever, or crashes at the end of a program, for a file that it
  // cannot close, also for lack of 2 MiB more than the elements take.
  status check_growth(const described_array& array) {
    stored_ += array.bytes();
    if (in_memory_) return {};
    return agreed([&] {
      if (stored_ + (std::int64_t{2} << 20) <= longest_file_ever()) return status();
      return status::system(EFBIG, "the file would be longer than this process may write");
    });
  }

  // Most arrays have that of the one before: to make it anew takes a tenth of a small array's time.
  status find_type(type_class type, std::size_t elem_len) {
    if (type_bytes_ == elem_len && type_class_ == type) return {};
    type_bytes_ = 0;
    if (status s = type_of(type, elem_len, type_); !s.ok()) return s;
    type_class_ = type;
    type_bytes_ = elem_len;
    return {};
  }

  status define(const std::string& path, const described_array& array, written_array*& made) {
    for (const std::string& name : array.dimensions)
      if (name.empty() || name.find('/') != std::string::npos || !is_utf8(name))
        return status::failure(stat_code::argument_invalid,
                               shown(name) + " cannot be the name of a dimension in an HDF5 file")
            .advise("use letters, digits and underscores");
    const auto elem_len = static_cast<std::int64_t>(array.elem_len);
    const std::int64_t chunk = chunk_bytes(array.global, elem_len);
    handle groups;
    dataset_plan stepped;
    dataset_plan& plan = array.has_steps ? stepped : plan_;
    const bool is_in_group = path.find('/') != std::string::npos;
    // Together each part is settled before the next begins: HDF5 waits for all MPI ranks.
    const auto prepare = [&] {
      status done = find_type(array.type, array.elem_len);
      if (done.ok() && is_in_group) done = plan_groups(groups);
      if (done.ok())
        done = plan_dataset(type_.get(), extents_in_file(array.global, array.has_steps),
                            array.has_steps, chunk, plan);
      if (!done.ok()) return done;
      made = &arrays_[path];
      made->path = path;
      static_cast<described_array&>(*made) = array;
      made->steps = {};  // none is there yet
      return done;
    };
    status result = agreed(prepare);
    // If only some MPI ranks made groups, HDF5 waits for the others when it closes the file.
    const auto make_room = [&] {
      status done = dimensions_->give_way(path);
      for (std::size_t end = path.find('/'); done.ok() && end != std::string::npos;
           end = path.find('/', end + 1))
        done = dimensions_->give_way(path.substr(0, end));
      return done.ok() ? make_groups(file_.get(), path, groups.get()) : done;
    };
    if (result.ok()) result = agreed(make_room);
    const auto create = [&] {
      return create_dataset(file_.get(), path, type_.get(), plan, made->dataset);
    };
    if (result.ok()) result = agreed(create);
    if (!result.ok()) arrays_.erase(path);
    if (result.ok() && array.has_steps) tell_chunks(chunk);
    return result;
  }

  status write_dimensions(bool is_last) {
    return dimensions_->write(comm_ == nullptr || comm_->rank() == 0, is_last,
                              [&](status mine) { return agreed_status(std::move(mine)); });
  }

  status close_file() {
    status result = caught([&] { return write_dimensions(true); });
    if (!in_memory_) {
      // HDF5 can crash at the end of a program over a file that it could not close, and waits for
      // MPI ranks that do not come.
      if (result = agreed_status(std::move(result)); !result.ok()) return result;
      result = agreed([&] {
        return H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0
                   ? status()
                   : library_failure("cannot write the metadata");
      });
      if (!result.ok()) return result;
    }
    dimensions_.reset();
    for (auto& [path, array] : arrays_)
      if (!array.dataset.close())
        result.keep_first(library_failure("cannot close the array \"" + path + "\""));
    if (!file_.close()) result.keep_first(library_failure("cannot close the file"));
    return result;
  }

  std::string path_;
  parallel_settings settings_;
  parallel_notes& notes_;
  communicator_ptr comm_;
  bool in_memory_ = false;
  bool failed_ = false;
  std::int64_t stored_ = 0;  // bytes of all arrays
  memory_file memory_;
  handle file_;
  written_arrays arrays_;
  std::unique_ptr<dimension_scales> dimensions_;
  part_transfer transfer_;   // of the last array
  dataset_plan plan_;        // of the last one without steps
  type_class type_class_{};  // of type_, and its bytes: 0 if there is none
  std::size_t type_bytes_ = 0;
  handle type_;
};

status create(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  const auto make = [&](const communicator_ptr& comm,
                        std::unique_ptr<file_description>& description,
                        std::vector<described_array>& found) {
    auto one = std::make_unique<definitions>(how, comm);
    definitions& begun = *one;
    description = std::move(one);
    return how.appends ? begun.append(found) : begun.create(!how.settings.by_library());
  };
  return create_described(how, make, made);
}

}  // namespace
}  // namespace headrace::hdf5

namespace headrace {

const backend hdf5_backend = {"hdf5",
                              can_serial | can_shared_independent | can_shared_collective |
                                  can_own_transfer | can_library_transfer | can_append | can_keep,
                              write_pattern::shared_collective,
                              transfer_way::headrace,
                              nullptr,
                              hdf5::create,
                              hdf5::open};

}  // namespace headrace
