// The types of numbers that the kernels are compiled for.
#pragma once

#include <cstdint>

#define HEADRACE_FOR_REALS(INSTANTIATE) \
  INSTANTIATE(double)                   \
  INSTANTIATE(float)
#define HEADRACE_FOR_INTEGERS(INSTANTIATE) \
  INSTANTIATE(std::int8_t)                 \
  INSTANTIATE(std::int16_t)                \
  INSTANTIATE(std::int32_t)                \
  INSTANTIATE(std::int64_t)
