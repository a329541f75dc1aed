// Memory for the array that a file describes, and files that need a name in a directory.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "core/array_info.hpp"
#include "sample_array.hpp"

namespace headrace::fuzz {

// Contiguous, in element order unless the last index is to vary fastest; the bytes are marks that
// tell whether somebody changed them.
class numpy_array {
 public:
  explicit numpy_array(const array_info& info, bool last_index_fastest = false) {
    view_.type = info.type;
    view_.elem_len = info.elem_len;
    view_.is_unsigned = info.is_unsigned;
    view_.array_rank = info.array_rank;
    view_.extent = info.extent;
    if (last_index_fastest) view_ = with_reversed_dimensions(view_);
    make();
    if (last_index_fastest) view_ = with_reversed_dimensions(view_);
  }
  numpy_array(element_type element, std::initializer_list<std::ptrdiff_t> extents) {
    view_.type = element.type;
    view_.elem_len = element.elem_len;
    view_.array_rank = static_cast<int>(extents.size());
    std::copy(extents.begin(), extents.end(), view_.extent.begin());
    make();
  }

  const array_view& view() const noexcept { return view_; }
  const std::vector<char>& bytes() const noexcept { return memory_; }
  bool is_untouched() const {
    return std::all_of(memory_.begin(), memory_.end(), [](char c) { return c == mark; });
  }

 private:
  static constexpr char mark = 'Z';

  void make() {
    memory_.assign(byte_count(view_).value_or(0), mark);
    view_.base = memory_.data();
    auto stride = static_cast<std::ptrdiff_t>(view_.elem_len);
    for (int d = 0; d < view_.array_rank && !memory_.empty(); ++d) {
      const auto at = static_cast<std::size_t>(d);
      view_.stride[at] = stride;
      stride *= view_.extent[at];
    }
  }

  std::vector<char> memory_;
  array_view view_;
};

// A file of this process alone.
class named_file {
 public:
  explicit named_file(const std::string& ending, std::string_view content = {}) {
    const char* const directory = std::getenv("TMPDIR");
    path_ = (directory != nullptr ? std::string(directory) : "/tmp") + "/headrace-fuzz-" +
            std::to_string(::getpid()) + ending;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~named_file() { ::unlink(path_.c_str()); }
  named_file(const named_file&) = delete;
  named_file& operator=(const named_file&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace headrace::fuzz
