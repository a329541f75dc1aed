// Parts of pieces that travel between nodes, packed, one message for each pair of MPI ranks and
// cycle. All memory is taken before the first cycle: an MPI rank that had none left in the middle
// would keep the others waiting.
#pragma once

#include <vector>

#include "../../src/core/buffer.hpp"
#include "lines.hpp"

namespace headrace {

class piece_messages {
 public:
  piece_messages(const array_layout& layout, const element_form& form)
      : layout_(layout), form_(form) {}

  // Takes the memory for what is under way at a time: parts that are sent, and parts that come.
  // Each must hold the largest part of a piece. Throws std::bad_alloc.
  void reserve(std::size_t sent_bytes, std::size_t expected_bytes);

  // Elements that an MPI rank's block has in a piece.
  static std::int64_t common_elements(const piece& part, const box& block);

  // Expects what a block has of a piece, from another MPI rank. false: first unpack what was
  // expected before, there is no room for more.
  bool expect(int from, const piece& part, const box& block);

  // This MPI rank's part of a piece goes to its owner. The packed bytes live until finish().
  status send_part(const array_view& local, const piece& part, int owner);
  status unpack_parts(const piece& part, char* data);

  // The other way: the owner sends, the others unpack.
  status send_piece(const piece& part, char* data, int to);
  status unpack_pieces(const array_view& local);

  status finish();  // all sends of this cycle
  // Lets MPI go on with what is under way, for those that wait for something else.
  void progress() noexcept;

 private:
  struct parcel {
    int other = 0;
    piece part;
    char* data = nullptr;
    std::size_t bytes = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;  // of the calls on it so far
  };
  // Messages of one direction, in memory that is taken once.
  struct parcels {
    std::vector<parcel> list;
    buffer memory;
    std::size_t used = 0;

    bool has_room(std::size_t bytes) const noexcept { return used + bytes <= memory.capacity(); }
    parcel& add(int other, const piece& part, std::size_t bytes);
    void clear() noexcept;
  };

  // What a block has of a piece: pack(data) puts it into the message.
  status send(int to, const piece& part, const box& block, function_ref<void(char* data)> pack);
  status unpack(function_ref<void(const parcel& came)> take);
  status wait_for(parcel& one) const;

  const array_layout& layout_;
  const element_form& form_;
  parcels sent_;
  parcels expected_;
};

}  // namespace headrace
