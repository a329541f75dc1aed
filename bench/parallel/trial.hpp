// One request: the method between two looks at the clock, what it cost, whether the values are
// right, and the answer as JSON. Next: method.hpp.
#pragma once

#include <string>

#include "request.hpp"
#include "values.hpp"
#include "world.hpp"

namespace headrace::bench {

// Collective; the answer is MPI rank 0's. A failure becomes an answer, too.
std::string answer(const world& all, const request& asked, block_memory& memory);

}  // namespace headrace::bench
