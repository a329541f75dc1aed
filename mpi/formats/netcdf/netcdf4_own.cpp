// NetCDF-4 files by own transfer: written by HDF5 as the NetCDF library does it, in memory until
// they are flushed (hdf5/memory.hpp). What is in an old file NetCDF tells, and HDF5 where it lies.
#include <algorithm>
#include <cctype>
#include <deque>
#include <optional>
#include <utility>

#include "../../../include/headrace.h"
#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../disk/journal.hpp"
#include "../hdf5/dimensions.hpp"
#include "../hdf5/file.hpp"
#include "../hdf5/memory.hpp"
#include "../hdf5/scales.hpp"
#include "../hdf5/storage.hpp"
#include "file.hpp"

namespace headrace::netcdf {
namespace {

constexpr std::size_t longest_name = 256;  // NC_MAX_NAME
const char* const not_a_coordinate = "_nc4_non_coord_";
const char* const dimensions_of_coordinate = "_Netcdf4Coordinates";
const char* const properties = "_NCProperties";

// Numbers of steps that are a chunk.
constexpr hsize_t steps_of_a_chunk = 512;

// As NetCDF checks it.
bool is_name(const std::string& name) {
  const auto first = static_cast<unsigned char>(name.empty() ? ' ' : name.front());
  const bool begins = std::isalnum(first) != 0 || first == '_' || first >= 0x80;
  const auto is_bad = [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte < 0x20 || byte == 0x7f || letter == '/';
  };
  // HDF5's object has that name if a dimension has the array's.
  const bool is_taken = name.rfind(not_a_coordinate, 0) == 0;
  return begins && !is_taken && name.back() != ' ' && name.size() <= longest_name &&
         std::none_of(name.begin(), name.end(), is_bad) && is_utf8(name);
}

// what: "cannot add the variable"
status bad_name_failure(const char* what, const std::string& name) {
  return library_failure(bad_name, "NetCDF: Name contains illegal characters",
                         what + (" \"" + name + "\""));
}

bool is_reserved(const std::string& name) {
  return hdf5::is_reserved_attribute(name) || name == hdf5::dimension_number ||
         name == dimensions_of_coordinate || name == properties;
}

hdf5::handle text_type(std::size_t length) {
  hdf5::handle type = hdf5::owned_type(H5Tcopy(H5T_C_S1));
  if (type && H5Tset_size(type.get(), length) < 0) type.close();
  return type;
}

// The datatype of values in the file, or of a text of so many characters.
status make_type(value_type type, std::size_t characters, hdf5::handle& made) {
  if (type != value_type::text) return hdf5::type_of(class_of(type), bytes_of(type), made);
  made = text_type(characters);
  return made ? status() : hdf5::library_failure("a datatype could not be made");
}

class netcdf4_own final : public library_file {
 public:
  ~netcdf4_own() override {
    if (mpi_has_ended()) return;
    const hdf5::quiet_errors quiet;
    variables_.clear();
    scales_.reset();
    file_.close();
  }

  status create(const dataset_opening& how, MPI_Comm /*together*/) override {
    const hdf5::quiet_errors quiet;
    path_ = how.file;
    sync_ = how.settings.sync;
    if (status s = memory_.create(path_, file_); !s.ok()) return s;
    scales_.emplace(file_.get(), true);
    writes_ = true;
    unsigned version[3] = {};
    H5get_libversion(&version[0], &version[1], &version[2]);
    std::string text = std::string("version=2,headrace=") + hr_version() + ",hdf5=";
    for (int i = 0; i < 3; ++i) text += (i == 0 ? "" : ".") + std::to_string(version[i]);
    return hdf5::write_text(file_.get(), properties, text);
  }

  status open(const dataset_opening& how, MPI_Comm together) override {
    path_ = how.file;
    sync_ = how.settings.sync;
    if (status s = finish_changes(path_); !s.ok()) return s;
    reader_ = make_netcdf4_file();
    status opened = reader_->open(how, together);
    if (opened.code() != static_cast<int>(stat_code::header_damaged)) return opened;
    // The program may have it open with another degree of closing than NetCDF's. Through MPI-IO
    // each opening is one of its own.
    const hdf5::quiet_errors quiet;
    hdf5::handle there;
    if (!hdf5::open_file(path_, nullptr, {}, there).ok()) return opened;
    dataset_opening apart = how;
    apart.settings.hints.clear();
    reader_ = make_netcdf4_file();
    return reader_->open(apart, MPI_COMM_SELF);
  }

  status define() override { return prepare_to_write(); }
  status end_define() override { return {}; }
  status add_dimension(const std::string& name, std::int64_t length, int& id) override {
    if (!is_name(name)) return bad_name_failure("cannot add the dimension", name);
    id = static_cast<int>(dimensions_.size());
    dimensions_.push_back({name, length, length == 0});
    scales_->add(scale_of(dimensions_.back()));
    return {};
  }

  status add_variable(const file_variable& given, const std::vector<std::int64_t>& lengths,
                      int& id) override {
    const hdf5::quiet_errors quiet;
    if (!is_name(given.name)) return bad_name_failure("cannot add the variable", given.name);
    const auto same = std::find_if(dimensions_.begin(), dimensions_.end(),
                                   [&](const auto& one) { return one.name == given.name; });
    known_variable made;
    made.dimensions = given.dimensions;
    made.is_coordinate = same != dimensions_.end() && !given.dimensions.empty() &&
                         given.dimensions.front() == same - dimensions_.begin();
    made.path = given.name;
    if (same != dimensions_.end() && !made.is_coordinate) made.path = not_a_coordinate + made.path;
    auto* const scale = made.is_coordinate
                            ? &(*scales_)[static_cast<std::size_t>(same - dimensions_.begin())]
                            : nullptr;
    if (scale != nullptr && scale->made)  // the variable takes its place
      if (status s = scales_->give_way(*scale); !s.ok()) return s;
    if (status s = make_dataset(given, lengths, made); !s.ok()) return s;
    id = static_cast<int>(variables_.size());
    variables_.push_back(std::move(made));
    known_variable& one = variables_.back();
    if (scale != nullptr) scale->coordinates = &one;
    return one.is_coordinate ? list_dimensions(one) : use_scales(one, false);
  }

  status put_attribute(int variable, const std::string& name, value_type type, std::int64_t count,
                       const void* values) override {
    const hdf5::quiet_errors quiet;
    const auto extent = static_cast<hsize_t>(count);
    const bool is_text = type == value_type::text;
    hdf5::handle kind;
    if (status s = make_type(type, std::max<std::size_t>(1, extent), kind); !s.ok()) return s;
    const hdf5::handle space = hdf5::owned_space(count == 0 ? H5Screate(H5S_NULL)
                                                 : is_text  ? H5Screate(H5S_SCALAR)
                                                           : H5Screate_simple(1, &extent, nullptr));
    return replace_attribute(variable, name, kind.get(), space.get(), values);
  }

  status put_texts(int variable, const std::string& name,
                   const std::vector<std::string>& texts) override {
    const hdf5::quiet_errors quiet;
    if (status s = check_c_texts(name, texts); !s.ok()) return s;
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const hsize_t extent = pointers.size();
    pointers.push_back(nullptr);  // HDF5 takes no null pointer, also for no text
    const hdf5::handle kind = text_type(H5T_VARIABLE);
    const hdf5::handle space = hdf5::owned_space(
        texts.empty() ? H5Screate(H5S_NULL) : H5Screate_simple(1, &extent, nullptr));
    if (!kind || H5Tset_cset(kind.get(), H5T_CSET_UTF8) < 0)
      return hdf5::library_failure("a datatype could not be made");
    return replace_attribute(variable, name, kind.get(), space.get(), pointers.data());
  }

  status use(int /*variable*/, bool& /*collective*/) override { return {}; }
  status move(direction way, int variable, const file_section& part, void* values) override {
    if (way == direction::in) return reader_->move(way, variable, part, values);
    const hdf5::quiet_errors quiet;
    if (status s = prepare_to_write(); !s.ok()) return s;
    if (part.values == 0) return {};
    known_variable& one = variables_[static_cast<std::size_t>(variable)];
    if (one.has_records)
      if (status s = extend(one, part.start[0] + part.count[0] - 1); !s.ok()) return s;
    const library_section<hsize_t> where(part);
    const hdf5::handle file_space = hdf5::owned_space(H5Dget_space(dataset_of(one)));
    const hdf5::handle memory =
        hdf5::owned_space(H5Screate_simple(part.dimensions, where.count.data(), nullptr));
    const hdf5::handle in_file = hdf5::owned_type(H5Dget_type(one.dataset.get()));
    const hdf5::handle type = hdf5::owned_type(H5Tget_native_type(in_file.get(), H5T_DIR_DEFAULT));
    if (H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, where.start.data(), nullptr,
                            where.count.data(), nullptr) >= 0 &&
        H5Dwrite(one.dataset.get(), type.get(), memory.get(), file_space.get(), H5P_DEFAULT,
                 values) >= 0)
      return {};
    return hdf5::library_failure("cannot write");
  }

  status place(int variable, std::int64_t record, const value_form& form, std::int64_t elements,
               stored_place& found) override {
    const hdf5::quiet_errors quiet;
    known_variable& one = variables_[static_cast<std::size_t>(variable)];
    const std::int64_t bytes =
        elements * form.parts * static_cast<std::int64_t>(bytes_of(form.type));
    if (!writes_ && hdf5::reads_sooner(record, bytes)) return {};
    if (!writes_ && !file_)
      if (status s = hdf5::open_file(path_, nullptr, {}, file_); !s.ok()) return s;
    if (!one.dataset)
      if (status s = open_variable(file_.get(), one); !s.ok()) return s;
    if (writes_ && one.has_records) {
      if (status s = place_of_record(one, record, found.segments); !s.ok()) return s;
    }
    if (!writes_ && one.has_records && record >= static_cast<std::int64_t>(one.records)) return {};
    status looked;
    if (!writes_)
      looked = find_segments(one, record, found.segments);
    else if (!one.has_records)
      looked = hdf5::segment_of_new(one.dataset.get(), one.extents, found.segments);
    if (!looked.ok()) return looked;
    if (found.segments.empty() && writes_)
      return status::failure(stat_code::library_failed, "HDF5 gave an array no place");
    for (file_segment& part : found.segments) {
      part.first /= form.parts;
      part.last /= form.parts;
    }
    found.swapped_word = one.kind.swapped ? one.kind.word_bytes : 0;
    const bool is_complete = writes_ && !one.has_records && !one.is_coordinate;
    return is_complete ? scales_->close(one) : status();
  }

  status flush() override {
    if (!writes_) return {};
    const hdf5::quiet_errors quiet;
    if (status s = write_scales(false); !s.ok()) return s;
    if (H5Fflush(file_.get(), H5F_SCOPE_LOCAL) < 0)
      return hdf5::library_failure("cannot write the metadata");
    return memory_.bring_to_disk(false, sync_);
  }

  void renamed(const std::string& file) override {
    path_ = file;
    memory_.renamed(file);
  }

  status close() override {
    if (!writes_) return {};
    const hdf5::quiet_errors quiet;
    status done = write_scales(true);
    scales_.reset();
    for (known_variable& one : variables_)
      if (!one.dataset.close()) done.keep_first(hdf5::library_failure("cannot close a variable"));
    if (!file_.close()) done.keep_first(hdf5::library_failure("cannot close the file"));
    return done.ok() ? memory_.bring_to_disk(true, sync_) : done;
  }

  status contents(std::vector<file_dimension>& dimensions,
                  std::vector<file_variable>& variables) override {
    if (status s = reader_->contents(dimensions, variables); !s.ok()) return s;
    dimensions_ = dimensions;
    variables_.clear();
    for (const file_variable& one : variables) {
      variables_.emplace_back();
      known_variable& made = variables_.back();
      made.path = one.name;
      made.dimensions = one.dimensions;
      if (one.dimensions.empty()) continue;
      const file_dimension& first = dimensions_[static_cast<std::size_t>(one.dimensions.front())];
      made.has_records = first.unlimited;
      made.is_coordinate = first.name == hdf5::leaf_of(one.name);
    }
    return {};
  }

  status find_attribute(int variable, const std::string& name, found_attribute& found) override {
    return reader_->find_attribute(variable, name, found);
  }
  status get_attribute(int variable, const std::string& name, void* values) override {
    return reader_->get_attribute(variable, name, values);
  }
  status get_texts(int variable, const std::string& name,
                   std::vector<std::string>& texts) override {
    return reader_->get_texts(variable, name, texts);
  }

 private:
  struct known_variable : hdf5::scaled_dataset {
    std::vector<int> dimensions;
    bool has_records = false;
    bool is_coordinate = false;    // it is the scale of its first dimension
    std::vector<hsize_t> extents;  // 0 records
    hsize_t records = 0;
    bool is_ours = false;  // stored as we do: records can be added
    hdf5::element_kind kind;
  };

  // From now on the file is HDF5's, in memory.
  status prepare_to_write() {
    if (writes_) return {};
    const hdf5::quiet_errors quiet;
    reader_.reset();
    for (known_variable& one : variables_) one.dataset.close();
    if (status s = memory_.append(path_, file_); !s.ok()) return s;
    writes_ = true;
    scales_.emplace(file_.get(), true);
    std::vector<known_variable*> coordinates(dimensions_.size(), nullptr);
    for (known_variable& one : variables_) {
      if (status s = open_variable(file_.get(), one); !s.ok()) return s;
      if (one.is_coordinate) coordinates[static_cast<std::size_t>(one.dimensions.front())] = &one;
    }
    for (std::size_t id = 0; id < dimensions_.size(); ++id) {
      hdf5::scale_list::scale old = scale_of(dimensions_[id]);
      old.coordinates = coordinates[id];
      scales_->add_old(std::move(old));
    }
    for (known_variable& one : variables_)
      if (status s = use_scales(one, true); !s.ok()) return s;
    H5Eclear2(H5E_DEFAULT);
    return {};
  }

  status open_variable(hid_t file, known_variable& one) const {
    const std::size_t leaf = one.path.rfind('/') + 1;
    const std::string other = one.path.substr(0, leaf) + not_a_coordinate + one.path.substr(leaf);
    const bool has_other = H5Lexists(file, other.c_str(), H5P_DEFAULT) > 0;
    one.dataset =
        hdf5::owned_dataset(H5Dopen2(file, (has_other ? other : one.path).c_str(), H5P_DEFAULT));
    const hdf5::handle type = hdf5::owned_type(H5Dget_type(one.dataset.get()));
    const hdf5::handle space = hdf5::owned_space(H5Dget_space(one.dataset.get()));
    one.extents.assign(one.dimensions.size(), 0);
    if (!type || !space ||
        H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(one.dimensions.size()) ||
        H5Sget_simple_extent_dims(space.get(), one.extents.data(), nullptr) < 0)
      return hdf5::library_failure("cannot open the variable \"" + one.path + "\"",
                                   stat_code::header_damaged);
    one.records = one.has_records ? one.extents[0] : 0;
    if (one.has_records) one.extents[0] = 0;
    // What Fortran has no kind for is none of ours.
    if (!hdf5::kind_of(type.get(), one.kind).ok()) one.kind = {};
    if (one.kind.type == type_class::character) one.kind.plain = one.kind.elem_len == 1;
    return {};
  }

  status find_segments(const known_variable& one, std::int64_t record,
                       std::vector<file_segment>& found) const {
    found.clear();
    if (!one.kind.plain) return {};
    return hdf5::segments_of(one.dataset.get(), one.extents, one.has_records ? record : -1, found);
  }

  status extend(known_variable& one, std::int64_t record) {
    if (record < static_cast<std::int64_t>(one.records)) return {};
    status done = hdf5::extend_dataset(one.dataset.get(), record + 1);
    if (done.ok()) one.records = static_cast<hsize_t>(record) + 1;
    return done;
  }

  status place_of_record(known_variable& one, std::int64_t record,
                         std::vector<file_segment>& found) {
    if (!one.is_ours) {
      if (one.records > 0)
        if (status s = find_segments(one, 0, found); !s.ok()) return s;
      if (!one.kind.plain || (one.records > 0 && found.empty()))
        return status::failure(stat_code::kind_unsupported,
                               "\"" + one.path + "\" is stored in other chunks, or compressed")
            .advise("write the steps to a new array or to a new file");
    }
    one.is_ours = true;
    if (record < static_cast<std::int64_t>(one.records)) return find_segments(one, record, found);
    one.records = static_cast<hsize_t>(record) + 1;
    return memory_.add_step(one.dataset.get(), one.extents, record, one.kind.elem_len, found);
  }

  status make_dataset(const file_variable& given, const std::vector<std::int64_t>& lengths,
                      known_variable& made) {
    for (const std::int64_t length : lengths) made.extents.push_back(static_cast<hsize_t>(length));
    made.has_records = !lengths.empty() && lengths.front() == 0;
    if (status s = find_type(given.type); !s.ok()) return s;
    made.kind = kind_;
    hdf5::dataset_plan with_records;
    hdf5::dataset_plan& plan = made.has_records ? with_records : plan_;
    if (status s = hdf5::plan_dataset(type_.get(), made.extents, made.has_records,
                                      hdf5::largest_chunk, plan);
        !s.ok())
      return s;
    const bool is_number = made.has_records && made.is_coordinate && lengths.size() == 1;
    if (is_number && H5Pset_chunk(plan.creation.get(), 1, &steps_of_a_chunk) < 0)
      return hdf5::library_failure("cannot prepare the numbers of steps");
    return hdf5::create_dataset(file_.get(), made.path, type_.get(), plan, made.dataset);
  }

  // Most variables have that of the one before.
  status find_type(value_type type) {
    if (type_ && type == value_type_) return {};
    if (status s = make_type(type, 1, type_); !s.ok()) return s;
    status found = hdf5::kind_of(type_.get(), kind_);
    if (type == value_type::text) kind_.plain = true;
    value_type_ = type;
    if (!found.ok()) type_.close();
    return found;
  }

  status replace_attribute(int variable, const std::string& name, hid_t type, hid_t space,
                           const void* values) {
    if (!is_name(name) || is_reserved(name))
      return bad_name_failure("cannot write the attribute", name);
    const hid_t object = variable == of_file
                             ? file_.get()
                             : dataset_of(variables_[static_cast<std::size_t>(variable)]);
    return hdf5::replace_attribute(object, name.c_str(), type, space, values,
                                   "cannot write an attribute");
  }

  static hdf5::scale_list::scale scale_of(const file_dimension& one) {
    hdf5::scale_list::scale made;
    made.path = one.name;
    made.extent = one.length;
    return made;
  }

  status use_scales(known_variable& one, bool old) {
    for (const int id : one.dimensions)
      if (!one.is_coordinate) scales_->use(one, static_cast<std::size_t>(id), old);
    return {};
  }

  // Of one that is a scale itself.
  status list_dimensions(known_variable& one) {
    const hsize_t count = one.dimensions.size();
    if (count == 1) return {};
    const hdf5::handle space = hdf5::owned_space(H5Screate_simple(1, &count, nullptr));
    return hdf5::replace_attribute(dataset_of(one), dimensions_of_coordinate, H5T_NATIVE_INT,
                                   space.get(), one.dimensions.data(),
                                   "cannot list the dimensions of a variable");
  }

  // Of one that may be closed.
  hid_t dataset_of(known_variable& one) const {
    if (!one.dataset)
      one.dataset = hdf5::owned_dataset(H5Dopen2(file_.get(), one.path.c_str(), H5P_DEFAULT));
    return one.dataset.get();
  }

  status write_scales(bool is_last) {
    return scales_->write(true, is_last, [](status mine) { return mine; });
  }

  std::string path_;
  bool sync_ = false;
  bool writes_ = false;                   // HDF5 has the file open to write it
  std::unique_ptr<library_file> reader_;  // of an old file, until it is written
  hdf5::memory_file memory_;
  hdf5::handle file_;
  std::vector<file_dimension> dimensions_;
  std::deque<known_variable> variables_;  // which stay where they are
  std::optional<hdf5::scale_list> scales_;
  hdf5::dataset_plan plan_;  // of the last variable without records
  value_type value_type_{};  // of type_ and kind_, if that is made
  hdf5::handle type_;
  hdf5::element_kind kind_;
};

}  // namespace

std::unique_ptr<library_file> make_netcdf4_own() {
  return std::make_unique<netcdf4_own>();
}

}  // namespace headrace::netcdf
