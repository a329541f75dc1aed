// The variables that `headrace run` reads: doc/howto/run.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace::run
{

struct settings {
    bool is_on = false;
    bool is_strict = false;
    std::size_t batch_bytes = 8192;
    // So many statements of a place in the source are the run time's alone, at most 255: first_left of all, first_short_left of
    // short ones (first.cpp; fewer in a program that comes back to its lines). Most places have few statements: what is known of a
    // place costs more than it saves there.
    std::uint8_t first_left = 0, first_short_left = 16;
    // Statements of a site that are compared with the run time's text: the first that are ours, and then
    // one in so many (0: none).
    std::uint32_t first_checked = 16;
    std::uint32_t later_checked = 10000;
    char statistics[1024] = "";  // a directory
};

extern settings chosen;
void read_settings() noexcept;

}  // namespace headrace::run
