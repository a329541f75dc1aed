#include "array_copy.hpp"

#include <algorithm>
#include <cstring>

namespace headrace {
namespace {

// A length known to the compiler turns each memcpy into one or two moves.
template <std::size_t Bytes>
void gather_fixed(char* to, const char* from, std::ptrdiff_t stride, std::size_t runs) noexcept {
  for (std::size_t i = 0; i < runs; ++i)
    std::memcpy(to + i * Bytes, from + static_cast<std::ptrdiff_t>(i) * stride, Bytes);
}

template <std::size_t Bytes>
void scatter_fixed(char* to, std::ptrdiff_t stride, const char* from, std::size_t runs) noexcept {
  for (std::size_t i = 0; i < runs; ++i)
    std::memcpy(to + static_cast<std::ptrdiff_t>(i) * stride, from + i * Bytes, Bytes);
}

void gather_runs(char* to, const char* from, std::size_t bytes, std::ptrdiff_t stride,
                 std::size_t runs) noexcept {
  switch (bytes) {
    case 1:
      return gather_fixed<1>(to, from, stride, runs);
    case 2:
      return gather_fixed<2>(to, from, stride, runs);
    case 4:
      return gather_fixed<4>(to, from, stride, runs);
    case 8:
      return gather_fixed<8>(to, from, stride, runs);
    case 16:
      return gather_fixed<16>(to, from, stride, runs);
    case 24:
      return gather_fixed<24>(to, from, stride, runs);
    case 32:
      return gather_fixed<32>(to, from, stride, runs);
    default:
      for (std::size_t i = 0; i < runs; ++i)
        std::memcpy(to + i * bytes, from + static_cast<std::ptrdiff_t>(i) * stride, bytes);
  }
}

void scatter_runs(char* to, std::ptrdiff_t stride, const char* from, std::size_t bytes,
                  std::size_t runs) noexcept {
  switch (bytes) {
    case 1:
      return scatter_fixed<1>(to, stride, from, runs);
    case 2:
      return scatter_fixed<2>(to, stride, from, runs);
    case 4:
      return scatter_fixed<4>(to, stride, from, runs);
    case 8:
      return scatter_fixed<8>(to, stride, from, runs);
    case 16:
      return scatter_fixed<16>(to, stride, from, runs);
    case 24:
      return scatter_fixed<24>(to, stride, from, runs);
    case 32:
      return scatter_fixed<32>(to, stride, from, runs);
    default:
      for (std::size_t i = 0; i < runs; ++i)
        std::memcpy(to + static_cast<std::ptrdiff_t>(i) * stride, from + i * bytes, bytes);
  }
}

}  // namespace

template <class Copy>
std::size_t array_copier::walk(std::size_t bytes, Copy copy) noexcept {
  std::size_t done = 0;
  while (done < bytes && !position_.at_end()) {
    const std::size_t run = grid_.run_bytes;
    const std::size_t left = bytes - done;
    if (done_in_run_ > 0 || left < run) {  // part of a run
      const std::size_t part = std::min(run - done_in_run_, left);
      copy(base_ + position_.offset() + done_in_run_, done, part, 0, 1);
      done += part;
      done_in_run_ += part;
      if (done_in_run_ < run) break;
      done_in_run_ = 0;
      position_.advance(1);
    } else {
      const std::size_t runs =
          std::min(left / run, static_cast<std::size_t>(position_.left_in_line()));
      copy(base_ + position_.offset(), done, run, grid_.stride[0], runs);
      done += runs * run;
      position_.advance(static_cast<std::ptrdiff_t>(runs));
    }
  }
  return done;
}

std::size_t array_copier::gather(char* buffer, std::size_t capacity) noexcept {
  return walk(capacity, [buffer](const char* elements, std::size_t at, std::size_t bytes,
                                 std::ptrdiff_t stride, std::size_t runs) {
    gather_runs(buffer + at, elements, bytes, stride, runs);
  });
}

std::size_t array_copier::scatter(const char* buffer, std::size_t bytes) noexcept {
  return walk(bytes, [buffer](char* elements, std::size_t at, std::size_t run_bytes,
                              std::ptrdiff_t stride, std::size_t runs) {
    scatter_runs(elements, stride, buffer + at, run_bytes, runs);
  });
}

}  // namespace headrace
