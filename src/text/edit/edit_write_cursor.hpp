// Format control: which edit descriptor comes next, through repeat counts, groups and reversion.
#pragma once

#include <cstddef>
#include <vector>

#include "edit_format.hpp"

namespace headrace {

class edit_cursor {
 public:
  explicit edit_cursor(const edit_format& format);

  // The next descriptor that is no parenthesis; a repeated data edit descriptor or slash comes as
  // often as it says. Null at the end of the format, before it reverts.
  const edit_item* next() noexcept;

  // Goes back to where the format goes on. False when no data edit descriptor came since the last
  // time: the remaining items will never find one.
  bool revert() noexcept;

  static bool is_data(edit_kind kind) noexcept { return kind <= edit_kind::character; }

 private:
  struct open_group {
    std::size_t begin;
    int rounds_left;
  };

  const edit_format& format_;
  std::vector<open_group> open_;
  std::size_t index_ = 0;
  int repeats_left_ = 0;  // of current_
  const edit_item* current_ = nullptr;
  bool saw_data_ = false;
};

// Gives each descriptor of a whole format to take(item), until one is false: false then, and for
// formats that have a group without end.
template <class Take>
bool walk_once(const edit_format& format, Take take) {
  for (const edit_item& item : format.items)
    if (item.repeat == unlimited_repeat) return false;
  edit_cursor cursor(format);
  for (const edit_item* item = cursor.next(); item != nullptr; item = cursor.next())
    if (!take(*item)) return false;
  return true;
}

}  // namespace headrace
