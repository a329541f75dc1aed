#include "faults_files.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace faults {
namespace {

namespace fs = std::filesystem;

// Each MPI rank shall write, the one whose disk is full too.
constexpr const char* all_write = "cb_nodes=64";

constexpr way every_way[] = {{"npy", "npy", "shared_collective", "headrace", all_write},
                             {"npy", "npy", "shared_independent", "headrace"},
                             {"npy", "npy", "serial", "headrace"},
                             {"npy", "npy", "shared_collective", "library"},
                             {"npy", "npy", "shared_independent", "library"},
                             {"hdf5", "h5", "shared_collective", "headrace", all_write},
                             {"hdf5", "h5", "shared_independent", "headrace"},
                             {"hdf5", "h5", "serial", "headrace"},
                             {"hdf5", "h5", "shared_collective", "library"},
                             {"hdf5", "h5", "shared_independent", "library"},
                             {"hdf5", "h5", "serial", "library"},
                             {"netcdf4", "nc", "shared_collective", "headrace", all_write},
                             {"netcdf4", "nc", "shared_independent", "headrace"},
                             {"netcdf4", "nc", "serial", "headrace"},
                             {"netcdf4", "nc", "shared_collective", "library"},
                             {"netcdf4", "nc", "shared_independent", "library"},
                             {"netcdf4", "nc", "serial", "library"},
                             {"pnetcdf", "pnc", "shared_collective", "headrace", all_write},
                             {"pnetcdf", "pnc", "shared_independent", "headrace"},
                             {"pnetcdf", "pnc", "serial", "headrace"},
                             {"pnetcdf", "pnc", "shared_collective", "library"},
                             {"pnetcdf", "pnc", "shared_independent", "library"},
                             {"pnetcdf", "pnc", "serial", "library"},
                             {"adios2", "bp", "file_per_process", "library"},
                             {"adios2", "bp", "file_per_node", "library"},
                             {"adios2", "bp", "serial", "library"},
                             {"zarr", "zarr", "file_per_process", "headrace"},
                             {"zarr", "zarr", "file_per_node", "headrace"},
                             {"zarr", "zarr", "shared_collective", "headrace"},
                             {"zarr", "zarr", "shared_independent", "headrace"},
                             {"zarr", "zarr", "serial", "headrace"}};

}  // namespace

hr_parallel_options way::options() const {
  hr_parallel_options chosen{};
  chosen.format = format;
  chosen.pattern = pattern;
  chosen.transfer = transfer;
  chosen.hints = hints;
  return chosen;
}

std::string way::text() const {
  return std::string(format) + " " + pattern + " by " + transfer +
         (hints == nullptr ? "" : std::string(" with ") + hints);
}

bool way::is_serial() const {
  return std::strcmp(pattern, "serial") == 0;
}

bool way::is_store() const {
  return std::strcmp(format, "adios2") == 0 || std::strcmp(format, "zarr") == 0;
}

bool way::is_by_library() const {
  return std::strcmp(transfer, "library") == 0 && !is_store();
}

bool way::may_write_for_ever() const {
  return is_by_library() && (std::strcmp(format, "netcdf4") == 0 ||
                             (std::strcmp(format, "hdf5") == 0 && !is_serial()));
}

std::vector<way> ways() {
  std::vector<way> there;
  for (const way& one : every_way)
    if (hr_parallel_unavailable(one.format) == nullptr) there.push_back(one);
  return there;
}

namespace {

// Calls what(bytes, count) with the names and contents of all files, piece by piece, while it is
// true.
template <class What>
bool for_each_piece(const std::string& path, What what) {
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.emplace_back(path);
  }
  static std::vector<char> piece(1 << 20);
  for (const fs::path& file : files) {
    const std::string name = "\n" + file.string() + ":";
    if (!what(name.data(), name.size())) return false;
    std::ifstream stream;
    stream.rdbuf()->pubsetbuf(nullptr, 0);
    stream.open(file, std::ios::binary);
    do {
      stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      if (!what(piece.data(), static_cast<std::size_t>(stream.gcount()))) return false;
    } while (stream);
  }
  return true;
}

}  // namespace

std::string contents(const std::string& path) {
  std::string all;
  for_each_piece(path, [&](const char* bytes, std::size_t count) {
    all.append(bytes, count);
    return true;
  });
  return all;
}

bool has_contents(const std::string& path, const std::string& expected) {
  std::size_t at = 0;
  const bool same = for_each_piece(path, [&](const char* bytes, std::size_t count) {
    if (expected.compare(at, count, bytes, count) != 0) return false;
    at += count;
    return true;
  });
  return same && at == expected.size();
}

int leftovers(const std::string& file) {
  const fs::path path(file);
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string begin = path.filename().string() + ".headrace-";
  int found = 0;
  for (const auto& entry : fs::directory_iterator(directory))
    found += entry.path().filename().string().rfind(begin, 0) == 0 ? 1 : 0;
  return found;
}

void empty_this_directory(const spread::checks& check) {
  if (check.rank() == 0)
    for (const auto& entry : fs::directory_iterator(".")) fs::remove_all(entry.path());
  MPI_Barrier(MPI_COMM_WORLD);
}

int write(const std::string& file, const way& how, const spread::spread_array& from,
          hr_error& error) {
  const hr_parallel_options options = how.options();
  return hr_write_parallel(file.c_str(), from.array(), from.layout(), &options, nullptr, &error);
}

int read(const std::string& file, const way& how, const spread::spread_array& to, hr_error& error) {
  hr_parallel_options options{};
  options.format = how.format;
  return hr_read_parallel(file.c_str(), to.array(), to.layout(), &options, nullptr, &error);
}

bool lacks_elements(const std::string& file, way how, const spread::extents& global, int value) {
  spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global,
                            spread::cut::balanced);
  how.transfer = "headrace";
  how.hints = nullptr;
  data.clear();
  hr_error error{};
  int lacks = read(file, how, data, error) != 0 || data.wrong(value) != 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return lacks != 0;
}

}  // namespace faults
