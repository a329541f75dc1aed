#include "listed.hpp"

#include "../blocks.hpp"
#include "text/edit/edit_write_values.hpp"
#include "text/kernels/format_numbers.hpp"

namespace headrace::run
{

std::size_t flang_listed_number(int type, int kind, const char *value, char *out) noexcept
{
    switch (type) {
    case integer_item: {
        const std::int64_t number = load_integer(value, static_cast<std::size_t>(kind));
        return static_cast<std::size_t>(format_integers(out, &number, 1, " ") - 1 - out);
    }
    case logical_item: *out = load_integer(value, static_cast<std::size_t>(kind)) != 0 ? 'T' : 'F'; return 1;
    default: return 0;
    }
}

}  // namespace headrace::run
