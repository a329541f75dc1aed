// What is in a store: its arrays, their documents as they count, the numbers of their steps.
// Nothing here is collective. Next: reader.cpp, which reads it, and append.cpp, which goes on with
// it.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <utility>

#include "files.hpp"
#include "store.hpp"

namespace headrace::zarr {

const json_value* consolidated(const json_value& store, const std::string& name) {
  const json_value* const all = store.find("consolidated_metadata");
  const json_value* const documents = all == nullptr ? nullptr : all->find("metadata");
  return documents == nullptr ? nullptr : documents->find(name);
}

namespace {

status read_numbers(const std::string& directory, const array_document& stored,
                    file_maker make_file, timeline& line, std::vector<std::int64_t>& numbers) {
  numbers.resize(static_cast<std::size_t>(stored.shape[0]));
  box all;
  all.array_rank = 1;
  all.count[0] = stored.shape[0];
  const array_view view = view_of_whole(reinterpret_cast<char*>(numbers.data()),
                                        type_class::integer, sizeof(std::int64_t), all);
  return read_block({directory, stored, grid_of(stored), -1, make_file}, view, all, line);
}

}  // namespace

status document_in(const std::string& directory, std::string& text) {
  const std::string file = directory + "/zarr.json";
  status result = read_small_file(file, longest_document, text);
  if (result.code() == ENOTDIR)
    return status::failure(stat_code::header_damaged, "it is a file; a Zarr store is a directory")
        .in_file(directory)
        .advise("give the directory with zarr.json in it, or format= of another format");
  if (result.code() != ENOENT || !exists(directory)) return result;
  if (exists(directory + "/.zgroup") || exists(directory + "/.zarray"))
    return status::failure(stat_code::format_unknown, "the store has Zarr's format 2")
        .in_file(directory)
        .expected("format 3, zarr.json", ".zgroup or .zarray")
        .advise("convert it with zarr-python: zarr migrate v3");
  std::error_code failed;
  return status::failure(stat_code::header_damaged,
                         "the directory is not a Zarr store: it has no zarr.json")
      .in_file(directory)
      .expected("zarr.json",
                std::filesystem::is_empty(directory, failed) ? "an empty directory" : "other files")
      .advise(
          "check the name, and that its writer has finished; a new store is written with "
          "action=\"write\", which takes the place of an empty directory");
}

status names_in(const std::string& directory, std::vector<std::string>& names) {
  std::error_code failed;
  names.clear();
  for (std::filesystem::directory_iterator at(directory, failed), end; at != end;
       at.increment(failed))
    names.push_back(at->path().filename());
  if (!failed) return {};
  return status::system(failed.value(), "cannot list the directory").in_file(directory);
}

status arrays_in(const std::string& directory, std::map<std::string, std::string>& found) {
  std::vector<std::string> names;
  if (status s = names_in(directory, names); !s.ok()) return s;
  for (const std::string& name : names) {
    std::string text;
    std::string node_type;
    json_value document;
    if (name[0] != '.' && name.find('\n') == std::string::npos &&
        read_small_file(directory + "/" + name + "/zarr.json", longest_document, text).ok() &&
        parse_json(text, document).ok() && node_type_of(document, node_type).ok() &&
        node_type == "array")
      found[name] = std::move(text);
  }
  return {};
}

described_array described_of(const std::string& name, const array_document& stored,
                             const std::vector<std::int64_t>& steps) {
  const chunk_grid grid = grid_of(stored);
  const auto dimensions = stored.dimensions.begin();
  return {name,
          stored.type.type,
          stored.type.bytes,
          {grid.array_rank, {}, grid.global},
          {dimensions, dimensions + grid.array_rank},
          !stored.steps.empty(),
          step_list(steps)};
}

// Of an array in this group or in one below. No way leads out of the store.
bool is_safe_name(const std::string& name) {
  std::istringstream parts(name + "/");
  if (name.empty() || name.find('\0') != std::string::npos) return false;
  for (std::string part; std::getline(parts, part, '/');)
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

status find_steps(const std::string& path, const json_value& store, const array_document& array,
                  file_maker make_file, timeline& line, step_numbers& found) {
  const std::string directory = path + "/" + array.steps;
  if (!is_safe_name(array.steps) || !exists(directory + "/zarr.json"))
    return status::failure(stat_code::header_damaged,
                           "an array has the numbers of its steps in an array that is not there")
        .in_file(directory + "/zarr.json")
        .advise("copy the store again with all its files");
  std::string text;
  array_document numbers;
  const json_value* const kept = consolidated(store, array.steps);
  status s = kept == nullptr ? document_in(directory, text) : status();
  if (s.ok()) s = kept == nullptr ? parse_array(text, numbers) : parse_array(*kept, numbers);
  if (!s.ok()) return std::move(s).in_file_once(directory + "/zarr.json");
  if (numbers.type.type != type_class::integer || numbers.type.bytes != 8 ||
      numbers.shape.size() != 1 || numbers.shape[0] != array.shape.back() ||
      numbers.shape[0] > longest_document)
    return status::failure(stat_code::header_damaged, "the numbers of steps do not fit the array")
        .in_file(directory + "/zarr.json")
        .expected(std::to_string(array.shape.back()) + " of int64",
                  std::to_string(numbers.shape.empty() ? 0 : numbers.shape[0]) + " of " +
                      numbers.type.json());
  const bool is_plain = !numbers.swapped && numbers.codecs.empty() && numbers.shard.empty();
  found.chunk = is_plain ? numbers.chunk[0] : 0;
  s = read_numbers(directory, numbers, make_file, line, found.numbers);
  found.stored = found.numbers.size();
  return s;
}

status read_small_file(const std::string& file, std::int64_t most, std::string& text) {
  positioned_file reader;
  std::int64_t bytes = 0;
  if (status s = reader.open_to_read(file); !s.ok()) return s;
  if (status s = reader.size(bytes); !s.ok()) return s;
  if (bytes > most)
    return status::failure(stat_code::header_damaged, "the file is too long for what it should be")
        .in_file(file)
        .expected("at most " + bytes_text(static_cast<std::uint64_t>(most)),
                  bytes_text(static_cast<std::uint64_t>(bytes)));
  text.resize(static_cast<std::size_t>(bytes));
  return reader.read_at(0, text.data(), bytes);
}

status write_small_file(const std::string& file, const std::string& text, bool replaces,
                        bool sync) {
  const std::string first = replaces ? directory_of(file) + "/.zarr.json.headrace" : file;
  if (replaces) ::unlink(first.c_str());  // what a killed program left
  positioned_file writer;
  if (status s = writer.create(first); !s.ok()) return s;
  const auto bytes = static_cast<std::int64_t>(text.size());
  if (status s = writer.write_at(0, text.data(), bytes); !s.ok()) return s;
  if (status s = writer.check_written(bytes); !s.ok()) return s;
  if (sync)
    if (status s = writer.sync(); !s.ok()) return s;
  if (status s = writer.close(); !s.ok() || !replaces) return s;
  if (std::rename(first.c_str(), file.c_str()) == 0) return {};
  return status::system(errno, "cannot replace the file").in_file(file);
}

status check_file_size(const std::string& file, std::int64_t bytes) {
  positioned_file written;
  status opened = written.open_to_read(file);
  if (opened.code() == ENOENT)
    return status::failure(stat_code::file_changed_while_writing,
                           "a file of the store is gone that was just written")
        .in_file(file)
        .advise("see that no other program writes to the same store");
  return opened.ok() ? written.check_size(bytes) : opened;
}

status make_directory(const std::string& directory) {
  if (::mkdir(directory.c_str(), 0777) == 0 || errno == EEXIST) return {};
  return status::system(errno, "cannot make the directory of an array").in_file(directory);
}

}  // namespace headrace::zarr
