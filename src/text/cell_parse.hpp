// Cells to contiguous values of one type. Next: kernels/parse_numbers.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "../core/array_view.hpp"
#include "../core/settings.hpp"
#include "kernels/parse_numbers.hpp"

namespace headrace {

// Converts cells of a field_map. Threads may share one.
class cell_parser {
 public:
  virtual ~cell_parser() = default;
  // Fields first to last - 1 to values; stops at the first that is not good and gives its number
  // and state, as parse_fields does.
  virtual std::size_t parse(const char* text, const std::uint32_t* ends, std::size_t first,
                            std::size_t last, char* values, field_state& state) const noexcept = 0;
  std::size_t elem_len = 0;
  const char* expected = "";  // "a real number"
  // The value of one text, for missing=; false where it has none.
  bool parse_text(const std::string& text, std::string& value) const;
  bool is_integer = false;
};

status make_cell_parser(const text_layout& layout, type_class type, std::size_t elem_len,
                        std::unique_ptr<cell_parser>& parser);

// The text of a field without blanks around it.
std::string_view field_text(const char* text, const std::uint32_t* ends,
                            std::size_t field) noexcept;

}  // namespace headrace
