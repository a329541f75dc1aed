// WRITE to and READ from a character variable with one number in the I/O list, as most are: the straight way. What is not plain
// becomes a statement of the long way (write.cpp, read/statement.cpp).
#pragma once

#include "frame.hpp"

namespace headrace::run
{

// It is ours from here on; false: nothing happened.
bool begins_one_item(thread_frames &here, transfer_block *block, direction does) noexcept;
// The number. False: the statement is one of the long way now, which goes on with this item.
bool puts_one_item(frame &one, const char *item, int type, int kind) noexcept;
bool gets_one_item(frame &one, char *item, int type, int kind) noexcept;
// False: the same, and it goes on with the end.
bool ends_one_item(thread_frames &here) noexcept;

// A statement of the long way from here on, with the item that came.
void take_long_way(frame &one) noexcept;

}  // namespace headrace::run
