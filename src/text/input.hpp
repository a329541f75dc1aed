// A text file in blocks of whole lines, which threads take one after another. Next:
// ../core/files.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "../core/buffer.hpp"
#include "../core/files.hpp"
#include "../core/streams.hpp"

namespace headrace {

// What the text of a line belongs to if a block begins in its middle.
enum class line_state : std::uint8_t { plain, quoted, comment };

// Lines that follow each other; the last byte is a line feed, parse_padding is free on both sides.
struct text_block {
  buffer memory;
  char* text = nullptr;
  std::size_t bytes = 0;  // 0: no line begins in this part of the file
  std::size_t index = 0;  // blocks are numbered in file order from 0
  // Of lines longer than a block:
  bool continues = false;   // the first line began in an earlier block
  bool unfinished = false;  // a piece of one line, with a line feed for its last delimiter
  line_state begin = line_state::plain;
};

// A line longer than this is refused if a file cannot be opened twice, to count its columns
// first: its fields would not have 32-bit offsets.
inline constexpr std::size_t longest_line = std::size_t{1} << 30;

inline constexpr std::size_t longest_byte_order_mark = 3;

// Opens a file as a stream, decompressing by its ending. file_bytes: 0 when it is not known.
status open_text(const std::string& file, std::unique_ptr<byte_source>& source,
                 std::uint64_t& file_bytes);

// mark receives the length of the UTF-8 byte order mark that the file begins with, or 0; a mark of
// UTF-16 is the failure text_encoding.
status find_byte_order_mark(std::string_view beginning, const std::string& file, std::size_t& mark);

class text_input {
 public:
  text_input() noexcept { share_memory(1); }
  // Plain files are read at offsets by all threads; pipes, devices and compressed files by the
  // thread that asks next.
  status open(const std::string& file);
  // How many threads will take blocks: their blocks together keep within a bounded memory. Before
  // the first next().
  void share_memory(int threads) noexcept;

  // The first lines of what is left, at least one complete line if there is any, until more bytes
  // than wanted are there or the file ends. Valid until skip() or next(). A byte order mark is left
  // out. Of a line longer than a block there is only the beginning, without a line feed.
  status peek(std::size_t wanted, const char*& text, std::size_t& bytes);
  // Whether peek gave everything up to the end: then its last line may lack a line feed.
  bool seen_to_end() const noexcept { return at_end_; }
  // Leaves out the first bytes of what peek gave. Both only before the first next().
  void skip(std::size_t bytes) noexcept {
    start_ += bytes;
    searched_ = 0;
  }

  // Takes a line without its line feed; of a line longer than a block only the beginning is given.
  status take_line(std::string& line, bool& found);

  // Blocks may end in the middle of a line, behind a delimiter. Before the first next().
  void cut_lines(char delimiter, char comment) noexcept {
    cuts_lines_ = true;
    delimiter_ = delimiter;
    comment_ = comment;
  }

  // The next block; found is false at the end. Threads may call it at the same time.
  status next(text_block& block, bool& found);

  // Fails when the file changed its size meanwhile.
  status check_unchanged() const;

  // Bytes of the file and how many of its text have been taken; size 0 when it is not known.
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t taken() const noexcept;

  // How many blocks next() will give, at most when it is not known.
  std::uint64_t blocks_left() const noexcept;

  const std::string& file() const noexcept { return file_; }
  // The failure of a cell that does not end in this text: null bytes are named for what they are.
  status cell_too_long(std::string_view text) const;

 private:
  status next_at_offset(text_block& block, bool& found);
  status next_in_order(text_block& block, bool& found);
  status fill(std::size_t wanted, bool whole_line);
  status read_more();
  status take_piece(std::size_t& bytes);
  std::size_t find_cut(const char* text, std::size_t bytes) const noexcept;
  std::size_t longest_whole_line() const noexcept;
  std::size_t held_start() const noexcept;
  void drop_skipped() noexcept;
  status check_encoding();
  status line_too_long(std::string_view text, std::uint64_t offset) const;
  status without_end(std::string_view text, std::uint64_t offset, status too_long) const;
  status shrunk() const;

  std::string file_;
  file_reader reader_;
  std::unique_ptr<byte_source> source_;  // null: read at offsets
  bool regular_ = false;                 // can be opened again
  std::uint64_t size_ = 0;
  std::uint64_t start_ = 0;  // of the blocks: an offset in the file, or in held_
  std::size_t block_bytes_;
  mutable std::mutex guard_;
  std::size_t next_index_ = 0;
  std::uint64_t given_bytes_ = 0;  // in blocks of a source
  buffer held_;                    // what was read and not yet given away
  std::size_t held_bytes_ = 0;
  std::uint64_t held_begin_ = 0;  // offset of held_ in a file that is read at offsets
  std::size_t searched_ = 0;      // held_ has no line feed from the start to here
  bool at_end_ = false;
  bool cuts_lines_ = false;
  char delimiter_ = ',';
  char comment_ = '\0';
  bool in_line_ = false;  // the last block did not end with a line
  line_state state_ = line_state::plain;
};

}  // namespace headrace
