// Standard output. The run time and C's functions have a buffer each for it, and the order of their texts shows when each was
// emptied. In a regular file, what waits here is handed over by the statement that would have emptied the run time's buffer: its
// text and what waits are together what that buffer would have. Next: unit.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "run_time.hpp"

namespace headrace::run
{

class followed_buffer
{
   public:
    // of_output: it is standard output. Is its buffer known? Then records need not be handed over one by one.
    void connect(bool of_output, bool in_file, const run_time *real) noexcept;
    bool is_output() const noexcept { return __builtin_expect(is_output_, 0); }
    // In a regular file: where records end shows.
    bool has_records() const noexcept { return __builtin_expect(has_records_, 0); }
    bool is_followed() const noexcept { return __builtin_expect(is_followed_, 0); }
    // As the run time does when a WRITE begins: what C's functions have goes into the file.
    void begins_statement() const noexcept;
    // Before text begins to wait: how much is in the buffer? False: it is not as expected, and not followed any more.
    // Precondition: nothing waits, and the unit stands at the beginning of a record.
    bool look(const run_time &real, std::int32_t unit) noexcept;
    // Not behind a part of a record that it got.
    bool is_known() const noexcept { return is_known_; }
    // Would so much more text, with the line feeds, empty it? At the end of a record the run time looks whether it is half full
    // (buf_markeor in libgfortran/io/unix.c).
    bool is_emptied_by(std::size_t bytes) const noexcept { return used_ + bytes >= half_full; }
    // How much of some records, which end with a line feed, to hand over at once: to the end of the one that empties it.
    std::size_t next_part(const char *records, std::size_t bytes) const noexcept;
    // That was done.
    void has_got(std::size_t bytes) noexcept;
    // It has a part of a record: nobody knows how much that is before the record ends.
    void has_got_part() noexcept { is_known_ = false; }

   private:
    static constexpr std::size_t half_full = 4096;
    bool is_output_ = false, has_records_ = false, is_followed_ = false;
    bool is_known_ = false;
    std::size_t used_ = 0;
    std::int64_t place_ = -1;  // where the unit stands with that; -1: not known
};

}  // namespace headrace::run
