#include "request.hpp"

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <stdexcept>

#include "json_reader.hpp"

namespace headrace::bench {
namespace {

using kinds = json_value::kinds;

void need(const json_value& value, kinds kind, const std::string& name) {
  if (value.kind == kind) return;
  throw std::invalid_argument("member \"" + name + "\" of the request: expected " + name_of(kind) +
                              ", found " + name_of(value.kind));
}

std::int64_t integer_of(const json_value& value, const std::string& name) {
  need(value, kinds::number, name);
  char* end = nullptr;
  errno = 0;
  const std::int64_t number = std::strtoll(value.text.c_str(), &end, 10);
  if (*end != '\0' || errno != 0 || number < 0) {
    throw std::invalid_argument("member \"" + name +
                                "\" of the request: expected an integer of 0 or more, found " +
                                value.text);
  }
  return number;
}

bool boolean_of(const json_value& value, const std::string& name) {
  need(value, kinds::boolean, name);
  return value.text == "true";
}

std::string text_of(const json_value& value, const std::string& name) {
  need(value, kinds::text, name);
  return value.text;
}

void take_extents(const json_value& value, request& made) {
  need(value, kinds::integers, "global");
  bool fits = value.integers.size() == 3;
  for (const std::int64_t extent : value.integers) fits = fits && extent > 0;
  if (!fits) {
    throw std::invalid_argument(
        "member \"global\" of the request: expected three extents of 1 or more");
  }
  for (std::size_t axis = 0; axis < 3; ++axis) made.global[axis] = value.integers[axis];
}

void take_options(const json_value& value, request& made) {
  need(value, kinds::object, "options");
  for (const auto& [name, option] : value.members) {
    if (option.kind == kinds::integers || option.kind == kinds::object) {
      throw std::invalid_argument("option \"" + name +
                                  "\": expected a text, a number or a boolean");
    }
    if (option.kind != kinds::nothing) made.options[name] = option.text;
  }
}

using taker = std::function<void(const json_value&, request&)>;

const std::map<std::string, taker>& takers() {
  static const std::map<std::string, taker> all = {
      {"id", [](const json_value& v, request& r) { r.id = integer_of(v, "id"); }},
      {"method", [](const json_value& v, request& r) { r.method = text_of(v, "method"); }},
      {"operation", [](const json_value& v, request& r) { r.operation = text_of(v, "operation"); }},
      {"file", [](const json_value& v, request& r) { r.file = text_of(v, "file"); }},
      {"layout", [](const json_value& v, request& r) { r.layout = text_of(v, "layout"); }},
      {"global", take_extents},
      {"seed", [](const json_value& v,
                  request& r) { r.seed = static_cast<std::uint64_t>(integer_of(v, "seed")); }},
      {"sync", [](const json_value& v, request& r) { r.sync = boolean_of(v, "sync"); }},
      {"condition", [](const json_value& v, request& r) { r.condition = text_of(v, "condition"); }},
      {"hints", [](const json_value& v, request& r) { r.hints = text_of(v, "hints"); }},
      {"options", take_options},
      {"verify", [](const json_value& v, request& r) { r.verify = boolean_of(v, "verify"); }},
      {"events", [](const json_value& v, request& r) { r.events = boolean_of(v, "events"); }},
      {"at_page", [](const json_value& v, request& r) { r.at_page = boolean_of(v, "at_page"); }},
      {"node_size", [](const json_value& v,
                       request& r) { r.node_size = static_cast<int>(integer_of(v, "node_size")); }},
  };
  return all;
}

void check(const request& made) {
  const std::string& operation = made.operation;
  if (operation == "quit") return;
  if (operation != "write" && operation != "read" && operation != "remove" &&
      operation != "prepare") {
    throw std::invalid_argument("operation \"" + operation +
                                "\": expected write, read, remove, prepare or quit");
  }
  if (made.file.empty()) throw std::invalid_argument("the request names no \"file\"");
  if (operation == "remove" || operation == "prepare") return;
  if (made.method.empty()) throw std::invalid_argument("the request names no \"method\"");
  if (made.global[0] == 0) throw std::invalid_argument("the request has no \"global\" extents");
  const std::string& condition = made.condition;
  if (condition != "cached" && condition != "synced" && condition != "warm" &&
      condition != "cold") {
    throw std::invalid_argument("condition \"" + condition +
                                "\": expected cached, synced, warm or cold");
  }
}

}  // namespace

request read_request(const std::string& line) {
  const json_value whole = read_json(line);
  if (whole.kind != kinds::object) throw std::invalid_argument("a request is a JSON object");
  request made;
  for (const auto& [name, value] : whole.members) {
    const auto found = takers().find(name);
    if (found == takers().end()) {
      throw std::invalid_argument("a request has no member \"" + name + "\"");
    }
    if (value.kind != kinds::nothing) found->second(value, made);
  }
  if (made.condition == "synced") made.sync = true;
  check(made);
  return made;
}

}  // namespace headrace::bench
