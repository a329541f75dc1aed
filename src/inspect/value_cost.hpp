// How many bits it takes to tell a value when its type is known: what is usual for the type costs
// little (exponents near 0, small integers, zeros, letters), what is unusual much. The type that
// makes bytes cheapest is the most probable one.
//
// A value falls into a class (exponent and sign, bit length and sign, kind of letter); the class
// costs what its frequency says, the rest of its bits one each. Numbers may also be told by their
// difference from the value before, and letters by its kind: whichever way is cheaper.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace headrace {

enum class value_kind { integer, real, character };

struct value_model {
  value_kind kind = value_kind::integer;
  int bytes = 4;
};

// Up to 16 bytes of a value, the least significant first.
struct value_bits {
  std::uint64_t low = 0, high = 0;
};

// The class of a value and the bits that remain.
struct classified {
  int cls = 0;
  int detail = 0;  // reals: bits of the mantissa without zeros behind them
  double rest = 0;
  bool zero = false, not_a_number = false, infinite = false;
};

classified classify(const value_bits& bits, const value_model& model) noexcept;

// Bits that a class costs before any value is known.
double prior_bits(const value_model& model, int cls) noexcept;
double prior_detail_bits(const value_model& model, int detail) noexcept;
int classes_of(const value_model& model) noexcept;

// Bits of a value alone, without any before.
double lone_cost(const value_bits& bits, const value_model& model) noexcept;
// Bits of a value behind another one of its type.
double next_cost(const value_bits& bits, const value_bits& before,
                 const value_model& model) noexcept;

// How a number differs from the one before it: bits of the difference and its sign. Reals are
// counted as their neighbours are, so that 1 is the next larger one.
struct difference {
  int cls = 0;  // twice the bits, and 1 if it is negative
  double rest = 0;
};
difference difference_of(const value_bits& bits, const value_bits& before,
                         const value_model& model) noexcept;
double prior_difference_bits(const value_model& model, int cls) noexcept;

// Bits of a value for being such as hardly a program has.
double strange_bits(const classified& value, const value_model& model) noexcept;
// Bits of a real as a decimal number of few digits; many when it is none.
double decimal_bits(const value_bits& bits, const value_model& model) noexcept;

// Bits of a value that may be told in two ways.
double either(double a, double b) noexcept;

// Bits of values that follow each other: classes that have occurred become cheap. Reals whose
// magnitudes jump cost more: the two halves of a real64 do when they are taken for real32.
class adaptive_cost {
 public:
  explicit adaptive_cost(const value_model& model);
  void add(const classified& value, const value_bits& bits);
  double bits() const noexcept { return bits_; }

 private:
  double jump(const classified& value);
  double alone(const classified& value);
  double behind(const value_bits& bits);
  double letter(const classified& value);
  float& seen_of(int cls);

  value_model model_;
  int last_exponent_ = -1;
  int last_class_ = -1;
  value_bits last_;
  std::vector<float> seen_;
  std::array<float, 132> differences_{};
  std::array<std::array<float, 8>, 8> letters_{};
  std::array<float, 130> details_{};
  double values_ = 0, detailed_ = 0;
  double followed_ = 0;  // values that their differences tell best
  double bits_ = 0;
};

// The value as a number; 0 for characters.
double number_of(const value_bits& bits, const value_model& model) noexcept;

}  // namespace headrace
