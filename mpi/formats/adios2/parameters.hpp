// The engine that writes a store, and its parameters: headrace's own, and those hints that leave
// each writer a file of its own. Elsewhere a write that fails on one MPI rank makes others wait for
// ever, or a store takes its name before it is complete.
#pragma once

#include "calls.hpp"

namespace headrace {

enum class adios2_engine_kind { bp5, bp4 };

// What BP4 keeps until it writes; what it is given at once must be smaller.
inline constexpr std::int64_t adios2_bp4_buffer_bytes = std::int64_t{16} << 20;

// "BP5" unless hint engine says otherwise. Failure option_unknown.
status adios2_engine_of(const hint_list& hints, adios2_engine_kind& kind);

// Not collective. Sets headrace's parameters and, of the hints, what goes with them; notes what is
// in force and what is ignored. io: null on an MPI rank that has not the store open, as writers
// MPI ranks have.
status adios2_configure(adios2_io* io, const std::string& file, adios2_engine_kind kind,
                        int writers, const hint_list& hints, hints_found& found);

}  // namespace headrace
