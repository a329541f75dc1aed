// A text as the kernels want it, in memory of exactly the promised size: a sanitizer sees every
// byte that a kernel takes beyond.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "core/cpu.hpp"
#include "text/kernels/parse_numbers.hpp"

namespace headrace::fuzz {

class padded_text {
 public:
  // filler: what the padding holds; it must not count.
  padded_text(std::string_view text, char filler)
      : memory_(new char[text.size() + 2 * parse_padding]) {
    std::memset(memory_.get(), filler, text.size() + 2 * parse_padding);
    if (!text.empty()) std::memcpy(memory_.get() + parse_padding, text.data(), text.size());
  }
  const char* data() const noexcept { return memory_.get() + parse_padding; }

 private:
  std::unique_ptr<char[]> memory_;
};

// The tiers of this machine, each in force while body runs.
template <class Body>
void on_each_tier(Body body) {
  for (const simd_tier tier : {simd_tier::portable, simd_tier::avx2, simd_tier::avx512}) {
    if (tier > best_tier()) break;
    limit_tier(tier);
    body(static_cast<int>(tier));
  }
  limit_tier(simd_tier::avx512);
}

}  // namespace headrace::fuzz
