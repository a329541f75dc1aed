#include "value_cost.hpp"

#include <algorithm>
#include <cstring>

namespace headrace {
namespace {

constexpr double prior_weight = 4;  // values that the prior counts for

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
constexpr double letters_of[8] = {1, 26, 26, 10, 32, 2, 1, 158};

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

double integer_prior(int cls) noexcept {
  return 2.5 + (cls % 2 == 0 ? 0.3 : 2.3) + (cls / 2) / 6.0;
}

constexpr double character_prior[8] = {2.2, 0.9, 3, 3.3, 4, 8, 8, 11};

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
  return model.kind == value_kind::integer ? integer_prior(cls) : real_prior(model.bytes, cls);
}

// Half of all mantissas end within their last 8 bits.
double prior_detail_bits(const value_model& model, int detail) noexcept {
  if (model.kind != value_kind::real) return 0;
  const int mantissa = form_of(model.bytes).mantissa;
  if (mantissa - detail < 8) return 1 + 1.0 + 0.6 * (mantissa - detail);
  return 1 + 2.0 + std::min(detail, mantissa - detail) / 8.0;
}

double lone_cost(const value_bits& bits, const value_model& model) noexcept {
  const classified value = classify(bits, model);
  const double detail =
      model.kind == value_kind::real && value.cls != 0 ? prior_detail_bits(model, value.detail) : 0;
  return prior_bits(model, value.cls) + detail + value.rest;
}

adaptive_cost::adaptive_cost(const value_model& model)
    : model_(model), seen_(static_cast<std::size_t>(classes_of(model))) {}

// Bits of a real's exponent, told from that of the real before it; the prior tells the first.
double adaptive_cost::jump(const classified& value) {
  const int exponent = (value.cls - 1) / 2;
  const int before = last_exponent_;
  last_exponent_ = exponent;
  if (before < 0) return prior_bits(model_, value.cls);
  return 2.5 + std::min(std::abs(exponent - before) / 2.5, 10.0);
}

void adaptive_cost::add(const classified& value) {
  const auto cls = static_cast<std::size_t>(value.cls);
  const double share = (seen_[cls] + prior_weight * std::exp2(-prior_bits(model_, value.cls))) /
                       (values_ + prior_weight);
  const bool finite =
      model_.kind == value_kind::real && value.cls != 0 && !value.not_a_number && !value.infinite;
  bits_ += value.rest;
  bits_ += finite ? (jump(value) - std::log2(share)) / 2 : -std::log2(share);
  seen_[cls] += 1;
  values_ += 1;
  if (model_.kind != value_kind::real || value.cls == 0) return;
  const auto detail = static_cast<std::size_t>(value.detail);
  bits_ -= std::log2(
      (details_[detail] + prior_weight * std::exp2(-prior_detail_bits(model_, value.detail))) /
      (detailed_ + prior_weight));
  details_[detail] += 1;
  detailed_ += 1;
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
