// What is in a NetCDF file that is read, whichever library makes the calls, foreign ones too. For
// own transfer it says where the bytes lie; for transfer="library" all MPI ranks have one.
//
// A variable whose slowest dimension is unlimited has steps. Their numbers are those of the integer
// variable of the same name as the dimension, or 1, 2, 3, ... if there is none.
#pragma once

#include <map>

#include "../../dataset/described.hpp"
#include "file.hpp"

namespace headrace::netcdf {

class contents final : public described_file {
 public:
  struct known_array {
    int id = 0;
    bool is_described = false;
    bool lists_steps = false;          // in an attribute: it lacks some of its dimension
    std::vector<std::int64_t> listed;  // those, until it is described
    described_array array;
    value_form form;
    std::vector<std::int64_t> records;  // of its steps
    std::vector<std::int64_t> numbers;  // of all steps of its dimension
  };

  // own: says where arrays lie if the library does, instead of reading through it. comm: of those
  // that have the file open together.
  contents(std::string path, std::shared_ptr<library_file> file, bool own,
           communicator_ptr comm = nullptr)
      : path_(std::move(path)), file_(std::move(file)), own_(own), comm_(std::move(comm)) {}
  // Dimensions and variables.
  status learn();

  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, described_array& found) override;
  status place(const std::string& name, std::int64_t step_index, stored_place& found) override;
  status read(const box& part, char* data) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;
  status begin_read(const std::string& name, std::int64_t step_index, bool collective,
                    bool& is_readable) override;

  // Both together: what is known of an array. The second reads, and needs no memory before; MPI
  // ranks that have the file open together agree between them.
  status prepare(const std::string& name, known_array*& found);
  status load(known_array& array);

  const std::vector<file_dimension>& dimensions() const noexcept { return dimensions_; }
  bool is_numbers_of_steps(const file_variable& variable) const;
  // Of any type: the coordinates of an unlimited dimension.
  bool names_its_steps(const file_variable& variable) const;
  const std::vector<file_variable>& variables() const noexcept { return variables_; }

 private:
  status find(const std::string& name, known_array*& found);
  // That the file is as long as the array needs.
  status check_length(const known_array& array, std::int64_t record) const;
  status learn_array(known_array& array);
  status prepare_numbers(known_array& array);
  static void find_records(known_array& array);
  const file_dimension& axis_of(const known_array& array) const;
  int variable_of_numbers(const file_dimension& axis) const;
  status read_numbers(int source, std::vector<std::int64_t>& numbers);
  status check_end(int variable, std::int64_t record, std::int64_t bytes) const;

  std::string path_;
  std::shared_ptr<library_file> file_;
  bool own_;
  communicator_ptr comm_;
  std::vector<file_dimension> dimensions_;
  std::vector<file_variable> variables_;
  std::map<std::string, known_array> arrays_;
  // What is read:
  known_array* chosen_ = nullptr;
  std::int64_t record_ = -1;
};

}  // namespace headrace::netcdf
