#include "request.hpp"

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <stdexcept>

#include "../../mpi/json/json.hpp"

namespace headrace::bench {
namespace {

using kinds = json_value::kind;

const char* name_of(kinds kind) noexcept {
  static constexpr const char* names[] = {"null",   "true or false",        "a number",
                                          "a text", "an array of integers", "an object"};
  return names[static_cast<std::size_t>(kind)];
}

void need(const json_value& value, kinds kind, const std::string& name) {
  if (value.is(kind)) return;
  throw std::invalid_argument("member \"" + name + "\" of the request: expected " + name_of(kind) +
                              ", found " + name_of(value.what));
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
  return value.truth;
}

std::string text_of(const json_value& value, const std::string& name) {
  need(value, kinds::text, name);
  return value.text;
}

void take_extents(const json_value& value, request& made) {
  need(value, kinds::list, "global");
  bool fits = value.items.size() == 3;
  std::int64_t extents[3] = {};
  for (std::size_t axis = 0; fits && axis < 3; ++axis)
    fits = value.items[axis].integer(extents[axis]) && extents[axis] > 0;
  if (!fits) {
    throw std::invalid_argument(
        "member \"global\" of the request: expected three extents of 1 or more");
  }
  for (std::size_t axis = 0; axis < 3; ++axis) made.global[axis] = extents[axis];
}

void take_options(const json_value& value, request& made) {
  need(value, kinds::object, "options");
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::string& name = value.names[i];
    const json_value& option = value.items[i];
    if (option.is(kinds::list) || option.is(kinds::object)) {
      throw std::invalid_argument("option \"" + name +
                                  "\": expected a text, a number or a boolean");
    }
    if (option.is(kinds::boolean))
      made.options[name] = option.truth ? "true" : "false";
    else if (!option.is(kinds::null))
      made.options[name] = option.text;
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
  json_value whole;
  if (const status parsed = parse_json(line, whole, "send one JSON object on a line"); !parsed.ok())
    throw std::invalid_argument("the request: " + parsed.message());
  if (!whole.is(kinds::object)) throw std::invalid_argument("a request is a JSON object");
  request made;
  for (std::size_t i = 0; i < whole.items.size(); ++i) {
    const std::string& name = whole.names[i];
    const json_value& value = whole.items[i];
    const auto found = takers().find(name);
    if (found == takers().end()) {
      throw std::invalid_argument("a request has no member \"" + name + "\"");
    }
    if (!value.is(kinds::null)) found->second(value, made);
  }
  if (made.condition == "synced") made.sync = true;
  check(made);
  return made;
}

}  // namespace headrace::bench
