// Format control: see edit_write_cursor.hpp.
#include "edit_write_cursor.hpp"

#include <utility>

namespace headrace {

edit_cursor::edit_cursor(const edit_format& format) : format_(format) {
  open_.reserve(8);
}

const edit_item* edit_cursor::next() noexcept {
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

bool edit_cursor::revert() noexcept {
  index_ = format_.reversion;
  return std::exchange(saw_data_, false);
}

}  // namespace headrace
