#include "shared_array.hpp"

#include <algorithm>
#include <cstdlib>

#include "../../src/core/buffer.hpp"
#include "lines.hpp"
#include "plans.hpp"

namespace headrace {
namespace {

// Of the file, when lines are short: one call for many of them.
constexpr std::int64_t window_bytes = std::int64_t{4} << 20;
// A file system that lets one MPI rank at a time write to a file hands it over at each call: on
// tmpfs 1 MiB a call cost 10 % of what two MPI ranks wrote without an exchange.
constexpr std::int64_t joined_bytes = std::int64_t{64} << 20;
// Of which each MPI rank reads its own elements, with one call.
constexpr std::int64_t small_array_bytes = std::int64_t{64} << 10;
// A gap beyond that is not worth reading.
constexpr std::int64_t widest_gap = std::int64_t{128} << 10;

std::int64_t number_of(const hint_list& hints, const char* name, std::int64_t otherwise) {
  const auto found = hints.find(name);
  if (found == hints.end()) return otherwise;
  char* end = nullptr;
  const long long value = std::strtoll(found->second.c_str(), &end, 10);
  return end != found->second.c_str() && *end == '\0' && value > 0 ? value : otherwise;
}

std::ptrdiff_t first_stride(const array_view& local) noexcept {
  return local.array_rank == 0 ? static_cast<std::ptrdiff_t>(local.elem_len) : local.stride[0];
}

piece everything(const array_layout& layout) {
  return {layout.global(), 0, volume(layout.global()), 0};
}

// Each line of the block with a call of its own.
status write_lines(const shared_array& stored, const array_view& local, const array_layout& layout,
                   const element_form& form, timeline& line) {
  const auto during = line.during(HR_PHASE_TRANSFER);
  const auto file_bytes = static_cast<std::int64_t>(form.file_bytes);
  status result;
  buffer block;
  for_each_common_line(
      everything(layout), layout.own(), contiguous_dimensions(local), [&](const piece_line& part) {
        if (!result.ok()) return;
        char* data = address_of(local, layout.own(), part.begin);
        if (!form.is_plain(first_stride(local))) {
          block.reserve(static_cast<std::size_t>(part.count * file_bytes));
          form.store(data, first_stride(local), block.data(), static_cast<std::size_t>(part.count));
          data = block.data();
        }
        result = stored.file.write_at(stored.offset + part.at * file_bytes, data,
                                      part.count * file_bytes);
      });
  return result;
}

// Reads lines that lie close together with one call.
class line_reader {
 public:
  line_reader(const shared_array& stored, const array_view& local, const array_layout& layout,
              const element_form& form)
      : stored_(stored), local_(local), layout_(layout), form_(form) {}

  status add(const piece_line& part) {
    const std::int64_t begin = part.at * bytes();
    const std::int64_t end = begin + part.count * bytes();
    const bool far = !lines_.empty() && (begin - end_ > widest_gap || end - begin_ > window_bytes);
    status result;
    if (far) result = flush();
    if (!result.ok()) return result;
    if (lines_.empty() && end - begin >= window_bytes / 2) return read_long(part);
    if (lines_.empty()) begin_ = begin;
    end_ = end;
    lines_.push_back(part);
    return {};
  }

  status flush() {
    if (lines_.empty()) return {};
    window_.reserve(static_cast<std::size_t>(end_ - begin_));
    status result = stored_.file.read_at(stored_.offset + begin_, window_.data(), end_ - begin_);
    for (const piece_line& part : lines_)
      if (result.ok()) keep(part, window_.data() + (part.at * bytes() - begin_));
    lines_.clear();
    return result;
  }

 private:
  std::int64_t bytes() const noexcept { return static_cast<std::int64_t>(form_.file_bytes); }

  void keep(const piece_line& part, const char* data) {
    const auto count = static_cast<std::size_t>(part.count);
    form_.load(address_of(local_, layout_.own(), part.begin), first_stride(local_), data, count);
  }

  // In parts of a window; straight to where it belongs if it can stay as it is.
  status read_long(const piece_line& part) {
    const bool direct = form_.is_plain(first_stride(local_));
    char* const to = address_of(local_, layout_.own(), part.begin);
    if (direct)
      return stored_.file.read_at(stored_.offset + part.at * bytes(), to, part.count * bytes());
    const std::int64_t most = std::max<std::int64_t>(1, window_bytes / bytes());
    window_.reserve(static_cast<std::size_t>(std::min(most, part.count) * bytes()));
    for (std::int64_t done = 0; done < part.count; done += most) {
      const std::int64_t count = std::min(most, part.count - done);
      if (status s = stored_.file.read_at(stored_.offset + (part.at + done) * bytes(),
                                          window_.data(), count * bytes());
          !s.ok())
        return s;
      form_.load(to + done * first_stride(local_), first_stride(local_), window_.data(),
                 static_cast<std::size_t>(count));
    }
    return {};
  }

  const shared_array& stored_;
  const array_view& local_;
  const array_layout& layout_;
  const element_form& form_;
  std::int64_t begin_ = 0;  // of the window, bytes from the first element
  std::int64_t end_ = 0;
  std::vector<piece_line> lines_;
  buffer window_;
};

status read_lines(const shared_array& stored, const array_view& local, const array_layout& layout,
                  const element_form& form, timeline& line) {
  const auto during = line.during(HR_PHASE_TRANSFER);
  line_reader reader(stored, local, layout, form);
  status result;
  for_each_common_line(everything(layout), layout.own(), contiguous_dimensions(local),
                       [&](const piece_line& part) {
                         if (result.ok()) result = reader.add(part);
                       });
  if (result.ok()) result = reader.flush();
  return result;
}

}  // namespace

namespace {

struct shared_choice {
  std::unique_ptr<piece_plan> plan;
  hints_found hints;
  int writers = 0;
};

enum class plan_fit : int { no_memory, must_move, is_own };

}  // namespace

// One call tells all who has its pieces, and whether all have the memory.
status plan_shared_array(const array_layout& layout, const element_form& form,
                         const parallel_settings& settings, parallel_notes& notes,
                         std::unique_ptr<piece_plan>& made) {
  const communicator& comm = layout.comm();
  const std::int64_t bytes =
      std::clamp<std::int64_t>(number_of(settings.hints, "cb_buffer_size", default_piece_bytes),
                               4096, std::int64_t{8} << 20);
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
  const std::int64_t asked = is_serial ? 1 : number_of(settings.hints, "cb_nodes", 0);
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

status write_shared(const shared_array& stored, const array_view& local, const array_layout& layout,
                    const parallel_settings& settings, parallel_notes& notes) {
  const element_form form = form_of(local).with_words_swapped(stored.swapped_word);
  if (settings.pattern == write_pattern::shared_independent) {
    notes.writers = layout.comm().size();
    notes.hints.learn(settings.hints, hint_list{});
    return agree_on(layout.comm(),
                    [&] { return write_lines(stored, local, layout, form, notes.line); });
  }
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_array(layout, form, settings, notes, plan); !s.ok()) return s;
  return exchange_out(layout, local, form, *plan, notes.line,
                      [&](const piece& part, char* data, std::size_t bytes) {
                        const auto first = part.first * static_cast<std::int64_t>(form.file_bytes);
                        return stored.file.write_at(stored.offset + first, data,
                                                    static_cast<std::int64_t>(bytes));
                      });
}

status read_shared(const shared_array& stored, const array_view& local, const array_layout& layout,
                   const parallel_settings& settings, parallel_notes& notes) {
  const element_form form = form_of(local).with_words_swapped(stored.swapped_word);
  // The exchange would read the whole array, also what nobody wants; for a small one it has more
  // messages than there are calls.
  const bool is_small =
      settings.hints.empty() &&
      volume(layout.global()) <=
          small_array_bytes / std::max<std::int64_t>(1, static_cast<std::int64_t>(form.file_bytes));
  const bool each_its_own =
      settings.pattern != write_pattern::serial && (layout.is_part() || is_small);
  if (each_its_own || settings.pattern == write_pattern::shared_independent) {
    notes.writers = layout.comm().size();
    notes.hints.learn(settings.hints, hint_list{});
    return agree_on(layout.comm(),
                    [&] { return read_lines(stored, local, layout, form, notes.line); });
  }
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_array(layout, form, settings, notes, plan); !s.ok()) return s;
  return exchange_in(layout, local, form, *plan, notes.line,
                     [&](const piece& part, char* data, std::size_t bytes) {
                       const auto first = part.first * static_cast<std::int64_t>(form.file_bytes);
                       return stored.file.read_at(stored.offset + first, data,
                                                  static_cast<std::int64_t>(bytes));
                     });
}

}  // namespace headrace
