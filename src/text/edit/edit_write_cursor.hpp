// Format control: which edit descriptor comes next, through repeat counts, groups and reversion.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "edit_format.hpp"

namespace headrace {

class edit_cursor {
 public:
  explicit edit_cursor(const edit_format& format) : format_(format) { open_.reserve(8); }

  // The next descriptor that is no parenthesis; a repeated data edit descriptor or slash comes as
  // often as it says. Null at the end of the format, before it reverts.
  const edit_item* next() noexcept {
    if (repeats_left_ > 0) {
      --repeats_left_;
      return current_;
    }
    while (index_ < format_.items.size()) {
      const edit_item& item = format_.items[index_];
      if (item.kind == edit_kind::group_begin) {
        open_.push_back({index_++, item.repeat});
      } else if (item.kind == edit_kind::group_end) {
        open_group& group = open_.back();
        if (group.rounds_left == unlimited_repeat || --group.rounds_left > 0) {
          index_ = group.begin + 1;
        } else {
          open_.pop_back();
          ++index_;
        }
      } else {
        ++index_;
        current_ = &item;
        repeats_left_ = item.repeat - 1;
        saw_data_ = saw_data_ || is_data(item.kind);
        return current_;
      }
    }
    return nullptr;
  }

  // Goes back to where the format goes on. False when no data edit descriptor came since the last
  // time: the remaining items will never find one.
  bool revert() noexcept {
    index_ = format_.reversion;
    return std::exchange(saw_data_, false);
  }

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
