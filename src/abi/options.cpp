#include "options.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "../core/compressed.hpp"
#include "../text/edit/edit_dialect.hpp"
#include "choices.hpp"

namespace headrace {
namespace {

status choose_delimiter(const char* value, const format& file_format, text_layout& layout) {
  const std::string wanted = text_of(value);
  layout.delimiter =
      layout.decimal == ',' && file_format.delimiter == ',' ? ';' : file_format.delimiter;
  if (wanted.empty() && value != nullptr && value[0] != '\0') layout.delimiter = ' ';
  if (wanted.empty()) return {};
  const std::string known = "one character that is in no number, \"tab\" and \"blank\"";
  if (lower_case(wanted) == "tab" || wanted == "\\t")
    layout.delimiter = '\t';
  else if (lower_case(wanted) == "blank")
    layout.delimiter = ' ';
  else if (wanted.size() == 1)
    layout.delimiter = wanted[0];
  else
    return unknown("delimiter", wanted, known);
  constexpr std::string_view impossible = "\"\n\r+-.eEdDqQ";
  const bool digit = layout.delimiter >= '0' && layout.delimiter <= '9';
  if (digit || layout.delimiter == layout.decimal ||
      impossible.find(layout.delimiter) != std::string_view::npos)
    return unknown("delimiter", wanted, known);
  return {};
}

status convert_layout(const char* edit, const char* number, const char* delimiter,
                      const char* decimal, const char* dialect, const format& file_format,
                      text_layout& layout) {
  constexpr std::pair<const char*, char> symbols[] = {
      {".", '.'}, {",", ','}, {"point", '.'}, {"comma", ','}};
  layout.edit = text_of(edit);
  layout.number = text_of(number);
  layout.dialect = lower_case(text_of(dialect));
  edit_dialect known;
  if (status s = parse_dialect(layout.dialect, known); !s.ok()) return s;
  if (!layout.dialect.empty() && layout.edit.empty() && layout.number.empty())
    return status::failure(stat_code::option_unknown, "dialect= has no meaning without a format")
        .advise("leave it out, or give edit= such as \"(10e15.5)\"");
  if (status s = choose("decimal", decimal, symbols, layout.decimal); !s.ok()) return s;
  return choose_delimiter(delimiter, file_format, layout);
}

bool present(const char* option) noexcept {
  return option != nullptr && option[0] != '\0';
}

// For formats that are no text: none of these may be given.
template <std::size_t Count>
status refuse_text_options(const format& file_format,
                           const std::pair<const char*, bool> (&given)[Count]) {
  if (file_format.is_text) return {};
  for (const auto& [option, present] : given)
    if (present)
      return status::failure(
                 stat_code::option_unknown,
                 std::string(option) + "= has no meaning for the format " + file_format.name)
          .advise("leave it out, or choose a text format such as \"csv\"");
  return {};
}

struct optional_use {
  const char* option;
  option_use use;
  bool present;
};

// Options that only some formats have.
template <std::size_t Count>
status refuse_unused(const format& file_format, const optional_use (&given)[Count]) {
  for (const auto& [option, use, present] : given)
    if (present && (file_format.options & use) == 0)
      return status::failure(
                 stat_code::option_unknown,
                 std::string(option) + "= has no meaning for the format " + file_format.name)
          .advise("leave it out; the documentation lists the formats that have it");
  return {};
}

// With edit= the format decides what these would.
template <std::size_t Count>
status refuse_beside_edit(const char* edit, const std::pair<const char*, bool> (&given)[Count]) {
  if (edit == nullptr || edit[0] == '\0') return {};
  for (const auto& [option, present] : given)
    if (present)
      return status::failure(stat_code::option_unknown,
                             std::string(option) + "= has no meaning beside edit=")
          .advise("leave one of them out");
  return {};
}

status check_threads(int threads) {
  if (threads >= 0) return {};
  return unknown("threads", std::to_string(threads), "0 (all cores) and larger numbers");
}

constexpr std::pair<const char*, bool> no_or_yes[] = {{"no", false}, {"yes", true}};
constexpr std::pair<const char*, byte_order> byte_orders[] = {{"native", byte_order::native},
                                                              {"little", byte_order::little},
                                                              {"little_endian", byte_order::little},
                                                              {"big", byte_order::big},
                                                              {"big_endian", byte_order::big}};
constexpr std::pair<const char*, bool> checksums[] = {{"none", false}, {"crc32c", true}};

// Members that both structures of options have.
template <class Options>
status convert_binary(const Options& options, const format& file_format, binary_layout& layout) {
  const optional_use given[] = {{"byte_order", uses_byte_order, present(options.byte_order)},
                                {"record_marker", uses_record_marker, options.record_marker != 0},
                                {"record_length", uses_record_length, options.record_length != 0},
                                {"record", uses_record, options.record != 0},
                                {"checksum", uses_checksum, present(options.checksum)},
                                {"name", uses_name, present(options.name)}};
  if (status s = refuse_unused(file_format, given); !s.ok()) return s;
  if (status s = choose("byte_order", options.byte_order, byte_orders, layout.order); !s.ok())
    return s;
  if (status s = choose("checksum", options.checksum, checksums, layout.checksum); !s.ok())
    return s;
  if (options.record_marker != 0 && options.record_marker != 4 && options.record_marker != 8)
    return unknown("record_marker", std::to_string(options.record_marker), "4 and 8 (bytes)");
  if (options.record_length < 0)
    return unknown("record_length", std::to_string(options.record_length), "bytes from 1 on");
  if (options.record < 0)
    return unknown("record", std::to_string(options.record), "numbers from 1 on");
  if (options.record_marker != 0) layout.record_marker = options.record_marker;
  layout.record_length = static_cast<std::uint64_t>(options.record_length);
  layout.record = static_cast<std::uint64_t>(options.record);
  layout.name = text_of(options.name);
  return {};
}

}  // namespace

std::string text_of(const char* option) {
  return option == nullptr ? "" : option;
}

status convert(const hr_write_options& options, const format& file_format,
               write_settings& settings) {
  const std::pair<const char*, bool> text_options[] = {
      {"edit", present(options.edit)},           {"number", present(options.number)},
      {"delimiter", present(options.delimiter)}, {"decimal", present(options.decimal)},
      {"dialect", present(options.dialect)},     {"header", options.header_count != 0}};
  constexpr std::pair<const char*, sync_mode> syncs[] = {{"none", sync_mode::none},
                                                         {"file", sync_mode::file}};
  constexpr std::pair<const char*, replace_mode> replacements[] = {
      {"whole", replace_mode::whole}, {"in_place", replace_mode::in_place}};
  constexpr std::pair<const char*, bool> compressions[] = {{"none", false}, {"deflate", true}};
  const optional_use uses[] = {
      {"append", uses_append,
       present(options.append) && lower_case(text_of(options.append)) != "no"},
      {"compression", uses_compression, present(options.compression)},
      {"level", uses_compression, options.level != 0 && !file_format.is_text}};
  bool append = false;
  if (status s = choose("sync", options.sync, syncs, settings.sync); !s.ok()) return s;
  if (status s = choose("replace", options.replace, replacements, settings.replace); !s.ok())
    return s;
  if (status s = refuse_text_options(file_format, text_options); !s.ok()) return s;
  if (status s = refuse_unused(file_format, uses); !s.ok()) return s;
  if (status s = convert_binary(options, file_format, settings.binary); !s.ok()) return s;
  if (status s = choose("compression", options.compression, compressions, settings.binary.compress);
      !s.ok())
    return s;
  settings.level = options.level;
  if (options.level != 0 && !file_format.is_text) {
    if (status s = check_deflate_level(options.level); !s.ok()) return s;
    if (!settings.binary.compress)
      return status::failure(stat_code::option_unknown,
                             "level= has no meaning without compression=")
          .advise("give compression=\"deflate\", too");
  }
  if (status s = choose("append", options.append, no_or_yes, append); !s.ok()) return s;
  if (append && present(options.replace))
    return status::failure(stat_code::option_unknown, "replace= has no meaning beside append=")
        .advise("leave one of them out");
  if (options.record != 0 && present(options.replace))
    return status::failure(stat_code::option_unknown, "replace= has no meaning beside record=")
        .advise("leave it out: the records are overwritten in place");
  if (append) settings.replace = replace_mode::append;
  const std::pair<const char*, bool> cell_options[] = {{"number", present(options.number)},
                                                       {"delimiter", present(options.delimiter)},
                                                       {"header", options.header_count != 0}};
  if (status s = refuse_beside_edit(options.edit, cell_options); !s.ok()) return s;
  if (status s = check_threads(options.threads); !s.ok()) return s;
  settings.threads = options.threads;
  for (int i = 0; i < options.header_count; ++i)
    settings.header.push_back(text_of(options.header == nullptr ? nullptr : options.header[i]));
  return convert_layout(options.edit, options.number, options.delimiter, options.decimal,
                        options.dialect, file_format, settings.text);
}

status convert(const hr_read_options& options, const format& file_format, read_settings& settings) {
  const std::pair<const char*, bool> text_options[] = {{"edit", present(options.edit)},
                                                       {"number", present(options.number)},
                                                       {"delimiter", present(options.delimiter)},
                                                       {"decimal", present(options.decimal)},
                                                       {"header", present(options.header)},
                                                       {"comment", present(options.comment)},
                                                       {"skip_rows", options.skip_rows != 0},
                                                       {"columns", options.column_count != 0},
                                                       {"columns", options.column_name_count != 0},
                                                       {"missing", present(options.missing)},
                                                       {"dialect", present(options.dialect)}};
  constexpr std::pair<const char*, header_rule> headers[] = {
      {"auto", header_rule::automatic}, {"yes", header_rule::yes}, {"no", header_rule::no}};
  if (status s = refuse_text_options(file_format, text_options); !s.ok()) return s;
  if (status s = convert_binary(options, file_format, settings.binary); !s.ok()) return s;
  if (present(options.byte_order) && (file_format.options & states_byte_order) != 0)
    return status::failure(stat_code::option_unknown,
                           std::string(file_format.name) + " files state their byte order")
        .advise("leave byte_order= out");
  if (status s = choose("header", options.header, headers, settings.header); !s.ok()) return s;
  settings.missing = text_of(options.missing);
  const std::pair<const char*, bool> cell_options[] = {
      {"number", present(options.number)},
      {"delimiter", present(options.delimiter)},
      {"header", present(options.header)},
      {"comment", present(options.comment) && text_of(options.edit) != "*"},
      {"columns", options.column_count != 0 || options.column_name_count != 0},
      {"missing", present(options.missing)}};
  if (status s = refuse_beside_edit(options.edit, cell_options); !s.ok()) return s;
  if (status s = check_threads(options.threads); !s.ok()) return s;
  settings.threads = options.threads;
  const std::string comment = text_of(options.comment);
  if (comment.size() > 1) return unknown("comment", comment, "single characters such as \"#\"");
  if (!comment.empty()) settings.comment = comment[0];
  if (options.column_count < 0 || (options.column_count > 0 && options.columns == nullptr))
    return status::failure(stat_code::argument_invalid, "columns is a null pointer")
        .advise("give column_count numbers");
  if (options.column_name_count < 0 ||
      (options.column_name_count > 0 && options.column_names == nullptr))
    return status::failure(stat_code::argument_invalid, "column_names is a null pointer")
        .advise("give column_name_count names");
  if (options.column_name_count > 0 && options.column_count > 0)
    return status::failure(stat_code::option_unknown, "columns= are numbers or names, not both")
        .advise("leave one of them out");
  if (options.column_name_count > 0 && settings.header == header_rule::no)
    return status::failure(stat_code::option_unknown, "columns= by name needs a header")
        .advise("leave header=\"no\" out, or give the numbers of the columns");
  settings.column_names.clear();  // of an earlier look at the same options
  for (int i = 0; i < options.column_name_count; ++i)
    settings.column_names.push_back(text_of(options.column_names[i]));
  if (options.skip_rows < 0)
    return unknown("skip_rows", std::to_string(options.skip_rows), "0 and larger numbers");
  settings.skip_rows = options.skip_rows;
  if (options.column_count > 0 && options.columns != nullptr)
    settings.columns.assign(options.columns, options.columns + options.column_count);
  if (status s = convert_layout(options.edit, options.number, options.delimiter, options.decimal,
                                options.dialect, file_format, settings.text);
      !s.ok())
    return s;
  if (settings.comment == '\0' || settings.comment != settings.text.delimiter) return {};
  return unknown("comment", comment, "characters other than the delimiter");
}

}  // namespace headrace
