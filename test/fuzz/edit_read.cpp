// Formatted reading: pieces of any size give the same, and so does the fast parser of whole rows.
#include <algorithm>
#include <memory>

#include "memory_source.hpp"
#include "padded_text.hpp"
#include "sample_array.hpp"
#include "targets.hpp"
#include "text/edit/edit_format.hpp"
#include "text/edit/edit_transfer.hpp"
#include "text/edit/uniform_rows.hpp"

namespace headrace::fuzz {
namespace {

status read_pieces(const headrace::edit_format& format, std::string_view text, std::size_t piece,
                   const sample_array& array) {
  memory_source source(text, piece);
  return read_edited(format, source, array.view());
}

void compare_with_fast_rows(const headrace::edit_format& format, std::string_view text,
                            element_type element) {
  const std::unique_ptr<row_parser> rows = make_row_parser(format, element.type, element.elem_len);
  if (!rows) return;
  require(rows->values > 0 && rows->bytes > 0, "rows without values");
  const std::size_t records = std::min<std::size_t>(text.size() / rows->bytes, 1000);
  if (records == 0 || rows->values > 10000) return;
  const std::string_view used = text.substr(0, records * rows->bytes);
  on_each_tier([&](int tier) {
    const padded_text padded(used, '7');
    sample_array fast(element, rows->values, records);
    const std::size_t good = rows->parse(padded.data(), rows->values * records, fast.view().base);
    require(good <= rows->values * records, "more values than there are");
    sample_array slow(element, 1, good);
    const status s = read_pieces(format, used, used.size(), slow);
    require(s.ok(), "fast rows accept what fails: " + s.message());
    require(std::equal(slow.bytes().begin(), slow.bytes().end(), fast.bytes().begin()),
            "fast rows read other values, tier " + std::to_string(tier));
  });
}

}  // namespace

void edit_read(std::string_view bytes) {
  fuzz_input input(bytes);
  const element_type element = element_types[input.choose(element_type_count)];
  const std::size_t columns = 1 + input.choose(5);
  const std::size_t piece = 1 + input.choose(20);
  headrace::edit_format format;
  if (!parse_edit_format(input.line(), format).ok()) return;
  const sample_array whole(element, columns, 3);
  const sample_array pieces(element, columns, 3);
  const status s = read_pieces(format, input.rest(), input.rest().size() + 1, whole);
  const status p = read_pieces(format, input.rest(), piece, pieces);
  require(s.code() == p.code(), "pieces give another status: " + s.message() + p.message());
  require(whole.bytes() == pieces.bytes(), "pieces give other values");
  compare_with_fast_rows(format, input.rest(), element);
}

}  // namespace headrace::fuzz
