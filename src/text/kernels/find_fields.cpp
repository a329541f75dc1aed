// Chooses the tier of find_fields. Next: find_fields_portable.cpp, find_fields_avx2.cpp,
// find_fields_avx512.cpp.
#include "parse_numbers_tiers.hpp"

namespace headrace {
void find_fields(const char* text, std::size_t bytes, const field_style& style,
                 const char special[2], field_map& map) noexcept {
  const auto uses = [](char c) { return c == '\0' ? std::uint64_t{0} : ~std::uint64_t{0}; };
  const style_bytes sought{
      style.delimiter, {special[0], special[1]}, {uses(special[0]), uses(special[1])}};
  map.fields = 0;
  map.lines = 0;
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::find_fields(text, bytes, sought, map);
  if (tier == simd_tier::avx2) return avx2::find_fields(text, bytes, sought, map);
  portable::find_fields(text, bytes, sought, map);
}

void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
                        quoted_map& map) noexcept {
  map.fields.fields = map.fields.lines = 0;
  map.rows_end = map.line_feeds = 0;
  const simd_tier tier = current_tier();
  if (tier == simd_tier::avx512) return avx512::find_quoted_fields(text, bytes, style, map);
  if (tier == simd_tier::avx2) return avx2::find_quoted_fields(text, bytes, style, map);
  portable::find_quoted_fields(text, bytes, style, map);
}

}  // namespace headrace
