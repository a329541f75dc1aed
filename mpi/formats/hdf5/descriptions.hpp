// What describes the arrays of a new file. HDF5 writes it by calls in which MPI ranks wait for ever
// for one that cannot write, and crashes at the end of a program over a file that it could not
// close. So it writes to memory of each MPI rank, where no write fails, and MPI rank 0 alone brings
// to the disk what all of them wrote there.
#pragma once

#include "memory.hpp"
#include "pages.hpp"

namespace headrace {

class hdf5_descriptions {
 public:
  // comm: null for a file that this process has open alone, by HDF5's POSIX driver and not by that
  // of MPI-IO.
  hdf5_descriptions(communicator_ptr comm, std::string path)
      : comm_(std::move(comm)), path_(std::move(path)), alone_(comm_ == nullptr) {}
  ~hdf5_descriptions();
  hdf5_descriptions(const hdf5_descriptions&) = delete;
  hdf5_descriptions& operator=(const hdf5_descriptions&) = delete;

  // Collective, before HDF5 has written anything. From now on it writes the metadata
  // only when it is told to, and keeps it at hand. file: stays the caller's.
  status keep(hid_t file);

  // Collective: act() makes HDF5 write the metadata.
  template <class Act>
  status write(Act act) {
    return bring_to_disk(act_in_memory(act, false), false);
  }

  // Collective, for a file of all MPI ranks: act() adds to the metadata.
  template <class Act>
  status add(Act act) {
    return agree(*comm_, act_in_memory(act, false).in_file_once(path_));
  }

  // Collective: act() closes the file. HDF5 waits for all MPI ranks then.
  template <class Act>
  status close(Act act) {
    // Network file systems write what other nodes hold when these close the file.
    status done = agree(*comm_, act_in_memory(act, true).in_file_once(path_));
    if (done.ok()) done = close_disk();
    return done.ok() ? bring_to_disk({}, true) : done;
  }

  // Every MPI rank calls it. HDF5 goes on in memory, with a file that no program will see, and
  // closes it without waiting for anybody; MPI_Finalize closes the one on the disk after a
  // failure, because MPI ranks that left a collective call early have messages under way. False
  // where keep() failed or the file is closed.
  bool discard(bool failed) noexcept;

 private:
  template <class Act>
  status act_in_memory(Act act, bool closes) {
    const no_limit_on_files unlimited;
    enter_memory();
    status done = caught(act);
    closes ? leave_for_good() : leave_memory();
    return done;
  }
  void enter_memory() noexcept;
  void leave_memory() noexcept;
  void leave_for_good() noexcept;  // HDF5 has closed the file in memory
  status prepare(hid_t file);
  status open_memory(void* handle);
  status bring_to_disk(status done, bool is_last);
  status close_disk();

  communicator_ptr comm_;
  std::string path_;
  bool alone_ = false;
  bool is_kept_ = false;
  MPI_File* in_use_ = nullptr;  // HDF5's own, which is the one or the other
  MPI_File disk_ = MPI_FILE_NULL;
  MPI_File memory_file_ = MPI_FILE_NULL;
  int descriptor_ = -1;  // the same of one process alone; what it stands for changes
  int disk_descriptor_ = -1;
  int memory_ = -1;   // the file in memory, in both cases
  hdf5_pages known_;  // what it held when it was last brought to the disk
};

}  // namespace headrace
