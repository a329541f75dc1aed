#include "file_endings.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "lower_case.hpp"
#include "near_words.hpp"

namespace headrace {
namespace {

std::vector<std::string> words_of(const char* text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
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
  if (ending.empty()) return false;
  std::string_view words = endings;
  while (!words.empty()) {
    const std::size_t length = std::min(words.find(' '), words.size());
    if (words.substr(0, length) == ending) return true;
    words.remove_prefix(std::min(words.size(), length + 1));
  }
  return false;
}

std::string did_you_mean(const known_formats& known, const std::string& name,
                         const std::string& ending) {
  std::vector<std::string> all;
  for (const known_format& candidate : known)
    for (std::string& word : words_of(name.empty() ? candidate.endings : candidate.name))
      all.push_back(std::move(word));
  return did_you_mean(name.empty() ? ending : lower_case(name), all);
}

std::string advice_on(const known_formats& known, const std::string& name) {
  std::string text = "known are ";
  for (const known_format& candidate : known) {
    if (&candidate != &known.front()) text += ", ";
    text += candidate.name;
    if (*candidate.endings != '\0') text += std::string(" (") + candidate.endings + ")";
  }
  if (!name.empty()) return text;
  const bool has_texts =
      std::any_of(known.begin(), known.end(), [](const known_format& one) { return one.is_text; });
  return text + "; use such an ending" +
         (has_texts ? " (.gz or .zst may follow that of a text)" : "") +
         ", or name the format by format=";
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
