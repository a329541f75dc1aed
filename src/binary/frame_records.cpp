#include "frame_records.hpp"

#include <cstring>

namespace headrace {
namespace {

// Sizes that the compiler knows become a load and three stores.
template <std::size_t Marker, std::size_t Data>
void frame_fixed(char* to, const char* from, std::size_t records, const char* marker) noexcept {
  char mark[Marker];
  std::memcpy(mark, marker, Marker);
  for (std::size_t i = 0; i < records; ++i, from += Data, to += Data + 2 * Marker) {
    std::memcpy(to, mark, Marker);
    std::memcpy(to + Marker, from, Data);
    std::memcpy(to + Marker + Data, mark, Marker);
  }
}

template <std::size_t Marker>
void frame_any(char* to, const char* from, std::size_t records, std::size_t record_bytes,
               const char* marker) noexcept {
  for (std::size_t i = 0; i < records; ++i) {
    std::memcpy(to, marker, Marker);
    if (record_bytes > 0) std::memcpy(to + Marker, from, record_bytes);
    std::memcpy(to + Marker + record_bytes, marker, Marker);
    from += record_bytes;
    to += record_bytes + 2 * Marker;
  }
}

template <std::size_t Marker>
void frame(char* to, const char* from, std::size_t records, std::size_t record_bytes,
           const char* marker) noexcept {
  switch (record_bytes) {
    case 4:
      return frame_fixed<Marker, 4>(to, from, records, marker);
    case 8:
      return frame_fixed<Marker, 8>(to, from, records, marker);
    case 12:
      return frame_fixed<Marker, 12>(to, from, records, marker);
    case 16:
      return frame_fixed<Marker, 16>(to, from, records, marker);
    case 24:
      return frame_fixed<Marker, 24>(to, from, records, marker);
    case 32:
      return frame_fixed<Marker, 32>(to, from, records, marker);
    default:
      return frame_any<Marker>(to, from, records, record_bytes, marker);
  }
}

}  // namespace

void frame_records(char* to, const char* from, std::size_t records, std::size_t record_bytes,
                   const char* marker, std::size_t marker_bytes) noexcept {
  if (marker_bytes == 8)
    frame<8>(to, from, records, record_bytes, marker);
  else
    frame<4>(to, from, records, record_bytes, marker);
}

}  // namespace headrace
