#include "dataset_arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../../src/abi/choices.hpp"
#include "../../src/abi/views.hpp"
#include "../../src/core/hash.hpp"
#include "../../src/core/lower_case.hpp"
#include "../../src/core/name_text.hpp"

namespace headrace {
namespace {

// Fortran's descriptors are looked at before; the other MPI ranks hear of a null pointer only.
const char* const own_reason =
    "describe it with an hr_array; in Fortran that MPI rank's own message has the reason";

template <class Number>
std::string number_at(const char* element, const char* format) {
  Number number;
  std::memcpy(&number, element, sizeof number);
  char text[40] = "";
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string text_of_element(const array_view& value, const char* element) {
  const std::size_t bytes = value.elem_len;
  if (value.type == type_class::logical) return is_true(element, bytes) ? "T" : "F";
  std::string text(element, bytes);
  if (value.type == type_class::character) return text.erase(text.find_last_not_of(' ') + 1);
  if (value.type == type_class::integer && bytes == 4) return number_at<int>(element, "%d");
  if (value.type == type_class::integer && bytes == 8) return number_at<long long>(element, "%lld");
  if (value.type == type_class::real && bytes == 4) return number_at<float>(element, "%.9g");
  if (value.type == type_class::real && bytes == 8) return number_at<double>(element, "%.17g");
  std::string digits;
  for (std::size_t i = 0; i < bytes; ++i) digits += number_at<unsigned char>(element + i, "%02x");
  return digits;
}

// One line, however long the text is and whatever is in it.
std::string line_of(const std::string& text) {
  constexpr std::size_t longest = 40;
  const bool is_plain = text.size() <= longest && text.find('\n') == std::string::npos;
  if (is_plain) return text;
  char digest[20];
  std::snprintf(digest, sizeof digest, "%016llx", static_cast<unsigned long long>(hash_of(text)));
  return shown(text) + " (" + std::to_string(text.size()) + " characters, hash " + digest + ")";
}

}  // namespace

std::string steps_text(const std::vector<std::int64_t>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size() && i < 10; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(steps[i]);
  return steps.size() > 10 ? text + ", ..." : text;
}

status check_name(const std::string& name, const char* of) {
  if (name.find_first_not_of('/') != std::string::npos) return {};
  return status::failure(stat_code::argument_invalid, std::string(of) + " has no name")
      .expected("a name", "\"" + name + "\"")
      .advise("give the one that it has in the dataset");
}

status check_fits(const std::string& name, const array_view& local, const array_layout& layout,
                  const described_array& stored) {
  const bool same_length = stored.elem_len == local.elem_len || local.type == type_class::logical;
  if (stored.type != local.type || !same_length)
    return status::failure(stat_code::kind_mismatch, "\"" + name + "\" is of another kind")
        .expected(kind_text(local.type, local.elem_len) + " as the array",
                  kind_text(stored.type, stored.elem_len))
        .advise("read it into an array of its kind");
  const box& wanted = layout.global();
  if (stored.global == wanted) return {};
  return status::failure(stat_code::shape_mismatch, "\"" + name + "\" has another shape")
      .expected(text_of_extents(wanted.count.data(), wanted.array_rank) + " as the layout",
                text_of_extents(stored.global.count.data(), stored.global.array_rank))
      .advise("make a layout of the global extents that the file has");
}

status closed_layout() {
  return status::failure(stat_code::handle_closed, "the array_layout is closed or was never made")
      .advise("make it with make_layout; a copy of the variable is the same handle");
}

status check_layout(const array_layout& layout, const communicator& comm) {
  if (layout.comm().same_ranks(comm)) return {};
  const auto text = [](int ranks) {
    return std::to_string(ranks) + (ranks == 1 ? " MPI rank" : " MPI ranks");
  };
  const int expected = comm.size();
  const int found = layout.comm().size();
  return status::failure(stat_code::layout_invalid,
                         "the layout has another communicator than the dataset")
      .expected(text(expected), found != expected ? text(found) : "others, or in another order")
      .advise("give make_layout and open_dataset the same communicator");
}

status check_block(const hr_array* described, const array_layout& layout, bool writes,
                   array_view& local) {
  if (writes && layout.for_reading())
    return status::failure(stat_code::layout_invalid,
                           "an array cannot be written with a layout for reading")
        .expected("one of make_layout", "one of make_reading_layout")
        .advise("make another for writing, whose blocks have neither gaps nor overlaps");
  if (described == nullptr)
    return status::failure(stat_code::argument_invalid, "the array is a null pointer")
        .advise(own_reason);
  if (status s = from_c(*described, local); !s.ok()) return s;
  const box& own = layout.own();
  // An MPI rank without elements may pass any array without elements.
  if (local.array_rank == own.array_rank &&
      (std::equal(own.count.begin(), own.count.begin() + own.array_rank, local.extent.begin()) ||
       (is_empty(own) && element_count(local).value_or(1) == 0)))
    return {};
  return status::failure(stat_code::shape_mismatch,
                         "the local array has not the extents of its block in the layout")
      .expected(text_of_extents(own.count.data(), own.array_rank),
                text_of_extents(local.extent.data(), local.array_rank))
      .advise("pass the section without the halo, or change count in make_layout");
}

std::string value_text(const array_view& value) {
  return kind_text(value.type, value.elem_len) + ", " +
         (value.array_rank == 0 ? "a scalar" : std::to_string(value.extent[0]) + " elements");
}

std::string element_lines(const std::string& name, const array_view& value) {
  std::string lines;
  for (std::size_t i = 0; i < element_count(value).value_or(0); ++i)
    lines += "\n" + name + " = " + line_of(text_of_element(value, value.base + i * value.elem_len));
  return lines;
}

status attribute_value(const hr_array* value, array_view& view) {
  if (value == nullptr)
    return status::failure(stat_code::argument_invalid, "the value is a null pointer")
        .advise(own_reason);
  if (status s = from_c(*value, view); !s.ok()) return s;
  if (view.array_rank <= 1 && is_contiguous(view)) return {};
  return status::failure(stat_code::argument_invalid,
                         "an attribute is a scalar or a contiguous array of rank 1")
      .advise("write large values as an array of the dataset");
}

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
