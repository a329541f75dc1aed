#include "transfer.hpp"

#include <algorithm>
#include <memory>

#include "array_copy.hpp"

namespace headrace {
namespace {

// Runs from this size on go to and from the file without a copy: a system call of 64 KiB costs
// less than copying as much.
constexpr std::size_t direct_run = std::size_t{64} << 10;
constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

}  // namespace

status write_elements(file_writer& file, const array_view& array) {
  status result;
  const run_grid grid = runs_of(array);
  if (grid.dimensions == 0 || grid.run_bytes >= direct_run) {
    for_each_run(array, [&](const char* run, std::size_t bytes) {
      result = file.write(run, bytes);
      return result.ok();
    });
    return result;
  }
  const std::size_t capacity = std::min(buffer_bytes, byte_count(array).value_or(0));
  const std::unique_ptr<char[]> buffer(new char[capacity]);
  array_copier elements(array);
  while (result.ok()) {
    const std::size_t bytes = elements.gather(buffer.get(), capacity);
    if (bytes == 0) break;
    result = file.write(buffer.get(), bytes);
  }
  return result;
}

status read_elements(file_reader& file, const array_view& array) {
  status result;
  const run_grid grid = runs_of(array);
  if (grid.dimensions == 0 || grid.run_bytes >= direct_run) {
    for_each_run(array, [&](char* run, std::size_t bytes) {
      result = file.read(run, bytes);
      return result.ok();
    });
    return result;
  }
  std::size_t left = byte_count(array).value_or(0);
  const std::size_t capacity = std::min(buffer_bytes, left);
  const std::unique_ptr<char[]> buffer(new char[capacity]);
  array_copier elements(array);
  while (left > 0) {
    const std::size_t bytes = std::min(capacity, left);
    result = file.read(buffer.get(), bytes);
    if (!result.ok()) break;
    left -= elements.scatter(buffer.get(), bytes);
  }
  return result;
}

}  // namespace headrace
