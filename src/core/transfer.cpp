#include "transfer.hpp"

#include <algorithm>
#include <memory>

#include "array_copy.hpp"
#include "buffer.hpp"
#include "byte_swap.hpp"
#include "crc32c.hpp"
#include "first_touch.hpp"

namespace headrace {
namespace {

// Runs from this size on go to and from the file without a copy: a system call of 64 KiB costs
// less than copying as much.
constexpr std::size_t direct_run = std::size_t{64} << 10;
constexpr std::size_t large_run = std::size_t{8} << 20;
constexpr std::size_t buffer_bytes = std::size_t{4} << 20;
// Bytes that are worked on stay in the cache between the steps.
constexpr std::size_t worked_block = std::size_t{256} << 10;

bool goes_direct(const run_grid& grid) noexcept {
  return grid.dimensions == 0 || grid.run_bytes >= direct_run;
}

// Calls step(data, bytes) for pieces of a run that fit the cache.
template <class Byte, class Step>
status in_blocks(Byte* run, std::size_t bytes, Step step) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t block = std::min(worked_block, bytes - done);
    if (status s = step(run + done, block); !s.ok()) return s;
    done += block;
  }
  return {};
}

// A multiple of every word that fits, so that no word is cut by the end of a block.
std::size_t capacity_for(const array_view& array, std::size_t most) {
  const std::size_t element = std::max<std::size_t>(array.elem_len, 1);
  const std::size_t blocks = std::max<std::size_t>(most / element, 1) * element;
  return std::min(blocks, byte_count(array).value_or(0));
}

}  // namespace

std::size_t word_bytes(const array_view& array) noexcept {
  if (array.type == type_class::character) return 1;
  return array.type == type_class::complex ? array.elem_len / 2 : array.elem_len;
}

transfer_settings transfer_in_order(byte_order order, const array_view& array) noexcept {
  transfer_settings transfer;
  if (is_swapped(order)) transfer.swapped_word = word_bytes(array);
  return transfer;
}

status transfer_out(const array_view& array, const transfer_settings& settings,
                    const take_bytes& take) {
  status result;
  const std::size_t word = settings.swapped_word > 1 ? settings.swapped_word : 0;
  const auto put = [&](const char* data, std::size_t bytes) {
    if (settings.crc != nullptr) *settings.crc = crc32c(*settings.crc, data, bytes);
    return take(data, bytes);
  };
  if (word == 0 && goes_direct(runs_of(array))) {
    for_each_run(array, [&](const char* run, std::size_t bytes) {
      result = settings.crc == nullptr ? take(run, bytes) : in_blocks(run, bytes, put);
      return result.ok();
    });
    return result;
  }
  const bool worked_on = word != 0 || settings.crc != nullptr;
  const std::size_t capacity = capacity_for(array, worked_on ? worked_block : buffer_bytes);
  buffer block;
  block.reserve(capacity);
  array_copier elements(array);
  while (result.ok()) {
    const std::size_t bytes = elements.gather(block.data(), capacity);
    if (bytes == 0) break;
    if (word != 0) swap_bytes(block.data(), block.data(), bytes / word, word);
    result = put(block.data(), bytes);
  }
  return result;
}

status transfer_in(const array_view& array, const transfer_settings& settings,
                   const fill_bytes& fill) {
  status result;
  const std::size_t word = settings.swapped_word > 1 ? settings.swapped_word : 0;
  const bool worked_on = word != 0 || settings.crc != nullptr;
  const auto get = [&](char* data, std::size_t bytes) {
    status filled = fill(data, bytes);
    if (!filled.ok() || !worked_on) return filled;
    if (settings.crc != nullptr) *settings.crc = crc32c(*settings.crc, data, bytes);
    if (word != 0) swap_bytes(data, data, bytes / word, word);
    return filled;
  };
  // Runs whose pieces hold whole words.
  const run_grid grid = runs_of(array);
  if (goes_direct(grid) && (word == 0 || worked_block % word == 0)) {
    for_each_run(array, [&](char* run, std::size_t bytes) {
      // Half of the time of a read into fresh memory goes to page faults.
      if (bytes >= large_run) advise_huge_pages(run, bytes);
      const first_touch touched_ahead(run, bytes);
      result = worked_on ? in_blocks(run, bytes, get) : fill(run, bytes);
      return result.ok();
    });
    return result;
  }
  std::size_t left = byte_count(array).value_or(0);
  const std::size_t capacity = capacity_for(array, worked_on ? worked_block : buffer_bytes);
  buffer block;
  block.reserve(capacity);
  array_copier elements(array);
  while (left > 0) {
    const std::size_t bytes = std::min(capacity, left);
    result = get(block.data(), bytes);
    if (!result.ok()) break;
    left -= elements.scatter(block.data(), bytes);
  }
  return result;
}

status write_elements(file_writer& file, const array_view& array,
                      const transfer_settings& settings) {
  return transfer_out(array, settings,
                      [&](const char* data, std::size_t bytes) { return file.write(data, bytes); });
}

status read_elements(file_reader& file, const array_view& array,
                     const transfer_settings& settings) {
  return transfer_in(array, settings,
                     [&](char* data, std::size_t bytes) { return file.read(data, bytes); });
}

status read_elements_at(const file_reader& file, std::uint64_t offset, const array_view& array,
                        const transfer_settings& settings) {
  return transfer_in(array, settings, [&](char* data, std::size_t bytes) -> status {
    std::size_t count = 0;
    if (status s = file.read_at(offset, data, bytes, count); !s.ok()) return s;
    if (count < bytes)
      return status::failure(stat_code::end_of_file, "the file ends too early")
          .expected("at least " + bytes_text(offset + bytes), bytes_text(offset + count))
          .advise("check that its writer has finished");
    offset += bytes;
    return {};
  });
}

}  // namespace headrace
