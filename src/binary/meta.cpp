#include "meta.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "../core/exclusive.hpp"
#include "../core/transfer.hpp"
#include "array_names.hpp"
#include "meta_pair.hpp"

namespace headrace {
namespace {

// Takes a data file back to what the old text of the pair knows, unless the new text stands.
struct data_guard {
  std::string path;
  bool created = false;
  bool appended = false;
  std::uint64_t old_bytes = 0;

  ~data_guard() {
    std::error_code ignored;
    if (created)
      std::filesystem::remove(path, ignored);
    else if (appended)
      std::filesystem::resize_file(path, old_bytes, ignored);
  }
};

meta_entry entry_of(const array_view& array, const binary_layout& layout) {
  meta_entry entry;
  entry.name = layout.name.empty() ? "array" : layout.name;
  entry.info.type = array.type;
  entry.info.elem_len = array.elem_len;
  entry.info.array_rank = array.array_rank;
  entry.info.extent = array.extent;
  entry.info.bytes = byte_count(array).value_or(0);
  entry.info.order = layout.order;
  entry.info.data_offset = 0;
  return entry;
}

// One call of write_meta.
class pair_writer {
 public:
  pair_writer(const std::string& file, const array_view& array, const write_settings& settings)
      : file_(file),
        array_(array),
        settings_(settings),
        pair_(file),
        entry_(entry_of(array, settings.binary)) {}

  status write() {
    std::error_code missing;
    const auto found = std::filesystem::status(pair_.text_file(), missing);
    const bool exists = std::filesystem::exists(found);
    if (exists && !std::filesystem::is_regular_file(found))
      return status::failure(stat_code::argument_invalid, "a description needs a regular file")
          .in_file(file_)
          .advise("directories, pipes and devices cannot be half of a pair");
    if (status s = check_name(entry_.name); !s.ok()) return std::move(s).in_file(file_);
    if (settings_.replace != replace_mode::whole)
      if (status s = lock_.take(pair_.text_file()); !s.ok()) return s;
    if (settings_.replace == replace_mode::append && exists) return append();
    return replace();
  }

 private:
  status replace() {
    // A text that cannot be understood is replaced as any other; its data files stay.
    std::string text;
    if (!pair_.load(text, older_).ok()) older_.clear();
    if (status s = choose_data_file(); !s.ok()) return s;
    file_writer data;
    file_writer description;
    if (status s = data.open(guard_.path, guard_.created ? replace_mode::whole : settings_.replace);
        !s.ok())
      return s;
    if (guard_.created) data.adds_to_old();
    if (status s = write_data(data); !s.ok()) return s;
    const replace_mode mode =
        settings_.replace == replace_mode::in_place ? replace_mode::in_place : replace_mode::whole;
    if (status s = description.open(file_, mode); !s.ok()) return s;
    // Another program may append the first array meanwhile.
    if (settings_.replace == replace_mode::append) description.must_be_new();
    if (status s = put(description, first_lines() + text_of_entry(entry_)); !s.ok()) return s;
    if (status s = data.finish(settings_.sync); !s.ok()) return s;
    if (settings_.replace == replace_mode::whole) {
      if (status s = lock_.take(pair_.text_file()); !s.ok()) return s;
      if (!pair_.load(text, older_).ok()) older_.clear();
    }
    if (status s = description.finish(settings_.sync); !s.ok()) return s;
    keep_data();
    pair_.remove_unused(older_, {entry_});
    return {};
  }

  status append() {
    std::string text;
    if (status s = pair_.load(text, older_); !s.ok()) return s;
    for (const meta_entry& other : older_)
      if (other.name == entry_.name)
        return status::failure(stat_code::argument_invalid,
                               "the pair has an array of the name \"" + entry_.name + "\" already")
            .in_file(file_)
            .advise("give another name=, or write a new pair without append");
    if (status s = choose_data_file(); !s.ok()) return s;
    file_writer data;
    file_writer description;
    if (status s = data.open(guard_.path, guard_.created ? replace_mode::whole : settings_.replace);
        !s.ok())
      return s;
    if (guard_.created) data.adds_to_old();
    guard_.appended = true;
    guard_.old_bytes = data.old_bytes();
    if (status s = fill_up_word(data); !s.ok()) return s;
    if (status s = write_data(data); !s.ok()) return s;
    if (status s = description.open(file_); !s.ok()) return s;
    description.adds_to_old();
    const char* const new_line = text.empty() || text.back() == '\n' ? "" : "\n";
    if (status s = put(description, text + new_line + text_of_entry(entry_)); !s.ok()) return s;
    if (status s = data.finish(settings_.sync); !s.ok()) return s;
    if (status s = description.finish(settings_.sync); !s.ok()) return s;
    keep_data();
    return {};
  }

  // The file of the kind that the pair has, unless it is to be replaced as a whole; or a new one.
  status choose_data_file() {
    std::uint64_t number = 0;
    if (settings_.replace != replace_mode::whole)
      for (const meta_entry& other : older_)
        if (other.info.type == entry_.info.type &&
            (other.info.type == type_class::character ||
             other.info.elem_len == entry_.info.elem_len) &&
            pair_.is_own(other, number)) {
          entry_.data_file = other.data_file;
          guard_.path = other.info.file;
          if (settings_.replace == replace_mode::in_place) return {};
          if (status s = check_data(other, file_); !s.ok()) return s;
        }
    if (!entry_.data_file.empty()) return {};
    if (status s = pair_.create_data_file(entry_.info, older_, entry_.data_file); !s.ok()) return s;
    guard_.path = pair_.path_of(entry_.data_file);
    guard_.created = true;
    return {};
  }

  // Behind bytes that a killed program left.
  status fill_up_word(file_writer& data) {
    constexpr char zeros[32] = {};
    const std::uint64_t word = std::max<std::size_t>(word_bytes(array_), 1);
    const std::uint64_t cut = data.old_bytes() % word;
    const std::uint64_t missing = cut == 0 ? 0 : word - cut;
    entry_.info.data_offset = static_cast<std::int64_t>(data.old_bytes() + missing);
    return data.write(zeros, std::min<std::uint64_t>(missing, sizeof zeros));
  }

  status write_data(file_writer& data) {
    transfer_settings transfer = transfer_in_order(settings_.binary.order, array_);
    std::uint32_t crc = 0;
    if (settings_.binary.checksum) transfer.crc = &crc;
    if (status s = write_elements(data, array_, transfer); !s.ok()) return s;
    if (settings_.binary.checksum) entry_.crc = crc;
    return {};
  }

  static status put(file_writer& description, const std::string& text) {
    return description.write(text.data(), text.size());
  }

  void keep_data() noexcept { guard_.created = guard_.appended = false; }

  std::string file_;
  const array_view& array_;
  const write_settings& settings_;
  meta_pair pair_;
  meta_entry entry_;
  std::vector<meta_entry> older_;
  data_guard guard_;
  file_lock lock_;
};

status missing_checksum(const std::string& file, const std::string& name) {
  return status::failure(stat_code::checksum_mismatch, "\"" + name + "\" has no checksum")
      .in_file(file)
      .advise("read it without checksum=, or write it with checksum=\"crc32c\"");
}

status read_data(const std::string& file, const meta_entry& entry, const array_view& array) {
  file_reader reader;
  if (status s = check_data(entry, file); !s.ok()) return s;
  if (status s = reader.open(entry.info.file); !s.ok()) return s;
  const auto offset = static_cast<std::uint64_t>(entry.info.data_offset);
  transfer_settings transfer = transfer_in_order(entry.info.order, array);
  std::uint32_t crc = 0;
  if (entry.crc) transfer.crc = &crc;
  if (status s = read_elements_at(reader, offset, array, transfer); !s.ok())
    return std::move(s).in_file_once(entry.info.file);
  if (!entry.crc || crc == *entry.crc) return {};
  return status::failure(stat_code::checksum_mismatch,
                         "the bytes of \"" + entry.name + "\" are not those that were written")
      .expected("crc32c " + crc_text(*entry.crc), crc_text(crc))
      .in_file(entry.info.file)
      .advise("copy the pair again, or remove crc32c from " + file + " to read the bytes");
}

}  // namespace

status write_meta(const std::string& file, const array_view& array,
                  const write_settings& settings) {
  status s = pair_writer(file, array, settings).write();
  const bool came_second = settings.replace == replace_mode::append && s.code() == EEXIST;
  return came_second ? pair_writer(file, array, settings).write() : s;
}

status read_meta(const std::string& file, const array_view& array, const read_settings& settings) {
  const meta_pair pair(file);
  for (std::string missing;;) {
    std::string text;
    std::vector<meta_entry> entries;
    meta_entry entry;
    if (status s = pair.load(text, entries); !s.ok()) return s;
    if (status s = find_entry(entries, settings.binary.name, entry); !s.ok())
      return std::move(s).in_file(file);
    if (status s = check_fits(array, entry.info); !s.ok()) return std::move(s).in_file(file);
    if (settings.binary.checksum && !entry.crc) return missing_checksum(file, entry.name);
    status s = read_data(file, entry, array);
    // Replaced since the text was read: the new text has another data file.
    if (s.code() != ENOENT || entry.data_file == missing) return s;
    missing = entry.data_file;
  }
}

status describe_meta(const std::string& file, const read_settings& settings, array_info& info) {
  std::string text;
  std::vector<meta_entry> entries;
  meta_entry entry;
  if (status s = meta_pair(file).load(text, entries); !s.ok()) return s;
  if (status s = find_entry(entries, settings.binary.name, entry); !s.ok())
    return std::move(s).in_file(file);
  if (status s = check_data(entry, file); !s.ok()) return s;
  info = entry.info;
  return {};
}

}  // namespace headrace
