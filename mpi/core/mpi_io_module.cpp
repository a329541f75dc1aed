#include "mpi_io_module.hpp"

#include <mpi.h>

#include <vector>

namespace headrace {
namespace {

// Open MPI's choice of modules, as its tool interface tells it: "romio321", "^ompio" (not that
// one), "" (its default).
std::string open_mpi_choice() {
  int provided = 0;
  int variable = 0;
  std::string choice;
  if (MPI_T_init_thread(MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return choice;
  if (MPI_T_cvar_get_index("io", &variable) == MPI_SUCCESS) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int length = 0;
    if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &length) == MPI_SUCCESS) {
      std::vector<char> text(static_cast<std::size_t>(length) + 1, '\0');
      if (MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS) choice = text.data();
      MPI_T_cvar_handle_free(&handle);
    }
  }
  MPI_T_finalize();
  return choice;
}

std::string find_module() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  if (std::string(version).rfind("Open MPI", 0) != 0) return "";
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

bool mpi_io_may_lose_writes() {
  return open_mpi_io_module().rfind("ompio", 0) == 0;
}

}  // namespace headrace
