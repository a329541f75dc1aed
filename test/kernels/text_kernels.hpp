// What the tests of the text kernels share: tiers, and text with padding on both sides.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "amounts.hpp"
#include "core/cpu.hpp"
#include "text/kernels/parse_numbers.hpp"

namespace headrace {

inline std::vector<simd_tier> tiers_of_this_machine() {
  std::vector<simd_tier> tiers{simd_tier::portable};
  if (best_tier() >= simd_tier::avx2) tiers.push_back(simd_tier::avx2);
  if (best_tier() >= simd_tier::avx512) tiers.push_back(simd_tier::avx512);
  return tiers;
}

inline const char* name_of(simd_tier tier) {
  if (tier == simd_tier::avx512) return "avx512";
  return tier == simd_tier::avx2 ? "avx2" : "portable";
}

// Lowers the tier while it lives.
class tier_guard {
 public:
  explicit tier_guard(simd_tier tier) { limit_tier(tier); }
  ~tier_guard() { limit_tier(simd_tier::avx512); }
  tier_guard(const tier_guard&) = delete;
  tier_guard& operator=(const tier_guard&) = delete;
};

// A text between paddings of bytes that would disturb if they counted, and its fields.
class found_fields {
 public:
  found_fields(const std::string& text, char delimiter, char quote = '\0', char comment = '\0')
      : bytes_(parse_padding, '"'), ends_(text.size() + 65), line_fields_(text.size() + 64) {
    bytes_ += text;
    bytes_.append(parse_padding, '#');
    ends_[0] = ~std::uint32_t{0};
    map_.ends = ends_.data() + 1;
    map_.line_fields = line_fields_.data();
    const char special[2] = {quote, comment};
    find_fields(bytes_.data() + parse_padding, text.size(), {delimiter, '.'}, special, map_);
  }
  found_fields(const found_fields&) = delete;
  found_fields& operator=(const found_fields&) = delete;

  const char* text() const { return bytes_.data() + parse_padding; }
  const field_map& map() const { return map_; }
  bool has_special() const { return map_.has_special; }
  std::vector<std::uint32_t> ends() const { return {map_.ends, map_.ends + map_.fields}; }
  std::vector<std::uint32_t> line_fields() const {
    return {map_.line_fields, map_.line_fields + map_.lines};
  }

 private:
  std::string bytes_;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> line_fields_;
  field_map map_;
};

}  // namespace headrace
