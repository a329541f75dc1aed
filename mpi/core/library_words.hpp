// What the words of a library say about the operating system: its number is lost on the way.
#pragma once

#include <string>

namespace headrace {

// The errno that a library names ("errno = 28, ..."), also by its text or by MPI's name of it if
// the disk or a quota is full; 0: none.
int error_in_words(const std::string& words);

}  // namespace headrace
