#include "direct.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "../core/buffer.hpp"
#include "../core/transfer.hpp"

namespace headrace {
namespace {

constexpr std::uint64_t largest_offset = std::numeric_limits<std::int64_t>::max();

std::string records_text(std::uint64_t records) {
  return std::to_string(records) + (records == 1 ? " record" : " records");
}

// The records of a file that an array is about.
struct record_range {
  std::uint64_t length = 0;  // bytes of one
  std::uint64_t first = 1;   // from 1
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  // of the array; less than count * length if it ends in a record

  std::uint64_t offset() const noexcept { return (first - 1) * length; }
  std::uint64_t padding() const noexcept { return count * length - bytes; }
  std::uint64_t last() const noexcept { return first + count - 1; }
};

status check_length(const binary_layout& layout) {
  if (layout.record_length > 0) return {};
  return status::failure(stat_code::argument_invalid, "a direct access file needs record_length=")
      .advise("give the bytes of a record (the RECL= of gfortran; Intel's counts 4-byte words)");
}

status range_of(const array_view& array, const binary_layout& layout, record_range& range) {
  if (status s = check_length(layout); !s.ok()) return s;
  range.length = layout.record_length;
  range.first = std::max<std::uint64_t>(layout.record, 1);
  range.bytes = byte_count(array).value_or(0);
  range.count = range.bytes / range.length + (range.bytes % range.length != 0 ? 1 : 0);
  if (array.elem_len > 0 && range.count > 1 && range.length % array.elem_len != 0)
    return status::failure(stat_code::record_size_mismatch, "a record ends within an element")
        .expected("a multiple of " + bytes_text(array.elem_len), bytes_text(range.length))
        .advise("choose such a record_length, or one that holds the whole array");
  if (range.last() > largest_offset / range.length)
    return status::failure(
               stat_code::argument_invalid,
               "record number " + std::to_string(range.last()) + " lies beyond the largest file")
        .advise("check record= and record_length=");
  return {};
}

status check_whole_records(const std::string& file, std::uint64_t size, std::uint64_t length) {
  if (size % length == 0) return {};
  return status::failure(stat_code::truncated_record,
                         "the size of the file is not a whole number of records")
      .expected("a multiple of " + bytes_text(length), bytes_text(size) + " (" +
                                                           records_text(size / length) + " and " +
                                                           bytes_text(size % length) + ")")
      .in_file(file)
      .advise("check record_length= (bytes), and that its writer has finished");
}

status write_padding(file_writer& writer, std::uint64_t bytes) {
  buffer zeros;
  const std::uint64_t block = std::min<std::uint64_t>(bytes, std::uint64_t{1} << 20);
  zeros.reserve(block);
  std::fill_n(zeros.data(), block, '\0');
  for (std::uint64_t left = bytes; left > 0;) {
    const std::uint64_t part = std::min(left, block);
    if (status s = writer.write(zeros.data(), part); !s.ok()) return s;
    left -= part;
  }
  return {};
}

status open_writer(const std::string& file, const write_settings& settings,
                   const record_range& range, file_writer& writer) {
  if (settings.binary.record == 0) return writer.open(file, settings.replace);
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(file, missing);
  if (!missing && is_regular_file(file))
    if (status s = check_whole_records(file, size, range.length); !s.ok()) return s;
  return writer.open_range(file, range.offset(), range.count * range.length);
}

status check_records(const std::string& file, std::uint64_t size, const record_range& range) {
  if (status s = check_whole_records(file, size, range.length); !s.ok()) return s;
  const std::uint64_t there = size / range.length;
  if (range.count == 0 || range.last() <= there) return {};
  const std::string wanted = range.count == 1 ? "record " + std::to_string(range.first)
                                              : "records " + std::to_string(range.first) + " to " +
                                                    std::to_string(range.last());
  return status::failure(stat_code::record_missing, "the file does not have all of the records")
      .expected(wanted + " of " + bytes_text(range.length),
                records_text(there) + " (" + bytes_text(size) + ")")
      .in_file(file)
      .advise("check record=, record_length= (bytes) and the shape of the array");
}

status skip(file_reader& reader, std::uint64_t bytes) {
  buffer passed;
  const std::uint64_t block = std::min<std::uint64_t>(bytes, std::uint64_t{1} << 20);
  passed.reserve(block);
  for (std::uint64_t left = bytes; left > 0;) {
    const std::uint64_t part = std::min(left, block);
    if (status s = reader.read(passed.data(), part); !s.ok()) return s;
    left -= part;
  }
  return {};
}

}  // namespace

status write_direct(const std::string& file, const array_view& array,
                    const write_settings& settings) {
  record_range range;
  file_writer writer;
  if (status s = range_of(array, settings.binary, range); !s.ok())
    return std::move(s).in_file(file);
  if (status s = open_writer(file, settings, range, writer); !s.ok()) return s;
  if (status s = write_elements(writer, array, transfer_in_order(settings.binary.order, array));
      !s.ok())
    return s;
  if (status s = write_padding(writer, range.padding()); !s.ok()) return s;
  return writer.finish(settings.sync);
}

status read_direct(const std::string& file, const array_view& array,
                   const read_settings& settings) {
  record_range range;
  file_reader reader;
  if (status s = range_of(array, settings.binary, range); !s.ok())
    return std::move(s).in_file(file);
  if (status s = reader.open(file); !s.ok()) return s;
  const transfer_settings transfer = transfer_in_order(settings.binary.order, array);
  if (!reader.size()) {
    if (status s = skip(reader, range.offset()); !s.ok()) return s;
    return read_elements(reader, array, transfer);
  }
  if (status s = check_records(file, *reader.size(), range); !s.ok()) return s;
  return read_elements_at(reader, range.offset(), array, transfer).in_file_once(file);
}

status describe_direct(const std::string& file, const read_settings& settings, array_info& info) {
  const binary_layout& layout = settings.binary;
  record_range range;
  file_reader reader;
  if (status s = check_length(layout); !s.ok()) return std::move(s).in_file(file);
  if (status s = reader.open_sized(file, "a pipe or device has no size",
                                   "read it into an array of known shape");
      !s.ok())
    return s;
  range.length = layout.record_length;
  range.first = std::max<std::uint64_t>(layout.record, 1);
  const std::uint64_t size = *reader.size();
  range.count = size == 0 && range.first == 1 ? 0 : 1;
  if (status s = check_records(file, size, range); !s.ok()) return s;
  info.typed = false;
  info.bytes = size - range.offset();
  info.order = layout.order;
  info.data_offset = static_cast<std::int64_t>(range.offset());
  return {};
}

}  // namespace headrace
