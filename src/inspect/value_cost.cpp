#include "value_cost.hpp"

#include <algorithm>
#include <cstring>

namespace headrace {
namespace {

constexpr double prior_weight = 4;       // values that the prior counts for
constexpr double difference_weight = 4;  // the same, for differences

struct real_form {
  int mantissa, exponent;  // bits
};

real_form form_of(int bytes) noexcept {
  return bytes == 4 ? real_form{23, 8} : bytes == 8 ? real_form{52, 11} : real_form{112, 15};
}

int trailing_zeros(const value_bits& bits) noexcept {
  if (bits.low != 0) return __builtin_ctzll(bits.low);
  return bits.high != 0 ? 64 + __builtin_ctzll(bits.high) : 128;
}

int bit_length(std::uint64_t value) noexcept {
  return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

std::uint64_t top_of(const value_bits& bits, int bytes) noexcept {
  return bytes == 16 ? bits.high : bits.low;
}

int biased_exponent(const value_bits& bits, int bytes, const real_form& form) noexcept {
  const int shift = (bytes == 16 ? 64 : 8 * bytes) - 1 - form.exponent;
  return static_cast<int>(top_of(bits, bytes) >> shift) & ((1 << form.exponent) - 1);
}

bool negative(const value_bits& bits, int bytes) noexcept {
  return ((top_of(bits, bytes) >> ((bytes == 16 ? 64 : 8 * bytes) - 1)) & 1) != 0;
}

value_bits mantissa_of(value_bits bits, const real_form& form) noexcept {
  if (form.mantissa > 64)
    bits.high &= (std::uint64_t{1} << (form.mantissa - 64)) - 1;
  else
    bits.low &= (std::uint64_t{1} << form.mantissa) - 1;
  if (form.mantissa <= 64) bits.high = 0;
  return bits;
}

// Classes: 0 zero, then exponent and sign.
classified classify_real(const value_bits& bits, int bytes) noexcept {
  const real_form form = form_of(bytes);
  const int exponent = biased_exponent(bits, bytes, form);
  const value_bits mantissa = mantissa_of(bits, form);
  const int zeros = std::min(trailing_zeros(mantissa), form.mantissa);
  classified result;
  const bool special = exponent == (1 << form.exponent) - 1;
  result.zero = exponent == 0 && zeros == form.mantissa;
  result.infinite = special && zeros == form.mantissa;
  result.not_a_number = special && !result.infinite;
  if (result.zero && !negative(bits, bytes)) return result;
  result.cls = 1 + 2 * exponent + (negative(bits, bytes) ? 1 : 0);
  result.detail = form.mantissa - zeros;
  result.rest = std::max(0, result.detail - 1);
  return result;
}

// Classes: bit length of the magnitude and sign.
classified classify_integer(const value_bits& bits, int bytes) noexcept {
  std::uint64_t value = bits.low;
  const bool minus = negative(bits, bytes);
  if (minus)
    value = ~value & (bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1);
  classified result;
  const int length = bit_length(value);
  result.zero = bits.low == 0;
  result.cls = 2 * length + (minus ? 1 : 0);
  result.rest = std::max(0, length - 1);
  return result;
}

// Classes: blank, small letter, capital, digit, punctuation, line feed or tab, NUL, others.
// English letters are as rare as 18 equal ones.
constexpr double letters_of[8] = {1, 18, 18, 10, 32, 2, 1, 158};

classified classify_character(const value_bits& bits) noexcept {
  const auto c = static_cast<unsigned char>(bits.low);
  classified result;
  result.zero = c == 0;
  result.cls = c == ' '                 ? 0
               : c >= 'a' && c <= 'z'   ? 1
               : c >= 'A' && c <= 'Z'   ? 2
               : c >= '0' && c <= '9'   ? 3
               : c > ' ' && c < 127     ? 4
               : c == '\n' || c == '\t' ? 5
               : c == 0                 ? 6
                                        : 7;
  result.rest = std::log2(letters_of[result.cls]);
  return result;
}

double real_prior(int bytes, int cls) noexcept {
  if (cls == 0) return 3.5;
  const int all = (1 << form_of(bytes).exponent) - 1;
  const int exponent = (cls - 1) / 2;
  const double sign = (cls - 1) % 2 == 0 ? 0.7 : 1.4;
  if (exponent == all) return 8 + sign;
  if (exponent == 0) return 22 + sign;  // denormal, or a negative zero
  const double distance = std::abs(exponent - all / 2);
  return 4.5 + sign + std::min(distance / 8, 12 + distance / 100);
}

// Numbers that hardly count or name anything are rare: reals look like such.
double integer_prior(int bytes, int cls) noexcept {
  const int usual = bytes == 8 ? 36 : bytes == 4 ? 26 : 16;
  return 2.5 + (cls % 2 == 0 ? 0.3 : 2.3) + (cls / 2) / 6.0 + std::max(0, cls / 2 - usual) * 2.0;
}

constexpr double character_prior[8] = {2.2, 0.9, 3, 3.3, 4, 8, 8, 11};

// Words go on in letters of the same case, blanks in blanks.
double letter_prior(int before, int cls) noexcept {
  if (before < 0) return character_prior[cls];
  const double same = before <= 3 || before == 6 ? 0.7 : 0.2;
  return -std::log2((before == cls ? same : 0) + (1 - same) * std::exp2(-character_prior[cls]));
}

constexpr int most_difference = 131;

// The bits of a number so that larger numbers have larger bits; of reals the sign is turned into
// an order.
std::uint64_t ordered(const value_bits& bits, const value_model& model) noexcept {
  const int width = 8 * model.bytes;
  if (model.bytes > 8) return bits.high;  // the upper half tells enough
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::uint64_t mask = sign | (sign - 1);
  if (model.kind != value_kind::real) return (bits.low ^ sign) & mask;
  return ((bits.low & sign) != 0 ? ~bits.low : bits.low | sign) & mask;
}

}  // namespace

int classes_of(const value_model& model) noexcept {
  if (model.kind == value_kind::character) return 8;
  if (model.kind == value_kind::integer) return 2 * 8 * model.bytes + 2;
  return 1 + (2 << form_of(model.bytes).exponent);
}

classified classify(const value_bits& bits, const value_model& model) noexcept {
  if (model.kind == value_kind::character) return classify_character(bits);
  return model.kind == value_kind::integer ? classify_integer(bits, model.bytes)
                                           : classify_real(bits, model.bytes);
}

double prior_bits(const value_model& model, int cls) noexcept {
  if (model.kind == value_kind::character) return character_prior[cls];
  return model.kind == value_kind::integer ? integer_prior(model.bytes, cls)
                                           : real_prior(model.bytes, cls);
}

// Half of all mantissas end within their last 8 bits.
double prior_detail_bits(const value_model& model, int detail) noexcept {
  if (model.kind != value_kind::real) return 0;
  const int mantissa = form_of(model.bytes).mantissa;
  if (mantissa - detail < 8) return 1 + 1.0 + 0.6 * (mantissa - detail);
  return 1 + 2.0 + std::min(detail, mantissa - detail) / 8.0;
}

double either(double a, double b) noexcept {
  const double least = std::min(a, b);
  if (std::abs(a - b) > 12) return least + 1;
  return 1 + least - std::log2(std::exp2(least - a) + std::exp2(least - b));
}

difference difference_of(const value_bits& bits, const value_bits& before,
                         const value_model& model) noexcept {
  const std::uint64_t a = ordered(before, model), b = ordered(bits, model);
  const std::uint64_t apart = b > a ? b - a : a - b;
  const int length = bit_length(apart);
  // Reals of few digits differ in the first bits only.
  if (model.kind == value_kind::real && model.bytes <= 8 && length > 8) {
    const int used = length - __builtin_ctzll(apart);
    return {2 * length + (b < a ? 1 : 0), static_cast<double>(std::min(length - 1, used + 4))};
  }
  return {2 * length + (b < a ? 1 : 0), std::max(0, length - 1) + (model.bytes > 8 ? 64.0 : 0.0)};
}

// Integers differ by little. The last bits of reals are as good as random: that neighbours differ
// in nothing but these is rare.
double prior_difference_bits(const value_model& model, int cls) noexcept {
  const int length = cls / 2;
  if (length == 0) return 2.5;
  if (model.kind == value_kind::integer) return 3.5 + length / 4.0;
  const int mantissa = model.bytes > 8 ? 48 : form_of(model.bytes).mantissa;
  return 3.5 + (length <= mantissa ? 0.4 * (mantissa - length) : 1.5 * (length - mantissa));
}

// Values that hardly any program has: reals far from 1, 64-bit integers of nearly all bits. They
// cost more each time, however often they occur.
double strange_bits(const classified& value, const value_model& model) noexcept {
  if (model.kind == value_kind::real && value.cls != 0 && !value.not_a_number && !value.infinite) {
    const int all = (1 << form_of(model.bytes).exponent) - 1;
    const int distance = std::abs((value.cls - 1) / 2 - all / 2);
    return model.bytes == 4 ? std::clamp((distance - 60) / 8.0, 0.0, 8.0)
                            : std::clamp((distance - 100) / 16.0, 0.0, 8.0);
  }
  if (model.kind == value_kind::integer && model.bytes == 8) return value.cls / 2 >= 56 ? 4 : 0;
  return 0;
}

// The bits of a real as the decimal number that somebody wrote: 9.81, -999, 1e20, 273.15. Many
// when it is none of few digits.
double decimal_bits(const value_bits& bits, const value_model& model) noexcept {
  constexpr double none = 1e9;
  if (model.kind != value_kind::real || model.bytes > 8) return none;
  const double value = number_of(bits, model);
  const double size = std::abs(value);
  if (!(size > 1e-7 && size < 1e37)) return none;
  const double most = model.bytes == 4 ? 1e5 : 1e9;
  double power = 1;
  int exponent = 0;
  while (size >= most * power) {  // 1e20: its zeros count no digit
    power *= 10;
    ++exponent;
  }
  if (exponent > 0) {
    const double digits = std::round(size / power);
    const double again = digits * power;
    const bool exact = model.bytes == 4 ? static_cast<float>(again) == static_cast<float>(size)
                                        : std::abs(again - size) <= 1e-15 * size;
    return exact ? 8 + exponent / 4.0 + 1.1 * std::log2(digits + 1) : none;
  }
  const double tolerance = model.bytes == 4 ? 1e-7 : 1e-15;
  if (model.bytes == 8 && std::abs(size * 1e6 - std::nearbyint(size * 1e6)) > 1e-14 * size * 1e6)
    return none;
  for (int places = 0; places <= 6; ++places, power *= 10) {
    const double digits = std::nearbyint(size * power);
    if (digits >= most) break;
    if (std::abs(size * power - digits) > tolerance * digits) continue;
    const double again = digits / power;
    const bool exact =
        model.bytes == 4 ? static_cast<float>(again) == static_cast<float>(size) : again == size;
    if (exact && digits > 0) return 4 + places + 1.1 * std::log2(digits + 1);
  }
  return none;
}

double next_cost(const value_bits& bits, const value_bits& before,
                 const value_model& model) noexcept {
  if (model.kind == value_kind::character) {
    const classified value = classify(bits, model);
    return letter_prior(classify(before, model).cls, value.cls) + value.rest;
  }
  const difference found = difference_of(bits, before, model);
  return either(lone_cost(bits, model), prior_difference_bits(model, found.cls) + found.rest +
                                            strange_bits(classify(bits, model), model));
}

double lone_cost(const value_bits& bits, const value_model& model) noexcept {
  const classified value = classify(bits, model);
  const double detail =
      model.kind == value_kind::real && value.cls != 0 ? prior_detail_bits(model, value.detail) : 0;
  const double cost =
      prior_bits(model, value.cls) + detail + value.rest + strange_bits(value, model);
  return model.kind == value_kind::real && value.cls != 0 ? either(cost, decimal_bits(bits, model))
                                                          : cost;
}

adaptive_cost::adaptive_cost(const value_model& model)
    : model_(model), seen_(static_cast<std::size_t>(classes_of(model)), -1) {}

// How often a class has occurred, with what the prior counts for.
float& adaptive_cost::seen_of(int cls) {
  float& seen = seen_[static_cast<std::size_t>(cls)];
  if (seen < 0) seen = static_cast<float>(prior_weight * std::exp2(-prior_bits(model_, cls)));
  return seen;
}

// Bits of a real's exponent, told from that of the real before it; the prior tells the first.
double adaptive_cost::jump(const classified& value) {
  const int exponent = (value.cls - 1) / 2;
  const int before = last_exponent_;
  last_exponent_ = exponent;
  if (before < 0) return prior_bits(model_, value.cls);
  return 2.5 + std::min(std::abs(exponent - before) / 2.5, 10.0);
}

// Bits of a number without those before; learns its class.
double adaptive_cost::alone(const classified& value) {
  float& seen = seen_of(value.cls);
  const double share = static_cast<double>(seen) / (values_ + prior_weight);
  const bool finite =
      model_.kind == value_kind::real && value.cls != 0 && !value.not_a_number && !value.infinite;
  double bits = value.rest;
  bits += finite ? (jump(value) - std::log2(share)) / 2 : -std::log2(share);
  seen += 1;
  if (model_.kind != value_kind::real || value.cls == 0) return bits;
  const auto detail = static_cast<std::size_t>(value.detail);
  bits -= std::log2(
      (details_[detail] + prior_weight * std::exp2(-prior_detail_bits(model_, value.detail))) /
      (detailed_ + prior_weight));
  details_[detail] += 1;
  detailed_ += 1;
  return bits;
}

// Bits of its difference from the one before; learns that.
double adaptive_cost::behind(const value_bits& bits) {
  const difference found = difference_of(bits, last_, model_);
  float& seen = differences_[static_cast<std::size_t>(std::min(found.cls, most_difference))];
  const double share = (static_cast<double>(seen) +
                        difference_weight * std::exp2(-prior_difference_bits(model_, found.cls))) /
                       (values_ - 1 + difference_weight);
  seen += 1;
  if (found.cls == 0) return -std::log2(share);
  // Half of it is not learned: differences of reals are of another size than those of integers.
  return found.rest + (prior_difference_bits(model_, found.cls) - std::log2(share)) / 2;
}

double adaptive_cost::letter(const classified& value) {
  if (last_class_ < 0) return character_prior[value.cls] + value.rest;
  std::array<float, 8>& after = letters_[static_cast<std::size_t>(last_class_)];
  double all = prior_weight;
  for (const float n : after) all += static_cast<double>(n);
  float& seen = after[static_cast<std::size_t>(value.cls)];
  const double share = (static_cast<double>(seen) +
                        prior_weight * std::exp2(-letter_prior(last_class_, value.cls))) /
                       all;
  seen += 1;
  return value.rest - std::log2(share);
}

void adaptive_cost::add(const classified& value, const value_bits& bits) {
  if (model_.kind == value_kind::character) {
    bits_ += letter(value);
  } else {
    double lone = alone(value);
    if (model_.kind == value_kind::real && value.cls != 0)
      lone = either(lone, decimal_bits(bits, model_));
    bits_ += strange_bits(value, model_);
    if (values_ == 0) {
      bits_ += lone;
    } else {
      // Which of both ways is the usual one is learned as well.
      const double difference = behind(bits);
      const double usual = (followed_ + 1) / (values_ + 1);
      bits_ += either(lone - std::log2(1 - usual), difference - std::log2(usual)) - 1;
      followed_ += difference < lone ? 1 : 0;
    }
  }
  last_class_ = value.cls;
  last_ = bits;
  values_ += 1;
}

double number_of(const value_bits& bits, const value_model& model) noexcept {
  if (model.kind == value_kind::character) return 0;
  if (model.kind == value_kind::integer) {
    const int shift = 64 - 8 * model.bytes;
    return static_cast<double>(static_cast<std::int64_t>(bits.low << shift) >> shift);
  }
  if (model.bytes == 4) {
    const auto word = static_cast<std::uint32_t>(bits.low);
    float value;
    std::memcpy(&value, &word, sizeof value);
    return static_cast<double>(value);
  }
  if (model.bytes == 8) {
    double value;
    std::memcpy(&value, &bits.low, sizeof value);
    return value;
  }
  const real_form form = form_of(16);
  const int exponent = biased_exponent(bits, 16, form);
  const value_bits mantissa = mantissa_of(bits, form);
  const double sign = negative(bits, 16) ? -1 : 1;
  const double part = std::ldexp(static_cast<double>(mantissa.high), -48) +
                      std::ldexp(static_cast<double>(mantissa.low), -112);
  if (exponent == 0x7FFF) return part == 0 ? sign * HUGE_VAL : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(part, -16382) : std::ldexp(1 + part, exponent - 16383));
}

}  // namespace headrace
