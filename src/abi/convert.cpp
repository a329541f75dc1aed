// hr_convert_records. Next: ../binary/record_convert.hpp.
#include "../../include/headrace_convert.h"

#include "../binary/record_convert.hpp"
#include "choices.hpp"
#include "errors.hpp"

namespace headrace {
namespace {

status invalid(const char* what) {
  return status::failure(stat_code::argument_invalid, what).advise("see headrace_convert.h");
}

status convert(const hr_record_layout& layout, record_layout& result) {
  switch (layout.form) {
    case HR_FORM_SEQUENTIAL:
      result.form = record_form::sequential;
      break;
    case HR_FORM_DIRECT:
      result.form = record_form::direct;
      break;
    case HR_FORM_STREAM:
      result.form = record_form::stream;
      break;
    default:
      return invalid("form is none of the known numbers");
  }
  const bool sequential = layout.form == HR_FORM_SEQUENTIAL;
  if (sequential && layout.record_marker != 4 && layout.record_marker != 8)
    return unknown("record_marker", std::to_string(layout.record_marker), "4 and 8");
  if (layout.long_records < 0 || layout.long_records > 2)
    return invalid("long_records is none of the known numbers");
  if (layout.record_length < 0 || (layout.form == HR_FORM_DIRECT && layout.record_length == 0))
    return unknown("record_length", std::to_string(layout.record_length), "bytes from 1 on");
  if (layout.first_byte < 0 || layout.bytes < 0)
    return invalid("first_byte and bytes are 0 or more");
  if (layout.head_bytes > 0 && layout.head == nullptr) return invalid("head is a null pointer");
  if (sequential && (layout.first_byte > 0 || layout.bytes > 0 || layout.head_bytes > 0))
    return invalid("first_byte, bytes and head are for files without markers");
  constexpr long_records longer[] = {long_records::subrecords, long_records::high_bit,
                                     long_records::unsigned_marker};
  result.dialect.order = layout.big_endian != 0 ? byte_order::big : byte_order::little;
  result.dialect.marker_bytes = sequential ? layout.record_marker : 4;
  result.dialect.longer = longer[layout.long_records];
  result.dialect.segmented = layout.segmented != 0;
  result.record_length = static_cast<std::uint64_t>(layout.record_length);
  result.first_byte = static_cast<std::uint64_t>(layout.first_byte);
  result.bytes = static_cast<std::uint64_t>(layout.bytes);
  if (layout.head_bytes > 0)
    result.head.assign(static_cast<const char*>(layout.head), layout.head_bytes);
  return {};
}

status convert(const hr_word_run* runs, std::size_t count, record_pattern& pattern) {
  if (count > 0 && runs == nullptr) return invalid("runs is a null pointer");
  for (std::size_t i = 0; i < count; ++i) {
    const hr_word_run& run = runs[i];
    const auto records = static_cast<long long>(pattern.size());
    if (run.record != records && run.record != records - 1)
      return invalid("the runs do not follow the records of the pattern");
    if (run.bytes < 0 || run.word_bytes < 1) return invalid("a run has no length or no words");
    if (run.record == records) pattern.emplace_back();
    pattern.back().push_back(
        {static_cast<std::uint64_t>(run.bytes), static_cast<std::size_t>(run.word_bytes)});
  }
  return {};
}

}  // namespace
}  // namespace headrace

extern "C" int hr_convert_records(const char* from, const hr_record_layout* from_layout,
                                  const char* to, const hr_record_layout* to_layout,
                                  const hr_word_run* runs, size_t run_count, const char* sync,
                                  hr_progress progress, long long* records, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    constexpr std::pair<const char*, sync_mode> syncs[] = {{"none", sync_mode::none},
                                                           {"file", sync_mode::file}};
    const std::string name = text_of(from);
    convert_settings settings;
    std::uint64_t done = 0;
    if (from_layout == nullptr || to_layout == nullptr)
      return invalid("a layout is a null pointer").in_file(name);
    if (name.empty() || text_of(to).empty())
      return status::failure(stat_code::file_name_empty, "the file name is empty")
          .advise("give the names of both files");
    status result = convert(*from_layout, settings.from);
    if (result.ok()) result = convert(*to_layout, settings.to);
    if (result.ok()) result = convert(runs, run_count, settings.pattern);
    if (result.ok()) result = choose("sync", sync, syncs, settings.sync);
    if (!result.ok()) return std::move(result).in_file(name);
    if (progress != nullptr)
      settings.progress = [progress](std::uint64_t bytes, std::uint64_t total) {
        return progress(static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(total)) != 0;
      };
    result = convert_records(name, text_of(to), settings, done);
    if (records != nullptr) *records = static_cast<long long>(done);
    return result;
  });
}
