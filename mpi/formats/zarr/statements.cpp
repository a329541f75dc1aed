// A Zarr store whose chunks Fortran's own OPEN, WRITE and CLOSE write, for comparison: file per
// process, as a program would do it, and yet one array that any number of MPI ranks reads.
#include "../../dataset/statements.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "store.hpp"

namespace headrace::zarr {

namespace {

struct statement_table {
  std::atomic<hr_statement_open> open{nullptr};
  std::atomic<hr_statement_move> move{nullptr};
  std::atomic<hr_statement_close> close{nullptr};
};
statement_table statements;

// Open by a statement, and beside it for what Fortran has no statements for.
class statement_file final : public positioned_file {
 public:
  static std::unique_ptr<positioned_file> make() { return std::make_unique<statement_file>(); }
  ~statement_file() override { static_cast<void>(close_unit()); }

  status create(const std::string& file) override {
    // IOSTAT does not tell that there is no directory.
    if (status s = make_directory(directory_of(file)); !s.ok()) return s;
    if (status s = open_unit(file, true); !s.ok()) return s;
    return positioned_file::open_to_write(file);
  }
  // IOSTAT of a missing file differs from run time to run time.
  status open_to_read(const std::string& file) override {
    if (status s = positioned_file::open_to_read(file); !s.ok()) return s;
    return open_unit(file, false);
  }

  status write_at(std::int64_t offset, const char* data, std::int64_t bytes) const override {
    // A run time may keep all that a WRITE gives it.
    constexpr std::int64_t most_at_once = std::int64_t{8} << 20;
    for (std::int64_t done = 0; done < bytes; done += most_at_once) {
      // WRITE takes what it does not change as it takes everything.
      char* const from = const_cast<char*>(data) + done;
      const std::int64_t part = std::min(most_at_once, bytes - done);
      status written = call("WRITE", [&](char* message, int length) {
        return statements.move.load()(unit_, 1, offset + done, from, part, message, length);
      });
      if (!written.ok()) return written;
    }
    return {};
  }

  status read_at(std::int64_t offset, char* data, std::int64_t bytes) const override {
    return call("READ", [&](char* message, int length) {
      return statements.move.load()(unit_, 0, offset, data, bytes, message, length);
    });
  }
  // What is written reaches the system with CLOSE.
  status sync() const override {
    if (status s = close_unit(); !s.ok()) return s;
    return positioned_file::sync();
  }
  status close() override {
    status result = close_unit();
    result.keep_first(positioned_file::close());
    return result;
  }

 private:
  template <class Statement>
  status call(const char* name, Statement statement) const {
    std::array<char, 256> room{};
    const int iostat = statement(room.data(), static_cast<int>(room.size()));
    if (iostat == 0) return {};
    std::string message(room.begin(), room.end());
    message.erase(message.find_last_not_of(std::string(" \0", 2)) + 1);
    const std::string what = std::string(name) + " failed with IOSTAT " + std::to_string(iostat) +
                             (message.empty() ? "" : ": " + message);
    // The run times give errno if the system refused.
    if (iostat > 0 && iostat < 1000) return status::system(iostat, what).in_file(file_);
    return status::failure(iostat < 0 ? stat_code::end_of_file : stat_code::library_failed, what)
        .in_file(file_);
  }

  status open_unit(const std::string& file, bool writes) {
    file_ = file;
    status opened = call("OPEN", [&](char* message, int length) {
      return statements.open.load()(file.data(), static_cast<int>(file.size()), writes ? 1 : 0,
                                    &unit_, message, length);
    });
    is_open_ = opened.ok();
    return opened;
  }

  // On a full disk all statements may report success: the store checks the sizes of its files.
  status close_unit() const {
    if (!std::exchange(is_open_, false)) return {};
    return call("CLOSE", [&](char* message, int length) {
      return statements.close.load()(unit_, message, length);
    });
  }

  std::string file_;
  int unit_ = 0;
  mutable bool is_open_ = false;
};

}  // namespace

}  // namespace headrace::zarr

const char* headrace::statements_unavailable() noexcept {
  if (zarr::statements.close.load() != nullptr) return nullptr;
  return "Fortran's statements come with the module headrace_mpi, which this program does not use";
}

const headrace::backend headrace::statements_backend = {
    "statements",
    can_file_per_process | can_own_transfer | is_a_directory,
    write_pattern::file_per_process,
    transfer_way::headrace,
    nullptr,
    zarr::create_store<zarr::statement_file::make>,
    zarr::open_store<zarr::statement_file::make>};

extern "C" void hr_mpi_use_statements(hr_statement_open open, hr_statement_move move,
                                      hr_statement_close close) {
  headrace::zarr::statements.open = open;
  headrace::zarr::statements.move = move;
  headrace::zarr::statements.close = close;
}
