#include "meta_pair.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "../core/exclusive.hpp"
#include "../core/file_target.hpp"
#include "../core/files.hpp"
#include "../core/lower_case.hpp"
#include "array_names.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_text = std::size_t{8} << 20;  // of a .meta file: a damaged or wrong file
constexpr std::uint64_t most_attempts = 10000;           // to find a free name

std::string without_links(const std::string& file) {
  std::error_code failed;
  file_target target;
  if (!std::filesystem::is_symlink(file, failed)) return file;
  // Whether it may be written does not matter here.
  static_cast<void>(find_target(file, target));
  return target.path;
}

bool ends_with_meta(const std::string& name) {
  constexpr std::string_view ending = ".meta";
  if (name.size() <= ending.size()) return false;
  return lower_case(name.substr(name.size() - ending.size())) == ending;
}

// "real64", "complex_real64", "logical_4"; "character" whatever the length: a file for each kind.
std::string kind_in_file_name(const array_info& info) {
  if (info.type == type_class::character) return "character";
  std::string text = type_name(info.type, info.elem_len);
  text.erase(std::remove(text.begin(), text.end(), ')'), text.end());
  std::replace(text.begin(), text.end(), '(', '_');
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

status read_text(const std::string& file, std::string& text) {
  file_reader reader;
  if (status s = reader.open_sized(file, "a description needs a regular file",
                                   "pipes and devices cannot be half of a pair");
      !s.ok())
    return s;
  const status too_long = status::failure(stat_code::header_damaged, "the description is too long")
                              .expected("at most " + bytes_text(most_text), "more")
                              .in_file(file)
                              .advise("check that it is a .meta file");
  if (*reader.size() > most_text) return too_long;
  text.clear();
  for (std::size_t count = 1; count > 0;) {
    char block[4096];
    if (status s = reader.read_some(block, sizeof block, count); !s.ok()) return s;
    text.append(block, count);
    if (text.size() > most_text) return too_long;
  }
  return {};
}

}  // namespace

meta_pair::meta_pair(const std::string& file) : file_(file), text_file_(without_links(file)) {
  const std::size_t slash = text_file_.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  directory_ = text_file_.substr(0, begin);
  stem_ = text_file_.substr(begin);
  if (ends_with_meta(stem_)) stem_.resize(stem_.size() - 5);
}

std::string meta_pair::path_of(const std::string& data_file) const {
  return directory_ + data_file;
}

status meta_pair::load(std::string& text, std::vector<meta_entry>& entries) const {
  entries.clear();
  if (status s = read_text(file_, text); !s.ok()) return s;
  if (status s = parse_entries(text, entries); !s.ok()) return std::move(s).in_file(file_);
  for (meta_entry& entry : entries) entry.info.file = path_of(entry.data_file);
  return {};
}

std::string meta_pair::beginning_of(const array_info& info) const {
  return stem_ + "." + kind_in_file_name(info);
}

bool meta_pair::is_own(const meta_entry& entry, std::uint64_t& number) const {
  const std::string beginning = beginning_of(entry.info) + ".";
  constexpr std::string_view ending = "bin";
  const std::string& name = entry.data_file;
  number = 0;
  if (name.compare(0, beginning.size(), beginning) != 0) return false;
  std::string_view rest = std::string_view(name).substr(beginning.size());
  if (rest == ending) return true;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return error == std::errc() && number < UINT64_MAX - most_attempts && rest == ".bin";
}

status meta_pair::create_data_file(const array_info& info, const std::vector<meta_entry>& older,
                                   std::string& data_file) const {
  const std::string beginning = beginning_of(info);
  std::uint64_t first = 0;
  for (const meta_entry& entry : older) {
    std::uint64_t number = 0;
    if (is_own(entry, number) && beginning_of(entry.info) == beginning)
      first = std::max(first, number + 1);
  }
  for (std::uint64_t number = first; number < first + most_attempts; ++number) {
    data_file = beginning + (number == 0 ? "" : "." + std::to_string(number)) + ".bin";
    bool created = false;
    if (status s = create_new(path_of(data_file), text_file_, created); !s.ok() || created)
      return s;
  }
  return status::failure(stat_code::argument_invalid, "no free name was found for the data file")
      .in_file(path_of(data_file))
      .advise("remove old files of this name");
}

void meta_pair::remove_unused(const std::vector<meta_entry>& older,
                              const std::vector<meta_entry>& newer) const noexcept {
  for (const meta_entry& entry : older) {
    const auto same = [&](const meta_entry& other) { return other.data_file == entry.data_file; };
    std::uint64_t number = 0;
    std::error_code ignored;
    if (is_own(entry, number) && std::none_of(newer.begin(), newer.end(), same))
      std::filesystem::remove(path_of(entry.data_file), ignored);
  }
}

status check_data(const meta_entry& entry, const std::string& file) {
  const std::string& data = entry.info.file;
  const std::uint64_t end = static_cast<std::uint64_t>(entry.info.data_offset) + entry.info.bytes;
  std::error_code failed;
  const auto found = std::filesystem::status(data, failed);
  if (failed)
    return status::system(failed.value(), "cannot open the data file of \"" + file + "\"")
        .in_file(data);
  if (!std::filesystem::is_regular_file(found))
    return status::failure(stat_code::header_damaged,
                           "the data file of \"" + entry.name + "\" is not a regular file")
        .in_file(data)
        .advise("check data_file in " + file);
  const std::uintmax_t size = std::filesystem::file_size(data, failed);
  if (failed) return status::system(failed.value(), "cannot look at the data file").in_file(data);
  if (size >= end) return {};
  return status::failure(stat_code::file_size_mismatch,
                         "the data file is too short for \"" + entry.name + "\"")
      .expected("at least " + bytes_text(end), bytes_text(size))
      .in_file(data)
      .advise("copy it again together with " + file);
}

}  // namespace headrace
