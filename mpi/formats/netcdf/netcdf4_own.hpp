// NetCDF-4 files by own transfer: written by HDF5 as the NetCDF library does it, in memory until
// they are flushed (hdf5/memory.hpp). What is in an old file NetCDF tells, and HDF5 where it lies.
#pragma once

#include <optional>

#include "../../disk/byte_ranges.hpp"
#include "../hdf5/memory.hpp"
#include "../hdf5/scales.hpp"
#include "../hdf5/storage.hpp"
#include "file.hpp"

namespace headrace::netcdf {

class netcdf4_own final : public library_file {
 public:
  static std::unique_ptr<library_file> make(const opening& how) {
    return std::make_unique<netcdf4_own>(how.path);
  }
  explicit netcdf4_own(std::string path) : path_(std::move(path)) {}
  ~netcdf4_own() override;

  status create(const opening& how) override;
  status open(const opening& how) override;
  status define() override { return prepare_to_write(); }
  status end_define() override { return {}; }
  status add_dimension(const std::string& name, std::int64_t length, int& id) override;
  status add_variable(const file_variable& made, const std::vector<std::int64_t>& lengths,
                      int& id) override;
  status put_attribute(int variable, const std::string& name, value_type type, std::int64_t count,
                       const void* values) override;
  status put_texts(int variable, const std::string& name,
                   const std::vector<std::string>& texts) override;
  status use(int /*variable*/, bool& /*collective*/) override { return {}; }
  status put(int variable, value_type type, const file_section& part, const void* values) override;
  status place(int variable, std::int64_t record, const value_form& form, std::int64_t elements,
               stored_place& found) override;
  status flush() override;
  void renamed(const std::string& file) override;
  status close() override;

  status get(int variable, value_type type, const file_section& part, void* values) override {
    return reader_->get(variable, type, part, values);
  }
  status contents(std::vector<file_dimension>& dimensions,
                  std::vector<file_variable>& variables) override;
  status find_attribute(int variable, const std::string& name, value_type& type,
                        std::int64_t& count, bool& there) override {
    return reader_->find_attribute(variable, name, type, count, there);
  }
  status get_attribute(int variable, const std::string& name, void* values) override {
    return reader_->get_attribute(variable, name, values);
  }
  status get_texts(int variable, const std::string& name,
                   std::vector<std::string>& texts) override {
    return reader_->get_texts(variable, name, texts);
  }

 private:
  struct known_variable {
    std::string path;
    std::vector<int> dimensions;
    bool has_records = false;
    bool is_coordinate = false;    // it is the scale of its first dimension
    hdf5::handle dataset;          // closed: see close_older()
    hobj_ref_t reference = 0;      // to it, once it was closed
    std::vector<hsize_t> extents;  // 0 records
    hsize_t records = 0;
    bool is_ours = false;  // stored as we do: records can be added
    hdf5::element_kind kind;
    bool is_named = false;
    bool has_list = false;  // of dimensions, which may be that of a scale that is gone
  };
  struct known_dimension {
    std::string name;
    std::int64_t length = 0;
    bool unlimited = false;
    int variable = -1;         // that is the scale
    hdf5::handle only_name;    // the scale otherwise
    hobj_ref_t reference = 0;  // to the scale, if it was used
    bool is_described = false;
    bool has_new_users = false;
  };

  status prepare_to_write();
  status open_variable(hid_t file, known_variable& one) const;
  status find_segments(const known_variable& one, std::int64_t record,
                       std::vector<file_segment>& found) const;
  status extend(known_variable& one, std::int64_t record);
  status place_of_record(known_variable& one, std::int64_t record,
                         std::vector<file_segment>& found);
  status find_type(value_type type);
  status make_dataset(const file_variable& given, const std::vector<std::int64_t>& lengths,
                      known_variable& made);
  status replace_attribute(int variable, const std::string& name, hid_t type, hid_t space,
                           const void* values);
  hid_t scale_of(const known_dimension& one) const;
  hid_t dataset_of(known_variable& one) const;
  status close_older();
  status write_scales();
  status describe(std::size_t id);
  status name_dimensions(known_variable& one);

  std::string path_;
  bool writes_ = false;                   // HDF5 has the file open to write it
  std::unique_ptr<library_file> reader_;  // of an old file, until it is written
  hdf5::memory_file memory_;
  hdf5::handle file_;
  hdf5::dataset_plan contiguous_;  // of the last variable without records
  // Of the last variable:
  hdf5::handle type_;
  std::optional<value_type> type_of_;
  hdf5::element_kind kind_;
  std::vector<known_dimension> dimensions_;
  std::vector<known_variable> variables_;
  std::size_t older_ = 0;      // variables of which close_older() has closed what it can
  hdf5::dimension_list list_;  // of the variables that were named last
  std::vector<byte_range> elements_;
};

}  // namespace headrace::netcdf
