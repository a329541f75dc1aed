#include "plans.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace headrace {
namespace {

std::int64_t piece_elements(std::int64_t piece_bytes, std::int64_t file_bytes) {
  return std::max<std::int64_t>(1, piece_bytes / std::max<std::int64_t>(1, file_bytes));
}

// Pieces of one or more boxes, in a list of boxes for each owner.
class box_plan : public piece_plan {
 public:
  box_plan(int ranks, std::int64_t elements, std::int64_t joined)
      : elements_(elements), joined_(std::max(elements, joined)), work_(ranks) {}

  void add(int owner, const box& part, std::int64_t target) {
    const std::int64_t total = volume(part);
    if (total == 0) return;
    auto& list = work_[static_cast<std::size_t>(owner)];
    const std::int64_t begin = list.empty() ? 0 : list.back().end;
    list.push_back({part, target, begin, begin + (total + elements_ - 1) / elements_});
    cycles_ = std::max(cycles_, list.back().end);
    if (list.size() == 1)
      owners_.insert(std::lower_bound(owners_.begin(), owners_.end(), owner), owner);
  }

  std::int64_t cycles() const override { return cycles_; }
  std::int64_t largest_piece() const override { return elements_; }
  std::int64_t largest_joined() const override { return joined_; }
  const std::vector<int>& owners() const override { return owners_; }
  piece at(int owner, std::int64_t cycle) const override {
    const auto& list = work_[static_cast<std::size_t>(owner)];
    const auto found = std::upper_bound(list.begin(), list.end(), cycle,
                                        [](std::int64_t c, const entry& e) { return c < e.end; });
    if (found == list.end()) return {};
    const std::int64_t first = (cycle - found->begin) * elements_;
    return {found->part, first, std::min(first + elements_, volume(found->part)), found->target};
  }

 private:
  struct entry {
    box part;
    std::int64_t target;
    std::int64_t begin;  // its first cycle
    std::int64_t end;
  };
  std::int64_t elements_;
  std::int64_t joined_;
  std::int64_t cycles_ = 0;
  std::vector<std::vector<entry>> work_;
  std::vector<int> owners_;
};

// One box, of which each owner has a contiguous share of whole pieces.
class shared_plan : public piece_plan {
 public:
  shared_plan(const box& whole, std::int64_t elements, std::int64_t joined,
              std::vector<int> in_file_order, int ranks)
      : whole_(whole),
        elements_(elements),
        joined_(std::max(elements, joined)),
        place_(static_cast<std::size_t>(ranks), -1) {
    pieces_ = (volume(whole) + elements - 1) / elements;
    for (std::size_t i = 0; i < in_file_order.size(); ++i)
      place_[static_cast<std::size_t>(in_file_order[i])] = static_cast<std::int64_t>(i);
    owners_ = std::move(in_file_order);
    std::sort(owners_.begin(), owners_.end());
    const auto count = static_cast<std::int64_t>(owners_.size());
    cycles_ = (pieces_ + count - 1) / count;
  }

  std::int64_t cycles() const override { return cycles_; }
  std::int64_t largest_piece() const override { return elements_; }
  std::int64_t largest_joined() const override { return joined_; }
  const std::vector<int>& owners() const override { return owners_; }
  piece at(int owner, std::int64_t cycle) const override {
    const std::int64_t place = place_[static_cast<std::size_t>(owner)];
    if (place < 0) return {};
    const auto count = static_cast<std::int64_t>(owners_.size());
    const std::int64_t number = share(place, count) + cycle;
    if (number >= share(place + 1, count)) return {};
    const std::int64_t first = number * elements_;
    return {whole_, first, std::min(first + elements_, volume(whole_)), 0};
  }

 private:
  // Number of the first piece of an owner; the first owners have one more where it does not divide.
  std::int64_t share(std::int64_t place, std::int64_t count) const {
    return place * (pieces_ / count) + std::min(place, pieces_ % count);
  }

  box whole_;
  std::int64_t elements_;
  std::int64_t joined_;
  std::int64_t pieces_ = 0;
  std::int64_t cycles_ = 0;
  std::vector<std::int64_t> place_;
  std::vector<int> owners_;
};

// So many for each node that together they are enough, one more at a time on each.
std::vector<int> writers_of_nodes(const std::vector<int>& sizes, int writers) {
  std::vector<int> wanted(sizes.size(), 0);
  while (writers > 0)
    for (std::size_t node = 0; node < sizes.size() && writers > 0; ++node)
      if (wanted[node] < sizes[node]) {
        ++wanted[node];
        --writers;
      }
  return wanted;
}

}  // namespace

std::int64_t hinted_number(const hint_list& hints, const char* name, std::int64_t otherwise) {
  const auto found = hints.find(name);
  if (found == hints.end()) return otherwise;
  char* end = nullptr;
  const long long value = std::strtoll(found->second.c_str(), &end, 10);
  return end != found->second.c_str() && *end == '\0' && value > 0 ? value : otherwise;
}

std::int64_t hinted_piece_bytes(const hint_list& hints) {
  return std::clamp<std::int64_t>(hinted_number(hints, "cb_buffer_size", default_piece_bytes), 4096,
                                  std::int64_t{8} << 20);
}

std::vector<int> ranks_in_file_order(const array_layout& layout) {
  std::vector<int> order(static_cast<std::size_t>(layout.comm().size()));
  std::iota(order.begin(), order.end(), 0);
  const auto begin = [&](int rank) {
    const box& block = layout.block(rank);
    index_list reversed{};  // the last dimension decides first
    for (std::size_t d = 0; d < max_parallel_rank; ++d)
      reversed[d] = block.start[max_parallel_rank - 1 - d];
    return reversed;
  };
  std::stable_sort(order.begin(), order.end(), [&](int left, int right) {
    const bool left_empty = is_empty(layout.block(left));
    const bool right_empty = is_empty(layout.block(right));
    if (left_empty != right_empty) return right_empty;
    return begin(left) < begin(right);
  });
  return order;
}

std::vector<int> choose_writers(const array_layout& layout, int writers) {
  const communicator& comm = layout.comm();
  if (writers == 1) return {0};
  std::vector<int> order = ranks_in_file_order(layout);
  if (writers <= 0 || writers >= comm.size()) return order;
  std::vector<int> sizes(static_cast<std::size_t>(comm.nodes()), 0);
  for (const int rank : order) ++sizes[static_cast<std::size_t>(comm.node_of(rank))];
  const std::vector<int> wanted = writers_of_nodes(sizes, writers);
  std::vector<std::int64_t> seen(sizes.size(), 0);
  std::vector<int> chosen;
  for (const int rank : order) {
    const auto node = static_cast<std::size_t>(comm.node_of(rank));
    const std::int64_t before = seen[node]++ * wanted[node] / sizes[node];
    if (seen[node] * wanted[node] / sizes[node] > before) chosen.push_back(rank);
  }
  return chosen;
}

std::unique_ptr<piece_plan> make_shared_plan(const array_layout& layout, std::int64_t file_bytes,
                                             std::int64_t piece_bytes, int writers,
                                             std::int64_t joined) {
  return std::make_unique<shared_plan>(layout.global(), piece_elements(piece_bytes, file_bytes),
                                       piece_elements(joined, file_bytes),
                                       choose_writers(layout, writers), layout.comm().size());
}

std::unique_ptr<piece_plan> plan_boxes(const array_layout& layout, std::vector<box> boxes,
                                       std::vector<int> owner_of, std::int64_t file_bytes,
                                       std::int64_t piece_bytes, std::int64_t joined) {
  auto plan =
      std::make_unique<box_plan>(layout.comm().size(), piece_elements(piece_bytes, file_bytes),
                                 piece_elements(joined, file_bytes));
  for (std::size_t i = 0; i < boxes.size(); ++i)
    plan->add(owner_of[i], boxes[i], static_cast<std::int64_t>(i));
  return plan;
}

}  // namespace headrace
