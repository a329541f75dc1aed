// A file written piece by piece: threads produce the pieces, which land in order. Next:
// ../core/files.hpp.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "../core/buffer.hpp"
#include "../core/files.hpp"
#include "../core/streams.hpp"

namespace headrace {

inline constexpr std::size_t most_piece_bytes = std::size_t{1} << 20;

// About how long a piece should be: all threads together keep within 16 MiB of text.
std::size_t piece_bytes(int threads) noexcept;

// How many pieces a whole has, the last of which may be shorter.
inline std::size_t parts_of(std::size_t total, std::size_t piece) noexcept {
  return total / piece + (total % piece != 0 ? 1 : 0);
}

// What a thread needs to produce a piece.
struct piece_workspace {
  buffer tile;                // values
  buffer text;                // the piece
  buffer scratch;             // whatever the producer likes
  std::shared_ptr<void> own;  // so is this
};

struct piece_producer {
  std::size_t pieces = 0;
  // Called for one piece after another, never by two threads at once. May be empty.
  std::function<status(std::size_t piece, piece_workspace&)> take;
  // Called at the same time by several threads: leaves the piece in text.
  std::function<status(std::size_t piece, piece_workspace&, std::size_t& bytes)> produce;
};

// Where pieces go: to their places in a regular file by several threads, or one after another.
class piece_destination {
 public:
  // file takes bytes at offsets from position on.
  piece_destination(file_writer& file, std::uint64_t position) noexcept
      : file_(&file), position_(position) {}
  piece_destination(byte_sink& sink, std::uint64_t position) noexcept
      : sink_(&sink), position_(position) {}

  std::uint64_t position() const noexcept { return position_; }

 private:
  friend class piece_writer;
  file_writer* file_ = nullptr;
  byte_sink* sink_ = nullptr;
  std::uint64_t position_ = 0;
};

// Called by the caller's own thread with the end of each piece that it wrote; a failure ends all.
using piece_observer = std::function<status(std::uint64_t position)>;

// Writes all pieces; the first failure ends it. destination.position() is then the end of the text.
// observer may be empty.
status write_pieces(const piece_producer& producer, int threads, piece_destination& destination,
                    const piece_observer& observer = {});

}  // namespace headrace
