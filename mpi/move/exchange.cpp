#include "exchange.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "../together/node_meeting.hpp"
#include "lines.hpp"
#include "plans.hpp"

namespace headrace {
namespace {

// Beyond that much, an MPI rank waits for its messages before it makes or takes more.
constexpr std::size_t most_under_way = std::size_t{24} << 20;

bool reaches_beyond(const box& part, const box& whole) {
  return !(intersection(part, whole) == part);
}

constexpr int message_tag = 7117;

// Parts of pieces that travel between nodes, packed, one message for each pair of MPI ranks and
// cycle. All memory is taken before the first cycle: an MPI rank that had none left in the middle
// would keep the others waiting.
class piece_messages {
 public:
  piece_messages(const array_layout& layout, const element_form& form)
      : layout_(layout), form_(form) {}

  // Takes the memory for what is under way at a time: parts that are sent, and parts that come.
  // Each must hold the largest part of a piece. Throws std::bad_alloc.
  void reserve(std::size_t sent_bytes, std::size_t expected_bytes) {
    const auto others = static_cast<std::size_t>(layout_.comm().size());
    sent_.list.reserve(others);
    expected_.list.reserve(others);
    sent_.memory.reserve(sent_bytes);
    expected_.memory.reserve(expected_bytes);
  }

  // Elements that an MPI rank's block has in a piece.
  static std::int64_t common_elements(const piece& part, const box& block) {
    if (part.first >= part.last || is_empty(block)) return 0;
    std::int64_t elements = 0;
    for (const box& range : boxes_of_range(part.of, part.first, part.last))
      elements += volume(intersection(range, block));
    return elements;
  }

  // Expects what a block has of a piece, from another MPI rank. false: first unpack what was
  // expected before, there is no room for more.
  bool expect(int from, const piece& part, const box& block) {
    const std::size_t bytes = common_bytes(part, block);
    if (bytes == 0) return true;
    if (!expected_.has_room(bytes)) return false;
    parcel& coming = expected_.add(from, part, bytes);
    coming.code = MPI_Irecv(coming.data, static_cast<int>(bytes), MPI_BYTE, from, message_tag,
                            layout_.comm().handle(), &coming.request);
    return true;
  }

  // This MPI rank's part of a piece goes to its owner. The packed bytes live until finish().
  status send_part(const array_view& local, const piece& part, int owner) {
    const box& own = layout_.own();
    return send(owner, part, own,
                [&](char* to) { copy_common(direction::out, part, local, own, form_, to, true); });
  }
  status unpack_parts(const piece& part, char* data) {
    return unpack([&](const parcel& came) {
      pack_common(direction::in, part, layout_.block(came.other), form_, data, came.data);
    });
  }

  // The other way: the owner sends, the others unpack.
  status send_piece(const piece& part, char* data, int to) {
    const box& block = layout_.block(to);
    return send(to, part, block, [&](char* packed) {
      pack_common(direction::out, part, block, form_, data, packed);
    });
  }
  status unpack_pieces(const array_view& local) {
    return unpack([&](const parcel& came) {
      copy_common(direction::in, came.part, local, layout_.own(), form_, came.data, true);
    });
  }

  // All sends of this cycle.
  status finish() {
    status result;
    for (parcel& packed : sent_.list) result.keep_first(wait_for(packed));
    sent_.clear();
    return result;
  }

  // Lets MPI go on with what is under way, for those that wait for something else.
  void progress() noexcept {
    int done = 0;
    for (parcels* const direction : {&sent_, &expected_})
      for (parcel& one : direction->list)
        if (one.request != MPI_REQUEST_NULL) {
          const int code = MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
          if (one.code == MPI_SUCCESS) one.code = code;
          return;  // a test of one request drives them all
        }
  }

 private:
  struct parcel {
    int other = 0;
    piece part;
    char* data = nullptr;
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;  // of the calls on it so far
  };
  // Messages of one direction, in memory that is taken once.
  struct parcels {
    std::vector<parcel> list;
    buffer memory;
    std::size_t used = 0;

    bool has_room(std::size_t bytes) const noexcept { return used + bytes <= memory.capacity(); }
    parcel& add(int other, const piece& part, std::size_t bytes) {
      list.push_back({other, part, memory.data() + used});
      used += bytes;
      return list.back();
    }
    void clear() noexcept {
      list.clear();
      used = 0;
    }
  };

  std::size_t common_bytes(const piece& part, const box& block) const {
    return static_cast<std::size_t>(common_elements(part, block)) * form_.file_bytes;
  }

  // What a block has of a piece: pack(data) puts it into the message. If there is no room for
  // it, sends are waited for.
  status send(int to, const piece& part, const box& block, function_ref<void(char* data)> pack) {
    const std::size_t bytes = common_bytes(part, block);
    if (bytes == 0) return {};
    status result;
    if (!sent_.has_room(bytes)) result = finish();
    parcel& packed = sent_.add(to, part, bytes);
    pack(packed.data);
    // A piece has at most some MiB, so an int is enough for the length.
    packed.code = MPI_Isend(packed.data, static_cast<int>(bytes), MPI_BYTE, to, message_tag,
                            layout_.comm().handle(), &packed.request);
    if (packed.code != MPI_SUCCESS)
      result.keep_first(mpi_failure(packed.code, "an exchange between nodes failed"));
    return result;
  }

  status unpack(function_ref<void(const parcel& came)> take) {
    status result;
    for (parcel& came : expected_.list) {
      result.keep_first(wait_for(came));
      take(came);
    }
    expected_.clear();
    return result;
  }

  // If MPI ranks share processors, who waits lets the others work.
  status wait_for(parcel& one) const {
    int code = one.code;
    for (int done = layout_.comm().is_crowded() ? 0 : 1; code == MPI_SUCCESS && done == 0;) {
      code = MPI_Test(&one.request, &done, MPI_STATUS_IGNORE);
      if (done == 0) ::sched_yield();
    }
    // Also after a test that failed: MPI may still use the memory of what is under way.
    const int last = MPI_Wait(&one.request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) code = last;
    return code == MPI_SUCCESS ? status() : mpi_failure(code, "an exchange between nodes failed");
  }

  const array_layout& layout_;
  const element_form& form_;
  parcels sent_;
  parcels expected_;
};

// What both directions need: who owns what, where the buffers are, who is near.
class exchange_work {
 public:
  exchange_work(const array_layout& layout, const array_view& local, const element_form& form,
                const piece_plan& plan, timeline& line)
      : layout_(layout),
        comm_(layout.comm()),
        local_(local),
        form_(form),
        plan_(plan),
        line_(line),
        mergeable_(contiguous_dimensions(local)),
        piece_bytes_(static_cast<std::size_t>(plan.largest_piece()) * form.file_bytes),
        messages_(layout, form) {
    for (const int owner : plan.owners()) is_owner_ = is_owner_ || owner == comm_.rank();
  }

  status out(const piece_function& take) {
    if (all_pieces_are_own()) return agree_on(comm_, [&] { return pass_own(take, true); });
    if (status s = prepare(direction::out); !s.ok()) return s;
    status result;
    std::int64_t expected[2] = {0, 0};  // parts in each buffer
    for (std::int64_t cycle = 0; cycle < plan_.cycles(); ++cycle) {
      const piece mine = own_piece(cycle);
      const bool has_piece = mine.first < mine.last;
      {
        const auto during = line_.during(HR_PHASE_EXCHANGE);
        for (int other = 0; has_piece && other < comm_.size(); ++other)
          if (!is_near(other)) messages_.expect(other, mine, layout_.block(other));
        for (const int owner : plan_.owners())
          if (!is_near(owner))
            result.keep_first(messages_.send_part(local_, plan_.at(owner, cycle), owner));
        copy_near(cycle, direction::out);
        if (has_piece)
          result.keep_first(messages_.unpack_parts(mine, buffer_of(comm_.rank(), cycle)));
        result.keep_first(messages_.finish());
        expected[cycle & 1] += near_parts(mine);
        wait_for_parts(cycle, expected[cycle & 1]);
      }
      // After a failure the exchange goes on, so that nobody waits; nothing more is written.
      if (has_piece && result.ok()) result = act_on(take, mine, buffer_of(comm_.rank(), cycle));
      clear_padding(cycle + 2);
      tell_done();
    }
    return agree(comm_, result);
  }

  status in(const piece_function& fill) {
    if (all_pieces_are_own()) return agree_on(comm_, [&] { return pass_own(fill, false); });
    if (status s = prepare(direction::in); !s.ok()) return s;
    status result;
    std::int64_t taken[2] = {0, 0};  // parts out of each buffer
    for (std::int64_t cycle = 0; cycle < plan_.cycles(); ++cycle) {
      const piece mine = own_piece(cycle);
      const bool has_piece = mine.first < mine.last;
      {
        const auto during = line_.during(HR_PHASE_EXCHANGE);
        wait_for_parts(cycle, taken[cycle & 1]);
      }
      if (has_piece && result.ok()) result = act_on(fill, mine, buffer_of(comm_.rank(), cycle));
      tell_done();
      taken[cycle & 1] += near_parts(mine);
      const auto during = line_.during(HR_PHASE_EXCHANGE);
      const std::size_t next = expect_pieces(cycle, 0);
      for (int other = 0; has_piece && other < comm_.size(); ++other)
        if (!is_near(other))
          result.keep_first(messages_.send_piece(mine, buffer_of(comm_.rank(), cycle), other));
      copy_near(cycle, direction::in);
      result.keep_first(receive_pieces(cycle, next));
      result.keep_first(messages_.finish());
    }
    return agree(comm_, result);
  }

  // Without an exchange: every MPI rank has what it writes, or reads what it wants.
  status pass_own(const piece_function& act, bool writes) {
    status result;
    buffer block;
    for (std::int64_t cycle = 0; is_owner_ && result.ok() && cycle < plan_.cycles();) {
      piece part = own_piece(cycle++);
      if (part.first >= part.last) continue;
      if (char* const data = direct(part); data != nullptr) {
        cycle = join_direct(part, data, cycle);
        result = act_on(act, part, data);
        continue;
      }
      block.reserve(piece_bytes_);
      if (writes && reaches_beyond(part.of, layout_.global()))
        std::memset(block.data(), 0, piece_bytes_);
      if (writes) copy_common(direction::out, part, local_, layout_.own(), form_, block.data());
      result = act_on(act, part, block.data());
      if (!writes && result.ok())
        copy_common(direction::in, part, local_, layout_.own(), form_, block.data());
    }
    return result;
  }

 private:
  piece own_piece(std::int64_t cycle) const {
    return is_owner_ ? plan_.at(comm_.rank(), cycle) : piece();
  }
  bool is_near(int rank) const {
    return rank == comm_.rank() ||
           (buffers_.is_shared() && comm_.node_of(rank) == comm_.node_of(comm_.rank()));
  }
  // A near owner's buffer of a cycle.
  char* buffer_of(int owner, std::int64_t cycle) const {
    const int which = static_cast<int>(cycle & 1);
    return owner == comm_.rank() ? buffers_.own(which)
                                 : buffers_.of(comm_.place_in_node(owner), which);
  }
  // A piece of this MPI rank that is a plain range of its own block: no copy is needed.
  char* direct(const piece& part) const {
    const box& own = layout_.own();
    if (form_.logical || form_.swapped_word > 1 || mergeable_ < local_.array_rank ||
        !covers(own, part))
      return nullptr;
    // The range must be one line of the block.
    char* begin = nullptr;
    int lines = 0;
    for_each_common_line(part, own, mergeable_, [&](const piece_line& line) {
      if (lines++ == 0) begin = address_of(local_, own, line.begin);
    });
    return lines == 1 ? begin : nullptr;
  }

  // Pieces that follow each other in the file and in memory are one: a file system that lets one
  // MPI rank at a time write to a file need not hand it over at each piece. Returns the next cycle.
  std::int64_t join_direct(piece& part, const char* data, std::int64_t cycle) const {
    for (; cycle < plan_.cycles(); ++cycle) {
      const piece next = own_piece(cycle);
      const auto bytes = static_cast<std::size_t>(part.last - part.first) * form_.file_bytes;
      const bool follows =
          next.first == part.last && next.target == part.target && next.of == part.of;
      if (!follows || next.first >= next.last || next.last - part.first > plan_.largest_joined() ||
          direct(next) != data + bytes)
        break;
      part.last = next.last;
    }
    return cycle;
  }

  // Collective.
  bool all_pieces_are_own() const {
    if (plan_.all_are_own) return *plan_.all_are_own;
    const int own = own_pieces_are_here(layout_, plan_) ? 1 : 0;
    int all = 0;
    reduce(comm_, &own, &all, 1, MPI_INT, MPI_MIN);
    return all != 0;
  }

  // Buffers, with zeros where the first pieces reach beyond the array.
  status prepare(direction way) {
    const auto during = line_.during(HR_PHASE_EXCHANGE);
    status ready = buffers_.allocate(comm_, plan_.owners(), piece_bytes_);
    // Memory that all of one node share: all know that all have it.
    const bool all_have_it = buffers_.is_shared() && comm_.nodes() == 1;
    if (!all_have_it) {
      ready.keep_first(reserve_messages(way));
      if (status s = agree(comm_, ready); !s.ok()) return s;
    }
    if (buffers_.is_shared()) return {};
    clear_padding(0);
    clear_padding(1);
    return {};
  }

  // Memory for messages: an owner has parts of one piece under way, the others parts of many.
  status reserve_messages(direction way) {
    bool has_far = false;
    for (int other = 0; other < comm_.size(); ++other) has_far = has_far || !is_near(other);
    if (!has_far) return {};
    const std::size_t of_owner = is_owner_ ? piece_bytes_ : 0;
    const std::size_t of_block =
        std::min(static_cast<std::size_t>(volume(layout_.own())) * form_.file_bytes,
                 std::max(most_under_way, piece_bytes_));
    return caught([&] {
      if (way == direction::out)
        messages_.reserve(of_block, of_owner);
      else
        messages_.reserve(of_owner, of_block);
      return status();
    });
  }

  // Expects what far owners send, from one place in their list on, as far as there is room.
  std::size_t expect_pieces(std::int64_t cycle, std::size_t next) {
    const std::vector<int>& owners = plan_.owners();
    for (; next < owners.size(); ++next) {
      const int owner = owners[next];
      if (!is_near(owner) && !messages_.expect(owner, plan_.at(owner, cycle), layout_.own())) break;
    }
    return next;
  }

  // What was expected already, and then the rest.
  status receive_pieces(std::int64_t cycle, std::size_t next) {
    status result = messages_.unpack_pieces(local_);
    while (next < plan_.owners().size()) {
      next = expect_pieces(cycle, next);
      result.keep_first(messages_.unpack_pieces(local_));
    }
    return result;
  }

  void clear_padding(std::int64_t cycle) {
    if (cycle >= plan_.cycles()) return;
    const piece part = own_piece(cycle);
    if (part.first < part.last && reaches_beyond(part.of, layout_.global()))
      std::memset(buffer_of(comm_.rank(), cycle), 0, piece_bytes_);
  }

  // Between this MPI rank's block and the buffers of near owners.
  void copy_near(std::int64_t cycle, direction way) {
    const box& own = layout_.own();
    for (const int owner : plan_.owners()) {
      const piece part = is_near(owner) ? plan_.at(owner, cycle) : piece();
      if (piece_messages::common_elements(part, own) == 0) continue;
      char* const data = buffer_of(owner, cycle);
      exchange_counters* const others =
          owner == comm_.rank() ? nullptr : &buffers_.counters(comm_.place_in_node(owner));
      // Its buffer is free when it has written what was in it two cycles ago, and has something
      // when it has read in this cycle.
      if (others != nullptr)
        wait_until(others->cycles, way == direction::out ? cycle - 1 : cycle + 1);
      copy_common(way, part, local_, own, form_, data);
      if (others != nullptr) others->parts[cycle & 1].add();
    }
  }

  // How many other MPI ranks of the node have elements in a piece of this one.
  std::int64_t near_parts(const piece& mine) const {
    if (mine.first >= mine.last || !buffers_.is_shared()) return 0;
    std::int64_t parts = 0;
    for (int other = 0; other < comm_.size(); ++other)
      if (other != comm_.rank() && is_near(other) &&
          piece_messages::common_elements(mine, layout_.block(other)) > 0)
        ++parts;
    return parts;
  }

  void tell_done() {
    if (is_owner_ && buffers_.is_shared()) buffers_.counters(comm_.node_rank()).cycles.add();
  }

  void wait_for_parts(std::int64_t cycle, std::int64_t expected) {
    if (expected > 0) wait_until(buffers_.counters(comm_.node_rank()).parts[cycle & 1], expected);
  }

  // If MPI ranks share processors, who waits leaves its own to those that work: one that only
  // yields gets it back at once. Not when messages of ours travel, which stand still meanwhile.
  void wait_until(shared_counter& counter, std::int64_t wanted) {
    if (comm_.is_crowded() && comm_.nodes() == 1) return wait_for(comm_, counter, wanted);
    for (int turns = 0; !counter.has_reached(wanted); ++turns) {
      messages_.progress();
      if (turns > 100) ::sched_yield();
    }
  }

  status act_on(const piece_function& act, const piece& part, char* data) {
    const auto during = line_.during(HR_PHASE_TRANSFER);
    // A lack of memory is remembered like any failure: the others are still waiting.
    return caught([&] {
      return act(part, data, static_cast<std::size_t>(part.last - part.first) * form_.file_bytes);
    });
  }

  const array_layout& layout_;
  const communicator& comm_;
  const array_view& local_;
  const element_form& form_;
  const piece_plan& plan_;
  timeline& line_;
  int mergeable_;
  std::size_t piece_bytes_;
  bool is_owner_ = false;
  node_buffers buffers_;
  piece_messages messages_;
};

}  // namespace

bool own_pieces_are_here(const array_layout& layout, const piece_plan& plan) {
  if (layout.for_reading()) return false;  // others may want the same elements
  const std::vector<int>& owners = plan.owners();
  const int rank = layout.comm().rank();
  if (!std::binary_search(owners.begin(), owners.end(), rank)) return true;
  for (std::int64_t cycle = 0; cycle < plan.cycles(); ++cycle) {
    const piece part = plan.at(rank, cycle);
    if (part.first < part.last && !covers(layout.own(), part)) return false;
  }
  return true;
}

status exchange_out(const array_layout& layout, const array_view& local, const element_form& form,
                    const piece_plan& plan, timeline& line, const piece_function& take) {
  return exchange_work(layout, local, form, plan, line).out(take);
}

status pass_own_out(const array_layout& layout, const array_view& local, const element_form& form,
                    const piece_plan& plan, timeline& line, const piece_function& take) {
  return exchange_work(layout, local, form, plan, line).pass_own(take, true);
}

status exchange_in(const array_layout& layout, const array_view& local, const element_form& form,
                   const piece_plan& plan, timeline& line, const piece_function& fill) {
  return exchange_work(layout, local, form, plan, line).in(fill);
}

}  // namespace headrace
