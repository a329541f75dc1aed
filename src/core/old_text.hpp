// What the text of a file is to which more is appended. Next: old_text.cpp.
#pragma once

#include <string>

#include "files.hpp"
#include "status.hpp"

namespace headrace {

// The text of a file that is open to append to it: of a compressed one what decompressing gives.
struct old_text {
  bool any = false;
  char last = '\n';

  bool ends_within_line() const noexcept { return last != '\n'; }
};

// Success has seen the end of a compressed file: compression_damaged if readers could not get
// beyond the old content. name: the file's, for its ending and for messages.
status look_at_old_text(const file_writer& file, const std::string& name, old_text& text);

// Its first bytes; whole: there are no more.
status read_old_text(const file_writer& file, const std::string& name, std::size_t bytes,
                     std::string& text, bool& whole);

}  // namespace headrace
