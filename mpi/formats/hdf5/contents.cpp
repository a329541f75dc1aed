#include "contents.hpp"

#include "../../../src/core/name_text.hpp"
#include "../../disk/hints.hpp"
#include "../../disk/journal.hpp"
#include "file.hpp"
#include "scales.hpp"
#include "storage.hpp"

namespace headrace::hdf5 {
namespace {

// Of a chunk that several calls need; with the parts of slabs.hpp below the limit of memory.
constexpr std::size_t cached_bytes = std::size_t{24} << 20;

// No exception may pass through HDF5, which is C.
herr_t add_dataset(hid_t file, const char* name, const H5O_info_t* info, void* data) try {
  if (info->type != H5O_TYPE_DATASET) return 0;
  const handle dataset = owned_dataset(H5Dopen2(file, name, H5P_DEFAULT));
  if (dataset && !is_dimension_only(dataset.get()))
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
  return 0;
} catch (const std::bad_alloc&) {
  return -1;
}

bool add_datasets(hid_t file, std::vector<std::string>& names) {
  return H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, add_dataset, &names, H5O_INFO_BASIC) >= 0;
}

status open_dataset(hid_t file, const std::string& path, handle& dataset) {
  const handle access = owned_properties(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, cached_bytes,
                     H5D_CHUNK_CACHE_W0_DEFAULT);
  dataset = owned_dataset(H5Dopen2(file, path.c_str(), access.get()));
  if (dataset) return {};
  // Before other calls forget the reason.
  status failed =
      library_failure("cannot open the array \"" + path + "\"", stat_code::header_damaged);
  // A name that leads to no dataset is what users get wrong; anything else is the file's fault.
  const auto is_none = [&](const std::string& what) {
    std::vector<std::string> known;
    static_cast<void>(add_datasets(file, known));
    return status::failure(stat_code::array_missing, what)
        .advise(known.empty() ? "it has no arrays" : "it has " + names_text(known));
  };
  std::string part;
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    part = path.substr(0, end);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0)
      return is_none("the file has no array \"" + path + "\"");
    if (end == std::string::npos) break;
  }
  H5O_info_t info;
  if (H5Oget_info_by_name2(file, path.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
      info.type != H5O_TYPE_DATASET)
    return is_none("\"" + path + "\" is a group, no array");
  return failed;
}

status learn_extents(hid_t dataset, std::vector<hsize_t>& extents) {
  const auto failure = [] {
    return library_failure("cannot learn the shape", stat_code::header_damaged);
  };
  const handle space = owned_space(H5Dget_space(dataset));
  const int dimensions = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (dimensions < 0) return failure();
  const H5S_class_t shape = H5Sget_simple_extent_type(space.get());
  if (shape < 0) return failure();
  if (shape == H5S_NULL)
    return status::failure(stat_code::shape_mismatch, "the array is empty (a null dataspace)");
  extents.resize(static_cast<std::size_t>(dimensions));
  if (H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr) < 0) return failure();
  return {};
}

// What is in a file, foreign ones too: arrays, steps and attributes, and where the elements lie. Of
// one MPI rank alone; with the library's transfer of all, through MPI-IO.
class contents final : public described_file {
 public:
  // comm: null for one MPI rank alone; otherwise all of it calls. places: else it tells of none,
  // and everything is read by read().
  explicit contents(std::string file, communicator_ptr comm = nullptr, bool places = true)
      : path_(std::move(file)), comm_(std::move(comm)), places_(places) {}

  status open(const hint_list& hints = {}, hints_found* found = nullptr) {
    const quiet_errors quiet;
    if (comm_ == nullptr)
      if (status s = finish_changes(path_); !s.ok()) return s;
    status opened = open_file(path_, comm_.get(), hints, file_);
    if (!opened.ok() || found == nullptr) return opened;
    // All have the file open by now, and close it together.
    return caught([&] {
      learn_hints(file_.get(), hints, *found);
      return status();
    });
  }

  status names(std::vector<std::string>& found) override {
    const quiet_errors quiet;
    if (add_datasets(file_.get(), found)) return {};
    return library_failure("cannot list the arrays", stat_code::header_damaged);
  }

  status describe(const std::string& name, described_array& found) override {
    const quiet_errors quiet;
    if (status s = select(name); !s.ok()) return s;
    found = stored_;
    return {};
  }

  // None of a step that HDF5 reads sooner than it tells its place.
  status place(const std::string& name, std::int64_t step_index, stored_place& found) override {
    const quiet_errors quiet;
    if (status s = select(name); !s.ok()) return s;
    if (!places_ || !kind_.plain || reads_sooner(step_index, stored_.bytes())) return {};
    found.swapped_word = kind_.swapped ? kind_.word_bytes : 0;
    return segments_of(dataset_.get(), extents_in_file(stored_.global, step_index >= 0), step_index,
                       found.segments);
  }

  status begin_read(const std::string& name, std::int64_t step_index, bool collective,
                    bool& is_readable) override {
    const quiet_errors quiet;
    status ready = agreed(comm_.get(), [&] { return select(name); });
    is_readable = comm_ == nullptr || !is_virtual_;
    if (!ready.ok() || !is_readable) return ready;
    return agreed(comm_.get(),
                  [&] { return transfer_.prepare(dataset_.get(), step_index, kind_, collective); });
  }

  status read(const box& part, char* data) override {
    return transfer_.move(direction::in, part, data);
  }

  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override {
    const quiet_errors quiet;
    std::string path;
    handle object;
    if (!array.empty()) {
      if (status s = path_of(array, path); !s.ok()) return s;
      if (status s = open_dataset(file_.get(), path, object); !s.ok()) return s;
    }
    return get_attribute(array.empty() ? file_.get() : object.get(), name, value).in_array(array);
  }

  // As it is known of an array that is written.
  status look_at(const std::string& name, old_array& found) {
    const quiet_errors quiet;
    if (status s = select(name); !s.ok()) return s;
    found.described = stored_;
    found.described.name = name;
    found.scales = scales_;
    stored_place where;
    const bool has_place = !stored_.has_steps || stored_.steps.count() > 0;
    if (status s = has_place ? place(name, stored_.has_steps ? 0 : -1, where) : status(); !s.ok())
      return s;
    found.is_ours = kind_.plain && !kind_.swapped && !where.segments.empty() &&
                    stored_steps_ == stored_.steps.count();
    return {};
  }

 private:
  status select(const std::string& name) {
    if (dataset_ && name == name_) return {};
    std::string path;
    if (status s = path_of(name, path); !s.ok()) return s;
    dataset_.close();
    if (status s = open_dataset(file_.get(), path, dataset_); !s.ok()) return s;
    if (status s = learn(); !s.ok()) {
      dataset_.close();
      return s;
    }
    name_ = name;
    return {};
  }

  status learn() {
    const handle type = owned_type(H5Dget_type(dataset_.get()));
    if (!type) return library_failure("cannot learn the kind", stat_code::header_damaged);
    kind_ = {};
    if (status s = kind_of(type.get(), kind_); !s.ok()) return s;
    if (kind_.variable)
      return status::failure(stat_code::kind_unsupported,
                             "texts of variable length are not an array of characters")
          .advise("store them with a fixed length");
    const handle creation = owned_properties(H5Dget_create_plist(dataset_.get()));
    const H5D_layout_t stored_as = H5Pget_layout(creation.get());
    if (stored_as < 0) return library_failure("cannot learn how it is stored");
    is_virtual_ = stored_as == H5D_VIRTUAL;
    std::vector<hsize_t> extents;
    if (status s = learn_extents(dataset_.get(), extents); !s.ok()) return s;
    stored_ = {};
    std::vector<std::int64_t> steps;
    if (status s = read_dimensions(dataset_.get(), scales_, stored_.has_steps, steps); !s.ok())
      return s;
    const std::size_t first = stored_.has_steps ? 1 : 0;
    stored_steps_ = stored_.has_steps ? static_cast<std::int64_t>(extents[0]) : 0;
    if (stored_.has_steps && steps.size() > extents[0]) steps.resize(extents[0]);
    stored_.steps = step_list(std::move(steps));
    if (extents.size() - first > max_parallel_rank)
      return status::failure(stat_code::shape_mismatch, "the array has too many dimensions")
          .expected("at most " + std::to_string(max_parallel_rank),
                    std::to_string(extents.size() - first));
    stored_.type = kind_.type;
    stored_.elem_len = kind_.elem_len;
    for (std::size_t d = extents.size(); d-- > first;) {
      const int number = stored_.global.array_rank++;
      stored_.global.count[static_cast<std::size_t>(number)] =
          static_cast<std::int64_t>(extents[d]);
      stored_.dimensions.push_back(scales_[d].empty() ? "d" + std::to_string(number + 1)
                                                      : leaf_of(scales_[d]));
    }
    return {};
  }

  std::string path_;
  communicator_ptr comm_;
  bool places_;
  handle file_;
  // The array that was last looked at.
  std::string name_;
  handle dataset_;
  element_kind kind_;
  described_array stored_;
  std::vector<std::string> scales_;
  std::int64_t stored_steps_ = 0;
  bool is_virtual_ = false;  // it has its elements in other datasets
  part_transfer transfer_;
};

}  // namespace

status find_arrays(const std::string& file, std::vector<old_array>& found) {
  contents there(file);
  std::vector<std::string> names;
  if (status s = there.open(); !s.ok()) return s;
  if (status s = there.names(names); !s.ok()) return s;
  for (const std::string& name : names) {
    old_array one;
    status looked = there.look_at(name, one);
    const int code = looked.code();
    if (code == static_cast<int>(stat_code::kind_unsupported) ||
        code == static_cast<int>(stat_code::kind_mismatch) ||
        code == static_cast<int>(stat_code::shape_mismatch))
      continue;
    if (!looked.ok()) return looked;
    found.push_back(std::move(one));
  }
  return {};
}

status open(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  const bool own = !how.settings.by_library();
  const auto open_file = [file = how.file, own, hints = how.settings.hints, &notes = how.notes](
                             const communicator_ptr& comm,
                             std::unique_ptr<described_file>& opened) {
    auto one = std::make_unique<contents>(file, comm, own);
    contents& begun = *one;
    opened = std::move(one);
    return comm == nullptr ? begun.open() : begun.open(hints, &notes.hints);
  };
  return open_described(how, open_file, made);
}

}  // namespace headrace::hdf5
