#include "read.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "../../../src/core/buffer.hpp"
#include "../../../src/core/codecs.hpp"
#include "../../../src/core/crc32c.hpp"

namespace headrace::zarr {

namespace {

status damaged(const std::string& chunk, const std::string& what) {
  return status::failure(stat_code::compression_damaged, chunk + " " + what)
      .advise("restore the file from a copy");
}

class range_source final : public byte_source {
 public:
  range_source(chunk_file& file, std::int64_t offset, std::int64_t bytes)
      : file_(file), at_(offset), end_(offset + bytes) {}

  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = std::min(capacity, static_cast<std::size_t>(end_ - at_));
    const auto bytes = static_cast<std::int64_t>(count);
    at_ += bytes;
    return bytes == 0 ? status() : file_.read_at(at_ - bytes, data, bytes);
  }

 private:
  chunk_file& file_;
  std::int64_t at_;
  std::int64_t end_;
};

// Delivers all but the last four bytes, which are the checksum of the others.
class checked_source final : public byte_source {
 public:
  checked_source(std::unique_ptr<byte_source> from, std::int64_t bytes, const std::string& chunk)
      : from_(std::move(from)), left_(bytes - 4), chunk_(chunk) {}

  status read(char* data, std::size_t capacity, std::size_t& count) override {
    count = 0;
    if (left_ < 0) return mismatch("4 bytes of a checksum", "fewer");
    if (left_ > 0) {
      capacity = std::min(
          {capacity, static_cast<std::size_t>(checked_block), static_cast<std::size_t>(left_)});
      if (status s = from_->read(data, capacity, count); !s.ok()) return s;
      if (count == 0) return mismatch("a checksum", "the end of the chunk");
      crc_ = crc32c(crc_, data, count);
      left_ -= static_cast<std::int64_t>(count);
    }
    return left_ > 0 || compared_ ? status() : compare();
  }

 private:
  status mismatch(const std::string& expected, const std::string& found) const {
    return status::failure(stat_code::checksum_mismatch,
                           chunk_ + " is not what was written: its crc32c is wrong")
        .expected(expected, found)
        .advise("restore the file from a copy; the disk or the network may be faulty");
  }

  status compare() {
    compared_ = true;
    std::array<char, 4> stored{};
    for (std::size_t have = 0, count = 0; have < stored.size(); have += count) {
      if (status s = from_->read(stored.data() + have, stored.size() - have, count); !s.ok())
        return s;
      if (count == 0) return mismatch("4 bytes of a checksum", "fewer");
    }
    std::uint32_t wanted = 0;
    for (unsigned i = 0; i < 4; ++i)
      wanted |= static_cast<std::uint32_t>(static_cast<unsigned char>(stored[i])) << (8 * i);
    return wanted == crc_ ? status() : mismatch(std::to_string(wanted), std::to_string(crc_));
  }

  std::unique_ptr<byte_source> from_;
  std::int64_t left_;
  const std::string& chunk_;
  std::uint32_t crc_ = 0;
  bool compared_ = false;
};

class unpacking_source final : public byte_source {
 public:
  unpacking_source(std::unique_ptr<byte_source> from, std::unique_ptr<stream_decoder> decoder,
                   const std::string& chunk)
      : from_(std::move(from)), decoder_(std::move(decoder)), chunk_(chunk) {
    packed_.reserve(static_cast<std::size_t>(block_bytes));
  }

  status read(char* data, std::size_t capacity, std::size_t& count) override {
    buffers_.output = data;
    buffers_.output_bytes = capacity;
    for (;;) {
      if (const char* const wrong = decoder_->decode(buffers_); wrong != nullptr)
        return damaged(chunk_, std::string("is damaged: ") + wrong);
      count = capacity - buffers_.output_bytes;
      if (count > 0 || capacity == 0) return {};
      if (ended_) return decoder_->complete() ? status() : damaged(chunk_, "is cut short");
      if (buffers_.input_bytes > 0) continue;
      std::size_t packed = 0;
      const auto most = static_cast<std::size_t>(block_bytes);
      if (status s = from_->read(packed_.data(), most, packed); !s.ok()) return s;
      ended_ = packed == 0;
      buffers_.input = packed_.data();
      buffers_.input_bytes = packed;
    }
  }

 private:
  std::unique_ptr<byte_source> from_;
  std::unique_ptr<stream_decoder> decoder_;
  const std::string& chunk_;
  buffer packed_;
  codec_buffers buffers_;
  bool ended_ = false;
};

}  // namespace

status chunk_decoder::open(chunk_file& file, std::int64_t offset, std::int64_t stored,
                           std::int64_t plain, const std::vector<byte_codec>& codecs) {
  left_ = plain;
  source_ = std::make_unique<range_source>(file, offset, stored);
  // The last codec was applied last. Behind a decompression the length is what the codecs before it
  // made of the chunk.
  std::int64_t length = stored;
  auto checks = std::count(codecs.begin(), codecs.end(), byte_codec::crc32c);
  for (auto codec = codecs.rbegin(); codec != codecs.rend(); ++codec) {
    if (*codec == byte_codec::crc32c) {
      source_ = std::make_unique<checked_source>(std::move(source_), length, chunk_);
      length -= 4;
      --checks;
      continue;
    }
    const bool zstd = *codec == byte_codec::zstd;
    auto decoder = zstd ? make_zstd_decoder() : make_gzip_decoder();
    if (decoder == nullptr)
      return status::failure(
                 stat_code::compression_unavailable,
                 std::string("the library was built without ") + (zstd ? "libzstd" : "zlib"))
          .advise(std::string("install ") + (zstd ? "libzstd-dev" : "zlib1g-dev") +
                  " and build it again");
    source_ = std::make_unique<unpacking_source>(std::move(source_), std::move(decoder), chunk_);
    length = plain + 4 * checks;
  }
  return {};
}

status chunk_decoder::read(char* data, std::int64_t bytes) {
  while (bytes > 0) {
    std::size_t count = 0;
    const auto most = static_cast<std::size_t>(std::min(bytes, block_bytes));
    if (status s = source_->read(data, most, count); !s.ok()) return s;
    if (count == 0)
      return damaged(chunk_, "has fewer elements than it should")
          .expected(bytes_text(static_cast<std::uint64_t>(left_)) + " more", "none");
    data += count;
    bytes -= static_cast<std::int64_t>(count);
    left_ -= static_cast<std::int64_t>(count);
  }
  return {};
}

status chunk_decoder::finish() {
  char more = 0;
  std::size_t count = 0;
  if (status s = source_->read(&more, 1, count); !s.ok()) return s;
  return count == 0 ? status() : damaged(chunk_, "has more elements than it should");
}

namespace {

constexpr std::uint64_t no_chunk = std::numeric_limits<std::uint64_t>::max();

std::uint64_t number_at(const char* at, int bytes, bool is_big) noexcept {
  std::uint64_t number = 0;
  for (int i = 0; i < bytes; ++i) {
    const int from = is_big ? i : bytes - 1 - i;
    number = number << 8U | static_cast<unsigned char>(at[from]);
  }
  return number;
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

block_reader::block_reader(std::string directory, const array_document& array, std::int64_t state,
                           file_maker make_file, timeline& line)
    : directory_(std::move(directory)),
      array_(array),
      state_(state),
      make_file_(make_file),
      line_(line),
      grid_(grid_of(array)) {}

box block_reader::as_stored(const box& part) const {
  box stored = part;
  std::size_t to = 0;
  for (const int from : array_.order) {
    if (from >= grid_.array_rank) continue;  // the steps
    stored.start[to] = part.start[static_cast<std::size_t>(from)];
    stored.count[to++] = part.count[static_cast<std::size_t>(from)];
  }
  return stored;
}

array_view block_reader::as_stored(const array_view& local) const {
  array_view stored = local;
  std::size_t to = 0;
  for (const int from : array_.order) {
    if (from >= grid_.array_rank) continue;
    stored.extent[to] = local.extent[static_cast<std::size_t>(from)];
    stored.stride[to++] = local.stride[static_cast<std::size_t>(from)];
  }
  return stored;
}

std::string block_reader::name_of_file(const index_list& file) const {
  std::vector<std::int64_t> key(file.begin(), file.begin() + grid_.array_rank);
  if (state_ >= 0) key.push_back(state_);
  return directory_ + "/" + array_.key_of(key);
}

status block_reader::open_file(const index_list& file) {
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

status block_reader::read_index() {
  const auto places = static_cast<std::size_t>(grid_.index_places());
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

status block_reader::missing(const box& chunk) const {
  return status::failure(stat_code::chunk_missing,
                         "the chunk " + text_of(chunk) + " of the array is gone")
      .in_file(name_)
      .advise("copy the store again with all its files, or restore this one");
}

// bytes 0: there is no such chunk.
status block_reader::find_chunk(const index_list& chunk, std::int64_t& offset,
                                std::int64_t& bytes) const {
  offset = 0;
  bytes = 0;
  if (file_ == nullptr) return {};
  bytes = file_bytes_;
  if (array_.shard.empty()) return {};
  const auto place = static_cast<std::size_t>(grid_.index_place_of(chunk));
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

status block_reader::read(const array_view& local, const box& own) {
  if (is_empty(own)) return {};
  index_list file_extents{};
  for (std::size_t d = 0; d < file_extents.size(); ++d)
    file_extents[d] = grid_.chunk[d] * grid_.shard[d];
  status result = for_each_place(places_of(own, file_extents), [&](const index_list& file) {
    if (status s = open_file(file); !s.ok()) return s;
    return read_file(file, local, own);
  });
  file_.reset();
  return result;
}

status block_reader::read_file(const index_list& file, const array_view& local, const box& own) {
  const auto during = line_.during(HR_PHASE_TRANSFER);
  return for_each_place(intersection(grid_.chunks_of(file), places_of(own, grid_.chunk)),
                        [&](const index_list& chunk) { return read_chunk(chunk, local, own); });
}

status block_reader::read_chunk(const index_list& chunk, const array_view& local, const box& own) {
  const box part = grid_.box_at(chunk);
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

element_form block_reader::form_in_file(const array_view& local) const noexcept {
  return form_of(local).with_words_swapped(array_.swapped ? array_.type.word_bytes() : 0);
}

status block_reader::read_plain(std::int64_t offset, const box& chunk, const array_view& local,
                                const box& own) {
  const auto bytes = static_cast<std::int64_t>(array_.type.bytes);
  return read_common({chunk, 0, volume(chunk), 0}, local, own, form_in_file(local), window_,
                     [&](std::int64_t first, char* data, std::int64_t count) {
                       return file_->read_at(offset + first * bytes, data, count * bytes);
                     });
}

status block_reader::read_coded(std::int64_t offset, std::int64_t bytes, const box& part,
                                const array_view& local, const box& own) {
  chunk_decoder decoder("the chunk " + text_of(part));
  const box chunk = as_stored(part);
  const auto element = static_cast<std::int64_t>(array_.type.bytes);
  status result = decoder.open(*file_, offset, bytes, array_.chunk_bytes(), array_.codecs);
  const element_form form = form_in_file(local);
  const bool as_it_is = chunk == own && is_contiguous(local) && form.is_plain(first_stride(local));
  if (as_it_is && result.ok()) result = decoder.read(local.base, array_.chunk_bytes());
  const std::int64_t most = std::max<std::int64_t>(1, block_bytes / element);
  if (!as_it_is) window_.reserve(static_cast<std::size_t>(most * element));
  for (std::int64_t first = 0; !as_it_is && result.ok() && first < volume(chunk); first += most) {
    const piece range{chunk, first, std::min(first + most, volume(chunk)), 0};
    result = decoder.read(window_.data(), (range.last - range.first) * element);
    if (result.ok()) load_common(range, local, own, form, window_.data());
  }
  if (result.ok()) result = decoder.finish();
  return result;
}

void block_reader::fill(const box& chunk, const array_view& local, const box& own) const {
  const element_form form = form_of(local);
  const piece whole{chunk, 0, volume(chunk), 0};
  for_each_common_line(whole, own, 0, [&](const piece_line& line) {
    char* to = address_of(local, own, line.begin);
    for (std::int64_t i = 0; i < line.count; ++i, to += first_stride(local))
      form.load(to, first_stride(local), array_.fill.data(), 1);
  });
}

}  // namespace headrace::zarr
