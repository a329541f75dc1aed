// How the records of an unformatted sequential file are marked. Next: record_walk.hpp.
#pragma once

#include <cstdint>

#include "../core/settings.hpp"

namespace headrace {

// What stands for a record that is too long for its 4-byte marker.
enum class long_records {
  subrecords,  // signed markers: negative in front means another piece follows, negative behind
               // that one came before (gfortran, Intel)
  high_bit,    // the same pieces; the high bit of the length instead of its sign (PGI)
  unsigned_marker,  // one piece, an unsigned length up to 4 GiB (LLVM flang)
};

struct record_dialect {
  int marker_bytes = 4;  // 4 or 8
  byte_order order = byte_order::native;
  long_records longer = long_records::subrecords;
  bool segmented = false;  // Intel's SEGMENTED records
};

// gfortran and Intel begin a new piece after so many bytes.
inline constexpr std::int64_t longest_piece = 2147483639;

}  // namespace headrace
