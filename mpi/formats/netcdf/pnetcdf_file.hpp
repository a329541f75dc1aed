// The calls of pnetcdf.h as netcdf/file.hpp wants them: CDF-5 files, written and read through
// MPI-IO.
#pragma once

#include "file.hpp"

namespace headrace::netcdf {

// The hint with the bytes behind the first header for definitions to come, which would move all
// data otherwise.
inline constexpr const char* reserve_hint = "h_minfree";

class pnetcdf_file final : public library_file {
 public:
  static std::unique_ptr<library_file> make(const opening& how) {
    return std::unique_ptr<library_file>(new pnetcdf_file(how));
  }
  ~pnetcdf_file() override;

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
  status contents(std::vector<file_dimension>& dimensions,
                  std::vector<file_variable>& variables) override;
  status find_attribute(int variable, const std::string& name, value_type& type,
                        std::int64_t& count, bool& there) override;
  status get_attribute(int variable, const std::string& name, void* values) override;
  status get_texts(int variable, const std::string& name, std::vector<std::string>& texts) override;
  std::int64_t offset_of(int variable, std::int64_t record) override;
  std::int64_t header_bytes() override;
  std::int64_t header_extent() override;
  std::int64_t header_reserve() const override { return header_reserve_; }
  status flush() override;
  status close() override;

 private:
  explicit pnetcdf_file(const opening& how) : path_(how.path) {}
  // The words are put together where it failed only: that takes memory.
  status check(int code, const char* what, const char* name = nullptr) const;
  void learn_hints(const opening& how);
  status leave_independent();
  status drop_used_reserve();

  std::string path_;
  int id_ = -1;
  bool open_ = false;
  bool defining_ = false;
  bool independent_ = false;
  MPI_Offset header_reserve_ = 0;
};

}  // namespace headrace::netcdf
