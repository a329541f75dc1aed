// Compresses blocks of a text in several threads and writes them in their order.
#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "block_exchange.hpp"
#include "codecs.hpp"
#include "compressed.hpp"
#include "own_process.hpp"

namespace headrace {
namespace {

class block_compressor final : public compressing_sink {
 public:
  using encoder_maker = block_encoder_maker;
  // A text of one block is compressed by finish().
  block_compressor(byte_sink& file, encoder_maker make_encoder, int level, int threads,
                   std::string name);
  ~block_compressor() override;

  // Failures of compression and of the file come with a later write, finish at the latest.
  status write(const char* data, std::size_t bytes) override;
  status finish() override;

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 19;

  struct block {
    std::unique_ptr<char[]> text;
    std::size_t bytes = 0;
    std::unique_ptr<char[]> packed;
    std::size_t packed_bytes = 0;
    bool last = false;
    enum { empty, filled, being_packed, ready } state = empty;
  };

  // The block that is filled next, once it has been written out; null after a failure.
  block* take_empty();
  void hand_over(bool last);
  bool start_thread();
  void work();
  status pack(block_encoder& encoder, block& one);
  status pack_here(block& one);
  void write_ready(std::unique_lock<std::mutex>& lock);
  void fail(status why);
  status result();
  void stop();

  byte_sink& file_;
  const encoder_maker make_encoder_;
  const int level_;
  const std::size_t most_threads_;
  const std::string name_;

  std::vector<block> blocks_;    // a ring; block n of the text is in blocks_[n % blocks_.size()]
  block* current_ = nullptr;     // of the caller alone
  std::size_t handed_over_ = 0;  // blocks of the text so far
  std::size_t taken_ = 0;        // of these, by threads
  std::size_t written_ = 0;
  bool writing_ = false;
  bool stopped_ = false;
  bool finished_ = false;
  status result_;
  struct crew {
    std::mutex guard;
    std::condition_variable changed;
    std::vector<std::thread> threads;
  };
  own_process<crew> crew_;
};

block_compressor::block_compressor(byte_sink& file, encoder_maker make_encoder, int level,
                                   int threads, std::string name)
    : file_(file),
      make_encoder_(make_encoder),
      level_(level),
      most_threads_(static_cast<std::size_t>(std::max(threads, 1))),
      name_(std::move(name)),
      blocks_(2 * most_threads_ + 1) {
  crew_->threads.reserve(most_threads_);  // starting one later allocates nothing here
}

block_compressor::~block_compressor() {
  if (crew_.is_here()) stop();
}

status block_compressor::write(const char* data, std::size_t bytes) {
  while (bytes > 0) {
    // A full block waits for what follows: only then it is known not to be the last.
    if (current_ != nullptr && current_->bytes == block_bytes) hand_over(false);
    if (current_ == nullptr) {
      current_ = take_empty();
      if (current_ == nullptr) return result();
    }
    const std::size_t count = std::min(bytes, block_bytes - current_->bytes);
    std::memcpy(current_->text.get() + current_->bytes, data, count);
    current_->bytes += count;
    data += count;
    bytes -= count;
  }
  return {};
}

status block_compressor::finish() {
  if (finished_) return result();
  finished_ = true;
  if (current_ == nullptr) current_ = take_empty();  // an empty text has its end mark, too
  if (current_ != nullptr) {
    if (handed_over_ == 0) {
      current_->last = true;
      if (status s = pack_here(*current_); !s.ok()) fail(std::move(s));
      return result();
    }
    hand_over(true);
  }
  {
    std::unique_lock<std::mutex> lock(crew_->guard);
    crew_->changed.wait(lock, [this] { return !result_.ok() || written_ == handed_over_; });
  }
  stop();
  return result();
}

block_compressor::block* block_compressor::take_empty() {
  block& next = blocks_[handed_over_ % blocks_.size()];
  {
    std::unique_lock<std::mutex> lock(crew_->guard);
    crew_->changed.wait(lock, [&] { return !result_.ok() || next.state == block::empty; });
    if (!result_.ok()) return nullptr;
  }
  next.bytes = 0;
  if (!next.text) next.text.reset(new char[block_bytes]);
  return &next;
}

// A thread for each block until there are enough; without any the caller compresses.
void block_compressor::hand_over(bool last) {
  block& one = *current_;
  current_ = nullptr;
  one.last = last;
  if (crew_->threads.size() < most_threads_ && !start_thread() && crew_->threads.empty()) {
    if (status s = pack_here(one); !s.ok()) fail(std::move(s));
    const std::lock_guard<std::mutex> lock(crew_->guard);
    taken_ = written_ = ++handed_over_;
    return;
  }
  const std::lock_guard<std::mutex> lock(crew_->guard);
  one.state = block::filled;
  ++handed_over_;
  crew_->changed.notify_all();
}

bool block_compressor::start_thread() {
  try {
    crew_->threads.emplace_back([this] {
      if (status s = as_status([this] {
            work();
            return status();
          });
          !s.ok())
        fail(std::move(s));
    });
    return true;
  } catch (const std::system_error&) {
    return false;  // those that there are will do
  }
}

void block_compressor::work() {
  const std::unique_ptr<block_encoder> encoder = make_encoder_(level_);
  if (!encoder) throw std::bad_alloc();
  std::unique_lock<std::mutex> lock(crew_->guard);
  for (;;) {
    crew_->changed.wait(lock,
                        [this] { return stopped_ || !result_.ok() || taken_ < handed_over_; });
    if (stopped_ || !result_.ok()) return;
    block& one = blocks_[taken_++ % blocks_.size()];
    one.state = block::being_packed;
    lock.unlock();
    status packed = pack(*encoder, one);
    lock.lock();
    if (!packed.ok()) {
      result_.keep_first(std::move(packed));
      crew_->changed.notify_all();
      return;
    }
    one.state = block::ready;
    write_ready(lock);
  }
}

status block_compressor::pack(block_encoder& encoder, block& one) {
  const std::size_t room = encoder.bound(block_bytes);
  if (!one.packed) one.packed.reset(new char[room]);
  one.packed_bytes = encoder.encode(one.text.get(), one.bytes, one.last, one.packed.get(), room);
  if (one.packed_bytes > 0) return {};
  return status::system(EIO, "cannot compress: the library refuses a block").in_file(name_);
}

status block_compressor::pack_here(block& one) {
  const std::unique_ptr<block_encoder> encoder = make_encoder_(level_);
  if (!encoder) throw std::bad_alloc();
  if (status s = pack(*encoder, one); !s.ok()) return s;
  return file_.write(one.packed.get(), one.packed_bytes);
}

// Whoever finds the next block ready writes it, and those behind it; the others go on compressing.
void block_compressor::write_ready(std::unique_lock<std::mutex>& lock) {
  if (writing_) return;
  writing_ = true;
  while (result_.ok() && !stopped_ && written_ < taken_) {
    block& next = blocks_[written_ % blocks_.size()];
    if (next.state != block::ready) break;
    lock.unlock();
    status written = file_.write(next.packed.get(), next.packed_bytes);
    lock.lock();
    result_.keep_first(std::move(written));
    next.state = block::empty;
    ++written_;
    crew_->changed.notify_all();
  }
  writing_ = false;
}

void block_compressor::fail(status why) {
  const std::lock_guard<std::mutex> lock(crew_->guard);
  result_.keep_first(std::move(why));
  crew_->changed.notify_all();
}

status block_compressor::result() {
  const std::lock_guard<std::mutex> lock(crew_->guard);
  return result_;
}

void block_compressor::stop() {
  {
    const std::lock_guard<std::mutex> lock(crew_->guard);
    stopped_ = true;
    crew_->changed.notify_all();
  }
  for (std::thread& thread : crew_->threads) thread.join();
  crew_->threads.clear();
}

}  // namespace

std::unique_ptr<compressing_sink> compress_in_blocks(byte_sink& file,
                                                     block_encoder_maker make_encoder, int level,
                                                     int threads, const std::string& name) {
  return std::make_unique<block_compressor>(file, make_encoder, level, threads, name);
}

}  // namespace headrace
