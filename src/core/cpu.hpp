// Which vector instructions the kernels may use on this machine.
#pragma once

namespace headrace {

// Each tier includes the ones before it. avx512 means F, BW, DQ, VL, CD, IFMA, VBMI, VBMI2,
// VPOPCNTDQ and BITALG (Ice Lake, Zen 4 and later); avx2 means AVX2, BMI, BMI2 and LZCNT.
enum class simd_tier { portable, avx2, avx512 };

// The best tier of this CPU. HEADRACE_SIMD=portable, avx2 or avx512 lowers it, never raises it.
simd_tier best_tier() noexcept;

// The tier that kernels use: best_tier() unless a test or a benchmark lowered it.
simd_tier current_tier() noexcept;

// Lowers the tier for the whole process (for tests and benchmarks); returns what it is now.
simd_tier limit_tier(simd_tier highest) noexcept;

}  // namespace headrace

// Marks a function of one tier; the file needs no compiler flags.
#define HEADRACE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define HEADRACE_AVX512                                                           \
  __attribute__((                                                                 \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512ifma,avx512vbmi," \
             "avx512vbmi2,avx512vpopcntdq,avx512bitalg,avx2,bmi,bmi2,lzcnt,popcnt")))
