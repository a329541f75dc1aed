// Parses the Python dictionary in the header of an .npy file, and nothing else of Python.
#include <algorithm>
#include <charconv>

#include "npy_header.hpp"

namespace headrace {
namespace {

// Reads literals one after another; the first thing that is wrong stays in message.
class literal_reader {
 public:
  explicit literal_reader(std::string_view text) noexcept : text_(text) {}

  std::size_t position() const noexcept { return at_; }
  const std::string& message() const noexcept { return message_; }
  bool at_end() noexcept {
    skip_space();
    return at_ == text_.size();
  }
  char next() noexcept {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool fail(std::string message) {
    if (message_.empty()) message_ = std::move(message);
    return false;
  }
  bool take(char wanted) {
    if (next() != wanted || at_ == text_.size())
      return fail(std::string("there is no '") + wanted + "' where one must be");
    ++at_;
    return true;
  }
  bool take_if(char wanted) {
    if (next() != wanted || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  // 'text' or "text"; numpy's own need no escapes.
  bool string(std::string& value) {
    const char quote = next();
    if (quote != '\'' && quote != '"') return fail("a string is missing");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return fail("a string does not end");
    value = text_.substr(at_ + 1, end - at_ - 1);
    if (value.find_first_of("\\\n") != std::string::npos)
      return fail("a string has characters that a type name cannot have");
    at_ = end + 1;
    return true;
  }
  bool boolean(bool& value) {
    skip_space();
    const std::string_view left = text_.substr(at_);
    value = left.substr(0, 4) == "True";
    if (!value && left.substr(0, 5) != "False") return fail("fortran_order is not True or False");
    at_ += value ? 4 : 5;
    return true;
  }
  // A number from 0; Python 2 wrote 3L for 3.
  bool number(std::ptrdiff_t& value) {
    skip_space();
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) return fail("a dimension is beyond 64 bits");
    if (error != std::errc()) return fail("shape is not a tuple of whole numbers");
    if (value < 0) return fail("a dimension is negative");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return true;
  }
  std::string_view left() const noexcept { return text_.substr(at_); }

 private:
  void skip_space() noexcept {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string message_;
};

enum : unsigned { descr_key = 1, order_key = 2, shape_key = 4, all_keys = 7 };

struct dictionary {
  npy_header& header;
  unsigned seen = 0;
  int array_rank = 0;       // also beyond what Fortran has
  std::string descr_value;  // when it is no string
};

bool parse_shape(literal_reader& text, dictionary& result) {
  if (!text.take('(')) return false;
  bool comma = true;
  while (text.next() != ')') {
    std::ptrdiff_t extent = 0;
    if (!comma) return text.fail("shape has no comma between its numbers");
    if (!text.number(extent)) return false;
    if (result.array_rank < max_array_rank)
      result.header.info.extent[static_cast<std::size_t>(result.array_rank)] = extent;
    ++result.array_rank;
    comma = text.take_if(',');
  }
  // (3) is a number to Python, (3,) a tuple.
  if (result.array_rank == 1 && !comma) return text.fail("shape is a number, not a tuple");
  return text.take(')');
}

bool parse_descr(literal_reader& text, dictionary& result) {
  const char first = text.next();
  if (first != '[' && first != '(' && first != '{') return text.string(result.header.descr);
  result.descr_value = text.left().substr(0, 60);
  return text.fail("");
}

bool parse_item(literal_reader& text, dictionary& result) {
  std::string key;
  bool fortran_order = false;
  if (!text.string(key)) return false;
  unsigned which = 0;
  if (key == "descr") which = descr_key;
  if (key == "fortran_order") which = order_key;
  if (key == "shape") which = shape_key;
  if (which == 0) return text.fail("the key \"" + key.substr(0, 40) + "\" is unknown");
  if ((result.seen & which) != 0) return text.fail("the key \"" + key + "\" comes twice");
  result.seen |= which;
  if (!text.take(':')) return false;
  if (which == descr_key) return parse_descr(text, result);
  if (which == shape_key) return parse_shape(text, result);
  if (!text.boolean(fortran_order)) return false;
  result.header.info.last_index_fastest = !fortran_order;
  return true;
}

bool parse(literal_reader& text, dictionary& result) {
  if (!text.take('{')) return false;
  bool comma = true;
  while (text.next() != '}') {
    if (!comma) return text.fail("there is no comma between two keys");
    if (!parse_item(text, result)) return false;
    comma = text.take_if(',');
  }
  if (!text.take('}')) return false;
  if (!text.at_end()) return text.fail("something follows the dictionary");
  if (result.seen != all_keys)
    return text.fail("one of the keys descr, fortran_order and shape is missing");
  return true;
}

}  // namespace

status parse_npy_dictionary(std::string_view text, std::uint64_t at, npy_header& header) {
  literal_reader reader(text);
  dictionary result{header, 0, 0, {}};
  header.info = array_info();
  const bool parsed = parse(reader, result);
  if (!result.descr_value.empty())
    return status::failure(stat_code::kind_unsupported,
                           "the elements are structures with fields: " + result.descr_value)
        .at_byte(at + reader.position())
        .advise("in Python save each field by itself: np.save(\"a.npy\", x[\"a\"])");
  if (!parsed)
    return status::failure(stat_code::header_damaged,
                           "the header does not describe an array: " + reader.message())
        .at_byte(at + reader.position())
        .advise("check that this is an .npy file and was copied whole");
  if (result.array_rank > max_array_rank)
    return status::failure(stat_code::kind_unsupported,
                           "the array has " + std::to_string(result.array_rank) + " dimensions")
        .expected("at most " + std::to_string(max_array_rank), std::to_string(result.array_rank))
        .at_byte(at)
        .advise("in Python save x.reshape(...) with fewer dimensions");
  header.info.array_rank = result.array_rank;
  return {};
}

}  // namespace headrace
