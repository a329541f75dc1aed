// A WRITE of LLVM flang as the parameter block that all of run/ knows, and what its run time calls it. Its address is our cookie.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../blocks.hpp"
#include "flang.h"

namespace headrace::run
{

struct flang_vector {
    void *base;
    std::size_t element_bytes;
    int version;
    unsigned char array_rank;
    signed char type;
    unsigned char attribute, extra;
    std::int64_t lower_bound, extent, byte_stride;
};

struct flang_statement {
    transfer_block block;
    void *real;            // null: not begun
    std::int32_t status;   // of IOSTAT=
    bool was_taken;        // when it began
    bool is_unusual;       // a specifier that we do not know
    flang_vector records;  // of an internal statement of ours
};
static_assert(sizeof(flang_statement) <= run_flang_cookie_bytes && sizeof(flang_statement) <= transfer_block_bytes,
              "in place of a parameter block");

inline flang_statement &statement_of(void *cookie) noexcept { return *static_cast<flang_statement *>(cookie); }

}  // namespace headrace::run
