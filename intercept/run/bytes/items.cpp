// Items of READ and WRITE without a format: bytes between the program's variables and those of the unit.
#include <cstring>

#include "bytes.hpp"

namespace headrace::run
{
namespace
{

// What is longer the run time does as fast, from where it is.
constexpr std::size_t longest = 2048;

bool has_bytes(frame &one, std::size_t bytes) noexcept
{
    if (bytes <= static_cast<std::size_t>(one.row_end - one.row)) return true;
    if (one.to->direct.record_bytes() != 0) return false;  // that is the end of its record
    return one.mode == frame_mode::bytes ? makes_room(one, bytes) : reads_on(one, bytes);
}

// n values of so many bytes, in the byte order of the file.
void move_values(frame &one, char *item, std::size_t n, std::size_t bytes) noexcept
{
    const bool is_written = one.mode == frame_mode::bytes;
    char *const to = is_written ? one.row : item;
    const char *const from = is_written ? item : one.row;
    if (one.is_swapped) swap_values(to, from, n, bytes);
    else std::memcpy(to, from, n * bytes);
    one.row += n * bytes;
}

int given_back(frame &one, const char *reason) noexcept
{
    give_back(one, reason, false);
    return 0;
}

// Of direct access it would look at as much as it can keep.
bool is_too_long(const frame &one, std::size_t bytes) noexcept { return bytes > longest && one.to->direct.record_bytes() == 0; }

const char *why_not_there(const frame &one) noexcept
{
    if (one.to->direct.record_bytes() != 0) return "items that are longer than the record";
    return one.mode == frame_mode::bytes ? "a long statement, or no memory" : "the end of the file";
}

}  // namespace

int moves_number(frame &one, char *item, int type, int kind) noexcept
{
    const std::size_t parts = type == complex_item ? 2 : 1;
    if (kind > 8) return given_back(one, "an item of a kind above 8");
    if (!has_bytes(one, parts * static_cast<std::size_t>(kind))) return given_back(one, why_not_there(one));
    move_values(one, item, parts, static_cast<std::size_t>(kind));
    ++one.values;
    return 1;
}

int moves_text(frame &one, char *item, std::size_t bytes) noexcept
{
    if (is_too_long(one, bytes)) return given_back(one, "an item of more than 2 KiB");
    if (!has_bytes(one, bytes)) return given_back(one, why_not_there(one));
    move_values(one, item, bytes, 1);
    ++one.values;
    return 1;
}

int moves_section(frame &one, const section &items) noexcept
{
    const std::size_t all = items.total * items.bytes;
    if (!is_handled(items)) return given_back(one, "an item of a type that is not handled");
    if (is_too_long(one, all)) return given_back(one, "an item of more than 2 KiB");
    if (!has_bytes(one, all)) return given_back(one, why_not_there(one));
    const std::size_t parts = items.type == complex_item ? 2 : items.type == character_item ? items.bytes : 1;
    if (items.contiguous == items.total) {
        move_values(one, const_cast<char *>(items.base), items.total * parts, items.bytes / parts);
    } else {
        section_walk walk(items);
        for (std::size_t i = 0; i < items.total; ++i, walk.next())
            move_values(one, const_cast<char *>(walk.place()), parts, items.bytes / parts);
    }
    one.values += items.total;
    return 1;
}

int moves_short_vector(frame &one, const array_descriptor &from, int kind) noexcept
{
    const array_dimension &dimension = from.dimension[0];
    const auto n = static_cast<std::uint64_t>(dimension.upper - dimension.lower + 1);
    if (from.rank != 1 || dimension.stride != 1 || n - 1 >= 64 || (kind != 8 && kind != 4) || from.element_bytes != kind) return 0;
    if (from.type != real_item && from.type != integer_item && from.type != logical_item) return 0;
    if (static_cast<std::size_t>(one.row_end - one.row) < n * static_cast<std::size_t>(kind)) return 0;
    move_values(one, from.base, n, static_cast<std::size_t>(kind));
    one.values += n;
    return 1;
}

}  // namespace headrace::run
