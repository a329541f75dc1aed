#include "settings.hpp"

#include <cstdlib>
#include <cstring>

namespace headrace::run
{

settings chosen;

namespace
{

bool is_one(const char *name) noexcept
{
    const char *const value = std::getenv(name);
    return value != nullptr && std::strcmp(value, "1") == 0;
}

void read_checks(const char *value) noexcept
{
    if (std::strcmp(value, "all") == 0) {
        chosen.later_checked = 1;
    } else if (std::strcmp(value, "none") == 0) {
        chosen.first_checked = 0;
        chosen.later_checked = 0;
    } else {
        chosen.first_checked = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
    }
}

}  // namespace

void read_settings() noexcept
{
    chosen.is_on = is_one("HEADRACE_RUN");
    chosen.is_strict = is_one("HEADRACE_RUN_STRICT");
    if (const char *const bytes = std::getenv("HEADRACE_RUN_BATCH")) {
        const unsigned long wanted = std::strtoul(bytes, nullptr, 10);
        if (wanted >= 1 && wanted <= 1ul << 20) chosen.batch_bytes = wanted;
    }
    if (const char *const first = std::getenv("HEADRACE_RUN_AFTER")) {
        char *end = nullptr;
        const unsigned long wanted = std::strtoul(first, &end, 10);
        if (end != first && *end == '\0' && wanted <= 255)
            chosen.first_left = chosen.first_short_left = static_cast<std::uint8_t>(wanted);
    }
    if (const char *const checks = std::getenv("HEADRACE_RUN_CHECK")) read_checks(checks);
    const char *const directory = std::getenv("HEADRACE_RUN_STATISTICS");
    if (directory != nullptr && std::strlen(directory) < sizeof chosen.statistics) std::strcpy(chosen.statistics, directory);
}

}  // namespace headrace::run
