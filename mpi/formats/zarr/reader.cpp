// Reads a store: MPI rank 0 finds what is there, and each MPI rank reads its own elements.
#include "store.hpp"

#include <set>
#include <utility>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"

namespace headrace::zarr {

namespace {

class reader final : public dataset_reader {
 public:
  reader(const dataset_opening& how, file_maker make_file)
      : dataset_reader(how), make_file_(make_file) {}

  // All parse the same text.
  status open() {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    status parsed;
    std::string node_type;
    std::string text;
    const auto load = [&] { return document_in(path_, text); };
    const auto pass = [&](message_pass& way) {
      way.text(text);
      if (!way.packs()) parsed = parse_json(text, document_);
    };
    if (status s = pass_from_root(*comm_, load, pass); !s.ok()) return s;
    if (parsed.ok()) parsed = node_type_of(document_, node_type);
    is_array_ = node_type == "array";
    return std::move(parsed).in_file_once(path_ + "/zarr.json");
  }

  status names(std::vector<std::string>& found) override {
    found.clear();
    if (is_array_) {
      found.emplace_back("data");
      return {};
    }
    const auto list = [&] {
      std::map<std::string, std::string> there;
      std::set<std::string> numbers;  // of steps
      if (status s = arrays_in(path_, there); !s.ok()) return s;
      for (const auto& [name, text] : there) {
        array_document stored;
        if (parse_array(text, stored).ok()) numbers.insert(stored.steps);
      }
      for (const auto& [name, text] : there)
        if (numbers.count(name) == 0) found.push_back(name);
      return status();
    };
    return pass_from_root(*comm_, list, [&](message_pass& way) { way.texts(found); });
  }

  status describe(const std::string& name, const described_array*& found) override {
    const known_array* array = nullptr;
    if (status s = find(name, array); !s.ok()) return s;
    found = &array->described;
    return {};
  }

  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override {
    const known_array* array = nullptr;
    if (status s = find(name, array); !s.ok()) return s;
    notes_.writers = comm_->size();
    // All agree at the end of the call.
    return read_block(
        {array->directory, array->stored, grid_of(array->stored), step_index, make_file_}, local,
        layout.own(), notes_.line);
  }

  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override {
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

  void forget() noexcept override { arrays_.clear(); }

 private:
  struct known_array {
    std::string directory;
    array_document stored;
    described_array described;
  };

  status missing(const std::string& name) {
    std::vector<std::string> known;
    if (status s = names(known); !s.ok()) return s;
    return status::failure(stat_code::array_missing, "the store has no array \"" + name + "\"")
        .in_file(path_)
        .advise(known.empty() ? "it has no arrays" : "it has " + names_text(known));
  }

  // MPI rank 0 finds the document and the numbers of steps.
  status load(const std::string& name, known_array& array) {
    if (!is_safe_name(name) || (is_array_ && name != "data")) return missing(name);
    array.directory = is_array_ ? path_ : path_ + "/" + name;
    std::string text;
    step_numbers steps;
    const auto look = [&] {
      array_document stored;
      if (!exists(array.directory + "/zarr.json"))
        return status::failure(stat_code::array_missing, "not there");
      if (status s = document_in(array.directory, text); !s.ok()) return s;
      const json_value* const kept = is_array_ ? nullptr : consolidated(document_, name);
      const json_value* const attributes = kept == nullptr ? nullptr : kept->find("attributes");
      // Steps that came after the last flush are not in the store's own document.
      if (attributes != nullptr && attributes->find(steps_name) != nullptr) text = json_text(*kept);
      status s = parse_array(text, stored);
      if (s.ok() && !stored.steps.empty())
        s = find_steps(path_, document_, stored, make_file_, notes_.line, steps);
      return std::move(s).in_file_once(array.directory + "/zarr.json");
    };
    status parsed;
    const auto pass = [&](message_pass& way) {
      way.text(text);
      way.numbers(steps.numbers);
      if (way.packs()) return;
      parsed = parse_array(text, array.stored);
      if (parsed.ok()) array.described = described_of(name, array.stored, steps.numbers);
    };
    const status found = pass_from_root(*comm_, look, pass);
    if (found.code() == static_cast<int>(stat_code::array_missing)) return missing(name);
    return found.ok() ? parsed : found;
  }

  status find(const std::string& name, const known_array*& found) {
    std::unique_ptr<known_array>& known = arrays_[name];
    if (known == nullptr) {
      const auto during = notes_.line.during(HR_PHASE_OPEN);
      auto array = std::make_unique<known_array>();
      if (status s = load(name, *array); !s.ok()) return s;
      known = std::move(array);
    }
    found = known.get();
    return {};
  }

  file_maker make_file_;
  bool is_array_ = false;                                       // the store is one array, no group
  json_value document_;                                         // of the store
  std::map<std::string, std::unique_ptr<known_array>> arrays_;  // that were asked for
};

}  // namespace

status open_store(const dataset_opening& how, file_maker make_file,
                  std::unique_ptr<dataset_reader>& made) {
  auto begun = std::make_unique<reader>(how, make_file);
  if (status s = begun->open(); !s.ok()) return s;
  how.notes.hints.learn(how.settings.hints, hint_list{});
  made = std::move(begun);
  return {};
}

}  // namespace headrace::zarr
