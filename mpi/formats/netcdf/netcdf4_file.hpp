// The calls of netcdf.h as netcdf/file.hpp wants them: parallel through HDF5 and MPI-IO, or by one
// process alone through POSIX.
#pragma once

#include "file.hpp"

namespace headrace::netcdf {

class netcdf4_file final : public library_file {
 public:
  static std::unique_ptr<library_file> make(const opening& how) {
    return std::unique_ptr<library_file>(new netcdf4_file(how));
  }
  ~netcdf4_file() override;

  status create(const opening& how) override;
  status open(const opening& how) override;
  status define() override;
  status end_define() override;
  status add_dimension(const std::string& name, std::int64_t length, int& id) override;
  status add_variable(const file_variable& variable, const std::vector<std::int64_t>& lengths,
                      int& id) override;
  status put_attribute(int variable, const std::string& name, value_type type, std::int64_t count,
                       const void* values) override;
  status put_texts(int variable, const std::string& name,
                   const std::vector<std::string>& texts) override;
  status use(int variable, bool& collective) override;
  status put(int variable, value_type type, const file_section& part, const void* values) override;
  status get(int variable, value_type type, const file_section& part, void* values) override;
  status extend(int variable, value_type type, const file_section& first_value,
                const void* values) override;
  status contents(std::vector<file_dimension>& dimensions,
                  std::vector<file_variable>& variables) override;
  status find_attribute(int variable, const std::string& name, value_type& type,
                        std::int64_t& count, bool& there) override;
  status get_attribute(int variable, const std::string& name, void* values) override;
  status get_texts(int variable, const std::string& name, std::vector<std::string>& texts) override;
  status close() override;
  void forget() noexcept override { open_ = open_ && !parallel_; }

 private:
  struct target {
    int group = 0;
    int variable = 0;
  };
  explicit netcdf4_file(const opening& how) : path_(how.path), parallel_(how.parallel) {}
  status check_module() const;
  target at(int variable) const;
  // The words are put together where it failed only: that takes memory.
  status check(int code, const char* what, const char* name = nullptr) const;
  status add_group(int group, const std::string& path, std::vector<file_dimension>& dimensions,
                   std::vector<file_variable>& variables);
  status add_dimensions_of(int group, std::vector<file_dimension>& dimensions) const;

  std::string path_;
  int id_ = -1;
  bool parallel_ = false;
  bool open_ = false;
  bool defining_ = false;
  int collective_ = -1;  // the variable that was last used so; -1: none
  std::vector<target> variables_;
};

}  // namespace headrace::netcdf
