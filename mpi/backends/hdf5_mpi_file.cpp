#include "hdf5_mpi_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "../core/disk_room.hpp"
#include "../core/mpi_io_health.hpp"

namespace headrace {
namespace {

// For file systems that cannot take space: writes again what can be read there, and null bytes
// behind the end. Nobody else writes to these parts meanwhile.
int rewrite(int descriptor, std::int64_t begin, std::int64_t end) {
  std::vector<char> block(std::size_t{64} << 10);
  while (begin < end) {
    const auto bytes = std::min<std::int64_t>(end - begin, static_cast<std::int64_t>(block.size()));
    std::fill(block.begin(), block.end(), '\0');
    if (::pread(descriptor, block.data(), static_cast<std::size_t>(bytes), begin) < 0) return errno;
    const ssize_t done = ::pwrite(descriptor, block.data(), static_cast<std::size_t>(bytes), begin);
    if (done < 0) return errno;
    if (done == 0) return ENOSPC;
    begin += done;
  }
  return 0;
}

// Of file systems that cannot take space the first MPI rank asks by writing.
int take(int descriptor, std::int64_t begin, std::int64_t end, bool is_first, bool& wrote) {
  const int error = reserve_blocks(descriptor, begin, end - begin);
  if (error == 0 || is_full(error)) return error;
  if (!is_first) return 0;
  wrote = true;
  return rewrite(descriptor, begin, end);
}

herr_t add_description(hid_t /*file*/, const char* /*name*/, const H5O_info_t* info, void* sum) {
  const auto& sizes = info->meta_size;
  *static_cast<hsize_t*>(sum) += info->hdr.space.total + sizes.obj.index_size +
                                 sizes.obj.heap_size + sizes.attr.index_size + sizes.attr.heap_size;
  return 0;
}

// What describes the arrays, wherever in the file; HDF5 tells the end of a file only to drivers of
// one process.
std::int64_t bytes_of_descriptions(hid_t file) {
  hsize_t sum = 0;
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, add_description, &sum, H5O_INFO_ALL);
  return static_cast<std::int64_t>(sum);
}

}  // namespace

bool hdf5_write_descriptions_at_the_end(hid_t access) noexcept {
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access, &cache) < 0) return false;
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  return H5Pset_mdc_config(access, &cache) >= 0;
}

status hdf5_take_space(hid_t file, const std::string& path, const std::vector<byte_range>& elements,
                       bool is_first) {
  const std::vector<byte_range> parts = joined(elements);
  const std::int64_t last = parts.empty() ? 0 : parts.back().end;
  const std::int64_t end = last + hdf5_room_for_descriptions + 2 * bytes_of_descriptions(file);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return status::system(errno, "cannot open the file for writing");
  std::int64_t begin = 0;
  int error = 0;
  bool wrote = false;
  for (const byte_range& part : parts) {
    if (error == 0 && part.begin > begin)
      error = take(descriptor, begin, part.begin, is_first, wrote);
    begin = part.end;
  }
  if (error == 0) error = take(descriptor, begin, end, is_first, wrote);
  // Network file systems tell only now.
  if (wrote && error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0) return {};
  return status::system(error, is_full(error) ? "there is no space for all of the file"
                                              : "what describes the arrays cannot be written");
}

bool hdf5_continue_in_memory(const communicator& comm, hid_t file) noexcept {
  MPI_File mine = open_file_in_memory();
  void* handle = nullptr;
  const int ready =
      mine != MPI_FILE_NULL && file >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0;
  int all_ready = 0;
  MPI_Allreduce(&ready, &all_ready, 1, MPI_INT, MPI_MIN, comm.handle());
  if (all_ready != 0)
    *static_cast<MPI_File*>(handle) = mine;  // the other one stays open: see mpi_file::forget()
  else if (mine != MPI_FILE_NULL)
    MPI_File_close(&mine);
  return all_ready != 0;
}

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

void hdf5_discard_together(const communicator& comm, hdf5_handle& file) noexcept {
  if (hdf5_continue_in_memory(comm, file.get()))
    hdf5_close_in_memory(file);
  else
    file.forget();
}

}  // namespace headrace
