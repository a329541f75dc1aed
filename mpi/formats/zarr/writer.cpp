#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "../../dataset/catalogue.hpp"
#include "../../together/from_root.hpp"
#include "store.hpp"

namespace headrace::zarr {
namespace {

constexpr std::int64_t step_chunk = 512;  // numbers of steps in a file

// d1, d2, ...: names that the caller did not choose.
bool is_default_dimension(const std::string& name) {
  return name.size() > 1 && name[0] == 'd' &&
         name.find_first_not_of("0123456789", 1) == std::string::npos;
}

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

writer::writer(std::string directory, communicator_ptr comm, parallel_settings settings,
               parallel_notes& notes, file_maker make_file)
    : directory_(std::move(directory)),
      comm_(std::move(comm)),
      settings_(std::move(settings)),
      notes_(notes),
      make_file_(make_file) {}

writer::written_array* writer::find(const std::string& name) {
  for (const auto& array : arrays_)
    if (array->name == name) return array.get();
  return nullptr;
}

// MPI rank 0: the attributes of the store, the names and documents of its arrays, and the numbers
// of steps.
status writer::gather_documents(root_message& all) {
  json_value store;
  std::string text;
  std::string node_type;
  std::map<std::string, json_value> found;
  if (status s = document_in(directory_, text); !s.ok()) return s;
  if (status s = parse_json(text, store).in_file_once(directory_ + "/zarr.json"); !s.ok()) return s;
  if (status s = node_type_of(store, node_type); !s.ok())
    return std::move(s).in_file(directory_ + "/zarr.json");
  if (node_type == "array")
    return status::failure(stat_code::argument_invalid,
                           "the store is one array, to which nothing can be added")
        .in_file(directory_)
        .advise("write the arrays to a store of their own");
  if (status s = arrays_in(directory_, found); !s.ok()) return s;
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
    remove_steps_from(directory_ + "/" + name, static_cast<std::size_t>(stored.shape.back()));
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
    if (status s = read_numbers(directory_ + "/" + stored.steps, numbers, make_file_, notes_.line,
                                known.numbers);
        !s.ok())
      return s;
  }
  for_each_entry(directory_, [&](const std::string& name) {
    std::string left;
    json_value document;
    const std::string inner = directory_ + "/" + name;
    if (name != "." && name != ".." && found.count(name) == 0 &&
        !(read_small_file(inner + "/zarr.json", longest_document, left).ok() &&
          parse_json(left, document).ok()))
      remove_unfinished(inner);
  });
  all.numbers.push_back(static_cast<std::int64_t>(texts.size()));
  for (const auto& [name, known] : steps) {
    texts.push_back(name);
    all.numbers.push_back(known.chunk);
    all.numbers.push_back(static_cast<std::int64_t>(known.numbers.size()));
    all.numbers.insert(all.numbers.end(), known.numbers.begin(), known.numbers.end());
  }
  all.text = joined_texts(texts);
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
  array->is_foreign = !parse_array(document, stored).ok() || !is_ours(stored);
  if (steps_.count(name) > 0) return {};
  const auto numbers = steps_.find(stored.steps);
  array->has_steps = !stored.steps.empty();
  if (array->has_steps &&
      (numbers == steps_.end() ||
       numbers->second.numbers.size() != static_cast<std::size_t>(stored.shape.back())))
    array->is_foreign = true;
  if (!array->is_foreign) {
    if (array->has_steps) {
      array->steps = numbers->second.numbers;
      stored.dimensions.pop_back();
    }
    chunk_grid& grid = array->grid;
    grid.array_rank = static_cast<int>(stored.shape.size()) - (array->has_steps ? 1 : 0);
    grid.shard.fill(1);
    grid.sharded = !stored.shard.empty();
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.array_rank); ++d) {
      grid.global[d] = stored.shape[d];
      grid.chunk[d] = stored.chunk[d];
      if (grid.sharded) grid.shard[d] = stored.shard[d] / stored.chunk[d];
      extents_[stored.dimensions[d]] = stored.shape[d];
    }
    for (std::size_t i = 0; i < stored.attributes.names.size(); ++i)
      array->attributes[stored.attributes.names[i]] = json_text(stored.attributes.items[i]);
  }
  arrays_.push_back(std::move(array));
  return {};
}

status writer::take_documents(const root_message& all) {
  std::vector<std::string> texts = split_texts(all.text);
  const auto of_arrays = static_cast<std::size_t>(all.numbers[0]);
  std::size_t at = 1;
  for (std::size_t i = of_arrays; i < texts.size(); ++i) {
    step_numbers& known = steps_[texts[i]];
    known.chunk = all.numbers[at];
    known.stored = static_cast<std::size_t>(all.numbers[at + 1]);
    const auto begin = all.numbers.begin() + static_cast<std::ptrdiff_t>(at + 2);
    known.numbers.assign(begin, begin + static_cast<std::ptrdiff_t>(known.stored));
    at += 2 + known.stored;
  }
  json_value attributes;
  if (status s = parse_json(texts[0], attributes); !s.ok()) return s;
  for (std::size_t i = 0; i < attributes.names.size(); ++i)
    attributes_[attributes.names[i]] = json_text(attributes.items[i]);
  for (std::size_t i = 1; i + 1 < of_arrays; i += 2)
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

// Readers such as xarray want one extent for each name in a store.
status writer::check_dimensions(const std::string& name, const array_layout& layout,
                                std::vector<std::string>& dimensions) {
  std::map<std::string, std::int64_t> added;
  const auto known_extent = [&](const std::string& dimension, std::int64_t extent) {
    const auto known = extents_.find(dimension);
    return known != extents_.end() ? known->second
                                   : added.try_emplace(dimension, extent).first->second;
  };
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::int64_t extent = layout.global().count[d];
    std::string& dimension = dimensions[d];
    if (!is_utf8(dimension))
      return status::failure(stat_code::argument_invalid, "the name of a dimension is no UTF-8")
          .in_file(directory_);
    std::int64_t known = known_extent(dimension, extent);
    if (known != extent && is_default_dimension(dimension)) {
      dimension = name + "_" + dimension;
      known = known_extent(dimension, extent);
    }
    const bool is_of_steps = dimension == steps_dimension;
    if (known == extent && !is_of_steps) continue;
    return status::failure(stat_code::argument_invalid,
                           is_of_steps ? "the dimension \"step\" is that of step="
                                       : "the dimension \"" + dimension + "\" of the array \"" +
                                             name + "\" has another extent in an array before")
        .in_file(directory_)
        .expected(is_of_steps ? "another name" : std::to_string(known),
                  is_of_steps ? dimension : std::to_string(extent))
        .advise("give each extent a name of its own with dimensions=");
  }
  extents_.merge(added);
  return {};
}

status writer::begin_array(const array_place& place, const array_view& local,
                           const array_layout& layout, written_array& array) {
  if (status s = check_array_name(place.name); !s.ok()) return std::move(s).in_file(directory_);
  if (steps_.count(place.name) > 0)
    return status::failure(stat_code::argument_invalid,
                           "the array \"" + place.name + "\" has the name of the numbers of steps")
        .in_file(directory_)
        .advise("give that array another name");
  array.name = place.name;
  array.has_steps = place.step.has_value();
  array.stored.codecs = codecs_of(settings_);
  if (status s = type_of(local, array.stored.type); !s.ok())
    return std::move(s).in_file(directory_ + "/" + place.name);
  if (settings_.compress && !has_zstd())
    return status::failure(stat_code::compression_unavailable,
                           "the library was built without libzstd")
        .in_file(directory_)
        .advise("write without compression, or install libzstd-dev and build again");
  array.stored.dimensions = place.dimensions;
  return check_dimensions(place.name, layout, array.stored.dimensions);
}

status writer::check_next_state(const written_array& array, const array_place& place,
                                const array_view& local, const array_layout& layout) const {
  element_type type;
  if (status s = type_of(local, type); !s.ok()) return s;
  if (array.is_foreign)
    return status::failure(
               stat_code::argument_invalid,
               "the array \"" + array.name + "\" is of another program: nothing can be added to it")
        .in_file(directory_)
        .advise("give the array another name");
  const element_type& old = array.stored.type;
  next_step next{array.name, array.has_steps, place.step, false, true, {}, layout.global()};
  next.step_is_there =
      place.step && std::count(array.steps.begin(), array.steps.end(), *place.step) > 0;
  next.same_kind = type.type == old.type && type.bytes == old.bytes;
  next.before.array_rank = array.grid.array_rank;
  next.before.count = array.grid.global;
  return check_next_step(next).in_file_once(directory_);
}

// A failure of one MPI rank alone comes back on it alone where nothing is exchanged: all of them
// agree at the end of the call.
status writer::write(const array_place& place, const array_view& local,
                     const array_layout& layout) {
  written_array* array = find(place.name);
  const bool is_new = array == nullptr;
  if (is_new) {
    auto made = std::make_unique<written_array>();
    if (status s = begin_array(place, local, layout, *made); !s.ok()) return s;
    array = made.get();
    arrays_.push_back(std::move(made));
  } else if (status s = check_next_state(*array, place, local, layout); !s.ok()) {
    return s;
  }
  const write_plan plan = plan_chunks(layout, settings_, is_new ? nullptr : &array->grid);
  array->grid = plan.grid;
  array->is_changed = true;
  const destination to = {
      directory_ + "/" + place.name,
      array->stored,
      array->grid,
      array->grid.chunk_volume() * static_cast<std::int64_t>(array->stored.type.bytes),
      place.step ? static_cast<std::int64_t>(array->steps.size()) : -1,
      make_file_,
      settings_.sync};
  notes_.writers = std::max(notes_.writers, plan.writers);
  notes_.redistributed = notes_.redistributed || plan.redistributed;
  notes_.hints.learn(settings_.hints, plan.in_force);
  status written = plan.direct ? write_own_chunk(to, local, layout, notes_.line, written_)
                               : write_chunks(to, plan, local, layout, notes_.line, written_);
  if (written.ok() && place.step) array->steps.push_back(*place.step);
  return written;
}

status writer::write_attribute(const std::string& array, const std::string& name,
                               const array_view& value) {
  attribute_texts* attributes = &attributes_;
  written_array* const found = array.empty() ? nullptr : find(array);
  if (!array.empty() && (found == nullptr || found->is_foreign))
    return status::failure(stat_code::array_missing,
                           "the store has no array \"" + array + "\" for an attribute")
        .in_file(directory_)
        .advise("write the array before its attributes");
  if (found != nullptr) {
    attributes = &found->attributes;
    found->is_changed = true;
  }
  if (name.empty() || !is_utf8(name) || name.compare(0, 9, "headrace_") == 0)
    return status::failure(stat_code::argument_invalid,
                           "\"" + name + "\" cannot be the name of an attribute")
        .in_file(directory_)
        .advise("take UTF-8 that does not begin with headrace_");
  return json_of_attribute(value, (*attributes)[name]).in_file_once(directory_);
}

// Arrays that share their steps share the array of their numbers: "step", or "<array>_step".
status writer::name_steps() {
  std::set<std::string> named;
  for (const auto& array : arrays_) {
    if (!array->has_steps || array->is_foreign) continue;
    std::string name = array->stored.steps.empty() ? steps_dimension : array->stored.steps;
    const bool is_taken =
        find(name) != nullptr || (named.count(name) > 0 && steps_[name].numbers != array->steps);
    if (is_taken) name = array->name + "_" + steps_dimension;
    if (find(name) != nullptr)
      return status::failure(stat_code::argument_invalid,
                             "the array \"" + name + "\" has the name of the numbers of steps")
          .in_file(directory_)
          .advise("give that array another name");
    named.insert(name);
    steps_[name].numbers = array->steps;
    if (array->stored.steps != name) array->is_changed = true;
    array->stored.steps = name;
  }
  return {};
}

// Replaced by those who know the store as it was before; before the store's own document.
status writer::put_document(const std::string& name, const std::string& text) {
  const std::string directory = directory_ + "/" + name;
  std::string& known = documents_[name];
  const bool is_new = known.empty();
  known = text;
  if (is_new)
    if (status s = make_directory(directory); !s.ok()) return s;
  return write_small_file(directory + "/zarr.json", text, !is_new, settings_.sync);
}

// The numbers before stay where they are, untouched.
status writer::write_steps(const std::string& name, step_numbers& steps) {
  const auto count = static_cast<std::int64_t>(steps.numbers.size());
  auto done = static_cast<std::int64_t>(steps.stored);
  if (done == count) return {};
  if (steps.chunk == 0) steps.chunk = step_chunk;
  array_document stored;
  stored.type = {type_class::integer, sizeof(std::int64_t)};
  stored.shape = {count};
  stored.chunk = {steps.chunk};
  stored.dimensions = {name};
  const std::string directory = directory_ + "/" + name;
  if (status s = make_directory(directory); !s.ok()) return s;
  for (std::int64_t end = 0; done < count; done = end) {
    const std::int64_t chunk = done / steps.chunk;
    const std::int64_t begin = chunk * steps.chunk;
    end = std::min(count, begin + steps.chunk);
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(steps.chunk), 0);
    std::copy(steps.numbers.begin() + begin, steps.numbers.begin() + end, numbers.begin());
    const std::string file = directory + "/" + stored.key_of({chunk});
    const std::int64_t from = (done - begin) * 8;
    positioned_file to;
    if (from == 0) ::unlink(file.c_str());  // what a killed program left
    if (status s = from == 0 ? to.create(file) : to.open_to_write(file); !s.ok()) return s;
    const std::int64_t bytes = steps.chunk * 8;
    if (status s =
            to.write_at(from, reinterpret_cast<const char*>(numbers.data()) + from, bytes - from);
        !s.ok())
      return s;
    if (status s = settings_.sync ? to.sync() : status(); !s.ok()) return s;
    if (status s = to.close(); !s.ok()) return s;
    written_.push_back({file, bytes});
  }
  return put_document(name, array_text(stored, {{complete_name, "true"}}));
}

status writer::write_array(written_array& array) {
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
  if (array.has_steps) {
    stored.shape.push_back(static_cast<std::int64_t>(array.steps.size()));
    stored.chunk.push_back(1);
    if (grid.sharded) stored.shard.push_back(1);
    stored.dimensions.push_back(stored.steps);
    attributes[steps_name] = json_text(stored.steps);
  }
  return put_document(array.name, array_text(stored, attributes));
}

// The document of the store comes last: without it this is no store, and with it all that it names
// is there.
status writer::write_documents() {
  std::vector<std::string> directories;
  for (auto& [name, steps] : steps_) {
    if (steps.stored != steps.numbers.size()) directories.push_back(directory_ + "/" + name);
    if (status s = write_steps(name, steps); !s.ok()) return s;
  }
  for (const auto& array : arrays_) {
    if (!array->is_changed || array->is_foreign) continue;
    if (status s = write_array(*array); !s.ok()) return s;
    directories.push_back(directory_ + "/" + array->name);
  }
  directories.push_back(directory_);
  for (std::size_t i = 0; settings_.sync && i < directories.size(); ++i)
    if (status s = sync_directory(directories[i]); !s.ok()) return s;
  if (status s = write_small_file(directory_ + "/zarr.json", group_text(attributes_, documents_),
                                  has_document_, settings_.sync);
      !s.ok())
    return s;
  return settings_.sync ? sync_directory(directory_) : status();
}

status writer::flush() {
  const auto during = notes_.line.during(HR_PHASE_CLOSE);
  const status whole = agree_on(*comm_, [&] {
    status result = name_steps();
    for (const written_file& file : written_)
      if (result.ok()) result = check_file_size(file.name, file.bytes);
    written_.clear();
    return result;
  });
  if (!whole.ok()) return whole;
  return agree_on(*comm_, [&] {
    status result = comm_->rank() == 0 ? write_documents() : status();
    for (const written_file& file : written_)
      if (result.ok()) result = check_file_size(file.name, file.bytes);
    written_.clear();
    for (const auto& array : arrays_) array->is_changed = false;
    for (auto& [name, steps] : steps_) steps.stored = steps.numbers.size();
    has_document_ = true;
    return result;
  });
}

void writer::renamed(const std::string& file) noexcept {
  directory_ = file;
}

namespace {

status create_zarr(const std::string& file, const communicator_ptr& comm,
                   const parallel_settings& settings, parallel_notes& notes,
                   std::unique_ptr<dataset_writer>& made) {
  made = std::make_unique<writer>(file, comm, settings, notes, nullptr);
  return {};
}

status append_to_zarr(const std::string& file, const communicator_ptr& comm,
                      const parallel_settings& settings, parallel_notes& notes,
                      std::unique_ptr<dataset_writer>& made) {
  auto begun = std::make_unique<writer>(file, comm, settings, notes, nullptr);
  if (status s = begun->open(); !s.ok()) return s;
  made = std::move(begun);
  return {};
}

status open_zarr(const std::string& file, const communicator_ptr& comm,
                 const parallel_settings& settings, parallel_notes& notes,
                 std::unique_ptr<dataset_reader>& made) {
  auto begun = std::make_unique<reader>(file, comm, notes, nullptr);
  if (status s = begun->open(); !s.ok()) return s;
  notes.hints.learn(settings.hints, hint_list{});
  made = std::move(begun);
  return {};
}

}  // namespace
}  // namespace headrace::zarr

const headrace::backend headrace::zarr_backend = {
    "zarr",
    can_serial | can_file_per_process | can_file_per_node | can_shared_independent |
        can_shared_collective | can_own_transfer | is_a_directory | can_checksum | can_compress |
        can_many_arrays | can_append,
    write_pattern::file_per_process,
    transfer_way::headrace,
    nullptr,
    zarr::create_zarr,
    zarr::open_zarr,
    zarr::append_to_zarr};
