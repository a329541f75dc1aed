#include "npy_descr.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "../core/byte_swap.hpp"
#include "../core/status.hpp"
#include "npy_header.hpp"

namespace headrace {
namespace {

status no_such_type(const std::string& descr, const std::string& what, const std::string& advice) {
  return status::failure(stat_code::kind_unsupported, "the elements \"" + descr + "\" are " + what +
                                                          ", which Fortran does not have")
      .advise(advice);
}

// Types of numpy's that no Fortran array can hold, and what to do in Python.
status refuse(char kind, std::size_t bytes, const std::string& descr) {
  switch (kind) {
    case 'u':
      return no_such_type(descr, "unsigned integers",
                          "in Python save x.astype('i8'), or x.view('i" + std::to_string(bytes) +
                              "') to keep the bits");
    case 'U':
      return no_such_type(descr, "text in characters of 4 bytes",
                          "in Python save np.char.encode(x, 'utf-8'), which is of type S");
    case 'O':
      return no_such_type(descr, "Python objects",
                          "in Python save numbers, for example x.astype('f8')");
    case 'M':
    case 'm':
      return no_such_type(descr, "dates or time spans", "in Python save x.view('i8')");
    case 'V':
      return no_such_type(descr, "bytes without a type", "in Python save x.view('i1')");
    case 'f':
    case 'c':
      if (bytes == 2)
        return no_such_type(descr, "reals of 2 bytes", "in Python save x.astype('f4')");
      if (bytes >= 12)
        return no_such_type(
            descr, "C's long double, whose bits depend on the machine",
            kind == 'f' ? "in Python save x.astype('f8')" : "in Python save x.astype('c16')");
      break;
    default:
      break;
  }
  return status::failure(stat_code::header_damaged,
                         "numpy has no elements of the type \"" + descr.substr(0, 40) + "\"")
      .advise("write the file again with numpy.save");
}

bool is_one_of(std::size_t bytes, std::initializer_list<std::size_t> known) {
  return std::find(known.begin(), known.end(), bytes) != known.end();
}

}  // namespace

status parse_npy_descr(const std::string& descr, array_info& info) {
  std::string_view left = descr;
  char order = '=';
  if (!left.empty() && std::string_view("<>=|").find(left[0]) != std::string_view::npos) {
    order = left[0];
    left.remove_prefix(1);
  }
  const char kind = left.empty() ? '\0' : left[0];
  if (!left.empty()) left.remove_prefix(1);
  std::size_t bytes = 0;
  const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), bytes);
  const bool plain = error == std::errc() && end == left.data() + left.size();
  if (!plain && std::string_view("OMmV").find(kind) == std::string_view::npos)
    return refuse('\0', 0, descr);
  info.order = order == '<'   ? byte_order::little
               : order == '>' ? byte_order::big
                              : byte_order::native;
  info.elem_len = bytes;
  info.any_logical_kind = true;
  if (kind == 'b' && bytes == 1)
    info.type = type_class::logical;
  else if (kind == 'i' && is_one_of(bytes, {1, 2, 4, 8}))
    info.type = type_class::integer;
  else if (kind == 'u' && is_one_of(bytes, {1, 2, 4, 8}))
    info.type = type_class::integer, info.is_unsigned = true;
  else if (kind == 'f' && is_one_of(bytes, {2, 4, 8}))
    info.type = type_class::real;
  else if (kind == 'c' && is_one_of(bytes, {8, 16}))
    info.type = type_class::complex;
  else if (kind == 'S' || kind == 'a')
    info.type = type_class::character;
  else
    return refuse(kind, bytes, descr);
  return {};
}

status check_fortran_has(const array_info& info) {
  const std::string length = std::to_string(info.elem_len);
  if (info.is_unsigned) return refuse('u', info.elem_len, "u" + length);
  if (info.type == type_class::real && info.elem_len == 2) return refuse('f', 2, "f2");
  return {};
}

status npy_descr(const array_view& array, byte_order order, std::string& descr) {
  const std::string length = std::to_string(array.elem_len);
  if (array.type == type_class::logical) {
    descr = "|b1";
    return {};
  }
  if (array.type == type_class::character) {
    descr = "|S" + length;
    return {};
  }
  if (word_bytes(array) > 8)
    return status::failure(
               stat_code::kind_unsupported,
               "numpy has no type for reals of 16 bytes: its long double is a different type")
        .advise(
            "write a copy of kind real64, or a raw or unformatted file, which only the serial "
            "library has");
  const bool swapped = is_swapped(order);
  const bool little = is_swapped(byte_order::big);
  descr = word_bytes(array) == 1 ? '|' : little != swapped ? '<' : '>';
  descr += array.is_unsigned                   ? 'u'
           : array.type == type_class::integer ? 'i'
           : array.type == type_class::real    ? 'f'
                                               : 'c';
  descr += length;
  return {};
}

}  // namespace headrace
