// The calls of pnetcdf.h as netcdf/file.hpp wants them: CDF-5 files, written and read through
// MPI-IO.
#pragma once

#include "file.hpp"

namespace headrace {

class pnetcdf_file final : public netcdf_file {
 public:
  static std::unique_ptr<netcdf_file> make(const netcdf_opening& how) {
    return std::unique_ptr<netcdf_file>(new pnetcdf_file(how));
  }
  ~pnetcdf_file() override;

  status create(const netcdf_opening& how) override;
  status open(const netcdf_opening& how) override;
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
  // Records count themselves when independent mode ends.
  status extend(int /*variable*/, netcdf_type /*type*/, const netcdf_section& /*value*/,
                const void* /*values*/) override {
    return {};
  }
  bool pads_records() const noexcept override { return false; }
  status contents(std::vector<netcdf_dimension>& dimensions,
                  std::vector<netcdf_variable>& variables) override;
  status find_attribute(int variable, const std::string& name, netcdf_type& type,
                        std::int64_t& count, bool& there) override;
  status get_attribute(int variable, const std::string& name, void* values) override;
  status get_texts(int variable, const std::string& name, std::vector<std::string>& texts) override;
  std::int64_t offset_of(int variable, std::int64_t record) override;
  status close() override;
  void forget() noexcept override {}

 private:
  explicit pnetcdf_file(const netcdf_opening& how) : path_(how.path) {}
  // The words are put together where it failed only: that takes memory.
  status check(int code, const char* what, const char* name = nullptr) const;
  status check_put(int variable, netcdf_type type, const netcdf_section& part, const void* values);
  void learn_hints(const netcdf_opening& how);
  status leave_independent();

  std::string path_;
  int id_ = -1;
  bool open_ = false;
  bool defining_ = false;
  bool independent_ = false;
  MPI_Offset header_reserve_ = 0;
};

}  // namespace headrace
