// An array section of an I/O list.
#pragma once

#include <cstddef>
#include <cstdint>

#include "blocks.hpp"

namespace headrace::run
{

struct section {
    const char *base;
    int type, kind, rank;
    std::size_t bytes;  // of one value
    std::size_t total;
    std::size_t contiguous;               // values one after another from base on
    std::int64_t extent[15], stride[15];  // strides in bytes

    // The memory that it lies in. Precondition: it is not empty.
    const char *first_byte() const noexcept
    {
        const char *first = base;
        for (int i = 0; i < rank; ++i)
            if (stride[i] < 0) first += (extent[i] - 1) * stride[i];
        return first;
    }
    std::size_t all_bytes() const noexcept
    {
        std::size_t all = bytes;
        for (int i = 0; i < rank; ++i) all += static_cast<std::size_t>((extent[i] - 1) * (stride[i] < 0 ? -stride[i] : stride[i]));
        return all;
    }
};

inline section section_of(const array_descriptor &descriptor, int kind, std::int64_t length) noexcept
{
    section one;  // most dimensions have no use: nothing is put into them
    one.base = descriptor.base;
    one.type = descriptor.type;
    one.kind = kind;
    one.rank = descriptor.rank;
    one.bytes = static_cast<std::size_t>(one.type == character_item ? length : descriptor.element_bytes);
    one.total = 1;
    one.contiguous = 1;
    bool is_contiguous = true;
    for (int i = 0; i < one.rank; ++i) {
        const array_dimension &dimension = descriptor.dimension[i];
        one.extent[i] = dimension.upper - dimension.lower + 1;
        one.stride[i] = dimension.stride * static_cast<std::int64_t>(one.bytes);
        if (one.extent[i] <= 0) one.total = 0;
        if (one.total == 0) break;
        one.total *= static_cast<std::size_t>(one.extent[i]);
        is_contiguous = is_contiguous && one.stride[i] == static_cast<std::int64_t>(one.contiguous * one.bytes);
        if (is_contiguous) one.contiguous *= static_cast<std::size_t>(one.extent[i]);
    }
    return one;
}

inline bool is_handled(const section &one) noexcept
{
    switch (one.type) {
    case integer_item:
    case logical_item: return one.kind <= 8 && one.bytes == static_cast<std::size_t>(one.kind);
    case real_item: return one.kind <= 8 && one.bytes == static_cast<std::size_t>(one.kind);
    case complex_item: return one.kind <= 8 && one.bytes == 2 * static_cast<std::size_t>(one.kind);
    case character_item: return one.kind == 1;
    default: return false;
    }
}

// The place of each value in the order of the elements.
class section_walk
{
   public:
    explicit section_walk(const section &one) noexcept : one_(one), place_(one.base) {}
    const char *place() const noexcept { return place_; }
    void next() noexcept
    {
        for (int i = 0; i < one_.rank; ++i) {
            place_ += one_.stride[i];
            if (++index_[i] < one_.extent[i]) return;
            place_ -= one_.stride[i] * one_.extent[i];
            index_[i] = 0;
        }
    }

   private:
    const section &one_;
    const char *place_;
    std::int64_t index_[15] = {};
};

}  // namespace headrace::run
