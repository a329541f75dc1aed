// Texts for list-directed reading, at random.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "random_texts.hpp"

namespace headrace {

std::string random_texts::digits(std::size_t most) {
  std::string result;
  for (std::size_t n = below(most + 1); n > 0; --n)
    result += one_in(4) ? any_of("059") : static_cast<char>('0' + below(10));
  return result;
}

std::string random_texts::sign() {
  return one_in(2) ? "" : one_in(2) ? "-" : "+";
}

std::string random_texts::integer() {
  static const char* const edges[] = {"127",
                                      "128",
                                      "32767",
                                      "32768",
                                      "2147483647",
                                      "2147483648",
                                      "-128",
                                      "-129",
                                      "-32769",
                                      "-2147483649",
                                      "9223372036854775807",
                                      "-9223372036854775809",
                                      "0",
                                      "-0",
                                      "+00000000000000000000000001"};
  if (one_in(6)) return edges[below(sizeof edges / sizeof *edges)];
  return sign() + digits(one_in(10) ? 25 : 4);
}

std::string random_texts::real(char point) {
  static const char* const special[] = {"inf",
                                        "Infinity",
                                        "NaN",
                                        "nan()",
                                        "nan(1a)",
                                        "-inf",
                                        "+NAN",
                                        "infin",
                                        "1e400",
                                        "-1e-400",
                                        ".",
                                        "+.",
                                        "1e",
                                        "1e+",
                                        "1d5x",
                                        "e5",
                                        ".e5",
                                        "0x10",
                                        "1_8",
                                        "1.2.3",
                                        "1e5.5",
                                        "--1",
                                        "1-+2",
                                        "4.9e-324",
                                        "1.7976931348623159e308",
                                        "3.4028236e38",
                                        "1e-46",
                                        "7.0064923216240854e-46",
                                        "nan(",
                                        "nan)",
                                        "inf(1)",
                                        "nan(a)b",
                                        "INFINITYx",
                                        "1+",
                                        "2-",
                                        "5e00000000000000000003"};
  if (one_in(6)) return special[below(sizeof special / sizeof *special)];
  if (one_in(8)) {
    const std::uint64_t bits = random_();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(below(20)), value);
    for (char& c : text)
      if (c == '.') c = point;
    return text;
  }
  std::string result = sign() + digits(one_in(8) ? 30 : 4);
  if (!one_in(3)) result += point + digits(one_in(8) ? 400 : 4);
  if (one_in(3)) result += std::string(1, any_of("eEdDqQ")) + sign() + digits(3);
  if (one_in(12)) result += any_of("+-") + digits(3);
  return result;
}

std::string random_texts::logical() {
  static const char* const forms[] = {
      "T",    "F",  "t", "f",  ".true.", ".FALSE.", "true", "false", ".T",  ".f.", "Tx",
      "Fabc", "T1", ".", ".x", "yes",    "1",       "T=3",  "F(",    "t*2", "T'",  "..T"};
  return forms[below(sizeof forms / sizeof *forms)];
}

std::string random_texts::characters() {
  static const char* const pieces[] = {
      "a", "bc", "'",   "''", "\"", "\"\"", "def ghi", "12", "3*", ",",
      "/", ";",  "x.5", "\n", " ",  "\r\n", "!c",      "(",  "\t", "longer than that"};
  std::string inside;
  for (std::size_t n = below(4); n > 0; --n)
    inside += pieces[below(sizeof pieces / sizeof *pieces)];
  if (one_in(2)) return inside;
  const char quote = any_of("'\"");
  return quote + inside + quote;
}

std::string random_texts::complex(const read_case& one) {
  const char point = one.decimal_comma ? ',' : '.';
  const auto blanks = [&] { return one_in(6) ? std::string(1, any_of(" \t\n")) : std::string(); };
  std::string middle(1, one.decimal_comma ? ';' : ',');
  if (one_in(15)) middle = any_of(" ;,/");
  return "(" + blanks() + real(point) + blanks() + middle + blanks() + real(point) + blanks() + ")";
}

std::string random_texts::list_value(const read_case& one) {
  std::string repeat;
  if (one_in(8)) repeat = digits(2) + "*";
  if (one_in(100)) repeat = digits(12) + "*";
  if (one_in(16)) return repeat;
  switch (one.kind) {
    case read_kind::real4:
    case read_kind::real8:
      return repeat + real(one.decimal_comma ? ',' : '.');
    case read_kind::complex4:
    case read_kind::complex8:
      return repeat + complex(one);
    case read_kind::character:
      return repeat + characters();
    default:
      return repeat + (one.kind < read_kind::real4 ? integer() : logical());
  }
}

std::string random_texts::list_separator(const read_case& one) {
  static const char* const common[] = {" ", ",", "\n", "  ", ", ", "\t", ";", "\r\n", ",\n", " ,"};
  static const char* const rare[] = {"/",   "\n\n", "\n,",  ",,",  ";;",
                                     " / ", "\r",   " \n ", "\n;", ""};
  std::string result = one_in(6) ? rare[below(10)] : common[below(10)];
  if (one.decimal_comma)
    for (char& c : result)
      if (c == ',') c = ';';
  return result;
}

void random_texts::mutate(std::string& text, std::string_view alphabet) {
  for (std::size_t n = 1 + below(3); n > 0; --n) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t way = below(3);
    if (way == 0 || at == text.size())
      text.insert(at, 1, any_of(alphabet));
    else if (way == 1)
      text.erase(at, 1);
    else
      text[at] = any_of(alphabet);
  }
}

read_case random_texts::list_directed() {
  read_case one;
  one.kind = static_cast<read_kind>(1 + below(13));
  if (one_in(2)) one.kind = one_in(4) ? read_kind::real4 : read_kind::real8;
  one.n = static_cast<int>(1 + below(6));
  one.length = static_cast<int>(1 + below(9));
  one.decimal_comma = one_in(8);
  if (one_in(4)) one.text = list_separator(one);
  const std::size_t values = below(static_cast<std::size_t>(one.n) + 3);
  for (std::size_t i = 0; i < values; ++i) one.text += list_value(one) + list_separator(one);
  static const char alphabet[] = "0123456789+-.eEdDqQ**,,;;// \t\n\n\r()''\"nNaAiIfFtTy!&x_=:#\x1a";
  if (one_in(3))
    mutate(one.text, one.decimal_comma ? std::string_view(alphabet).substr(22) : alphabet);
  return one;
}

}  // namespace headrace
