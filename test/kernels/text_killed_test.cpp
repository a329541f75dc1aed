// Programs that are killed while they write: what stands under the file's name, and beside it.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "headrace.h"
#include "headrace_rows.h"
#include "scratch.hpp"

namespace headrace {
namespace {

constexpr std::ptrdiff_t endless = 1000000000;  // rows: the signal comes long before the last
constexpr rlim_t most_bytes = rlim_t{1} << 30;  // of a file, should the signal never come
constexpr std::chrono::seconds longest_wait{60};
double value = -1.0 / 3;

// A column of that many rows, all the same place in memory.
hr_array column(std::ptrdiff_t rows) {
  return {&value, sizeof value, HR_TYPE_REAL, 2, {rows, 1}, {0, sizeof value}};
}

// Writes rows without end in a process of its own.
struct endless_writer {
  const char* name;
  const char* edit;
  bool by_chunks;

  void operator()(const std::string& file, const char* append = nullptr) const {
    hr_write_options options{};
    options.edit = edit;
    options.append = append;
    options.threads = 2;
    const hr_array all = column(endless);
    if (!by_chunks) {
      hr_write_array(file.c_str(), &all, &options, nullptr);
      return;
    }
    const hr_array chunk = column(100000);
    hr_text_writer writer = 0;
    hr_text_writer_open(file.c_str(), &options, nullptr, &writer, nullptr);
    for (int i = 0; i < 10000; ++i)
      if (hr_text_writer_rows(writer, &chunk, nullptr) != 0) return;
  }
};

constexpr endless_writer writers[] = {
    {"x.csv", nullptr, false},        {"x.csv", nullptr, true},
    {"x.dat", "(10e15.5)", false},    {"x.dat", "*", false},
    {"x.csv.gz", nullptr, false},     {"x.csv.gz", nullptr, true},
    {"x.dat.gz", "(10e15.5)", false},
};

class KilledWriter : public Scratch {
 protected:
  using size_function = std::function<std::uintmax_t(pid_t)>;

  static pid_t start(int signal, const std::function<void()>& write) {
    const pid_t process = ::fork();
    if (process != 0) return process;
    const rlimit limit{most_bytes, most_bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    if (signal != SIGKILL) ::signal(signal, SIG_DFL);  // a shell may have had it ignored
    ::nice(5);                                         // the one that waits goes first
    write();
    ::_exit(0);
  }

  // Kills the process when the file that it writes has been seen to grow; false when it ended.
  static bool kill_growing(pid_t process, int signal, const size_function& size) {
    const auto end = std::chrono::steady_clock::now() + longest_wait;
    std::uintmax_t first = 0;
    int ended = 0;
    while (::waitpid(process, &ended, WNOHANG) == 0) {
      const std::uintmax_t now = size(process);
      if (first == 0) first = now;
      if (now > first || std::chrono::steady_clock::now() > end) {
        EXPECT_GT(now, first) << "the file did not grow";
        ::kill(process, signal);
        EXPECT_EQ(::waitpid(process, &ended, 0), process);
        return WIFSIGNALED(ended) && WTERMSIG(ended) == signal;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  // The temporary file of a name, "" when there is none.
  std::string temporary(const char* name) const {
    const std::string beginning = path(name) + ".headrace-";
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      if (entry.path().string().rfind(beginning, 0) == 0) return entry.path().string();
    return "";
  }

  static std::uintmax_t size_of(const std::string& file) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(file, missing);
    return missing ? 0 : size;
  }

  static int write_again(const std::string& file) {
    const hr_array three = column(3);
    return hr_write_array(file.c_str(), &three, nullptr, nullptr);
  }

  bool has_gzip() const {
    return write_again(path("probe.csv.gz")) == 0 && std::filesystem::remove(path("probe.csv.gz"));
  }

  // The old file, or none, is what the name stands for; the next write removes the temporary.
  void expect_old_file(const endless_writer& writer, int signal, const std::string& old) {
    const std::string file = path(writer.name);
    if (!old.empty()) put(file, old);
    const pid_t process = start(signal, [&] { writer(file); });
    ASSERT_TRUE(kill_growing(process, signal, [&](pid_t) {
      return size_of(temporary(writer.name));
    })) << writer.name;
    EXPECT_EQ(std::filesystem::exists(file), !old.empty());
    EXPECT_EQ(content(file), old);
    EXPECT_EQ(files(), old.empty() ? 1U : 2U);
    EXPECT_EQ(write_again(file), 0);
    EXPECT_EQ(files(), 1U);
    std::filesystem::remove(file);
  }

  void expect_old_files(int signal) {
    const bool gzip = has_gzip();
    for (const endless_writer& writer : writers) {
      if (!gzip && std::strstr(writer.name, ".gz") != nullptr) continue;
      expect_old_file(writer, signal, "1.5\n2.5\n");
      expect_old_file(writer, signal, "");
    }
  }

  // Appends to old and is killed; what is then in the file.
  std::string append_and_kill(const char* name, const std::string& old,
                              const char* edit = nullptr) {
    const std::string file = path(name);
    const pid_t process = start(SIGKILL, [&] { endless_writer{name, edit, false}(file, "yes"); });
    EXPECT_TRUE(kill_growing(process, SIGKILL, [&](pid_t) {
      const std::uintmax_t size = size_of(file);
      return size > old.size() ? size : 0;
    }));
    return content(file);
  }

  int read(const std::string& file, std::ptrdiff_t rows, const char* edit = nullptr) {
    double values[3] = {};
    hr_read_options options{};
    options.edit = edit;
    const hr_array array{values, 8, HR_TYPE_REAL, 1, {rows}, {8}};
    return hr_read_array(file.c_str(), &array, &options, &error_);
  }

  hr_error error_{};
};

TEST_F(KilledWriter, LeavesTheOldFileOnControlC) {
  expect_old_files(SIGINT);
}

TEST_F(KilledWriter, LeavesTheOldFileWhenItIsTerminated) {
  expect_old_files(SIGTERM);
}

TEST_F(KilledWriter, LeavesTheOldFileWhenItIsKilled) {
  expect_old_files(SIGKILL);
}

TEST_F(KilledWriter, AppendedRowsAreToldFromTheOldOnes) {
  const std::string old = "1.5\n2.5\n";
  put(path("x.csv"), old);
  const std::string left = append_and_kill("x.csv", old);
  EXPECT_EQ(left.substr(0, old.size() + 1), old + '\0');
  EXPECT_EQ(read(path("x.csv"), 3), HR_TEXT_ENCODING);
  EXPECT_NE(std::strstr(error_.message, (path("x.csv") + ":3:1").c_str()), nullptr)
      << error_.message;
  EXPECT_NE(std::strstr(error_.message, "the old rows end before the null byte"), nullptr);
  std::filesystem::resize_file(path("x.csv"), left.find('\0'));
  EXPECT_EQ(read(path("x.csv"), 2), 0) << error_.message;
}

// Also if a format leaves out what stands in front of the number.
TEST_F(KilledWriter, AppendedRecordsAreToldFromTheOldOnes) {
  for (const char* edit : {"(f9.3)", "(1x,f8.3)", "*"}) {
    const std::string old = "    1.500\n    2.500\n";
    put(path("x.dat"), old);
    const std::string left = append_and_kill("x.dat", old, edit);
    EXPECT_EQ(left.substr(0, old.size() + 1), old + '\0');
    EXPECT_EQ(read(path("x.dat"), 2, edit), 0) << error_.message;
    EXPECT_EQ(read(path("x.dat"), 3, edit), HR_BAD_NUMBER) << error_.message;
    EXPECT_NE(std::strstr(error_.message, (path("x.dat") + ":3:").c_str()), nullptr)
        << error_.message;
  }
}

TEST_F(KilledWriter, AppendedRowsOfANewFileAreNone) {
  append_and_kill("x.csv", "");
  EXPECT_EQ(read(path("x.csv"), 3), HR_TEXT_ENCODING) << error_.message;
  EXPECT_NE(std::strstr(error_.message, ":1:1"), nullptr) << error_.message;
}

TEST_F(KilledWriter, AppendedCompressedRowsAreDamage) {
  if (!has_gzip()) GTEST_SKIP() << "built without zlib";
  ASSERT_EQ(write_again(path("x.csv.gz")), 0);
  append_and_kill("x.csv.gz", content(path("x.csv.gz")));
  EXPECT_EQ(read(path("x.csv.gz"), 3), HR_COMPRESSION_DAMAGED) << error_.message;
}

// A killed program leaves a hole where its first thread was last: longer than a block of the reader
// and longer than it takes lines to be. FIFOs and compressed files have no place of a byte.
TEST_F(KilledWriter, HolesOfAnyLengthAreNullBytes) {
  const std::string old = "1.5\n2.5\n";
  const auto hole = [&](const std::string& before, std::size_t bytes) {
    put(path("x.csv"), before + std::string(bytes, '\0') + "3.5\n");
    EXPECT_EQ(read(path("x.csv"), 3), HR_TEXT_ENCODING) << error_.message;
    return std::string(error_.message);
  };
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{600} << 10, std::size_t{20} << 20}) {
    EXPECT_NE(hole("", bytes).find("x.csv:1:1"), std::string::npos) << error_.message;
    const std::string message = hole(old, bytes);
    EXPECT_TRUE(message.find("x.csv:3:1") != std::string::npos ||
                message.find("byte 8") != std::string::npos)
        << message;
  }
}

// The null byte is found whatever the rows hold, also where a header or blanks could stand.
TEST_F(KilledWriter, ANullByteIsNeverReadOver) {
  std::int32_t values[8] = {};
  hr_read_options options{};
  for (const char* header : {"auto", "no", "yes"})
    for (const char* row : {"5", "12", "1.5", "T", ",7", "a", "a,b", " 4", "0x0000000F"}) {
      std::string text = std::string(row) + "\n1\n2\n";
      text[0] = '\0';
      put(path("x.csv"), text);
      options.header = header;
      for (const hr_type type : {HR_TYPE_INTEGER, HR_TYPE_REAL, HR_TYPE_LOGICAL})
        for (const std::ptrdiff_t rows : {2, 3}) {
          const std::ptrdiff_t bytes = type == HR_TYPE_REAL ? 8 : 4;
          const hr_array array{values, static_cast<std::size_t>(bytes), type, 1, {rows}, {bytes}};
          EXPECT_NE(hr_read_array(path("x.csv").c_str(), &array, &options, &error_), 0)
              << header << row;
        }
    }
  EXPECT_EQ(read(path("x.csv"), 3), HR_TEXT_ENCODING) << error_.message;
}

}  // namespace
}  // namespace headrace
