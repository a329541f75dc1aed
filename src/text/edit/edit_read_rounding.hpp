// Rounding in a direction, for RU, RD and RZ.
#pragma once

#include <string_view>

namespace headrace {

// decimal: digits, 'e' and a power, as "0123e-5"; nearest: the value nearest to it, not negative.
// direction 'u' gives the lowest value that is not below it, 'd' the highest that is not above.
template <class Real>
Real round_directed(std::string_view decimal, Real nearest, char direction);

}  // namespace headrace
