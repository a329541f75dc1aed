// The items of a statement, by value: what the program passed may be gone or changed when the run time
// must do the statement after all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory.hpp"
#include "run_time.hpp"

namespace headrace::run
{

struct logged_item {
    int type;
    int kind;
    bool is_array;  // `count` values of one array section
    std::size_t count;
    std::size_t bytes;  // of one value
    std::size_t place;  // of the values, in the log
};

class item_log
{
   public:
    void clear() noexcept
    {
        items_.clear();
        values_.clear();
    }
    void give_memory_back() noexcept
    {
        items_.give_back();
        values_.give_back();
    }
    // False without memory.
    bool add(int type, int kind, const char *value, std::size_t bytes) noexcept;
    // Room for it; null without memory.
    char *add(int type, int kind, std::size_t bytes) noexcept
    {
        if (!values_.reserve(padded(bytes) + 1) || !items_.reserve(1)) return nullptr;  // of no bytes, too, it has a place
        items_.push({type, kind, false, 1, bytes, values_.size()});
        return values_.extend(padded(bytes));
    }
    // Room for the values of an array section, packed; null without memory.
    char *add_array(int type, int kind, std::size_t count, std::size_t bytes) noexcept;
    // The last item was not used.
    void drop_last() noexcept;

    // Passes all items to a statement of the run time.
    void replay(const run_time &real, void *block) const noexcept;

    char *values(const logged_item &item) noexcept { return values_.data() + item.place; }
    std::size_t size() const noexcept { return items_.size(); }
    const logged_item &operator[](std::size_t i) const noexcept { return items_[i]; }
    const char *values(const logged_item &item) const noexcept { return values_.data() + item.place; }
    std::size_t value_bytes() const noexcept { return values_.size(); }

   private:
    static std::size_t padded(std::size_t bytes) noexcept
    {
        constexpr std::size_t alignment = 16;
        return (bytes + alignment - 1) & ~(alignment - 1);
    }

    growing<logged_item> items_;
    growing<char> values_;
};

// One value to the function of its type.
void pass(const transfer_functions &to, void *block, int type, int kind, const char *value, std::size_t bytes) noexcept;

}  // namespace headrace::run
