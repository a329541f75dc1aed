// Fortran formats: taken apart, and used to write a few values of every type. Where there is a fast
// formatter of whole rows, it must write the same bytes.
#include "text/edit/edit_format.hpp"

#include <cerrno>
#include <memory>

#include "sample_array.hpp"
#include "targets.hpp"
#include "text/edit/edit_transfer.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text/kernels/format_numbers.hpp"

namespace headrace::fuzz {
namespace {

constexpr std::size_t longest_text = 100000;

// A disk that is soon full: widths may be large.
class small_disk final : public byte_sink {
 public:
  status write(const char* data, std::size_t bytes) override {
    if (text.size() + bytes > longest_text) return status::system(ENOSPC, "cannot write");
    text.append(data, bytes);
    return {};
  }
  std::string text;
};

void compare_with_fast_rows(const headrace::edit_format& format, const sample_array& array,
                            const std::string& expected) {
  const array_view& view = array.view();
  const std::unique_ptr<row_formatter> rows = make_row_formatter(format, view.type, view.elem_len);
  if (!rows) return;
  const std::size_t n = *element_count(view);
  require(rows->values > 0 && rows->bytes > 0, "rows without values");
  if (rows->bytes > longest_text) return;
  const std::size_t room = (n / rows->values + 1) * rows->bytes + format_slack;
  const std::unique_ptr<char[]> out(new char[room]);
  const char* const end = rows->format(out.get(), view.base, n);
  const std::string text(out.get(), static_cast<std::size_t>(end - out.get()));
  require(text == expected, "fast rows write\n" + text + "\nexpected\n" + expected);
}

}  // namespace

void edit_format(std::string_view bytes) {
  fuzz_input input(bytes);
  sample_array array(element_types[input.choose(element_type_count)], 1 + input.choose(7), 3);
  array.fill_with_samples();
  headrace::edit_format format;
  if (status s = parse_edit_format(input.rest(), format); !s.ok()) {
    require(s.code() == static_cast<int>(stat_code::format_invalid), s.message());
    return;
  }
  small_disk disk;
  const status s = write_edited(format, array.view(), disk);
  if (s.ok()) compare_with_fast_rows(format, array, disk.text);
}

}  // namespace headrace::fuzz
