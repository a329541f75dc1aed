#include "placed_array.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "../../src/core/array_info.hpp"
#include "../../src/core/buffer.hpp"
#include "../../src/core/byte_swap.hpp"
#include "lines.hpp"
#include "plans.hpp"

namespace headrace {
namespace {

// Of which each MPI rank reads its own elements, with one call.
constexpr std::int64_t small_array_bytes = std::int64_t{64} << 10;

piece everything(const array_layout& layout) {
  return {layout.global(), 0, volume(layout.global()), 0};
}

// Elements [first, first + count), in as many calls as there are segments.
status move_elements(direction way, const positioned_file& file, const stored_place& where,
                     std::int64_t first, char* data, std::int64_t count, const element_form& form) {
  auto at = std::upper_bound(
      where.segments.begin(), where.segments.end(), first,
      [](std::int64_t element, const file_segment& one) { return element < one.last; });
  const auto bytes = static_cast<std::int64_t>(form.file_bytes);
  const std::int64_t last = first + count;
  for (status done; at != where.segments.end() && first < last; ++at) {
    const std::int64_t end = std::min(last, at->last);
    const std::int64_t byte = at->address + (first - at->first) * bytes;
    const std::int64_t length = (end - first) * bytes;
    done = way == direction::out ? file.write_at(byte, data, length)
                                 : file.read_at(byte, data, length);
    if (!done.ok()) return done;
    data += length;
    first = end;
  }
  return {};
}

// Each line of the block with a call of its own.
status write_lines(const positioned_file& file, const stored_place& where, const array_view& local,
                   const array_layout& layout, const element_form& form) {
  status result;
  buffer block;
  for_each_common_line(
      everything(layout), layout.own(), contiguous_dimensions(local), [&](const piece_line& part) {
        if (!result.ok()) return;
        const auto count = static_cast<std::size_t>(part.count);
        char* data = address_of(local, layout.own(), part.begin);
        if (!form.is_plain(first_stride(local))) {
          block.reserve(count * form.file_bytes);
          form.store(data, first_stride(local), block.data(), count);
          data = block.data();
        }
        result = move_elements(direction::out, file, where, part.at, data, part.count, form);
      });
  return result;
}

// Not collective: each MPI rank moves its own elements.
template <class Move>
status move_own(const array_layout& layout, const parallel_settings& settings,
                parallel_notes& notes, Move move) {
  notes.writers = layout.comm().size();
  notes.hints.learn(settings.hints, hint_list{});
  const auto during = notes.line.during(HR_PHASE_TRANSFER);
  return agree_on(layout.comm(), move);
}

struct shared_choice {
  std::unique_ptr<piece_plan> plan;
  hints_found hints;
  int writers = 0;
};

enum class plan_fit : int { no_memory, must_move, is_own };

// Collective. Who has which pieces, by the pattern and the hints cb_nodes (how many MPI ranks
// write, spread over the nodes) and cb_buffer_size (bytes of a piece). Without cb_nodes all if
// each has what it writes, or else as many as work at a time. One call tells all who has its
// pieces, and whether all have the memory.
status plan_placed(const array_layout& layout, const element_form& form,
                   const parallel_settings& settings, parallel_notes& notes,
                   std::unique_ptr<piece_plan>& made) {
  const communicator& comm = layout.comm();
  const std::int64_t bytes = hinted_piece_bytes(settings.hints);
  const auto choice_of = [&](std::int64_t writers) {
    shared_choice choice{nullptr, notes.hints, static_cast<int>(writers)};
    // What is swapped on its way should stay in the cache.
    choice.plan = make_shared_plan(layout, static_cast<std::int64_t>(form.file_bytes), bytes,
                                   choice.writers, form.swapped_word > 1 ? 0 : joined_bytes);
    choice.hints.learn(settings.hints, {{"cb_nodes", std::to_string(writers)},
                                        {"cb_buffer_size", std::to_string(bytes)}});
    return choice;
  };
  const bool is_serial = settings.pattern == write_pattern::serial;
  const std::int64_t asked = is_serial ? 1 : hinted_number(settings.hints, "cb_nodes", 0);
  // More than work at a time would wait for each other, and keep those that copy from work.
  const bool has_fewer = asked == 0 && comm.working_ranks() < comm.size();
  shared_choice chosen;
  shared_choice fewer;
  plan_fit fit = plan_fit::no_memory;
  const status mine = caught([&] {
    chosen = choice_of(asked > 0 ? std::min<std::int64_t>(asked, comm.size()) : comm.size());
    if (has_fewer) fewer = choice_of(comm.working_ranks());
    fit = own_pieces_are_here(layout, *chosen.plan) ? plan_fit::is_own : plan_fit::must_move;
    return status();
  });
  const int own = static_cast<int>(fit);
  int all = 0;
  reduce(comm, &own, &all, 1, MPI_INT, MPI_MIN);
  if (all == static_cast<int>(plan_fit::no_memory)) return agree(comm, mine);
  const bool is_own = all == static_cast<int>(plan_fit::is_own);
  if (!is_own && has_fewer) chosen = std::move(fewer);
  made = std::move(chosen.plan);
  made->all_are_own = is_own;
  notes.hints = std::move(chosen.hints);
  notes.writers = chosen.writers;
  return {};
}

// In C's order: that is Fortran's of the dimensions in reverse.
status read_reversed(const positioned_file& file, const stored_place& where,
                     const array_view& local, const array_layout& layout,
                     const parallel_settings& settings, parallel_notes& notes) {
  std::optional<array_layout> reversed;
  stored_place in_order;
  const status made = agree_on(layout.comm(), [&] {
    reversed.emplace(layout.reversed());
    in_order = {where.segments, where.swapped_word};
    return status();
  });
  if (!made.ok()) return made;
  return read_placed(file, in_order, with_reversed_dimensions(local), *reversed, settings, notes);
}

}  // namespace

status write_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                    const array_layout& layout, const parallel_settings& settings,
                    parallel_notes& notes) {
  const element_form form = form_of(local).with_words_swapped(where.swapped_word);
  if (settings.pattern == write_pattern::shared_independent)
    return move_own(layout, settings, notes,
                    [&] { return write_lines(file, where, local, layout, form); });
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_placed(layout, form, settings, notes, plan); !s.ok()) return s;
  return exchange_out(layout, local, form, *plan, notes.line,
                      [&](const piece& part, char* data, std::size_t) {
                        return move_elements(direction::out, file, where, part.first, data,
                                             part.last - part.first, form);
                      });
}

status read_placed(const positioned_file& file, const stored_place& where, const array_view& local,
                   const array_layout& layout, const parallel_settings& settings,
                   parallel_notes& notes) {
  if (where.last_index_fastest) return read_reversed(file, where, local, layout, settings, notes);
  const element_form form = form_of(local).with_words_swapped(where.swapped_word);
  const auto read = [&](std::int64_t first, char* data, std::int64_t count) {
    return move_elements(direction::in, file, where, first, data, count, form);
  };
  // The exchange would read the whole array, also what nobody wants; for a small one it has more
  // messages than there are calls.
  const bool is_small =
      settings.hints.empty() &&
      volume(layout.global()) <=
          small_array_bytes / std::max<std::int64_t>(1, static_cast<std::int64_t>(form.file_bytes));
  const bool each_its_own =
      settings.pattern != write_pattern::serial && (layout.is_part() || is_small);
  if (each_its_own || settings.pattern == write_pattern::shared_independent)
    return move_own(layout, settings, notes, [&] {
      buffer window;
      return read_common(everything(layout), local, layout.own(), form, window, read);
    });
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_placed(layout, form, settings, notes, plan); !s.ok()) return s;
  return exchange_in(layout, local, form, *plan, notes.line,
                     [&](const piece& part, char* data, std::size_t) {
                       return read(part.first, data, part.last - part.first);
                     });
}

status write_whole(const positioned_file& file, const stored_place& where, char* data,
                   const box& global, const element_form& form) {
  const auto bytes = static_cast<std::size_t>(volume(global)) * form.file_bytes;
  if (where.swapped_word > 1 && !form.logical)
    swap_bytes(data, data, bytes / where.swapped_word, where.swapped_word);
  return move_elements(direction::out, file, where, 0, data, volume(global), form);
}

}  // namespace headrace
