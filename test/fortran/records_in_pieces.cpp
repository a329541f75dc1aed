// A record in short pieces for records_in_pieces.f90.
#include "binary/record_writer.hpp"

// Arguments as there; big: 1 for big endian.
extern "C" int hr_test_write_pieces(const char* data, std::size_t bytes, int marker, int big) {
  using namespace headrace;
  record_dialect dialect;
  dialect.marker_bytes = marker;
  dialect.order = big != 0 ? byte_order::big : byte_order::little;
  record_writer writer;
  if (const status s = writer.open("ours.unf", replace_mode::whole, dialect); !s.ok())
    return s.code();
  writer.limit_pieces(32);
  if (const status s = writer.begin(bytes); !s.ok()) return s.code();
  if (const status s = writer.put(data, bytes); !s.ok()) return s.code();
  if (const status s = writer.end(); !s.ok()) return s.code();
  return writer.close().code();
}
