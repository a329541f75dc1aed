// Reads a request: one JSON object on one line. Values are texts, numbers, true, false, null,
// arrays of integers and objects; a key may stand once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headrace::bench {

struct json_value {
  enum class kinds { nothing, text, number, boolean, integers, object };
  kinds kind = kinds::nothing;
  std::string text;  // of a text; numbers and booleans as they were written
  std::vector<std::int64_t> integers;
  std::map<std::string, json_value> members;
};

// The name of a kind in messages: "a text".
const char* name_of(json_value::kinds kind) noexcept;

// Throws std::invalid_argument that names the column (from 1), what was expected and what stands
// there.
json_value read_json(const std::string& line);

}  // namespace headrace::bench
