#include "status.hpp"

#include <cerrno>
#include <new>
#include <optional>
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
    case EFBIG:
      return "raise the limit of a file's size (ulimit -f) or choose another file system";
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
  switch (code) {
#define HR_STATUS(name, NAME, number, meaning) \
  case number:                                 \
    return #name;
#include "../../include/headrace_status.def"
#undef HR_STATUS
    default:
      return nullptr;
  }
}

struct status::reason {
  bool passed_on = false;
  std::string what;
  std::string file;
  std::string array;
  std::optional<std::uint64_t> offset;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::string expected;
  std::string found;
  std::string advice;
};

// The one reason that all share, and that nobody changes or forgets. Short enough for a string that
// allocates nothing.
status::reason* status::lack_of_memory() noexcept {
  alignas(reason) static char room[sizeof(reason)];
  static reason* const shared = [] {
    auto* const made = new (room) reason;
    made->passed_on = true;
    made->what = "no memory left";
    return made;
  }();
  return shared;
}

void status::forget::operator()(reason* why) const noexcept {
  if (why != lack_of_memory()) delete why;
}

status::status(const status& other) : code_(other.code_) {
  if (other.why_ == nullptr) return;
  reason* const theirs = other.why_.get();
  why_.reset(theirs == lack_of_memory() ? theirs : new reason(*theirs));
}

status& status::operator=(const status& other) {
  return *this = status(other);
}

status::reason& status::why() {
  if (why_ == nullptr) why_.reset(new reason);
  if (why_.get() == lack_of_memory()) why_.reset(new reason(*lack_of_memory()));
  return *why_;
}

status status::failure(stat_code code, std::string what) {
  status result;
  result.code_ = static_cast<int>(code);
  result.why().what = std::move(what);
  return result;
}

status status::system(int error, std::string what) {
  status result;
  result.code_ = error;
  result.why().what = std::move(what) + ": " + std::generic_category().message(error);
  result.why().advice = advice_for(error);
  return result;
}

status status::in_file(std::string file) && {
  if (!ok()) why().file = std::move(file);
  return std::move(*this);
}

status status::in_file_once(const std::string& file) && noexcept {
  try {
    if (!ok() && why().file.empty()) why().file = file;
  } catch (const std::bad_alloc&) {
    return std::move(*this);
  }
  return std::move(*this);
}

status status::in_array(std::string array) && {
  if (!ok()) why().array = std::move(array);
  return std::move(*this);
}

status status::at_byte(std::uint64_t offset) && {
  if (!ok()) why().offset = offset;
  return std::move(*this);
}

status status::at_line(std::uint64_t line, std::uint64_t column) && {
  if (ok()) return std::move(*this);
  why().line = line;
  why().column = column;
  return std::move(*this);
}

status status::expected(std::string expected, std::string found) && {
  if (ok()) return std::move(*this);
  why().expected = std::move(expected);
  why().found = std::move(found);
  return std::move(*this);
}

status status::advise(std::string advice) && {
  if (!ok()) why().advice = std::move(advice);
  return std::move(*this);
}

status status::passed_on(int code, std::string message) {
  status result;
  result.code_ = code;
  result.why().what = std::move(message);
  result.why().passed_on = true;
  return result;
}

status status::no_memory(int code) noexcept {
  status result;
  result.code_ = code;
  result.why_.reset(lack_of_memory());
  return result;
}

std::string status::message() const {
  if (ok()) return {};
  const reason unknown;
  const reason& told = why_ == nullptr ? unknown : *why_;
  std::string text = told.what;
  if (told.passed_on) return text;
  if (!told.expected.empty()) text += ": expected " + told.expected + ", found " + told.found;
  if (told.line != 0) {
    const std::string place = std::to_string(told.line) + ":" + std::to_string(told.column);
    text += told.file.empty() ? "; line:column " + place : "; " + told.file + ":" + place;
  } else if (!told.file.empty()) {
    text += "; file \"" + told.file + "\"";
  }
  if (!told.array.empty())
    text += (told.file.empty() ? "; array \"" : ", array \"") + told.array + "\"";
  if (told.offset) text += ", byte " + std::to_string(*told.offset);
  if (!told.advice.empty()) text += "; " + told.advice;
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
