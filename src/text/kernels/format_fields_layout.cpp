// Turns an edit descriptor into a layout for the kernels.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "format_fields.hpp"

namespace headrace {
namespace {

constexpr std::uint8_t exponent_source = 16;
constexpr std::uint8_t sign_source = 22;
constexpr std::uint8_t first_source = 23;
constexpr std::uint8_t zero_source = 31;

// The source of digit i (from 0) of the last count of 17 digits.
std::uint8_t digit_source(int count, int i) noexcept {
  const int digit = most_digits - count + i;
  return digit == 0 ? first_source : static_cast<std::uint8_t>(digit - 1);
}

// Fills a field from left to right.
class field_painter {
 public:
  explicit field_painter(field_bytes& bytes) noexcept : bytes_(bytes) {
    bytes.index.fill(zero_source);
    bytes.text.fill(0);
  }
  void text(char c) noexcept { bytes_.text[position_++] = static_cast<std::uint8_t>(c); }
  void blanks(int count) noexcept {
    for (; count > 0; --count) text(' ');
  }
  void source(std::uint8_t from) noexcept { bytes_.index[position_++] = from; }
  // Digits, the last count of 17, with a point behind the first so many.
  void digits(int count, int before) noexcept {
    for (int i = 0; i < before; ++i) source(digit_source(count, i));
    text('.');
    for (int i = before; i < count; ++i) source(digit_source(count, i));
  }
  void exponent(int length) noexcept {
    for (int i = 0; i < length; ++i) source(static_cast<std::uint8_t>(exponent_source + i));
  }
  void suffix(const field_layout& layout) noexcept {
    for (int i = 0; i < layout.suffix_length; ++i)
      text(static_cast<char>(layout.suffix >> (8 * i)));
  }

 private:
  field_bytes& bytes_;
  std::size_t position_ = 0;
};

std::uint64_t exponent_text(const field_edit& edit, int exponent) noexcept {
  const unsigned size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  const int needed = 1 + (size >= 10) + (size >= 100);
  const int shown = edit.exponent_digits > 0    ? edit.exponent_digits
                    : edit.exponent_digits == 0 ? needed
                                                : (size < 100 ? 2 : 3);
  std::uint64_t text = 0;
  unsigned rest = size;
  for (int i = 0; i < shown; ++i, rest /= 10) text = (text << 8) | ('0' + rest % 10);
  text = (text << 8) | static_cast<std::uint8_t>(exponent < 0 ? '-' : '+');
  if (edit.exponent_digits >= 0 || size < 100)
    text = (text << 8) | static_cast<std::uint8_t>(edit.letter);
  return text;
}

using exponent_list = std::array<std::uint64_t, highest_field_exponent - lowest_field_exponent + 1>;

// One list serves all layouts of its kind; null without memory, or if there is no such kind.
const std::uint64_t* exponent_texts_of(const field_edit& edit) noexcept {
  constexpr std::size_t kinds_of_length = 6;  // -1 (without e) to 4
  static std::atomic<const exponent_list*> known[2][kinds_of_length];
  const auto length = static_cast<std::size_t>(edit.exponent_digits + 1);
  if ((edit.letter != 'E' && edit.letter != 'D') || length >= kinds_of_length) return nullptr;
  std::atomic<const exponent_list*>& kept = known[edit.letter == 'D'][length];
  const exponent_list* texts = kept.load(std::memory_order_acquire);
  if (texts != nullptr) return texts->data();
  auto* const made = new (std::nothrow) exponent_list;
  if (made == nullptr) return nullptr;
  for (int e = lowest_field_exponent; e <= highest_field_exponent; ++e)
    (*made)[static_cast<std::size_t>(e - lowest_field_exponent)] = exponent_text(edit, e);
  if (kept.compare_exchange_strong(texts, made, std::memory_order_acq_rel)) return made->data();
  delete made;  // another thread was faster
  return texts->data();
}

bool lay_out_exponential(field_layout& layout) noexcept {
  const field_edit& edit = layout.edit;
  const int count = edit.significant();
  const bool scientific = edit.is_scientific();
  if (count < 1 || count > most_digits || edit.digits < (scientific ? 0 : 1)) return false;
  if (edit.exponent_digits == 0 || edit.exponent_digits > 4) return false;
  const int length = count + 1 + edit.exponent_length();
  const int spare = edit.width - length;
  if (spare < 0) return false;
  const bool zero = !scientific && spare >= 2;
  layout.negative_fits = spare >= 1;
  layout.positive_sign = !scientific && spare == 1 ? '0' : ' ';
  layout.sign_position = spare >= 1 ? spare - 1 - zero : -1;
  field_painter painter(layout.bytes);
  painter.blanks(spare - 1 - zero);
  if (spare >= 1) painter.source(sign_source);
  if (zero) painter.text('0');
  painter.digits(count, scientific);
  painter.exponent(edit.exponent_length());
  painter.suffix(layout);
  layout.exponents = exponent_texts_of(edit);
  return layout.exponents != nullptr;
}

// The field of a number with so many digits before the point. If the minus has no place, the
// kernel takes the slow path.
void lay_out_fixed(field_layout& layout, int before) noexcept {
  const field_edit& edit = layout.edit;
  int length = before + 1 + edit.digits;
  const bool zero = before == 0 && edit.width > length + 1;
  length += zero;
  field_painter painter(layout.fixed_bytes[static_cast<std::size_t>(before)]);
  painter.blanks(edit.width - length - 1);
  if (edit.width > length) painter.source(sign_source);
  if (zero) painter.text('0');
  painter.digits(before + edit.digits, before);
  painter.suffix(layout);
}

bool lay_out_fixed(field_layout& layout) noexcept {
  const field_edit& edit = layout.edit;
  if (edit.digits < 0 || edit.digits > most_digits - 1 || edit.width < edit.digits + 1)
    return false;
  // A zero before the point and a minus may share their place.
  if (edit.digits > 0 && edit.width == edit.digits + 2) layout.positive_sign = '0';
  for (int before = 0; before <= most_digits - edit.digits; ++before)
    if (before + 1 + edit.digits <= edit.width) lay_out_fixed(layout, before);
  return true;
}

// The digits of count with so many before the point, and blanks where an exponent would stand.
void lay_out_general(field_layout& layout, int before) noexcept {
  const field_edit& edit = layout.edit;
  const int count = edit.significant();
  const int blanks = edit.width - edit.exponent_length() - count - 1 - (before == 0);
  field_painter painter(layout.fixed_bytes[static_cast<std::size_t>(before)]);
  painter.blanks(blanks - 1);
  painter.source(sign_source);
  if (before == 0) painter.text('0');
  painter.digits(count, before);
  painter.blanks(edit.exponent_length());
  painter.suffix(layout);
}

// Every value has its sign and a zero before the point, so no field is too narrow.
bool lay_out_general(field_layout& layout) noexcept {
  const field_edit& edit = layout.edit;
  const int count = edit.significant();
  // From 10^11 on gfortran's powers of ten are inexact for a real32, and so is its choice.
  if (edit.single && count > 9) return false;
  if (!lay_out_exponential(layout)) return false;
  if (edit.width < count + 3 + edit.exponent_length()) return false;
  for (int before = 0; before <= count; ++before) lay_out_general(layout, before);
  return true;
}

}  // namespace

bool operator==(const field_edit& a, const field_edit& b) noexcept {
  return a.form == b.form && a.width == b.width && a.digits == b.digits &&
         a.exponent_digits == b.exponent_digits && a.letter == b.letter && a.single == b.single;
}

field_edit list_directed_real(std::size_t bytes) noexcept {
  field_edit edit;
  edit.form = field_form::list_directed;
  edit.single = bytes == 4;
  edit.width = edit.single ? 17 : 26;
  edit.digits = edit.single ? 8 : 16;
  edit.exponent_digits = edit.single ? 2 : 3;
  return edit;
}

field_edit list_directed_integer(std::size_t bytes) noexcept {
  field_edit edit;
  edit.form = field_form::integer;
  edit.width = bytes == 1 ? 5 : bytes == 2 ? 7 : bytes == 4 ? 12 : 21;
  edit.digits = 1;
  return edit;
}

bool make_packed_layout(const field_edit& edit, field_layout& layout) noexcept {
  const int count = edit.significant();
  if (edit.form != field_form::general || count < 1 || count > most_digits) return false;
  if (edit.exponent_digits < 0 || edit.exponent_digits > 4) return false;
  // With more, gfortran leaves out the zero before the point of some.
  if (edit.single && count > 9) return false;
  layout.edit = edit;
  layout.exponents = exponent_texts_of(edit);
  if (layout.exponents == nullptr) return false;
  for (int before = -1; before <= count; ++before) {
    field_painter painter(before < 0 ? layout.bytes
                                     : layout.fixed_bytes[static_cast<std::size_t>(before)]);
    if (before <= 0) painter.text('0');
    painter.digits(count, std::max(before, 0));
    if (before < 0) painter.exponent(6);
  }
  return true;
}

bool make_field_layout(const field_edit& edit, const char* suffix, int suffix_length,
                       field_layout& layout) noexcept {
  if (edit.width < 1 || suffix_length > 8 || edit.width + suffix_length > field_window)
    return false;
  layout.edit = edit;
  layout.suffix_length = suffix_length;
  layout.suffix = 0;
  std::memcpy(&layout.suffix, suffix, static_cast<std::size_t>(suffix_length));
  switch (edit.form) {
    case field_form::exponent:
    case field_form::scientific:
      return lay_out_exponential(layout);
    case field_form::fixed:
      return lay_out_fixed(layout);
    case field_form::general:
    case field_form::list_directed:
      return lay_out_general(layout);
    default:
      return true;
  }
}

}  // namespace headrace
