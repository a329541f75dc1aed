#include "store.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <set>
#include <sstream>
#include <utility>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "../../together/from_root.hpp"
#include "read.hpp"

namespace headrace::zarr {

status document_in(const std::string& directory, std::string& text) {
  const std::string file = directory + "/zarr.json";
  status result = read_small_file(file, longest_document, text);
  if (result.code() == ENOTDIR)
    return status::failure(stat_code::header_damaged, "it is a file; a Zarr store is a directory")
        .in_file(directory)
        .advise("give the directory with zarr.json in it, or format= of another format");
  if (result.code() != ENOENT || !exists(directory)) return result;
  if (exists(directory + "/.zgroup") || exists(directory + "/.zarray"))
    return status::failure(stat_code::format_unknown, "the store has Zarr's format 2")
        .in_file(directory)
        .expected("format 3, zarr.json", ".zgroup or .zarray")
        .advise("convert it with zarr-python: zarr migrate v3");
  return status::failure(stat_code::header_damaged,
                         "the directory is not a Zarr store: it has no zarr.json")
      .in_file(directory)
      .expected("zarr.json", is_empty_directory(directory) ? "an empty directory" : "other files")
      .advise(
          "check the name, and that its writer has finished; a new store is written with "
          "action=\"write\", which takes the place of an empty directory");
}

status arrays_in(const std::string& directory, std::map<std::string, json_value>& found) {
  DIR* const list = ::opendir(directory.c_str());
  if (list == nullptr) return status::system(errno, "cannot list the store").in_file(directory);
  while (const dirent* const entry = ::readdir(list)) {
    const std::string name = entry->d_name;
    std::string text;
    std::string node_type;
    json_value document;
    if (name[0] == '.' || name.find('\n') != std::string::npos ||
        !read_small_file(directory + "/" + name + "/zarr.json", longest_document, text).ok() ||
        !parse_json(text, document).ok() || !node_type_of(document, node_type).ok())
      continue;
    if (node_type == "array") found[name] = std::move(document);
  }
  ::closedir(list);
  return {};
}

const json_value* consolidated(const json_value& store, const std::string& name) {
  const json_value* const all = store.find("consolidated_metadata");
  const json_value* const documents = all == nullptr ? nullptr : all->find("metadata");
  return documents == nullptr ? nullptr : documents->find(name);
}

status read_numbers(const std::string& directory, const array_document& stored,
                    file_maker make_file, timeline& line, std::vector<std::int64_t>& numbers) {
  numbers.resize(static_cast<std::size_t>(stored.shape[0]));
  array_view view;
  view.base = reinterpret_cast<char*>(numbers.data());
  view.elem_len = sizeof(std::int64_t);
  view.array_rank = 1;
  view.extent[0] = static_cast<std::ptrdiff_t>(numbers.size());
  view.stride[0] = sizeof(std::int64_t);
  box all;
  all.array_rank = 1;
  all.count[0] = stored.shape[0];
  return block_reader(directory, stored, -1, make_file, line).read(view, all);
}

namespace {

// Of an array in this group or in one below. No way leads out of the store.
bool is_safe_name(const std::string& name) {
  std::istringstream parts(name + "/");
  if (name.empty() || name.find('\0') != std::string::npos) return false;
  for (std::string part; std::getline(parts, part, '/');)
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

}  // namespace

// All parse the same text: who lacks memory for it leaves, and is met at the end of the call.
status reader::read_document(const std::string& directory, json_value& document,
                             bool is_named) const {
  status parsed;
  const auto load = [&](root_message& all) {
    if (is_named && !exists(directory + "/zarr.json"))
      return status::failure(stat_code::array_missing, "not there");
    return document_in(directory, all.text);
  };
  const auto take = [&](const root_message& all) { parsed = parse_json(all.text, document); };
  if (status s = from_root(*comm_, load, take); !s.ok()) return s;
  return std::move(parsed).in_file_once(directory + "/zarr.json");
}

status reader::open() {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  std::string node_type;
  if (status s = read_document(path_, document_); !s.ok()) return s;
  if (status s = node_type_of(document_, node_type); !s.ok())
    return std::move(s).in_file(path_ + "/zarr.json");
  is_array_ = node_type == "array";
  return {};
}

status reader::names(std::vector<std::string>& found) {
  found.clear();
  if (is_array_) {
    found.emplace_back("data");
    return {};
  }
  const auto list = [&](root_message& all) {
    std::map<std::string, json_value> there;
    std::set<std::string> numbers;  // of steps
    if (status s = arrays_in(path_, there); !s.ok()) return s;
    for (const auto& [name, document] : there) {
      array_document stored;
      if (parse_array(document, stored).ok() && !stored.steps.empty()) numbers.insert(stored.steps);
    }
    std::vector<std::string> names;
    for (const auto& [name, document] : there)
      if (numbers.count(name) == 0) names.push_back(name);
    all.text = joined_texts(names);
    return status();
  };
  return from_root(*comm_, list, [&](const root_message& all) { found = split_texts(all.text); });
}

status reader::missing(const std::string& name) {
  std::vector<std::string> known;
  if (status s = names(known); !s.ok()) return s;
  return status::failure(stat_code::array_missing, "the store has no array \"" + name + "\"")
      .in_file(path_)
      .advise(known.empty() ? "it has no arrays" : "it has " + names_text(known));
}

// Steps that came after the last flush are not in the store's own document.
status reader::load(const std::string& name, known_array& array) {
  array.directory = is_array_ ? path_ : path_ + "/" + name;
  if (!is_safe_name(name) || (is_array_ && name != "data")) return missing(name);
  json_value document;
  status found = read_document(array.directory, document, true);
  if (found.code() == static_cast<int>(stat_code::array_missing)) return missing(name);
  if (!found.ok()) return found;
  const json_value* const kept = is_array_ ? nullptr : consolidated(document_, name);
  const json_value* const attributes = kept == nullptr ? nullptr : kept->find("attributes");
  const bool has_steps = attributes != nullptr && attributes->find(steps_name) != nullptr;
  if (status s = parse_array(has_steps ? *kept : document, array.stored); !s.ok())
    return std::move(s).in_file_once(array.directory + "/zarr.json");
  return array.stored.steps.empty() ? status() : read_steps(array);
}

status reader::read_steps(known_array& array) {
  const std::string where = path_ + "/" + array.stored.steps;
  array_document stored;
  json_value document;
  if (!is_safe_name(array.stored.steps))
    return status::failure(stat_code::header_damaged, "the array names no array of its steps")
        .in_file(array.directory + "/zarr.json");
  if (status s = read_document(where, document); !s.ok()) return s;
  const json_value* const kept = consolidated(document_, array.stored.steps);
  if (status s = parse_array(kept == nullptr ? document : *kept, stored); !s.ok())
    return std::move(s).in_file_once(where + "/zarr.json");
  if (stored.type.type != type_class::integer || stored.type.bytes != 8 ||
      stored.shape.size() != 1 || stored.shape[0] != array.stored.shape.back() ||
      stored.shape[0] > longest_document)
    return status::failure(stat_code::header_damaged, "the numbers of steps do not fit the array")
        .in_file(where + "/zarr.json")
        .expected(std::to_string(array.stored.shape.back()) + " of int64",
                  std::to_string(stored.shape.empty() ? 0 : stored.shape[0]) + " of " +
                      stored.type.json());
  const auto load = [&](root_message& all) {
    return read_numbers(where, stored, make_file_, notes_.line, all.numbers);
  };
  return from_root(*comm_, load, [&](root_message& all) { array.steps.swap(all.numbers); });
}

status reader::find(const std::string& name, const known_array*& found) {
  const auto known = arrays_.find(name);
  if (known != arrays_.end() && known->second != nullptr) {
    found = known->second.get();
    return {};
  }
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  auto array = std::make_unique<known_array>();
  if (status s = load(name, *array); !s.ok()) return s;
  found = array.get();
  arrays_[name] = std::move(array);
  return {};
}

status reader::describe(const std::string& name, stored_array& found) {
  const known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  const array_document& stored = array->stored;
  found = stored_array();
  found.has_steps = !stored.steps.empty();
  found.steps = array->steps;
  found.info.type = stored.type.type;
  found.info.elem_len = stored.type.bytes;
  found.info.any_logical_kind = stored.type.type == type_class::logical;
  found.info.array_rank = static_cast<int>(stored.shape.size()) - (found.has_steps ? 1 : 0);
  found.info.bytes = stored.type.bytes;
  for (std::size_t d = 0; d < static_cast<std::size_t>(found.info.array_rank); ++d) {
    found.info.extent[d] = static_cast<std::ptrdiff_t>(stored.shape[d]);
    found.info.bytes *= static_cast<std::uint64_t>(stored.shape[d]);
    found.dimensions.push_back(stored.dimensions[d]);
  }
  return {};
}

status reader::read(const std::string& name, std::int64_t step_index, const array_view& local,
                    const array_layout& layout) {
  const known_array* array = nullptr;
  if (status s = find(name, array); !s.ok()) return s;
  block_reader reader(array->directory, array->stored, step_index, make_file_, notes_.line);
  notes_.writers = comm_->size();
  return reader.read(local, layout.own());  // all agree at the end of the call
}

status reader::read_attribute(const std::string& array, const std::string& name,
                              const array_view& value) {
  const json_value* attributes = document_.find("attributes");
  std::string where = path_;
  if (!array.empty()) {
    const known_array* found = nullptr;
    if (status s = find(array, found); !s.ok()) return s;
    attributes = &found->stored.attributes;
    where = found->directory;
  }
  const json_value* const stored = attributes == nullptr ? nullptr : attributes->find(name);
  if (stored == nullptr) return no_attribute(name).in_file(where + "/zarr.json").in_array(array);
  status result = read_json_attribute(name, *stored, value);
  return std::move(result).in_file_once(where + "/zarr.json").in_array(array);
}

}  // namespace headrace::zarr
