// The calls of netcdf.h as netcdf/file.hpp wants them: parallel through HDF5 and MPI-IO, or by one
// process alone through POSIX.
#pragma once

#include <utility>

#include "../hdf5/descriptions.hpp"
#include "../hdf5/mpi_file.hpp"
#include "file.hpp"

namespace headrace {

class netcdf4_file final : public netcdf_file {
 public:
  static std::unique_ptr<netcdf_file> make(const netcdf_opening& how) {
    return std::unique_ptr<netcdf_file>(new netcdf4_file(how));
  }
  ~netcdf4_file() override;

  status create(const netcdf_opening& how) override;
  status open(const netcdf_opening& how) override;
  status prepare_to_write(const communicator_ptr& together) override;
  status write_little(function_ref<status()> act) override;
  status define() override;
  status end_define() override;
  bool is_defining() const noexcept override { return defining_; }
  status add_dimension(const std::string& name, std::int64_t length, int& id) override;
  status add_variable(const netcdf_variable& variable, const std::vector<std::int64_t>& lengths,
                      int& id) override;
  status put_attribute(int variable, const std::string& name, netcdf_type type, std::int64_t count,
                       const void* values) override;
  status put_texts(int variable, const std::string& name,
                   const std::vector<std::string>& texts) override;
  status use(int variable, bool& collective) override;
  status put(int variable, netcdf_type type, const netcdf_section& part,
             const void* values) override;
  status get(int variable, netcdf_type type, const netcdf_section& part, void* values) override;
  collective_calls calls_for(const array_layout& layout) const override;
  status extend(int variable, netcdf_type type, const netcdf_section& first_value,
                const void* values) override;
  bool pads_records() const noexcept override { return true; }
  status contents(std::vector<netcdf_dimension>& dimensions,
                  std::vector<netcdf_variable>& variables) override;
  status find_attribute(int variable, const std::string& name, netcdf_type& type,
                        std::int64_t& count, bool& there) override;
  status get_attribute(int variable, const std::string& name, void* values) override;
  status get_texts(int variable, const std::string& name, std::vector<std::string>& texts) override;
  std::int64_t offset_of(int /*variable*/, std::int64_t /*record*/) override { return -1; }
  status place(int variable, std::int64_t first, std::int64_t last, std::int64_t bytes,
               function_ref<status(status mine)> agreed, std::vector<byte_range>& found) override;
  status close() override;
  void abandon() noexcept override;
  void forget() noexcept override { open_ = open_ && !parallel_; }

 private:
  struct target {
    int group = 0;
    int variable = 0;
  };
  explicit netcdf4_file(const netcdf_opening& how) : path_(how.path), parallel_(how.parallel) {}
  status give_again(const info_of_hints& info) const;
  target at(int variable) const;
  hdf5_driver driver() const noexcept {
    return parallel_ ? hdf5_driver::mpi_io : hdf5_driver::posix;
  }
  // The words are put together where it failed only: that takes memory.
  status check(int code, const char* what, const char* name = nullptr) const;
  status add_group(int group, const std::string& path, std::vector<netcdf_dimension>& dimensions,
                   std::vector<netcdf_variable>& variables);
  status add_dimensions_of(int group, std::vector<netcdf_dimension>& dimensions) const;

  std::string path_;
  int id_ = -1;
  bool parallel_ = false;
  bool open_ = false;
  bool defining_ = false;
  bool failed_ = false;
  bool in_memory_ = false;  // and thrown away
  int collective_ = -1;     // the variable that was last used so; -1: none
  std::vector<target> variables_;
  std::unique_ptr<hdf5_descriptions> descriptions_;  // of a new file of all MPI ranks
};

}  // namespace headrace
