#include "formats.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "../binary/direct.hpp"
#include "../binary/meta.hpp"
#include "../binary/npy.hpp"
#include "../binary/npz.hpp"
#include "../binary/raw.hpp"
#include "../binary/sequential.hpp"
#include "../core/compressed.hpp"
#include "../core/lower_case.hpp"
#include "../text/text_read.hpp"
#include "../text/text_write.hpp"

namespace headrace {
namespace {

constexpr std::array formats = {
    format{"raw", ".raw .bin", write_raw, read_raw, describe_raw, uses_byte_order},
    format{"unformatted", ".unf .seq", write_sequential, read_sequential, describe_sequential,
           uses_append | uses_byte_order | uses_record_marker | uses_record},
    format{"direct", ".da .direct", write_direct, read_direct, describe_direct,
           uses_byte_order | uses_record_length | uses_record},
    format{"npy", ".npy", write_npy, read_npy, describe_npy, uses_byte_order | states_byte_order},
    format{"npz", ".npz", write_npz, read_npz, describe_npz,
           uses_byte_order | states_byte_order | uses_name | uses_append | uses_compression},
    format{"meta", ".meta", write_meta, read_meta, describe_meta,
           uses_append | uses_byte_order | states_byte_order | uses_checksum | uses_name},
    format{"csv", ".csv", write_text, read_text, nullptr, uses_append, true, ','},
    format{"tsv", ".tsv", write_text, read_text, nullptr, uses_append, true, '\t'},
    format{"text", ".txt .dat", write_text, read_text, nullptr, uses_append, true, ' '},
};

// ".raw" of "run.1/x.raw", nothing of "run.1/x" and of ".raw"
std::string ending_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos || dot <= begin ? "" : lower_case(file.substr(dot));
}

bool has_ending(const format& candidate, const std::string& ending) {
  std::istringstream endings(candidate.endings);
  for (std::string known; endings >> known;)
    if (known == ending) return true;
  return false;
}

std::string known_formats() {
  std::string text = "known are ";
  for (const format& candidate : formats) {
    if (&candidate != &formats.front()) text += ", ";
    text += std::string(candidate.name) + " (" + candidate.endings + ")";
  }
  return text;
}

}  // namespace

status find_format(const std::string& file, const std::string& name, const format*& found) {
  const std::string wanted = lower_case(name);
  const std::string plain_name(without_compression_ending(file));
  const std::string ending = ending_of(plain_name);
  for (const format& candidate : formats) {
    if (wanted.empty() ? !has_ending(candidate, ending) : wanted != candidate.name) continue;
    found = &candidate;
    if (candidate.is_text || plain_name == file) return {};
    return status::failure(stat_code::format_unknown,
                           std::string(candidate.name) + " files are not compressed")
        .in_file(file)
        .advise("leave out the last ending, or write a text file");
  }
  if (!wanted.empty())
    return status::failure(stat_code::format_unknown, "there is no format \"" + name + "\"")
        .in_file(file)
        .advise(known_formats());
  return status::failure(stat_code::format_unknown,
                         ending.empty() ? "the file name has no ending that names a format"
                                        : "the ending \"" + ending + "\" names no format")
      .in_file(file)
      .advise(known_formats() + "; use such an ending or the option format=\"" +
              formats.front().name + "\"");
}

}  // namespace headrace
