#include "record_block.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "../core/array_copy.hpp"
#include "../core/buffer.hpp"
#include "../core/byte_swap.hpp"
#include "../core/shared_work.hpp"

namespace headrace {
namespace {

// Bytes of a file that a thread works on at a time: they stay in its cache.
constexpr std::size_t block_bytes = std::size_t{256} << 10;
// Records that are checked with one branch.
constexpr std::size_t batch = 8;

// Nonzero when a marker of the record at data is another one.
template <class Word>
inline Word difference(const char* data, Word marker, std::size_t bytes) noexcept {
  Word front;
  Word behind;
  std::memcpy(&front, data, sizeof front);
  std::memcpy(&behind, data + sizeof front + bytes, sizeof behind);
  return (front ^ marker) | (behind ^ marker);
}

// Calls copy(record number, data of the record) for all records, checked or not.
template <class Word, class Copy>
inline std::size_t walk_equal(const char* data, std::size_t records, Word marker, std::size_t bytes,
                              Copy copy) noexcept {
  const std::size_t stride = bytes + 2 * sizeof(Word);
  std::size_t done = 0;
  for (; done + batch <= records; done += batch) {
    const char* const at = data + done * stride;
    Word wrong = 0;
    for (std::size_t i = 0; i < batch; ++i) {
      wrong |= difference(at + i * stride, marker, bytes);
      copy(done + i, at + i * stride + sizeof(Word));
    }
    if (wrong != 0) break;
  }
  for (; done < records; ++done) {
    if (difference(data + done * stride, marker, bytes) != 0) break;
    copy(done, data + done * stride + sizeof(Word));
  }
  return done;
}

// Of a length that the compiler knows.
template <class Word, std::size_t Bytes>
std::size_t strip_fixed(char* to, const char* data, std::size_t records, Word marker) noexcept {
  return walk_equal(data, records, marker, Bytes, [to](std::size_t number, const char* from) {
    std::memcpy(to + number * Bytes, from, Bytes);
  });
}

template <class Word>
std::size_t count(const char* data, std::size_t records, const equal_records& shape) noexcept {
  return walk_equal(data, records, static_cast<Word>(shape.marker), shape.bytes,
                    [](std::size_t, const char*) {});
}

template <class Word>
std::size_t strip(char* to, const char* data, std::size_t records,
                  const equal_records& shape) noexcept {
  const Word marker = static_cast<Word>(shape.marker);
  switch (shape.bytes) {
    case 0:
      return count<Word>(data, records, shape);
    case 4:
      return strip_fixed<Word, 4>(to, data, records, marker);
    case 8:
      return strip_fixed<Word, 8>(to, data, records, marker);
    case 12:
      return strip_fixed<Word, 12>(to, data, records, marker);
    case 16:
      return strip_fixed<Word, 16>(to, data, records, marker);
    case 24:
      return strip_fixed<Word, 24>(to, data, records, marker);
    case 32:
      return strip_fixed<Word, 32>(to, data, records, marker);
    default:
      return walk_equal(data, records, marker, shape.bytes,
                        [to, bytes = shape.bytes](std::size_t number, const char* from) {
                          std::memcpy(to + number * bytes, from, bytes);
                        });
  }
}

// What the threads of read_equal share.
struct equal_reading {
  const file_reader& file;
  std::uint64_t begin;
  equal_records shape;
  array_view array;
  std::size_t swapped_word;
  std::size_t records;
  std::size_t block;  // records
  bool contiguous;
  std::atomic<std::size_t> first_bad;
};

void lower(std::atomic<std::size_t>& least, std::size_t value) noexcept {
  std::size_t now = least.load();
  while (value < now && !least.compare_exchange_weak(now, value)) {
  }
}

// raw has room for a block of the file, and for its data if the array is not contiguous.
void read_block(equal_reading& all, std::size_t item, char* raw) {
  const std::size_t first = item * all.block;
  if (first >= all.first_bad.load()) return;
  const std::size_t records = std::min(all.block, all.records - first);
  const std::uint64_t begin = all.begin + std::uint64_t{first} * all.shape.stride();
  const std::size_t wanted = records * all.shape.stride();
  std::size_t found = 0;
  // Whoever reads on from the first bad record tells why.
  if (!all.file.read_at(begin, raw, wanted, found).ok() || found < wanted)
    return lower(all.first_bad, first);
  const std::size_t bytes = all.shape.bytes;
  char* const to = all.contiguous ? all.array.base + first * bytes : raw + wanted;
  const std::size_t good = strip_equal(to, raw, records, all.shape);
  if (good < records) lower(all.first_bad, first + good);
  if (all.swapped_word > 1) swap_bytes(to, to, good * bytes / all.swapped_word, all.swapped_word);
  if (all.contiguous) return;
  const array_view part = with_last_range(all.array, static_cast<std::ptrdiff_t>(first),
                                          static_cast<std::ptrdiff_t>(good));
  array_copier(part).scatter(to, good * bytes);
}

}  // namespace

equal_records equal_records_of(const record_dialect& dialect, std::size_t bytes) noexcept {
  equal_records shape;
  shape.bytes = bytes;
  shape.marker_bytes = dialect.marker_bytes == 8 ? 8 : 4;
  shape.marker = bytes;
  if (!is_swapped(dialect.order)) return shape;
  shape.marker = shape.marker_bytes == 8 ? __builtin_bswap64(shape.marker)
                                         : __builtin_bswap32(static_cast<std::uint32_t>(bytes));
  return shape;
}

std::size_t count_equal(const char* data, std::size_t records,
                        const equal_records& shape) noexcept {
  return shape.marker_bytes == 8 ? count<std::uint64_t>(data, records, shape)
                                 : count<std::uint32_t>(data, records, shape);
}

std::size_t strip_equal(char* to, const char* data, std::size_t records,
                        const equal_records& shape) noexcept {
  return shape.marker_bytes == 8 ? strip<std::uint64_t>(to, data, records, shape)
                                 : strip<std::uint32_t>(to, data, records, shape);
}

array_view with_last_range(const array_view& array, std::ptrdiff_t first,
                           std::ptrdiff_t count) noexcept {
  array_view part = array;
  const auto last = static_cast<std::size_t>(array.array_rank - 1);
  if (count > 0 && element_count(array).value_or(0) > 0) part.base += first * array.stride[last];
  part.extent[last] = count;
  return part;
}

std::size_t read_equal(const file_reader& file, std::uint64_t begin, const equal_records& shape,
                       const array_view& array, std::size_t swapped_word) {
  const auto records =
      static_cast<std::size_t>(array.extent[static_cast<std::size_t>(array.array_rank - 1)]);
  const std::size_t block = std::max<std::size_t>(block_bytes / shape.stride(), 1);
  equal_reading all{file,   begin, shape, array, swapped_word, records, block, is_contiguous(array),
                    records};
  if (all.contiguous) advise_huge_pages(array.base, records * shape.bytes);
  const std::size_t items = (records + block - 1) / block;
  const int threads = thread_count(0);
  std::vector<buffer> raw(static_cast<std::size_t>(std::max(threads, 1)));
  share_out(threads, items, [&](std::size_t item, int thread) {
    buffer& mine = raw[static_cast<std::size_t>(thread)];
    mine.reserve(block * (shape.stride() + shape.bytes));
    read_block(all, item, mine.data());
  });
  return all.first_bad.load();
}

}  // namespace headrace
