#include "waking.hpp"

#include <atomic>
#include <cstdint>

#include "settings.hpp"
#include "start.hpp"
#include "unit.hpp"

namespace headrace::run
{

int is_awake_flag;

namespace
{

std::uint32_t statements;
std::atomic<std::uint64_t> others{0};
std::int64_t began;
constexpr std::int64_t longest_wait = 20000000;  // nanoseconds

}  // namespace

void begin_to_wait() noexcept
{
    began = coarse_now();
    is_awake_flag = chosen.first_left == 0;
}

bool wakes_up() noexcept
{
    if (is_awake()) return true;
    const bool is_time = !chosen.counts_only && coarse_now() - began >= longest_wait;
    if (!is_time && __atomic_fetch_add(&statements, 1, __ATOMIC_RELAXED) < chosen.first_left) {
        if (chosen.statistics[0] != '\0') process_has_statements();
        return false;
    }
    __atomic_store_n(&is_awake_flag, 1, __ATOMIC_RELAXED);
    return true;
}

void count_first_statement() noexcept { others.fetch_add(1, std::memory_order_relaxed); }

std::uint64_t first_statements() noexcept
{
    const std::uint32_t begun = __atomic_load_n(&statements, __ATOMIC_RELAXED);
    return (begun < chosen.first_left ? begun : chosen.first_left) + others.load(std::memory_order_relaxed);
}

}  // namespace headrace::run
