// The kernel of a data edit descriptor, or of list-directed output, for values of one type.
#pragma once

#include <cstdint>

#include "format_program.hpp"
#include "text/kernels/format_fields.hpp"

namespace headrace::run
{

struct field_kernel {
    const field_layout *layout;
    bool is_packed;  // G0: as wide as the value
};

// {null, false}: there is none. The layouts are kept for good, one for all fields that are alike.
field_kernel kernel_of(const edit_item &item, const edit_modes &modes, int type, int kind, const edit_dialect &dialect);
field_kernel list_kernel_of(int type, int kind);

}  // namespace headrace::run
