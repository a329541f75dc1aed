#include "parallel_options.hpp"

#include <algorithm>

#include "../../src/abi/choices.hpp"
#include "../../src/core/lower_case.hpp"

namespace headrace {
namespace {

constexpr std::pair<const char*, write_pattern> patterns[] = {
    {"default", write_pattern::automatic},
    {"serial", write_pattern::serial},
    {"file_per_process", write_pattern::file_per_process},
    {"file_per_node", write_pattern::file_per_node},
    {"shared_independent", write_pattern::shared_independent},
    {"shared_collective", write_pattern::shared_collective}};
constexpr std::pair<const char*, write_pattern> modes[] = {
    {"default", write_pattern::automatic},
    {"collective", write_pattern::shared_collective},
    {"independent", write_pattern::shared_independent}};
constexpr std::pair<const char*, transfer_way> transfers[] = {{"default", transfer_way::automatic},
                                                              {"headrace", transfer_way::headrace},
                                                              {"library", transfer_way::library}};
constexpr std::pair<const char*, bool> checksums[] = {{"none", false}, {"crc32c", true}};
constexpr std::pair<const char*, bool> compressions[] = {{"none", false}, {"zstd", true}};
constexpr std::pair<const char*, bool> syncs[] = {{"none", false}, {"file", true}};

status cannot(const backend& format, const std::string& option, const std::string& advice) {
  return status::failure(stat_code::option_unknown,
                         std::string(format.name) + " files know no " + option)
      .advise(advice);
}

status check_pattern(const backend& format, write_pattern pattern) {
  if ((format.abilities & ability_of(pattern)) != 0) return {};
  std::string known;
  for (const auto& [name, value] : patterns)
    if ((format.abilities & ability_of(value)) != 0)
      known += std::string(known.empty() ? "\"" : ", \"") + name + "\"";
  return cannot(format, "pattern=\"" + std::string(name_of(pattern)) + "\"",
                known.empty() ? "leave it out" : "known are " + known);
}

status choose_pattern(const hr_parallel_options& options, const backend& format,
                      parallel_settings& settings) {
  write_pattern by_mode = write_pattern::automatic;
  if (status s = choose("pattern", options.pattern, patterns, settings.pattern); !s.ok()) return s;
  if (status s = choose("mode", options.mode, modes, by_mode); !s.ok()) return s;
  if (settings.pattern != write_pattern::automatic && by_mode != write_pattern::automatic &&
      settings.pattern != by_mode)
    return status::failure(stat_code::option_unknown, "mode=\"" + text_of(options.mode) +
                                                          "\" is another pattern than \"" +
                                                          name_of(settings.pattern) + "\"")
        .advise("give one of the two");
  if (settings.pattern == write_pattern::automatic) settings.pattern = by_mode;
  if (settings.pattern == write_pattern::automatic) settings.pattern = format.preferred;
  return check_pattern(format, settings.pattern);
}

// What only some formats can add to the data.
status choose_extra(const char* option, const char* value,
                    const std::pair<const char*, bool> (&known)[2], const backend& format,
                    unsigned ability, bool& chosen) {
  const std::string given = text_of(value);
  const bool asked = !given.empty() && lower_case(given) != known[0].first;
  if (asked && (format.abilities & ability) == 0)
    return cannot(format, std::string(option) + "=\"" + given + "\"",
                  "leave it out, or write a Zarr store (.zarr), which knows \"" +
                      std::string(known[1].first) + "\"");
  return choose(option, value, known, chosen);
}

// xarray takes one of two dimensions of the same name for both, without a word.
status check_names_differ(const std::vector<std::string>& names) {
  for (std::size_t d = 0; d < names.size(); ++d)
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(d), names[d]) !=
        names.begin() + static_cast<std::ptrdiff_t>(d))
      return status::failure(stat_code::argument_invalid,
                             "\"" + names[d] + "\" stands twice in dimensions=")
          .advise("give each dimension a name of its own, like x and x2");
  return {};
}

}  // namespace

const char* name_of(write_pattern pattern) noexcept {
  for (const auto& [name, value] : patterns)
    if (value == pattern) return name;
  return "";
}

status convert(const hr_parallel_options& options, const backend& format,
               parallel_settings& settings) {
  if (status s = choose_pattern(options, format, settings); !s.ok()) return s;
  if (status s = choose("transfer", options.transfer, transfers, settings.transfer); !s.ok())
    return s;
  if (settings.transfer == transfer_way::automatic) settings.transfer = format.preferred_transfer;
  const bool own = settings.transfer == transfer_way::headrace;
  if ((format.abilities & (own ? can_own_transfer : can_library_transfer)) == 0)
    return cannot(format, "transfer=\"" + text_of(options.transfer) + "\"", "leave it out");
  if (status s = choose_extra("checksum", options.checksum, checksums, format, can_checksum,
                              settings.checksum);
      !s.ok())
    return s;
  if (status s = choose_extra("compression", options.compression, compressions, format,
                              can_compress, settings.compress);
      !s.ok())
    return s;
  if (status s = choose("sync", options.sync, syncs, settings.sync); !s.ok()) return s;
  return parse_hints(text_of(options.hints), settings.hints);
}

std::string text_of(const hr_parallel_options& options) {
  const std::pair<const char*, const char*> all[] = {{"format", options.format},
                                                     {"pattern", options.pattern},
                                                     {"mode", options.mode},
                                                     {"transfer", options.transfer},
                                                     {"dataset", options.dataset},
                                                     {"dimensions", options.dimensions},
                                                     {"hints", options.hints},
                                                     {"checksum", options.checksum},
                                                     {"compression", options.compression},
                                                     {"sync", options.sync}};
  std::string text;
  for (const auto& [name, value] : all) text += std::string(name) + "=" + text_of(value) + "\n";
  return text;
}

status dimension_names(const std::string& given, int array_rank, std::vector<std::string>& names) {
  names.clear();
  if (given.empty()) {
    for (int d = 1; d <= array_rank; ++d) names.push_back("d" + std::to_string(d));
    return {};
  }
  for (std::size_t begin = 0; begin <= given.size();) {
    const std::size_t end = std::min(given.find(',', begin), given.size());
    std::string name = given.substr(begin, end - begin);
    name.erase(name.find_last_not_of(' ') + 1);
    name.erase(0, name.find_first_not_of(' '));
    names.push_back(std::move(name));
    begin = end + 1;
  }
  const bool has_empty = std::find(names.begin(), names.end(), "") != names.end();
  if (!has_empty && names.size() == static_cast<std::size_t>(array_rank))
    return check_names_differ(names);
  return status::failure(stat_code::argument_invalid,
                         "dimensions=\"" + given + "\" names other dimensions than the array has")
      .expected(std::to_string(array_rank),
                has_empty ? "an empty name" : std::to_string(names.size()))
      .advise("give a name for each, in Fortran's order, with commas between");
}

}  // namespace headrace
