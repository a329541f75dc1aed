// A Zarr store that is being read. Next: zarr/read.hpp reads blocks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../../dataset/backend.hpp"
#include "read.hpp"

namespace headrace {

class zarr_reader final : public dataset_reader {
 public:
  zarr_reader(std::string directory, communicator_ptr comm, parallel_notes& notes,
              zarr_file_maker make_file);
  // Collective. Failures errno (there is no such directory), header_damaged (no store),
  // format_unknown (a store of format 2).
  status open();

  status names(std::vector<std::string>& found) override;
  status describe(const std::string& name, stored_array& found) override;
  status read(const std::string& name, std::int64_t step_index, const array_view& local,
              const array_layout& layout) override;
  status read_attribute(const std::string& array, const std::string& name,
                        const array_view& value) override;

 private:
  struct known_array {
    std::string directory;
    zarr_array stored;
    std::vector<std::int64_t> steps;
  };

  status read_document(const std::string& directory, json_value& document) const;
  status find(const std::string& name, const known_array*& found);
  status load(const std::string& name, known_array& array);
  status read_steps(known_array& array);
  status read_numbers(const known_array& array, std::vector<std::int64_t>& numbers) const;
  status missing(const std::string& name);

  std::string directory_;
  communicator_ptr comm_;
  parallel_notes& notes_;
  zarr_file_maker make_file_;
  bool is_array_ = false;                                       // the store is one array, no group
  json_value attributes_;                                       // of the group
  std::map<std::string, std::unique_ptr<known_array>> arrays_;  // that were asked for
};

}  // namespace headrace
