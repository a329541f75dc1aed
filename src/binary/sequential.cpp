#include "sequential.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "record_reader.hpp"
#include "record_writer.hpp"

namespace headrace {
namespace {

record_dialect dialect_of(const binary_layout& layout) {
  record_dialect dialect;
  dialect.marker_bytes = layout.record_marker;
  dialect.order = layout.order;
  return dialect;
}

status no_such_record(const std::string& file, record_reader& reader, std::int64_t number) {
  std::uint64_t there = 0;
  if (status s = reader.count(there); !s.ok()) return s;
  return status::failure(stat_code::record_missing, "the file has no such record")
      .expected("record " + std::to_string(number),
                std::to_string(there) + (there == 1 ? " record" : " records"))
      .in_file(file)
      .advise(there == 0 ? "check that its writer has finished"
                         : "check record=, it counts from 1");
}

// Goes before record number; bytes tells its length.
status go_before(const std::string& file, record_reader& reader, std::int64_t number,
                 std::uint64_t& bytes) {
  status found = reader.go_to(number);
  if (found.ok()) found = reader.next_bytes(bytes);
  const bool missing = found.code() == static_cast<int>(stat_code::end_of_file) ||
                       found.code() == static_cast<int>(stat_code::record_missing);
  return missing ? no_such_record(file, reader, number) : found;
}

// Success when the file ends behind its first record.
status check_alone(const std::string& file, record_reader& reader) {
  std::uint64_t bytes = 0;
  if (status s = reader.skip(1); !s.ok()) return s;
  const status next = reader.next_bytes(bytes);
  if (next.code() == static_cast<int>(stat_code::end_of_file)) return {};
  if (!next.ok()) return next;
  return status::failure(stat_code::argument_invalid, "the file has more than one record")
      .expected("record=, the number of one of them", "no number")
      .in_file(file)
      .advise("give record= to read_array, or read them one after another as a record_file");
}

// Opens the file and goes before the record that is wanted.
status open_at(const std::string& file, const binary_layout& layout, record_reader& reader,
               std::int64_t& number, std::uint64_t& bytes) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  number = layout.record == 0 ? 1 : static_cast<std::int64_t>(std::min(layout.record, most));
  if (status s = reader.open(file, {dialect_of(layout)}); !s.ok()) return s;
  if (status s = go_before(file, reader, number, bytes); !s.ok()) return s;
  if (layout.record != 0) return {};
  if (status s = check_alone(file, reader); !s.ok()) return s;
  return reader.go_to(number);
}

}  // namespace

status write_sequential(const std::string& file, const array_view& array,
                        const write_settings& settings) {
  if (settings.binary.record != 0)
    return status::failure(stat_code::option_unknown,
                           "record= has no meaning for an unformatted file that is written")
        .in_file(file)
        .advise("leave it out; append=\"yes\" writes behind the records of an old file");
  record_writer writer;
  if (status s = writer.open(file, settings.replace, dialect_of(settings.binary), settings.sync);
      !s.ok())
    return s;
  if (status s = writer.write(array); !s.ok()) return s;
  return writer.close();
}

status read_sequential(const std::string& file, const array_view& array,
                       const read_settings& settings) {
  record_reader reader;
  std::int64_t number = 0;
  std::uint64_t bytes = 0;
  if (status s = open_at(file, settings.binary, reader, number, bytes); !s.ok()) return s;
  return reader.read(array);
}

status describe_sequential(const std::string& file, const read_settings& settings,
                           array_info& info) {
  record_reader reader;
  std::int64_t number = 0;
  std::uint64_t bytes = 0;
  if (status s = open_at(file, settings.binary, reader, number, bytes); !s.ok()) return s;
  std::vector<record_part> parts;
  if (status s = reader.locate(number, 1, parts); !s.ok()) return s;
  info.typed = false;
  info.bytes = bytes;
  info.order = settings.binary.order;
  const bool in_one_piece = !parts.empty() && parts.front().bytes == bytes;
  info.data_offset = in_one_piece ? static_cast<std::int64_t>(parts.front().offset) : -1;
  return {};
}

}  // namespace headrace
