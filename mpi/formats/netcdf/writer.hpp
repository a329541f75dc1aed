// Writes datasets through a NetCDF library. Next: netcdf/transfer.cpp moves the elements.
#pragma once

#include <map>

#include "file.hpp"
#include "steps.hpp"

namespace headrace {

class netcdf_writer final : public dataset_writer {
 public:
  netcdf_writer(std::string path, communicator_ptr comm, const parallel_settings& settings,
                parallel_notes& notes, bool classic)
      : path_(std::move(path)),
        comm_(std::move(comm)),
        settings_(settings),
        notes_(notes),
        classic_(classic) {}
  // Collective. file: null on MPI ranks that do not open it (pattern serial)
  void begin(std::unique_ptr<netcdf_file> file);

  status write(const array_place& place, const array_view& local,
               const array_layout& layout) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status finish() override;

 private:
  struct written_array {
    std::string name;
    int id = 0;
    netcdf_form form;
    box whole;
    std::int64_t bytes = 0;  // of a state
    netcdf_step_axis* axis = nullptr;
    std::vector<std::int64_t> records;  // in the order of writing
    std::int64_t placed = 0;            // records that have a place, also those left out
    std::vector<byte_range> places;     // of NetCDF-4, which leaves them where they are
  };
  struct known_dimension {
    std::int64_t length = 0;
    int id = 0;
  };

  status write_here(const array_place& place, const array_view& local, const array_layout& layout);
  status prepare(const array_place& place, const array_view& local, const array_layout& layout,
                 written_array& made, written_array*& array);
  status declare(const array_place& place, const array_view& local, const array_layout& layout,
                 written_array*& array);
  status check_again(const written_array& array, const array_place& place, const netcdf_form& form,
                     const box& whole) const;
  status define_array(const array_place& place, written_array& array);
  status define_axis(netcdf_step_axis& axis);
  status dimension(const std::string& array, const std::string& name, bool is_default,
                   std::int64_t length, int& id);
  status name_is_taken(const std::string& what, const std::string& name, std::string advice) const;
  status next_record(written_array& array, std::int64_t step, std::int64_t& record);
  bool is_together() const noexcept { return settings_.pattern != write_pattern::serial; }
  // Otherwise all MPI ranks write it to memory, and a full disk is no harm.
  bool metadata_needs_room() const noexcept { return classic_ || !is_together(); }
  status end_define();
  status make_room(written_array& array, std::int64_t record);
  status place_array(written_array& array, std::int64_t record, std::int64_t old_end,
                     std::int64_t bytes);
  status reserve(const std::vector<byte_range>& where, const char* what);
  status reserve_metadata(std::int64_t begin);
  status finish_steps();
  status mark_gaps(const written_array& array);
  status fill_gaps(const written_array& array);
  struct gaps_to_fill {
    std::vector<std::int64_t> records;
    std::vector<box> parts;     // of a record, each written by a call
    std::vector<char> nothing;  // the values of the largest part
  };
  void find_gaps(const written_array& array, gaps_to_fill& gaps) const;
  status put_gaps(const written_array& array, const gaps_to_fill& gaps);
  status write_step_numbers();
  status put_step_numbers(std::vector<std::vector<std::int64_t>>& numbers);
  status close_here();
  status give_up(status failed);
  // Runs a part, and gives up where it fails on any MPI rank.
  template <class Part>
  status or_give_up(Part part) {
    return give_up(run_to_end(*comm_, part));
  }
  bool expect_file(std::int64_t& stored, std::vector<byte_range>& places);

  std::unique_ptr<netcdf_file> file_;
  std::string path_;
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
  bool classic_;
  std::map<std::string, written_array> arrays_;
  std::map<std::string, known_dimension> dimensions_;
  netcdf_steps steps_;
  bool each_reserves_ = false;
  bool can_fail_ = false;    // the write of an array so far, as take_room() says
  bool has_places_ = false;  // an array
};

// An attribute, to and from a scalar or an array of rank 1. file: null where it is not open; the
// callers agree afterwards.
status put_netcdf_attribute(netcdf_file& file, int variable, const std::string& name,
                            const array_view& value);
status get_netcdf_attribute(netcdf_file& file, int variable, const std::string& name,
                            const array_view& value);

}  // namespace headrace
