// One READ done twice: by gfortran and by headrace.
#include "both_ways.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "text/edit/edit_transfer.hpp"

extern "C" void gfortran_read_array(const char* path, const char* format, int comma, int kind,
                                    int n, int length, void* address, int* iostat, char* message);
extern "C" void hr_fortran_features(char* features);

namespace headrace {
namespace {

struct kind_facts {
  type_class type;
  std::size_t bytes;
};

kind_facts facts(const read_case& one) {
  static const kind_facts all[] = {
      {type_class::integer, 1}, {type_class::integer, 2},  {type_class::integer, 4},
      {type_class::integer, 8}, {type_class::real, 4},     {type_class::real, 8},
      {type_class::complex, 8}, {type_class::complex, 16}, {type_class::logical, 1},
      {type_class::logical, 2}, {type_class::logical, 4},  {type_class::logical, 8}};
  if (one.kind == read_kind::character)
    return {type_class::character, static_cast<std::size_t>(one.length)};
  return all[static_cast<int>(one.kind) - 1];
}

// One file for all cases of the process.
class scratch_file {
 public:
  scratch_file() {
    char name[] = "/dev/shm/headrace_reading_XXXXXX";
    descriptor_ = mkstemp(name);
    path_ = name;
    if (descriptor_ >= 0) return;
    char other[] = "reading_XXXXXX";
    descriptor_ = mkstemp(other);
    path_ = other;
  }
  ~scratch_file() {
    close(descriptor_);
    unlink(path_.c_str());
  }
  void write(const std::string& text) const {
    if (ftruncate(descriptor_, 0) != 0 ||
        pwrite(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
      std::perror("scratch file");
      std::exit(2);
    }
  }
  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

class chunked_source final : public byte_source {
 public:
  chunked_source(std::string_view text, std::size_t chunk) : text_(text), chunk_(chunk) {}
  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = std::min({capacity, chunk_, text_.size()});
    std::memcpy(data, text_.data(), count);
    text_.remove_prefix(count);
    return {};
  }

 private:
  std::string_view text_;
  std::size_t chunk_;
};

outcome outcome_of(int code) {
  if (code == 0) return outcome::ok;
  return code == -1 ? outcome::end_of_file : outcome::error;
}

std::string escaped(std::string_view text) {
  std::string result;
  char code[8];
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte >= 0x7F || c == '\\') {
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      result += code;
    } else {
      result += c;
    }
  }
  return result;
}

std::string elements_text(const read_case& one, const std::string& memory) {
  const std::size_t bytes = element_bytes(one);
  const std::string before = untouched_memory(one);
  std::string result;
  char number[8];
  for (int i = 0; i < one.n; ++i) {
    const std::string_view element(memory.data() + bytes * static_cast<std::size_t>(i), bytes);
    result += ' ';
    if (memory.compare(bytes * static_cast<std::size_t>(i), bytes, before,
                       bytes * static_cast<std::size_t>(i), bytes) == 0) {
      result += "-";
    } else if (one.kind == read_kind::character) {
      result += "<" + escaped(element) + ">";
    } else if (one.kind == read_kind::real8) {
      double value = 0;
      std::memcpy(&value, element.data(), sizeof value);
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.17g", value);
      result += digits;
    } else {
      for (std::size_t k = bytes; k-- > 0;) {
        std::snprintf(number, sizeof number, "%02x", static_cast<unsigned char>(element[k]));
        result += number;
      }
    }
  }
  return result;
}

const char* name_of_outcome(outcome state) {
  return state == outcome::ok ? "ok" : state == outcome::error ? "error" : "end of file";
}

}  // namespace

std::size_t element_bytes(const read_case& one) {
  return facts(one).bytes;
}

std::string untouched_memory(const read_case& one) {
  std::string memory(element_bytes(one) * static_cast<std::size_t>(one.n), '\x5A');
  return memory;
}

read_result read_with_gfortran(const read_case& one) {
  static const scratch_file file;
  file.write(one.text);
  std::string path = file.path();
  path.resize(256, ' ');
  std::string format = one.format;
  format.resize(1024, ' ');
  char message[128];
  int iostat = 0;
  read_result result;
  result.memory = untouched_memory(one);
  gfortran_read_array(path.data(), format.data(), one.decimal_comma, static_cast<int>(one.kind),
                      one.n, one.length, result.memory.data(), &iostat, message);
  result.state = outcome_of(iostat);
  result.message.assign(message, sizeof message);
  result.message.erase(result.message.find_last_not_of(' ') + 1);
  return result;
}

const edit_dialect& own_dialect() {
  static const edit_dialect dialect = [] {
    char features[edit_features];
    hr_fortran_features(features);
    edit_dialect found;
    if (!parse_dialect("features:" + std::string(features, edit_features), found).ok())
      std::abort();
    return found;
  }();
  return dialect;
}

read_result read_with_headrace(const read_case& one, const edit_dialect& dialect,
                               std::size_t chunk) {
  read_result result;
  result.memory = untouched_memory(one);
  array_view array;
  array.base = result.memory.data();
  array.type = facts(one).type;
  array.elem_len = facts(one).bytes;
  array.array_rank = 1;
  array.extent[0] = one.n;
  array.stride[0] = static_cast<std::ptrdiff_t>(array.elem_len);
  chunked_source source(one.text, chunk);
  const char decimal = one.decimal_comma ? ',' : '.';
  status state;
  if (one.format == "*") {
    state = read_list_directed(source, decimal, array, dialect);
  } else {
    edit_format format;
    state = parse_edit_format(one.format, format, '.', dialect);
    if (state.ok()) state = read_edited(format, source, array);
  }
  result.state = outcome_of(state.code());
  result.message = state.message();
  return result;
}

std::string difference(const read_case& one, const read_result& gfortran,
                       const read_result& headrace) {
  bool same = gfortran.state == headrace.state;
  // An element that fails may hold something with gfortran; headrace leaves it as it was.
  const std::string before = untouched_memory(one);
  const std::size_t bytes = element_bytes(one);
  bool failed_here = false;
  for (std::size_t at = 0; at < before.size() && same; at += bytes) {
    const bool equal = gfortran.memory.compare(at, bytes, headrace.memory, at, bytes) == 0;
    const bool untouched = headrace.memory.compare(at, bytes, before, at, bytes) == 0;
    if (headrace.state == outcome::ok || (!untouched && failed_here))
      same = equal;
    else if (!equal)
      same = failed_here = untouched;
  }
  if (same) return {};
  return description(one) + "\n  gfortran: " + name_of_outcome(gfortran.state) +
         elements_text(one, gfortran.memory) + "  " + gfortran.message +
         "\n  headrace: " + name_of_outcome(headrace.state) + elements_text(one, headrace.memory) +
         "  " + headrace.message;
}

std::string description(const read_case& one) {
  return "kind " + std::to_string(static_cast<int>(one.kind)) + ", n " + std::to_string(one.n) +
         ", length " + std::to_string(one.length) + (one.decimal_comma ? ", decimal comma" : "") +
         ", format " + one.format + " [" + escaped(one.text) + "]";
}

}  // namespace headrace
