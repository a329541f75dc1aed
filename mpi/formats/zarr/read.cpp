#include "read.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "../../../src/core/byte_swap.hpp"
#include "../../../src/core/crc32c.hpp"

namespace headrace {
namespace {

// Read at once where lines are short.
constexpr std::int64_t window_bytes = std::int64_t{4} << 20;
// Lines from this length on go straight to where they belong.
constexpr std::int64_t long_line = std::int64_t{256} << 10;
// Gaps up to here are read along: skipping them costs more.
constexpr std::int64_t widest_gap = std::int64_t{128} << 10;
constexpr std::uint64_t no_chunk = std::numeric_limits<std::uint64_t>::max();

std::ptrdiff_t first_stride(const array_view& local) noexcept {
  return local.array_rank == 0 ? static_cast<std::ptrdiff_t>(local.elem_len) : local.stride[0];
}

std::uint64_t number_at(const char* at, int bytes, bool is_big) noexcept {
  std::uint64_t number = 0;
  for (int i = 0; i < bytes; ++i) {
    const int from = is_big ? i : bytes - 1 - i;
    number = number << 8U | static_cast<unsigned char>(at[from]);
  }
  return number;
}

bool machine_is_little() noexcept {
  constexpr std::uint16_t one = 1;
  return reinterpret_cast<const char&>(one) == 1;
}

// Calls visit(place) for each place of a box, the first dimension fastest, until it fails.
template <class Visit>
status for_each_place(const box& places, Visit&& visit) {
  index_list place = places.start;
  for (std::int64_t left = volume(places); left > 0; --left) {
    if (status s = visit(static_cast<const index_list&>(place)); !s.ok()) return s;
    for (std::size_t d = 0; d < static_cast<std::size_t>(places.array_rank); ++d) {
      if (++place[d] < places.start[d] + places.count[d]) break;
      place[d] = places.start[d];
    }
  }
  return {};
}

// The places of a grid of such extents that a box touches.
box places_of(const box& part, const index_list& extents) noexcept {
  box places = part;
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.array_rank); ++d) {
    places.start[d] = part.start[d] / extents[d];
    places.count[d] = (part.start[d] + part.count[d] - 1) / extents[d] - places.start[d] + 1;
  }
  return places;
}

}  // namespace

zarr_block_reader::zarr_block_reader(std::string directory, const zarr_array& array,
                                     std::int64_t state, zarr_file_maker make_file, timeline& line)
    : directory_(std::move(directory)),
      array_(array),
      state_(state),
      make_file_(make_file),
      line_(line),
      array_rank_(array.shape.size() - (state >= 0 ? 1 : 0)) {
  const std::vector<std::int64_t> chunks = array.chunks_of_shard();
  for (std::size_t d = 0; d < array_rank_; ++d) {
    chunk_[d] = array.chunk[d];
    chunks_of_file_[d] = chunks.empty() ? 1 : chunks[d];
  }
}

box zarr_block_reader::as_stored(const box& part) const {
  box stored = part;
  std::size_t to = 0;
  for (const int from : array_.order) {
    if (static_cast<std::size_t>(from) >= array_rank_) continue;  // the steps
    stored.start[to] = part.start[static_cast<std::size_t>(from)];
    stored.count[to++] = part.count[static_cast<std::size_t>(from)];
  }
  return stored;
}

array_view zarr_block_reader::as_stored(const array_view& local) const {
  array_view stored = local;
  std::size_t to = 0;
  for (const int from : array_.order) {
    if (static_cast<std::size_t>(from) >= array_rank_) continue;
    stored.extent[to] = local.extent[static_cast<std::size_t>(from)];
    stored.stride[to++] = local.stride[static_cast<std::size_t>(from)];
  }
  return stored;
}

std::string zarr_block_reader::name_of_file(const index_list& file) const {
  std::vector<std::int64_t> key(file.begin(),
                                file.begin() + static_cast<std::ptrdiff_t>(array_rank_));
  if (state_ >= 0) key.push_back(state_);
  return directory_ + "/" + array_.key_of(key);
}

status zarr_block_reader::open_file(const index_list& file) {
  const auto during = line_.during(HR_PHASE_OPEN);
  file_ = make_file_();
  name_ = name_of_file(file);
  index_.clear();
  status opened = file_->open_to_read(name_);
  if (opened.code() == ENOENT) {
    file_.reset();
    return {};
  }
  if (opened.ok()) opened = file_->size(file_bytes_);
  if (opened.ok() && !array_.shard.empty()) opened = read_index();
  return std::move(opened).in_file_once(name_);
}

status zarr_block_reader::read_index() {
  std::size_t places = 1;
  for (std::size_t d = 0; d < array_rank_; ++d)
    places *= static_cast<std::size_t>(chunks_of_file_[d]);
  std::string text(16 * places + (array_.index_checked ? 4 : 0), '\0');
  const auto bytes = static_cast<std::int64_t>(text.size());
  if (bytes > file_bytes_)
    return status::failure(stat_code::file_size_mismatch, "the shard is shorter than its index")
        .expected(bytes_text(text.size()) + " or more",
                  bytes_text(static_cast<std::uint64_t>(file_bytes_)));
  const std::int64_t begin = array_.index_at_end ? file_bytes_ - bytes : 0;
  if (status s = file_->read_at(begin, text.data(), bytes); !s.ok()) return s;
  if (array_.index_checked) {
    const std::uint32_t crc = crc32c(0, text.data(), 16 * places);
    if (number_at(text.data() + 16 * places, 4, false) != crc)
      return status::failure(stat_code::checksum_mismatch,
                             "the index of the shard is damaged: its crc32c is wrong")
          .advise("restore the file from a copy");
  }
  const bool is_big = array_.index_swapped == machine_is_little();
  index_.resize(2 * places);
  for (std::size_t i = 0; i < index_.size(); ++i)
    index_[i] = number_at(text.data() + 8 * i, 8, is_big);
  return {};
}

status zarr_block_reader::missing(const box& chunk) const {
  return status::failure(stat_code::chunk_missing,
                         "the chunk " + text_of(chunk) + " of the array is gone")
      .in_file(name_)
      .advise("copy the store again with all its files, or restore this one");
}

// bytes 0: there is no such chunk.
status zarr_block_reader::find_chunk(const index_list& chunk, std::int64_t& offset,
                                     std::int64_t& bytes) const {
  offset = 0;
  bytes = 0;
  if (file_ == nullptr) return {};
  bytes = file_bytes_;
  if (array_.shard.empty()) return {};
  std::size_t place = 0;
  for (std::size_t d = 0; d < array_rank_; ++d)
    place = place * static_cast<std::size_t>(chunks_of_file_[d]) +
            static_cast<std::size_t>(chunk[d] % chunks_of_file_[d]);
  const std::uint64_t begin = index_[2 * place];
  const std::uint64_t length = index_[2 * place + 1];
  bytes = 0;
  if (begin == no_chunk && length == no_chunk) return {};
  const auto size = static_cast<std::uint64_t>(file_bytes_);
  if (begin > size || length > size - begin || length == 0)
    return status::failure(stat_code::header_damaged,
                           "the index of the shard names bytes that it does not have")
        .in_file(name_)
        .advise("restore the file from a copy");
  offset = static_cast<std::int64_t>(begin);
  bytes = static_cast<std::int64_t>(length);
  return {};
}

status zarr_block_reader::read(const array_view& local, const box& own) {
  if (is_empty(own)) return {};
  index_list file_extents{};
  for (std::size_t d = 0; d < array_rank_; ++d) file_extents[d] = chunk_[d] * chunks_of_file_[d];
  status result = for_each_place(places_of(own, file_extents), [&](const index_list& file) {
    if (status s = open_file(file); !s.ok()) return s;
    return read_file(file, local, own);
  });
  file_.reset();
  return result;
}

status zarr_block_reader::read_file(const index_list& file, const array_view& local,
                                    const box& own) {
  box chunks;
  chunks.array_rank = static_cast<int>(array_rank_);
  chunks.count = chunks_of_file_;
  for (std::size_t d = 0; d < array_rank_; ++d) chunks.start[d] = file[d] * chunks_of_file_[d];
  const auto during = line_.during(HR_PHASE_TRANSFER);
  return for_each_place(intersection(chunks, places_of(own, chunk_)),
                        [&](const index_list& chunk) { return read_chunk(chunk, local, own); });
}

status zarr_block_reader::read_chunk(const index_list& chunk, const array_view& local,
                                     const box& own) {
  box part;
  part.array_rank = static_cast<int>(array_rank_);
  part.count = chunk_;
  for (std::size_t d = 0; d < array_rank_; ++d) part.start[d] = chunk[d] * chunk_[d];
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  if (status s = find_chunk(chunk, offset, bytes); !s.ok()) return s;
  const bool exists = file_ != nullptr && (bytes > 0 || array_.shard.empty());
  if (!exists && array_.complete) return missing(part);
  if (!exists) {
    fill(as_stored(part), as_stored(local), as_stored(own));
    return {};
  }
  status result;
  if (!array_.codecs.empty()) {
    result = read_coded(offset, bytes, part, as_stored(local), as_stored(own));
  } else if (bytes != array_.chunk_bytes()) {
    result = status::failure(
                 stat_code::file_size_mismatch,
                 "the chunk " + text_of(part) + " does not have the size that it should have")
                 .expected(bytes_text(static_cast<std::uint64_t>(array_.chunk_bytes())),
                           bytes_text(static_cast<std::uint64_t>(bytes)))
                 .advise("check that the file was written and copied whole");
  } else {
    result = read_plain(offset, as_stored(part), as_stored(local), as_stored(own));
  }
  return std::move(result).in_file_once(name_);
}

status zarr_block_reader::read_plain(std::int64_t offset, const box& chunk, const array_view& local,
                                     const box& own) {
  const auto bytes = static_cast<std::int64_t>(array_.type.bytes);
  const piece whole{chunk, 0, volume(chunk), 0};
  const bool plain = form_of(local).is_plain(first_stride(local)) && !array_.swapped;
  piece range = whole;
  range.last = 0;  // nothing yet
  status result;
  for_each_common_line(whole, own, contiguous_dimensions(local), [&](const piece_line& line) {
    if (!result.ok()) return;
    const std::int64_t end = line.at + line.count;
    const bool is_long = plain && line.count * bytes >= long_line;
    const bool joins = range.last > 0 && !is_long && (line.at - range.last) * bytes <= widest_gap &&
                       (end - range.first) * bytes <= window_bytes;
    if (range.last > 0 && !joins) {
      result = read_range(offset, range, local, own);
      range.last = 0;
    }
    if (!result.ok()) return;
    if (is_long) {
      result = file_->read_at(offset + line.at * bytes, address_of(local, own, line.begin),
                              line.count * bytes);
      return;
    }
    if (!joins) range.first = line.at;
    range.last = end;
  });
  if (result.ok() && range.last > 0) result = read_range(offset, range, local, own);
  return result;
}

// In windows; a line may be longer than one.
status zarr_block_reader::read_range(std::int64_t offset, const piece& range,
                                     const array_view& local, const box& own) {
  const auto bytes = static_cast<std::int64_t>(array_.type.bytes);
  const std::int64_t most = std::max<std::int64_t>(1, window_bytes / bytes);
  window_.reserve(static_cast<std::size_t>(std::min(most, range.last - range.first) * bytes));
  for (std::int64_t first = range.first; first < range.last; first += most) {
    const piece part{range.of, first, std::min(first + most, range.last), 0};
    if (status s =
            file_->read_at(offset + first * bytes, window_.data(), (part.last - first) * bytes);
        !s.ok())
      return s;
    keep(part, window_.data(), local, own);
  }
  return {};
}

status zarr_block_reader::read_coded(std::int64_t offset, std::int64_t bytes, const box& part,
                                     const array_view& local, const box& own) {
  zarr_decoder decoder("the chunk " + text_of(part));
  const box chunk = as_stored(part);
  const auto element = static_cast<std::int64_t>(array_.type.bytes);
  status result = decoder.open(*file_, offset, bytes, array_.chunk_bytes(), array_.codecs);
  const bool as_it_is = chunk == own && is_contiguous(local) &&
                        form_of(local).is_plain(first_stride(local)) && !array_.swapped;
  if (as_it_is && result.ok()) result = decoder.read(local.base, array_.chunk_bytes());
  const std::int64_t most = std::max<std::int64_t>(1, zarr_block_bytes / element);
  if (!as_it_is) window_.reserve(static_cast<std::size_t>(most * element));
  for (std::int64_t first = 0; !as_it_is && result.ok() && first < volume(chunk); first += most) {
    const piece range{chunk, first, std::min(first + most, volume(chunk)), 0};
    result = decoder.read(window_.data(), (range.last - range.first) * element);
    if (result.ok()) keep(range, window_.data(), local, own);
  }
  if (result.ok()) result = decoder.finish();
  return result;
}

void zarr_block_reader::keep(const piece& range, char* data, const array_view& local,
                             const box& own) const {
  const element_form form = form_of(local);
  const std::size_t word = array_.type.word_bytes();
  const auto elements = static_cast<std::size_t>(range.last - range.first);
  if (array_.swapped) swap_bytes(data, data, elements * array_.type.bytes / word, word);
  for_each_common_line(range, own, contiguous_dimensions(local), [&](const piece_line& line) {
    form.load(address_of(local, own, line.begin), first_stride(local),
              data + static_cast<std::size_t>(line.at) * array_.type.bytes,
              static_cast<std::size_t>(line.count));
  });
}

void zarr_block_reader::fill(const box& chunk, const array_view& local, const box& own) const {
  const element_form form = form_of(local);
  const piece whole{chunk, 0, volume(chunk), 0};
  for_each_common_line(whole, own, 0, [&](const piece_line& line) {
    char* to = address_of(local, own, line.begin);
    for (std::int64_t i = 0; i < line.count; ++i, to += first_stride(local))
      form.load(to, first_stride(local), array_.fill.data(), 1);
  });
}

}  // namespace headrace
