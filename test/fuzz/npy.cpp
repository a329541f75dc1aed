// npy files: whatever the bytes are, they become an array or a status; an array that does not fit
// is not touched, and what could be read is the same after it was written and read again.
#include "binary/npy.hpp"

#include "memory_file.hpp"
#include "numpy_array.hpp"
#include "targets.hpp"

namespace headrace::fuzz {

void npy(std::string_view bytes) {
  const memory_file file(bytes);
  const numpy_array other({type_class::real, 8}, {3, 2});
  if (const status s = read_npy(file.path(), other.view(), {}); !s.ok())
    require(other.is_untouched() && !s.message().empty(), "a refused file changed the array");
  array_info info;
  const status described = describe_npy(file.path(), {}, info);
  require(described.ok() || !described.message().empty(), "a failure without a message");
  if (!described.ok()) return;
  require(info.bytes + static_cast<std::uint64_t>(info.data_offset) == bytes.size(),
          "the size of the file is not that of its array");
  const numpy_array array(info);
  const status read = read_npy(file.path(), array.view(), {});
  require(read.ok(), "described, but not read: " + read.message());
  const numpy_array in_c_order(info, true);
  const status other_order = read_npy(file.path(), in_c_order.view(), {});
  require(other_order.ok(), "read in one order only: " + other_order.message());
  const named_file copy(".npy");
  const status written = write_npy(copy.path(), array.view(), {});
  require(written.ok(), "cannot write: " + written.message());
  const numpy_array again(info);
  const status reread = read_npy(copy.path(), again.view(), {});
  require(reread.ok(), "cannot read what was written: " + reread.message());
  require(array.bytes() == again.bytes(), "other elements after writing and reading");
}

}  // namespace headrace::fuzz
