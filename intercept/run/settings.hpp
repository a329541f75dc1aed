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
    // So many statements of a place in the source are the run time's alone, at most 255: that is of use in short processes whose
    // places have few statements each. One statement may also be all that a program writes.
    std::uint8_t first_left = 0;
    // Statements of a site that are compared with the run time's text: the first that are ours, and then
    // one in so many (0: none).
    std::uint32_t first_checked = 16;
    std::uint32_t later_checked = 10000;
    char statistics[1024] = "";  // a directory
};

extern settings chosen;
void read_settings() noexcept;

}  // namespace headrace::run
