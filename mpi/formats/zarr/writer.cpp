#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "../../../src/core/codecs.hpp"
#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"
#include "store.hpp"

namespace headrace::zarr {
namespace {

constexpr std::int64_t step_chunk = 512;  // numbers of steps in a file

std::vector<byte_codec> codecs_of(const parallel_settings& settings) {
  std::vector<byte_codec> codecs;
  if (settings.compress) codecs.push_back(byte_codec::zstd);
  if (settings.checksum) codecs.push_back(byte_codec::crc32c);
  return codecs;
}

// Names that can be directories of a store.
status check_array_name(const std::string& name) {
  const bool control = std::any_of(name.begin(), name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (!name.empty() && name.size() <= 200 && name != "." && name != ".." &&
      name.find('/') == std::string::npos && name.compare(0, 2, "__") != 0 && name != "zarr.json" &&
      !control && is_utf8(name))
    return {};
  return status::failure(stat_code::argument_invalid,
                         "\"" + name + "\" cannot be the name of an array in a Zarr store")
      .advise(
          "each array is a directory: take 1 to 200 characters without a slash, not \".\", "
          "\"..\", zarr.json or __ in front");
}

status is_called_as_steps(const std::string& array) {
  return status::failure(stat_code::argument_invalid,
                         "the array \"" + array + "\" has the name of the numbers of steps")
      .advise("give that array another name");
}

// As this writer makes them, so that it can go on with them.
bool is_ours(const array_document& stored) {
  return std::is_sorted(stored.order.begin(), stored.order.end()) && stored.complete &&
         !stored.swapped && !stored.index_swapped && stored.index_at_end && stored.index_checked &&
         !stored.old_keys && stored.separator == '.';
}

chunk_grid one_chunk(const array_layout& layout) {
  chunk_grid grid;
  grid.array_rank = layout.array_rank();
  grid.global = layout.global().count;
  for (std::size_t d = 0; d < grid.chunk.size(); ++d)
    grid.chunk[d] = std::max<std::int64_t>(1, grid.global[d]);
  grid.shard.fill(1);
  return grid;
}

class writer final : public dataset_writer {
 public:
  // make_file: how chunks are written.
  writer(const dataset_opening& how, file_maker make_file)
      : dataset_writer(how), make_file_(make_file) {}

  // Collective: goes on with the store that is there.
  status open() {
    const auto during = notes_.line.during(HR_PHASE_OPEN);
    std::vector<std::string> texts;
    std::vector<named_steps> steps;
    const auto gather = [&] {
      return gather_documents(path_, make_file_, notes_.line, texts, steps);
    };
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

  // A failure of one MPI rank alone comes back on it alone if nothing is exchanged: all of them
  // agree at the end of the call.
  status write(const catalogue_entry& entry, const array_view& local,
               const array_layout& layout) override {
    written_array* array = nullptr;
    if (status s = take_up(entry, local, array); !s.ok()) return s;
    return write_state(*array, entry, local, layout);
  }

  status accept(const catalogue_entry& entry, const array_view& local,
                const array_layout& layout) override {
    written_array* array = nullptr;
    if (status s = take_up(entry, local, array); !s.ok()) return s;
    if (entry.is_new)
      array->grid = is_in_chunks() ? one_chunk(layout)
                                   : plan_chunks(layout, settings_, array->stored, nullptr).grid;
    return {};
  }

  // Small arrays that were kept, many at a time: each is one chunk, and the MPI ranks take turns in
  // writing them.
  status prepare(kept_arrays& kept) override {
    std::vector<int> owners;
    together_.clear();
    for (std::size_t i = 0; i < kept.all().size(); ++i) {
      owners.push_back(owner_of(kept.all()[i], i));
      if (owners[i] == kept_delivery::nobody) together_.push_back(i);
      notes_.writers = std::max({notes_.writers, owners[i] + 1, 1});
    }
    delivery_ = std::make_unique<kept_delivery>(kept, *comm_, std::move(owners));
    notes_.hints.learn(settings_.hints, hint_list{});
    return {};
  }

  status write_kept(kept_arrays& kept) override {
    notes_.redistributed = notes_.redistributed || comm_->size() > 1;
    delivery_->exchange(notes_.line);
    status written = caught([&] { return write_own(kept.all()); });
    delivery_.reset();
    if (together_.empty()) return written;
    return run_to_end(*comm_, [&] {
      // Who failed alone must not leave the others with the next array.
      for (const std::size_t number : together_) {
        written = agree(*comm_, std::move(written));
        if (!written.ok()) break;
        const kept_array& one = kept.all()[number];
        written =
            write_state(*find(one.entry.array->name), one.entry, kept.view_of(one), *one.layout);
      }
      return written;
    });
  }

  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override {
    attribute_texts* attributes = &attributes_;
    written_array* const found = array.empty() ? nullptr : find(array);
    if (!array.empty() && (found == nullptr || found->known == nullptr))
      return no_array_to_describe(array).in_file(path_);
    if (found != nullptr) {
      attributes = &found->attributes;
      found->is_changed = true;
    }
    if (name.empty() || !is_utf8(name) || name.compare(0, 9, "headrace_") == 0)
      return status::failure(stat_code::argument_invalid,
                             "\"" + name + "\" cannot be the name of an attribute")
          .in_file(path_)
          .advise("take UTF-8 that does not begin with headrace_");
    std::string text;
    status made = json_of_attribute(value, text);
    if (made.ok()) (*attributes)[name] = std::move(text);
    return std::move(made).in_file_once(path_);
  }

  status flush() override {
    const auto during = notes_.line.during(HR_PHASE_CLOSE);
    const auto check_sizes = [&](status result) {
      for (const written_file& file : written_)
        if (result.ok()) result = check_file_size(file.name, file.bytes);
      written_.clear();
      return result;
    };
    const status whole = agree_on(*comm_, [&] { return check_sizes(name_steps()); });
    if (!whole.ok()) return whole;
    return agree_on(*comm_, [&] {
      status result = check_sizes(comm_->rank() == 0 ? write_documents() : status());
      for (const auto& array : arrays_) array->is_changed = false;
      for (auto& [name, steps] : steps_) steps.stored = steps.numbers.size();
      has_document_ = true;
      return result;
    });
  }

  void renamed(const std::string& file) noexcept override { path_ = file; }
  status finish() override { return flush(); }

 private:
  struct written_array {
    std::string name;
    const described_array* known = nullptr;  // null: of another program, and left as it is
    array_document stored;  // its last dimension, of the steps, is added in the document
    chunk_grid grid;
    bool is_changed = true;  // since its document was written
    attribute_texts attributes;

    bool has_steps() const noexcept { return known != nullptr && known->has_steps; }
  };

  written_array* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  written_array& add(std::unique_ptr<written_array> made) {
    written_array*& found = by_name_[made->name];  // null if there is no memory for the rest
    arrays_.push_back(std::move(made));
    found = arrays_.back().get();
    return *found;
  }

  status take_documents(const std::vector<std::string>& texts) {
    json_value attributes;
    if (status s = parse_json(texts[0], attributes); !s.ok()) return s;
    for (std::size_t i = 0; i < attributes.names.size(); ++i)
      attributes_[attributes.names[i]] = json_text(attributes.items[i]);
    for (std::size_t i = 1; i + 1 < texts.size(); i += 2) take_array(texts[i], texts[i + 1]);
    return {};
  }

  void take_array(const std::string& name, const std::string& text) {
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

  // Readers such as xarray want one extent for each name in a store.
  status check_dimensions(const described_array& array) const {
    for (std::size_t d = 0; d < array.dimensions.size(); ++d) {
      const std::string& dimension = array.dimensions[d];
      if (!is_utf8(dimension))
        return status::failure(stat_code::argument_invalid, "the name of a dimension is not UTF-8")
            .in_file(path_);
      const std::int64_t extent = array.global.count[d];
      const std::optional<std::int64_t> other = catalogue_.other_extent(dimension, extent);
      const bool is_of_steps = dimension == steps_dimension;
      if (!other && !is_of_steps) continue;
      return status::failure(stat_code::argument_invalid,
                             is_of_steps
                                 ? "the dimension \"step\" is that of step="
                                 : "the dimension \"" + dimension + "\" of the array \"" +
                                       array.name + "\" has another extent in an array before")
          .in_file(path_)
          .expected(is_of_steps ? "another name" : std::to_string(*other),
                    is_of_steps ? dimension : std::to_string(extent))
          .advise("give each extent a name of its own with dimensions=");
    }
    return {};
  }

  status begin_array(const array_view& local, written_array& array) {
    if (status s = check_array_name(array.name); !s.ok()) return std::move(s).in_file(path_);
    if (steps_.count(array.name) > 0) return is_called_as_steps(array.name).in_file(path_);
    array.stored.codecs = codecs_of(settings_);
    if (status s = type_of(local, array.stored.type); !s.ok())
      return std::move(s).in_file(path_ + "/" + array.name);
    if (settings_.compress && !has_zstd())
      return status::failure(stat_code::compression_unavailable,
                             "the library was built without libzstd")
          .in_file(path_)
          .advise("write without compression, or install libzstd-dev and build again");
    array.stored.dimensions = array.known->dimensions;
    return check_dimensions(*array.known);
  }

  // The array in the store, which begins there if it is new.
  status take_up(const catalogue_entry& entry, const array_view& local, written_array*& array) {
    array = find(entry.array->name);
    if (array == nullptr) {
      auto made = std::make_unique<written_array>();
      made->name = entry.array->name;
      made->known = entry.array;
      if (status s = begin_array(local, *made); !s.ok()) return s;
      array = &add(std::move(made));
    } else if (array->known == nullptr) {
      return status::failure(stat_code::argument_invalid,
                             "the array \"" + array->name +
                                 "\" is of another program: nothing can be added to it")
          .in_file(path_)
          .advise("give the array another name");
    } else {
      array->known = entry.array;  // another one after a failure
    }
    array->is_changed = true;
    return {};
  }

  chunk_files files_of(const written_array& array, std::int64_t state) const {
    return {path_ + "/" + array.name, array.stored, array.grid, state, make_file_, settings_.sync};
  }

  status write_state(written_array& array, const catalogue_entry& entry, const array_view& local,
                     const array_layout& layout) {
    const write_plan plan =
        plan_chunks(layout, settings_, array.stored, entry.is_new ? nullptr : &array.grid);
    array.grid = plan.grid;
    const chunk_files to = files_of(array, entry.step);
    notes_.writers = std::max(notes_.writers, plan.writers);
    notes_.redistributed = notes_.redistributed || plan.redistributed;
    notes_.hints.learn(settings_.hints, plan.in_force);
    // Who had no memory for that has left, and is met here: not in the exchange.
    if (!*plan.pieces->all_are_own)
      if (status s = agree(*comm_, {}); !s.ok()) return s;
    return write_chunks(to, plan, local, layout, notes_.line, written_);
  }

  // Arrays that share their steps share the array of their numbers: "step", or "<array>_step".
  status name_steps() {
    std::set<std::string> named;
    for (const auto& array : arrays_) {
      if (!array->has_steps()) continue;
      std::string name = array->stored.steps.empty() ? steps_dimension : array->stored.steps;
      const bool is_taken =
          find(name) != nullptr ||
          (named.count(name) > 0 && steps_[name].numbers != array->known->steps.numbers());
      if (is_taken) name = array->name + "_" + steps_dimension;
      if (find(name) != nullptr) return is_called_as_steps(name).in_file(path_);
      named.insert(name);
      steps_[name].numbers = array->known->steps.numbers();
      if (array->stored.steps != name) array->is_changed = true;
      array->stored.steps = name;
    }
    return {};
  }

  // Replaced by those who know the store as it was before; before the store's own document.
  status put_document(const std::string& name, const std::string& text) {
    const std::string directory = path_ + "/" + name;
    std::string& known = documents_[name];
    const bool is_new = known.empty();
    known = text;
    const auto write = [&] {
      return write_small_file(directory + "/zarr.json", text, !is_new, settings_.sync);
    };
    // An array as a rule has a directory, for its chunks.
    status written = write();
    if (!is_new || written.code() != ENOENT) return written;
    if (status s = make_directory(directory); !s.ok()) return s;
    return write();
  }

  // Files of numbers: the last one is replaced by one that has the new numbers too.
  status write_steps(const std::string& name, step_numbers& steps) {
    const std::size_t count = steps.numbers.size();
    if (steps.stored == count) return {};
    if (steps.chunk == 0) steps.chunk = step_chunk;
    array_document stored;
    stored.type = {type_class::integer, sizeof(std::int64_t)};
    stored.shape = {static_cast<std::int64_t>(count)};
    stored.chunk = {steps.chunk};
    stored.dimensions = {name};
    const std::string directory = path_ + "/" + name;
    if (status s = make_directory(directory); !s.ok()) return s;
    const auto in_file = static_cast<std::size_t>(steps.chunk);
    for (std::size_t file = steps.stored / in_file; file * in_file < count; ++file) {
      const std::size_t begin = file * in_file;
      std::string bytes(8 * in_file, '\0');
      std::memcpy(bytes.data(), &steps.numbers[begin], 8 * std::min(in_file, count - begin));
      const std::string key = stored.key_of({static_cast<std::int64_t>(file)});
      if (status s = write_small_file(directory + "/" + key, bytes, true, settings_.sync); !s.ok())
        return s;
      written_.push_back({directory + "/" + key, static_cast<std::int64_t>(8 * in_file)});
    }
    return put_document(name, array_text(stored, {{complete_name, "true"}}));
  }

  // Arrays as a rule differ in their names, which are not in their documents.
  static bool have_one_text(const written_array& one, const written_array& other) {
    const auto parts_of = [](const written_array& array) {
      const chunk_grid& grid = array.grid;
      return std::tie(array.stored.type.type, array.stored.type.bytes, array.stored.codecs,
                      array.stored.dimensions, array.attributes, grid.array_rank, grid.global,
                      grid.chunk, grid.shard, grid.sharded);
    };
    return !one.has_steps() && !other.has_steps() && parts_of(one) == parts_of(other);
  }

  static std::string text_of(const written_array& array) {
    array_document stored = array.stored;
    const chunk_grid& grid = array.grid;
    attribute_texts attributes = array.attributes;
    attributes[complete_name] = "true";
    stored.shape.clear();
    stored.chunk.clear();
    stored.shard.clear();
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.array_rank); ++d) {
      stored.shape.push_back(grid.global[d]);
      stored.chunk.push_back(grid.chunk[d]);
      if (grid.sharded) stored.shard.push_back(grid.chunk[d] * grid.shard[d]);
    }
    if (array.has_steps()) {
      stored.shape.push_back(array.known->steps.count());
      stored.chunk.push_back(1);
      if (grid.sharded) stored.shard.push_back(1);
      stored.dimensions.push_back(stored.steps);
      attributes[steps_name] = json_text(stored.steps);
    }
    return array_text(stored, attributes);
  }

  // The document of the store comes last: without it this is no store, and with it all that it
  // names is there.
  status write_documents() {
    std::vector<std::string> names;
    for (auto& [name, steps] : steps_) {
      if (steps.stored != steps.numbers.size()) names.push_back(path_ + "/" + name + "/zarr.json");
      if (status s = write_steps(name, steps); !s.ok()) return s;
    }
    std::string text;
    const written_array* of_text = nullptr;
    for (const auto& array : arrays_) {
      if (!array->is_changed || array->known == nullptr) continue;
      if (of_text == nullptr || !have_one_text(*of_text, *array)) text = text_of(*array);
      of_text = array.get();
      if (status s = put_document(array->name, text); !s.ok()) return s;
      names.push_back(path_ + "/" + array->name + "/zarr.json");
    }
    const std::string own = path_ + "/zarr.json";
    names.push_back(own);
    for (std::size_t i = 0; settings_.sync && i < names.size(); ++i)
      if (status s = sync_name(names[i]).in_file(names[i]); !s.ok()) return s;
    if (status s = write_small_file(own, group_text(attributes_, documents_), has_document_,
                                    settings_.sync);
        !s.ok())
      return s;
    return settings_.sync ? sync_name(own).in_file(own) : status();
  }

  bool is_in_chunks() const noexcept {
    return settings_.pattern == write_pattern::serial ||
           settings_.pattern == write_pattern::file_per_process;
  }

  // One that was begun in several chunks, or in a shard, goes on in them: all write it together.
  int owner_of(const kept_array& one, std::size_t number) const {
    const chunk_grid& grid = find(one.entry.array->name)->grid;
    if (!is_in_chunks() || grid.chunks() > 1 || grid.sharded) return kept_delivery::nobody;
    const bool is_serial = settings_.pattern == write_pattern::serial;
    return is_serial ? 0 : static_cast<int>(number) % comm_->size();
  }

  // Not collective.
  status write_own(const std::vector<kept_array>& all) {
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!delivery_->is_mine(i)) continue;
      const char* const data = delivery_->next_whole(i);
      const written_array& array = *find(all[i].entry.array->name);
      if (array.grid.chunks() == 0) continue;
      const chunk_files to = files_of(array, all[i].entry.step);
      status written = all[i].entry.is_new ? make_directory(to.directory) : status();
      if (written.ok()) written = write_only_chunk(to, data, written_);
      if (!written.ok()) return std::move(written).in_array(array.name);
    }
    return {};
  }

  file_maker make_file_;
  std::unique_ptr<kept_delivery> delivery_;             // of small arrays that were kept
  std::vector<std::size_t> together_;                   // those that nobody writes alone
  std::vector<std::unique_ptr<written_array>> arrays_;  // in the order in which they came
  std::unordered_map<std::string, written_array*> by_name_;
  std::map<std::string, step_numbers> steps_;     // by the names of their arrays
  std::map<std::string, std::string> documents_;  // in the store, on MPI rank 0
  bool has_document_ = false;                     // the store
  attribute_texts attributes_;
  std::vector<written_file> written_;
};

}  // namespace

status create_store(const dataset_opening& how, file_maker make_file,
                    std::unique_ptr<dataset_writer>& made) {
  auto begun = std::make_unique<writer>(how, make_file);
  if (how.appends)
    if (status s = begun->open(); !s.ok()) return s;
  made = std::move(begun);
  return {};
}

}  // namespace headrace::zarr

const headrace::backend headrace::zarr_backend = {
    "zarr",
    can_serial | can_file_per_process | can_file_per_node | can_shared_independent |
        can_shared_collective | can_own_transfer | is_a_directory | can_checksum | can_compress |
        can_append | can_keep,
    write_pattern::file_per_process,
    transfer_way::headrace,
    nullptr,
    zarr::create_store<zarr::make_system_file>,
    zarr::open_store<zarr::make_system_file>};
