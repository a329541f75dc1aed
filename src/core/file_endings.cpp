#include "file_endings.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "lower_case.hpp"

namespace headrace {
namespace {

// One letter too many, too few or another, or two neighbours exchanged.
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

std::string without_slashes(std::string file) {
  while (file.size() > 1 && file.back() == '/') file.pop_back();
  return file;
}

std::string ending_of(const std::string& file) {
  const std::string plain = without_slashes(file);
  const std::size_t slash = plain.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = plain.rfind('.');
  return dot == std::string::npos || dot <= begin ? "" : lower_case(plain.substr(dot));
}

bool has_ending(const char* endings, const std::string& ending) {
  std::istringstream words(endings);
  for (std::string known; words >> known;)
    if (known == ending) return true;
  return false;
}

std::string did_you_mean(const known_formats& known, const std::string& name,
                         const std::string& ending) {
  std::string near;
  for (const known_format& candidate : known) {
    std::istringstream words(name.empty() ? candidate.endings : candidate.name);
    for (std::string word; words >> word;)
      if (is_one_slip(name.empty() ? ending : lower_case(name), word))
        near += (near.empty() ? "" : " or ") + word;
  }
  return near.empty() ? near : "did you mean " + near + "? ";
}

std::string advice_on(const known_formats& known, const std::string& name) {
  std::string text = "known are ";
  for (const known_format& candidate : known) {
    if (&candidate != &known.front()) text += ", ";
    text += candidate.name;
    if (*candidate.endings != '\0') text += std::string(" (") + candidate.endings + ")";
  }
  return name.empty() ? text + "; use such an ending, or name the format by format=" : text;
}

status unknown_format(const std::string& name, const std::string& ending, const std::string& of) {
  const std::string what = !name.empty()    ? "there is no format \"" + name + "\""
                           : ending.empty() ? "the file name has no ending that names a format"
                                            : "the ending \"" + ending + "\" names no format";
  return status::failure(stat_code::format_unknown, what + of);
}

status refuse_slash(const std::string& file, const std::string& format) {
  if (file.empty() || file.back() != '/') return {};
  const std::string wanted = format.empty() ? ", not a file" : "; " + format + " files are files";
  return status::failure(stat_code::argument_invalid,
                         "the name ends in a slash, which names a directory" + wanted)
      .in_file(file)
      .advise("leave out the slash, or name a file in that directory");
}

}  // namespace headrace
