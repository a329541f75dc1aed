// Reads arrays, steps and attributes of any HDF5 file. Next: hdf5/transfer.hpp moves the elements.
#pragma once

#include <map>

#include "../../together/from_root.hpp"
#include "transfer.hpp"

namespace headrace {

// MPI rank 0 reads all that describes, alone: HDF5 makes some of these calls collective. Where the
// elements lie plain in the file all MPI ranks read them directly; otherwise, and with the
// library's transfer, all have the file open.
class hdf5_reader : public dataset_reader {
 public:
  hdf5_reader(std::string file, communicator_ptr comm, const parallel_settings& settings,
              parallel_notes& notes);
  ~hdf5_reader() override;

  status open();
  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, stored_array& found) override;
  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;

 private:
  struct known_array {
    stored_array stored;
    hdf5_kind kind;
    box global;
    bool is_virtual = false;  // its elements are in other datasets
  };

  bool is_together() const noexcept;
  status known(const std::string& name, std::string& path, const known_array*& found);
  status look_at(const std::string& path, known_array& found) const;
  status open_dataset(hid_t file, const std::string& path, hdf5_handle& dataset) const;
  // What MPI rank 0 found, as numbers and names.
  static root_message pack(const known_array& array);
  static void unpack(const root_message& all, known_array& array);
  status find_segments(const std::string& path, const hdf5_cargo& cargo,
                       std::vector<hdf5_segment>& segments) const;
  status read_directly(const std::string& path, const hdf5_cargo& cargo, bool& done);
  status read_by_library(const std::string& path, const known_array& array,
                         const hdf5_cargo& cargo);

  std::string path_;
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
  hdf5_handle file_;      // of MPI rank 0, which describes
  hdf5_handle parallel_;  // of all, opened by MPI-IO: the library's transfer
  hdf5_handle mine_;      // of each other MPI rank, for what our own transfer cannot read
  std::map<std::string, known_array> known_;
  hdf5_direct_transfer direct_;
};

}  // namespace headrace
