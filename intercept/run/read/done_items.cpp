#include "done_items.hpp"

#include "../item_log.hpp"
#include "../run.h"

namespace headrace::run
{

bool items_done::replay(const run_time &real, void *block) noexcept
{
    std::size_t longest = 16;
    for (std::size_t i = 0; i < items_.size(); ++i)
        if (items_[i].length > static_cast<std::int64_t>(longest)) longest = static_cast<std::size_t>(items_[i].length);
    auto *const scratch = static_cast<char *>(take_memory(longest));
    if (scratch == nullptr) return false;
    ++run_own_statements;  // a tracer has counted them
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const done_items &items = items_[i];
        for (std::size_t k = 0; k < items.count; ++k)
            pass(real.reads, block, items.type, items.kind, scratch, static_cast<std::size_t>(items.length));
    }
    --run_own_statements;
    give_memory(scratch);
    return true;
}

}  // namespace headrace::run
