#include "mpi_io_module.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace headrace {
namespace {

// What Open MPI's tool interface tells of one of its variables; empty: not known.
template <class Value>
std::vector<Value> tool_variable(const char* name) {
  int provided = 0;
  int variable = 0;
  std::vector<Value> values;
  if (MPI_T_init_thread(MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return values;
  if (MPI_T_cvar_get_index(name, &variable) == MPI_SUCCESS) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int length = 0;
    if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &length) == MPI_SUCCESS) {
      values.resize(static_cast<std::size_t>(length) + 1);
      if (MPI_T_cvar_read(handle, values.data()) != MPI_SUCCESS) values.clear();
      MPI_T_cvar_handle_free(&handle);
    }
  }
  MPI_T_finalize();
  return values;
}

// Open MPI's choice of modules: "romio321", "^ompio" (not that one), "" (its default).
std::string open_mpi_choice() {
  const std::vector<char> text = tool_variable<char>("io");
  return text.empty() ? "" : text.data();
}

std::string library_version() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  return version;
}

struct unsafe_sieving {
  bool writes = false;
  bool reads = false;
};

unsafe_sieving unsafe_sieving_of(const std::string& version) noexcept {
  int major = 0;
  int minor = 0;
  int release = 0;
  if (std::sscanf(version.c_str(), "Open MPI v%d.%d.%d", &major, &minor, &release) != 3) return {};
  const bool is_4_1 = major == 4 && minor == 1;
  return {(is_4_1 && release < 7) || (major == 5 && minor == 0 && release < 6),
          is_4_1 && release < 5};
}

const char* const write_sieving = "fbtl_posix_write_datasieving";
const char* const read_sieving = "fbtl_posix_read_datasieving";

std::string variable_in_environment(const char* variable) {
  return std::string("OMPI_MCA_") + variable;
}

void switch_off(const char* variable) {
  ::setenv(variable_in_environment(variable).c_str(), "0", 0);
}

bool is_on(const char* variable) {
  const std::vector<int> value = tool_variable<int>(variable);
  if (!value.empty()) return value.front() != 0;
  // Not known before MPI-IO has opened a file: then it will be what the environment says.
  const char* const asked = std::getenv(variable_in_environment(variable).c_str());
  return asked == nullptr || std::string(asked) != "0";
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
  static const bool done = [] {
    const unsafe_sieving unsafe = unsafe_sieving_of(library_version());
    if (unsafe.writes) switch_off(write_sieving);
    if (unsafe.reads) switch_off(read_sieving);
    return true;
  }();
  static_cast<void>(done);
} catch (const std::bad_alloc&) {
  return;  // the next question finds it
}

namespace {

unsafe_sieving find_unsafe_sieving() {
  unsafe_sieving found = unsafe_sieving_of(library_version());
  found.writes = found.writes && is_on(write_sieving);
  found.reads = found.reads && is_on(read_sieving);
  return found;
}

status safe_sieving(const std::string& users, bool writes) {
  static const unsafe_sieving unsafe = find_unsafe_sieving();
  if (writes ? !unsafe.writes : !unsafe.reads) return {};
  const std::string what = writes ? "writes (data sieving of OMPIO, mended in 4.1.7 and 5.0.6)"
                                  : "reads (data sieving of OMPIO, mended in 4.1.5)";
  return status::failure(stat_code::library_failed,
                         "MPI-IO of this Open MPI loses elements of what it " + what +
                             ". headrace switches it off, but not where the program used MPI-IO "
                             "before or the environment asks for it")
      .in_file(users)
      .advise(
          "start it with OMPI_MCA_fbtl_posix_write_datasieving=0 and "
          "OMPI_MCA_fbtl_posix_read_datasieving=0 in the environment, or with OMPI_MCA_io=^ompio");
}

}  // namespace

status check_sieving(const communicator& comm, const std::string& file, bool writes) {
  if (comm.size() == 1) return {};
  return agree_on(comm,
                  [&] { return mpi_io_may_lose_writes() ? safe_sieving(file, writes) : status(); });
}

bool mpi_io_may_lose_writes() {
  return open_mpi_io_module().rfind("ompio", 0) == 0;
}

}  // namespace headrace
