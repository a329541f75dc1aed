// What a zarr.json says: types, chunks, codecs, the names of files, attributes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../../../src/core/array_view.hpp"
#include "../../json/json.hpp"

namespace headrace::zarr {

struct element_type {
  type_class type = type_class::real;
  std::size_t bytes = 0;  // of an element in a file; logicals have 1

  // Of the words that a byte order is about: half of a complex number, 1 for characters.
  std::size_t word_bytes() const noexcept;
  // "\"float64\"" or an object: the member data_type.
  std::string json() const;
  // The member fill_value, which no array of Fortran holds by intention: NaN, for integers
  // -huge() - 1, for logicals false. Readers that mask it mask nothing else.
  std::string fill_json() const;
};

// Failure kind_unsupported: real(10), real(16), integers of 16 bytes.
status type_of(const array_view& array, element_type& type);
// The member data_type of an array. Failures header_damaged, kind_unsupported.
status parse_type(const json_value& value, element_type& type);
// The member fill_value as an element in the machine's byte order. Failure header_damaged.
status parse_fill(const json_value& value, const element_type& type, std::vector<char>& element);

// An integer, a real number or a logical value. False: it is of another kind, or does not fit.
bool put_value(const json_value& value, type_class type, std::size_t bytes, char* to);

// Calls act(word) with an integer of so many bytes. False: there is none.
template <class Act>
bool with_integer(std::size_t bytes, Act act) {
  if (bytes == 1) act(std::int8_t{});
  if (bytes == 2) act(std::int16_t{});
  if (bytes == 4) act(std::int32_t{});
  if (bytes == 8) act(std::int64_t{});
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

// The name of an extension, which may stand alone or in an object with its configuration; null:
// that has no such setting.
std::string extension_name(const json_value& extension);
const json_value* extension_setting(const json_value& extension, const char* name);

// Numbers that were measured or simulated hardly shrink: a higher level costs time only.
inline constexpr int zstd_level = 1;

// Still in the cache for its checksum when it has been written or read.
inline constexpr std::int64_t checked_block = std::int64_t{256} << 10;

// From bytes to bytes.
enum class byte_codec : std::uint8_t { crc32c, zstd, gzip };

struct array_document {
  element_type type;
  std::vector<std::int64_t> shape;  // in the order of the store, which is Fortran's for ours
  std::vector<std::int64_t> chunk;  // extents of what the codecs encode
  std::vector<std::int64_t> shard;  // extents of a file of chunks; empty: a file is one chunk
  std::vector<int> order;           // dimensions of an encoded chunk, the fastest first
  std::vector<byte_codec> codecs;   // in the order of encoding
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
};

// Names of the attributes that are ours.
inline constexpr const char* complete_name = "headrace_all_chunks_written";
inline constexpr const char* steps_name = "headrace_steps";
// The dimension of the steps, and the array of their numbers.
inline constexpr const char* steps_dimension = "step";

using attribute_texts = std::map<std::string, std::string>;  // of their values in JSON

// The text of zarr.json. Members of the array that say how foreign stores differ are not written.
std::string array_text(const array_document& array, const attribute_texts& attributes);
// arrays: their names and texts, for readers that want all of them at once.
std::string group_text(const attribute_texts& attributes,
                       const std::map<std::string, std::string>& arrays);

// Failures header_damaged; kind_unsupported: a data type, a codec or an extension that headrace
// does not know, by its name.
status parse_array(const json_value& document, array_document& array);
status parse_array(const std::string& text, array_document& array);
// "array" or "group" of any zarr.json of format 3.
status node_type_of(const json_value& document, std::string& node_type);

// Failures argument_invalid (no UTF-8), kind_unsupported (complex numbers, real128, ...).
// value: a scalar or of array rank 1, contiguous.
status json_of_attribute(const array_view& value, std::string& text);

// Failures kind_mismatch, shape_mismatch.
status read_json_attribute(const std::string& name, const json_value& stored,
                           const array_view& value);

}  // namespace headrace::zarr
