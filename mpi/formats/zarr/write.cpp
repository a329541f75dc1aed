// Writes the chunks of a spread array: compressed, checked, in their place in a file or a shard.
#include "files.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <utility>

#include "../../../src/core/buffer.hpp"
#include "../../../src/core/codecs.hpp"
#include "../../../src/core/crc32c.hpp"
#include "../../disk/library_files.hpp"

namespace headrace::zarr {
namespace {

constexpr std::size_t compressed_block = std::size_t{1} << 20;

void put_little(std::uint64_t number, int bytes, std::string& text) {
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFFU);
}

// The chunks that this MPI rank writes of one array: which file, where in it, and the index of a
// shard. Nothing here is collective.
class chunk_output {
 public:
  // written receives the files whose size this MPI rank answers for.
  chunk_output(const chunk_files& to, std::vector<written_file>& written)
      : to_(to), written_(written) {
    for (const byte_codec codec : to.array.codecs)
      (codec == byte_codec::crc32c ? checks_ : compresses_) = true;
    known_bytes_ = to.chunk_bytes() + 4 * static_cast<std::int64_t>(to.array.codecs.size());
  }

  // The file of a chunk, in a directory that is made if it is not there.
  status open(std::int64_t chunk) {
    const std::string name = to_.name_of(to_.grid.shard_of(to_.grid.place_of(chunk)));
    if (file_ != nullptr && name == name_) return {};
    if (status s = close(); !s.ok()) return s;
    name_ = name;
    end_ = 0;
    index_.clear();
    std::unique_ptr<positioned_file> file = to_.make_file();
    status made = file->create(name);
    if (made.code() == ENOENT) {
      if (status s = make_directory(to_.directory); !s.ok()) return s;
      made = file->create(name);
    }
    // Several MPI ranks write a shard, and the first one makes it.
    const bool is_shared = to_.grid.sharded && !compresses_;
    if (is_shared && made.code() == EEXIST) made = file->open_to_write(name);
    if (!made.ok()) return made;
    if (is_shared && is_local_file_system(name)) file->take_turns();
    file_ = std::move(file);
    return {};
  }

  // One chunk after another, those of a shard without others between them.
  status begin(std::int64_t chunk) {
    if (status s = open(chunk); !s.ok()) return s;
    place_ = to_.grid.place_of(chunk);
    begin_ = 0;
    if (to_.grid.sharded) {
      const std::int64_t slot = to_.grid.slot_of(place_);
      if (slot == 0) begin_index();
      begin_ = compresses_ ? end_ : slot * known_bytes_;
    }
    at_ = begin_;
    crc_ = 0;
    if (!compresses_) return {};
    compressor_ = make_zstd_encoder(zstd_level, 1);
    if (compressor_ == nullptr) return no_memory();
    compressed_.reserve(compressed_block);
    return {};
  }

  status put(const char* data, std::int64_t bytes) {
    return compresses_ ? compress(data, bytes, false) : store(data, bytes);
  }

  status end() {
    if (compresses_)
      if (status s = compress(nullptr, 0, true); !s.ok()) return s;
    compressor_.reset();
    if (checks_) {
      std::string checksum;
      put_little(crc_, 4, checksum);
      if (status s = file_->write_at(at_, checksum.data(), 4); !s.ok()) return s;
      at_ += 4;
    }
    const std::int64_t bytes = at_ - begin_;
    if (!to_.grid.sharded) written_.push_back({name_, bytes});
    if (!to_.grid.sharded || !compresses_) return {};
    enter(place_, begin_, bytes);
    end_ = at_;
    return {};
  }

  status close() {
    if (file_ == nullptr) return {};
    status result = index_.empty() ? status() : write_index();
    if (to_.sync && result.ok()) result = file_->sync();
    result.keep_first(file_->close());
    file_.reset();
    index_.clear();
    return result;
  }

 private:
  void enter(const index_list& place, std::int64_t offset, std::int64_t bytes) {
    const auto at = 2 * static_cast<std::size_t>(to_.grid.index_place_of(place));
    index_[at] = static_cast<std::uint64_t>(offset);
    index_[at + 1] = static_cast<std::uint64_t>(bytes);
  }

  // The MPI rank of the first chunk writes the index. If all chunks have the same size, each has
  // its place before it is written.
  void begin_index() {
    constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    index_.assign(2 * static_cast<std::size_t>(to_.grid.index_places()), none);
    if (compresses_) return;
    const box chunks = to_.grid.chunks_of(to_.grid.shard_of(place_));
    for (std::int64_t slot = 0; slot < volume(chunks); ++slot, end_ += known_bytes_)
      enter(place_in(chunks, slot), end_, known_bytes_);
  }

  status store(const char* data, std::int64_t bytes) {
    const std::int64_t most = checks_ ? checked_block : bytes;
    while (bytes > 0) {
      const std::int64_t block = std::min(bytes, most);
      if (status s = file_->write_at(at_, data, block); !s.ok()) return s;
      if (checks_) crc_ = crc32c(crc_, data, static_cast<std::size_t>(block));
      at_ += block;
      data += block;
      bytes -= block;
    }
    return {};
  }

  status compress(const char* data, std::int64_t bytes, bool last) {
    codec_buffers buffers;
    buffers.input = data;
    buffers.input_bytes = static_cast<std::size_t>(bytes);
    for (bool finished = false; last ? !finished : buffers.input_bytes > 0;) {
      buffers.output = compressed_.data();
      buffers.output_bytes = compressed_block;
      if (const char* const wrong = compressor_->encode(buffers, last, finished); wrong != nullptr)
        return status::failure(stat_code::library_failed, std::string("libzstd: ") + wrong);
      const auto ready = static_cast<std::int64_t>(compressed_block - buffers.output_bytes);
      if (status s = store(compressed_.data(), ready); !s.ok()) return s;
    }
    return {};
  }

  status write_index() {
    std::string text;
    text.reserve(8 * index_.size() + 4);
    for (const std::uint64_t number : index_) put_little(number, 8, text);
    put_little(crc32c(0, text.data(), text.size()), 4, text);
    written_.push_back({name_, end_ + static_cast<std::int64_t>(text.size())});
    return file_->write_at(end_, text.data(), static_cast<std::int64_t>(text.size()));
  }

  const chunk_files& to_;
  std::vector<written_file>& written_;
  bool checks_ = false;
  bool compresses_ = false;       // so that sizes are not known before
  std::int64_t known_bytes_ = 0;  // of a chunk in a file, if sizes are known
  std::unique_ptr<positioned_file> file_;
  std::string name_;
  index_list place_{};      // of the chunk
  std::int64_t begin_ = 0;  // of the chunk in the file
  std::int64_t at_ = 0;
  std::uint32_t crc_ = 0;
  std::unique_ptr<stream_encoder> compressor_;
  buffer compressed_;
  std::vector<std::uint64_t> index_;  // offset and length of each chunk; empty: others write it
  std::int64_t end_ = 0;              // of the data in a shard
};

}  // namespace

std::string chunk_files::name_of(const index_list& file) const {
  std::vector<std::int64_t> key(file.begin(), file.begin() + grid.array_rank);
  if (state >= 0) key.push_back(state);
  return directory + "/" + array.key_of(key);
}

status write_only_chunk(const chunk_files& to, const char* data,
                        std::vector<written_file>& written) {
  chunk_output output(to, written);
  if (status s = output.begin(0); !s.ok()) return s;
  if (status s = output.put(data, to.chunk_bytes()); !s.ok()) return s;
  if (status s = output.end(); !s.ok()) return s;
  return output.close();
}

status write_chunks(const chunk_files& to, const write_plan& plan, const array_view& local,
                    const array_layout& layout, timeline& line,
                    std::vector<written_file>& written) {
  chunk_output output(to, written);
  const auto chunk_of = [&](const piece& part) {
    return plan.order[static_cast<std::size_t>(part.target)];
  };
  // A failure comes again, and is told, when the chunk begins.
  if (const piece first = plan.pieces->at(layout.comm().rank(), 0); first.first < first.last) {
    const auto during = line.during(HR_PHASE_OPEN);
    static_cast<void>(caught([&] { return output.open(chunk_of(first)); }));
  }
  const auto take = [&](const piece& part, char* data, std::size_t bytes) -> status {
    if (part.first == 0)
      if (status s = output.begin(chunk_of(part)); !s.ok()) return s;
    if (status s = output.put(data, static_cast<std::int64_t>(bytes)); !s.ok()) return s;
    return part.last == volume(part.of) ? output.end() : status();
  };
  const auto move = *plan.pieces->all_are_own ? pass_own_out : exchange_out;
  status result = move(layout, local, form_of(local), *plan.pieces, line, take);
  if (!result.ok()) return result;
  const auto during = line.during(HR_PHASE_CLOSE);
  return output.close();
}

}  // namespace headrace::zarr
