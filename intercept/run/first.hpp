// The first statements of a place in the source (settings::first_left, first_short_left). They are the run time's, unless a
// WRITE begins with a long array, or one before it had many values, or a READ has a long file: one statement may be all that a
// program writes or reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "frame.hpp"

namespace headrace::run
{

// Is it one of those that are left whatever they have?
bool is_among_first(const transfer_block &block) noexcept;
// The same; then it is counted.
bool is_left_as_first(const transfer_block &block, direction does) noexcept;

// READ: the same of one that cannot have many values. Precondition: the unit is locked.
bool is_left_with_short_file(const transfer_block &block, const unit &from) noexcept;

// A WRITE to a file begins. Is it left if its first item is not a long array? Then it waits for that. Preconditions: the unit is
// locked and ours, and its records are whole.
bool begins_to_wait(frame &one, unit &to, const void *caller) noexcept;
// The first item comes, of so many values. True: it is an ordinary statement of ours; false: it is the run time's.
bool is_taken_over_with(frame &one, std::size_t values) noexcept;
// There are no items, or none that can be ours.
void leave_if_it_waits(frame &one) noexcept;
// A statement that was left so has ended, with so many values: are the next ones here to be taken over?
void learns_length(const frame &one) noexcept;

// write.cpp: from here on it is an ordinary statement of ours, without items. False: the run time must do it. Precondition: the
// unit is locked.
bool begins_at_its_site(frame &one, unit &to, const void *caller) noexcept;

void forget_first_statements() noexcept;

}  // namespace headrace::run
