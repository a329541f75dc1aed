#include "reader.hpp"

#include <algorithm>

#include "../../../src/core/byte_swap.hpp"
#include "../../../src/core/name_text.hpp"
#include "../../disk/mpi_io_health.hpp"
#include "../../move/element_form.hpp"
#include "attributes.hpp"
#include "dimensions.hpp"
#include "file.hpp"

namespace headrace {
namespace {

// Of a chunk that several calls need; with the parts of slabs.hpp below the limit of memory.
constexpr std::size_t cached_bytes = std::size_t{24} << 20;

bool mpi_is_over() noexcept {
  int over = 0;
  MPI_Finalized(&over);
  return over != 0;
}

// No exception may pass through HDF5, which is C.
herr_t add_dataset(hid_t file, const char* name, const H5O_info_t* info, void* data) try {
  if (info->type != H5O_TYPE_DATASET) return 0;
  const hdf5_handle dataset = owned_dataset(H5Dopen2(file, name, H5P_DEFAULT));
  if (dataset && !hdf5_is_dimension_only(dataset.get()))
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
  return 0;
} catch (const std::bad_alloc&) {
  return -1;
}

bool add_datasets(hid_t file, std::vector<std::string>& names) {
  return H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, add_dataset, &names, H5O_INFO_BASIC) >= 0;
}

status too_many_dimensions(int found) {
  return status::failure(stat_code::shape_mismatch, "the array has too many dimensions")
      .expected("at most " + std::to_string(max_parallel_rank), std::to_string(found));
}

}  // namespace

hdf5_reader::hdf5_reader(std::string file, communicator_ptr comm, const parallel_settings& settings,
                         parallel_notes& notes)
    : path_(std::move(file)),
      comm_(std::move(comm)),
      settings_(settings),
      notes_(notes),
      direct_(path_, settings_, notes_) {}

hdf5_reader::~hdf5_reader() {
  if (mpi_is_over()) return;
  const hdf5_quiet quiet;
  parallel_.close();
  mine_.close();
  file_.close();
}

bool hdf5_reader::is_together() const noexcept {
  return settings_.transfer == transfer_way::library && settings_.pattern != write_pattern::serial;
}

status hdf5_reader::open() {
  const hdf5_quiet quiet;
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  status opened;
  if (comm_->rank() == 0)
    opened = caught([&] { return hdf5_open_file(path_, nullptr, {}, file_); });
  opened = status_of_root(*comm_, opened);
  if (!opened.ok() || !is_together()) return opened;
  if (status s = check_sieving(*comm_, path_, false); !s.ok()) return s;
  // It agrees within.
  opened = agree(*comm_, hdf5_open_file(path_, comm_.get(), settings_.hints, parallel_));
  if (!opened.ok()) return opened;
  return agree_on(*comm_, [&] {
    hdf5_learn_hints(parallel_.get(), settings_.hints, notes_.hints);
    return status();
  });
}

status hdf5_reader::names(std::vector<std::string>& found) {
  const hdf5_quiet quiet;
  const auto list = [&](root_message& all) {
    std::vector<std::string> known;
    if (!add_datasets(file_.get(), known))
      return hdf5_failure("cannot list the arrays", stat_code::header_damaged).in_file(path_);
    all.text = joined_texts(known);
    return status();
  };
  return from_root(*comm_, list, [&](const root_message& all) { found = split_texts(all.text); });
}

status hdf5_reader::open_dataset(hid_t file, const std::string& path, hdf5_handle& dataset) const {
  const hdf5_handle access = owned_properties(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, cached_bytes,
                     H5D_CHUNK_CACHE_W0_DEFAULT);
  dataset = owned_dataset(H5Dopen2(file, path.c_str(), access.get()));
  if (dataset) return {};
  // Before other calls forget the reason.
  status failed = hdf5_failure("cannot open the array \"" + path + "\"", stat_code::header_damaged);
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

status hdf5_reader::look_at(const std::string& path, known_array& found) const {
  hdf5_handle dataset;
  if (status s = open_dataset(file_.get(), path, dataset); !s.ok()) return s;
  const hdf5_handle type = owned_type(H5Dget_type(dataset.get()));
  if (!type) return hdf5_failure("cannot learn the kind", stat_code::header_damaged);
  if (status s = hdf5_kind_of(type.get(), found.kind); !s.ok()) return s;
  if (found.kind.variable)
    return status::failure(stat_code::kind_unsupported, "texts of variable length are no array")
        .advise("store them with a fixed length");
  const hdf5_handle creation = owned_properties(H5Dget_create_plist(dataset.get()));
  const H5D_layout_t stored_as = H5Pget_layout(creation.get());
  if (stored_as < 0) return hdf5_failure("cannot learn how it is stored");
  found.is_virtual = stored_as == H5D_VIRTUAL;
  const hdf5_handle space = owned_space(H5Dget_space(dataset.get()));
  const int dimensions = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (dimensions < 0) return hdf5_failure("cannot learn the shape", stat_code::header_damaged);
  const H5S_class_t shape = H5Sget_simple_extent_type(space.get());
  if (shape < 0) return hdf5_failure("cannot learn the shape", stat_code::header_damaged);
  if (shape == H5S_NULL)
    return status::failure(stat_code::shape_mismatch, "the array is empty (a null dataspace)");
  std::vector<hsize_t> extents(static_cast<std::size_t>(dimensions));
  if (H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr) < 0)
    return hdf5_failure("cannot learn the shape", stat_code::header_damaged);
  stored_array& stored = found.stored;
  std::vector<std::string> names;
  if (status s = hdf5_read_dimensions(dataset.get(), names, stored.has_steps, stored.steps);
      !s.ok())
    return s;
  const std::size_t first = stored.has_steps ? 1 : 0;
  if (stored.has_steps && stored.steps.size() > extents[0]) stored.steps.resize(extents[0]);
  if (dimensions - static_cast<int>(first) > max_parallel_rank)
    return too_many_dimensions(dimensions - static_cast<int>(first));
  stored.dimensions.clear();
  found.global = box();
  for (std::size_t d = extents.size(); d-- > first;) {
    found.global.count[static_cast<std::size_t>(found.global.array_rank++)] =
        static_cast<std::int64_t>(extents[d]);
    stored.dimensions.push_back(names[d].empty() ? "d" + std::to_string(found.global.array_rank)
                                                 : names[d]);
  }
  return {};
}

root_message hdf5_reader::pack(const known_array& array) {
  const hdf5_kind& kind = array.kind;
  const stored_array& stored = array.stored;
  root_message all;
  all.numbers = {static_cast<std::int64_t>(kind.type),
                 static_cast<std::int64_t>(kind.elem_len),
                 static_cast<std::int64_t>(kind.word_bytes),
                 kind.swapped ? 1 : 0,
                 kind.plain ? 1 : 0,
                 kind.long_names ? 1 : 0,
                 kind.utf8 ? 1 : 0,
                 array.is_virtual ? 1 : 0,
                 stored.has_steps ? 1 : 0,
                 array.global.array_rank};
  all.numbers.insert(all.numbers.end(), array.global.count.begin(), array.global.count.end());
  all.numbers.insert(all.numbers.end(), stored.steps.begin(), stored.steps.end());
  all.text = joined_texts(stored.dimensions);
  return all;
}

void hdf5_reader::unpack(const root_message& all, known_array& array) {
  hdf5_kind& kind = array.kind;
  stored_array& stored = array.stored;
  auto next = all.numbers.begin();
  kind.type = static_cast<type_class>(*next++);
  kind.elem_len = static_cast<std::size_t>(*next++);
  kind.word_bytes = static_cast<std::size_t>(*next++);
  kind.swapped = *next++ != 0;
  kind.plain = *next++ != 0;
  kind.long_names = *next++ != 0;
  kind.utf8 = *next++ != 0;
  array.is_virtual = *next++ != 0;
  stored.has_steps = *next++ != 0;
  array.global.array_rank = static_cast<int>(*next++);
  std::copy_n(next, max_parallel_rank, array.global.count.begin());
  stored.steps.assign(next + max_parallel_rank, all.numbers.end());
  stored.dimensions = split_texts(all.text);
  array_info& info = stored.info;
  info.type = kind.type;
  info.elem_len = kind.elem_len;
  info.array_rank = array.global.array_rank;
  info.any_logical_kind = kind.type == type_class::logical;
  for (std::size_t d = 0; d < max_parallel_rank; ++d) info.extent[d] = array.global.count[d];
  info.bytes = static_cast<std::uint64_t>(volume(array.global)) * kind.elem_len;
  info.order = kind.swapped ? (is_swapped(byte_order::big) ? byte_order::big : byte_order::little)
                            : byte_order::native;
}

status hdf5_reader::known(const std::string& name, std::string& path, const known_array*& found) {
  if (status s = hdf5_path(name, path); !s.ok()) return std::move(s).in_file(path_);
  auto entry = known_.find(path);
  if (entry == known_.end()) {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    const auto look = [&](root_message& all) {
      known_array here;
      if (status s = look_at(path, here); !s.ok()) return std::move(s).in_file_once(path_);
      all = pack(here);
      return status();
    };
    const auto take = [&](const root_message& all) {
      known_array array;
      unpack(all, array);
      entry = known_.emplace(path, std::move(array)).first;
    };
    if (status s = from_root(*comm_, look, take); !s.ok()) {
      known_.erase(path);  // on all, also where only another one lacked memory
      return s;
    }
  }
  found = &entry->second;
  return {};
}

status hdf5_reader::describe(const std::string& name, stored_array& found) {
  const hdf5_quiet quiet;
  std::string path;
  const known_array* array = nullptr;
  if (status s = known(name, path, array); !s.ok()) return s;
  found = array->stored;
  return {};
}

// Collective. None when the elements do not lie in the file as they are needed.
status hdf5_reader::find_segments(const std::string& path, const hdf5_cargo& cargo,
                                  std::vector<hdf5_segment>& segments) const {
  const auto find = [&](std::vector<hdf5_segment>& found) {
    hdf5_handle dataset;
    if (status s = open_dataset(file_.get(), path, dataset); !s.ok()) return s;
    return hdf5_segments_of(dataset.get(), cargo.layout.global(), cargo.step, found);
  };
  return segments_from_root(*comm_, find, segments);
}

// done stays false when the elements do not lie there as they are needed.
status hdf5_reader::read_directly(const std::string& path, const hdf5_cargo& cargo, bool& done) {
  std::vector<hdf5_segment> segments;
  if (status s = find_segments(path, cargo, segments); !s.ok()) return s;
  done = !segments.empty();
  return done ? direct_.read(cargo, segments) : status();
}

// By MPI-IO, which knows no virtual datasets, or on each MPI rank for itself.
status hdf5_reader::read_by_library(const std::string& path, const known_array& array,
                                    const hdf5_cargo& cargo) {
  const bool parallel = is_together() && !array.is_virtual;
  const bool reads = comm_->rank() == 0 || settings_.pattern != write_pattern::serial;
  hdf5_handle dataset;
  status result;
  if (reads && !parallel && comm_->rank() != 0 && !mine_)
    result = caught([&] { return hdf5_open_file(path_, nullptr, {}, mine_); });
  const hdf5_handle& file = parallel ? parallel_ : comm_->rank() == 0 ? file_ : mine_;
  if (result.ok() && reads)
    result = caught([&] { return open_dataset(file.get(), path, dataset); });
  if (status s = agree(*comm_, result); !s.ok()) return s;
  const auto find = [&](std::vector<hdf5_segment>& found) {
    return find_segments(path, cargo, found);
  };
  return hdf5_library_read(cargo, dataset.get(), parallel, find, settings_, notes_);
}

status hdf5_reader::read(const std::string& name, std::int64_t step_index, const array_view& local,
                         const array_layout& layout) {
  const hdf5_quiet quiet;
  std::string path;
  const known_array* array = nullptr;
  if (status s = known(name, path, array); !s.ok()) return s;
  if (is_empty(array->global)) return {};
  const hdf5_cargo cargo{layout, local, array->kind, array->stored.has_steps ? step_index : -1};
  bool done = false;
  status result;
  if (settings_.transfer != transfer_way::library && array->kind.plain)
    result = read_directly(path, cargo, done);
  if (result.ok() && !done) result = read_by_library(path, *array, cargo);
  return std::move(result).in_file_once(path_);
}

status hdf5_reader::read_attribute(const std::string& array, const std::string& name,
                                   const array_view& value) {
  const hdf5_quiet quiet;
  std::string path;
  status result = array.empty() ? status() : hdf5_path(array, path);
  if (!result.ok()) return std::move(result).in_file_once(path_);
  const element_form form = form_of(value);
  std::string bytes;
  // Before others send.
  result = agree_on(*comm_, [&] {
    bytes.reserve(element_count(value).value_or(0) * form.file_bytes);
    return status();
  });
  if (!result.ok()) return result;
  if (comm_->rank() == 0)
    result = caught([&] {
      hdf5_handle object;
      status found = array.empty() ? status() : open_dataset(file_.get(), path, object);
      if (!found.ok()) return found;
      return hdf5_read_attribute(array.empty() ? file_.get() : object.get(), name, value, bytes)
          .in_array(array);
    });
  result = std::move(result).in_file_once(path_);
  if (status s = status_of_root(*comm_, result); !s.ok()) return s;
  broadcast(*comm_, 0, bytes);
  if (!bytes.empty()) load_elements(value, form, bytes.data());
  return {};
}

}  // namespace headrace
