// A Zarr v3 store: a directory for each array, its description in zarr.json, a file for each chunk
// or shard. The zarr.json of the store has those of all arrays: it is replaced last, so that
// whoever reads it finds what was there at the last flush. Next: writer.cpp and stored.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "../../dataset/backend.hpp"
#include "../../together/from_root.hpp"
#include "files.hpp"

namespace headrace::zarr {

// What is there (stored.cpp). Not collective.
inline constexpr std::int64_t longest_document = std::int64_t{32} << 20;
// The zarr.json of a directory: its text, and what it is.
status document_in(const std::string& directory, std::string& text);
status names_in(const std::string& directory, std::vector<std::string>& names);
// Directories of the store with an array in them, and the texts of their zarr.json.
status arrays_in(const std::string& directory, std::map<std::string, std::string>& found);
// What the store's own document says of an array; null: nothing.
const json_value* consolidated(const json_value& store, const std::string& name);
described_array described_of(const std::string& name, const array_document& stored,
                             const std::vector<std::int64_t>& steps);
// Of an array in this group or in one below. No way leads out of the store.
bool is_safe_name(const std::string& name);

struct step_numbers {
  std::vector<std::int64_t> numbers;
  std::size_t stored = 0;  // so many of them are in the store
  std::int64_t chunk = 0;  // numbers of a file; 0: none, or not in plain files
};
// Failures header_damaged, and those of read_block().
status find_steps(const std::string& path, const json_value& store, const array_document& array,
                  file_maker make_file, timeline& line, step_numbers& found);

using named_steps = std::pair<std::string, step_numbers>;
// What is gone on with (append.cpp): the attributes of the store, then the name and the document of
// each array; and the numbers of steps, by the names of their arrays.
status gather_documents(const std::string& path, file_maker make_file, timeline& line,
                        std::vector<std::string>& texts, std::vector<named_steps>& steps);

// Collective (writer.cpp). make_file: how chunks are written.
status create_store(const dataset_opening& how, file_maker make_file,
                    std::unique_ptr<dataset_writer>& made);

// Collective (reader.cpp). Failures errno (there is no such directory), header_damaged (no store),
// format_unknown (a store of format 2).
status open_store(const dataset_opening& how, file_maker make_file,
                  std::unique_ptr<dataset_reader>& made);

// What a backend does.
template <file_maker make_file>
status create_store(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  return create_store(how, make_file, made);
}
template <file_maker make_file>
status open_store(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  return open_store(how, make_file, made);
}

}  // namespace headrace::zarr
