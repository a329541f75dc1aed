#include "kept_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "../move/lines.hpp"
#include "attribute_failures.hpp"

namespace headrace {
namespace {

std::size_t block_bytes(const kept_array& one, int rank) noexcept {
  return static_cast<std::size_t>(volume(one.layout->block(rank))) * one.entry.array->elem_len;
}

std::size_t whole_bytes(const kept_array& one) noexcept {
  return static_cast<std::size_t>(volume(one.layout->global())) * one.entry.array->elem_len;
}

std::size_t place_of(int rank) noexcept {
  return static_cast<std::size_t>(rank);
}

void add_number(std::uint64_t& digest, std::uint64_t number) noexcept {
  digest = (digest ^ number) * 0x9E3779B97F4A7C15U;
  digest ^= digest >> 32U;
}

void add_text(std::uint64_t& digest, std::string_view text) noexcept {
  add_number(digest, text.size());
  for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
    add_number(digest, word);
  }
}

// Where each MPI rank's bytes begin, one's after another's.
void add_up(const std::vector<int>& counts, std::vector<int>& places) noexcept {
  int place = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    places[rank] = place;
    place += counts[rank];
  }
}

}  // namespace

std::string text_of(const kept_array& one) {
  const bool has_step = one.entry.step >= 0;
  return one.entry.array->name + ": " + kind_text(one.entry.array->type, one.memory_len) + " " +
         text_of(one.layout->global()) + ", step " +
         (has_step ? std::to_string(one.entry.step_number()) : "none") + ", dimensions " +
         one.dimensions;
}

std::uint64_t digest_of(const kept_array& one, std::uint64_t before) noexcept {
  const box& global = one.layout->global();
  const bool has_step = one.entry.step >= 0;
  std::uint64_t digest = before;
  add_text(digest, one.entry.array->name);
  add_text(digest, one.dimensions);
  add_number(digest, static_cast<std::uint64_t>(one.entry.array->type) << 32U ^ one.memory_len);
  add_number(digest, static_cast<std::uint64_t>(global.array_rank) << 1U ^ (has_step ? 1U : 0U));
  for (std::size_t d = 0; d < static_cast<std::size_t>(global.array_rank); ++d)
    add_number(digest, static_cast<std::uint64_t>(global.count[d]));
  if (has_step) add_number(digest, static_cast<std::uint64_t>(one.entry.step_number()));
  return digest;
}

std::string kept_arrays::text() const {
  std::string all;
  for (const kept_array& one : arrays_) all += text_of(one) + "\n";
  return all;
}

bool kept_arrays::fits(const array_layout& layout, std::int64_t file_bytes,
                       const parallel_settings& settings) noexcept {
  return settings.pattern != write_pattern::shared_independent &&
         settings.hints.count("cb_nodes") == 0 && settings.hints.count("cb_buffer_size") == 0 &&
         volume(layout.global()) <= most_array_bytes / file_bytes;
}

void kept_arrays::keep(kept_array&& one, const array_view& local) {
  const element_form form = form_of(local);
  const std::size_t bytes = static_cast<std::size_t>(volume(one.layout->own())) * form.file_bytes;
  if (packed_.capacity() < used_ + bytes)
    packed_.reserve(std::max(4 * packed_.capacity(), used_ + bytes), used_);
  arrays_.reserve(most_calls);
  if (bytes > 0) store_elements(local, form, packed_.data() + used_);
  one.at = used_;
  digest_ = digest_of(one, digest_);
  arrays_.push_back(std::move(one));
  used_ += bytes;
}

void kept_arrays::clear() noexcept {
  arrays_.clear();
  digest_ = 0;
  used_ = 0;
  calls_ = 0;
  bytes_ = 0;
}

array_view kept_arrays::view_of(const kept_array& one) noexcept {
  const described_array& array = *one.entry.array;
  return view_of_whole(packed_.data() + one.at, array.type, array.elem_len, one.layout->own());
}

kept_delivery::kept_delivery(kept_arrays& kept, const communicator& comm, std::vector<int> owners)
    : kept_(kept),
      comm_(comm),
      owners_(std::move(owners)),
      sorted_(kept.room().sorted),
      gathered_(kept.room().gathered),
      whole_(kept.room().whole) {
  const auto ranks = place_of(comm.size());
  for (std::vector<int>* counts : {&sent_, &sent_at_, &got_, &got_at_}) counts->assign(ranks, 0);
  count_bytes();
  if (comm_.size() == 1) return;
  gathered_.reserve(static_cast<std::size_t>(std::accumulate(got_.begin(), got_.end(), 0)));
  if (owners_.empty()) return;
  sorted_.reserve(static_cast<std::size_t>(std::accumulate(sent_.begin(), sent_.end(), 0)));
}

void kept_delivery::count_bytes() {
  std::size_t largest = 0;
  for (std::size_t i = 0; i < kept_.all().size(); ++i) {
    const kept_array& one = kept_.all()[i];
    if (owner_of(i) == nobody) continue;
    sent_[place_of(owner_of(i))] += static_cast<int>(block_bytes(one, comm_.rank()));
    if (!is_mine(i)) continue;
    largest = std::max(largest, whole_bytes(one));
    for (int rank = 0; rank < comm_.size(); ++rank)
      got_[place_of(rank)] += static_cast<int>(block_bytes(one, rank));
  }
  add_up(sent_, sent_at_);
  add_up(got_, got_at_);
  whole_.reserve(largest);
}

void kept_delivery::sort_by_owner() {
  std::vector<int>& next = sent_at_;
  for (std::size_t i = 0; i < kept_.all().size(); ++i) {
    const kept_array& one = kept_.all()[i];
    if (owner_of(i) == nobody) continue;
    const std::size_t bytes = block_bytes(one, comm_.rank());
    int& place = next[place_of(owner_of(i))];
    if (bytes > 0) std::memcpy(sorted_.data() + place, kept_.packed() + one.at, bytes);
    place += static_cast<int>(bytes);
  }
  add_up(sent_, sent_at_);
}

void kept_delivery::exchange(timeline& line) noexcept {
  const auto during = line.during(HR_PHASE_EXCHANGE);
  if (comm_.size() == 1) return;
  if (owners_.empty()) {
    gather(comm_, kept_.packed(), sent_[0], MPI_BYTE, gathered_.data(), got_.data(),
           got_at_.data());
    return;
  }
  sort_by_owner();
  exchange_all(comm_, sorted_.data(), sent_.data(), sent_at_.data(), gathered_.data(), got_.data(),
               got_at_.data());
}

char* kept_delivery::next_whole(std::size_t number) noexcept {
  const kept_array& one = kept_.all()[number];
  if (comm_.size() == 1) return kept_.packed() + one.at;
  const piece everything{one.layout->global(), 0, volume(one.layout->global()), 0};
  const element_form form{one.entry.array->elem_len, one.entry.array->elem_len};
  for (int rank = 0; rank < comm_.size(); ++rank) {
    pack_common(direction::in, everything, one.layout->block(rank), form, whole_.data(),
                gathered_.data() + got_at_[place_of(rank)]);
    got_at_[place_of(rank)] += static_cast<int>(block_bytes(one, rank));
  }
  return whole_.data();
}

}  // namespace headrace
