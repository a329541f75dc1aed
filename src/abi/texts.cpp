// The hr_text_ functions and hr_array_to_text. Next: ../cells/value.hpp, ../cells/edit.hpp.
#include "texts.hpp"

#include "../cells/edit.hpp"
#include "../cells/format.hpp"
#include "../cells/sink.hpp"
#include "../cells/source.hpp"

namespace headrace {
namespace {

status refuse_arrays(const array_view& view) {
  if (element_count(view).value_or(0) == 1) return {};
  return status::failure(stat_code::argument_invalid, "expected one value, found an array")
      .advise("use cells for arrays");
}

// What aprint chooses if the caller did not: two places, 1.50-2.00j.
value_style for_people(const value_style& style, const array_view& view, bool decimals_given) {
  value_style chosen = style;
  const bool real = view.type == type_class::real || view.type == type_class::complex;
  if (real && chosen.form == '\0') chosen.form = 'f';
  if (real && !decimals_given) chosen.decimals = 2;
  if (view.type == type_class::complex && chosen.imaginary.empty()) chosen.imaginary = "j";
  return chosen;
}

}  // namespace
}  // namespace headrace

using namespace headrace;

extern "C" void hr_text_free(hr_text* text) {
  if (text == nullptr) return;
  std::free(text->bytes);
  *text = {nullptr, 0};
}

extern "C" int hr_value_to_text(const hr_array* value, const hr_text_style* style, hr_text* text,
                                hr_error* error) {
  return guarded(error, [&] {
    array_view view;
    value_style chosen;
    if (status s = checked_view(value, view); !s.ok()) return s;
    if (status s = refuse_arrays(view); !s.ok()) return s;
    if (status s = to_value_style(style, chosen); !s.ok()) return s;
    if (status s = check_value_style(chosen, view.type, view.elem_len); !s.ok()) return s;
    std::string result;
    if (view.type == type_class::character)
      result.assign(view.base, view.elem_len);
    else if (!append_value(result, view.base, view.type, view.elem_len, chosen))
      return no_such_time();
    deliver_text(result, text);
    return status();
  });
}

extern "C" int hr_text_to_value(const char* text, size_t length, const hr_array* value,
                                const hr_text_style* style, hr_error* error) {
  return guarded(error, [&] {
    array_view view;
    parse_style chosen;
    if (status s = checked_view(value, view); !s.ok()) return s;
    if (status s = refuse_arrays(view); !s.ok()) return s;
    if (status s = to_parse_style(style, chosen); !s.ok()) return s;
    block_builder builder(1);
    builder.add(view_of_text(text, length));
    std::vector<cell_block> blocks(1);
    if (status s = builder.finish(blocks[0]); !s.ok()) return s;
    cell_array cells;
    if (status s = cells.append(std::move(blocks)); !s.ok()) return s;
    return parse_cells(cells, {0, 1, 0, 1}, chosen, 1, view);
  });
}

extern "C" int hr_text_replace(const char* text, size_t length, const char* match,
                               size_t match_length, const char* by, size_t by_length, int back,
                               hr_text* replaced, hr_error* error) {
  return guarded(error, [&] {
    deliver_text(replace_all(view_of_text(text, length), view_of_text(match, match_length),
                             view_of_text(by, by_length), back != 0),
                 replaced);
    return status();
  });
}

extern "C" int64_t hr_text_count(const char* text, size_t length, const char* match,
                                 size_t match_length) {
  return static_cast<int64_t>(
      count_matches(view_of_text(text, length), view_of_text(match, match_length)));
}

extern "C" int hr_text_read(const char* file, hr_text* text, hr_error* error) {
  return guarded(error, [&] {
    std::string whole;
    if (status s = read_text_file(string_of(file), whole); !s.ok()) return s;
    deliver_text(whole, text);
    return status();
  });
}

extern "C" int hr_text_write(const char* file, const char* text, size_t length, int append,
                             hr_error* error) {
  return guarded(error, [&] {
    text_sink sink;
    if (status s = sink.open(string_of(file), append != 0); !s.ok()) return s;
    const std::string_view view = view_of_text(text, length);
    if (status s = sink.write(view.data(), view.size()); !s.ok()) return s;
    return sink.finish();
  });
}

extern "C" int hr_array_to_text(const hr_array* array, const hr_text_style* style, hr_text* text,
                                hr_error* error) {
  return guarded(error, [&] {
    array_view view;
    value_style chosen;
    if (status s = checked_view(array, view); !s.ok()) return s;
    if (status s = to_value_style(style, chosen); !s.ok()) return s;
    const bool decimals_given = style != nullptr && style->decimals != nullptr;
    cell_array cells;
    if (status s = append_cells(view, for_people(chosen, view, decimals_given), 1, cells); !s.ok())
      return s;
    deliver_text(print_cells(cells), text);
    return status();
  });
}
