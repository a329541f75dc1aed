// A few blocks of bytes that go round between a thread that fills them and one that empties them.
#pragma once

#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "status.hpp"

namespace headrace {

struct byte_block {
  std::unique_ptr<char[]> data;
  std::size_t bytes = 0;
};

class block_exchange {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;
  static constexpr std::size_t blocks = 4;

  block_exchange();

  // The filling thread. False: the other side wants no more.
  bool take_empty(byte_block& block);
  void give_full(byte_block block) noexcept;
  // No block comes after this; how it ended is for the emptying thread.
  void end(status how);

  // The emptying thread. False: no block comes any more.
  bool take_full(byte_block& block);
  void give_empty(byte_block block) noexcept;
  // Wants no more; why is for the filling thread.
  void refuse(status why);

  // What end() or refuse() said first.
  status result() const;

 private:
  mutable std::mutex guard_;
  std::condition_variable changed_;
  std::vector<byte_block> empty_;
  std::vector<byte_block> full_;  // the oldest first
  bool ended_ = false;
  bool refused_ = false;
  status result_;
};

// For the body of a thread, which no exception may leave.
template <class Work>
status as_status(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return status::system(ENOMEM, "no memory left for a buffer");
  }
}

}  // namespace headrace
