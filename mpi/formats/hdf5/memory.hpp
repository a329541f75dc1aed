// The metadata of a file as HDF5 writes it, kept in memory and brought to the disk by our own
// calls. HDF5 crashes when a program ends after a file could not be closed, as on a full disk: so
// it never meets the disk. It writes by a driver of ours, which reads from the disk what is not in
// memory. The elements of arrays do not pass through it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../disk/journal.hpp"
#include "../../move/placed_array.hpp"
#include "handle.hpp"

namespace headrace::hdf5 {

class memory_file {
 public:
  // The file of that name is there and empty.
  status create(const std::string& file, handle& made);
  // A file that is there. Who has it open besides is a failure.
  status append(const std::string& file, handle& opened);
  void renamed(const std::string& file) { name_ = file; }
  // HDF5's file with that property becomes this one.
  bool choose(hid_t access);
  // A dataset of the file gets one more step, whose extents are extents[1] and so on, in chunks of
  // ours, and that step its place. It takes the same time however many steps there are.
  status add_step(hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                  std::size_t elem_len, std::vector<file_segment>& found);
  // HDF5 has written all that it knows, or has closed the file. What is on the disk already changes
  // as a whole.
  status bring_to_disk(bool is_closed, bool sync);

  // What HDF5 has of it, which may live longer.
  struct image;

 private:
  status begin(const std::string& file);
  status find_changes(std::vector<changed_bytes>& changes) const;

  std::string name_;
  std::shared_ptr<image> image_;
  bool has_readers_ = false;  // the file on the disk is a whole one
};

// Closes a file of HDF5's own drivers that no program will see. In memory, where no write fails, if
// it is of this process alone. After a failure of a file of all MPI ranks too, which becomes one of
// each: those that left a call of MPI-IO early have messages under way, and MPI closes the file.
void close_unseen(handle& file, bool by_mpi, bool has_failed) noexcept;

}  // namespace headrace::hdf5
