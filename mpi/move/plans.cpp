#include "plans.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace headrace {

piece_plan::piece_plan(int ranks, std::int64_t elements, std::int64_t joined)
    : elements_(elements),
      joined_(std::max(elements, joined)),
      ranges_(static_cast<std::size_t>(ranks)) {}

void piece_plan::add(int owner, const piece& range) {
  if (range.first >= range.last) return;
  auto& list = ranges_[static_cast<std::size_t>(owner)];
  const std::int64_t begin = cycles_of(owner);
  const std::int64_t end = begin + (range.last - range.first + elements_ - 1) / elements_;
  list.push_back({range, begin, end});
  cycles_ = std::max(cycles_, end);
  if (list.size() == 1)
    owners_.insert(std::lower_bound(owners_.begin(), owners_.end(), owner), owner);
}

std::int64_t piece_plan::cycles_of(int owner) const {
  const auto& list = ranges_[static_cast<std::size_t>(owner)];
  return list.empty() ? 0 : list.back().end;
}

piece piece_plan::at(int owner, std::int64_t cycle) const {
  const auto& list = ranges_[static_cast<std::size_t>(owner)];
  const auto found =
      std::upper_bound(list.begin(), list.end(), cycle,
                       [](std::int64_t c, const cut_range& one) { return c < one.end; });
  if (found == list.end()) return {};
  piece part = found->range;
  part.first += (cycle - found->begin) * elements_;
  part.last = std::min(part.first + elements_, part.last);
  return part;
}

namespace {

std::int64_t piece_elements(std::int64_t piece_bytes, std::int64_t file_bytes) {
  return std::max<std::int64_t>(1, piece_bytes / std::max<std::int64_t>(1, file_bytes));
}

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
  const std::int64_t elements = piece_elements(piece_bytes, file_bytes);
  auto plan = std::make_unique<piece_plan>(layout.comm().size(), elements,
                                           piece_elements(joined, file_bytes));
  const std::int64_t last = volume(layout.global());
  const std::int64_t pieces = (last + elements - 1) / elements;
  const std::vector<int> owners = choose_writers(layout, writers);
  const auto count = static_cast<std::int64_t>(owners.size());
  std::int64_t first = 0;
  std::int64_t place = 0;
  for (const int owner : owners) {
    // The first owners have one more if it does not divide.
    const std::int64_t own = pieces / count + (place++ < pieces % count ? 1 : 0);
    const std::int64_t end = std::min(first + own * elements, last);
    plan->add(owner, {layout.global(), first, end, 0});
    first = end;
  }
  return plan;
}

std::unique_ptr<piece_plan> plan_boxes(const array_layout& layout, const std::vector<box>& boxes,
                                       const std::vector<int>& owner_of, std::int64_t file_bytes,
                                       std::int64_t piece_bytes, std::int64_t joined) {
  auto plan =
      std::make_unique<piece_plan>(layout.comm().size(), piece_elements(piece_bytes, file_bytes),
                                   piece_elements(joined, file_bytes));
  for (std::size_t i = 0; i < boxes.size(); ++i)
    plan->add(owner_of[i], {boxes[i], 0, volume(boxes[i]), static_cast<std::int64_t>(i)});
  return plan;
}

}  // namespace headrace
