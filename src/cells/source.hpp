// A file as blocks of complete rows. Next: scan.hpp, ../core/compressed.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "../core/streams.hpp"
#include "scan.hpp"

namespace headrace {

// All of a file.
status read_text_file(const std::string& file, std::string& text);

class row_source {
 public:
  // Opens a file, plain or compressed by its ending. UTF-16 is refused in texts that are not raw, a
  // byte order mark of UTF-8 is skipped in them.
  status open(const std::string& file, const row_rule& rule);

  // How many blocks the file has at most; nothing if its size is not known.
  std::optional<std::size_t> blocks() const noexcept;

  // The next rows, block.text and block.bytes only; bytes 0 is the end. A last row without row
  // separator gets one. Blocks have about 4 MiB, unless one row has more.
  // keeps: the memory of the block is used again.
  status next(cell_block& block, bool keeps = false);

 private:
  status fill(cell_memory& text, std::size_t& bytes);
  status begin_text(cell_memory& text, std::size_t& bytes);
  status complete(cell_memory& text, std::size_t& bytes, std::size_t& rows);

  std::string file_;
  row_rule rule_;
  std::unique_ptr<byte_source> source_;
  std::uint64_t file_bytes_ = 0;  // 0: unknown
  std::string rest_;              // the beginning of a row
  bool at_start_ = true;
  bool at_end_ = false;
};

}  // namespace headrace
