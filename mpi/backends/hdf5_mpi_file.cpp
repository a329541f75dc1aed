#include "hdf5_mpi_file.hpp"

#include <array>

namespace headrace {

collective_calls hdf5_calls_that_end(const array_layout& layout, hid_t object) {
  const hdf5_quiet quiet;
  const hdf5_handle file = owned_file(H5Iget_file_id(object));
  std::array<char, 4096> name{};
  void* handle = nullptr;
  H5Fget_name(file.get(), name.data(), name.size());
  if (H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &handle) < 0) handle = nullptr;
  if (handle == nullptr) return calls_that_end(layout, name.data(), MPI_INFO_NULL);
  return calls_that_end(layout, name.data(), *static_cast<MPI_File*>(handle));
}

hid_t hdf5_open_file_of_name(const std::string& path) noexcept {
  std::array<hid_t, 256> files{};
  const ssize_t count = H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_FILE, files.size(), files.data());
  std::array<char, 4096> name{};
  for (ssize_t i = 0; i < count; ++i)
    if (H5Fget_name(files[static_cast<std::size_t>(i)], name.data(), name.size()) >= 0 &&
        path == name.data())
      return files[static_cast<std::size_t>(i)];
  return H5I_INVALID_HID;
}

}  // namespace headrace
