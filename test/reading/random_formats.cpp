// Formats and texts for formatted reading, at random.
#include "random_texts.hpp"

namespace headrace {

std::string random_texts::radix_digits() {
  std::string result = one_in(12) ? sign() : "";
  const std::string_view alphabet = one_in(2) ? "01" : one_in(2) ? "01234567" : "0123456789abcDEF";
  for (std::size_t n = 1 + below(width_ + 2); n > 0; --n) result += any_of(alphabet);
  return result;
}

// One field, most of them width_ wide.
std::string random_texts::field(const read_case& one) {
  std::string text;
  if (one_in(10))
    text = radix_digits();
  else if (one.kind <= read_kind::integer8)
    text = integer();
  else if (one.kind <= read_kind::complex8)
    text = real(one.decimal_comma ? ',' : '.');
  else if (one.kind <= read_kind::logical8)
    text = logical();
  else
    text = characters();
  for (char& c : text)
    if (c == '\n' || c == '\r') c = '_';
  if (one_in(12)) text.insert(below(text.size() + 1), 1 + below(2), ' ');
  if (one_in(20)) return text + ",";
  if (text.size() > width_ && !one_in(8)) text.resize(width_);
  while (text.size() < width_) {
    const bool left = one_in(4);
    text.insert(left ? text.size() : 0, 1 + below(width_ - text.size()), ' ');
  }
  return text;
}

std::string random_texts::line(const read_case& one, bool plain) {
  std::string result;
  for (std::size_t n = plain ? 30 : below(7); n > 0; --n) result += field(one);
  static const char alphabet[] = "0123456789+-.eEdDqQ**,,;/ \t\r()'\"nNaAiIfFtTy!&x_=:#\x1a";
  if (one_in(4)) mutate(result, alphabet);
  if (plain) {
    for (char& c : result)
      if (c == ',' || c == '\r' || c == '\n') c = ' ';
    result.resize(200, ' ');
  }
  return result + (one_in(12) ? "\r\n" : "\n");
}

std::string random_texts::data_descriptor(const read_case& one) {
  const std::string repeat = one_in(3) ? std::to_string(1 + below(4)) : "";
  const std::string width = std::to_string(one_in(6) ? 1 + below(20) : width_);
  const std::string digits = "." + std::to_string(below(4));
  const bool is_integer = one.kind <= read_kind::integer8;
  const bool is_real = !is_integer && one.kind <= read_kind::complex8;
  const bool is_logical = !is_integer && !is_real && one.kind <= read_kind::logical8;
  const std::size_t way = below(40);
  if (way == 0) return repeat + "a" + width;
  if (way == 1) return repeat + "a";
  if (way == 2) return repeat + "i" + width;
  if (way == 3) return repeat + "f" + width + digits;
  if (way < 8 && one.kind != read_kind::character)
    return repeat + any_of("zobZ") + width + (one_in(4) ? digits : "");
  if (way < 12) return repeat + "g" + width + digits + (one_in(5) ? "e3" : "");
  if (is_integer) return repeat + "i" + width + (one_in(5) ? digits : "");
  if (is_logical) return repeat + "l" + width;
  if (!is_real) return repeat + "a" + (one_in(3) ? "" : width);
  static const char* const kinds[] = {"f", "f", "f", "e", "es", "en", "d"};
  const std::string kind = kinds[below(7)];
  const bool exponent = kind[0] == 'e' && one_in(4);
  return repeat + kind + width + digits + (exponent ? "e2" : "");
}

std::string random_texts::control_descriptor(const read_case& one, bool tabs) {
  const std::string number = std::to_string(1 + below(12));
  if (tabs && one_in(2)) return (one_in(2) ? "t" : "tl") + number;
  switch (below(12)) {
    case 0:
    case 1:
      return number + "x";
    case 2:
      return "tr" + number;
    case 3:
      return one_in(4) ? "2/" : "/";
    case 4:
      return ":";
    case 5:
      return "bn";
    case 6:
      return "bz";
    case 7:
      return one.decimal_comma ? "dc" : "dp";
    case 8:
      return std::to_string(static_cast<int>(below(7)) - 3) + "p";
    case 9:
      return one_in(30) ? "'ab'" : "sp";
    case 10:
      return one_in(2) ? "ru" : "rd";
    default:
      return one_in(2) ? "rz" : "rn";
  }
}

std::string random_texts::format_list(const read_case& one, bool tabs, int depth) {
  std::string result;
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    if (!result.empty()) result += ",";
    if (one_in(4)) result += control_descriptor(one, tabs) + ",";
    if (depth < 2 && one_in(6))
      result += (one_in(2) ? std::to_string(1 + below(3)) : "") + "(" +
                format_list(one, tabs, depth + 1) + ")";
    else
      result += data_descriptor(one);
  }
  if (one_in(10)) result += "," + control_descriptor(one, tabs);
  return result;
}

read_case random_texts::formatted() {
  read_case one;
  one.kind = static_cast<read_kind>(1 + below(13));
  if (one_in(2)) one.kind = one_in(4) ? read_kind::real4 : read_kind::real8;
  one.n = static_cast<int>(1 + below(8));
  one.length = static_cast<int>(1 + below(9));
  width_ = 1 + below(one_in(3) ? 24 : 10);
  const bool tabs = one_in(6);
  one.format =
      one_in(12) ? "(*(" + format_list(one, tabs, 1) + "))" : "(" + format_list(one, tabs, 0) + ")";
  if (one.format.find("dc") != std::string::npos) one.decimal_comma = true;
  for (std::size_t n = below(10); n > 0; --n) one.text += line(one, tabs);
  one.decimal_comma = false;
  return one;
}

}  // namespace headrace
