#include "meta_entry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "../core/array_view.hpp"
#include "../core/byte_swap.hpp"
#include "../core/lower_case.hpp"
#include "../core/name_text.hpp"
#include "array_names.hpp"
#include "meta_namelist.hpp"

namespace headrace {
namespace {

constexpr std::int64_t newest_version = 1;
constexpr std::size_t longest_name = 200;
constexpr std::array known_keys = {"format_version", "name",      "type",   "array_rank", "shape",
                                   "byte_order",     "data_file", "offset", "bytes",      "crc32c"};

status damaged(const std::string& what, std::uint64_t line, std::uint64_t column) {
  return status::failure(stat_code::header_damaged, what)
      .at_line(line, column)
      .advise("correct the description, or write the pair again");
}

// "character(12)"; digits behind the parenthesis only.
bool parse_character(const std::string& text, array_info& info) {
  constexpr std::string_view beginning = "character(";
  if (text.rfind(beginning, 0) != 0 || text.back() != ')') return false;
  const char* const last = text.data() + text.size() - 1;
  std::int64_t length = 0;
  const auto [end, error] = std::from_chars(text.data() + beginning.size(), last, length);
  if (error != std::errc() || end != last || length < 0) return false;
  info.type = type_class::character;
  info.elem_len = static_cast<std::size_t>(length);
  return true;
}

bool parse_type(const std::string& text, array_info& info) {
  for (const type_class type :
       {type_class::integer, type_class::real, type_class::complex, type_class::logical})
    for (const std::size_t length : {1U, 2U, 4U, 8U, 16U, 32U})
      if (text == type_name(type, length)) {
        info.type = type;
        info.elem_len = length;
        return true;
      }
  return parse_character(text, info);
}

// Takes the keys of one group.
class entry_reader {
 public:
  explicit entry_reader(const namelist_group& group) : group_(group) {}

  status read(meta_entry& entry) {
    std::int64_t version = newest_version;
    if (status s = number("format_version", 1, version); !s.ok()) return s;
    if (version > newest_version)
      return damaged("a newer program wrote the description", group_.line, 1)
          .expected("format_version " + std::to_string(newest_version), std::to_string(version));
    if (status s = check_keys(); !s.ok()) return s;
    entry.name = "array";
    if (status s = text("name", entry.name); !s.ok()) return s;
    if (entry.name.empty()) return wrong("the name of the array is blank", "name");
    if (status s = read_type(entry.info); !s.ok()) return s;
    if (status s = read_shape(entry.info); !s.ok()) return s;
    if (status s = read_order(entry.info); !s.ok()) return s;
    if (status s = read_place(entry); !s.ok()) return s;
    return read_checksum(entry);
  }

 private:
  const namelist_item* find(std::string_view key) const {
    for (const namelist_item& item : group_.items)
      if (item.key == key) return &item;
    return nullptr;
  }

  status wrong(const std::string& what, std::string_view key) const {
    const namelist_item* const item = find(key);
    return item == nullptr ? damaged(what, group_.line, 1)
                           : damaged(what, item->line, item->column);
  }

  status missing(const std::string& key) const {
    return wrong("the description of an array has no " + key, key);
  }

  status check_keys() const {
    std::set<std::string_view> seen;
    for (const namelist_item& item : group_.items) {
      if (std::find(known_keys.begin(), known_keys.end(), item.key) == known_keys.end())
        return wrong("there is no key " + item.key, item.key);
      if (!seen.insert(item.key).second)
        return damaged("the key " + item.key + " is given twice", item.line, item.column);
    }
    return {};
  }

  // value stays as it is if the key is missing.
  status number(const std::string& key, std::int64_t lowest, std::int64_t& value) const {
    const namelist_item* const item = find(key);
    if (item == nullptr) return {};
    const namelist_value& given = item->values.front();
    if (item->values.size() != 1 || given.repeat != 1 || given.is_text || given.number < lowest)
      return wrong(key + " is not one integer from " + std::to_string(lowest) + " on", key);
    value = given.number;
    return {};
  }

  status text(const std::string& key, std::string& value) const {
    const namelist_item* const item = find(key);
    if (item == nullptr) return {};
    if (item->values.size() != 1 || !item->values.front().is_text)
      return wrong(key + " is not one text between quotes", key);
    value = item->values.front().text;
    return {};
  }

  status read_type(array_info& info) const {
    std::string name;
    if (find("type") == nullptr) return missing("type");
    if (status s = text("type", name); !s.ok()) return s;
    if (parse_type(lower_case(name), info)) return {};
    const namelist_item& item = *find("type");
    return status::failure(stat_code::kind_unsupported, "there is no type \"" + name + "\"")
        .at_line(item.line, item.column)
        .advise("known are int32, real64, complex(real64), logical(4), character(12) and such");
  }

  // Fortran's WRITE gives all elements of its variable: those behind the array rank do not count.
  status read_shape(array_info& info) const {
    std::int64_t array_rank = -1;
    if (status s = number("array_rank", 0, array_rank); !s.ok()) return s;
    if (array_rank < 0) return missing("array_rank");
    if (array_rank > max_array_rank)
      return wrong("array_rank is more than " + std::to_string(max_array_rank), "array_rank");
    info.array_rank = static_cast<int>(array_rank);
    const namelist_item* const item = find("shape");
    int found = 0;
    if (item != nullptr)
      for (const namelist_value& value : item->values)
        for (std::int64_t i = 0; i < value.repeat && found < info.array_rank; ++i) {
          if (value.is_text || value.number < 0)
            return wrong("shape is not one number of elements for each dimension", "shape");
          info.extent[static_cast<std::size_t>(found++)] = value.number;
        }
    if (found == info.array_rank) return {};
    return wrong("shape has " + std::to_string(found) + " numbers, array_rank says " +
                     std::to_string(array_rank),
                 "shape");
  }

  status read_order(array_info& info) const {
    std::string order;
    if (find("byte_order") == nullptr) return missing("byte_order");
    if (status s = text("byte_order", order); !s.ok()) return s;
    order = lower_case(order);
    info.order = order == "big" ? byte_order::big : byte_order::little;
    if (order == "big" || order == "little") return {};
    return wrong("byte_order is neither 'little' nor 'big'", "byte_order");
  }

  status read_place(meta_entry& entry) const {
    array_info& info = entry.info;
    array_view shape;
    shape.elem_len = info.elem_len;
    shape.type = info.type;
    shape.array_rank = info.array_rank;
    shape.extent = info.extent;
    const auto bytes = byte_count(shape);
    if (!bytes) return wrong("the array is too large for this machine", "shape");
    info.bytes = *bytes;
    std::int64_t stated = static_cast<std::int64_t>(*bytes);
    if (status s = number("bytes", 0, stated); !s.ok()) return s;
    if (static_cast<std::uint64_t>(stated) != info.bytes)
      return wrong("bytes does not agree with type and shape", "bytes")
          .expected(std::to_string(info.bytes), std::to_string(stated));
    info.data_offset = 0;
    if (status s = number("offset", 0, info.data_offset); !s.ok()) return s;
    if (find("data_file") == nullptr) return missing("data_file");
    if (status s = text("data_file", entry.data_file); !s.ok()) return s;
    return stays_below(entry.data_file)
               ? status()
               : wrong("data_file does not name a file in or below the directory of this one",
                       "data_file");
  }

  static bool stays_below(const std::string& file) {
    if (file.empty() || file.front() == '/' || file.back() == '/') return false;
    return ("/" + file + "/").find("/../") == std::string::npos;
  }

  status read_checksum(meta_entry& entry) const {
    std::string digits;
    if (status s = text("crc32c", digits); !s.ok()) return s;
    if (digits.empty()) return {};
    std::uint32_t crc = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, crc, 16);
    if (error != std::errc() || end != last || digits.size() != 8)
      return wrong("crc32c is not 8 hexadecimal digits", "crc32c");
    entry.crc = crc;
    return {};
  }

  const namelist_group& group_;
};

std::string line_of(const char* key, const std::string& value) {
  std::string text = std::string("  ") + key;
  text.resize(17, ' ');
  return text + "= " + value + "\n";
}

std::string order_text(byte_order order) {
  const bool native_is_big = is_swapped(byte_order::little);
  const bool big = order == byte_order::big || (order == byte_order::native && native_is_big);
  return big ? "'big'" : "'little'";
}

}  // namespace

status parse_entries(std::string_view text, std::vector<meta_entry>& entries) {
  std::vector<namelist_group> groups;
  std::set<std::string> names;
  if (status s = find_groups(text, "array", groups); !s.ok()) return s;
  for (const namelist_group& group : groups) {
    meta_entry entry;
    if (status s = entry_reader(group).read(entry); !s.ok()) return s;
    if (!names.insert(entry.name).second)
      return damaged("two arrays have the name \"" + entry.name + "\"", group.line, 1);
    entries.push_back(std::move(entry));
  }
  return {};
}

std::string text_of_entry(const meta_entry& entry) {
  const array_info& info = entry.info;
  std::string shape;
  for (int d = 0; d < info.array_rank; ++d)
    shape += (d == 0 ? "" : ", ") + std::to_string(info.extent[static_cast<std::size_t>(d)]);
  std::string text = "&array\n";
  text += line_of("format_version", std::to_string(newest_version));
  text += line_of("name", quoted(entry.name));
  text += line_of("type", quoted(type_name(info.type, info.elem_len)));
  text += line_of("array_rank", std::to_string(info.array_rank));
  if (info.array_rank > 0) text += line_of("shape", shape);
  text += line_of("byte_order", order_text(info.order));
  text += line_of("data_file", quoted(entry.data_file));
  text += line_of("offset", std::to_string(info.data_offset));
  text += line_of("bytes", std::to_string(info.bytes));
  if (entry.crc) text += line_of("crc32c", quoted(crc_text(*entry.crc)));
  return text + "/\n";
}

std::string crc_text(std::uint32_t crc) {
  std::string digits(8, '0');
  for (std::size_t i = digits.size(); i-- > 0; crc >>= 4U)
    digits[i] = "0123456789abcdef"[crc & 15U];
  return digits;
}

std::string first_lines() {
  return "! Arrays in files of plain bytes beside this one. Elements follow each other with the\n"
         "! first dimension varying fastest; offset and bytes count bytes. Fortran reads one "
         "group\n"
         "! after another by READ(unit, NML=array) into integers of 64 bits and characters.\n";
}

status find_entry(const std::vector<meta_entry>& entries, const std::string& name,
                  meta_entry& found) {
  std::vector<std::string> names;
  for (const meta_entry& entry : entries) {
    if (entry.name == name || (name.empty() && entries.size() == 1)) {
      found = entry;
      return {};
    }
    names.push_back(entry.name);
  }
  const std::string what =
      name.empty() && !entries.empty()
          ? "the file describes " + std::to_string(entries.size()) + " arrays"
          : "the file describes no array" + (name.empty() ? "" : " of the name \"" + name + "\"");
  return status::failure(stat_code::array_missing, what)
      .advise(entries.empty() ? "write one with write_array"
                              : "give name=, one of " + names_text(names));
}

status check_name(const std::string& name) {
  const bool printable = std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  });
  if (printable && !name.empty() && name.size() <= longest_name && name.back() != ' ') return {};
  return status::failure(stat_code::option_unknown, "an array cannot have this name")
      .advise("names have 1 to " + std::to_string(longest_name) +
              " bytes, no control characters, no blank at the end");
}

}  // namespace headrace
