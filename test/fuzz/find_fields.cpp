// Where fields end: every tier against a plain loop over the bytes.
#include <algorithm>

#include "padded_text.hpp"
#include "targets.hpp"

namespace headrace::fuzz {
namespace {

struct found {
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> line_fields;
  bool has_special = false;

  bool operator==(const found& other) const {
    return ends == other.ends && line_fields == other.line_fields &&
           has_special == other.has_special;
  }
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

found plain_loop(std::string_view text, char delimiter, const char special[2]) {
  found result;
  bool in_field = false;  // in a line of style ',': something that is not blank has come
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool ends_field = delimiter == ' ' ? in_field && (is_blank(c) || c == '\n')
                                             : c == delimiter || (c == '\n' && in_field);
    if (ends_field) result.ends.push_back(static_cast<std::uint32_t>(i));
    if (c == '\n') result.line_fields.push_back(static_cast<std::uint32_t>(result.ends.size()));
    if (delimiter == ' ')
      in_field = !is_blank(c) && c != '\n';
    else
      in_field = c != '\n' && (in_field || c == delimiter || !is_blank(c));
    for (int k = 0; k < 2; ++k)
      result.has_special = result.has_special || (special[k] != '\0' && c == special[k]);
  }
  return result;
}

}  // namespace

void find_fields(std::string_view bytes) {
  fuzz_input input(bytes);
  constexpr char delimiters[] = {',', ';', '\t', '|', ' '};
  constexpr char specials[4][2] = {{'"', '\0'}, {'"', '#'}, {'\0', '\0'}, {'\0', '!'}};
  const char delimiter = delimiters[input.choose(sizeof delimiters)];
  const char* const special = specials[input.choose(4)];
  const std::string text = std::string(input.rest()) + '\n';
  const found expected = plain_loop(text, delimiter, special);
  on_each_tier([&](int tier) {
    const padded_text padded(text, "\n, \"#"[text.size() % 5]);
    std::vector<std::uint32_t> ends(text.size() + 65, ~std::uint32_t{0});
    std::vector<std::uint32_t> line_fields(text.size() + 64);
    field_map map;
    map.ends = ends.data() + 1;
    map.line_fields = line_fields.data();
    headrace::find_fields(padded.data(), text.size(), {delimiter, '.'}, special, map);
    const found got{{map.ends, map.ends + map.fields},
                    {map.line_fields, map.line_fields + map.lines},
                    map.has_special};
    require(got == expected, "fields differ, tier " + std::to_string(tier));
  });
}

}  // namespace headrace::fuzz
