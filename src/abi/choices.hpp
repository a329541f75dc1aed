// One of several words, as the options of the C interface take them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../core/lower_case.hpp"
#include "../core/near_words.hpp"
#include "../core/status.hpp"
#include "options.hpp"

namespace headrace {

inline status unknown(const char* option, const std::string& value, const std::string& known,
                      const std::string& near = "") {
  return status::failure(stat_code::option_unknown,
                         "there is no " + std::string(option) + "=\"" + value + "\"")
      .advise(near + "known are " + known);
}

// One of several names in small letters, given in any case; the first stands for the default.
template <class Value, std::size_t Count>
status choose(const char* option, const char* value,
              const std::pair<const char*, Value> (&known)[Count], Value& chosen) {
  const std::string wanted = lower_case(text_of(value));
  chosen = known[0].second;
  if (wanted.empty()) return {};
  std::string names;
  std::vector<std::string> words;
  for (const auto& [name, meaning] : known) {
    if (wanted == name) {
      chosen = meaning;
      return {};
    }
    names += std::string(names.empty() ? "\"" : ", \"") + name + "\"";
    words.emplace_back(name);
  }
  return unknown(option, text_of(value), names, did_you_mean(wanted, words));
}

}  // namespace headrace
