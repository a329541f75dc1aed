// The peak of this process's memory, as Linux tells it.
#pragma once

#include <mpi.h>

#include <fstream>
#include <sstream>
#include <string>

namespace spread {

// "VmHWM" (the peak) or "VmRSS" (now), bytes; -1 when it is not told.
inline long long status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string found;
    long long kib = 0;
    if (words >> found >> kib && found == name + ":") return kib << 10;
  }
  return -1;
}

inline bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

// How far the peak rises while act runs, bytes; memory shared with the node counts too.
template <class Act>
long long growth(Act act) {
  MPI_Barrier(MPI_COMM_WORLD);
  reset_peak();
  const long long before = status_bytes("VmRSS");
  act();
  return status_bytes("VmHWM") - before;
}

}  // namespace spread
