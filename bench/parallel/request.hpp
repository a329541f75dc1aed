// What `headrace bench parallel` asks this program to do; a line of JSON for each request.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace headrace::bench {

struct request {
  std::int64_t id = 0;
  std::string method;
  std::string operation;                 // write, read, remove, prepare, quit
  std::string file;                      // or directory
  std::string layout = "block";          // slab, pencil, block, fast
  std::array<std::int64_t, 3> global{};  // extents of the whole array of real64
  std::uint64_t seed = 1;
  bool sync = false;
  std::string condition = "cached";  // cached, synced; warm, cold
  std::string hints;                 // "name=value,name=value"
  std::map<std::string, std::string> options;
  bool verify = false;
  bool events = false;
  bool at_page = false;  // where the array begins; else where malloc has it, as ALLOCATE does
  int node_size = 0;     // groups of so many MPI ranks count as nodes; 0: as they are
};

// Throws std::invalid_argument for what is not a request: unknown members, wrong types, missing
// ones.
request read_request(const std::string& line);

}  // namespace headrace::bench
