// Files written whole or not at all, and read without losing a byte unnoticed.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "exclusive.hpp"
#include "rank_marks.hpp"
#include "status.hpp"
#include "temporaries.hpp"

namespace headrace {

enum class sync_mode {
  none,  // the operating system writes to the device when it likes
  file,  // the file and its name are on the device when finish() returns
};

enum class replace_mode {
  whole,     // a temporary file takes the name when it is complete
  in_place,  // the pages of an old file are overwritten: faster, but a crash leaves a mixture
  append,    // after the old content, locked against others that append; a writer destroyed before
             // finish() leaves that content alone, and a killed program null bytes behind it,
             // because the first bytes are written last
};

// Writes a file that appears under its name only when it is complete: the bytes go to a temporary
// file beside it, which finish() renames. A writer destroyed before removes its temporary and
// leaves an old file of that name whole. FIFOs and devices are written directly.
//
// A child of fork() has copies of its parent's writers. Destroying them does nothing to the file.
class file_writer {
 public:
  file_writer() = default;
  ~file_writer();
  file_writer(const file_writer&) = delete;
  file_writer& operator=(const file_writer&) = delete;

  status open(const std::string& file, replace_mode mode = replace_mode::whole);
  // Opens so many bytes of a file from an offset on; finish() expects all of them to be written.
  // The rest of an old file stays. A file that ends before is extended at once, by null bytes, so
  // that programs may write different ranges of one file at the same time. A failure takes back
  // what the file grew by from the offset on, not what was overwritten; a killed program takes back
  // nothing.
  status open_range(const std::string& file, std::uint64_t offset, std::uint64_t bytes);
  status write(const char* data, std::size_t bytes);
  // Writes at an offset from the beginning, or in append mode from the old end. Threads may call it
  // at the same time; extend_to() must then tell how much was written. Regular files only.
  status write_at(std::uint64_t offset, const char* data, std::size_t bytes) const;
  void extend_to(std::uint64_t bytes) noexcept { written_ = bytes; }
  // False for FIFOs and devices, which take bytes in order only.
  bool can_write_at() const noexcept { return regular_; }
  // Append mode: no bytes are held back, everything reaches the file in order. For formats whose
  // readers notice that the end is missing. Called after open().
  void append_in_order() noexcept { in_order_ = true; }
  // Append mode: the first of the bytes written stay, whatever happens to the others.
  void keep(std::uint64_t bytes) noexcept { kept_ = bytes; }
  // Whole files: finish() fails with EEXIST when another one has the name by then. After open().
  void must_be_new() noexcept { must_be_new_ = true; }
  // What is written has all of the old content in it, or of a file that was made for it: another
  // MPI rank may have written that. After open().
  void adds_to_old() noexcept { adds_to_old_ = true; }
  // Bytes of the old content, append mode only, and its last byte ('\n' when it has none).
  std::uint64_t old_bytes() const noexcept { return start_; }
  status old_last_byte(char& last) const;
  // Bytes of the old content from an offset on, append mode only; less if it ends.
  status read_old(std::uint64_t offset, char* data, std::size_t bytes, std::size_t& count) const;
  // Checks the size, synchronises if asked, closes and renames.
  status finish(sync_mode sync);
  // Ends without finish(), as the destructor does.
  void abandon() noexcept;
  // False in a child of fork(), where the writer is a copy.
  bool is_own() const noexcept;

  std::uint64_t bytes_written() const noexcept { return written_; }

 private:
  status error(int number, const char* what) const;
  status open_here(replace_mode mode);
  bool holds_back() const noexcept {
    return mode_ == replace_mode::append && regular_ && !in_order_;
  }
  bool open_known();
  status open_to_append(bool creates);
  status extend_to_range();
  void take_back() noexcept;
  void take_back_range() noexcept;
  void take_back_appended() noexcept;
  std::size_t hold_back(std::uint64_t offset, const char* data, std::size_t bytes) const noexcept;
  status write_held() const;
  status put_at(std::uint64_t offset, const char* data, std::size_t bytes) const;
  status check_size() const;
  status complete(sync_mode sync);
  status take_name();

  std::string file_;  // as the caller names it, for messages
  std::string path_;  // the file that appears
  int descriptor_ = -1;
  temporary_name temporary_;  // empty when written directly
  pid_t opener_ = 0;
  append_lock lock_;
  rank_marks marks_;
  bool regular_ = true;
  bool created_ = false;  // by appending or a range: a failure leaves no empty file
  bool in_order_ = false;
  bool must_be_new_ = false;
  bool replaces_ = false;  // a file that was there at open()
  bool adds_to_old_ = false;
  replace_mode mode_ = replace_mode::whole;
  mutable std::array<char, 512> held_{};  // the first appended bytes; threads fill their own part
  std::uint64_t start_ = 0;               // where this writer's bytes begin: 0 unless it appends
  std::uint64_t written_ = 0;
  mutable std::atomic<std::uint64_t> reached_{0};  // of them, the end of what is in the file
  std::uint64_t kept_ = 0;                         // of them, whatever happens
  std::optional<std::uint64_t> range_;             // bytes that open_range() opened
  std::uint64_t before_range_ = 0;                 // size of the file then
};

// False for FIFOs and devices, whose bytes can be read once only, and for what does not exist.
bool is_regular_file(const std::string& file) noexcept;
// True for a FIFO.
bool is_pipe(const std::string& file) noexcept;

// Reads a file from its beginning.
class file_reader {
 public:
  file_reader() = default;
  ~file_reader();
  file_reader(const file_reader&) = delete;
  file_reader& operator=(const file_reader&) = delete;

  status open(const std::string& file);
  // For those who need the size: FIFOs, which are not even opened (that would wait for a writer),
  // and devices are refused with these words and advice (argument_invalid).
  status open_sized(const std::string& file, const char* refusal, const char* advice);
  // Fills data; a file that ends before is the failure end_of_file at the exact byte.
  status read(char* data, std::size_t bytes);
  // The next read begins there. Plain files only.
  void go_to(std::uint64_t offset) noexcept { read_ = offset; }
  // Reads what there is, up to capacity bytes; count 0 is the end.
  status read_some(char* data, std::size_t capacity, std::size_t& count);

  // Reads at an offset, less than bytes only if the file ends. Threads may call it at once.
  status read_at(std::uint64_t offset, char* data, std::size_t bytes, std::size_t& count) const;
  // Failure file_changed_while_reading when the size is not what it was at open().
  status check_unchanged() const;

  // Size in bytes; nothing for FIFOs and devices, which have none.
  std::optional<std::uint64_t> size() const noexcept { return size_; }
  std::uint64_t bytes_read() const noexcept { return read_; }

 private:
  std::string file_;
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_;
  std::uint64_t read_ = 0;
};

}  // namespace headrace
