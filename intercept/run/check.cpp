// Our text beside the run time's: the same items, written to internal records.
#include <cstdio>
#include <cstring>

#include "floating_point.hpp"
#include "frame.hpp"
#include "statistics.hpp"

extern "C" long run_raw_write(int descriptor, const void *text, std::size_t bytes);

namespace headrace::run
{
namespace
{

struct lines_of {
    std::size_t count = 1, longest = 0;
    lines_of(const char *text, std::size_t bytes) noexcept
    {
        std::size_t length = 0;
        for (std::size_t i = 0; i < bytes; ++i) {
            if (text[i] == '\n') {
                ++count;
                length = 0;
            } else if (++length > longest) {
                longest = length;
            }
        }
    }
};

bool is_record(const internal_records &records, std::size_t i, const char *text, std::size_t bytes) noexcept
{
    const char *const theirs = records.record(i);
    if (bytes > 0 && std::memcmp(theirs, text, bytes) != 0) return false;
    for (std::size_t k = bytes; k < records.record_bytes(); ++k)
        if (theirs[k] != ' ') return false;
    return true;
}

bool are_equal(const internal_records &records, const char *text, std::size_t bytes) noexcept
{
    std::size_t line = 0;
    const char *const end = text + bytes;
    for (const char *begin = text;; ++line) {
        const auto *const stop = static_cast<const char *>(std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)));
        const char *const line_end = stop != nullptr ? stop : end;
        if (!is_record(records, line, begin, static_cast<std::size_t>(line_end - begin))) return false;
        if (stop == nullptr) return true;
        begin = stop + 1;
    }
}

void tell(const frame &one, const char *text, std::size_t bytes, const internal_records &records) noexcept
{
    char message[1400];
    const int shown = static_cast<int>(bytes < 200 ? bytes : 200);
    const int theirs = static_cast<int>(records.record_bytes() < 200 ? records.record_bytes() : 200);
    const int length =
        std::snprintf(message, sizeof message,
                      "headrace run: %s:%d: our text differs from the run time's; this statement is left to the run "
                      "time from now on, and its record is the run time's. Earlier records of this statement in "
                      "unit %d may be wrong: run without headrace to compare, and report this.\n  ours    |%.*s|\n"
                      "  run time|%.*s|\n",
                      one.where->file, static_cast<int>(one.where->line), one.to != nullptr ? static_cast<int>(one.to->number) : -1,
                      shown, text, theirs, records.record(0));
    if (length > 0)
        run_raw_write(2, message,
                      static_cast<std::size_t>(length) < sizeof message ? static_cast<std::size_t>(length) : sizeof message - 1);
}

}  // namespace

bool is_as_the_run_time_writes(frame &one, const char *text, std::size_t bytes, std::size_t ended_records) noexcept
{
    // An internal record without an item stays as it was in flang.
    if (one.real->is_flang && one.log.size() == 0) return true;
    const kept_flags flags;
    lines_of lines(text, bytes);
    // Of flang every line feed ends a record; how many a list has depends on its values.
    if (one.real->is_flang) ended_records = lines.count - 1;
    if (lines.count - 1 != ended_records) {
        // Characters with a line feed stand in one record. Beside other records nobody knows which is which.
        if (ended_records > 0) return true;
        lines.count = 1;
        lines.longest = bytes;
    }
    internal_records records;
    // Exactly as long as ours: a longer one of the run time is an error of its statement.
    if (!records.begin(*one.real, *one.block, lines.count, lines.longest > 0 ? lines.longest : 1)) return true;
    one.log.replay(*one.real, records.block());
    const int iostat = records.end();
    const bool is_same = iostat == 0 && (lines.count == 1 ? is_record(records, 0, text, bytes) : are_equal(records, text, bytes));
    one.where->count_checked(is_same);
    if (!is_same) {
        tell(one, text, bytes, records);
        one.where->leave("its text differs from the run time's");
        note("%s:%d differs from the run time's text", one.where->file, static_cast<int>(one.where->line));
    }
    records.drop();
    return is_same;
}

}  // namespace headrace::run
