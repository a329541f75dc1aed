// One real through Fw.d, Ew.d, Dw.d, ESw.d, ENw.d or Gw.d. Next: edit_write_digits.hpp finds the
// digits.
#pragma once

#include <cstddef>
#include <vector>

#include "edit_dialect.hpp"
#include "edit_format.hpp"
#include "edit_write_digits.hpp"
#include "edit_write_modes.hpp"

namespace headrace {

// A data edit descriptor of reals together with the modes it meets, ready for many values.
class real_field {
 public:
  real_field() = default;
  // elem_len is 4 or 8: the bytes of one real.
  real_field(const edit_item& item, const edit_modes& modes, std::size_t elem_len,
             const edit_dialect& dialect = {});

  // The forms of list-directed output: a real, and a part of a complex.
  static real_field list_directed(const edit_modes& modes, std::size_t elem_len);
  static real_field list_directed_part(const edit_modes& modes, std::size_t elem_len);

  // Room that one value may need, with what it may write beyond its end.
  std::size_t most_bytes() const noexcept;

  // Writes one value; returns the end. Null when gfortran refuses the descriptor for this value:
  // trouble() says why.
  char* write(char* out, double value) const noexcept;
  const char* trouble() const noexcept;

 private:
  struct parts;

  void prepare_general(std::size_t elem_len);
  template <class Real>
  void fill_limits();

  char* write_fixed(char* out, double magnitude, parts& field) const noexcept;
  char* write_exponent(char* out, double magnitude, parts& field) const noexcept;
  char* write_scientific(char* out, double magnitude, parts& field) const noexcept;
  char* write_general(char* out, double magnitude, parts& field) const noexcept;
  char* write_special(char* out, bool is_nan, bool negative) const noexcept;
  char* put(char* out, const decimal_digits& digits, parts& field) const noexcept;

  bool prefers_exponent(double magnitude, bool negative) const noexcept;
  int digits_before_point(double magnitude) const noexcept;
  void set_exponent(int exponent, char letter, parts& field) const noexcept;
  bool refuses_exponent_form(int digits) const noexcept;
  bool overflows_buffer(int digits_before) const noexcept;
  static char* put_stars(char* out, int width) noexcept;
  int guard() const noexcept { return is_single_ ? 12 : 20; }
  char sign_of(bool negative) const noexcept;
  digit_rounding rounding_of(const parts& field) const noexcept;

  edit_kind kind_ = edit_kind::general;
  int width_ = 0;
  int digits_ = 0;
  int exponent_digits_ = absent;
  edit_modes modes_;
  bool is_single_ = false;
  bool no_blanks_ = false;  // w = 0 of all but F: as wide as need be
  bool drops_zero_exponent_ = false;
  int scale_compensation_ = 0;  // fewer digits in the exponent form of G0

  // Of G: r, the part of a last place from which rounding goes up, and what follows from it, for
  // numbers above zero and below: 1 - r / 10^d, and where the exponent form begins. The powers are
  // 10^(k-1) in the arithmetic of the value's kind: they decide how many digits stand before the
  // point.
  double round_share_[2] = {};
  double round_down_[2] = {};
  double round_limit_[2] = {};
  double highest_ = 0;
  std::vector<double> power_;
};

}  // namespace headrace
