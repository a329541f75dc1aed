#include "uniform_format_plan.hpp"

#include "edit_write_cursor.hpp"

namespace headrace {
namespace {

// A field takes about a hundred bytes of the plan.
constexpr std::size_t most_fields = 1 << 17;

// Walks over a format as format control does, once through all items.
class record_planner {
 public:
  record_planner(const edit_format& format, type_class type, int scale, record_plan& plan)
      : format_(format), type_(type), scale_(scale), plan_(plan) {}

  bool walk() {
    const bool known = walk_once(format_, [this](const edit_item& item) { return take(item); });
    if (!known || plan_.fields.empty()) return false;
    end_field();
    plan_.before.push_back(text_);
    return true;
  }
  int scale() const noexcept { return scale_; }

 private:
  bool take(const edit_item& item) {
    switch (item.kind) {
      case edit_kind::literal:
        text_.append(blanks_, ' ');
        text_ += item.literal;
        blanks_ = 0;
        return true;
      case edit_kind::skip:
        blanks_ += static_cast<std::size_t>(item.value);
        return true;
      case edit_kind::colon:
        end_field();
        return true;
      case edit_kind::scale:
        scale_ = item.value;
        return true;
      case edit_kind::sign:
        return item.value != '+';
      case edit_kind::decimal:
        return item.value == '.';
      case edit_kind::rounding:
        return item.value == 'p';
      case edit_kind::blank:
        return true;
      default:
        return take_data(item);
    }
  }

  bool take_data(const edit_item& item) {
    field_edit edit;
    if (item.width < 1 || !edit_of(item, edit) || plan_.fields.size() == most_fields) return false;
    end_field();
    text_.append(blanks_, ' ');
    plan_.before.push_back(text_);
    plan_.fields.push_back(edit);
    text_.clear();
    blanks_ = 0;
    ended_ = false;
    return true;
  }

  bool edit_of(const edit_item& item, field_edit& edit) const noexcept {
    edit.width = item.width;
    edit.digits = item.digits;
    const bool real = type_ == type_class::real;
    switch (item.kind) {
      case edit_kind::exponent:
      case edit_kind::exponent_d:
        edit.form = scale_ == 1 ? field_form::scientific : field_form::exponent;
        edit.letter = item.kind == edit_kind::exponent_d ? 'D' : 'E';
        edit.exponent_digits = item.exponent;
        return real && (scale_ == 0 || scale_ == 1) && item.digits > 0;
      case edit_kind::scientific:
        edit.form = field_form::scientific;
        edit.exponent_digits = item.exponent;
        return real && item.digits >= 0;
      case edit_kind::fixed:
        edit.form = field_form::fixed;
        return real && scale_ == 0 && item.digits >= 0;
      case edit_kind::integer:
        edit.form = field_form::integer;
        if (item.digits == absent) edit.digits = 1;
        return type_ == type_class::integer;
      case edit_kind::hexadecimal:
        edit.form = field_form::hexadecimal;
        if (item.digits == absent) edit.digits = 1;
        return real || type_ == type_class::integer;
      default:
        return false;
    }
  }

  // What follows the last field now ends a record whose values are used up. Blanks that no text
  // follows are not written.
  void end_field() {
    if (!plan_.fields.empty() && !ended_) plan_.tails.push_back(text_);
    ended_ = true;
  }

  const edit_format& format_;
  type_class type_;
  int scale_;
  record_plan& plan_;
  std::string text_;
  std::size_t blanks_ = 0;
  bool ended_ = true;
};

}  // namespace

bool plan_record(const edit_format& format, type_class type, record_plan& plan) {
  // Format control goes on at the last group; only the whole format again makes equal records.
  if (format.reversion != 0) return false;
  record_planner first(format, type, 0, plan);
  if (!first.walk()) return false;
  if (first.scale() == 0) return true;
  // The scale factor holds on into the next record.
  record_plan next;
  record_planner second(format, type, first.scale(), next);
  return second.walk() && next.fields == plan.fields;
}

}  // namespace headrace
