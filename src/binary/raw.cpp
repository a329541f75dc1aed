#include "raw.hpp"

#include "../core/transfer.hpp"

namespace headrace {
namespace {

status check_size(const std::string& file, const array_view& array, const file_reader& reader) {
  const std::uint64_t wanted = byte_count(array).value_or(0);
  if (!reader.size() || *reader.size() == wanted) return {};
  const std::string elements = std::to_string(element_count(array).value_or(0)) + " elements of " +
                               bytes_text(array.elem_len);
  return status::failure(stat_code::file_size_mismatch, "the file does not fit the array")
      .expected(bytes_text(wanted) + " (" + elements + ")", bytes_text(*reader.size()))
      .in_file(file)
      .advise("read into an array of the kind and shape that were written");
}

}  // namespace

status write_raw(const std::string& file, const array_view& array, const write_settings& settings) {
  file_writer writer;
  if (status s = writer.open(file, settings.replace); !s.ok()) return s;
  if (status s = write_elements(writer, array, transfer_in_order(settings.binary.order, array));
      !s.ok())
    return s;
  return writer.finish(settings.sync);
}

status read_raw(const std::string& file, const array_view& array, const read_settings& settings) {
  file_reader reader;
  if (status s = reader.open(file); !s.ok()) return s;
  if (status s = check_size(file, array, reader); !s.ok()) return s;
  return read_elements(reader, array, transfer_in_order(settings.binary.order, array));
}

status describe_raw(const std::string& file, const read_settings& settings, array_info& info) {
  file_reader reader;
  if (status s = reader.open_sized(file, "a pipe or device has no size",
                                   "read it into an array of known shape");
      !s.ok())
    return s;
  info.typed = false;
  info.bytes = *reader.size();
  info.order = settings.binary.order;
  info.data_offset = 0;
  return {};
}

}  // namespace headrace
