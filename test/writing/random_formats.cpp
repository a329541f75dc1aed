// Formats made at random.
#include "random_formats.hpp"

#include <array>

namespace headrace::test {

namespace {

// gfortran 12 crashes on some formats of more than 64 edit descriptors.
constexpr std::size_t longest_format = 150;

}  // namespace

std::string format_maker::make(type_class type) {
  type_ = type;
  has_moved_ = false;
  std::string format = "(" + list(0) + ")";
  if (format.size() > longest_format) return make(type);
  if (below(4) != 0) return format;
  for (char& c : format)  // literals change with it, in both
    if (c >= 'a' && c <= 'z' && below(2) == 0) c = static_cast<char>(c - 'a' + 'A');
  return format;
}

std::string format_maker::list(int depth) {
  std::string text;
  const int n = 1 + below(depth == 0 ? 6 : 4);
  for (int i = 0; i < n; ++i) {
    const std::string next = item(depth);
    // Literals and signs are lost behind A without a comma, digits are taken for more of a width.
    const bool needs_comma = next[0] < 'a' || next[0] > 'z';
    if (i > 0) text += !needs_comma && below(comma_missing_) == 0 ? " " : ",";
    text += next;
  }
  return text;
}

std::string format_maker::item(int depth) {
  const int choice = below(20);
  if (choice < 10) return data();
  if (choice < 15) return control();
  if (choice < 17 || depth > 2) return literal();
  has_moved_ = true;  // the end of a group comes before its beginning
  // Without a data edit descriptor in *( ) gfortran may write for ever; with some within other
  // groups it crashes.
  std::string group = depth == 0 && below(8) == 0 ? "*(" + data() + "," + list(depth + 1) + ")"
                                                  : count() + "(" + list(depth + 1) + ")";
  has_moved_ = true;
  return group;
}

std::string format_maker::count() {
  return below(2) == 0 ? "" : std::to_string(1 + below(4));
}

std::string format_maker::blanks() {
  return below(10) == 0 ? " " : "";
}

std::string format_maker::literal() {
  has_moved_ = false;
  static constexpr std::array<const char*, 8> literals{"'a,b'", "\"x\"", "'it''s'", "3h a(",
                                                       "\"'\"", "'('",   "';'",     "1h,"};
  return literals[random_() % literals.size()];
}

std::string format_maker::real_data() {
  static constexpr std::array<const char*, 6> names{"f", "e", "d", "es", "en", "g"};
  const std::string name = names[random_() % names.size()];
  const int digits = below(20);
  int width = below(3) == 0 ? below(40) : digits + 4 + below(10);
  // In a mode of rounding, gfortran's buffer of narrow fields cuts exponents of three digits.
  if (width > 0 && width < 6) width += 6;
  std::string text =
      name + blanks() + std::to_string(width) + blanks() + "." + std::to_string(digits);
  if (name != "f" && name != "d" && below(3) == 0) text += "e" + number(5);
  return text;
}

std::string format_maker::data() {
  has_moved_ = false;
  const int other = below(40);
  const int choice = other == 0 ? below(5) : static_cast<int>(type_) - 1;
  if (other == 1) return count() + "z" + blanks() + number(70);
  if (other == 2) return count() + "b" + number(70) + ".0";
  if (other == 3) return count() + "o" + number(30);
  if (other == 4) return count() + "g0";
  if (other == 5) return count() + "g0." + number(20);
  if (other == 6) return count() + "g" + std::to_string(1 + below(30)) + "." + number(20);
  if (other == 7) return count() + "a" + (below(2) == 0 ? "" : std::to_string(1 + below(12)));
  switch (choice) {
    case 0: {
      const int width = below(24);
      const std::string minimum = below(3) == 0 ? "." + number(width == 0 ? 12 : width + 1) : "";
      return count() + "i" + blanks() + std::to_string(width) + minimum;
    }
    case 3:
      return count() + "l" + (below(3) == 0 ? "" : number(12));
    case 4:
      return count() + "a" + (below(3) == 0 ? "" : std::to_string(1 + below(20)));
    default:
      return count() + real_data();
  }
}

std::string format_maker::control() {
  static constexpr std::array<const char*, 14> modes{"s",  "sp", "ss", "bn", "bz", "dc", "dp",
                                                     "ru", "rd", "rz", "rn", "rc", "rp", ":"};
  switch (below(8)) {
    case 0:
    case 1:
      has_moved_ = true;
      return (below(3) == 0 ? "" : std::to_string(1 + below(9))) + "x";
    case 2:
      return count() + "/";
    case 3:
      return number(4) + "p";  // below zero: see edit_fields_test.cpp
    case 4: {
      if (has_moved_) return "tr" + std::to_string(1 + below(9));
      has_moved_ = true;
      const std::string name = below(2) == 0 ? "t" : "tl";
      return name + std::to_string(1 + below(30));
    }
    default:
      return modes[random_() % modes.size()];
  }
}

}  // namespace headrace::test
