// What zarr.json says about an array: types, chunks, codecs, the names of files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "types.hpp"

namespace headrace {

// Numbers that were measured or simulated hardly shrink: a higher level costs time only.
inline constexpr int zarr_zstd_level = 1;

// From bytes to bytes.
enum class zarr_codec : std::uint8_t { crc32c, zstd, gzip };

struct zarr_array {
  zarr_type type;
  std::vector<std::int64_t> shape;  // in the order of the store, which is Fortran's for ours
  std::vector<std::int64_t> chunk;  // extents of what the codecs encode
  std::vector<std::int64_t> shard;  // extents of a file of chunks; empty: a file is one chunk
  std::vector<int> order;           // dimensions of an encoded chunk, the fastest first
  std::vector<zarr_codec> codecs;   // in the order of encoding
  bool swapped = false;             // words are in the other byte order
  bool index_at_end = true;         // of a shard
  bool index_checked = true;        // a crc32c follows the index
  bool index_swapped = false;
  bool old_keys = false;  // "0.1" instead of "c.0.1"
  char separator = '.';
  std::vector<char> fill;               // an element, in the machine's byte order
  std::vector<std::string> dimensions;  // "" for those without a name
  json_value attributes;                // an object
  // Ours: every chunk has a file, so that a missing one is a failure; and the last dimension counts
  // states, whose numbers are in the array of that name.
  bool complete = false;
  std::string steps;

  // "c.0.1"
  std::string key_of(const std::vector<std::int64_t>& place) const;
  // Bytes of a chunk before the codecs.
  std::int64_t chunk_bytes() const noexcept;
  // Chunks in a shard, along each dimension.
  std::vector<std::int64_t> chunks_of_shard() const;
};

// Names of the attributes that are ours.
inline constexpr const char* zarr_complete_name = "headrace_all_chunks_written";
inline constexpr const char* zarr_steps_name = "headrace_steps";
// The dimension of the steps, and the array of their numbers.
inline constexpr const char* zarr_steps_dimension = "step";

using attribute_texts = std::map<std::string, std::string>;  // of their values in JSON

// The text of zarr.json. Members of the array that say how foreign stores differ are not written.
std::string zarr_array_text(const zarr_array& array, const attribute_texts& attributes);
// arrays: their names and texts, for readers that want all of them at once.
std::string zarr_group_text(const attribute_texts& attributes,
                            const std::map<std::string, std::string>& arrays);

// Failures header_damaged; kind_unsupported: a data type, a codec or an extension that headrace
// does not know, by its name.
status parse_zarr_array(const json_value& document, zarr_array& array);
// "array" or "group" of any zarr.json of format 3.
status node_type_of(const json_value& document, std::string& node_type);

}  // namespace headrace
