// The first statements of a place in the source (settings::first_left, first_short_left). They are the run time's, unless a
// WRITE has many values or a READ a long file: one statement may be all that a program writes or reads.
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

// A WRITE to a file begins. Is it left if it has few values? Then they wait until its end. Preconditions: the unit is locked and
// ours, and its records are whole.
bool begins_to_wait(frame &one, unit &to) noexcept;
enum class outcome { waits, taken_over, left };
// An item comes. taken_over, left: those before it were passed on, this one was not.
outcome waits_with(frame &one, int type, int kind, const char *value, std::size_t bytes) noexcept;
// Room for the n values of a section; null: see `became`.
char *waits_with_section(frame &one, int type, int kind, std::size_t n, std::size_t bytes, outcome &became) noexcept;
// The run time does it, with the items that came.
void leave_if_it_waits(frame &one) noexcept;

// write.cpp: from here on it is an ordinary statement of ours, without items. False: the run time must do it. Precondition: the
// unit is locked.
bool begins_at_its_site(frame &one, unit &to, const void *caller) noexcept;

void forget_first_statements() noexcept;

}  // namespace headrace::run
