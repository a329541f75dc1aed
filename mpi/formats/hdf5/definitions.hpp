// Defines arrays, steps and attributes in an HDF5 file and says where they lie: of MPI rank 0
// alone, in memory (memory.hpp), or of all MPI ranks together through MPI-IO. Next:
// hdf5/dimensions.hpp.
#pragma once

#include "../../dataset/by_library.hpp"
#include "dimensions.hpp"
#include "memory.hpp"

namespace headrace::hdf5 {

class definitions final : public library_description {
 public:
  // comm: null for one MPI rank alone; otherwise all of it calls, and everything agrees.
  explicit definitions(const dataset_opening& how, communicator_ptr comm = nullptr)
      : path_(how.file), settings_(how.settings), notes_(how.notes), comm_(std::move(comm)) {}
  ~definitions() override;

  // in_memory: the file on the disk is written by bring_to_disk() and by those who move elements.
  status create(bool in_memory);
  status append(std::vector<catalogue_array>& found);

  status place(const catalogue_entry& entry, stored_place& found) override;
  bool keeps_places() const noexcept override { return true; }
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status flush() override;
  void renamed(const std::string& file) noexcept override;
  status finish() override;

  status begin_put(const catalogue_entry& entry, bool collective) override;
  status put(const box& part, const char* data) override { return transfer_.write(part, data); }
  status check_file() const override;
  void fail() noexcept override { failed_ = true; }

 private:
  // One that place() knows.
  hid_t dataset(const std::string& array) const;
  template <class Part>
  status agreed(Part part) const {
    return headrace::agreed(comm_.get(), [&] { return part().in_file_once(path_); });
  }
  status agreed_status(status mine) const {
    return agreed([&] { return std::move(mine); });
  }
  std::int64_t chunk_bytes(const box& global, std::int64_t elem_len) const;
  void tell_chunks(std::int64_t bytes) const;
  status check_growth(const box& global, std::int64_t elem_len, bool has_steps);
  status find_type(type_class type, std::size_t elem_len);
  status define(const std::string& path, const catalogue_array& array, written_array*& made);
  status close_named(const std::string& path, written_array& array);
  status write_dimensions(bool is_last);
  status close_file();

  std::string path_;
  parallel_settings settings_;
  parallel_notes& notes_;
  communicator_ptr comm_;
  bool in_memory_ = false;
  bool failed_ = false;
  std::int64_t described_ = 0;  // bytes that arrays take so far, at most
  memory_file memory_;
  handle file_;
  written_arrays arrays_;
  std::unique_ptr<dimension_scales> dimensions_;
  dataset_plan contiguous_;           // of the last array without steps
  part_transfer transfer_;            // of the last array
  handle type_;                       // of the last array,
  type_class type_class_{};           // which had this one
  std::size_t type_bytes_ = 0;        // and this length; 0: there is no type yet
  std::vector<byte_range> elements_;  // where all arrays lie
};

}  // namespace headrace::hdf5
