#include "json.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "../../src/core/name_text.hpp"

namespace headrace {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t most_shown = 20;  // bytes, in messages
constexpr std::size_t most_values = 500000;
constexpr std::size_t most_bytes = std::size_t{32} << 20;

// What the parser finds becomes a tree. A function that returns false ends the parsing.
class tree_builder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, tree_builder> {
 public:
  explicit tree_builder(json_value& whole) : whole_(whole) {}

  const char* wrong = nullptr;  // why it ended

  bool Null() { return add(json_value::kind::null) != nullptr; }
  bool Bool(bool truth) {
    json_value* const value = add(json_value::kind::boolean);
    if (value != nullptr) value->truth = truth;
    return value != nullptr;
  }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    const std::string_view digits(text, length);
    const bool is_word = digits.find_first_of("IN") != digits.npos;
    if (is_word && digits != "NaN" && digits != "Infinity" && digits != "-Infinity") return false;
    return put_text(add(json_value::kind::number), digits);
  }
  bool String(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    return put_text(add(json_value::kind::text), {text, length});
  }
  bool StartObject() { return enter(json_value::kind::object); }
  bool Key(const char* text, rapidjson::SizeType length, bool /*copy*/) {
    open_.back()->names.emplace_back(text, length);
    return true;
  }
  bool EndObject(rapidjson::SizeType /*count*/) {
    const std::vector<std::string>& names = open_.back()->names;
    const std::set<std::string_view> different(names.begin(), names.end());
    if (different.size() < names.size()) wrong = "an object has two members of one name";
    return leave();
  }
  bool StartArray() { return enter(json_value::kind::list); }
  bool EndArray(rapidjson::SizeType /*count*/) { return leave(); }
  // Numbers come as texts, never in other ways.
  bool Default() { return false; }

 private:
  json_value* add(json_value::kind what) {
    if (++values_ > most_values) {
      wrong = "more than 500,000 JSON values";
      return nullptr;
    }
    json_value* const value = open_.empty() ? &whole_ : &open_.back()->items.emplace_back();
    value->what = what;
    return value;
  }
  static bool put_text(json_value* value, std::string_view text) {
    if (value != nullptr) value->text = text;
    return value != nullptr;
  }
  bool enter(json_value::kind what) {
    json_value* const value = add(what);
    if (open_.size() > deepest) wrong = "JSON nested deeper than 64";
    if (wrong == nullptr) open_.push_back(value);
    return wrong == nullptr;
  }
  bool leave() {
    open_.pop_back();
    return wrong == nullptr;
  }

  json_value& whole_;
  std::vector<json_value*> open_;
  std::size_t values_ = 0;
};

// Where in a text what is wrong.
status wrong_at(std::string_view text, std::size_t at, const char* what) {
  const std::string_view before = text.substr(0, at);
  const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? at : at - newline - 1;
  return status::failure(stat_code::header_damaged, what).at_line(line + 1, column + 1);
}

status failure_of(std::string_view text, const rapidjson::ParseResult& result, const char* wrong) {
  std::size_t at = std::min(result.Offset(), text.size());
  if (wrong != nullptr) return wrong_at(text, at, wrong);
  if (result.Code() == rapidjson::kParseErrorValueInvalid)  // to the beginning of a word
    while (at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  std::string what = std::string("this is not JSON: ") + rapidjson::GetParseError_En(result.Code());
  if (what.back() == '.') what.pop_back();
  return wrong_at(text, at, what.c_str())
      .expected("JSON",
                at == text.size() ? "the end of the text" : shown(text.substr(at, most_shown)));
}

}  // namespace

const json_value* json_value::find(std::string_view name) const noexcept {
  if (what != kind::object) return nullptr;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &items[i];
  return nullptr;
}

bool json_value::integer(std::int64_t& number) const noexcept {
  const char* const end = text.data() + text.size();
  if (what != kind::number) return false;
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

bool json_value::real(double& number) const noexcept {
  const bool is_word = text == "NaN" || text == "Infinity" || text == "-Infinity";
  if (what != kind::number && !(what == kind::text && is_word)) return false;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

status parse_json(std::string_view text, json_value& value, const char* advice) {
  value = json_value();
  if (text.size() > most_bytes) return wrong_at(text, 0, "more than 32 MiB of JSON").advise(advice);
  if (!is_utf8(text)) return wrong_at(text, 0, "the text is not UTF-8").advise(advice);
  constexpr unsigned flags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag;
  rapidjson::MemoryStream stream(text.data(), text.size());
  tree_builder builder(value);
  rapidjson::Reader reader;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
  if (!result.IsError()) return {};
  return failure_of(text, result, builder.wrong).advise(advice);
}

std::string json_text(const json_value& value) {
  if (value.is(json_value::kind::null)) return "null";
  if (value.is(json_value::kind::boolean)) return value.truth ? "true" : "false";
  if (value.is(json_value::kind::number)) return value.text;
  if (value.is(json_value::kind::text)) return json_text(value.text);
  std::vector<std::string> items;
  for (std::size_t i = 0; i < value.items.size(); ++i)
    items.push_back((value.names.empty() ? "" : json_text(value.names[i]) + ": ") +
                    json_text(value.items[i]));
  std::string text = json_list(items);
  if (value.is(json_value::kind::object)) {
    text.front() = '{';
    text.back() = '}';
  }
  return text;
}

std::string json_text(std::string_view text) {
  rapidjson::StringBuffer quoted;
  rapidjson::Writer<rapidjson::StringBuffer> writer(quoted);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  return {quoted.GetString(), quoted.GetSize()};
}

template <class Real>
std::string json_real(Real number) {
  if (std::isnan(number)) return "\"NaN\"";
  if (std::isinf(number)) return number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  char digits[64];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template std::string json_real(double);
template std::string json_real(float);

std::string json_list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    if (text.size() > 1) text += ", ";
    text += item;
  }
  return text + "]";
}

std::string json_list(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> items;
  for (const std::int64_t number : numbers) items.push_back(std::to_string(number));
  return json_list(items);
}

}  // namespace headrace
