// Goes on with a store that is there: what it has, and the end of what a killed program left.
#include <dirent.h>
#include <unistd.h>
#include <cerrno>

#include "store.hpp"

namespace headrace::zarr {
namespace {

// As this writer makes them, so that it can go on with them.
bool is_ours(const array_document& stored) {
  for (std::size_t d = 0; d < stored.order.size(); ++d)
    if (stored.order[d] != static_cast<int>(d)) return false;
  return stored.complete && !stored.swapped && !stored.index_swapped && stored.index_at_end &&
         stored.index_checked && !stored.old_keys && stored.separator == '.';
}

bool are_plain_numbers(const array_document& stored) {
  return stored.type.type == type_class::integer && stored.type.bytes == 8 && !stored.swapped &&
         stored.shape.size() == 1 && stored.codecs.empty() && stored.shard.empty();
}

template <class Visit>
void for_each_entry(const std::string& directory, Visit visit) {
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir(directory.c_str()), ::closedir);
  while (const dirent* const entry = list == nullptr ? nullptr : ::readdir(list.get()))
    visit(std::string(entry->d_name));
}

// What a killed program left: chunks of steps from this one on.
void remove_steps_from(const std::string& directory, std::size_t step) {
  for_each_entry(directory, [&](const std::string& name) {
    const std::string last = name.substr(name.rfind('.') + 1);
    if (name.compare(0, 2, "c.") == 0 && last.size() < 19 &&
        std::stoll("0" + last) >= static_cast<long long>(step))
      ::unlink((directory + "/" + name).c_str());
  });
}

// A directory of chunks that got no document, because the program was killed.
void remove_unfinished(const std::string& directory) {
  bool has_chunks = false;
  bool has_others = false;
  for_each_entry(directory, [&](const std::string& name) {
    if (name == "." || name == "..") return;
    const bool is_chunk =
        name.compare(0, 1, "c") == 0 && name.find_first_not_of("0123456789.", 1) == name.npos;
    (is_chunk || name.find("zarr.json") != name.npos ? has_chunks : has_others) = true;
  });
  if (!has_chunks || has_others) return;
  for_each_entry(directory,
                 [&](const std::string& name) { ::unlink((directory + "/" + name).c_str()); });
  ::rmdir(directory.c_str());
}

}  // namespace

// MPI rank 0: the attributes of the store, the names and documents of its arrays, and the numbers
// of steps.
status writer::gather_documents(root_message& all) {
  json_value store;
  std::string text;
  std::string node_type;
  std::map<std::string, json_value> found;
  if (status s = document_in(path_, text); !s.ok()) return s;
  if (status s = parse_json(text, store).in_file_once(path_ + "/zarr.json"); !s.ok()) return s;
  if (status s = node_type_of(store, node_type); !s.ok())
    return std::move(s).in_file(path_ + "/zarr.json");
  if (node_type == "array")
    return status::failure(stat_code::argument_invalid,
                           "the store is one array, to which nothing can be added")
        .in_file(path_)
        .advise("write the arrays to a store of their own");
  if (status s = arrays_in(path_, found); !s.ok()) return s;
  const json_value* const attributes = store.find("attributes");
  std::vector<std::string> texts = {attributes == nullptr ? "{}" : json_text(*attributes)};
  std::map<std::string, step_numbers> steps;
  for (auto& [name, own] : found) {
    const json_value* const kept = consolidated(store, name);
    const json_value& document = kept == nullptr ? own : *kept;
    texts.push_back(name);
    texts.push_back(json_text(document));
    array_document stored;
    if (!parse_array(document, stored).ok()) continue;
    if (stored.steps.empty()) continue;
    remove_steps_from(path_ + "/" + name, static_cast<std::size_t>(stored.shape.back()));
    if (steps.count(stored.steps) > 0) continue;
    const auto own_numbers = found.find(stored.steps);
    if (own_numbers == found.end()) continue;
    const json_value* const kept_numbers = consolidated(store, stored.steps);
    array_document numbers;
    if (!parse_array(kept_numbers == nullptr ? own_numbers->second : *kept_numbers, numbers).ok() ||
        !are_plain_numbers(numbers))
      continue;
    step_numbers& known = steps[stored.steps];
    known.chunk = numbers.chunk[0];
    if (status s = read_numbers(path_ + "/" + stored.steps, numbers, make_file_, notes_.line,
                                known.numbers);
        !s.ok())
      return s;
  }
  for_each_entry(path_, [&](const std::string& name) {
    std::string left;
    json_value document;
    const std::string inner = path_ + "/" + name;
    if (name == "." || name == ".." || found.count(name) > 0 ||
        consolidated(store, name) != nullptr)
      return;
    // Only what is not there, or was cut, is a killed program's: what cannot be read stays.
    const status read = read_small_file(inner + "/zarr.json", longest_document, left);
    if (read.code() == ENOENT || (read.ok() && !parse_json(left, document).ok()))
      remove_unfinished(inner);
  });
  message_pass way(all, true);
  way.texts(texts);
  for (auto& [name, known] : steps) {
    std::string copy = name;
    way.text(copy);
    way.number(known.chunk);
    way.numbers(known.numbers);
  }
  return {};
}

status writer::take_array(const std::string& name, const std::string& text) {
  json_value document;
  auto array = std::make_unique<written_array>();
  array_document& stored = array->stored;
  if (status s = parse_json(text, document); !s.ok()) return s;
  if (comm_->rank() == 0) documents_[name] = text;
  array->name = name;
  array->is_changed = false;
  bool is_ours_too = parse_array(document, stored).ok() && is_ours(stored);
  if (steps_.count(name) > 0) return {};
  const auto numbers = steps_.find(stored.steps);
  const bool has_steps = !stored.steps.empty();
  if (has_steps && (numbers == steps_.end() || numbers->second.numbers.size() !=
                                                   static_cast<std::size_t>(stored.shape.back())))
    is_ours_too = false;
  if (is_ours_too) {
    catalogue_array known;
    if (has_steps) {
      known.steps = step_list(numbers->second.numbers);
      stored.dimensions.pop_back();
    }
    const chunk_grid grid = array->grid = grid_of(stored);
    for (std::size_t d = 0; d < stored.dimensions.size(); ++d)
      extents_[stored.dimensions[d]] = grid.global[d];
    for (std::size_t i = 0; i < stored.attributes.names.size(); ++i)
      array->attributes[stored.attributes.names[i]] = json_text(stored.attributes.items[i]);
    known.name = name;
    known.type = stored.type.type;
    known.elem_len = stored.type.bytes;
    known.global.array_rank = grid.array_rank;
    known.global.count = grid.global;
    known.dimensions = stored.dimensions;
    known.has_steps = has_steps;
    array->known = &catalogue_.add(std::move(known));
  }
  add(std::move(array));
  return {};
}

status writer::take_documents(root_message& all) {
  message_pass way(all, false);
  std::vector<std::string> texts;
  way.texts(texts);
  for (std::string name; way.has_more();) {
    way.text(name);
    step_numbers& known = steps_[name];
    way.number(known.chunk);
    way.numbers(known.numbers);
    known.stored = known.numbers.size();
  }
  json_value attributes;
  if (status s = parse_json(texts[0], attributes); !s.ok()) return s;
  for (std::size_t i = 0; i < attributes.names.size(); ++i)
    attributes_[attributes.names[i]] = json_text(attributes.items[i]);
  for (std::size_t i = 1; i + 1 < texts.size(); i += 2)
    if (status s = take_array(texts[i], texts[i + 1]); !s.ok()) return s;
  return {};
}

status writer::open() {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  root_message all;
  const auto gather = [&](root_message& found) { return gather_documents(found); };
  const auto take = [&](root_message& found) { std::swap(all, found); };
  if (status s = from_root(*comm_, gather, take); !s.ok()) return s;
  has_document_ = true;
  return agree_on(*comm_, [&] { return take_documents(all); });
}

}  // namespace headrace::zarr
