// Writes arrays, steps and attributes into a new HDF5 file. Next: hdf5/transfer.hpp moves the
// elements, hdf5/dimensions.hpp names the dimensions at the end.
#pragma once

#include "descriptions.hpp"
#include "dimensions.hpp"
#include "memory.hpp"
#include "transfer.hpp"

namespace headrace {

// With the library's transfer all MPI ranks have the file open by MPI-IO and call HDF5 together.
// Otherwise MPI rank 0 alone has, and the others learn from it where the bytes go.
class hdf5_writer : public dataset_writer {
 public:
  hdf5_writer(std::string file, communicator_ptr comm, const parallel_settings& settings,
              parallel_notes& notes);
  ~hdf5_writer() override;

  status create();
  status write(const array_place& place, const array_view& local,
               const array_layout& layout) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  void fail() noexcept override { failed_ = true; }
  status finish() override;

 private:
  bool is_together() const noexcept;
  bool is_here() const noexcept { return is_together() || comm_->rank() == 0; }
  status settle(status mine) const;
  template <class Part>
  status remembered(Part part) {
    status done = run_to_end(*comm_, part);
    failed_ = failed_ || !done.ok();
    return done;
  }
  std::int64_t chunk_bytes(const box& global, std::int64_t elem_len) const;
  void tell_chunks(std::int64_t bytes) const;
  status check(const std::string& path, const array_place& place, const hdf5_kind& kind,
               const array_layout& layout) const;
  status check_growth(const hdf5_written_array& array) const;
  status define(const std::string& path, const array_place& place, const hdf5_kind& kind,
                const array_layout& layout);
  status find_segments(const hdf5_written_array& array, std::int64_t step,
                       std::vector<hdf5_segment>& segments);
  status move(hdf5_written_array& array, const array_view& local, const array_layout& layout);
  status write_dimensions();
  status close_objects(bool names_dimensions);
  status close_file();
  std::int64_t end_of_elements() const;
  status check_file() const;

  std::string path_;
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
  hdf5_memory_file memory_;         // of MPI rank 0, with our own transfer
  hdf5_descriptions descriptions_;  // with the library's
  hdf5_handle file_;
  hdf5_written_arrays arrays_;
  hdf5_direct_transfer direct_;
  std::vector<byte_range> elements_;  // where all arrays lie
  bool can_fail_ = false;             // the write of one of them, as take_room() says
  bool failed_ = false;               // HDF5 or the disk, on any MPI rank
};

}  // namespace headrace
