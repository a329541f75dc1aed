// Writing and reading text take at most 64 MiB beside the array, whatever its shape and however
// many threads there are. Measured as the peak of resident memory (Linux).
// A sanitizer keeps freed memory: nothing to measure.
#if !defined(__SANITIZE_ADDRESS__)
#include <string>
#include <vector>

#include "core/codecs.hpp"
#include "headrace.h"
#include "scratch.hpp"

namespace headrace {
namespace {

constexpr long most_kibibytes = 64 * 1024;
constexpr std::size_t elements = 3000000;

// In KiB; -1 if the system does not tell.
long memory(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(name + ":", 0) == 0) return std::stol(line.substr(name.size() + 1));
  return -1;
}

// The peak counts from now on.
bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

struct memory_case {
  const char* file;
  const char* edit;
  std::ptrdiff_t rows;
};

class TextMemory : public Scratch {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    if (memory("VmHWM") < 0 || !forget_peak()) GTEST_SKIP() << "/proc tells no peak of memory";
    values_.resize(elements);
    for (std::size_t i = 0; i < elements; ++i)
      values_[i] = 1 / static_cast<double>(i + 1);  // 17 digits
  }

  // What a call takes at its peak beside what was there before.
  template <class Call>
  long extra(Call call) {
    forget_peak();
    const long before = memory("VmRSS");
    EXPECT_EQ(call(), 0) << error_.message;
    return memory("VmHWM") - before;
  }

  void check(const memory_case& which, int threads) {
    const std::ptrdiff_t columns = static_cast<std::ptrdiff_t>(elements) / which.rows;
    const hr_array array{values_.data(),     8, HR_TYPE_REAL, 2, {which.rows, columns},
                         {8, 8 * which.rows}};
    const std::string file = path(which.file);
    hr_write_options writing{};
    writing.threads = threads;
    writing.edit = which.edit;
    hr_read_options reading{};
    reading.threads = threads;
    reading.edit = which.edit;
    const long written =
        extra([&] { return hr_write_array(file.c_str(), &array, &writing, &error_); });
    const long read = extra([&] { return hr_read_array(file.c_str(), &array, &reading, &error_); });
    EXPECT_LT(written, most_kibibytes) << which.file << " " << which.rows << " rows, " << threads;
    EXPECT_LT(read, most_kibibytes) << which.file << " " << which.rows << " rows, " << threads;
  }

  std::vector<double> values_;
  hr_error error_{};
};

TEST_F(TextMemory, IsBoundedWhateverTheShape) {
  for (const std::ptrdiff_t rows : {1, 2, 1000, 3000000})
    for (const int threads : {1, 64}) check({"x.csv", nullptr, rows}, threads);
}

TEST_F(TextMemory, IsBoundedWithFormats) {
  for (const char* edit : {"(10e15.5)", "(300000e15.5)", "(3000000e15.5)", "(*(e15.5))", "*"})
    check({"x.dat", edit, 1000}, 64);
}

TEST_F(TextMemory, IsBoundedInCompressedFiles) {
  for (std::size_t i = 0; i < elements; ++i) values_[i] = static_cast<double>(i % 1000);
  for (const std::ptrdiff_t rows : {1, 3000000}) {
    if (has_zstd()) check({"x.csv.zst", nullptr, rows}, 64);
    if (has_gzip()) check({"x.csv.gz", nullptr, rows}, 64);
  }
}

}  // namespace
}  // namespace headrace

#endif
