// npz archives: whatever the bytes are, they become an array or a status; an array that can be read
// can be read again after another one was appended.
#include "binary/npz.hpp"

#include "memory_file.hpp"
#include "numpy_array.hpp"
#include "targets.hpp"

namespace headrace::fuzz {
namespace {

constexpr const char* added_name = "added by the fuzzer";
constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20;  // some bytes can hold a thousandfold

void append_and_read_again(std::string_view bytes, const std::string& name,
                           const numpy_array& array, const array_info& info) {
  const named_file archive(".npz", bytes);
  const numpy_array added({type_class::integer, 4}, {5});
  write_settings writing;
  writing.replace = replace_mode::append;
  writing.binary.name = added_name;
  writing.binary.compress = bytes.size() % 2 == 0;
  const status written = write_npz(archive.path(), added.view(), writing);
  require(written.ok(), "cannot append: " + written.message());
  read_settings reading;
  reading.binary.name = name;
  const numpy_array again(info);
  const status reread = read_npz(archive.path(), again.view(), reading);
  require(reread.ok(), "cannot read after appending: " + reread.message());
  require(array.bytes() == again.bytes(), "other elements after appending");
  reading.binary.name = added_name;
  const numpy_array found({type_class::integer, 4}, {5});
  const status appended = read_npz(archive.path(), found.view(), reading);
  require(appended.ok(), "cannot read what was appended: " + appended.message());
  require(found.bytes() == added.bytes(), "other elements than were appended");
}

void read_named(std::string_view bytes, const std::string& name) {
  const memory_file file(bytes);
  read_settings reading;
  reading.binary.name = name;
  array_info info;
  const status described = describe_npz(file.path(), reading, info);
  require(described.ok() || !described.message().empty(), "a failure without a message");
  if (!described.ok() || info.bytes > most_bytes) return;
  const numpy_array array(info);
  const status read = read_npz(file.path(), array.view(), reading);
  require(read.ok() || !read.message().empty(), "a failure without a message");
  const numpy_array in_c_order(info, true);
  const status other_order = read_npz(file.path(), in_c_order.view(), reading);
  require(read.ok() == other_order.ok(), "read in one order only: " + other_order.message());
  const bool is_there = bytes.find(added_name) != std::string_view::npos;
  if (read.ok() && !name.empty() && !is_there) append_and_read_again(bytes, name, array, info);
}

}  // namespace

void npz(std::string_view bytes) {
  for (const char* name : {"", "x", "arr_0"}) read_named(bytes, name);
}

}  // namespace headrace::fuzz
