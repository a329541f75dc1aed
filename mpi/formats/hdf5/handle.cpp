#include "handle.hpp"

#include "../../together/library_words.hpp"

namespace headrace::hdf5 {
namespace {

// What a failed MPI function said comes first, then which one it was.
struct error_lines {
  std::string deepest;
  std::string second;
  int error = 0;  // of the system, the deepest that any line names
  bool from_mpi = false;
};

herr_t collect(unsigned depth, const H5E_error2_t* error, void* data) {
  auto& lines = *static_cast<error_lines*>(data);
  const std::string text = error->desc == nullptr ? "" : error->desc;
  if (lines.error == 0) lines.error = error_in_words(text);
  if (depth == 0) {
    lines.deepest = text;
    lines.from_mpi = error->min_num == H5E_MPIERRSTR;
  } else if (depth == 1) {
    lines.second = text;
  }
  return 0;
}

}  // namespace

status library_failure(const std::string& what, stat_code code) {
  const int left = disk_error_in_errno();
  error_lines lines;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &lines);
  H5Eclear2(H5E_DEFAULT);
  if (lines.error == 0 && code == stat_code::library_failed) lines.error = left;
  if (lines.error > 0) return status::system(lines.error, what);
  std::string text = lines.deepest;
  if (lines.from_mpi && !lines.second.empty()) text = lines.second + ": " + text;
  if (text.empty()) text = "no reason given";
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  return status::failure(code, what + "; HDF5 says: " + text);
}

}  // namespace headrace::hdf5
