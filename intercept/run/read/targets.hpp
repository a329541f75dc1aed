// Where the values of a READ go: for the run time, if it must do the statement after all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../memory.hpp"
#include "../run_time.hpp"

namespace headrace::run
{

// `count` items of one type, so many bytes apart; or an array section, whose descriptor is kept.
struct read_target {
    char *place;
    std::int64_t stride;
    std::size_t count;
    std::int64_t length;     // of characters
    std::size_t descriptor;  // in the kept ones
    std::int32_t kind;
    std::int8_t type;
    bool is_array;
};

class read_targets
{
   public:
    void clear() noexcept
    {
        items_.clear();
        descriptors_.clear();
    }
    void give_memory_back() noexcept
    {
        items_.give_back();
        descriptors_.give_back();
    }
    // False without memory.
    bool add(int type, int kind, char *place, std::int64_t length) noexcept
    {
        if (items_.size() > 0) {
            read_target &last = items_[items_.size() - 1];
            if (!last.is_array && last.type == type && last.kind == kind && last.length == length) {
                const std::int64_t stride = place - last.place - static_cast<std::int64_t>(last.count - 1) * last.stride;
                if (last.count == 1) last.stride = stride;
                if (last.stride == stride) return ++last.count, true;
            }
        }
        return items_.push({place, 0, 1, length, 0, kind, static_cast<std::int8_t>(type), false});
    }
    // The descriptor may be another one's afterwards: it is copied.
    bool add_array(const array_descriptor &descriptor, int kind, std::int64_t length) noexcept;

    // Passes all of them to a statement of the run time.
    void replay(const run_time &real, void *block) noexcept;

   private:
    growing<read_target> items_;
    growing<char> descriptors_;
};

}  // namespace headrace::run
