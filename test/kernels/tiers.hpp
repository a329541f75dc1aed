// Runs a test once on every SIMD tier that this machine has.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "text_kernels.hpp"

namespace headrace {

class on_each_tier : public testing::TestWithParam<simd_tier> {
 protected:
  void SetUp() override { limit_tier(GetParam()); }
  void TearDown() override { limit_tier(simd_tier::avx512); }
};

inline std::string tier_name(const testing::TestParamInfo<simd_tier>& tier) {
  return name_of(tier.param);
}

inline const auto every_tier = testing::ValuesIn(tiers_of_this_machine());

}  // namespace headrace
