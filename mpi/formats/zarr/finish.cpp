// The end of writing a store: sizes of files, numbers of steps, the documents of groups and arrays.
#include <algorithm>

#include "writer.hpp"

namespace headrace {

// Arrays that share their steps share the array of their numbers: "step", or "<array>_step".
status zarr_writer::name_steps() {
  for (const auto& array : arrays_) {
    if (!array->has_steps) continue;
    std::string name = zarr_steps_dimension;
    const auto known = step_arrays_.find(name);
    const bool taken = find(name) != nullptr;
    if (taken || (known != step_arrays_.end() && known->second != array->steps))
      name = array->name + "_" + zarr_steps_dimension;
    if (find(name) != nullptr)
      return status::failure(stat_code::argument_invalid,
                             "the array \"" + name + "\" has the name of the numbers of steps")
          .in_file(directory_)
          .advise("give that array another name");
    step_arrays_[name] = array->steps;
    array->stored.steps = name;
  }
  return {};
}

status zarr_writer::write_steps(const std::string& name, const std::vector<std::int64_t>& steps,
                                std::string& text) {
  if (status s = make_directory(name); !s.ok()) return s;
  zarr_destination to;
  const auto count = static_cast<std::int64_t>(steps.size());
  to.directory = directory_ + "/" + name;
  to.array.type = {type_class::integer, sizeof(std::int64_t)};
  to.array.shape = {count};
  to.array.chunk = {count};
  to.array.dimensions = {name};
  to.grid.array_rank = 1;
  to.grid.global[0] = count;
  to.grid.chunk[0] = count;
  to.grid.shard.fill(1);
  to.make_file = make_file_;
  to.sync = settings_.sync;
  zarr_output output(to, written_);
  if (status s = output.begin(0); !s.ok()) return s;
  if (status s = output.put(reinterpret_cast<const char*>(steps.data()), 8 * count); !s.ok())
    return s;
  if (status s = output.end(); !s.ok()) return s;
  text = zarr_array_text(to.array, {{zarr_complete_name, "true"}});
  return write_small_file(to.directory + "/zarr.json", text, settings_.sync);
}

// By MPI rank 0 alone. The document of the group comes last: without it this is no store.
status zarr_writer::write_documents() {
  std::map<std::string, std::string> documents;
  std::vector<std::string> directories;
  for (const auto& array : arrays_) {
    zarr_array& stored = array->stored;
    const chunk_grid& grid = array->grid;
    attribute_texts attributes = array->attributes;
    attributes[zarr_complete_name] = "true";
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.array_rank); ++d) {
      stored.shape.push_back(grid.global[d]);
      stored.chunk.push_back(grid.chunk[d]);
      if (grid.sharded) stored.shard.push_back(grid.chunk[d] * grid.shard[d]);
    }
    if (array->has_steps) {
      stored.shape.push_back(static_cast<std::int64_t>(array->steps.size()));
      stored.chunk.push_back(1);
      if (grid.sharded) stored.shard.push_back(1);
      stored.dimensions.push_back(stored.steps);
      attributes[zarr_steps_name] = json_text(stored.steps);
    }
    directories.push_back(directory_ + "/" + array->name);
    documents[array->name] = zarr_array_text(stored, attributes);
    if (status s = write_small_file(directories.back() + "/zarr.json", documents[array->name],
                                    settings_.sync);
        !s.ok())
      return s;
  }
  for (const auto& [name, steps] : step_arrays_) {
    if (status s = write_steps(name, steps, documents[name]); !s.ok()) return s;
    directories.push_back(directory_ + "/" + name);
  }
  if (status s = write_small_file(directory_ + "/zarr.json",
                                  zarr_group_text(attributes_, documents), settings_.sync);
      !s.ok() || !settings_.sync)
    return s;
  directories.push_back(directory_);
  for (const std::string& directory : directories)
    if (status s = sync_directory(directory); !s.ok()) return s;
  return {};
}

status zarr_writer::finish() {
  if (status s = name_steps(); !s.ok()) return s;
  const auto during = notes_.line.during(HR_PHASE_CLOSE);
  return agree_on(*comm_, [&] {
    status result = comm_->rank() == 0 ? write_documents() : status();
    for (const written_file& file : written_)
      if (result.ok()) result = check_file_size(file.name, file.bytes);
    return result;
  });
}

}  // namespace headrace
