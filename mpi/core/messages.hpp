// Parts of pieces that travel between nodes, packed, one message for each pair of MPI ranks and
// cycle.
#pragma once

#include <vector>

#include "lines.hpp"

namespace headrace {

class piece_messages {
 public:
  piece_messages(const array_layout& layout, const element_form& form, std::size_t piece_bytes)
      : layout_(layout), form_(form), piece_bytes_(piece_bytes) {}

  // Elements that an MPI rank's block has in a piece.
  static std::int64_t common_elements(const piece& part, const box& block);

  // Sends this MPI rank's part of a piece to its owner. The packed bytes live until finish().
  status send_part(const array_view& local, const piece& part, int owner);
  // The owner: expects and unpacks the parts of MPI ranks that are not `near`.
  template <class IsNear>
  void expect_parts(const piece& part, IsNear is_near);
  status unpack_parts(const piece& part, char* data);

  // The other way: the owner sends, the others expect and unpack.
  template <class IsNear>
  status send_pieces(const piece& part, const char* data, IsNear is_near);
  void expect_part(const piece& part, int owner);
  status unpack_pieces(const array_view& local);

  status finish();  // all sends of this cycle
  // Lets MPI go on with what is under way, for those that wait for something else.
  void progress() noexcept;

 private:
  struct parcel {
    int other = 0;
    piece part;
    std::vector<char> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  // Beyond that much, sends are waited for before more are packed.
  static constexpr std::size_t most_pending = std::size_t{24} << 20;

  void expect(int from, const piece& part, std::int64_t elements);
  status post(parcel&& packed);

  const array_layout& layout_;
  const element_form& form_;
  std::size_t piece_bytes_;
  std::vector<parcel> sent_;
  std::vector<parcel> expected_;
  std::size_t pending_ = 0;
};

template <class IsNear>
void piece_messages::expect_parts(const piece& part, IsNear is_near) {
  for (int other = 0; other < layout_.comm().size(); ++other)
    if (!is_near(other)) expect(other, part, common_elements(part, layout_.block(other)));
}

template <class IsNear>
status piece_messages::send_pieces(const piece& part, const char* data, IsNear is_near) {
  for (int other = 0; other < layout_.comm().size(); ++other) {
    const box& block = layout_.block(other);
    if (is_near(other) || common_elements(part, block) == 0) continue;
    parcel packed;
    packed.other = other;
    packed.bytes.reserve(piece_bytes_ / 4);
    for_each_common_line(part, block, max_parallel_rank, [&](const piece_line& line) {
      const char* const from = data + static_cast<std::size_t>(line.at) * form_.file_bytes;
      packed.bytes.insert(packed.bytes.end(), from,
                          from + static_cast<std::size_t>(line.count) * form_.file_bytes);
    });
    if (status s = post(std::move(packed)); !s.ok()) return s;
  }
  return {};
}

}  // namespace headrace
