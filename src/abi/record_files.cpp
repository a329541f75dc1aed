// The functions of headrace_records.h. Next: ../binary/record_reader.hpp and
// ../binary/record_writer.hpp.
#include "../../include/headrace_records.h"

#include <algorithm>
#include <mutex>

#include "../binary/record_fit.hpp"
#include "../binary/record_reader.hpp"
#include "../binary/record_writer.hpp"
#include "../core/byte_swap.hpp"
#include "choices.hpp"
#include "errors.hpp"
#include "handles.hpp"
#include "views.hpp"

namespace headrace {
namespace {

enum class record_action { read, write, append };

// An open file; guard lets one call at a time in.
struct open_records {
  std::mutex guard;
  std::string file;
  record_action action = record_action::read;
  record_reader reader;
  record_writer writer;
};

handle_registry<open_records>& files() {
  static handle_registry<open_records> registry;
  return registry;
}

status null_pointer(const char* what, const std::string& file) {
  return status::failure(stat_code::argument_invalid, std::string(what) + " is a null pointer")
      .in_file(file)
      .advise("see headrace_records.h");
}

// What the options say; order_known is false for "auto".
struct record_settings {
  record_action action = record_action::read;
  record_dialect dialect;
  bool order_known = true;
  bool marker_known = true;
  sync_mode sync = sync_mode::none;
};

status choose_marker(const hr_record_options& options, record_settings& settings) {
  const int bytes = options.record_marker;
  if (bytes != 0 && bytes != 4 && bytes != 8)
    return unknown("record_marker", std::to_string(bytes), "4 and 8");
  if (settings.dialect.segmented && bytes != 0)
    return status::failure(stat_code::option_unknown, "segmented records have no record_marker")
        .advise("leave record_marker out");
  settings.dialect.marker_bytes = bytes == 0 ? 4 : bytes;
  settings.marker_known = bytes != 0 || settings.order_known || settings.dialect.segmented;
  return {};
}

// What can only be read, or only be written.
status check_action(const record_settings& settings) {
  const auto refuse = [](const char* what, const char* advice) {
    return status::failure(stat_code::option_unknown, what).advise(advice);
  };
  if (settings.action == record_action::read)
    return settings.sync == sync_mode::none
               ? status()
               : refuse("sync= is for files that are written", "leave it out");
  if (!settings.order_known)
    return refuse("byte_order=\"auto\" is for reading", R"(say "native", "little" or "big")");
  if (settings.dialect.segmented || settings.dialect.longer != long_records::subrecords)
    return refuse("such records are read, not written",
                  "leave long_records and record_type out: most compilers read that");
  return {};
}

status convert(const hr_record_options& options, record_settings& settings) {
  constexpr std::pair<const char*, record_action> actions[] = {{"read", record_action::read},
                                                               {"write", record_action::write},
                                                               {"append", record_action::append}};
  constexpr std::pair<const char*, int> orders[] = {
      {"native", static_cast<int>(byte_order::native)},
      {"little", static_cast<int>(byte_order::little)},
      {"little_endian", static_cast<int>(byte_order::little)},
      {"big", static_cast<int>(byte_order::big)},
      {"big_endian", static_cast<int>(byte_order::big)},
      {"auto", -1}};
  constexpr std::pair<const char*, long_records> longer[] = {
      {"subrecords", long_records::subrecords},
      {"high_bit", long_records::high_bit},
      {"unsigned", long_records::unsigned_marker}};
  constexpr std::pair<const char*, bool> types[] = {{"variable", false}, {"segmented", true}};
  constexpr std::pair<const char*, sync_mode> syncs[] = {{"none", sync_mode::none},
                                                         {"file", sync_mode::file}};
  int order = 0;
  status result = choose("action", options.action, actions, settings.action);
  if (result.ok()) result = choose("byte_order", options.byte_order, orders, order);
  if (result.ok())
    result = choose("long_records", options.long_records, longer, settings.dialect.longer);
  if (result.ok())
    result = choose("record_type", options.record_type, types, settings.dialect.segmented);
  if (result.ok()) result = choose("sync", options.sync, syncs, settings.sync);
  settings.order_known = order >= 0;
  if (settings.order_known) settings.dialect.order = static_cast<byte_order>(order);
  if (result.ok()) result = choose_marker(options, settings);
  return result.ok() ? check_action(settings) : result;
}

std::vector<record_dialect> candidates_of(const record_settings& settings) {
  if (settings.order_known) return {settings.dialect};
  std::vector<record_dialect> candidates;
  for (const int marker_bytes : {4, 8}) {
    if (settings.marker_known && marker_bytes != settings.dialect.marker_bytes) continue;
    // The machine's own order first: it stands for a file without records.
    const bool little = !is_swapped(byte_order::little);
    for (const bool native : {true, false}) {
      record_dialect one = settings.dialect;
      one.marker_bytes = marker_bytes;
      one.order = native == little ? byte_order::little : byte_order::big;
      candidates.push_back(one);
    }
  }
  return candidates;
}

status open(const std::string& file, const hr_record_options& options, hr_record_file& records) {
  record_settings settings;
  if (status s = convert(options, settings); !s.ok()) return std::move(s).in_file(file);
  auto opened = std::make_shared<open_records>();
  opened->file = file;
  opened->action = settings.action;
  const replace_mode mode =
      settings.action == record_action::append ? replace_mode::append : replace_mode::whole;
  status result = settings.action == record_action::read
                      ? opened->reader.open(file, candidates_of(settings))
                      : opened->writer.open(file, mode, settings.dialect, settings.sync);
  if (!result.ok()) return std::move(result).in_file_once(file);
  records = files().add(std::move(opened));
  return {};
}

// Runs body(open file) for a handle that is open to be read, or to be written.
template <class Body>
status with_file(hr_record_file records, bool to_read, Body body) {
  const auto held = files().find_locked(records);
  open_records* const opened = held.get();
  if (opened == nullptr) return closed_handle("the record_file", records);
  if ((opened->action == record_action::read) == to_read) return body(*opened);
  return status::failure(stat_code::argument_invalid, to_read
                                                          ? "the record_file is open to be written"
                                                          : "the record_file is open to be read")
      .in_file(opened->file)
      .advise(to_read ? "close it and open it with action=\"read\""
                      : "open it with action=\"write\" or action=\"append\"");
}

// Runs body(open file, array view).
template <class Body>
status with_array(hr_record_file records, bool to_read, const hr_array* array, Body body) {
  return with_file(records, to_read, [&](open_records& opened) {
    if (array == nullptr) return null_pointer("array", opened.file);
    array_view view;
    status result = from_c(*array, view);
    if (result.ok()) result = body(opened, view);
    if (result.ok()) return result;
    return std::move(result).in_file_once(opened.file);
  });
}

status locate(open_records& opened, long long first, std::size_t capacity, long long* number,
              long long* offset, long long* bytes, std::size_t& count) {
  std::vector<record_part> parts;
  status result = opened.reader.locate(first, capacity, parts);
  count = parts.size();
  for (std::size_t i = 0; i < count; ++i) {
    number[i] = static_cast<long long>(parts[i].number);
    offset[i] = static_cast<long long>(parts[i].offset);
    bytes[i] = static_cast<long long>(parts[i].bytes);
  }
  return result;
}

}  // namespace
}  // namespace headrace

extern "C" int hr_open_records(const char* file, const hr_record_options* options,
                               hr_record_file* records, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if (records == nullptr) return null_pointer("records", text_of(file));
    return open(text_of(file), options == nullptr ? hr_record_options{} : *options, *records);
  });
}

extern "C" int hr_next_record(hr_record_file records, long long* bytes, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_file(records, true, [&](open_records& opened) {
      if (bytes == nullptr) return null_pointer("bytes", opened.file);
      std::uint64_t found = 0;
      status result = opened.reader.next_bytes(found);
      if (result.ok()) *bytes = static_cast<long long>(found);
      return result;
    });
  });
}

extern "C" int hr_read_record(hr_record_file records, const hr_array* array, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_array(records, true, array, [](open_records& opened, const array_view& view) {
      return opened.reader.read(view);
    });
  });
}

extern "C" int hr_read_records(hr_record_file records, const hr_array* array, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_array(records, true, array, [](open_records& opened, const array_view& view) {
      return opened.reader.read_many(view);
    });
  });
}

extern "C" int hr_write_record(hr_record_file records, const hr_array* array, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_array(records, false, array, [](open_records& opened, const array_view& view) {
      return opened.writer.write(view);
    });
  });
}

extern "C" int hr_write_records(hr_record_file records, const hr_array* array, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_array(records, false, array, [](open_records& opened, const array_view& view) {
      return opened.writer.write_many(view);
    });
  });
}

extern "C" int hr_skip_records(hr_record_file records, long long count, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_file(records, true,
                     [&](open_records& opened) { return opened.reader.skip(count); });
  });
}

extern "C" int hr_go_to_record(hr_record_file records, long long number, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_file(records, true,
                     [&](open_records& opened) { return opened.reader.go_to(number); });
  });
}

extern "C" int hr_count_records(hr_record_file records, long long* count, long long* next,
                                hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_file(records, true, [&](open_records& opened) {
      std::uint64_t found = 0;
      if (next != nullptr) *next = static_cast<long long>(opened.reader.next_number());
      if (count == nullptr) return status();
      status result = opened.reader.count(found);
      *count = static_cast<long long>(found);
      return result;
    });
  });
}

extern "C" int hr_record_form(hr_record_file records, int* record_marker, int* big_endian,
                              hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_file(records, true, [&](open_records& opened) {
      const record_dialect& dialect = opened.reader.dialect();
      if (record_marker != nullptr) *record_marker = dialect.segmented ? 0 : dialect.marker_bytes;
      if (big_endian != nullptr)
        *big_endian = is_swapped(dialect.order) != is_swapped(byte_order::big) ? 0 : 1;
      return status();
    });
  });
}

extern "C" int hr_locate_records(hr_record_file records, long long first, size_t capacity,
                                 long long* number, long long* offset, long long* bytes,
                                 size_t* count, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    return with_file(records, true, [&](open_records& opened) {
      if (count == nullptr ||
          (capacity > 0 && (number == nullptr || offset == nullptr || bytes == nullptr)))
        return null_pointer("number, offset, bytes or count", opened.file);
      return locate(opened, first, capacity, number, offset, bytes, *count);
    });
  });
}

extern "C" int hr_close_records(hr_record_file* records, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if (records == nullptr) return null_pointer("records", "");
    const std::shared_ptr<open_records> opened = files().remove(*records);
    if (opened == nullptr) return closed_handle("the record_file", *records);
    *records = 0;
    const std::lock_guard<std::mutex> lock(opened->guard);
    return opened->action == record_action::read ? status() : opened->writer.close();
  });
}

extern "C" void hr_swap_bytes(void* to, const void* from, size_t words, size_t word_bytes) {
  headrace::swap_bytes(static_cast<char*>(to), static_cast<const char*>(from), words, word_bytes);
}
