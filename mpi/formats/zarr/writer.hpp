// A Zarr store that is being written. Next: zarr/write.hpp writes the chunks of an array.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../../dataset/backend.hpp"
#include "write.hpp"

namespace headrace {

class zarr_writer final : public dataset_writer {
 public:
  // directory: empty. make_file: how chunks are written.
  zarr_writer(std::string directory, communicator_ptr comm, parallel_settings settings,
              parallel_notes& notes, zarr_file_maker make_file);

  status write(const array_place& place, const array_view& local,
               const array_layout& layout) override;
  status write_attribute(const std::string& array, const std::string& name,
                         const array_view& value) override;
  status finish() override;

 private:
  struct written_array {
    std::string name;
    zarr_array stored;  // its last dimension, of the steps, is added in the end
    chunk_grid grid;
    bool has_steps = false;
    std::vector<std::int64_t> steps;
    attribute_texts attributes;
  };

  written_array* find(const std::string& name);
  status begin_array(const std::string& name, const array_place& place, const array_view& local,
                     const array_layout& layout, written_array& array);
  status check_dimensions(const std::string& name, const array_layout& layout,
                          std::vector<std::string>& dimensions);
  status check_next_state(const written_array& array, const array_place& place,
                          const zarr_type& type, const array_layout& layout) const;
  status make_directory(const std::string& name) const;
  status name_steps();
  status write_documents();
  status write_steps(const std::string& name, const std::vector<std::int64_t>& steps,
                     std::string& text);

  std::string directory_;
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
  zarr_file_maker make_file_;
  std::vector<std::unique_ptr<written_array>> arrays_;  // in the order in which they came
  std::map<std::string, std::int64_t> extents_;         // of dimensions, by their names
  std::map<std::string, std::vector<std::int64_t>> step_arrays_;
  attribute_texts attributes_;
  std::vector<written_file> written_;
};

// The name of an array without a slash before it. Failure argument_invalid: names that cannot be
// directories of a store.
status zarr_array_name(const std::string& wanted, std::string& name);

}  // namespace headrace
