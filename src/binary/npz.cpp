#include "npz.hpp"

#include <algorithm>
#include <cerrno>

#include "../core/buffer.hpp"
#include "../core/exclusive.hpp"
#include "../core/name_text.hpp"
#include "npy_elements.hpp"
#include "npy_header.hpp"
#include "zip_directory.hpp"
#include "zip_member.hpp"
#include "zip_writer.hpp"

namespace headrace {
namespace {

constexpr std::string_view npy_ending = ".npy";
// Deflate makes nothing smaller than this; what claims more may not cause an allocation.
constexpr std::uint64_t most_times_smaller = 1032;

status check_available() {
  if (has_zip()) return {};
  return status::failure(stat_code::compression_unavailable,
                         "headrace was built without zlib, which .npz files need")
      .advise(
          "install its development package (Debian: zlib1g-dev) and build headrace with CMake "
          "again, or use .npy files");
}

bool ends_in_npy(const std::string& name) {
  return name.size() >= npy_ending.size() &&
         name.compare(name.size() - npy_ending.size(), npy_ending.size(), npy_ending) == 0;
}

std::string with_ending(const std::string& name) {
  return ends_in_npy(name) ? name : name + std::string(npy_ending);
}

std::string names_of(const zip_directory& directory) {
  std::vector<std::string> names;
  for (const zip_member& member : directory.members)
    if (ends_in_npy(member.name))
      names.push_back(member.name.substr(0, member.name.size() - npy_ending.size()));
  return names.empty() ? "no array" : names_text(names);
}

// As Python's zipfile: the last of several members of one name counts.
const zip_member* find_named(const zip_directory& directory, const std::string& name) {
  const auto found = std::find_if(directory.members.rbegin(), directory.members.rend(),
                                  [&](const zip_member& member) { return member.name == name; });
  return found == directory.members.rend() ? nullptr : &*found;
}

status find_member(const zip_directory& directory, const std::string& name,
                   const zip_member*& member) {
  if (!name.empty()) {
    member = find_named(directory, with_ending(name));
    if (member == nullptr) member = find_named(directory, name);
    if (member != nullptr) return {};
    return status::failure(stat_code::array_missing,
                           "the archive has no array \"" + name.substr(0, 200) + "\"")
        .advise("it has " + names_of(directory));
  }
  std::size_t arrays = 0;
  for (const zip_member& candidate : directory.members) {
    if (!ends_in_npy(candidate.name)) continue;
    member = &candidate;
    ++arrays;
  }
  if (arrays == 1) return {};
  return status::failure(stat_code::array_missing,
                         arrays == 0 ? "the archive has no array"
                                     : "the archive has " + std::to_string(arrays) + " arrays")
      .advise(arrays == 0 ? "write one with append=\"yes\""
                          : "choose one with name=: " + names_of(directory));
}

// An array of an archive, open for reading.
struct open_array {
  file_reader file;
  zip_directory directory;
  const zip_member* member = nullptr;
  std::uint64_t data_at = 0;
  std::unique_ptr<zip_member_reader> reader;
  npy_header header;

  bool stored() const noexcept { return member->method == 0; }
  std::uint64_t elements_at() const noexcept {
    return data_at + static_cast<std::uint64_t>(header.info.data_offset);
  }
  fill_bytes next() {
    return [this](char* data, std::size_t bytes) { return reader->read(data, bytes); };
  }
};

status open_directory(const std::string& name, file_reader& file, zip_directory& directory) {
  if (status s = file.open_sized(
          name, "an .npz file cannot be read from a pipe or device: its directory is at its end",
          "write it to a file first, or send an .npy file");
      !s.ok())
    return s;
  return read_zip_directory(file, directory);
}

// Compares what the archive and the header say of the size.
status check_sizes(const open_array& array) {
  const std::uint64_t wanted =
      static_cast<std::uint64_t>(array.header.info.data_offset) + array.header.info.bytes;
  const bool possible =
      array.stored() || array.member->bytes / most_times_smaller <= array.member->packed_bytes;
  if (array.member->bytes == wanted && possible) return {};
  if (!possible)
    return status::failure(stat_code::compression_damaged,
                           "the member \"" + array.member->name.substr(0, 200) + "\" of " +
                               bytes_text(array.member->packed_bytes) + " cannot hold " +
                               bytes_text(array.member->bytes))
        .advise("check that the file was written and copied whole");
  return status::failure(stat_code::file_size_mismatch,
                         "the member \"" + array.member->name.substr(0, 200) +
                             "\" has another size than its header says")
      .expected(bytes_text(wanted), bytes_text(array.member->bytes))
      .advise("check that the file was written and copied whole");
}

status open_member(const std::string& file, const std::string& name, open_array& array) {
  if (status s = check_available(); !s.ok()) return s;
  if (status s = open_directory(file, array.file, array.directory); !s.ok()) return s;
  if (status s = find_member(array.directory, name, array.member); !s.ok()) return s;
  if (status s = find_zip_data(array.file, array.directory, *array.member, array.data_at); !s.ok())
    return s;
  if (status s = open_zip_member(array.file, *array.member, array.data_at, array.reader); !s.ok())
    return s;
  // In a compressed member no offset of the file is that of the header.
  return read_npy_header(array.next(), array.stored() ? array.data_at : 0, array.header);
}

// Reads on to the end for the checksum alone.
status check_rest(open_array& array) {
  buffer block;
  block.reserve(std::size_t{256} << 10);
  for (std::uint64_t left = array.header.info.bytes; left > 0;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.capacity()));
    if (status s = array.reader->read(block.data(), part); !s.ok()) return s;
    left -= part;
  }
  return array.reader->finish();
}

status read_elements_of(open_array& opened, const array_view& array) {
  npy_source source{opened.next(), {}};
  if (!opened.stored() || !is_transposed(array, opened.header.info)) {
    if (status s = read_npy_elements(array, opened.header.info, source); !s.ok()) return s;
    return opened.reader->finish();
  }
  // The transposition reads here and there: the checksum comes first.
  if (status s = check_rest(opened); !s.ok()) return s;
  source.at = [&](std::uint64_t offset, char* data, std::size_t bytes) {
    std::size_t count = 0;
    status s = opened.file.read_at(opened.elements_at() + offset, data, bytes, count);
    if (!s.ok() || count == bytes) return s;
    return status::failure(stat_code::end_of_file, "the file became shorter while it was read")
        .advise("wait until its writer has finished, and read again");
  };
  return read_npy_elements(array, opened.header.info, source);
}

// numpy's name of an array without one.
std::string free_name(const zip_directory& directory) {
  std::size_t number = directory.members.size();
  const auto taken = [&](std::size_t n) {
    return find_named(directory, "arr_" + std::to_string(n) + ".npy") != nullptr;
  };
  while (taken(number)) ++number;
  return "arr_" + std::to_string(number) + ".npy";
}

status choose_name(const zip_directory& directory, const std::string& wanted, std::string& name) {
  name = wanted.empty() ? free_name(directory) : with_ending(wanted);
  if (name.size() > 65000)
    return status::failure(stat_code::argument_invalid, "the name of the array is too long")
        .expected("at most 65000 bytes", bytes_text(name.size()));
  if (find_named(directory, name) == nullptr) return {};
  return status::failure(
             stat_code::argument_invalid,
             "the archive has an array \"" + name.substr(0, name.size() - 4) + "\" already")
      .advise("choose another name=, or write the archive anew");
}

status write_member(file_writer& writer, zip_writer& archive, const std::string& name,
                    const array_view& array, const std::string& descr,
                    const write_settings& settings) {
  if (status s = archive.begin(name, settings.binary.compress, settings.level); !s.ok()) return s;
  const take_bytes take = [&](const char* data, std::size_t bytes) {
    return archive.write(data, bytes);
  };
  const std::string header = make_npy_header(descr, array, is_in_c_order(array));
  if (status s = archive.write(header.data(), header.size()); !s.ok()) return s;
  if (status s = write_npy_elements(array, settings.binary.order, take); !s.ok()) return s;
  if (status s = archive.end(); !s.ok()) return s;
  if (status s = archive.finish(); !s.ok()) return s;
  return writer.finish(settings.sync);
}

// If there is no archive to join, a new one; EEXIST when another program has made one meanwhile.
status write_archive(const std::string& file, const array_view& array, const std::string& descr,
                     const write_settings& settings) {
  std::string name;
  const bool append = settings.replace == replace_mode::append;
  const bool joins = append && (is_regular_file(file) || is_pipe(file));
  file_lock others;
  file_reader old;
  zip_directory directory;
  if (joins && !is_pipe(file))
    if (status s = others.take(file); !s.ok()) return s;
  if (joins)
    if (status s = open_directory(file, old, directory); !s.ok()) return s;
  if (status s = choose_name(directory, settings.binary.name, name); !s.ok()) return s;
  // Appending makes a new archive: its directory stands where the new array has to go.
  file_writer writer;
  if (status s = writer.open(file, append ? replace_mode::whole : settings.replace); !s.ok())
    return s;
  if (append && !joins) writer.must_be_new();
  if (joins) writer.adds_to_old();
  zip_writer archive(writer);
  if (joins)
    if (status s = archive.copy(old, directory); !s.ok()) return s;
  return write_member(writer, archive, name, array, descr, settings);
}

}  // namespace

status write_npz(const std::string& file, const array_view& array, const write_settings& settings) {
  std::string descr;
  status s = check_available();
  if (s.ok()) s = npy_descr(array, settings.binary.order, descr);
  if (s.ok()) s = write_archive(file, array, descr, settings);
  if (s.code() == EEXIST) s = write_archive(file, array, descr, settings);
  return std::move(s).in_file_once(file);
}

status read_npz(const std::string& file, const array_view& array, const read_settings& settings) {
  open_array opened;
  status s = open_member(file, settings.binary.name, opened);
  if (s.ok()) s = check_npy_fits(array, opened.header.info);
  if (s.ok()) s = check_sizes(opened);
  if (s.ok()) s = read_elements_of(opened, array);
  return std::move(s).in_file_once(file);
}

status describe_npz(const std::string& file, const read_settings& settings, array_info& info) {
  open_array opened;
  status s = open_member(file, settings.binary.name, opened);
  if (s.ok()) s = check_sizes(opened);
  if (!s.ok()) return std::move(s).in_file_once(file);
  info = opened.header.info;
  info.data_offset = opened.stored() ? static_cast<std::int64_t>(opened.elements_at()) : -1;
  return {};
}

}  // namespace headrace
