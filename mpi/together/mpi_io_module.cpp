#include "mpi_io_module.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace headrace {
namespace {

// Open MPI's choice of modules: "romio321", "^ompio" (not that one), "" (its default).
std::string open_mpi_choice() {
  int provided = 0;
  int variable = 0;
  std::vector<char> text;
  if (MPI_T_init_thread(MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return "";
  if (MPI_T_cvar_get_index("io", &variable) == MPI_SUCCESS) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int length = 0;
    if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &length) == MPI_SUCCESS) {
      text.resize(static_cast<std::size_t>(length) + 1);
      if (MPI_T_cvar_read(handle, text.data()) != MPI_SUCCESS) text.clear();
      MPI_T_cvar_handle_free(&handle);
    }
  }
  MPI_T_finalize();
  return text.empty() ? "" : text.data();
}

std::string library_version() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  return version;
}

std::string find_module() {
  if (library_version().rfind("Open MPI", 0) != 0) return "";
  const std::string choice = open_mpi_choice();
  const bool excludes = choice.rfind("^", 0) == 0;
  if (excludes) return choice.find("ompio") == std::string::npos ? "ompio" : "romio";
  return choice.find("romio") == std::string::npos ? "ompio" : choice;
}

}  // namespace

const std::string& open_mpi_io_module() {
  static const std::string module = find_module();
  return module;
}

void avoid_unsafe_sieving() noexcept try {
  int major = 0;
  int minor = 0;
  int release = 0;
  const std::string version = library_version();
  if (std::sscanf(version.c_str(), "Open MPI v%d.%d.%d", &major, &minor, &release) != 3) return;
  const bool is_4_1 = major == 4 && minor == 1;
  const bool loses_writes = (is_4_1 && release < 7) || (major == 5 && minor == 0 && release < 6);
  if (loses_writes) ::setenv("OMPI_MCA_fbtl_posix_write_datasieving", "0", 0);
  if (is_4_1 && release < 5) ::setenv("OMPI_MCA_fbtl_posix_read_datasieving", "0", 0);
} catch (const std::bad_alloc&) {
  return;
}

}  // namespace headrace
