// An array whose bytes lie in one file that all MPI ranks share, in one part or several. Small
// arrays go through MPI rank 0 in one message.
#pragma once

#include <vector>

#include "../disk/positioned_file.hpp"
#include "exchange.hpp"
#include "settings.hpp"

namespace headrace {

// Elements [first, last) of an array, in element order, one after another from a byte on.
struct file_segment {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t address = 0;
};

// Where and how an array lies, or one of its steps.
struct stored_place {
  std::vector<file_segment> segments;  // ascending; empty: not as plain bytes in element order
  std::size_t swapped_word = 0;        // bytes of words in the other byte order; 0: none
};

// Collective; file: open on this MPI rank. layout: of the whole array that lies there. Fills notes,
// times too.
status write_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                    const array_layout& layout, const parallel_settings& settings,
                    parallel_notes& notes);
status read_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                   const array_layout& layout, const parallel_settings& settings,
                   parallel_notes& notes);

// Not collective: a whole array, in element order; its words are swapped in data.
status write_whole(const positioned_file& file, const stored_place& where, char* data,
                   const box& global, const element_form& form);

// Brings small arrays to MPI rank 0. All memory is there from the beginning, so that no call of it
// can fail: the others need not agree before.
class small_arrays {
 public:
  static constexpr std::int64_t most_bytes = std::int64_t{256} << 10;  // of a whole array

  // May throw std::bad_alloc.
  void prepare(const communicator& comm);
  // The same on all MPI ranks. Hints that choose who writes are for the others.
  static bool fits(const array_layout& layout, const element_form& form,
                   const parallel_settings& settings) noexcept;
  // Collective. The whole array in element order, on MPI rank 0; on the others nothing.
  char* gather(const array_view& local, const array_layout& layout, const element_form& form,
               timeline& line) noexcept;

 private:
  std::vector<char> own_;
  std::vector<char> gathered_;
  std::vector<char> whole_;
  std::vector<int> counts_;
  std::vector<int> places_;
};

}  // namespace headrace
