// Which items a READ has done: what the run time must pass over, if it must do the statement after all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../memory.hpp"
#include "../run_time.hpp"

namespace headrace::run
{

// So many items one after another that are alike.
struct done_items {
    std::size_t count;
    std::int64_t length;  // of characters
    std::int32_t type, kind;
};

class items_done
{
   public:
    void clear() noexcept { items_.clear(); }
    void give_memory_back() noexcept { items_.give_back(); }
    // False without memory.
    bool add(int type, int kind, std::int64_t length, std::size_t count = 1) noexcept
    {
        if (items_.size() > 0) {
            done_items &last = items_[items_.size() - 1];
            if (last.type == type && last.kind == kind && last.length == length) return last.count += count, true;
        }
        return items_.push({count, length, type, kind});
    }

    // Passes all of them to a statement of the run time, which reads them once more, to memory of ours: the program's variables
    // have their values, may have changed since, or be gone, as the copy of a section is. False without memory.
    bool replay(const run_time &real, void *block) noexcept;

   private:
    growing<done_items> items_;
};

}  // namespace headrace::run
