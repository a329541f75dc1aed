// Reads a block of an array from the chunks that it lies in.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "../../../src/core/buffer.hpp"
#include "../../../src/core/byte_swap.hpp"
#include "../../../src/core/codecs.hpp"
#include "../../../src/core/crc32c.hpp"
#include "../../move/lines.hpp"
#include "files.hpp"

namespace headrace::zarr {

namespace {

// Blocks of that size stay in the cache between the steps.
constexpr std::int64_t block_bytes = std::int64_t{256} << 10;

// As it stands behind what it is of.
std::uint32_t stored_crc(const char* at) noexcept {
  std::uint32_t crc = 0;
  for (unsigned i = 0; i < 4; ++i)
    crc |= static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])) << (8 * i);
  return crc;
}

// Takes the codecs off a chunk, block by block: each stage draws on the next one, the last on the
// file.
class chunk_decoder {
 public:
  // chunk: what messages call it. It is at [offset, offset + stored) of the file and has plain
  // bytes without its codecs.
  chunk_decoder(std::string chunk, const positioned_file& file, std::int64_t offset,
                std::int64_t stored, std::int64_t plain)
      : chunk_(std::move(chunk)), file_(file), at_(offset), end_(offset + stored), left_(plain) {}

  // Failure compression_unavailable.
  status open(const std::vector<byte_codec>& codecs) {
    // The last codec was applied last. Behind a decompression the length is what the codecs before
    // it made of the chunk.
    std::int64_t length = end_ - at_;
    auto checks = std::count(codecs.begin(), codecs.end(), byte_codec::crc32c);
    for (auto codec = codecs.rbegin(); codec != codecs.rend(); ++codec) {
      stage& made = stages_.emplace_back();
      if (*codec == byte_codec::crc32c) {
        length -= 4;
        --checks;
        made.left = length;
        continue;
      }
      const bool zstd = *codec == byte_codec::zstd;
      made.decoder = zstd ? make_zstd_decoder() : make_gzip_decoder();
      if (made.decoder == nullptr)
        return status::failure(
                   stat_code::compression_unavailable,
                   std::string("the library was built without ") + (zstd ? "libzstd" : "zlib"))
            .advise(std::string("install ") + (zstd ? "libzstd-dev" : "zlib1g-dev") +
                    " and build it again");
      made.packed.reserve(static_cast<std::size_t>(block_bytes));
      length = left_ + 4 * checks;
    }
    return {};
  }

  // Fills data. Failures checksum_mismatch (with the bytes before the checksum),
  // compression_damaged and end_of_file.
  status read(char* data, std::int64_t bytes) {
    while (bytes > 0) {
      std::size_t count = 0;
      const auto most = static_cast<std::size_t>(std::min(bytes, block_bytes));
      if (status s = draw(stages_.size(), data, most, count); !s.ok()) return s;
      if (count == 0)
        return damaged("has fewer elements than it should")
            .expected(bytes_text(static_cast<std::uint64_t>(left_)) + " more", "none");
      data += count;
      bytes -= static_cast<std::int64_t>(count);
      left_ -= static_cast<std::int64_t>(count);
    }
    return {};
  }

  // Failure compression_damaged when there is more than the chunk has.
  status finish() {
    char more = 0;
    std::size_t count = 0;
    if (status s = draw(stages_.size(), &more, 1, count); !s.ok()) return s;
    return count == 0 ? status() : damaged("has more elements than it should");
  }

 private:
  struct stage {
    std::unique_ptr<stream_decoder> decoder;  // null: the stage compares a checksum
    buffer packed;
    codec_buffers buffers;
    std::int64_t left = 0;  // before the checksum
    std::uint32_t crc = 0;
    bool has_ended = false;
  };

  // At most capacity bytes of what so many stages give; count 0 is the end.
  status draw(std::size_t stages, char* data, std::size_t capacity, std::size_t& count) {
    if (stages > 0 && stages_[stages - 1].decoder == nullptr)
      return draw_checked(stages - 1, data, capacity, count);
    if (stages > 0) return draw_unpacked(stages - 1, data, capacity, count);
    count = std::min(capacity, static_cast<std::size_t>(end_ - at_));
    const auto bytes = static_cast<std::int64_t>(count);
    at_ += bytes;
    return bytes == 0 ? status() : file_.read_at(at_ - bytes, data, bytes);
  }

  // All but the last four bytes, which are the checksum of the others.
  status draw_checked(std::size_t number, char* data, std::size_t capacity, std::size_t& count) {
    stage& own = stages_[number];
    count = 0;
    if (own.left < 0) return wrong_checksum("4 bytes of a checksum", "fewer");
    if (own.left > 0) {
      capacity = std::min(
          {capacity, static_cast<std::size_t>(checked_block), static_cast<std::size_t>(own.left)});
      if (status s = draw(number, data, capacity, count); !s.ok()) return s;
      if (count == 0) return wrong_checksum("a checksum", "the end of the chunk");
      own.crc = crc32c(own.crc, data, count);
      own.left -= static_cast<std::int64_t>(count);
    }
    if (own.left > 0 || std::exchange(own.has_ended, true)) return {};
    std::array<char, 4> stored{};
    for (std::size_t have = 0, more = 0; have < stored.size(); have += more) {
      if (status s = draw(number, stored.data() + have, stored.size() - have, more); !s.ok())
        return s;
      if (more == 0) return wrong_checksum("4 bytes of a checksum", "fewer");
    }
    const std::uint32_t wanted = stored_crc(stored.data());
    return wanted == own.crc ? status()
                             : wrong_checksum(std::to_string(wanted), std::to_string(own.crc));
  }

  status draw_unpacked(std::size_t number, char* data, std::size_t capacity, std::size_t& count) {
    stage& own = stages_[number];
    own.buffers.output = data;
    own.buffers.output_bytes = capacity;
    for (;;) {
      if (const char* const wrong = own.decoder->decode(own.buffers); wrong != nullptr)
        return damaged(std::string("is damaged: ") + wrong);
      count = capacity - own.buffers.output_bytes;
      if (count > 0 || capacity == 0) return {};
      if (own.has_ended) return own.decoder->complete() ? status() : damaged("is cut short");
      if (own.buffers.input_bytes > 0) continue;
      const auto most = static_cast<std::size_t>(block_bytes);
      own.buffers.input = own.packed.data();
      if (status s = draw(number, own.packed.data(), most, own.buffers.input_bytes); !s.ok())
        return s;
      own.has_ended = own.buffers.input_bytes == 0;
    }
  }

  status damaged(const std::string& what) const {
    return status::failure(stat_code::compression_damaged, chunk_ + " " + what)
        .advise("restore the file from a copy");
  }
  status wrong_checksum(const std::string& expected, const std::string& found) const {
    return status::failure(stat_code::checksum_mismatch,
                           chunk_ + " is not what was written: its crc32c is wrong")
        .expected(expected, found)
        .advise("restore the file from a copy; the disk or the network may be faulty");
  }

  std::string chunk_;
  const positioned_file& file_;
  std::int64_t at_;
  std::int64_t end_;
  std::int64_t left_;          // plain bytes
  std::vector<stage> stages_;  // the last codec's first
};

constexpr std::uint64_t no_chunk = std::numeric_limits<std::uint64_t>::max();

// The places of a grid of such extents that a box touches.
box places_of(const box& part, const index_list& extents) noexcept {
  box places = part;
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.array_rank); ++d) {
    places.start[d] = part.start[d] / extents[d];
    places.count[d] = (part.start[d] + part.count[d] - 1) / extents[d] - places.start[d] + 1;
  }
  return places;
}

class block_reader {
 public:
  block_reader(const chunk_files& from, timeline& line)
      : from_(from), array_(from.array), grid_(from.grid), line_(line) {
    for (const int dimension : array_.order)  // without that of the steps
      if (dimension < grid_.array_rank) order_.push_back(static_cast<std::size_t>(dimension));
  }

  status read(const array_view& local, const box& own) {
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

 private:
  // Lists, boxes and views with the dimensions as they are in a file: the fastest first.
  template <class List>
  List as_stored(const List& list) const {
    List stored{};
    for (std::size_t d = 0; d < order_.size(); ++d) stored[d] = list[order_[d]];
    return stored;
  }
  box as_stored(const box& part) const {
    return {part.array_rank, as_stored(part.start), as_stored(part.count)};
  }
  array_view as_stored(array_view local) const {
    local.extent = as_stored(local.extent);
    local.stride = as_stored(local.stride);
    return local;
  }

  status open_file(const index_list& file) {
    const auto during = line_.during(HR_PHASE_OPEN);
    file_ = from_.make_file();
    name_ = from_.name_of(file);
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

  status read_index() {
    const auto places = static_cast<std::size_t>(grid_.index_places());
    std::string text(16 * places + (array_.index_checked ? 4 : 0), '\0');
    const auto bytes = static_cast<std::int64_t>(text.size());
    if (bytes > file_bytes_)
      return status::failure(stat_code::file_size_mismatch, "the shard is shorter than its index")
          .expected(bytes_text(text.size()) + " or more",
                    bytes_text(static_cast<std::uint64_t>(file_bytes_)));
    const std::int64_t begin = array_.index_at_end ? file_bytes_ - bytes : 0;
    if (status s = file_->read_at(begin, text.data(), bytes); !s.ok()) return s;
    if (array_.index_checked &&
        stored_crc(text.data() + 16 * places) != crc32c(0, text.data(), 16 * places))
      return status::failure(stat_code::checksum_mismatch,
                             "the index of the shard is damaged: its crc32c is wrong")
          .advise("restore the file from a copy");
    index_.resize(2 * places);
    swap_bytes(reinterpret_cast<char*>(index_.data()), text.data(),
               array_.index_swapped ? 2 * places : 16 * places, array_.index_swapped ? 8 : 1);
    return {};
  }

  status missing(const box& chunk) const {
    return status::failure(stat_code::chunk_missing,
                           "the chunk " + text_of(chunk) + " of the array is gone")
        .in_file(name_)
        .advise("copy the store again with all its files, or restore this one");
  }

  // bytes 0: there is no such chunk.
  status find_chunk(const index_list& chunk, std::int64_t& offset, std::int64_t& bytes) const {
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

  status read_file(const index_list& file, const array_view& local, const box& own) {
    const auto during = line_.during(HR_PHASE_TRANSFER);
    return for_each_place(intersection(grid_.chunks_of(file), places_of(own, grid_.chunk)),
                          [&](const index_list& chunk) { return read_chunk(chunk, local, own); });
  }

  status read_chunk(const index_list& chunk, const array_view& local, const box& own) {
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
    } else if (bytes != from_.chunk_bytes()) {
      result = status::failure(
                   stat_code::file_size_mismatch,
                   "the chunk " + text_of(part) + " does not have the size that it should have")
                   .expected(bytes_text(static_cast<std::uint64_t>(from_.chunk_bytes())),
                             bytes_text(static_cast<std::uint64_t>(bytes)))
                   .advise("check that the file was written and copied whole");
    } else {
      result = read_plain(offset, as_stored(part), as_stored(local), as_stored(own));
    }
    return std::move(result).in_file_once(name_);
  }

  element_form form_in_file(const array_view& local) const noexcept {
    return form_of(local).with_words_swapped(array_.swapped ? array_.type.word_bytes() : 0);
  }

  // chunk, own and local as stored; part not.
  status read_plain(std::int64_t offset, const box& chunk, const array_view& local,
                    const box& own) {
    const auto bytes = static_cast<std::int64_t>(array_.type.bytes);
    return read_common({chunk, 0, volume(chunk), 0}, local, own, form_in_file(local), window_,
                       [&](std::int64_t first, char* data, std::int64_t count) {
                         return file_->read_at(offset + first * bytes, data, count * bytes);
                       });
  }

  status read_coded(std::int64_t offset, std::int64_t bytes, const box& part,
                    const array_view& local, const box& own) {
    chunk_decoder decoder("the chunk " + text_of(part), *file_, offset, bytes, from_.chunk_bytes());
    const box chunk = as_stored(part);
    const auto element = static_cast<std::int64_t>(array_.type.bytes);
    status result = decoder.open(array_.codecs);
    const element_form form = form_in_file(local);
    const bool as_it_is =
        chunk == own && is_contiguous(local) && form.is_plain(first_stride(local));
    if (as_it_is && result.ok()) result = decoder.read(local.base, from_.chunk_bytes());
    const std::int64_t most = std::max<std::int64_t>(1, block_bytes / element);
    if (!as_it_is) window_.reserve(static_cast<std::size_t>(most * element));
    for (std::int64_t first = 0; !as_it_is && result.ok() && first < volume(chunk); first += most) {
      const piece range{chunk, first, std::min(first + most, volume(chunk)), 0};
      result = decoder.read(window_.data(), (range.last - range.first) * element);
      if (result.ok()) copy_common(direction::in, range, local, own, form, window_.data());
    }
    if (result.ok()) result = decoder.finish();
    return result;
  }

  void fill(const box& chunk, const array_view& local, const box& own) const {
    const element_form form = form_of(local);
    const piece whole{chunk, 0, volume(chunk), 0};
    for_each_common_line(whole, own, 0, [&](const piece_line& line) {
      char* to = address_of(local, own, line.begin);
      for (std::int64_t i = 0; i < line.count; ++i, to += first_stride(local))
        form.load(to, first_stride(local), array_.fill.data(), 1);
    });
  }

  const chunk_files& from_;
  const array_document& array_;
  const chunk_grid& grid_;
  timeline& line_;
  std::vector<std::size_t> order_;
  std::unique_ptr<positioned_file> file_;  // null: it is missing
  std::string name_;
  std::int64_t file_bytes_ = 0;
  std::vector<std::uint64_t> index_;  // offset and length of each chunk of the shard
  buffer window_;
};

}  // namespace

status read_block(const chunk_files& from, const array_view& local, const box& own,
                  timeline& line) {
  return block_reader(from, line).read(local, own);
}

}  // namespace headrace::zarr
