// Goes on with a store that is there: what it has, and the end of what a killed program left.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "store.hpp"

namespace headrace::zarr {
namespace {

bool is_chunk(const std::string& name) {
  return name[0] == 'c' && name.find_first_not_of("0123456789.", 1) == name.npos;
}

// What a killed program left: chunks of steps from this one on.
void remove_steps_from(const std::string& directory, std::int64_t step) {
  std::vector<std::string> names;
  static_cast<void>(names_in(directory, names));
  for (const std::string& name : names) {
    const std::string last = name.substr(name.rfind('.') + 1);
    if (is_chunk(name) && last.size() < 19 && std::strtoll(last.c_str(), nullptr, 10) >= step)
      ::unlink((directory + "/" + name).c_str());
  }
}

// A directory of chunks that got no document, because the program was killed. What it was about to
// rename has a document's name too.
void remove_unfinished(const std::string& directory) {
  std::vector<std::string> names;
  const bool is_listed = names_in(directory, names).ok();
  for (const std::string& name : names)
    if (!is_chunk(name) && name.find("zarr.json") == name.npos) return;
  if (!is_listed || names.empty()) return;
  for (const std::string& name : names) ::unlink((directory + "/" + name).c_str());
  ::rmdir(directory.c_str());
}

// Only what is not there, or was cut, is a killed program's: what cannot be read stays.
void remove_leftovers(const std::string& path, const json_value& store,
                      const std::map<std::string, std::string>& arrays) {
  std::vector<std::string> names;
  if (!names_in(path, names).ok()) return;
  for (const std::string& name : names) {
    std::string left;
    json_value document;
    if (arrays.count(name) > 0 || consolidated(store, name) != nullptr) continue;
    const std::string inner = path + "/" + name;
    const status read = read_small_file(inner + "/zarr.json", longest_document, left);
    if (read.code() == ENOENT || (read.ok() && !parse_json(left, document).ok()))
      remove_unfinished(inner);
  }
}

}  // namespace

status gather_documents(const std::string& path, file_maker make_file, timeline& line,
                        std::vector<std::string>& texts,
                        std::vector<named_steps>& numbers_of_steps) {
  json_value store;
  std::string text;
  std::string node_type;
  std::map<std::string, std::string> found;
  if (status s = document_in(path, text); !s.ok()) return s;
  if (status s = parse_json(text, store).in_file_once(path + "/zarr.json"); !s.ok()) return s;
  if (status s = node_type_of(store, node_type); !s.ok())
    return std::move(s).in_file(path + "/zarr.json");
  if (node_type == "array")
    return status::failure(stat_code::argument_invalid,
                           "the store is one array, to which nothing can be added")
        .in_file(path)
        .advise("write the arrays to a store of their own");
  if (status s = arrays_in(path, found); !s.ok()) return s;
  const json_value* const attributes = store.find("attributes");
  texts = {attributes == nullptr ? "{}" : json_text(*attributes)};
  std::map<std::string, step_numbers> steps;
  for (auto& [name, own] : found) {
    array_document stored;
    if (const json_value* const kept = consolidated(store, name); kept != nullptr)
      own = json_text(*kept);
    const bool is_known = parse_array(own, stored).ok();
    texts.push_back(name);
    texts.push_back(own);
    if (!is_known || stored.steps.empty()) continue;
    remove_steps_from(path + "/" + name, stored.shape.back());
    if (steps.count(stored.steps) > 0) continue;
    step_numbers numbers;
    const status s = find_steps(path, store, stored, make_file, line, numbers);
    const bool is_foreign = s.code() == static_cast<int>(stat_code::header_damaged) ||
                            s.code() == static_cast<int>(stat_code::kind_unsupported);
    if (!s.ok() && !is_foreign) return s;
    if (s.ok() && numbers.chunk > 0) steps[stored.steps] = std::move(numbers);
  }
  remove_leftovers(path, store, found);
  numbers_of_steps.assign(steps.begin(), steps.end());
  return {};
}

}  // namespace headrace::zarr
