#include "netcdf_room.hpp"

#include <sys/stat.h>

#include "../core/library_files.hpp"

namespace headrace {

bool each_takes_netcdf_room(const communicator& comm, const std::string& file) {
  std::int64_t is_local = comm.rank() == 0 && is_local_file_system(file) ? 1 : 0;
  broadcast(comm, 0, is_local);
  return is_local != 0;
}

std::int64_t length_for_all(const communicator& comm, const std::string& file) {
  struct stat found {};
  std::int64_t length = 0;
  if (comm.rank() == 0 && ::stat(file.c_str(), &found) == 0) length = found.st_size;
  broadcast(comm, 0, length);
  return length;
}

void broadcast_places(const communicator& comm, std::vector<byte_range>& places) {
  std::vector<std::int64_t> numbers;
  for (const byte_range& place : places) {
    numbers.push_back(place.begin);
    numbers.push_back(place.end);
  }
  broadcast(comm, 0, numbers);
  places.clear();
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    places.push_back({numbers[i], numbers[i + 1]});
}

}  // namespace headrace
