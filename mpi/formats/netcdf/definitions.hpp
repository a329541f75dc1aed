// The definitions of a NetCDF file that is written, whichever library makes the calls: names,
// dimensions, steps, attributes. For own transfer MPI rank 0 has one; for transfer="library" all
// that have the file open.
//
// Arrays share the dimension "step" and its numbers. NetCDF-4 allows more than one unlimited
// dimension: there an array that begins with another number than "step" does gets one of its own,
// "<array>_step"; so does the first one if "step" is an array. An array that leaves out steps of
// its dimension has records there that nobody wrote: they are filled at the end.
#pragma once

#include <map>

#include "../../dataset/described.hpp"
#include "file.hpp"

namespace headrace::netcdf {

class definitions final : public file_description {
 public:
  // classic: one unlimited dimension only. own: the elements do not go through the library. comm:
  // of those that have the file open together.
  definitions(std::string path, std::shared_ptr<library_file> file, bool classic, bool own,
              communicator_ptr comm = nullptr)
      : path_(std::move(path)),
        file_(std::move(file)),
        classic_(classic),
        own_(own),
        comm_(std::move(comm)) {}
  ~definitions() override;
  // Takes up what is in a file that is there.
  status adopt(std::vector<catalogue_array>& found);

  status place(const catalogue_entry& entry, stored_place& found) override;
  // PnetCDF moves what lies behind a header that grows.
  bool keeps_places() const noexcept override { return !classic_; }
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status flush() override;
  void renamed(const std::string& file) override {
    path_ = file;
    file_->renamed(file);
  }
  status finish() override;

  status begin_put(const catalogue_entry& entry, bool collective) override;
  status put(const box& part, const char* data) override;
  status check_file() const override;
  void fail() noexcept override { file_->forget(); }

 private:
  struct target {
    int variable = 0;
    value_form form;
    std::int64_t record = -1;  // -1: no steps
  };
  struct step_axis {
    std::string name;
    int dimension = 0;
    int variable = 0;
    step_list numbers;
    std::vector<std::int64_t> unwritten;  // of them; libraries swap bytes in place
    std::size_t written = 0;
    std::string other_type;  // of numbers in a file of others; empty: none or ours

    void collect_unwritten() {
      unwritten.assign(numbers.numbers().begin() + static_cast<std::ptrdiff_t>(written),
                       numbers.numbers().end());
    }
  };
  struct defined_array : described_array {
    int id = 0;
    value_form form;
    step_axis* axis = nullptr;
    std::vector<std::int64_t> records;  // in the order of writing
    std::vector<std::int64_t> filled;   // that it has not
    bool is_marked = false;

    bool has_all() const noexcept {
      return axis == nullptr || static_cast<std::int64_t>(records.size()) == axis->numbers.count();
    }
  };
  struct known_dimension {
    std::int64_t length = 0;
    int id = 0;
  };

  template <class Part>
  status agreed(Part part) const {
    return headrace::agreed(comm_.get(), [&] { return part().in_file_once(path_); });
  }
  // Of MPI ranks that call together, the one with values of its own.
  bool puts() const noexcept { return comm_ == nullptr || comm_->rank() == 0; }
  // The parts of place() and finish(). Only those marked as collective wait for other MPI ranks,
  // and they need no memory.
  using part = status (definitions::*)();
  status run(std::initializer_list<part> parts);
  status begin_define() { return own_ ? status() : file_->define(); }  // collective
  status declare(const catalogue_entry& entry);
  status end_define();  // collective
  status prepare_end();
  status fill_gaps();      // collective, but the memory is of the MPI rank that puts
  status write_numbers();  // collective
  status close() { return file_->close(); }  // collective
  status write_all();
  // more: bytes of the header that the definition takes at most
  status define(std::int64_t more, const std::string& what);
  status define_array(const catalogue_array& given, defined_array& array);
  status find_axis(const std::string& array, std::int64_t first_step, step_axis*& found);
  status dimension_id(const std::string& array, const std::string& name, std::int64_t length,
                      int& id);
  status name_is_taken(const std::string& what, const std::string& name, std::string advice) const;
  status refuse_moving(const std::string& what) const;
  status no_numbers(const std::string& array, const step_axis& axis) const;
  status mark_gaps(defined_array& array);
  std::vector<std::int64_t> gaps_of(const defined_array& array) const;
  status fill(defined_array& array, const std::vector<std::int64_t>& gaps);
  std::int64_t end_of_arrays() const;

  std::string path_;
  std::shared_ptr<library_file> file_;
  bool classic_;
  bool own_;
  communicator_ptr comm_;
  target target_;  // of place()
  std::map<std::string, defined_array> arrays_;
  std::map<std::string, known_dimension> dimensions_;
  std::vector<std::unique_ptr<step_axis>> axes_;
  bool is_published_ = false;  // others may open it: what is in it stays in its place
  bool has_arrays_ = false;    // also such as Fortran has no kind for
  std::int64_t header_room_ = 0;
  std::int64_t end_ = 0;     // of the arrays in a closed classic file
  std::int64_t stored_ = 0;  // bytes of all arrays
  bool is_closed_ = false;
};

}  // namespace headrace::netcdf
