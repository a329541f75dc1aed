// Walks over a format as format control does. Next: edit_format.hpp.
#include "uniform_parse_plan.hpp"

#include <algorithm>

#include "edit_write_cursor.hpp"
#include "edit_write_modes.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_columns = std::size_t{1} << 20;
constexpr std::size_t longest_record = std::size_t{1} << 30;

class column_planner {
 public:
  column_planner(const edit_format& format, type_class type, edit_modes modes,
                 std::vector<column>& columns)
      : format_(format),
        type_(type),
        strict_decimal_(format.dialect.has(edit_feature::strict_decimal)),
        modes_(modes),
        columns_(columns) {}

  bool walk() {
    return walk_once(format_, [this](const edit_item& item) { return take(item); }) &&
           !columns_.empty();
  }
  edit_modes modes() const noexcept { return modes_; }

 private:
  bool take(const edit_item& item) {
    const auto distance = static_cast<std::size_t>(std::max(item.value, 0));
    switch (item.kind) {
      case edit_kind::skip:
      case edit_kind::tab_right:
        place_ += distance;
        return place_ < longest_record;
      case edit_kind::colon:
        return true;
      case edit_kind::rounding:
        return false;
      case edit_kind::blank:
        return item.value == 'n';
      default:
        return modes_.set(item) || (takes(item) && take_data(item));
    }
  }

  bool takes(const edit_item& item) const noexcept {
    const bool has_kernel = item.kind == edit_kind::integer ||
                            item.kind == edit_kind::hexadecimal || is_real_kind(item.kind);
    if (!has_kernel || !takes_type(item.kind, type_)) return false;
    if (item.kind == edit_kind::general) return type_ == type_class::real && item.digits != absent;
    return type_ == type_class::integer || type_ == type_class::real;
  }

  bool take_data(const edit_item& item) {
    if (item.width < 1 || columns_.size() == most_columns) return false;
    column next;
    next.begin = static_cast<std::uint32_t>(place_);
    next.width = static_cast<std::uint32_t>(item.width);
    next.digits = std::max(item.digits, 0);
    next.scale = modes_.scale;
    next.decimal = modes_.decimal;
    next.strict_decimal = strict_decimal_ && modes_.decimal == ',';
    next.is_hexadecimal = item.kind == edit_kind::hexadecimal;
    columns_.push_back(next);
    place_ += next.width;
    return place_ < longest_record;
  }

  const edit_format& format_;
  type_class type_;
  bool strict_decimal_;
  edit_modes modes_;
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
