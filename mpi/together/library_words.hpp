// What the words of a library say about the operating system: its number is lost on the way.
#pragma once

#include <string>

namespace headrace {

// The errno that a library names ("errno = 28, ..."), also by its text or by MPI's name of it if
// the disk or a quota is full; 0: none.
int error_in_words(const std::string& words);

// ENOSPC, EDQUOT, EFBIG or EIO.
bool is_of_the_disk(int error) noexcept;

// What a call of a library that failed left in errno if that is of the disk; 0: nothing. Ask first
// of all after the call; errno was set to 0 when the user's call began. The disk may have room
// again when somebody looks.
int disk_error_in_errno() noexcept;

}  // namespace headrace
