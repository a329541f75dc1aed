// Which library is at work, for tests that leave its own allocations alone.
#pragma once

#include <link.h>
#include <unwind.h>

#include <array>
#include <cstdint>
#include <cstring>

// The code of the shared libraries whose file names contain a text. Needs no memory.
class library_code {
 public:
  explicit library_code(const char* name) : name_(name) { ::dl_iterate_phdr(add, this); }

  // Whether one of the functions that are under way belongs to them.
  bool is_at_work() const {
    search found{this, false};
    _Unwind_Backtrace(look, &found);
    return found.done;
  }

 private:
  struct range {
    std::uintptr_t begin;
    std::uintptr_t end;
  };
  struct search {
    const library_code* code;
    bool done;
  };

  static int add(dl_phdr_info* info, std::size_t /*bytes*/, void* data) {
    auto& code = *static_cast<library_code*>(data);
    if (info->dlpi_name == nullptr || std::strstr(info->dlpi_name, code.name_) == nullptr) return 0;
    for (int i = 0; i < info->dlpi_phnum && code.count_ < code.ranges_.size(); ++i) {
      const auto& part = info->dlpi_phdr[i];
      const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
        code.ranges_[code.count_++] = {begin, begin + part.p_memsz};
    }
    return 0;
  }

  static _Unwind_Reason_Code look(_Unwind_Context* frame, void* data) {
    auto& found = *static_cast<search*>(data);
    const auto at = static_cast<std::uintptr_t>(_Unwind_GetIP(frame));
    for (std::size_t i = 0; i < found.code->count_ && !found.done; ++i)
      found.done = at >= found.code->ranges_[i].begin && at < found.code->ranges_[i].end;
    return found.done ? _URC_NORMAL_STOP : _URC_NO_REASON;
  }

  const char* name_;
  std::array<range, 16> ranges_{};
  std::size_t count_ = 0;
};
