#include "status.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace headrace {
namespace {

const char* advice_for(int error) noexcept {
  switch (error) {
    case ENOSPC:
      return "free space there or choose another directory";
    case EDQUOT:
      return "your quota is used up: remove files or choose another directory";
    case ENOENT:
      return "check the name and that its directory exists";
    case EACCES:
    case EPERM:
      return "check the permissions of the file and of its directory";
    case EROFS:
      return "the file system is read-only: choose another directory";
    case EISDIR:
      return "the name is a directory: give the name of a file in it";
    case ENOMEM:
      return "the array or its buffer does not fit in memory";
    default:
      return "";
  }
}

}  // namespace

const char* name_of(int code) noexcept {
  switch (static_cast<stat_code>(code)) {
    case stat_code::success:
      return "success";
    case stat_code::end_of_file:
      return "end_of_file";
    case stat_code::end_of_record:
      return "end_of_record";
    case stat_code::array_not_allocated:
      return "array_not_allocated";
    case stat_code::array_assumed_size:
      return "array_assumed_size";
    case stat_code::type_unknown:
      return "type_unknown";
    case stat_code::type_derived:
      return "type_derived";
    case stat_code::array_too_large:
      return "array_too_large";
    case stat_code::argument_invalid:
      return "argument_invalid";
    case stat_code::file_name_empty:
      return "file_name_empty";
    case stat_code::format_unknown:
      return "format_unknown";
    case stat_code::option_unknown:
      return "option_unknown";
    case stat_code::file_size_mismatch:
      return "file_size_mismatch";
    case stat_code::file_changed_while_writing:
      return "file_changed_while_writing";
    case stat_code::descriptor_foreign:
      return "descriptor_foreign";
    case stat_code::text_encoding:
      return "text_encoding";
    case stat_code::bad_number:
      return "bad_number";
    case stat_code::number_out_of_range:
      return "number_out_of_range";
    case stat_code::row_length:
      return "row_length";
    case stat_code::row_count:
      return "row_count";
    case stat_code::missing_value:
      return "missing_value";
    case stat_code::line_too_long:
      return "line_too_long";
    case stat_code::format_invalid:
      return "format_invalid";
    case stat_code::edit_mismatch:
      return "edit_mismatch";
    case stat_code::kind_unsupported:
      return "kind_unsupported";
    case stat_code::quote_unbalanced:
      return "quote_unbalanced";
    case stat_code::column_unknown:
      return "column_unknown";
    case stat_code::handle_closed:
      return "handle_closed";
    case stat_code::compression_damaged:
      return "compression_damaged";
    case stat_code::compression_unavailable:
      return "compression_unavailable";
    case stat_code::record_too_short:
      return "record_too_short";
    case stat_code::interrupted:
      return "interrupted";
    case stat_code::file_changed_while_reading:
      return "file_changed_while_reading";
  }
  return nullptr;
}

status status::failure(stat_code code, std::string what) {
  status result;
  result.code_ = static_cast<int>(code);
  result.what_ = std::move(what);
  return result;
}

status status::system(int error, std::string what) {
  status result;
  result.code_ = error;
  result.what_ = std::move(what) + ": " + std::generic_category().message(error);
  result.advice_ = advice_for(error);
  return result;
}

status status::in_file(std::string file) && {
  file_ = std::move(file);
  return std::move(*this);
}

status status::in_file_once(const std::string& file) && {
  if (file_.empty()) file_ = file;
  return std::move(*this);
}

status status::at_byte(std::uint64_t offset) && {
  offset_ = offset;
  return std::move(*this);
}

status status::at_line(std::uint64_t line, std::uint64_t column) && {
  line_ = line;
  column_ = column;
  return std::move(*this);
}

status status::expected(std::string expected, std::string found) && {
  expected_ = std::move(expected);
  found_ = std::move(found);
  return std::move(*this);
}

status status::advise(std::string advice) && {
  advice_ = std::move(advice);
  return std::move(*this);
}

std::string status::message() const {
  if (ok()) return {};
  std::string text = what_;
  if (!expected_.empty()) text += ": expected " + expected_ + ", found " + found_;
  if (line_ != 0) {
    const std::string place = std::to_string(line_) + ":" + std::to_string(column_);
    text += file_.empty() ? "; line:column " + place : "; " + file_ + ":" + place;
  } else if (!file_.empty()) {
    text += "; file \"" + file_ + "\"";
  }
  if (offset_) text += ", byte " + std::to_string(*offset_);
  if (!advice_.empty()) text += "; " + advice_;
  const char* const name = name_of(code_);
  text +=
      name != nullptr ? " (" + std::string(name) + ")" : " (errno " + std::to_string(code_) + ")";
  return text;
}

void status::keep_first(status later) {
  if (ok()) *this = std::move(later);
}

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::size_t fitting_length(std::string_view text, std::size_t capacity) noexcept {
  if (text.size() <= capacity) return text.size();
  std::size_t length = capacity;
  // Bytes 10xxxxxx go on with the character before them.
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  return length;
}

}  // namespace headrace
