// Walks over a format as format control does. Next: edit_format.hpp.
#include "uniform_parse_plan.hpp"

#include <algorithm>

namespace headrace {
namespace {

constexpr std::size_t most_columns = std::size_t{1} << 20;
constexpr std::size_t longest_record = std::size_t{1} << 30;

// What lasts from one record to the next.
struct planner_modes {
  int scale = 0;
  char decimal = '.';
};

class column_planner {
 public:
  column_planner(const edit_format& format, type_class type, planner_modes modes,
                 std::vector<column>& columns)
      : items_(format.items),
        type_(type),
        strict_decimal_(format.dialect.has(edit_feature::strict_decimal)),
        modes_(modes),
        columns_(columns) {}

  bool walk() { return walk(0, items_.size()) && !columns_.empty(); }
  planner_modes modes() const noexcept { return modes_; }

 private:
  bool walk(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const edit_item& item = items_[i];
      if (item.kind == edit_kind::group_begin) {
        if (item.repeat == unlimited_repeat) return false;
        for (int r = 0; r < item.repeat; ++r)
          if (!walk(i + 1, item.partner)) return false;
        i = item.partner;
      } else if (!take(item)) {
        return false;
      }
    }
    return true;
  }

  bool take(const edit_item& item) {
    const auto distance = static_cast<std::size_t>(std::max(item.value, 0));
    switch (item.kind) {
      case edit_kind::skip:
      case edit_kind::tab_right:
        place_ += distance;
        return place_ < longest_record;
      case edit_kind::colon:
      case edit_kind::sign:
        return true;
      case edit_kind::scale:
        modes_.scale = item.value;
        return true;
      case edit_kind::decimal:
        modes_.decimal = static_cast<char>(item.value);
        return true;
      case edit_kind::blank:
        return item.value == 'n';
      default:
        return takes(item) && take_data(item);
    }
  }

  bool takes(const edit_item& item) const noexcept {
    switch (item.kind) {
      case edit_kind::integer:
        return type_ == type_class::integer;
      case edit_kind::hexadecimal:
        return type_ == type_class::integer || type_ == type_class::real;
      case edit_kind::fixed:
      case edit_kind::exponent:
      case edit_kind::exponent_d:
      case edit_kind::scientific:
      case edit_kind::engineering:
        return type_ == type_class::real;
      case edit_kind::general:
        return type_ == type_class::real && item.digits != absent;
      default:
        return false;
    }
  }

  bool take_data(const edit_item& item) {
    if (item.repeat < 1 || item.width < 1) return false;
    column next;
    next.width = static_cast<std::uint32_t>(item.width);
    next.digits = std::max(item.digits, 0);
    next.scale = modes_.scale;
    next.decimal = modes_.decimal;
    next.strict_decimal = strict_decimal_ && modes_.decimal == ',';
    next.is_hexadecimal = item.kind == edit_kind::hexadecimal;
    for (int r = 0; r < item.repeat; ++r) {
      if (columns_.size() == most_columns || place_ + next.width >= longest_record) return false;
      next.begin = static_cast<std::uint32_t>(place_);
      columns_.push_back(next);
      place_ += next.width;
    }
    return true;
  }

  const std::vector<edit_item>& items_;
  type_class type_;
  bool strict_decimal_;
  planner_modes modes_;
  std::vector<column>& columns_;
  std::size_t place_ = 0;
};

}  // namespace

bool plan_columns(const edit_format& format, type_class type, std::vector<column>& columns) {
  // Format control goes on at the last group; only the whole format again makes equal records.
  if (format.reversion != 0) return false;
  columns.clear();
  column_planner first(format, type, {}, columns);
  if (!first.walk()) return false;
  // The modes hold on into the next record.
  std::vector<column> next;
  column_planner second(format, type, first.modes(), next);
  if (!second.walk() || !(next == columns)) return false;
  const column& model = columns.front();
  return std::all_of(columns.begin(), columns.end(), [&model](const column& each) {
    return each.is_hexadecimal == model.is_hexadecimal && each.decimal == model.decimal;
  });
}

}  // namespace headrace
