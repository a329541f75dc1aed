// Who owns which pieces, and when.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "../disk/hints.hpp"
#include "exchange.hpp"

namespace headrace {

// Which pieces there are; the same on every MPI rank. Each owner takes its ranges one after
// another, a piece in each cycle.
class piece_plan {
 public:
  // elements: of a piece. joined: of pieces that need no exchange and follow each other, given as
  // one; as a rule they are not.
  piece_plan(int ranks, std::int64_t elements, std::int64_t joined = 0);

  // Gives an MPI rank one more range, which is cut into pieces.
  void add(int owner, const piece& range);

  std::int64_t cycles() const noexcept { return cycles_; }
  // Those in which an MPI rank has a piece: the first ones.
  std::int64_t cycles_of(int owner) const;
  piece at(int owner, std::int64_t cycle) const;
  std::int64_t largest_piece() const noexcept { return elements_; }
  std::int64_t largest_joined() const noexcept { return joined_; }
  // MPI ranks that own pieces, ascending.
  const std::vector<int>& owners() const noexcept { return owners_; }
  // Whether every MPI rank has all elements of its pieces, if whoever made the plan knows.
  std::optional<bool> all_are_own;

 private:
  struct cut_range {
    piece range;
    std::int64_t begin;  // its first cycle
    std::int64_t end;
  };

  std::int64_t elements_;
  std::int64_t joined_;
  std::int64_t cycles_ = 0;
  std::vector<std::vector<cut_range>> ranges_;  // of every MPI rank
  std::vector<int> owners_;
};

inline constexpr std::int64_t default_piece_bytes = std::int64_t{1} << 20;
// A file system that lets one MPI rank at a time write to a file hands it over at each call: on
// tmpfs 1 MiB a call cost 10 % of what two MPI ranks wrote without an exchange.
inline constexpr std::int64_t joined_bytes = std::int64_t{64} << 20;

// What a hint says, or otherwise if it says no number above 0.
std::int64_t hinted_number(const hint_list& hints, const char* name, std::int64_t otherwise);
// Bytes of a piece, by the hint cb_buffer_size.
std::int64_t hinted_piece_bytes(const hint_list& hints);

// MPI ranks in the order in which their blocks begin in the file; those without elements come last.
std::vector<int> ranks_in_file_order(const array_layout& layout);
// So many of them, spread evenly over the nodes, and on a node over the order of the file: each is
// to hold elements of its part. 1: MPI rank 0, 0: all.
std::vector<int> choose_writers(const array_layout& layout, int writers);

// May throw std::bad_alloc. One file in global element order: each of the owners has a
// contiguous part of it, aligned to piece_bytes; the owner of a part is an MPI rank that holds
// elements of it if that is possible. writers: of choose_writers(). joined: bytes of pieces that
// may be joined, 0: none are.
std::unique_ptr<piece_plan> make_shared_plan(const array_layout& layout, std::int64_t file_bytes,
                                             std::int64_t piece_bytes, int writers,
                                             std::int64_t joined = 0);

// May throw std::bad_alloc. Boxes, each written in element order by its owner, one after another.
// owner_of[i] owns boxes[i]; piece::target is i.
std::unique_ptr<piece_plan> plan_boxes(const array_layout& layout, const std::vector<box>& boxes,
                                       const std::vector<int>& owner_of, std::int64_t file_bytes,
                                       std::int64_t piece_bytes, std::int64_t joined = 0);

}  // namespace headrace
