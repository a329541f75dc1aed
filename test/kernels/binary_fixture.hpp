// What the tests of binary formats share: arrays of every kind and section, calls of the C
// interface, damaged files and killed programs.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "headrace.h"
#include "scratch.hpp"

namespace headrace {

struct element_kind {
  int type;
  std::size_t elem_len;
  std::size_t word;  // bytes that a byte order turns round
};

inline constexpr element_kind all_kinds[] = {
    {HR_TYPE_INTEGER, 1, 1},   {HR_TYPE_INTEGER, 2, 2},   {HR_TYPE_INTEGER, 4, 4},
    {HR_TYPE_INTEGER, 8, 8},   {HR_TYPE_REAL, 4, 4},      {HR_TYPE_REAL, 8, 8},
    {HR_TYPE_REAL, 16, 16},    {HR_TYPE_COMPLEX, 8, 4},   {HR_TYPE_COMPLEX, 16, 8},
    {HR_TYPE_COMPLEX, 32, 16}, {HR_TYPE_LOGICAL, 1, 1},   {HR_TYPE_LOGICAL, 2, 2},
    {HR_TYPE_LOGICAL, 4, 4},   {HR_TYPE_LOGICAL, 8, 8},   {HR_TYPE_CHARACTER, 1, 1},
    {HR_TYPE_CHARACTER, 7, 1}, {HR_TYPE_CHARACTER, 16, 1}};

// The bytes in words turned round.
inline std::string turned(std::string bytes, std::size_t word) {
  for (std::size_t i = 0; i + word <= bytes.size(); i += word)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + word));
  return bytes;
}

// An array of any kind and shape whose bytes all differ from their neighbours.
class sample_array {
 public:
  // Contiguous, or every second element of each dimension of a larger array, all backwards.
  sample_array(const element_kind& kind, const std::vector<std::ptrdiff_t>& extents,
               bool section = false) {
    array_.elem_len = kind.elem_len;
    array_.type = kind.type;
    array_.array_rank = static_cast<int>(extents.size());
    const std::ptrdiff_t step = section ? 2 : 1;
    auto bytes = static_cast<std::ptrdiff_t>(kind.elem_len);
    std::ptrdiff_t last = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      array_.extent[d] = extents[d];
      array_.stride[d] = section ? -step * bytes : bytes;
      if (section) last += step * bytes * (extents[d] - 1);
      bytes *= step * extents[d];
    }
    memory_.resize(static_cast<std::size_t>(bytes));
    std::uint32_t state = 12345;
    for (char& byte : memory_)
      byte = static_cast<char>((state = state * 1664525U + 1013904223U) >> 24);
    array_.base = memory_.data() + (bytes > 0 ? last : 0);
  }
  sample_array(const sample_array&) = delete;
  sample_array& operator=(const sample_array&) = delete;

  const hr_array& view() const { return array_; }
  void clear() { std::fill(memory_.begin(), memory_.end(), '\0'); }
  // Everything, also what lies between the elements.
  const std::string& memory() const { return memory_; }

  // The bytes of the elements in element order.
  std::string elements() const {
    std::string bytes;
    const auto rank = static_cast<std::size_t>(array_.array_rank);
    std::vector<std::ptrdiff_t> index(rank, 0);
    for (std::size_t d = 0; d < rank; ++d)
      if (array_.extent[d] == 0) return bytes;
    for (;;) {
      const char* element = static_cast<const char*>(array_.base);
      for (std::size_t d = 0; d < rank; ++d) element += index[d] * array_.stride[d];
      bytes.append(element, array_.elem_len);
      std::size_t d = 0;
      while (d < rank && ++index[d] == array_.extent[d]) index[d++] = 0;
      if (d == rank) return bytes;
    }
  }

 private:
  std::string memory_;
  hr_array array_{};
};

// Files through the C interface; the last error stays.
class BinaryFiles : public Scratch {
 protected:
  int write(const std::string& name, const hr_array& array, const hr_write_options& options = {}) {
    return hr_write_array(path(name).c_str(), &array, &options, &error_);
  }
  int write(const std::string& name, const std::vector<double>& values,
            const hr_write_options& options = {}) {
    return write(name, vector_of(values), options);
  }
  int read(const std::string& name, const hr_array& array, const hr_read_options& options = {}) {
    return hr_read_array(path(name).c_str(), &array, &options, &error_);
  }
  int read(const std::string& name, std::vector<double>& values,
           const hr_read_options& options = {}) {
    return read(name, vector_of(values), options);
  }
  int describe(const std::string& name, hr_array_info& info, const hr_read_options& options = {}) {
    return hr_describe_array(path(name).c_str(), &options, &info, &error_);
  }

  static hr_array vector_of(const std::vector<double>& values) {
    return {const_cast<double*>(values.data()),           8,  HR_TYPE_REAL, 1,
            {static_cast<std::ptrdiff_t>(values.size())}, {8}};
  }
  static std::string bytes_of(const std::vector<double>& values) {
    return {reinterpret_cast<const char*>(values.data()), 8 * values.size()};
  }

  bool said(const std::string& part) const {
    return std::strstr(error_.message, part.c_str()) != nullptr;
  }

  // Calls check with each shorter beginning of a file, and with a file of each byte changed thrice.
  void for_each_damage(const std::string& name, const std::function<void()>& check) const {
    const std::string whole = content(path(name));
    const auto check_with = [&](const std::string& bytes) {
      // A new file: some file systems write one that is overwritten to the device at once.
      std::filesystem::remove(path(name));
      put(path(name), bytes);
      check();
    };
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) check_with(whole.substr(0, bytes));
    for (std::size_t at = 0; at < whole.size(); ++at)
      for (const int change : {0xff, 0x01, 0x20}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        check_with(damaged);
      }
    put(path(name), whole);
  }

  hr_error error_{};
};

// Programs that write and are killed as soon as a file is seen to grow.
class KilledPrograms : public BinaryFiles {
 protected:
  using size_function = std::function<std::uintmax_t()>;

  // Runs write in a process of its own; true when that was killed while the size grew.
  static bool kill_growing(const std::function<void()>& write, const size_function& size) {
    const std::uintmax_t first = size();
    const pid_t process = ::fork();
    if (process == 0) {
      const rlimit limit{most_bytes, most_bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ::signal(SIGXFSZ, SIG_IGN);
      static_cast<void>(::nice(5));  // the one that waits goes first
      write();
      ::_exit(0);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    int ended = 0;
    while (::waitpid(process, &ended, WNOHANG) == 0) {
      if (size() > first || std::chrono::steady_clock::now() > end) {
        ::kill(process, SIGKILL);
        EXPECT_EQ(::waitpid(process, &ended, 0), process);
        return WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  // The bytes of all temporary files of the directory.
  std::uintmax_t temporary_bytes() const {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      if (entry.path().extension() == ".tmp") bytes += size_of(entry.path().string());
    return bytes;
  }

  static std::uintmax_t size_of(const std::string& file) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(file, missing);
    return missing ? 0 : size;
  }

  // A column of so many equal values, all the same place in memory: the signal comes before the
  // last.
  static hr_array endless_column() {
    static double value = -1.0 / 3;
    return {&value, sizeof value, HR_TYPE_REAL, 1, {std::ptrdiff_t{1} << 40}, {0}};
  }

 private:
  static constexpr rlim_t most_bytes = rlim_t{1} << 30;  // should the signal never come
};

}  // namespace headrace
