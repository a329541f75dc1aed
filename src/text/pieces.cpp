#include "pieces.hpp"

#include <algorithm>

#include "../core/threads.hpp"

namespace headrace {
namespace {

constexpr std::size_t bytes_of_all = std::size_t{16} << 20;
constexpr std::size_t least_piece_bytes = std::size_t{16} << 10;

}  // namespace

std::size_t piece_bytes(int threads) noexcept {
  const std::size_t share = bytes_of_all / static_cast<std::size_t>(std::max(1, threads));
  return std::clamp(share, least_piece_bytes, most_piece_bytes);
}

class piece_writer {
 public:
  piece_writer(const piece_producer& producer, piece_destination& destination,
               const piece_observer& observer) noexcept
      : producer_(producer), destination_(destination), observer_(observer) {}

  // One thread's share of the work; thread 0 is the caller's.
  void work(int thread) {
    piece_workspace space;
    std::size_t piece = 0;
    while (next(piece, space)) {
      std::size_t bytes = 0;
      status result = producer_.produce(piece, space, bytes);
      std::uint64_t end = 0;
      if (result.ok()) result = write(piece, space.text.data(), bytes, end);
      if (result.ok() && thread == 0 && observer_ && !stopped_) result = observer_(end);
      if (!result.ok()) return fail(std::move(result));
    }
  }

  // Ends the others when a thread leaves with an exception.
  void stop() {
    const std::lock_guard<std::mutex> lock(guard_);
    stopped_ = true;
    turn_changed_.notify_all();
  }

  status result() const { return result_; }

 private:
  bool next(std::size_t& piece, piece_workspace& space) {
    const std::lock_guard<std::mutex> lock(take_guard_);
    if (stopped_ || next_ == producer_.pieces) return false;
    piece = next_++;
    if (!producer_.take) return true;
    status taken = producer_.take(piece, space);
    if (taken.ok()) return true;
    fail(std::move(taken));
    return false;
  }

  status write(std::size_t piece, const char* text, std::size_t bytes, std::uint64_t& end) {
    std::unique_lock<std::mutex> lock(guard_);
    turn_changed_.wait(lock, [&] { return turn_ == piece || stopped_; });
    if (stopped_) return {};
    const std::uint64_t offset = destination_.position_;
    end = offset + bytes;
    status result;
    if (destination_.sink_ != nullptr) {
      lock.unlock();
      result = destination_.sink_->write(text, bytes);
      lock.lock();
    }
    destination_.position_ = end;
    ++turn_;
    turn_changed_.notify_all();
    lock.unlock();
    return destination_.file_ == nullptr ? result
                                         : destination_.file_->write_at(offset, text, bytes);
  }

  void fail(status failure) {
    const std::lock_guard<std::mutex> lock(guard_);
    result_.keep_first(std::move(failure));
    stopped_ = true;
    turn_changed_.notify_all();
  }

  const piece_producer& producer_;
  piece_destination& destination_;
  const piece_observer& observer_;
  std::mutex take_guard_;
  std::size_t next_ = 0;
  std::mutex guard_;
  std::condition_variable turn_changed_;
  std::size_t turn_ = 0;  // the piece that may be written now
  std::atomic<bool> stopped_{false};
  status result_;
};

status write_pieces(const piece_producer& producer, int threads, piece_destination& destination,
                    const piece_observer& observer) {
  piece_writer writer(producer, destination, observer);
  const int useful =
      static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), producer.pieces));
  run_threads(std::max(1, useful), [&](int thread) {
    try {
      writer.work(thread);
    } catch (...) {
      writer.stop();
      throw;
    }
  });
  return writer.result();
}

}  // namespace headrace
