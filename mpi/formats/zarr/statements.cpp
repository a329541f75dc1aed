// A Zarr store whose chunks Fortran's own OPEN, WRITE and CLOSE write, for comparison: file per
// process, as a program would do it, and yet one array that any number of MPI ranks reads.
#include "../../dataset/statements.hpp"

#include <sys/stat.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>

#include "../../disk/positioned_file.hpp"
#include "store.hpp"

namespace headrace::zarr {

namespace {

struct statement_table {
  std::atomic<hr_statement_open> open{nullptr};
  std::atomic<hr_statement_move> write{nullptr};
  std::atomic<hr_statement_move> read{nullptr};
  std::atomic<hr_statement_close> close{nullptr};
};
statement_table statements;

class statement_file final : public chunk_file {
 public:
  static std::unique_ptr<chunk_file> make() { return std::make_unique<statement_file>(); }
  ~statement_file() override {
    if (is_open_) static_cast<void>(done(statements.close.load()(unit_, room(), length()), ""));
  }

  status create(const std::string& file, bool /*is_shared*/) override {
    // IOSTAT does not tell that there is no directory.
    if (status s = make_directory(directory_of(file)); !s.ok()) return s;
    return open(file, true);
  }
  status open_to_read(const std::string& file) override;
  status write_at(std::int64_t offset, const char* data, std::int64_t bytes) override;
  status read_at(std::int64_t offset, char* data, std::int64_t bytes) override;
  status size(std::int64_t& bytes) override;
  status close(bool sync) override;

 private:
  char* room() noexcept { return message_.data(); }
  int length() const noexcept { return static_cast<int>(message_.size()); }
  status open(const std::string& file, bool writes);
  status done(int iostat, const char* statement) const;

  std::string file_;
  int unit_ = 0;
  bool is_open_ = false;
  bool writes_ = false;
  std::int64_t end_ = 0;
  std::array<char, 256> message_{};
};

status statement_file::done(int iostat, const char* statement) const {
  if (iostat == 0) return {};
  std::string message(message_.begin(), message_.end());
  message.erase(message.find_last_not_of(std::string(" \0", 2)) + 1);
  const std::string what = std::string(statement) + " failed with IOSTAT " +
                           std::to_string(iostat) + (message.empty() ? "" : ": " + message);
  // The run times give errno where the system refused.
  if (iostat > 0 && iostat < 1000) return status::system(iostat, what).in_file(file_);
  return status::failure(iostat < 0 ? stat_code::end_of_file : stat_code::library_failed, what)
      .in_file(file_);
}

status statement_file::open(const std::string& file, bool writes) {
  file_ = file;
  writes_ = writes;
  status opened = done(statements.open.load()(file.data(), static_cast<int>(file.size()),
                                              writes ? 1 : 0, &unit_, room(), length()),
                       "OPEN");
  is_open_ = opened.ok();
  return opened;
}

status statement_file::open_to_read(const std::string& file) {
  struct stat found {};
  // IOSTAT of a missing file differs from run time to run time.
  if (::stat(file.c_str(), &found) != 0)
    return status::system(errno, "cannot open the file").in_file(file);
  end_ = found.st_size;
  return open(file, false);
}

status statement_file::write_at(std::int64_t offset, const char* data, std::int64_t bytes) {
  // A run time may keep all that a WRITE gives it.
  constexpr std::int64_t most_at_once = std::int64_t{8} << 20;
  while (bytes > 0) {
    const std::int64_t part = std::min(most_at_once, bytes);
    // WRITE takes what it does not change as it takes everything.
    char* const from = const_cast<char*>(data);
    if (status s =
            done(statements.write.load()(unit_, offset, from, part, room(), length()), "WRITE");
        !s.ok())
      return s;
    offset += part;
    data += part;
    bytes -= part;
    end_ = offset;
  }
  return {};
}

status statement_file::read_at(std::int64_t offset, char* data, std::int64_t bytes) {
  return done(statements.read.load()(unit_, offset, data, bytes, room(), length()), "READ");
}

status statement_file::size(std::int64_t& bytes) {
  bytes = end_;
  return {};
}

// On a full disk all three statements may report success. Fortran has none to sync: the system
// does, after CLOSE.
status statement_file::close(bool sync) {
  is_open_ = false;
  if (status s = done(statements.close.load()(unit_, room(), length()), "CLOSE"); !s.ok()) return s;
  if (status s = writes_ ? check_file_size(file_, end_) : status(); !s.ok() || !sync) return s;
  positioned_file closed;
  if (status s = closed.open_to_write(file_); !s.ok()) return s;
  return closed.sync();
}

}  // namespace

}  // namespace headrace::zarr

const char* headrace::statements_unavailable() noexcept {
  if (zarr::statements.close.load() != nullptr) return nullptr;
  return "Fortran's statements come with the module headrace_mpi, which this program does not use";
}

const headrace::backend headrace::statements_backend = {
    "statements",
    can_file_per_process | can_own_transfer | is_a_directory | can_many_arrays,
    write_pattern::file_per_process,
    transfer_way::headrace,
    nullptr,
    zarr::create_store<zarr::statement_file::make>,
    zarr::open_store<zarr::statement_file::make>};

extern "C" void hr_mpi_use_statements(hr_statement_open open, hr_statement_move write,
                                      hr_statement_move read, hr_statement_close close) {
  headrace::zarr::statements.open = open;
  headrace::zarr::statements.write = write;
  headrace::zarr::statements.read = read;
  headrace::zarr::statements.close = close;
}
