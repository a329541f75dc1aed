#include "npy.hpp"

#include <algorithm>
#include <array>

#include "npy_elements.hpp"
#include "npy_header.hpp"

namespace headrace {
namespace {

// A file up to this size is written by one system call.
constexpr std::size_t small_file = std::size_t{64} << 10;

// The bytes of a file one after another: the header comes by one system call.
class bytes_in_order {
 public:
  explicit bytes_in_order(file_reader& reader) : reader_(reader) {}

  status begin() {
    if (!reader_.size()) return {};
    return reader_.read_at(0, head_.data(), head_.size(), held_);
  }
  status fill(char* data, std::size_t bytes) {
    if (bytes <= held_ - given_) {
      std::copy_n(head_.data() + given_, bytes, data);
      given_ += bytes;
      return {};
    }
    if (given_ > 0) reader_.go_to(given_);
    held_ = given_ = 0;
    return reader_.read(data, bytes);
  }

 private:
  file_reader& reader_;
  std::array<char, 256> head_;
  std::size_t held_ = 0;
  std::size_t given_ = 0;
};

status check_size(const npy_header& header, const file_reader& reader) {
  if (!reader.size()) return {};
  const std::uint64_t wanted =
      static_cast<std::uint64_t>(header.info.data_offset) + header.info.bytes;
  if (*reader.size() == wanted) return {};
  return status::failure(stat_code::file_size_mismatch, *reader.size() < wanted
                                                            ? "the file ends before its array does"
                                                            : "more bytes follow the array")
      .expected(bytes_text(wanted), bytes_text(*reader.size()))
      .advise(*reader.size() < wanted ? "check that it was written and copied whole"
                                      : "write each array to a file of its own, or to an .npz");
}

status open_npy(const std::string& file, file_reader& reader, bytes_in_order& in_order,
                npy_header& header) {
  if (status s = reader.open(file); !s.ok()) return s;
  if (status s = in_order.begin(); !s.ok()) return s;
  const fill_bytes next = [&](char* data, std::size_t bytes) { return in_order.fill(data, bytes); };
  return read_npy_header(next, 0, header);
}

status read_from(file_reader& reader, bytes_in_order& in_order, const array_view& array,
                 const npy_header& header) {
  if (status s = check_npy_fits(array, header.info); !s.ok()) return s;
  if (status s = check_size(header, reader); !s.ok()) return s;
  npy_source source;
  source.next = [&](char* data, std::size_t bytes) { return in_order.fill(data, bytes); };
  const auto begin = static_cast<std::uint64_t>(header.info.data_offset);
  if (reader.size())
    source.at = [&](std::uint64_t offset, char* data, std::size_t bytes) {
      std::size_t count = 0;
      status s = reader.read_at(begin + offset, data, bytes, count);
      if (!s.ok() || count == bytes) return s;
      return status::failure(stat_code::end_of_file, "the file became shorter while it was read")
          .at_byte(begin + offset + count)
          .advise("wait until its writer has finished, and read again");
    };
  return read_npy_elements(array, header.info, source);
}

}  // namespace

status write_npy(const std::string& file, const array_view& array, const write_settings& settings) {
  std::string descr;
  if (status s = npy_descr(array, settings.binary.order, descr); !s.ok())
    return std::move(s).in_file(file);
  file_writer writer;
  if (status s = writer.open(file, settings.replace); !s.ok()) return s;
  std::string header = make_npy_header(descr, array, is_in_c_order(array));
  const bool small = npy_bytes(array) <= small_file;
  if (!small)
    if (status s = writer.write(header.data(), header.size()); !s.ok()) return s;
  const take_bytes take = [&](const char* data, std::size_t bytes) {
    if (!small) return writer.write(data, bytes);
    header.append(data, bytes);
    return status();
  };
  if (status s = write_npy_elements(array, settings.binary.order, take); !s.ok()) return s;
  if (small)
    if (status s = writer.write(header.data(), header.size()); !s.ok()) return s;
  return writer.finish(settings.sync);
}

status read_npy(const std::string& file, const array_view& array,
                const read_settings& /*settings*/) {
  file_reader reader;
  bytes_in_order in_order(reader);
  npy_header header;
  if (status s = open_npy(file, reader, in_order, header); !s.ok())
    return std::move(s).in_file_once(file);
  return read_from(reader, in_order, array, header).in_file_once(file);
}

status describe_npy(const std::string& file, const read_settings& /*settings*/, array_info& info) {
  if (is_pipe(file))
    return status::failure(stat_code::argument_invalid,
                           "a pipe cannot be described: its bytes can be read only once")
        .in_file(file)
        .advise("read it into an array of known kind and shape");
  file_reader reader;
  bytes_in_order in_order(reader);
  npy_header header;
  if (status s = open_npy(file, reader, in_order, header); !s.ok())
    return std::move(s).in_file_once(file);
  if (status s = check_size(header, reader); !s.ok()) return std::move(s).in_file(file);
  info = header.info;
  return {};
}

}  // namespace headrace
