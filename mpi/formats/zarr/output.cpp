#include "output.hpp"

#include <algorithm>
#include <limits>

#include "../../../src/core/crc32c.hpp"

namespace headrace {
namespace {

bool has_known_size(const std::vector<zarr_codec>& codecs) {
  return std::find(codecs.begin(), codecs.end(), zarr_codec::zstd) == codecs.end();
}

void put_little(std::uint64_t number, int bytes, std::string& text) {
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFFU);
}

}  // namespace

zarr_output::zarr_output(const zarr_destination& to, std::vector<written_file>& written)
    : to_(to),
      written_(written),
      sizes_known_(has_known_size(to.array.codecs)),
      known_bytes_(to.array.chunk_bytes() + 4 * static_cast<std::int64_t>(to.array.codecs.size())),
      encoder_(to.array.codecs) {}

std::string zarr_output::name_of(const index_list& place) const {
  const index_list file = to_.grid.shard_of(place);
  std::vector<std::int64_t> key(file.begin(), file.begin() + to_.grid.array_rank);
  if (to_.state >= 0) key.push_back(to_.state);
  return to_.directory + "/" + to_.array.key_of(key);
}

status zarr_output::open(const std::string& name, bool is_shared) {
  if (file_ != nullptr && name == name_) return {};
  if (status s = close(); !s.ok()) return s;
  name_ = name;
  end_ = 0;
  index_.clear();
  writes_index_ = false;
  file_ = to_.make_file();
  return is_shared ? file_->create_or_open(name) : file_->create(name);
}

// All chunks have the same size: each has its place before it is written, and the MPI rank of the
// first one writes the index.
void zarr_output::learn_known_index(const index_list& shard) {
  const chunk_grid& grid = to_.grid;
  box chunks;
  chunks.array_rank = grid.array_rank;
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.array_rank); ++d) {
    chunks.start[d] = shard[d] * grid.shard[d];
    chunks.count[d] =
        std::min(grid.shard[d], grid.chunks_along(static_cast<int>(d)) - chunks.start[d]);
  }
  for (std::int64_t slot = 0; slot < volume(chunks); ++slot) {
    index_list place = chunks.start;
    std::int64_t rest = slot;
    for (std::size_t d = 0; d < static_cast<std::size_t>(grid.array_rank); ++d) {
      place[d] += rest % chunks.count[d];
      rest /= chunks.count[d];
    }
    index_.push_back({grid.index_place_of(place), slot * known_bytes_, known_bytes_});
  }
  end_ = volume(chunks) * known_bytes_;
}

status zarr_output::begin(std::int64_t chunk) {
  place_ = to_.grid.place_of(chunk);
  const bool several = to_.grid.sharded && sizes_known_;
  if (status s = open(name_of(place_), several); !s.ok()) return s;
  if (!to_.grid.sharded) return encoder_.begin(*file_, 0);
  const std::int64_t slot = to_.grid.slot_of(place_);
  if (slot == 0) writes_index_ = true;
  if (slot == 0 && sizes_known_) learn_known_index(to_.grid.shard_of(place_));
  return encoder_.begin(*file_, sizes_known_ ? slot * known_bytes_ : end_);
}

status zarr_output::put(const char* data, std::int64_t bytes) {
  return encoder_.put(data, bytes);
}

status zarr_output::end() {
  std::int64_t bytes = 0;
  if (status s = encoder_.end(bytes); !s.ok()) return s;
  if (!to_.grid.sharded) {
    written_.push_back({name_, bytes});
    return close();
  }
  if (sizes_known_) return {};
  index_.push_back({to_.grid.index_place_of(place_), end_, bytes});
  end_ += bytes;
  return {};
}

status zarr_output::write_index() {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  const auto places = static_cast<std::size_t>(to_.grid.index_places());
  std::vector<std::uint64_t> numbers(2 * places, none);
  for (const index_entry& entry : index_) {
    numbers[2 * static_cast<std::size_t>(entry.place)] = static_cast<std::uint64_t>(entry.offset);
    numbers[2 * static_cast<std::size_t>(entry.place) + 1] =
        static_cast<std::uint64_t>(entry.bytes);
  }
  std::string text;
  text.reserve(8 * numbers.size() + 4);
  for (const std::uint64_t number : numbers) put_little(number, 8, text);
  put_little(crc32c(0, text.data(), text.size()), 4, text);
  written_.push_back({name_, end_ + static_cast<std::int64_t>(text.size())});
  return file_->write_at(end_, text.data(), static_cast<std::int64_t>(text.size()));
}

status zarr_output::close() {
  if (file_ == nullptr) return {};
  status result = writes_index_ ? write_index() : status();
  if (result.ok() && to_.sync) result = file_->sync();
  if (status closed = file_->close(); result.ok()) result = std::move(closed);
  file_.reset();
  writes_index_ = false;
  return result;
}

}  // namespace headrace
