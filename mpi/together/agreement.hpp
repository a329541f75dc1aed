// What agree() and the outcome of MPI rank 0 have in common: each of them meets all others, so an
// MPI rank that left a part alone is met wherever the others are.
#pragma once

#include <cstdint>

#include "communicator.hpp"

namespace headrace {

// Where an MPI rank agrees; the lowest of all is known afterwards.
enum stage : int { at_the_end = 0, on_the_way = 1, left_alone = 2 };

// The whole message of a failure, to which nobody adds an MPI rank.
using message_maker = std::string (*)(const communicator& comm, const status& failure);

// Collective: the failure of the lowest MPI rank that has one, on all. Gets no memory between the
// first call for which others wait and the last, and throws nothing after it. same_digests: whether
// all gave the same digest.
status agreement(const communicator& comm, const status& mine, int& stage_of_all,
                 message_maker whole_message = nullptr, std::uint64_t digest = 0,
                 bool* same_digests = nullptr) noexcept;

}  // namespace headrace
