// One real through an edit descriptor: which digits, and where they stand. The rules are those of
// gfortran, also if they are odd.
#include "edit_write_real.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace headrace {

struct real_field::parts {
  bool negative = false;
  char sign = '\0';  // none
  int width = 0;     // without the blanks after it
  int digits = 0;    // d
  int scale = 0;

  int before = 0;  // digits before the point
  int zeros = 0;   // zeros after the point, before the digits
  int after = 0;   // digits after them

  // The exponent with its letter and sign; fits is false when it has more digits than the field.
  static constexpr int exponent_capacity = 16;
  char exponent[exponent_capacity];
  int exponent_length = 0;  // of what stands in exponent
  int exponent_zeros = 0;   // between its sign and its digits
  bool exponent_fits = true;

  int trailing = 0;  // blanks after the field, of G
  // Digits other than zero were cut off, not rounded. gfortran then takes no zero for a zero.
  bool truncated = false;

  int exponent_width() const noexcept {
    return exponent_fits ? exponent_length + exponent_zeros : -1;
  }
};

namespace {

// What gfortran takes for a real without a width.
struct default_form {
  int width;
  int digits;
  int exponent_digits;
};

constexpr default_form default_of(std::size_t elem_len) noexcept {
  return elem_len == 4 ? default_form{16, 9, 2} : default_form{25, 17, 3};
}

constexpr int most_powers = 400;  // from here on they are infinite

// 10^n as gfortran computes it, rounding on the way.
template <class Real>
Real rounded_power(int n) noexcept {
  Real power = 1;
  for (int i = 0; i < std::min(std::abs(n), most_powers); ++i) power *= 10;
  return n >= 0 ? power : static_cast<Real>(1.0 / static_cast<double>(power));
}

template <class Real>
bool is_below_power(double magnitude, int exponent) noexcept {
  const Real scaled = rounded_power<Real>(-exponent) * static_cast<Real>(magnitude);
  return 1 - scaled > 0;
}

}  // namespace

real_field::real_field(const edit_item& item, const edit_modes& modes, std::size_t elem_len,
                       const edit_dialect& dialect)
    : kind_(item.kind),
      width_(item.width),
      digits_(std::max(item.digits, 0)),
      exponent_digits_(item.exponent),
      modes_(modes),
      is_single_(elem_len == 4) {
  if (width_ == 0 && kind_ != edit_kind::fixed) {
    const default_form form = default_of(elem_len);
    const bool is_general = kind_ == edit_kind::general;
    if (digits_ == 0 && is_general && modes_.scale > 0) scale_compensation_ = 1;
    no_blanks_ = true;
    drops_zero_exponent_ = is_general || !dialect.has(edit_feature::zero_exponent);
    width_ = form.width;
    if (digits_ == 0 && (is_general || !dialect.has(edit_feature::digits_as_given)))
      digits_ = form.digits;
    if (exponent_digits_ == absent)
      exponent_digits_ = dialect.has(edit_feature::full_exponent) ? form.exponent_digits : 0;
  }
  if (kind_ == edit_kind::general) prepare_general(elem_len);
}

real_field real_field::list_directed(const edit_modes& modes, std::size_t elem_len) {
  const default_form form = default_of(elem_len);
  edit_item item;
  item.kind = edit_kind::general;
  item.width = form.width;
  item.digits = form.digits;
  item.exponent = form.exponent_digits;
  edit_modes scaled = modes;
  scaled.scale = 1;
  real_field field(item, scaled, elem_len);
  field.scale_compensation_ = 1;
  return field;
}

real_field real_field::list_directed_part(const edit_modes& modes, std::size_t elem_len) {
  real_field field = list_directed(modes, elem_len);
  field.scale_compensation_ = 0;
  field.no_blanks_ = true;
  field.drops_zero_exponent_ = true;
  return field;
}

template <class Real>
void real_field::fill_limits() {
  const Real highest = rounded_power<Real>(digits_);
  for (const bool negative : {false, true}) {
    Real r = static_cast<Real>(0.5);
    if (modes_.rounding == 'u') r = negative ? 0 : 1;
    if (modes_.rounding == 'd') r = negative ? 1 : 0;
    if (modes_.rounding == 'z') r = 0;
    round_share_[negative] = r;
    const Real down = 1 - r / highest;
    round_down_[negative] = down;
    round_limit_[negative] = static_cast<Real>(0.1 * static_cast<double>(down));
  }
  highest_ = highest;
  const int powers = std::min(digits_, most_powers) + 2;
  for (int k = 0; k < powers; ++k) power_.push_back(rounded_power<Real>(k - 1));
}

void real_field::prepare_general(std::size_t elem_len) {
  if (elem_len == 4)
    fill_limits<float>();
  else
    fill_limits<double>();
}

std::size_t real_field::most_bytes() const noexcept {
  const auto size = [](int n) {
    return static_cast<std::size_t>(std::abs(static_cast<long long>(n)));
  };
  return size(width_) + size(digits_) + size(modes_.scale) + size(exponent_digits_) + 400;
}

char real_field::sign_of(bool negative) const noexcept {
  if (negative) return '-';
  return modes_.sign == '+' ? '+' : '\0';
}

digit_rounding real_field::rounding_of(const parts& field) const noexcept {
  return {modes_.rounding, field.negative, guard()};
}

char* real_field::write(char* out, double value) const noexcept {
  const bool negative = std::signbit(value);
  if (!std::isfinite(value)) return write_special(out, std::isnan(value), negative);
  const double magnitude = std::fabs(value);
  parts field;
  field.negative = negative;
  field.sign = sign_of(negative);
  field.width = width_;
  field.digits = digits_;
  field.scale = modes_.scale;
  switch (kind_) {
    case edit_kind::fixed:
      return write_fixed(out, magnitude, field);
    case edit_kind::scientific:
    case edit_kind::engineering:
      return write_scientific(out, magnitude, field);
    case edit_kind::general:
      return write_general(out, magnitude, field);
    default:
      return write_exponent(out, magnitude, field);
  }
}

// gfortran converts into a buffer that depends on the width, and takes a number that does not fit
// into it for one that does not fit the field, scale factor or not.
bool real_field::overflows_buffer(int digits_before) const noexcept {
  const int place = digits_ + modes_.scale;
  const bool guarded = place < 0 || modes_.rounding != 's';
  const int shown = guarded ? std::max(place + guard(), 0) : place;
  return width_ > 0 && digits_before > width_ + 3 + shown;
}

char* real_field::write_fixed(char* out, double magnitude, parts& field) const noexcept {
  decimal_digits digits;
  const int place = field.digits + field.scale;
  if (magnitude == 0)
    digits.clear();
  else
    digits_to_place(magnitude, place, rounding_of(field), digits);
  // Scaled down so far, gfortran rounds every number away from zero that the mode lets it.
  const bool away = modes_.rounding == (field.negative ? 'd' : 'u');
  if (away && magnitude > 0 && digits.count == 0 && place < -1) digits.set_one(1 - place);
  if (modes_.scale < 0 && magnitude > 0 &&
      overflows_buffer(place < 0 ? decimal_exponent(magnitude) + 1 : digits.exponent))
    return put_stars(out, field.width);
  if (digits.count > 0) {
    const int exponent = digits.exponent + field.scale;
    field.before = std::max(exponent, 0);
    field.zeros = std::clamp(-exponent, 0, field.digits);
  }
  field.truncated = digits.truncated;
  field.after = field.digits - field.zeros;
  return put(out, digits, field);
}

// The conditions of gfortran for E and D.
bool real_field::refuses_exponent_form(int digits) const noexcept {
  const int scale = modes_.scale;
  return (digits <= 0 && scale == 0) || scale <= -digits || scale >= digits + 2;
}

const char* real_field::trouble() const noexcept {
  return modes_.scale == 0 ? "E, D and G editing without any digit after the point"
                           : "a scale factor that leaves no digit";
}

char* real_field::write_exponent(char* out, double magnitude, parts& field) const noexcept {
  const int scale = field.scale;
  if (refuses_exponent_form(field.digits)) return nullptr;
  decimal_digits digits;
  int exponent = 0;
  if (magnitude == 0) {
    digits.clear();
  } else {
    const int wanted = scale > 0 ? field.digits + 1 : field.digits + scale;
    significant_digits(magnitude, wanted, rounding_of(field), digits);
    exponent = digits.exponent - scale;
  }
  field.before = std::max(scale, 0);
  field.zeros = std::max(-scale, 0);
  field.after = scale > 0 ? field.digits - scale + 1 : field.digits + scale;
  set_exponent(exponent, kind_ == edit_kind::exponent_d ? 'D' : 'E', field);
  return put(out, digits, field);
}

// How many digits but one gfortran expects before the point. It looks at the number rounded to one
// digit and corrects that in the arithmetic of the kind, so it can be wrong beside powers of ten.
int real_field::digits_before_point(double magnitude) const noexcept {
  decimal_digits digit;
  significant_digits(magnitude, 1, {}, digit);
  int exponent = digit.exponent - 1;
  if (digit.first[0] == '1') {
    const bool below = is_single_ ? is_below_power<float>(magnitude, exponent)
                                  : is_below_power<double>(magnitude, exponent);
    if (below) --exponent;
  }
  return (exponent % 3 + 3) % 3;
}

// ES and EN: one digit before the point, or up to three, so that the exponent is a multiple of
// three.
char* real_field::write_scientific(char* out, double magnitude, parts& field) const noexcept {
  const bool engineering = kind_ == edit_kind::engineering;
  decimal_digits digits;
  int exponent = 0;
  if (magnitude == 0) {
    digits.clear();
  } else {
    const bool own = modes_.rounding == 's' || modes_.rounding == 'p';
    const int before = !engineering ? 0
                       : own        ? digits_before_point(magnitude)
                                    : (decimal_exponent(magnitude) % 3 + 3) % 3;
    significant_digits(magnitude, field.digits + before + 1, rounding_of(field), digits);
    exponent = digits.exponent - 1;
  }
  field.before = engineering ? (exponent % 3 + 3) % 3 + 1 : 1;
  field.after = field.digits;
  set_exponent(exponent - (field.before - 1), 'E', field);
  return put(out, digits, field);
}

bool real_field::prefers_exponent(double magnitude, bool negative) const noexcept {
  if (digits_ == 0) return true;
  if (magnitude == 0) return false;
  const double below = is_single_ ? static_cast<float>(highest_) - static_cast<float>(magnitude)
                                  : highest_ - magnitude;
  const double share = round_share_[negative];
  // Rounding always up, 10^d - 1 itself still has d digits.
  return magnitude < round_limit_[negative] || (share == 1 ? below < 1 : below <= share);
}

char* real_field::write_general(char* out, double magnitude, parts& field) const noexcept {
  if (prefers_exponent(magnitude, field.negative)) {
    field.digits = digits_ - scale_compensation_;
    return write_exponent(out, magnitude, field);
  }
  const int last = static_cast<int>(power_.size()) - 1;
  const auto limit = [&](int k) {
    const double power = power_[static_cast<std::size_t>(k)];
    const double down = round_down_[field.negative];
    return is_single_ ? static_cast<double>(static_cast<float>(power) * static_cast<float>(down))
                      : power * down;
  };
  int k = 1;
  if (magnitude > 0) {
    k = std::clamp(decimal_exponent(magnitude) + 2, 1, last);
    while (k > 1 && magnitude < limit(k - 1)) --k;
    while (k < last && magnitude >= limit(k)) ++k;
  }
  const int room = exponent_digits_ <= 0 ? 4 : exponent_digits_ + 2;
  field.trailing = no_blanks_ ? 0 : std::min(room, width_ - 1);
  field.width = width_ - field.trailing;
  field.digits = magnitude == 0 ? digits_ - 1 : digits_ - k + 1;
  field.scale = 0;
  return write_fixed(out, magnitude, field);
}

// ---- the characters of the field: blanks, sign, digits, exponent, or stars ----

namespace {

// May write so many bytes more: there is room for them.
constexpr int slack = 32;

char* fill(char* out, char c, int n) noexcept {
  if (n <= 0) return out;
  if (n <= slack) {
    std::memset(out, c, slack);
    return out + n;
  }
  std::memset(out, c, static_cast<std::size_t>(n));
  return out + n;
}

char* put_text(char* out, const char* text, int n) noexcept {
  for (int i = 0; i < n; ++i) out[i] = text[i];
  return out + n;
}

}  // namespace

void real_field::set_exponent(int exponent, char letter, parts& field) const noexcept {
  if (drops_zero_exponent_ && exponent == 0) return;
  char digits[8];
  int count = 0;
  for (int rest = std::abs(exponent); rest > 0 || count == 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  field.exponent_fits = exponent_digits_ <= 0 || count <= exponent_digits_;
  if (!field.exponent_fits) return;
  // Without Ee there is room for a letter and two digits, or for three digits.
  const int shown = exponent_digits_ > 0 ? exponent_digits_ : exponent_digits_ == 0 ? count : 2;
  char* text = field.exponent;
  if (exponent_digits_ != absent || count <= 2) *text++ = letter;
  *text++ = exponent < 0 ? '-' : '+';
  field.exponent_zeros = std::max(shown - count, 0);
  field.exponent_length = static_cast<int>(text - field.exponent);
  while (count > 0) field.exponent[field.exponent_length++] = digits[--count];
}

char* real_field::put(char* out, const decimal_digits& digits, parts& field) const noexcept {
  const bool has_sign = field.sign != '\0';
  const int needed =
      field.before + field.zeros + field.after + field.exponent_width() + 1 + has_sign;
  int width = field.width;
  if (width <= 0) {
    width = std::max(needed, 2);
    if (digits.count == 0 && !field.truncated)
      width = field.digits + 1 + has_sign + (field.digits == 0 ? 1 : 0);
  }
  if (no_blanks_) width = std::max(width, needed);
  int blanks = width - needed;
  const bool leading_zero = field.before == 0 && blanks > 0;
  if (leading_zero) --blanks;
  if (no_blanks_) {
    width -= blanks;
    blanks = 0;
  }
  if (blanks < 0 || !field.exponent_fits || width == 1 || (width == 2 && has_sign))
    return fill(out, '*', width + field.trailing);
  out = fill(out, ' ', blanks);
  if (has_sign) *out++ = field.sign;
  if (leading_zero) *out++ = '0';
  out = digits.copy(out, 0, field.before);
  *out++ = modes_.decimal;
  out = fill(out, '0', field.zeros);
  out = digits.copy(out, field.before, field.after);
  if (field.exponent_length > 0) {
    const int sign_end = field.exponent[0] == '+' || field.exponent[0] == '-' ? 1 : 2;
    out = put_text(out, field.exponent, sign_end);
    out = fill(out, '0', field.exponent_zeros);
    out = put_text(out, field.exponent + sign_end, field.exponent_length - sign_end);
  }
  return fill(out, ' ', field.trailing);
}

char* real_field::put_stars(char* out, int width) noexcept {
  return fill(out, '*', width);
}

// Inf and NaN. The sign of an infinity below zero must have its place.
char* real_field::write_special(char* out, bool is_nan, bool negative) const noexcept {
  const char sign = sign_of(negative);
  int width = width_;
  if (width == 0 || no_blanks_) width = is_nan || sign == '\0' ? 3 : 4;
  if (width < 3 || (!is_nan && negative && width == 3)) return fill(out, '*', width);
  char* const end = out + width;
  fill(out, ' ', width);
  if (is_nan) {
    std::memcpy(end - 3, "NaN", 3);
    return end;
  }
  const int length = width > (sign == '\0' ? 7 : 8) ? 8 : 3;
  std::memcpy(end - length, "Infinity", static_cast<std::size_t>(length));
  if (sign != '\0' && width > length) *(end - length - 1) = sign;
  return end;
}

}  // namespace headrace
