#include "metadata.hpp"

#include <algorithm>
#include <numeric>

#include "../../../src/core/byte_swap.hpp"

namespace headrace::zarr {

namespace {

constexpr std::size_t most_dimensions = 8;  // seven of Fortran's, and the steps
constexpr std::int64_t most_bytes = std::int64_t{1} << 60;
// The index of a shard is held in memory: 16 bytes for each chunk.
constexpr std::int64_t most_chunks_of_shard = std::int64_t{1} << 21;

status damaged(const std::string& what) {
  return status::failure(stat_code::header_damaged, what);
}

status unsupported(const std::string& what) {
  return status::failure(stat_code::kind_unsupported, what)
      .advise("rewrite the store with zarr-python without it");
}

status read_extents(const json_value* list, const char* what, std::int64_t least,
                    std::vector<std::int64_t>& extents) {
  const std::string name = what;
  if (list == nullptr || !list->is(json_value::kind::list)) return damaged("it has no " + name);
  if (list->items.size() > most_dimensions)
    return unsupported(name + " has more than 7 dimensions");
  extents.clear();
  for (const json_value& item : list->items) {
    std::int64_t extent = 0;
    if (!item.integer(extent) || extent < least)
      return damaged(name + " has an extent that is not a count: " + item.text);
    extents.push_back(extent);
  }
  return {};
}

// False when all elements have more bytes than any file.
bool is_addressable(const std::vector<std::int64_t>& extents, std::size_t element) noexcept {
  std::int64_t bytes = static_cast<std::int64_t>(element);
  for (const std::int64_t extent : extents) {
    if (extent > 0 && bytes > most_bytes / extent) return false;
    bytes *= std::max<std::int64_t>(extent, 1);
  }
  return true;
}

status read_grid(const json_value& document, array_document& array) {
  const json_value* const grid = document.find("chunk_grid");
  if (grid == nullptr) return damaged("it has no chunk_grid");
  if (extension_name(*grid) != "regular")
    return unsupported("its chunk_grid is \"" + extension_name(*grid) +
                       "\"; headrace reads regular ones");
  if (status s =
          read_extents(extension_setting(*grid, "chunk_shape"), "chunk_shape", 1, array.chunk);
      !s.ok())
    return s;
  if (array.chunk.size() != array.shape.size())
    return damaged("chunk_shape has another number of dimensions than shape");
  return is_addressable(array.chunk, array.type.bytes) ? status()
                                                       : damaged("a chunk is larger than any file");
}

status read_keys(const json_value& document, array_document& array) {
  const json_value* const encoding = document.find("chunk_key_encoding");
  if (encoding == nullptr) return damaged("it has no chunk_key_encoding");
  const std::string name = extension_name(*encoding);
  if (name != "default" && name != "v2")
    return unsupported("its chunk_key_encoding is \"" + name + "\"");
  array.old_keys = name == "v2";
  array.separator = array.old_keys ? '.' : '/';
  const json_value* const separator = extension_setting(*encoding, "separator");
  if (separator == nullptr) return {};
  if (separator->text_or_empty() != "." && separator->text_or_empty() != "/")
    return damaged("the separator of chunk_key_encoding is neither \".\" nor \"/\"");
  array.separator = separator->text[0];
  return {};
}

status read_endian(const json_value& codec, std::size_t word_bytes, bool& swapped) {
  const json_value* const endian = extension_setting(codec, "endian");
  if (endian == nullptr) {
    if (word_bytes > 1) return damaged("the codec bytes does not name the order of bytes");
    swapped = false;
    return {};
  }
  const std::string order = endian->text_or_empty();
  if (order != "little" && order != "big")
    return damaged("the codec bytes has the order \"" + order + "\"");
  swapped = word_bytes > 1 && is_swapped(order == "little" ? byte_order::little : byte_order::big);
  return {};
}

// order: dimensions of the encoded chunk, the slowest first; the codec permutes them.
status apply_transpose(const json_value& codec, std::vector<int>& order) {
  std::vector<std::int64_t> from;
  const json_value* const list = extension_setting(codec, "order");
  if (status s = read_extents(list, "order of the codec transpose", 0, from); !s.ok()) return s;
  std::vector<std::int64_t> all(order.size());
  std::iota(all.begin(), all.end(), 0);
  if (from.size() != all.size() || !std::is_permutation(all.begin(), all.end(), from.begin()))
    return damaged("the order of the codec transpose is not a permutation of all dimensions");
  std::vector<int> permuted;
  for (const std::int64_t dimension : from)
    permuted.push_back(order[static_cast<std::size_t>(dimension)]);
  order = std::move(permuted);
  return {};
}

status read_index_codecs(const json_value* list, array_document& array) {
  if (list == nullptr || !list->is(json_value::kind::list) || list->items.empty())
    return damaged("the codec sharding_indexed has no index_codecs");
  array.index_checked = false;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const std::string name = extension_name(list->items[i]);
    if (i == 0 && name == "bytes") {
      if (status s = read_endian(list->items[i], 8, array.index_swapped); !s.ok()) return s;
    } else if (i == 1 && name == "crc32c") {
      array.index_checked = true;
    } else {
      return unsupported("the index of its shards has the codec \"" + name + "\"");
    }
  }
  return {};
}

status read_codecs(const json_value* list, bool in_shard, array_document& array);

status read_sharding(const json_value& codec, array_document& array) {
  array.shard = array.chunk;
  if (status s = read_extents(extension_setting(codec, "chunk_shape"),
                              "chunk_shape of sharding_indexed", 1, array.chunk);
      !s.ok())
    return s;
  if (array.chunk.size() != array.shard.size())
    return damaged("the chunks of a shard have another number of dimensions");
  std::int64_t chunks = 1;
  for (std::size_t d = 0; d < array.shard.size(); ++d) {
    if (array.shard[d] % array.chunk[d] != 0)
      return damaged("the extents of shards are not multiples of those of their chunks");
    const std::int64_t along = array.shard[d] / array.chunk[d];
    if (along > most_chunks_of_shard / chunks)
      return unsupported("its shards have more than 2,097,152 chunks");
    chunks *= along;
  }
  const json_value* const location = extension_setting(codec, "index_location");
  const std::string where = location == nullptr ? "end" : location->text_or_empty();
  if (where != "end" && where != "start")
    return damaged("the index of its shards is at \"" + where + "\"");
  array.index_at_end = where == "end";
  if (status s = read_index_codecs(extension_setting(codec, "index_codecs"), array); !s.ok())
    return s;
  return read_codecs(extension_setting(codec, "codecs"), true, array);
}

status read_byte_codec(const json_value& codec, array_document& array) {
  const std::string name = extension_name(codec);
  if (array.codecs.size() == 8) return unsupported("its chunks have more than 8 codecs");
  if (name == "crc32c")
    array.codecs.push_back(byte_codec::crc32c);
  else if (name == "zstd")
    array.codecs.push_back(byte_codec::zstd);
  else if (name == "gzip")
    array.codecs.push_back(byte_codec::gzip);
  else
    return unsupported("its chunks are written with the codec \"" + name +
                       "\"; headrace reads bytes, transpose, crc32c, zstd, gzip and "
                       "sharding_indexed");
  return {};
}

status read_codecs(const json_value* list, bool in_shard, array_document& array) {
  if (list == nullptr || !list->is(json_value::kind::list)) return damaged("it has no codecs");
  std::vector<int> order(array.shape.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int> as_stored = order;
  bool have_bytes = false;
  for (const json_value& codec : list->items) {
    const std::string name = extension_name(codec);
    if (name.empty()) return damaged("a codec has no name");
    status s;
    if (have_bytes && !array.shard.empty() && !in_shard) {
      return unsupported("its shards are written with the codec \"" + name + "\"");
    } else if (have_bytes) {
      s = read_byte_codec(codec, array);
    } else if (name == "transpose") {
      s = apply_transpose(codec, order);
    } else if (name == "bytes") {
      have_bytes = true;
      s = read_endian(codec, array.type.word_bytes(), array.swapped);
    } else if (name == "sharding_indexed" && !in_shard && order == as_stored) {
      have_bytes = true;
      s = read_sharding(codec, array);
    } else {
      return unsupported("its chunks are written with the codec \"" + name + "\" in this place");
    }
    if (!s.ok()) return s;
  }
  if (!have_bytes) return damaged("its codecs have no bytes among them");
  if (array.shard.empty() || in_shard) array.order.assign(order.rbegin(), order.rend());
  return {};
}

status read_dimensions(const json_value& document, array_document& array) {
  array.dimensions.assign(array.shape.size(), "");
  const json_value* const names = document.find("dimension_names");
  if (names == nullptr || names->is(json_value::kind::null)) return {};
  if (!names->is(json_value::kind::list) || names->items.size() != array.shape.size())
    return damaged("dimension_names has another number of names than shape of extents");
  for (std::size_t d = 0; d < names->items.size(); ++d) {
    const json_value& name = names->items[d];
    if (!name.is(json_value::kind::text) && !name.is(json_value::kind::null))
      return damaged("a name of dimension_names is not a text");
    array.dimensions[d] = name.text_or_empty();
  }
  return {};
}

status read_attributes(const json_value& document, array_document& array) {
  array.attributes = json_value();
  array.attributes.what = json_value::kind::object;
  const json_value* const attributes = document.find("attributes");
  if (attributes == nullptr) return {};
  if (!attributes->is(json_value::kind::object)) return damaged("its attributes are not an object");
  array.attributes = *attributes;
  const json_value* const complete = attributes->find(complete_name);
  array.complete = complete != nullptr && complete->truth;
  const json_value* const steps = attributes->find(steps_name);
  if (steps != nullptr && !array.shape.empty() && array.chunk.back() == 1 &&
      (array.shard.empty() || array.shard.back() == 1))
    array.steps = steps->text_or_empty();
  if (array.steps.empty() && array.shape.size() == most_dimensions)
    return unsupported("shape has more than 7 dimensions");
  return {};
}

// What the specification calls extension points: a member that is not known must say that it does
// not matter.
status check_members(const json_value& document) {
  constexpr std::string_view known[] = {
      "zarr_format",         "node_type",          "shape",  "data_type",  "chunk_grid",
      "fill_value",          "chunk_key_encoding", "codecs", "attributes", "dimension_names",
      "storage_transformers"};
  for (std::size_t i = 0; i < document.names.size(); ++i) {
    if (std::find(std::begin(known), std::end(known), document.names[i]) != std::end(known))
      continue;
    const json_value* const must = document.items[i].find("must_understand");
    if (must == nullptr || !must->is(json_value::kind::boolean) || must->truth)
      return unsupported("zarr.json has the extension \"" + document.names[i] + "\"");
  }
  const json_value* const transformers = document.find("storage_transformers");
  if (transformers == nullptr || transformers->items.empty()) return {};
  return unsupported("it has the storage transformer \"" + extension_name(transformers->items[0]) +
                     "\"");
}

}  // namespace

std::string extension_name(const json_value& extension) {
  if (extension.is(json_value::kind::text)) return extension.text;
  const json_value* const name = extension.find("name");
  return name == nullptr ? "" : name->text_or_empty();
}

const json_value* extension_setting(const json_value& extension, const char* name) {
  const json_value* const configuration = extension.find("configuration");
  return configuration == nullptr ? nullptr : configuration->find(name);
}

status node_type_of(const json_value& document, std::string& node_type) {
  const json_value* const format = document.find("zarr_format");
  std::int64_t version = 0;
  if (format == nullptr || !format->integer(version)) return damaged("it does not say zarr_format");
  if (version != 3)
    return status::failure(stat_code::format_unknown,
                           "the store has Zarr's format " + std::to_string(version))
        .expected("format 3", std::to_string(version))
        .advise("convert it with zarr-python: zarr migrate v3");
  const json_value* const type = document.find("node_type");
  node_type = type == nullptr ? "" : type->text_or_empty();
  if (node_type == "array" || node_type == "group") return {};
  return damaged("node_type is neither \"array\" nor \"group\"");
}

status parse_array(const json_value& document, array_document& array) {
  array = array_document();
  std::string node_type;
  if (status s = node_type_of(document, node_type); !s.ok()) return s;
  if (node_type != "array") return damaged("it is a group, not an array");
  if (status s = check_members(document); !s.ok()) return s;
  if (status s = read_extents(document.find("shape"), "shape", 0, array.shape); !s.ok()) return s;
  const json_value* const type = document.find("data_type");
  if (type == nullptr) return damaged("it has no data_type");
  if (status s = parse_type(*type, array.type); !s.ok()) return s;
  if (!is_addressable(array.shape, array.type.bytes))
    return damaged("shape has more elements than any file");
  if (status s = read_grid(document, array); !s.ok()) return s;
  if (status s = read_keys(document, array); !s.ok()) return s;
  if (status s = read_codecs(document.find("codecs"), false, array); !s.ok()) return s;
  const json_value* const fill = document.find("fill_value");
  if (fill == nullptr) return damaged("it has no fill_value");
  if (status s = parse_fill(*fill, array.type, array.fill); !s.ok()) return s;
  if (status s = read_dimensions(document, array); !s.ok()) return s;
  return read_attributes(document, array);
}

status parse_array(const std::string& text, array_document& array) {
  json_value document;
  status parsed = parse_json(text, document);
  return parsed.ok() ? parse_array(document, array) : parsed;
}

namespace {

std::string codecs_of_chunk(const array_document& array) {
  std::vector<std::string> codecs;
  std::vector<std::int64_t> reversed;  // the last dimension of the store is the slowest in a chunk
  for (std::size_t d = array.shape.size(); d > 0; --d)
    reversed.push_back(static_cast<std::int64_t>(d - 1));
  if (reversed.size() > 1)
    codecs.push_back(R"({"name": "transpose", "configuration": {"order": )" + json_list(reversed) +
                     "}}");
  codecs.push_back(std::string(R"({"name": "bytes", "configuration": {"endian": ")") +
                   (is_swapped(byte_order::little) ? "big" : "little") + "\"}}");
  for (const byte_codec codec : array.codecs)
    codecs.push_back(codec == byte_codec::crc32c
                         ? R"({"name": "crc32c"})"
                         : R"({"name": "zstd", "configuration": {"level": )" +
                               std::to_string(zstd_level) + R"(, "checksum": true}})");
  return json_list(codecs);
}

std::string codecs_of_file(const array_document& array) {
  const std::string inner = codecs_of_chunk(array);
  if (array.shard.empty()) return inner;
  return R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": )" +
         json_list(array.chunk) + R"(, "codecs": )" + inner +
         R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, )" +
         R"({"name": "crc32c"}], "index_location": "end"}}])";
}

std::string object_of(const attribute_texts& members, const std::string& indent) {
  std::string text = "{";
  for (const auto& [name, value] : members)
    text += (text.size() > 1 ? ",\n" : "\n") + indent + "  " + json_text(name) + ": " + value;
  return members.empty() ? "{}" : text + "\n" + indent + "}";
}

}  // namespace

std::string array_text(const array_document& array, const attribute_texts& attributes) {
  std::vector<std::string> dimensions;
  for (const std::string& name : array.dimensions) dimensions.push_back(json_text(name));
  const std::vector<std::int64_t>& file = array.shard.empty() ? array.chunk : array.shard;
  return std::string("{\n") + R"(  "zarr_format": 3,)" + "\n" + R"(  "node_type": "array",)" +
         "\n" + R"(  "shape": )" + json_list(array.shape) + ",\n" + R"(  "data_type": )" +
         array.type.json() + ",\n" +
         R"(  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": )" +
         json_list(file) + "}},\n" +
         R"(  "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},)" +
         "\n" + R"(  "fill_value": )" + array.type.fill_json() + ",\n" + R"(  "codecs": )" +
         codecs_of_file(array) + ",\n" + R"(  "dimension_names": )" + json_list(dimensions) +
         ",\n" + R"(  "attributes": )" + object_of(attributes, "  ") + "\n}\n";
}

std::string group_text(const attribute_texts& attributes,
                       const std::map<std::string, std::string>& arrays) {
  return std::string("{\n") + R"(  "zarr_format": 3,)" + "\n" + R"(  "node_type": "group",)" +
         "\n" + R"(  "attributes": )" + object_of(attributes, "  ") + ",\n" +
         R"(  "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": )" +
         object_of(arrays, "  ") + "}\n}\n";
}

std::string array_document::key_of(const std::vector<std::int64_t>& place) const {
  std::string key = old_keys ? "" : "c";
  for (const std::int64_t index : place) {
    if (!key.empty()) key += separator;
    key += std::to_string(index);
  }
  return key.empty() ? "0" : key;
}

}  // namespace headrace::zarr
