// List-directed reading: pieces of any size give the same values and the same status.
#include "memory_source.hpp"
#include "sample_array.hpp"
#include "targets.hpp"
#include "text/edit/edit_transfer.hpp"

namespace headrace::fuzz {

void list_read(std::string_view bytes) {
  fuzz_input input(bytes);
  const element_type element = element_types[input.choose(element_type_count)];
  const std::size_t columns = 1 + input.choose(5);
  const char decimal = input.choose(2) == 0 ? '.' : ',';
  const std::size_t piece = 1 + input.choose(20);
  const sample_array whole(element, columns, 2);
  const sample_array pieces(element, columns, 2);
  memory_source whole_source(input.rest(), input.rest().size() + 1);
  memory_source piece_source(input.rest(), piece);
  const status s = read_list_directed(whole_source, decimal, whole.view());
  const status p = read_list_directed(piece_source, decimal, pieces.view());
  require(s.code() == p.code(), "pieces give another status: " + s.message() + p.message());
  require(s.message() == p.message(), "pieces give another message: " + s.message() + p.message());
  require(whole.bytes() == pieces.bytes(), "pieces give other values");
}

}  // namespace headrace::fuzz
