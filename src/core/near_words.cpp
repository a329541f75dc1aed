#include "near_words.hpp"

#include <algorithm>
#include <string_view>

namespace headrace {
namespace {

bool is_one_slip(std::string_view given, std::string_view meant) noexcept {
  while (!given.empty() && !meant.empty() && given.front() == meant.front()) {
    given.remove_prefix(1);
    meant.remove_prefix(1);
  }
  while (!given.empty() && !meant.empty() && given.back() == meant.back()) {
    given.remove_suffix(1);
    meant.remove_suffix(1);
  }
  if (given.size() == 2 && meant.size() == 2) return given[0] == meant[1] && given[1] == meant[0];
  return std::max(given.size(), meant.size()) == 1;
}

}  // namespace

std::string did_you_mean(const std::string& given, const std::vector<std::string>& known) {
  std::string near;
  for (const std::string& word : known)
    if (is_one_slip(given, word)) near += (near.empty() ? "" : " or ") + word;
  return near.empty() ? near : "did you mean " + near + "? ";
}

}  // namespace headrace
