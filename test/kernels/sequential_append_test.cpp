// Appending to files of records: what is refused, and what failures and killed programs leave.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "binary/record_reader.hpp"
#include "binary/record_tail.hpp"
#include "binary/record_writer.hpp"
#include "core/files.hpp"
#include "record_files.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

constexpr int truncated = static_cast<int>(stat_code::truncated_record);

class SequentialAppend : public Scratch {
 protected:
  static status append(const std::string& file, std::string data,
                       const record_dialect& dialect = {}) {
    record_writer writer;
    if (status s = writer.open(file, replace_mode::append, dialect); !s.ok()) return s;
    if (status s = writer.write(characters_of(data)); !s.ok()) return s;
    return writer.close();
  }

  void expect_refused(const std::string& bytes, std::size_t end, const record_dialect& dialect) {
    put(path("x"), bytes);
    const status s = append(path("x"), "more", dialect);
    EXPECT_EQ(s.code(), truncated) << bytes.size() << " bytes, records to " << end;
    const std::string place = "byte " + std::to_string(end);
    EXPECT_NE((s.message() + ",").find(place), std::string::npos) << s.message();
    EXPECT_TRUE(content(path("x")) == bytes);
  }

  // How many records can be read, and why no further.
  static std::uint64_t readable(const std::string& file, status& why,
                                const record_dialect& dialect = {}) {
    record_reader reader;
    EXPECT_TRUE(reader.open(file, {dialect}).ok());
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
    for (;; ++records) {
      why = reader.next_bytes(bytes);
      if (!why.ok()) return records;
      std::string data(bytes, ' ');
      EXPECT_TRUE(reader.read(characters_of(data)).ok());
    }
  }

  // Writes records of so many bytes in a process of its own and kills it when it has written some.
  template <class Size>
  static void write_and_kill(const std::string& file, replace_mode mode, std::size_t bytes,
                             Size size_now) {
    const std::uintmax_t old = size_now();
    const pid_t process = ::fork();
    if (process == 0) write_without_end(file, mode, bytes);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (size_now() <= old + 100 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    EXPECT_GT(size_now(), old);
    ::kill(process, SIGKILL);
    int ended = 0;
    EXPECT_EQ(::waitpid(process, &ended, 0), process);
    EXPECT_TRUE(WIFSIGNALED(ended));
  }

  [[noreturn]] static void write_without_end(const std::string& file, replace_mode mode,
                                             std::size_t bytes) {
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    ::nice(5);
    std::string data(bytes, '\0');  // zeros behind the old end could be taken for empty records
    record_writer writer;
    if (!writer.open(file, mode, {}).ok()) ::_exit(1);
    while (writer.write(characters_of(data)).ok()) {
    }
    ::_exit(0);
  }

  std::uintmax_t size_of_all() const {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      bytes += entry.file_size();
    return bytes;
  }
};

// No file of this program grows beyond so many bytes.
class full_at {
 public:
  explicit full_at(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~full_at() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    ::signal(SIGXFSZ, handler_);
  }
  full_at(const full_at&) = delete;
  full_at& operator=(const full_at&) = delete;

 private:
  rlimit old_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(SequentialAppend, WritesBehindTheRecordsOfAFile) {
  for (const record_dialect& dialect : written_dialects()) {
    std::filesystem::remove(path("x"));
    std::string expected;
    for (const std::size_t bytes : {5, 0, 100000, 1, 0, 300000, 8}) {
      ASSERT_EQ(append(path("x"), sample_bytes(bytes), dialect).message(), "");
      expected += record_of(sample_bytes(bytes), dialect);
      ASSERT_TRUE(content(path("x")) == expected);
    }
  }
}

TEST_F(SequentialAppend, TakesAnEmptyFile) {
  put(path("x"), "");
  EXPECT_EQ(append(path("x"), "first").message(), "");
  EXPECT_EQ(content(path("x")), record_of("first", {}));
}

TEST_F(SequentialAppend, RefusesAFileThatIsCutAnywhere) {
  for (const record_dialect& dialect : written_dialects()) {
    std::string bytes;
    std::size_t last_end = 0;
    for (const std::size_t size : {5, 0, 40, 8, 0, 0, 16, 100}) {
      bytes += record_of(sample_bytes(size), dialect, 32);
      for (std::size_t cut = last_end + 1; cut < bytes.size(); ++cut)
        expect_refused(bytes.substr(0, cut), last_end, dialect);
      put(path("x"), bytes);
      EXPECT_EQ(append(path("x"), "more", dialect).message(), "");
      last_end = bytes.size();
    }
  }
}

TEST_F(SequentialAppend, SaysHowToKeepTheWholeRecords) {
  const std::string whole = record_of("one", {}) + record_of("two", {});
  put(path("x"), whole + record_of("three", {}).substr(0, 8));
  const status s = append(path("x"), "more");
  EXPECT_NE(s.message().find("truncate -s " + std::to_string(whole.size())), std::string::npos)
      << s.message();
  std::filesystem::resize_file(path("x"), whole.size());
  EXPECT_EQ(append(path("x"), "more").message(), "");
}

TEST_F(SequentialAppend, RefusesRecordsOfAnotherDialect) {
  for (const record_dialect& one : written_dialects())
    for (const record_dialect& other : written_dialects()) {
      const std::string bytes = record_of(sample_bytes(100), one) + record_of("ab", one);
      if (record_of("ab", one) != record_of("ab", other)) expect_refused(bytes, 0, other);
    }
  put(path("x"), record_of("ab", {8, byte_order::big}));
  const status s = append(path("x"), "more", {4, byte_order::little});
  EXPECT_NE(s.message().find("record_marker=8"), std::string::npos) << s.message();
}

TEST_F(SequentialAppend, RefusesWhatIsNoFileOfRecords) {
  expect_refused("some text\n", 0, {});
  expect_refused(sample_bytes(1000), 0, {});
  expect_refused(std::string(3, '\0'), 0, {});
}

// Zeros look like empty records, and equal numbers can look like records of that length.
TEST_F(SequentialAppend, IsNotDeceivedByTheDataOfACutRecord) {
  for (const record_dialect& dialect : written_dialects())
    for (const std::int64_t value : {0, 4, 8, 12, 16, 400, 4096}) {
      std::string data;
      while (data.size() < 20000) data += marker_bytes_of(value, dialect);
      const std::string old = record_of("old", dialect);
      const std::string bytes = old + record_of(data, dialect);
      for (const std::size_t cut : {1, 4, 8, 12, 16, 24, 100, 1000, 10000})
        expect_refused(bytes.substr(0, bytes.size() - cut), old.size(), dialect);
      put(path("x"), bytes);
      EXPECT_EQ(append(path("x"), "more", dialect).message(), "") << value;
    }
}

TEST_F(SequentialAppend, LeavesTheOldFileWhenNothingMoreFits) {
  const std::string old = record_of("old", {});
  for (const std::size_t bytes : {100, 100000, 1000000}) {
    put(path("x"), old);
    const full_at limit(40 + bytes / 2);
    EXPECT_EQ(append(path("x"), sample_bytes(bytes)).code(), EFBIG);
    EXPECT_EQ(content(path("x")), old);
    EXPECT_EQ(append(path("y"), sample_bytes(bytes)).code(), EFBIG);
    EXPECT_FALSE(std::filesystem::exists(path("y"))) << "a new file without a record";
  }
}

// What successful calls wrote stays when a later one finds the disk full.
TEST_F(SequentialAppend, KeepsTheRecordsBeforeTheOneThatFails) {
  const std::string old = record_of("old", {});
  std::string large = sample_bytes(100000);
  const std::string one = record_of(large, {});
  put(path("x"), old);
  record_writer writer;
  {
    const full_at limit(old.size() + 3 * one.size() + 50000);
    ASSERT_TRUE(writer.open(path("x"), replace_mode::append, {}).ok());
    for (int i = 0; i < 3; ++i) ASSERT_EQ(writer.write(characters_of(large)).message(), "");
    EXPECT_EQ(writer.write(characters_of(large)).code(), EFBIG);
  }
  EXPECT_TRUE(content(path("x")) == old + one + one + one);
  EXPECT_EQ(writer.write(characters_of(large)).code(), EFBIG) << "closed for good";
  EXPECT_EQ(writer.close().code(), EFBIG);
  EXPECT_TRUE(content(path("x")) == old + one + one + one);
}

TEST_F(SequentialAppend, AddsAllOrNoneOfManyRecords) {
  const std::string old = record_of("old", {});
  std::string data = sample_bytes(200000);
  put(path("x"), old);
  record_writer writer;
  const full_at limit(1000000);
  ASSERT_TRUE(writer.open(path("x"), replace_mode::append, {}).ok());
  ASSERT_TRUE(writer.write(characters_of(data)).ok());
  EXPECT_EQ(writer.write_many(characters_of(data)).code(), EFBIG);
  EXPECT_TRUE(content(path("x")) == old + record_of(data, {}));
}

TEST_F(SequentialAppend, KeepsRecordsWithoutClose) {
  std::string data = "some";
  {
    record_writer writer;
    ASSERT_TRUE(writer.open(path("x"), replace_mode::append, {}).ok());
    ASSERT_TRUE(writer.write(characters_of(data)).ok());
    ASSERT_TRUE(writer.begin(100).ok() && writer.put("abc", 3).ok());
  }
  EXPECT_EQ(content(path("x")), record_of(data, {})) << "and not the one that has no end";
}

TEST_F(SequentialAppend, LeavesWholeRecordsWhenItIsKilled) {
  for (const std::size_t bytes : {8, 3000, 100000, 200000000}) {
    const std::string old = record_of("old", {}) + record_of(sample_bytes(1000), {});
    put(path("x"), old);
    write_and_kill(path("x"), replace_mode::append, bytes, [&] { return size_of_all(); });
    EXPECT_EQ(content(path("x")).substr(0, old.size()), old);
    status why;
    EXPECT_GE(readable(path("x"), why), 2U);
    if (why.code() == static_cast<int>(stat_code::end_of_file)) continue;  // between two records
    EXPECT_EQ(why.code(), truncated) << why.message();
    EXPECT_NE(why.message().find("byte "), std::string::npos) << why.message();
    EXPECT_EQ(append(path("x"), "more").code(), truncated);
  }
}

TEST_F(SequentialAppend, LeavesTheOldFileWhenANewOneIsNotComplete) {
  const std::string old = record_of("old", {});
  for (const std::size_t bytes : {8, 100000, 200000000}) {
    put(path("x"), old);
    write_and_kill(path("x"), replace_mode::whole, bytes, [&] { return size_of_all(); });
    EXPECT_EQ(content(path("x")), old);
  }
}

TEST_F(SequentialAppend, AnIdleWriterNeverChangesTheFile) {
  const std::string old = record_of("one", {});
  put(path("x"), old);
  {
    record_writer idle;
    ASSERT_EQ(idle.open(path("x"), replace_mode::append, {}).message(), "");
    // Others that know no locks.
    put(path("x"), old + old + old);
  }
  EXPECT_EQ(content(path("x")), old + old + old);
  record_writer closed;
  ASSERT_EQ(closed.open(path("x"), replace_mode::append, {}).message(), "");
  put(path("x"), old + old);
  EXPECT_EQ(closed.close().message(), "");
  EXPECT_EQ(content(path("x")), old + old);
}

TEST_F(SequentialAppend, AFailureDoesNotTakeBackWhatOthersWrote) {
  put(path("x"), "");
  file_writer writer;
  ASSERT_EQ(writer.open(path("x"), replace_mode::append).message(), "");
  writer.append_in_order();
  ASSERT_EQ(writer.write("mine", 4).message(), "");
  put(path("x"), "mine, theirs");
  EXPECT_EQ(writer.finish(sync_mode::none).code(),
            static_cast<int>(stat_code::file_changed_while_writing));
  writer.abandon();
  EXPECT_EQ(content(path("x")), "mine, theirs");
}

TEST_F(SequentialAppend, TheThreadThatHasTheFileOpenIsRefusedASecondTime) {
  put(path("x"), record_of("one", {}));
  record_writer first;
  ASSERT_EQ(first.open(path("x"), replace_mode::append, {}).message(), "");
  const status s = append(path("x"), "second");
  EXPECT_EQ(s.code(), EWOULDBLOCK);
  EXPECT_NE(s.message().find("close it first"), std::string::npos) << s.message();
  std::string data = "two";
  EXPECT_EQ(first.write(characters_of(data)).message(), "");
  EXPECT_EQ(first.close().message(), "");
  EXPECT_EQ(append(path("x"), "three").message(), "");
  EXPECT_EQ(content(path("x")),
            record_of("one", {}) + record_of("two", {}) + record_of("three", {}));
}

TEST_F(SequentialAppend, ThreadsAndProgramsThatAppendAtOnceLoseNothing) {
  constexpr int records = 40;
  const auto append_all = [&](char letter) {
    for (int i = 0; i < records; ++i)
      if (!append(path("x"), std::string(8, letter)).ok()) return false;
    return true;
  };
  std::vector<pid_t> programs;
  for (const char letter : {'a', 'b'}) {
    programs.push_back(::fork());
    if (programs.back() == 0) ::_exit(append_all(letter) ? 0 : 1);
  }
  bool all = true;
  std::thread other([&] { all = append_all('c'); });
  EXPECT_TRUE(append_all('d'));
  other.join();
  EXPECT_TRUE(all);
  for (const pid_t program : programs) {
    int ended = 1;
    EXPECT_EQ(::waitpid(program, &ended, 0), program);
    EXPECT_EQ(ended, 0);
  }
  status why;
  EXPECT_EQ(readable(path("x"), why), std::uint64_t{4 * records});
  EXPECT_EQ(why.code(), static_cast<int>(stat_code::end_of_file));
}

TEST_F(SequentialAppend, AForkedChildLeavesTheRecordsToItsParent) {
  const std::string old = record_of("one", {});
  put(path("x"), old);
  auto added = std::make_unique<record_writer>();
  auto created = std::make_unique<record_writer>();
  ASSERT_EQ(added->open(path("x"), replace_mode::append, {}).message(), "");
  ASSERT_EQ(created->open(path("new"), replace_mode::whole, {}).message(), "");
  std::string data = "two";
  for (const auto& writer : {added.get(), created.get()})
    ASSERT_EQ(writer->write(characters_of(data)).message(), "");
  const pid_t child = ::fork();
  if (child == 0) {
    added.reset();
    created.reset();
    ::_exit(0);
  }
  int ended = 1;
  ASSERT_EQ(::waitpid(child, &ended, 0), child);
  EXPECT_EQ(ended, 0);
  EXPECT_EQ(content(path("x")), old);
  EXPECT_EQ(added->close().message(), "");
  EXPECT_EQ(created->close().message(), "");
  EXPECT_EQ(content(path("x")), old + record_of("two", {}));
  EXPECT_EQ(content(path("new")), record_of("two", {}));
}

TEST_F(SequentialAppend, TheAdviceQuotesTheNameForAShell) {
  const std::string cut = record_of("one", {}) + "cut";
  for (const auto& [name, quoted] : {std::pair("a b", "a b'"), std::pair("it's", "it'\\''s'")}) {
    put(path(name), cut);
    const status s = append(path(name), "more");
    EXPECT_NE(s.message().find("truncate -s 11 '" + directory_.string() + "/" + quoted),
              std::string::npos)
        << s.message();
  }
}

}  // namespace
}  // namespace headrace
