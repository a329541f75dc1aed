// Decimal digits of a real as an edit descriptor wants them: so many significant ones, or down to a
// place after the decimal point, rounded exactly. Used by edit_write_real.cpp.
#pragma once

#include <cstddef>

namespace headrace {

// 0.DDD... * 10^exponent: count digits at first, then zeros without end (zero_run of them stored).
// No digits: the number was rounded to zero.
struct decimal_digits {
  // A real64 has at most 767 significant digits.
  static constexpr int most = 780;
  static constexpr int zero_run = 32;

  const char* first = text;
  int count = 0;
  int exponent = 0;
  bool truncated = false;  // no digit is left, but others than zero were dropped without rounding
  char text[most + zero_run + 12];

  decimal_digits() noexcept {}  // the text stays unset

  void clear() noexcept;                // no digits
  void set_one(int exponent) noexcept;  // 0.1 * 10^exponent

  // Copies n digits from the given one on; returns the end. May write zero_run bytes.
  char* copy(char* out, int from, int n) const noexcept;
};

// How the last digit is rounded. The processor's own mode ('s') is to nearest, ties to even.
struct digit_rounding {
  char mode = 's';        // 's' or 'p', 'n', 'c', 'u', 'd', 'z': see edit_kind::rounding
  bool negative = false;  // the number's sign: up and down depend on it
  // For the modes that are set, gfortran converts to so many digits more than it needs, to nearest,
  // and rounds those: 20 for real64, 12 for real32.
  int guard = 20;
};

// All take a finite magnitude greater than zero.
void significant_digits(double magnitude, int n, digit_rounding rounding,
                        decimal_digits& digits) noexcept;

// place 2 rounds to hundredths, -1 to tens.
void digits_to_place(double magnitude, int place, digit_rounding rounding,
                     decimal_digits& digits) noexcept;

// floor(log10(magnitude))
int decimal_exponent(double magnitude) noexcept;

}  // namespace headrace
