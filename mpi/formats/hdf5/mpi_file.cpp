#include "mpi_file.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

namespace headrace {
namespace {

// Not collective, as H5Fget_access_plist() is for files of MPI-IO.
bool is_opened_by(hid_t file, hdf5_driver driver) {
  const hdf5_quiet quiet;
  hbool_t atomic = false;
  const bool by_mpi_io = H5Fget_mpi_atomicity(file, &atomic) >= 0;
  if (by_mpi_io || driver == hdf5_driver::mpi_io) return by_mpi_io && driver == hdf5_driver::mpi_io;
  const hdf5_handle access = owned_properties(H5Fget_access_plist(file));
  return access && H5Pget_driver(access.get()) == H5FD_SEC2;
}

}  // namespace

collective_calls hdf5_calls_that_end(const array_layout& layout, hid_t object) {
  const hdf5_quiet quiet;
  const hdf5_handle file = owned_file(H5Iget_file_id(object));
  std::array<char, 4096> name{};
  void* handle = nullptr;
  H5Fget_name(file.get(), name.data(), name.size());
  if (H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &handle) < 0) handle = nullptr;
  // Those that know its hints would choose other calls than one that does not.
  int is_known = handle != nullptr ? 1 : 0;
  int known_everywhere = 0;
  reduce(layout.comm(), &is_known, &known_everywhere, 1, MPI_INT, MPI_MIN);
  if (known_everywhere == 0) return calls_that_end(layout, name.data(), MPI_INFO_NULL);
  return calls_that_end(layout, name.data(), *static_cast<MPI_File*>(handle));
}

hid_t hdf5_open_file_of_name(const std::string& path, hdf5_driver driver) noexcept try {
  // Memory for very many only: all MPI ranks should find the file.
  std::array<hid_t, 256> few{};
  std::vector<hid_t> many;
  const auto count =
      static_cast<std::size_t>(std::max<ssize_t>(0, H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE)));
  if (count > few.size()) many.resize(count);
  hid_t* const files = count > few.size() ? many.data() : few.data();
  const ssize_t found = H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_FILE, count, files);
  std::array<char, 4096> name{};
  for (const hid_t* at = files; at < files + found; ++at)
    if (const hid_t file = *at; H5Fget_name(file, name.data(), name.size()) >= 0 &&
                                path == name.data() && is_opened_by(file, driver))
      return file;
  return H5I_INVALID_HID;
} catch (const std::bad_alloc&) {
  return H5I_INVALID_HID;
}

}  // namespace headrace
