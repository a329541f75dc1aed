#include "item_log.hpp"
#include "run.h"

#include <cstring>

namespace headrace::run
{
namespace
{

void pass_array(const run_time &real, void *block, const logged_item &item, const char *values) noexcept
{
    const auto bytes = static_cast<std::int64_t>(item.bytes);
    array_descriptor descriptor = vector_of(const_cast<char *>(values), item.type, bytes, static_cast<std::int64_t>(item.count));
    real.array(block, &descriptor, item.kind, item.type == character_item ? bytes : 0);
}

}  // namespace

bool item_log::add(int type, int kind, const char *value, std::size_t bytes) noexcept
{
    char *const kept = add(type, kind, bytes);
    if (kept != nullptr && bytes > 0) std::memcpy(kept, value, bytes);
    return kept != nullptr;
}

char *item_log::add_array(int type, int kind, std::size_t count, std::size_t bytes) noexcept
{
    const std::size_t total = padded(count * bytes);
    if (!values_.reserve(total) || !items_.reserve(1)) return nullptr;
    items_.push({type, kind, true, count, bytes, values_.size()});
    return values_.extend(total);
}

void item_log::drop_last() noexcept
{
    values_.resize_down(items_[items_.size() - 1].place);
    items_.resize_down(items_.size() - 1);
}

void pass(const transfer_functions &to, void *block, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    auto *const item = const_cast<char *>(value);
    switch (type) {
    case integer_item: return to.integer(block, item, kind);
    case logical_item: return to.logical(block, item, kind);
    case real_item: return to.real(block, item, kind);
    case complex_item: return to.complex(block, item, kind);
    default: return to.character(block, item, static_cast<std::int64_t>(bytes));
    }
}

void item_log::replay(const run_time &real, void *block) const noexcept
{
    ++run_own_statements;  // a tracer has counted them
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const logged_item &item = items_[i];
        if (item.is_array) pass_array(real, block, item, values(item));
        else pass(real, block, item.type, item.kind, values(item), item.bytes);
    }
    --run_own_statements;
}

}  // namespace headrace::run
