#include "check.hpp"

#include <cstdio>
#include <cstring>

#include "../floating_point.hpp"
#include "../statistics.hpp"

extern "C" long run_raw_write(int descriptor, const void *text, std::size_t bytes);

namespace headrace::run
{
namespace
{

constexpr std::size_t most_bytes = std::size_t{16} << 10, most_text = std::size_t{128} << 10;

void tell(const frame &one) noexcept
{
    char message[1400];
    const char *const text = one.values_from.begin_of_text();
    const auto *const stop = static_cast<const char *>(std::memchr(text, '\n', 200));
    const int length = std::snprintf(message, sizeof message,
                                     "headrace run: %s:%d: our values differ from the run time's; this statement is left to the "
                                     "run time from now on, and its values are the run time's. Earlier values of this statement "
                                     "may be wrong: run without headrace to compare, and report this.\n  record |%.*s|\n",
                                     one.where->file, static_cast<int>(one.where->line),
                                     stop != nullptr ? static_cast<int>(stop - text) : 200, text);
    if (length > 0)
        run_raw_write(2, message,
                      static_cast<std::size_t>(length) < sizeof message ? static_cast<std::size_t>(length) : sizeof message - 1);
}

// What the run time reads for the kept values, one after the other.
bool are_the_same(frame &one, const char *text, std::size_t bytes) noexcept
{
    const kept_flags flags;
    internal_records records;
    growing<char> place;
    if (!records.begin_read(*one.real, *one.block, text, bytes)) return true;
    bool is_same = true, has_memory = true;
    for (std::size_t i = 0; i < one.log.size() && has_memory; ++i) {
        const logged_item &item = one.log[i];
        place.clear();
        has_memory = place.reserve(item.bytes + 16);
        if (!has_memory) break;
        std::memset(place.data(), 0x5A, item.bytes);
        pass(one.real->reads, records.block(), item.type, item.kind, place.data(), item.bytes);
        is_same = is_same && std::memcmp(place.data(), one.log.values(item), item.bytes) == 0;
    }
    const int iostat = records.end();
    records.drop();
    place.give_back();
    return !has_memory || (is_same && iostat == 0);
}

bool keep(frame &one, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    if (one.log.size() >= most_compared || one.log.value_bytes() >= most_bytes) return false;
    return one.log.add(type, kind, value, bytes);
}

}  // namespace

namespace
{

// In a character variable a comma may end a text field, in a file it does not.
bool has_comma_in_text(const frame &one, const char *text, std::size_t bytes) noexcept
{
    if (std::memchr(text, ',', bytes) == nullptr) return false;
    for (std::size_t i = 0; i < one.log.size(); ++i)
        if (one.log[i].type == character_item) return true;
    return false;
}

bool compare(frame &one, const char *end) noexcept
{
    one.is_checked = false;
    one.values_from.keeps_text(false);
    const char *const text = one.values_from.begin_of_text();
    if (text == nullptr || one.log.size() == 0 || one.values_from.has_longer_text()) return true;
    const auto bytes = static_cast<std::size_t>(end - text);
    if (bytes > most_text || (one.where->program != nullptr && has_comma_in_text(one, text, bytes))) return true;
    const bool is_same = are_the_same(one, text, bytes);
    one.where->count_checked(is_same);
    if (!is_same) {
        tell(one);
        one.where->leave("its values differ from the run time's");
        note("%s:%d differs from the run time's values", one.where->file, static_cast<int>(one.where->line));
    }
    return is_same;
}

}  // namespace

bool is_as_the_run_time_reads(frame &one) noexcept
{
    // A character variable has no next record to stand at.
    return compare(one, one.to != nullptr ? one.values_from.next() : one.values_from.end_of_line());
}

namespace
{

// There are enough values. If the format goes on to further records, only the end of the statement shows them.
bool is_good_so_far(frame &one) noexcept
{
    if (one.where->program == nullptr || !one.where->program->has_slash()) return compare(one, one.values_from.end_of_line());
    one.is_checked = false;
    return true;
}

}  // namespace

bool is_as_the_run_time_reads(frame &one, int type, int kind, const char *values, std::size_t n, std::size_t bytes) noexcept
{
    for (std::size_t i = 0; i < n; ++i)
        if (!keep(one, type, kind, values + i * bytes, bytes)) return is_good_so_far(one);
    return true;
}

bool is_as_the_run_time_reads(frame &one, const section &values) noexcept
{
    section_walk walk(values);
    for (std::size_t i = 0; i < values.total; ++i, walk.next())
        if (!keep(one, values.type, values.kind, walk.place(), values.bytes)) return is_good_so_far(one);
    return true;
}

}  // namespace headrace::run
