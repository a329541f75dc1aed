#include "followed_buffer.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "run.h"
#include "settings.hpp"

namespace headrace::run
{
namespace
{

std::atomic<std::int64_t> written{0};

}  // namespace

void followed_buffer::connect(bool of_output, bool in_file, const run_time *real) noexcept
{
    // gfortran 10 and later.
    static const bool has_another_size = std::getenv("GFORTRAN_FORMATTED_BUFFER_SIZE") != nullptr;
    is_output_ = of_output && real != nullptr && !real->is_flang;
    has_records_ = is_output_ && in_file;
    is_followed_ = has_records_ && !chosen.is_strict && real->ftell != nullptr && !has_another_size;
    place_ = -1;
    is_known_ = false;
}

void followed_buffer::begins_statement() const noexcept
{
    const int kept = errno;
    std::fflush(stdout);
    errno = kept;
}

bool followed_buffer::look(const run_time &real, std::int32_t unit) noexcept
{
    ++run_own_statements;
    const std::int64_t place = real.ftell(&unit);
    --run_own_statements;
    const std::int64_t used = place - written.load(std::memory_order_relaxed);
    // FLUSH leaves nothing in it.
    const bool is_expected = place_ < 0 || place != place_ || used == static_cast<std::int64_t>(used_) || used == 0;
    if (place < 0 || used < 0 || used >= static_cast<std::int64_t>(half_full) || !is_expected) {
        is_followed_ = is_known_ = false;
        return false;
    }
    used_ = static_cast<std::size_t>(used);
    place_ = place;
    is_known_ = true;
    return true;
}

std::size_t followed_buffer::next_part(const char *records, std::size_t bytes) const noexcept
{
    if (is_known_ && !is_emptied_by(bytes)) return bytes;
    const std::size_t before = is_known_ ? half_full - used_ - 1 : 0;
    const void *const end = std::memchr(records + before, '\n', bytes - before);
    return static_cast<std::size_t>(static_cast<const char *>(end) + 1 - records);
}

void followed_buffer::has_got(std::size_t bytes) noexcept
{
    used_ = is_emptied_by(bytes) ? 0 : used_ + bytes;
    place_ += static_cast<std::int64_t>(bytes);
}

}  // namespace headrace::run

int run_counts_output;

void run_wrote_to_output(long bytes) { headrace::run::written.fetch_add(bytes, std::memory_order_relaxed); }
