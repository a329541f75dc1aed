#include "twin.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../targets.hpp"
#include "text/edit/edit_format.hpp"
#define _Static_assert static_assert
#include "../../../intercept/families/libgfortran.h"

extern "C" {
void _gfortran_st_open(void*);
void _gfortran_st_close(void*);
void _gfortran_st_rewind(void*);
void _gfortran_st_backspace(void*);
void _gfortran_st_endfile(void*);
void _gfortran_st_flush(void*);
void _gfortran_st_write(void*);
void _gfortran_st_write_done(void*);
void _gfortran_st_read(void*);
void _gfortran_st_read_done(void*);
void _gfortran_transfer_integer_write(void*, void*, int);
void _gfortran_transfer_logical_write(void*, void*, int);
void _gfortran_transfer_real_write(void*, void*, int);
void _gfortran_transfer_complex_write(void*, void*, int);
void _gfortran_transfer_character_write(void*, void*, std::int64_t);
void _gfortran_transfer_array_write(void*, void*, int, std::int64_t);
void _gfortran_transfer_integer(void*, void*, int);
void _gfortran_transfer_logical(void*, void*, int);
void _gfortran_transfer_real(void*, void*, int);
void _gfortran_transfer_complex(void*, void*, int);
void _gfortran_transfer_character(void*, void*, std::int64_t);
void _gfortran_transfer_array(void*, void*, int, std::int64_t);
// Of a library that was built for fuzzing: sites of earlier inputs are forgotten.
__attribute__((weak)) void run_forgets_sites(void);
}

namespace headrace::fuzz {

using namespace headrace::run;
using block_call = void (*)(void*);
using scalar_call = void (*)(void*, void*, int);
using text_call = void (*)(void*, void*, std::int64_t);
using array_call = void (*)(void*, void*, int, std::int64_t);

struct transfers_of_run_time {
  block_call begin, done;
  scalar_call integer, logical, real, complex;
  text_call character;
  array_call array;
};
struct functions_of_run_time {
  block_call st_open, st_close, st_rewind, st_backspace, st_endfile, st_flush;
  transfers_of_run_time write, read;
};

namespace {

constexpr char source_file[] = "statements.f90";
constexpr std::size_t message_bytes = 200;
constexpr char sentinel = '\x2a';

const functions_of_run_time& ours() {
  static const functions_of_run_time functions = {
      _gfortran_st_open,
      _gfortran_st_close,
      _gfortran_st_rewind,
      _gfortran_st_backspace,
      _gfortran_st_endfile,
      _gfortran_st_flush,
      {_gfortran_st_write, _gfortran_st_write_done, _gfortran_transfer_integer_write,
       _gfortran_transfer_logical_write, _gfortran_transfer_real_write,
       _gfortran_transfer_complex_write, _gfortran_transfer_character_write,
       _gfortran_transfer_array_write},
      {_gfortran_st_read, _gfortran_st_read_done, _gfortran_transfer_integer,
       _gfortran_transfer_logical, _gfortran_transfer_real, _gfortran_transfer_complex,
       _gfortran_transfer_character, _gfortran_transfer_array}};
  return functions;
}

template <class Function>
void find(void* run_time, const char* name, Function& function) {
  void* const found = dlsym(run_time, name);
  require(found != nullptr, std::string("libgfortran has no ") + name);
  std::memcpy(&function, &found, sizeof function);
}

functions_of_run_time found_functions() {
  void* const run_time = dlopen("libgfortran.so.5", RTLD_LAZY | RTLD_NOLOAD);
  require(run_time != nullptr, "libgfortran.so.5 is not loaded");
  functions_of_run_time all{};
  find(run_time, "_gfortran_st_open", all.st_open);
  find(run_time, "_gfortran_st_close", all.st_close);
  find(run_time, "_gfortran_st_rewind", all.st_rewind);
  find(run_time, "_gfortran_st_backspace", all.st_backspace);
  find(run_time, "_gfortran_st_endfile", all.st_endfile);
  find(run_time, "_gfortran_st_flush", all.st_flush);
  for (const bool writes : {true, false}) {
    transfers_of_run_time& to = writes ? all.write : all.read;
    const std::string end = writes ? "_write" : "";
    find(run_time, writes ? "_gfortran_st_write" : "_gfortran_st_read", to.begin);
    find(run_time, writes ? "_gfortran_st_write_done" : "_gfortran_st_read_done", to.done);
    find(run_time, ("_gfortran_transfer_integer" + end).c_str(), to.integer);
    find(run_time, ("_gfortran_transfer_logical" + end).c_str(), to.logical);
    find(run_time, ("_gfortran_transfer_real" + end).c_str(), to.real);
    find(run_time, ("_gfortran_transfer_complex" + end).c_str(), to.complex);
    find(run_time, ("_gfortran_transfer_character" + end).c_str(), to.character);
    find(run_time, ("_gfortran_transfer_array" + end).c_str(), to.array);
  }
  require(all.write.begin != _gfortran_st_write,
          "the library of headrace run does not stand before libgfortran");
  return all;
}

const functions_of_run_time& theirs() {
  static const functions_of_run_time functions = found_functions();
  return functions;
}

struct side {
  const char* name;
  const functions_of_run_time& functions;
  std::int32_t unit;
  const char* file;
};

// Files of this process alone, in a directory that disappears with it.
const std::string* files() {
  static const struct made {
    made() {
      char path[] = "/tmp/headrace-fuzz-XXXXXX";
      if (mkdtemp(path) == nullptr) std::abort();
      directory = path;
      names[0] = directory + "/ours";
      names[1] = directory + "/them";
    }
    ~made() {
      for (const std::string& name : names) unlink(name.c_str());
      rmdir(directory.c_str());
    }
    std::string directory, names[2];
  } one;
  return one.names;
}

const side& side_of(int i) {
  static const side both[2] = {{"with headrace run", ours(), 10, files()[0].c_str()},
                               {"libgfortran", theirs(), 11, files()[1].c_str()}};
  return both[i];
}

// What a statement shows.
struct outcome {
  std::uint32_t flags = 0;
  std::int32_t iostat = 0;
  std::string message = std::string(message_bytes, ' ');
  std::vector<std::string> values;
  std::string internal;
};

struct block_memory {
  block_memory() noexcept { std::memset(bytes, 0, sizeof bytes); }
  transfer_block& head() noexcept { return *reinterpret_cast<transfer_block*>(bytes); }
  alignas(16) char bytes[transfer_block_bytes];
};

void begin_block(block_memory& memory, outcome& seen, std::int32_t unit, std::int32_t line) {
  transfer_block& head = memory.head();
  head.flags = block_has_iostat | block_has_iomsg;
  head.unit = unit;
  head.file = source_file;
  head.line = line;
  head.iostat = &seen.iostat;
  head.iomsg = seen.message.data();
  head.iomsg_length = message_bytes;
}

void pass(const transfers_of_run_time& to, void* block, const io_item& item, char* values) {
  if (item.count > 0) {
    const auto bytes = static_cast<std::int64_t>(item.length());
    array_descriptor descriptor =
        vector_of(values, item.type, bytes, static_cast<std::int64_t>(item.count));
    to.array(block, &descriptor, item.kind, item.type == character_item ? bytes : 0);
    return;
  }
  switch (item.type) {
    case integer_item:
      return to.integer(block, values, item.kind);
    case logical_item:
      return to.logical(block, values, item.kind);
    case real_item:
      return to.real(block, values, item.kind);
    case complex_item:
      return to.complex(block, values, item.kind);
    default:
      return to.character(block, values, static_cast<std::int64_t>(item.bytes.size()));
  }
}

std::string shown(std::string_view text) {
  std::string result = "|";
  for (const char c : text.substr(0, 400)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(c));
      result += code;
    }
  }
  return result + "|";
}

std::string content(const char* path) {
  std::string text;
  if (std::FILE* const file = std::fopen(path, "rb")) {
    char part[4096];
    std::size_t got;
    while ((got = std::fread(part, 1, sizeof part, file)) > 0) text.append(part, got);
    std::fclose(file);
  }
  return text;
}

std::string all_of(const std::vector<std::string>& log) {
  std::string text;
  for (const std::string& line : log) text += "\n  " + line;
  return text;
}

void compare(const outcome (&seen)[2], const std::vector<std::string>& log) {
  const auto same = [&](bool holds, const char* what, const std::string& one,
                        const std::string& other) {
    require(holds, std::string(what) + " differs: " + shown(one) + " with headrace run, " +
                       shown(other) + " without, after" + all_of(log));
  };
  same(seen[0].iostat == seen[1].iostat, "IOSTAT", std::to_string(seen[0].iostat),
       std::to_string(seen[1].iostat));
  same(seen[0].flags == seen[1].flags, "the outcome", std::to_string(seen[0].flags),
       std::to_string(seen[1].flags));
  same(seen[0].message == seen[1].message, "IOMSG", seen[0].message, seen[1].message);
  for (std::size_t i = 0; i < seen[0].values.size(); ++i)
    same(seen[0].values[i] == seen[1].values[i], "a value", seen[0].values[i], seen[1].values[i]);
  same(seen[0].internal == seen[1].internal, "the variable", seen[0].internal, seen[1].internal);
}

// gfortran 12 remembers a wrong format with its unit, takes it the next time, and reads beyond its
// end: the target edit_format has those.
bool is_right(const std::string& format, bool is_read) {
  headrace::edit_format parsed;
  if (!parse_edit_format(format, parsed).ok()) return false;
  for (const edit_item& item : parsed.items)
    if (is_read && item.kind < edit_kind::logical && item.width == 0) return false;
  return true;
}

}  // namespace

bool is_harmless(std::string_view format) noexcept {
  int digits = 0;
  int numbers = 0;  // of three digits: repeats of repeats
  for (const char c : format) {
    if (c < ' ' || c > '~') return false;
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits == 3) ++numbers;
    if (digits > 3 || numbers > 2) return false;
  }
  return true;
}

twin::twin() {
  put_text({});
}

twin::~twin() {
  for (int i = 0; i < 2; ++i) {
    outcome seen;
    block_memory memory;
    begin_block(memory, seen, side_of(i).unit, 1);
    side_of(i).functions.st_close(memory.bytes);
  }
  if (run_forgets_sites != nullptr) run_forgets_sites();
}

void twin::open(const char* status) {
  outcome seen[2];
  for (int i = 0; i < 2; ++i) {
    block_memory memory;
    begin_block(memory, seen[i], side_of(i).unit, 1);
    auto& block = *reinterpret_cast<block_open_5*>(memory.bytes);
    block.head.flags |= open_has_file | open_has_status;
    block.file = const_cast<char*>(side_of(i).file);
    block.file_length = static_cast<std::int64_t>(std::strlen(side_of(i).file));
    block.status = const_cast<char*>(status);
    block.status_length = static_cast<std::int64_t>(std::strlen(status));
    side_of(i).functions.st_open(memory.bytes);
    require(seen[i].iostat == 0, std::string("OPEN failed: ") + seen[i].message);
  }
}

void twin::close() {
  outcome seen[2];
  for (int i = 0; i < 2; ++i) {
    block_memory memory;
    begin_block(memory, seen[i], side_of(i).unit, 2);
    side_of(i).functions.st_close(memory.bytes);
    seen[i].flags = memory.head().flags & block_outcome_mask;
  }
  compare(seen, log_);
}

void twin::put_text(std::string_view text) {
  close();
  for (int i = 0; i < 2; ++i) {
    std::FILE* const file = std::fopen(side_of(i).file, "wb");
    require(file != nullptr, "cannot write a file of the test");
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  log_.push_back("a file with " + shown(text));
  open("unknown");
}

void twin::do_one(statement which) {
  static const char* const names[] = {"rewind", "backspace", "endfile", "flush"};
  log_.push_back(names[static_cast<int>(which)]);
  outcome seen[2];
  for (int i = 0; i < 2; ++i) {
    const functions_of_run_time& to = side_of(i).functions;
    const block_call calls[] = {to.st_rewind, to.st_backspace, to.st_endfile, to.st_flush};
    block_memory memory;
    begin_block(memory, seen[i], side_of(i).unit, 3);
    calls[static_cast<int>(which)](memory.bytes);
    seen[i].flags = memory.head().flags & block_outcome_mask;
  }
  compare(seen, log_);
}

void twin::transfer(direction does, const source_place& place, const std::vector<io_item>& items,
                    bool advances, std::string_view internal, bool is_internal) {
  log_.push_back(std::string(is_internal ? "internal " : "") +
                 (does == direction::write ? "write " : "read ") +
                 (place.is_list_directed ? "*" : shown(place.format)) +
                 (advances ? "" : " advance='no'") + ", items:");
  for (const io_item& item : items)
    log_.back() += " type " + std::to_string(item.type) + " kind " + std::to_string(item.kind) +
                   " count " + std::to_string(item.count) + " " + shown(item.bytes);
  if (!place.is_list_directed && !is_right(place.format, does == direction::read)) return;
  outcome seen[2];
  for (int i = 0; i < 2; ++i) {
    const functions_of_run_time& all = side_of(i).functions;
    const transfers_of_run_time& to = does == direction::write ? all.write : all.read;
    outcome& mine = seen[i];
    mine.internal = internal;
    block_memory memory;
    transfer_block& head = memory.head();
    begin_block(memory, mine, side_of(i).unit, place.line);
    if (place.is_list_directed) {
      head.flags |= transfer_list_directed;
    } else {
      head.flags |= transfer_format;
      head.format = place.format.data();
      head.format_length = static_cast<std::int64_t>(place.format.size());
    }
    if (!advances) {
      head.flags |= transfer_advance;
      head.advance = "no";
      head.advance_length = 2;
    }
    if (is_internal) {
      head.flags |= transfer_internal;
      head.unit = internal_unit_number;
      head.internal = mine.internal.data();
      head.internal_length = static_cast<std::int64_t>(mine.internal.size());
    }
    for (const io_item& item : items)
      mine.values.push_back(does == direction::write ? item.bytes
                                                     : std::string(item.bytes.size(), sentinel));
    to.begin(memory.bytes);
    // After an error, too, as the compiler's code does.
    for (std::size_t k = 0; k < items.size(); ++k)
      pass(to, memory.bytes, items[k], mine.values[k].data());
    to.done(memory.bytes);
    mine.flags = head.flags & block_outcome_mask;
  }
  compare(seen, log_);
}

void twin::write(const source_place& place, const std::vector<io_item>& items, bool advances) {
  transfer(direction::write, place, items, advances, {}, false);
}
void twin::read(const source_place& place, const std::vector<io_item>& items, bool advances) {
  transfer(direction::read, place, items, advances, {}, false);
}
void twin::write_internal(const source_place& place, const std::vector<io_item>& items,
                          std::size_t length) {
  transfer(direction::write, place, items, true, std::string(length, sentinel), true);
}
void twin::read_internal(const source_place& place, const std::vector<io_item>& items,
                         std::string_view text) {
  transfer(direction::read, place, items, true, text, true);
}

void twin::finish() {
  close();
  const std::string one = content(side_of(0).file), other = content(side_of(1).file);
  std::size_t same = 0;
  while (same < one.size() && same < other.size() && one[same] == other[same]) ++same;
  const std::size_t from = same > 60 ? same - 60 : 0;
  require(one == other, "the files differ from byte " + std::to_string(same) +
                            " on: " + shown(std::string_view(one).substr(from)) +
                            " with headrace run, " + shown(std::string_view(other).substr(from)) +
                            " without, after" + all_of(log_));
}

}  // namespace headrace::fuzz
