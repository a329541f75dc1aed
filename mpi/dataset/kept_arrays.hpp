// Small arrays that were written and wait for others: their elements are packed, so that the user's
// are free, and many are delivered at a time. Next: described.cpp and ../formats/zarr/writer.cpp,
// which write them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../src/core/array_view.hpp"
#include "../../src/core/buffer.hpp"
#include "../move/element_form.hpp"
#include "../move/layouts.hpp"
#include "../move/settings.hpp"
#include "catalogue.hpp"

namespace headrace {

struct kept_array {
  catalogue_entry entry;
  std::size_t memory_len = 0;  // of an element, as the program has it; packed it is as in the file
  layout_ptr layout;
  std::string dimensions;  // as they were given
  std::size_t at = 0;      // of this MPI rank's block in the packed bytes
};

// What MPI ranks give alike of an array, as a text and as a short number behind that of others.
std::string text_of(const kept_array& one);
std::uint64_t digest_of(const kept_array& one, std::uint64_t before = 0) noexcept;

// For a delivery; the next one needs as much.
struct delivery_room {
  buffer sorted;
  buffer gathered;
  buffer whole;
};

class kept_arrays {
 public:
  // So much is kept at most before it is delivered. Bytes are those of whole arrays: all MPI ranks
  // count alike, and MPI rank 0 has room for them.
  static constexpr int most_calls = 256;
  static constexpr std::int64_t most_bytes = std::int64_t{4} << 20;

  static constexpr std::int64_t most_array_bytes = std::int64_t{256} << 10;

  // Whether an array is small: the same on all MPI ranks. file_bytes: of an element, not 0. Hints
  // that choose who writes are for the others.
  static bool fits(const array_layout& layout, std::int64_t file_bytes,
                   const parallel_settings& settings) noexcept;
  // May throw std::bad_alloc, and has kept nothing then.
  void keep(kept_array&& one, const array_view& local);
  // Of every call, also one that was refused here alone.
  void count(std::int64_t bytes) noexcept {
    ++calls_;
    bytes_ += bytes;
  }
  bool has_calls() const noexcept { return calls_ > 0; }
  bool is_full() const noexcept { return calls_ >= most_calls || bytes_ >= most_bytes; }
  void clear() noexcept;

  const std::vector<kept_array>& all() const noexcept { return arrays_; }
  // What MPI ranks give alike.
  std::uint64_t digest() const noexcept { return digest_; }
  std::string text() const;
  char* packed() noexcept { return packed_.data(); }
  delivery_room& room() noexcept { return room_; }
  // This MPI rank's block.
  array_view view_of(const kept_array& one) noexcept;

 private:
  std::vector<kept_array> arrays_;
  buffer packed_;
  delivery_room room_;
  std::uint64_t digest_ = 0;
  std::size_t used_ = 0;
  int calls_ = 0;
  std::int64_t bytes_ = 0;
};

// Brings whole arrays to the MPI ranks that write them, all in one exchange.
class kept_delivery {
 public:
  static constexpr int nobody = -1;  // gets an array: it stays where it is

  // All memory is taken here; may throw std::bad_alloc. owners: the MPI rank of each array; empty:
  // all are for MPI rank 0.
  kept_delivery(kept_arrays& kept, const communicator& comm, std::vector<int> owners);

  // Collective.
  void exchange(timeline& line) noexcept;
  bool is_mine(std::size_t number) const noexcept { return owner_of(number) == comm_.rank(); }
  // In element order, until the next call: of each array of this MPI rank, one after the other.
  char* next_whole(std::size_t number) noexcept;

 private:
  int owner_of(std::size_t number) const noexcept { return owners_.empty() ? 0 : owners_[number]; }
  void count_bytes();
  void sort_by_owner();

  kept_arrays& kept_;
  const communicator& comm_;
  std::vector<int> owners_;
  std::vector<int> sent_;  // bytes for each MPI rank, and where they begin
  std::vector<int> sent_at_;
  std::vector<int> got_;
  std::vector<int> got_at_;  // moves on with next_whole()
  buffer& sorted_;
  buffer& gathered_;
  buffer& whole_;
};

}  // namespace headrace
