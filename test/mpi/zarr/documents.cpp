// Texts of zarr.json: what is read, what is refused, and that nothing that is mutilated does harm.
// Chunk grids for blocks. No MPI rank needs another.
#include <cstdio>
#include <random>

#include "../../../mpi/formats/zarr/metadata.hpp"
#include "../../../mpi/formats/zarr/place.hpp"
#include "checks.hpp"

namespace {

using namespace headrace;
using namespace headrace::zarr;
using spread::checks;

const char* const sharded = R"({"zarr_format": 3, "node_type": "array", "shape": [10, 7],
  "data_type": "float64", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8, 4]}},
  "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
  "fill_value": "0x7ff8000000000000", "dimension_names": ["x", null],
  "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [4, 2],
    "codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}},
               {"name": "bytes", "configuration": {"endian": "big"}},
               {"name": "zstd", "configuration": {"level": 0}}, "crc32c"],
    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    "index_location": "start"}}],
  "attributes": {"a": [1, 2.5, NaN, "\u00e4\ud83d\ude00\n"], "b": {"c": null}},
  "unknown": {"must_understand": false}, "storage_transformers": []})";

void texts_that_are_json(checks& check) {
  const char* const good[] = {"0",          "-0.5e+3",     "[]",    "{}",
                              " [1,\n2 ] ", "\"\\u20ac\"", "null",  "[true, false]",
                              "-Infinity",  "NaN",         "1e300", "\"\xc3\xa4\""};
  const char* const bad[] = {"",       "01",        "+1",          ".5",
                             "1.",     "1e",        "[1,]",        "{\"a\":1,}",
                             "[1 2]",  "{a: 1}",    "\"a",         "'a'",
                             "[1] 2",  "\"\\x\"",   "\"\\ud800\"", "nul",
                             "\"\t\"", "{\"a\" 1}", "\"\xff\"",    "{\"a\":1,\"a\":2}",
                             "[",      "\"\\u12\"", "--1",         "\"\\ud800\\u0041\""};
  json_value value;
  for (const char* text : good)
    check.that(parse_json(text, value).ok(), std::string("good: ") + text);
  for (const char* text : bad) {
    const status s = parse_json(text, value);
    check.that(s.code() == static_cast<int>(stat_code::header_damaged),
               std::string("bad: ") + text);
  }
  const std::string deep(100000, '[');
  check.that(!parse_json(deep, value).ok(), "nested too deep");
  std::string many = "[0";
  for (int i = 0; i < 600000; ++i) many += ",0";
  check.that(!parse_json(many + "]", value).ok(), "too many values");
  const std::string told = parse_json("[\n  1,\n  x]", value).message();
  for (const char* part : {"Invalid value", "found \"x]\"", "3:3", "copy or write it again"})
    check.that(told.find(part) != std::string::npos, std::string(part) + " in: " + told);
}

void numbers_come_back(checks& check) {
  json_value value;
  for (const double number : {0.1, 1.0, 1e300, -5e-324, 123456789.0}) {
    double found = 0;
    check.that(parse_json(json_real(number), value).ok() && value.real(found) && found == number,
               json_real(number));
    std::int64_t integer = 0;
    check.that(!value.integer(integer), "a real number is no integer: " + json_real(number));
  }
  std::int64_t integer = 0;
  check.that(parse_json("-9223372036854775808", value).ok() && value.integer(integer) &&
                 integer == INT64_MIN,
             "the smallest integer");
  check.that(parse_json("9223372036854775808", value).ok() && !value.integer(integer),
             "an integer that is too large");
  check.that(
      parse_json(json_text("\"\\\n\x01\xc3\xa4"), value).ok() && value.text == "\"\\\n\x01\xc3\xa4",
      "a text with all that is escaped");
}

void foreign_arrays_are_understood(checks& check) {
  json_value document;
  array_document array;
  check.that(parse_json(sharded, document).ok(), "the text");
  const status s = parse_array(document, array);
  check.that(s.ok(), s.message());
  check.that(array.chunk == std::vector<std::int64_t>{4, 2} &&
                 array.shard == std::vector<std::int64_t>{8, 4} &&
                 headrace::zarr::grid_of(array).shard == headrace::index_list{2, 2, 1, 1, 1, 1, 1},
             "chunks and shards");
  check.that(array.order == std::vector<int>{0, 1} && array.swapped && !array.index_at_end &&
                 !array.index_checked && !array.index_swapped,
             "order of elements and bytes");
  check.that(array.codecs == std::vector<byte_codec>{byte_codec::zstd, byte_codec::crc32c},
             "codecs, one without an object");
  check.that(array.key_of({1, 0}) == "c/1/0" && array.dimensions[0] == "x" &&
                 array.dimensions[1].empty() && !array.complete,
             "keys and names");
}

void own_arrays_are_understood(checks& check) {
  array_document array;
  array.type = {type_class::complex, 16};
  array.shape = {5, 6, 2};
  array.chunk = {3, 2, 1};
  array.shard = {6, 6, 1};
  array.codecs = {byte_codec::zstd, byte_codec::crc32c};
  array.dimensions = {"a", "b\"", "step"};
  const std::string text =
      array_text(array, {{complete_name, "true"}, {steps_name, "\"step\""}, {"n", "[1, 2]"}});
  json_value document;
  array_document found;
  check.that(parse_json(text, document).ok(), text);
  const status s = parse_array(document, found);
  check.that(s.ok(), s.message() + text);
  check.that(found.shape == array.shape && found.chunk == array.chunk &&
                 found.shard == array.shard && found.codecs == array.codecs &&
                 found.dimensions == array.dimensions && found.complete && found.steps == "step" &&
                 found.index_at_end && found.order == std::vector<int>{0, 1, 2} && !found.swapped,
             "what was written is read");
  const std::string group = group_text({{"t", "\"x\""}}, {{"data", text}});
  check.that(parse_json(group, document).ok() &&
                 document.find("consolidated_metadata")->find("metadata")->find("data") != nullptr,
             group);
}

// Bytes changed, cut out and doubled: a failure or an array, never a crash.
void mutilated_texts_do_no_harm(checks& check) {
  std::mt19937 random(7);
  long long refused = 0;
  for (int round = 0; round < 40000; ++round) {
    std::string text = sharded;
    for (unsigned i = random() % 4 + 1; i > 0; --i) {
      const std::size_t at = random() % text.size();
      const unsigned how = random() % 4;
      if (how == 0) text[at] = static_cast<char>(random() % 256);
      if (how == 1) text.erase(at, random() % 20 + 1);
      if (how == 2) text.insert(at, text.substr(random() % text.size(), random() % 30));
      if (how == 3) text.replace(at, 1, std::to_string(static_cast<std::int64_t>(random()) << 33));
      if (text.empty()) text = "[";
    }
    json_value document;
    array_document array;
    status s = parse_json(text, document);
    if (s.ok()) s = parse_array(document, array);
    if (!s.ok()) ++refused;
    if (s.ok() && grid_of(array).chunk_volume() < 0)
      check.that(false, "a chunk of negative size: " + text);
  }
  check.that(refused > 10000 && refused < 40000, std::to_string(refused) + " refused");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "zarr.json", [](checks& check) {
    texts_that_are_json(check);
    numbers_come_back(check);
    foreign_arrays_are_understood(check);
    own_arrays_are_understood(check);
    mutilated_texts_do_no_harm(check);
  });
}
