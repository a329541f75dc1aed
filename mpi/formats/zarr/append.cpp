// Goes on with a store that is there: what it has, and the end of what a killed program left.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "store.hpp"

namespace headrace::zarr {
namespace {

// As this writer makes them, so that it can go on with them.
bool is_ours(const array_document& stored) {
  return std::is_sorted(stored.order.begin(), stored.order.end()) && stored.complete &&
         !stored.swapped && !stored.index_swapped && stored.index_at_end && stored.index_checked &&
         !stored.old_keys && stored.separator == '.';
}

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

}  // namespace

// Only what is not there, or was cut, is a killed program's: what cannot be read stays.
void writer::remove_leftovers(const json_value& store,
                              const std::map<std::string, std::string>& arrays) const {
  std::vector<std::string> names;
  if (!names_in(path_, names).ok()) return;
  for (const std::string& name : names) {
    std::string left;
    json_value document;
    if (arrays.count(name) > 0 || consolidated(store, name) != nullptr) continue;
    const std::string inner = path_ + "/" + name;
    const status read = read_small_file(inner + "/zarr.json", longest_document, left);
    if (read.code() == ENOENT || (read.ok() && !parse_json(left, document).ok()))
      remove_unfinished(inner);
  }
}

// MPI rank 0: the attributes of the store, the names and documents of its arrays, and the numbers
// of steps.
status writer::gather_documents(std::vector<std::string>& texts,
                                std::vector<named_steps>& numbers_of_steps) {
  json_value store;
  std::string text;
  std::string node_type;
  std::map<std::string, std::string> found;
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
    remove_steps_from(path_ + "/" + name, stored.shape.back());
    if (steps.count(stored.steps) > 0) continue;
    step_numbers numbers;
    const status s = find_steps(path_, store, stored, make_file_, notes_.line, numbers);
    const bool is_foreign = s.code() == static_cast<int>(stat_code::header_damaged) ||
                            s.code() == static_cast<int>(stat_code::kind_unsupported);
    if (!s.ok() && !is_foreign) return s;
    if (s.ok() && numbers.chunk > 0) steps[stored.steps] = std::move(numbers);
  }
  remove_leftovers(store, found);
  numbers_of_steps.assign(steps.begin(), steps.end());
  return {};
}

void writer::take_array(const std::string& name, const std::string& text) {
  auto array = std::make_unique<written_array>();
  array_document& stored = array->stored;
  if (comm_->rank() == 0) documents_[name] = text;
  array->name = name;
  array->is_changed = false;
  bool is_ours_too = parse_array(text, stored).ok() && is_ours(stored);
  if (steps_.count(name) > 0) return;
  const auto numbers = steps_.find(stored.steps);
  const bool has_steps = !stored.steps.empty();
  if (has_steps && (numbers == steps_.end() || numbers->second.numbers.size() !=
                                                   static_cast<std::size_t>(stored.shape.back())))
    is_ours_too = false;
  if (is_ours_too) {
    described_array known = described_of(
        name, stored, has_steps ? numbers->second.numbers : std::vector<std::int64_t>());
    stored.dimensions = known.dimensions;
    array->grid = grid_of(stored);
    for (std::size_t i = 0; i < stored.attributes.names.size(); ++i)
      array->attributes[stored.attributes.names[i]] = json_text(stored.attributes.items[i]);
    array->known = &catalogue_.add(std::move(known));
  }
  add(std::move(array));
}

status writer::take_documents(const std::vector<std::string>& texts) {
  json_value attributes;
  if (status s = parse_json(texts[0], attributes); !s.ok()) return s;
  for (std::size_t i = 0; i < attributes.names.size(); ++i)
    attributes_[attributes.names[i]] = json_text(attributes.items[i]);
  for (std::size_t i = 1; i + 1 < texts.size(); i += 2) take_array(texts[i], texts[i + 1]);
  return {};
}

status writer::open() {
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  std::vector<std::string> texts;
  std::vector<named_steps> steps;
  const auto gather = [&] { return gather_documents(texts, steps); };
  const auto pass = [&](message_pass& way) {
    way.texts(texts);
    way.list(steps, [&](named_steps& one) {
      way.text(one.first);
      way.number(one.second.chunk);
      way.number(one.second.stored);
      way.numbers(one.second.numbers);
    });
    if (!way.packs()) steps_ = {steps.begin(), steps.end()};
  };
  if (status s = pass_from_root(*comm_, gather, pass); !s.ok()) return s;
  has_document_ = true;
  return agree_on(*comm_, [&] { return take_documents(texts); });
}

}  // namespace headrace::zarr
