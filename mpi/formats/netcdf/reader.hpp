// Reads datasets through a NetCDF library, foreign ones too.
//
// A variable whose slowest dimension is unlimited has steps. Their numbers are those of the integer
// variable of the same name as the dimension, or 1, 2, 3, ... where there is none.
#pragma once

#include <map>
#include <utility>

#include "file.hpp"

namespace headrace {

class netcdf_reader final : public dataset_reader {
 public:
  // file: null on MPI ranks that do not open it (pattern serial). Collective.
  static status make(std::unique_ptr<netcdf_file> file, const std::string& path,
                     const communicator_ptr& comm, const parallel_settings& settings,
                     parallel_notes& notes, std::unique_ptr<dataset_reader>& made);

  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, stored_array& found) override;
  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;

 private:
  // As far as it was asked for.
  struct known_array {
    int id = 0;
    bool described = false;
    stored_array array;
    netcdf_form form;
    std::vector<std::int64_t> records;  // of its steps
  };

  netcdf_reader(std::string path, communicator_ptr comm, const parallel_settings& settings,
                parallel_notes& notes)
      : path_(std::move(path)), comm_(std::move(comm)), settings_(settings), notes_(notes) {}
  bool serial() const { return settings_.pattern == write_pattern::serial; }
  status find(const std::string& name, known_array*& found);
  status learn_contents();
  status learn_array(known_array& array);
  status learn_steps(known_array& array);
  int variable_of_numbers(const netcdf_dimension& axis) const;
  status prepare_numbers(const netcdf_dimension& axis, int source,
                         std::vector<std::int64_t>& numbers) const;
  status read_numbers(int source, std::vector<std::int64_t>& numbers);
  bool is_coordinate(const netcdf_variable& variable) const;
  // Not collective: the file has so many bytes of a variable or a record.
  status check_end(int variable, std::int64_t record, std::int64_t bytes) const;
  status check_length(const known_array& array, std::int64_t record) const;

  std::unique_ptr<netcdf_file> file_;
  std::string path_;
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
  std::vector<netcdf_dimension> dimensions_;
  std::vector<netcdf_variable> variables_;
  std::map<std::string, known_array> arrays_;
};

}  // namespace headrace
