#include "writer.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

#include "../../dataset/catalogue.hpp"
#include "attributes.hpp"

namespace headrace {
namespace {

std::vector<std::int64_t> extents_of(const index_list& extents, int array_rank) {
  return {extents.begin(), extents.begin() + array_rank};
}

// d1, d2, ...: names that the caller did not choose.
bool is_default_dimension(const std::string& name) {
  return name.size() > 1 && name[0] == 'd' &&
         name.find_first_not_of("0123456789", 1) == std::string::npos;
}

std::vector<zarr_codec> codecs_of(const parallel_settings& settings) {
  std::vector<zarr_codec> codecs;
  if (settings.compress) codecs.push_back(zarr_codec::zstd);
  if (settings.checksum) codecs.push_back(zarr_codec::crc32c);
  return codecs;
}

}  // namespace

status zarr_array_name(const std::string& wanted, std::string& name) {
  name = wanted.substr(std::min(wanted.find_first_not_of('/'), wanted.size()));
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

zarr_writer::zarr_writer(std::string directory, communicator_ptr comm, parallel_settings settings,
                         parallel_notes& notes, zarr_file_maker make_file)
    : directory_(std::move(directory)),
      comm_(std::move(comm)),
      settings_(std::move(settings)),
      notes_(notes),
      make_file_(make_file) {}

zarr_writer::written_array* zarr_writer::find(const std::string& name) {
  for (const auto& array : arrays_)
    if (array->name == name) return array.get();
  return nullptr;
}

// Readers such as xarray want one extent for each name in a store.
status zarr_writer::check_dimensions(const std::string& name, const array_layout& layout,
                                     std::vector<std::string>& dimensions) {
  std::map<std::string, std::int64_t> all = extents_;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::int64_t extent = layout.global().count[d];
    std::string& dimension = dimensions[d];
    if (!is_utf8(dimension))
      return status::failure(stat_code::argument_invalid, "the name of a dimension is not UTF-8")
          .in_file(directory_);
    auto [known, is_new] = all.try_emplace(dimension, extent);
    if (!is_new && known->second != extent && is_default_dimension(dimension)) {
      dimension = name + "_" + dimension;
      std::tie(known, is_new) = all.try_emplace(dimension, extent);
    }
    if (known->second == extent && dimension != zarr_steps_dimension) continue;
    return status::failure(stat_code::argument_invalid,
                           dimension == zarr_steps_dimension
                               ? "the dimension \"step\" is that of step="
                               : "the dimension \"" + dimension + "\" of the array \"" + name +
                                     "\" has another extent in an array before")
        .in_file(directory_)
        .expected(
            dimension == zarr_steps_dimension ? "another name" : std::to_string(known->second),
            dimension == zarr_steps_dimension ? dimension : std::to_string(extent))
        .advise("give each extent a name of its own with dimensions=");
  }
  extents_ = std::move(all);
  return {};
}

status zarr_writer::make_directory(const std::string& name) const {
  const std::string path = directory_ + "/" + name;
  if (comm_->rank() != 0 || ::mkdir(path.c_str(), 0777) == 0) return {};
  return status::system(errno, "cannot make the directory of an array").in_file(path);
}

status zarr_writer::begin_array(const std::string& name, const array_place& place,
                                const array_view& local, const array_layout& layout,
                                written_array& array) {
  array.name = name;
  array.has_steps = place.step.has_value();
  array.stored.codecs = codecs_of(settings_);
  if (status s = zarr_type_of(local, array.stored.type); !s.ok())
    return std::move(s).in_file(directory_ + "/" + name);
  if (settings_.compress && !has_zstd())
    return status::failure(stat_code::compression_unavailable,
                           "the library was built without libzstd")
        .in_file(directory_)
        .advise("write without compression, or install libzstd-dev and build again");
  array.stored.dimensions = place.dimensions;
  if (status s = check_dimensions(name, layout, array.stored.dimensions); !s.ok()) return s;
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  return agree(*comm_, make_directory(name));
}

status zarr_writer::check_next_state(const written_array& array, const array_place& place,
                                     const zarr_type& type, const array_layout& layout) const {
  const zarr_type& old = array.stored.type;
  next_step next{array.name, array.has_steps, place.step, false, true, {}, layout.global()};
  next.step_is_there =
      place.step && std::count(array.steps.begin(), array.steps.end(), *place.step) > 0;
  next.same_kind = type.type == old.type && type.bytes == old.bytes;
  next.before.array_rank = array.grid.array_rank;
  next.before.count = array.grid.global;
  return check_next_step(next).in_file_once(directory_);
}

status zarr_writer::write(const array_place& place, const array_view& local,
                          const array_layout& layout) {
  std::string name;
  if (status s = zarr_array_name(place.name, name); !s.ok())
    return std::move(s).in_file(directory_);
  written_array* array = find(name);
  const bool is_new = array == nullptr;
  if (is_new) {
    auto made = std::make_unique<written_array>();
    if (status s = begin_array(name, place, local, layout, *made); !s.ok()) return s;
    array = made.get();
    arrays_.push_back(std::move(made));
  } else {
    zarr_type type;
    if (status s = zarr_type_of(local, type); !s.ok()) return s;
    if (status s = check_next_state(*array, place, type, layout); !s.ok()) return s;
  }
  zarr_write_plan plan;
  zarr_destination to;
  const status planned = agree_on(*comm_, [&] {
    plan = plan_zarr_chunks(layout, settings_, is_new ? nullptr : &array->grid);
    array->grid = plan.grid;
    to.directory = directory_ + "/" + name;
    to.array = array->stored;
    to.array.chunk = extents_of(plan.grid.chunk, plan.grid.array_rank);
    to.grid = plan.grid;
    to.state = place.step ? static_cast<std::int64_t>(array->steps.size()) : -1;
    to.make_file = make_file_;
    to.sync = settings_.sync;
    return status();
  });
  if (!planned.ok()) return planned;
  notes_.writers = std::max(notes_.writers, plan.writers);
  notes_.redistributed = notes_.redistributed || plan.redistributed;
  notes_.hints.learn(settings_.hints, plan.in_force);
  if (status s = write_zarr_chunks(to, plan, local, layout, notes_.line, written_); !s.ok())
    return s;
  if (place.step) array->steps.push_back(*place.step);
  return {};
}

status zarr_writer::write_attribute(const std::string& array, const std::string& name,
                                    const array_view& value) {
  attribute_texts* attributes = &attributes_;
  if (!array.empty()) {
    written_array* const found = find(array);
    if (found == nullptr)
      return status::failure(stat_code::array_missing,
                             "the store has no array \"" + array + "\" for an attribute")
          .in_file(directory_)
          .advise("write the array before its attributes");
    attributes = &found->attributes;
  }
  if (name.empty() || !is_utf8(name) || name.compare(0, 9, "headrace_") == 0)
    return status::failure(stat_code::argument_invalid,
                           "\"" + name + "\" cannot be the name of an attribute")
        .in_file(directory_)
        .advise("take UTF-8 that does not begin with headrace_");
  return agree_on(*comm_, [&] {
    return json_of_attribute(value, (*attributes)[name]).in_file_once(directory_);
  });
}

}  // namespace headrace
