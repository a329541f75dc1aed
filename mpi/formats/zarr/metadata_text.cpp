#include "metadata.hpp"

namespace headrace {
namespace {

std::string codecs_of_chunk(const zarr_array& array) {
  std::vector<std::string> codecs;
  std::vector<std::int64_t> reversed;  // the last dimension of the store is the slowest in a chunk
  for (std::size_t d = array.shape.size(); d > 0; --d)
    reversed.push_back(static_cast<std::int64_t>(d - 1));
  if (reversed.size() > 1)
    codecs.push_back(R"({"name": "transpose", "configuration": {"order": )" + json_list(reversed) +
                     "}}");
  constexpr std::uint16_t one = 1;
  const bool little = reinterpret_cast<const char&>(one) == 1;
  codecs.push_back(std::string(R"({"name": "bytes", "configuration": {"endian": ")") +
                   (little ? "little" : "big") + "\"}}");
  for (const zarr_codec codec : array.codecs)
    codecs.push_back(codec == zarr_codec::crc32c
                         ? R"({"name": "crc32c"})"
                         : R"({"name": "zstd", "configuration": {"level": )" +
                               std::to_string(zarr_zstd_level) + R"(, "checksum": true}})");
  return json_list(codecs);
}

std::string codecs_of_file(const zarr_array& array) {
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

std::string zarr_array_text(const zarr_array& array, const attribute_texts& attributes) {
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

std::string zarr_group_text(const attribute_texts& attributes,
                            const std::map<std::string, std::string>& arrays) {
  return std::string("{\n") + R"(  "zarr_format": 3,)" + "\n" + R"(  "node_type": "group",)" +
         "\n" + R"(  "attributes": )" + object_of(attributes, "  ") + ",\n" +
         R"(  "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": )" +
         object_of(arrays, "  ") + "}\n}\n";
}

std::string zarr_array::key_of(const std::vector<std::int64_t>& place) const {
  std::string key = old_keys ? "" : "c";
  for (const std::int64_t index : place) {
    if (!key.empty()) key += separator;
    key += std::to_string(index);
  }
  return key.empty() ? "0" : key;
}

std::int64_t zarr_array::chunk_bytes() const noexcept {
  auto bytes = static_cast<std::int64_t>(type.bytes);
  for (const std::int64_t extent : chunk) bytes *= extent;
  return bytes;
}

std::vector<std::int64_t> zarr_array::chunks_of_shard() const {
  std::vector<std::int64_t> chunks;
  for (std::size_t d = 0; d < shard.size(); ++d) chunks.push_back(shard[d] / chunk[d]);
  return chunks;
}

}  // namespace headrace
