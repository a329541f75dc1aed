// The block kernel of small records: puts markers between equal pieces of data.
#pragma once

#include <cstddef>

namespace headrace {

// Writes for each record its marker, its bytes and its marker again, records * (record_bytes +
// 2 * marker_bytes) bytes in all, to a place that does not overlap from. marker holds marker_bytes
// bytes (4 or 8) as they are in the file.
void frame_records(char* to, const char* from, std::size_t records, std::size_t record_bytes,
                   const char* marker, std::size_t marker_bytes) noexcept;

}  // namespace headrace
