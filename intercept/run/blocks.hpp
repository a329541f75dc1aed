// Parameter blocks of libgfortran.so.5 (GCC 8 and later) that `headrace run` reads and makes itself.
// families/libgfortran.h has the parts that the trace reads, and the source of the layout.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace::run
{

enum block_flags : std::uint32_t {
    block_outcome_mask = 3,
    block_outcome_error = 1,
    block_outcome_eor = 3,
    block_has_err = 1u << 2,
    block_has_end = 1u << 3,
    block_has_eor = 1u << 4,
    block_has_iostat = 1u << 5,
    block_has_iomsg = 1u << 6,
    transfer_list_directed = 1u << 7,
    transfer_record = 1u << 9,  // REC=
    transfer_size = 1u << 10,
    transfer_format = 1u << 12,
    transfer_advance = 1u << 13,
    transfer_internal = 1u << 14,
    transfer_position = 1u << 17,
    transfer_defined = 1u << 26,  // an item of a type with defined output or input
    // No flag of libgfortran: a statement of LLVM flang, described in the same way (flang/statement.hpp).
    transfer_flang = 1u << 30,
};

// Of READ and WRITE. The run time has its own state behind it: the whole is below 1 KiB.
struct transfer_block {
    std::uint32_t flags;
    std::int32_t unit;
    const char *file;
    std::int32_t line;
    std::int64_t iomsg_length;
    char *iomsg;
    std::int32_t *iostat;
    std::int64_t record;
    std::int64_t *size;
    std::int64_t *io_length;
    void *internal_descriptor;
    const char *format;
    std::int64_t format_length;
    std::int64_t advance_length;
    const char *advance;
    char *internal;
    std::int64_t internal_length;
    std::int64_t namelist_name_length;
    char *namelist_name;
    std::int32_t *id;
    std::int64_t position;  // POS=
};
static_assert(offsetof(transfer_block, iomsg) == 32 && offsetof(transfer_block, format) == 80 &&
                  offsetof(transfer_block, internal) == 112 && offsetof(transfer_block, position) == 152,
              "as in GCC 8 to 15");
// What ADVANCE= says; another word is an error.
enum class advance { yes, no, other };
inline advance advance_of(const transfer_block &block) noexcept
{
    if ((block.flags & transfer_advance) == 0) return advance::yes;
    std::int64_t length = block.advance_length;
    while (length > 0 && block.advance[length - 1] == ' ') --length;
    const auto is = [&block](std::int64_t i, char letter) { return (block.advance[i] | 0x20) == letter; };
    if (length == 2 && is(0, 'n') && is(1, 'o')) return advance::no;
    return length == 3 && is(0, 'y') && is(1, 'e') && is(2, 's') ? advance::yes : advance::other;
}

inline constexpr std::size_t transfer_block_bytes = 2048;

inline constexpr int internal_unit_number = -1;  // of one-byte characters

// The type codes that generated code passes (libgfortran.h: bt).
enum item_code : int {
    integer_item = 1,
    logical_item = 2,
    real_item = 3,
    complex_item = 4,
    character_item = 6,
};

struct array_dimension {
    std::int64_t stride, lower, upper;
};

struct array_descriptor {
    char *base;
    std::int64_t offset;
    std::int64_t element_bytes;
    std::int32_t version;
    signed char rank;
    signed char type;
    std::int16_t attribute;
    std::int64_t span;
    array_dimension dimension[15];
};
static_assert(offsetof(array_descriptor, rank) == 28 && offsetof(array_descriptor, dimension) == 40);

// Of `count` values that lie one behind the other, each of `bytes` bytes.
inline array_descriptor vector_of(char *values, int type, std::int64_t bytes, std::int64_t count) noexcept
{
    array_descriptor vector = {};
    vector.base = values;
    vector.offset = -1;
    vector.element_bytes = bytes;
    vector.rank = 1;
    vector.type = static_cast<signed char>(type);
    vector.span = bytes;
    vector.dimension[0] = {1, 1, count};
    return vector;
}

}  // namespace headrace::run
