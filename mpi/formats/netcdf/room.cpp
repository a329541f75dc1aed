#include "room.hpp"

#include <sys/stat.h>

#include "../../disk/library_files.hpp"
#include "../../together/from_root.hpp"

namespace headrace {

std::int64_t length_for_all(const communicator& comm, const std::string& file) {
  struct stat found {};
  std::int64_t length = 0;
  if (comm.rank() == 0 && ::stat(file.c_str(), &found) == 0) length = found.st_size;
  broadcast(comm, 0, length);
  return length;
}

status places_from_root(const communicator& comm, const place_search& find,
                        std::vector<byte_range>& places) {
  const auto make = [&](root_message& all) {
    std::vector<byte_range> found;
    if (status s = find(found); !s.ok()) return s;
    for (const byte_range& place : found)
      all.numbers.insert(all.numbers.end(), {place.begin, place.end});
    return status();
  };
  return from_root(comm, make, [&](const root_message& all) {
    places.clear();
    for (std::size_t i = 0; i + 1 < all.numbers.size(); i += 2)
      places.push_back({all.numbers[i], all.numbers[i + 1]});
  });
}

}  // namespace headrace
