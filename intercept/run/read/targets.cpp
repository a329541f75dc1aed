#include "targets.hpp"

#include "../item_log.hpp"

#include <cstring>

namespace headrace::run
{

bool read_targets::add_array(const array_descriptor &descriptor, int kind, std::int64_t length) noexcept
{
    constexpr std::size_t kept = sizeof(array_descriptor);
    const std::size_t used =
        offsetof(array_descriptor, dimension) + static_cast<std::size_t>(descriptor.rank) * sizeof(array_dimension);
    if (!descriptors_.reserve(kept)) return false;
    const std::size_t place = descriptors_.size();
    if (!items_.push({nullptr, 0, 1, length, place, kind, 0, true})) return false;
    std::memcpy(descriptors_.extend(kept), &descriptor, used);
    return true;
}

void read_targets::replay(const run_time &real, void *block) noexcept
{
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const read_target &item = items_[i];
        if (item.is_array) {
            alignas(array_descriptor) char descriptor[sizeof(array_descriptor)];
            std::memcpy(descriptor, descriptors_.data() + item.descriptor, sizeof descriptor);
            real.reads.array(block, descriptor, item.kind, item.length);
            continue;
        }
        char *place = item.place;
        for (std::size_t k = 0; k < item.count; ++k, place += item.stride)
            pass(real.reads, block, item.type, item.kind, place, static_cast<std::size_t>(item.length));
    }
}

}  // namespace headrace::run
