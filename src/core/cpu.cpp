#include "cpu.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace headrace {
namespace {

simd_tier tier_of_machine() noexcept {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2"))
    return simd_tier::portable;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512ifma") &&
                    __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
                    __builtin_cpu_supports("avx512vpopcntdq") &&
                    __builtin_cpu_supports("avx512bitalg");
  return wide ? simd_tier::avx512 : simd_tier::avx2;
#else
  return simd_tier::portable;
#endif
}

simd_tier tier_of_environment() noexcept {
  const char* const text = std::getenv("HEADRACE_SIMD");
  const std::string_view name = text == nullptr ? "" : text;
  if (name == "portable") return simd_tier::portable;
  return name == "avx2" ? simd_tier::avx2 : simd_tier::avx512;
}

std::atomic<simd_tier>& limit() noexcept {
  static std::atomic<simd_tier> highest{simd_tier::avx512};
  return highest;
}

}  // namespace

simd_tier best_tier() noexcept {
  static const simd_tier best = std::min(tier_of_machine(), tier_of_environment());
  return best;
}

simd_tier current_tier() noexcept {
  return std::min(best_tier(), limit().load(std::memory_order_relaxed));
}

simd_tier limit_tier(simd_tier highest) noexcept {
  limit().store(highest, std::memory_order_relaxed);
  return current_tier();
}

}  // namespace headrace
