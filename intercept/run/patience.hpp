// What costs more than it gains is tried less and less often.
#pragma once

#include <cstdint>

namespace headrace::run
{

// How many statements the run time does before it is tried again; before: that number the last time.
inline std::uint32_t next_patience(std::uint32_t before, bool did_pay) noexcept
{
    constexpr std::uint32_t most = 4096;
    if (did_pay) return 0;
    return before == 0 ? 1 : before < most ? 2 * before : most;
}

}  // namespace headrace::run
