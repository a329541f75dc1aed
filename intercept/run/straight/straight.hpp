// WRITE to and READ from a character variable with few items in the I/O list, as most are: the straight way. What is not plain
// becomes a statement of the long way (write.cpp, read/statement.cpp). Next: one_item.cpp, several_items.cpp.
#pragma once

#include "../frame.hpp"
#include "../section.hpp"

namespace headrace::run
{

// 1: it is ours from here on; 0: nothing happened; -1: it is the run time's, and how it ends is nothing to us.
int begins_straight(thread_frames &here, transfer_block *block, direction does) noexcept;
// The number. False: the statement is one of the long way now, which goes on with this item.
bool puts_one_item(frame &one, const char *item, int type, int kind) noexcept;
bool gets_one_item(frame &one, char *item, int type, int kind) noexcept;
// One of several items; bytes: of it. False: the same.
bool puts_one_of_several(frame &one, int type, int kind, const char *item, std::size_t bytes) noexcept;
// False: nothing happened.
bool puts_section_of_several(frame &one, const section &items) noexcept;
// False: the same, and it goes on with the end.
bool ends_straight(thread_frames &here) noexcept;

// several_items.cpp: the rest of these.
void begin_several(frame &one) noexcept;
bool ends_several(frame &one) noexcept;

// Can WRITE go the straight way with several items? program: null for list-directed output.
bool is_straight(const format_program *program) noexcept;

// A statement of the long way from here on, with the items that came.
void take_long_way(frame &one) noexcept;

}  // namespace headrace::run
