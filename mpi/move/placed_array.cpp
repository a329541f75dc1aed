#include "placed_array.hpp"

#include <algorithm>
#include <cstring>

#include "../../src/core/byte_swap.hpp"
#include "../together/node_meeting.hpp"
#include "lines.hpp"
#include "plans.hpp"

namespace headrace {
namespace {

// Calls move(byte in the file, place in data, bytes) for the part of a piece in each segment.
template <class Move>
status for_each_place(const std::vector<file_segment>& segments, std::int64_t first,
                      std::int64_t last, std::size_t elem_len, Move move) {
  auto at = std::upper_bound(
      segments.begin(), segments.end(), first,
      [](std::int64_t element, const file_segment& one) { return element < one.last; });
  const auto bytes = static_cast<std::int64_t>(elem_len);
  for (std::int64_t next = first; at != segments.end() && next < last; ++at) {
    const std::int64_t end = std::min(last, at->last);
    if (status s = move(at->address + (next - at->first) * bytes, (next - first) * bytes,
                        (end - next) * bytes);
        !s.ok())
      return s;
    next = end;
  }
  return {};
}

}  // namespace

status write_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                    const array_layout& layout, const parallel_settings& settings,
                    parallel_notes& notes) {
  if (where.segments.size() == 1)
    return write_shared({file, where.segments.front().address, where.swapped_word}, local, layout,
                        settings, notes);
  const element_form form = form_of(local).with_words_swapped(where.swapped_word);
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_array(layout, form, settings, notes, plan); !s.ok()) return s;
  return exchange_out(
      layout, local, form, *plan, notes.line, [&](const piece& part, char* data, std::size_t) {
        return for_each_place(where.segments, part.first, part.last, form.file_bytes,
                              [&](std::int64_t byte, std::int64_t at, std::int64_t bytes) {
                                return file.write_at(byte, data + at, bytes);
                              });
      });
}

status read_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                   const array_layout& layout, const parallel_settings& settings,
                   parallel_notes& notes) {
  if (where.segments.size() == 1)
    return read_shared({file, where.segments.front().address, where.swapped_word}, local, layout,
                       settings, notes);
  const element_form form = form_of(local).with_words_swapped(where.swapped_word);
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_array(layout, form, settings, notes, plan); !s.ok()) return s;
  return exchange_in(
      layout, local, form, *plan, notes.line, [&](const piece& part, char* data, std::size_t) {
        return for_each_place(where.segments, part.first, part.last, form.file_bytes,
                              [&](std::int64_t byte, std::int64_t at, std::int64_t bytes) {
                                return file.read_at(byte, data + at, bytes);
                              });
      });
}

status write_whole(const positioned_file& file, const stored_place& where, char* data,
                   const box& global, const element_form& form) {
  const auto bytes = static_cast<std::size_t>(volume(global)) * form.file_bytes;
  if (where.swapped_word > 1 && !form.logical)
    swap_bytes(data, data, bytes / where.swapped_word, where.swapped_word);
  return for_each_place(where.segments, 0, volume(global), form.file_bytes,
                        [&](std::int64_t byte, std::int64_t at, std::int64_t count) {
                          return file.write_at(byte, data + at, count);
                        });
}

void small_arrays::prepare(const communicator& comm) {
  own_.resize(most_bytes);
  if (comm.rank() != 0) return;
  gathered_.resize(most_bytes);
  whole_.resize(most_bytes);
  counts_.resize(static_cast<std::size_t>(comm.size()));
  places_.resize(static_cast<std::size_t>(comm.size()));
}

bool small_arrays::fits(const array_layout& layout, const element_form& form,
                        const parallel_settings& settings) noexcept {
  return layout.array_rank() > 0 && settings.pattern != write_pattern::shared_independent &&
         settings.hints.count("cb_nodes") == 0 && settings.hints.count("cb_buffer_size") == 0 &&
         volume(layout.global()) <= most_bytes / static_cast<std::int64_t>(form.file_bytes);
}

// Both are in element order.
void small_arrays::put(const char* block, const box& own, const array_layout& layout,
                       std::size_t elem_len) noexcept {
  const piece everything{layout.global(), 0, volume(layout.global()), 0};
  for_each_common_line(everything, own, own.array_rank, [&](const piece_line& line) {
    const std::size_t bytes = static_cast<std::size_t>(line.count) * elem_len;
    std::memcpy(whole_.data() + static_cast<std::size_t>(line.at) * elem_len, block, bytes);
    block += bytes;
  });
}

char* small_arrays::gather(const array_view& local, const array_layout& layout,
                           const element_form& form, timeline& line) noexcept {
  const auto during = line.during(HR_PHASE_EXCHANGE);
  const communicator& comm = layout.comm();
  const auto bytes_of = [&](int rank) {
    return static_cast<std::size_t>(volume(layout.block(rank))) * form.file_bytes;
  };
  const bool is_root = comm.rank() == 0;
  std::size_t largest = 0;
  for (int rank = 0; rank < comm.size(); ++rank) largest = std::max(largest, bytes_of(rank));
  if (bytes_of(comm.rank()) > 0) store_elements(local, form, own_.data());
  if (comm.size() == 1) return own_.data();
  node_meeting* const meeting = comm.meeting();
  if (meeting != nullptr && largest <= node_meeting::most_bytes) {
    meeting->meet(comm, own_.data(), bytes_of(comm.rank()));
    for (int rank = 0; is_root && rank < comm.size(); ++rank)
      put(meeting->of(rank), layout.block(rank), layout, form.file_bytes);
    return whole_.data();
  }
  for (int rank = 0, place = 0; is_root && rank < comm.size(); ++rank) {
    counts_[static_cast<std::size_t>(rank)] = static_cast<int>(bytes_of(rank));
    places_[static_cast<std::size_t>(rank)] = place;
    place += static_cast<int>(bytes_of(rank));
  }
  headrace::gather(comm, own_.data(), static_cast<int>(bytes_of(comm.rank())), MPI_BYTE,
                   gathered_.data(), counts_.data(), places_.data());
  for (int rank = 0; is_root && rank < comm.size(); ++rank)
    put(gathered_.data() + places_[static_cast<std::size_t>(rank)], layout.block(rank), layout,
        form.file_bytes);
  return whole_.data();
}

}  // namespace headrace
