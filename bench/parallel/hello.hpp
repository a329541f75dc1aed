// The first line of this program: what it runs on and which methods it has.
#pragma once

#include <string>

#include "world.hpp"

namespace headrace::bench {

std::string hello(const world& all);

}  // namespace headrace::bench
