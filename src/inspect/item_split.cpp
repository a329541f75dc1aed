// The cheapest way to take rows of bytes for items: dynamic programming over the places of a row.
#include <algorithm>
#include <limits>

#include "value_probe.hpp"

namespace headrace {
namespace {

constexpr double new_item = 10;  // bits that another item costs in each of the first rows
constexpr std::size_t most_rows = 24;

struct item_type {
  value_model model;
  int type;
  double begin;  // bits more than new_item
};
constexpr item_type types[] = {
    {{value_kind::integer, 4}, HR_TYPE_INTEGER, 0},
    {{value_kind::real, 8}, HR_TYPE_REAL, 0},
    {{value_kind::real, 4}, HR_TYPE_REAL, 1},
    {{value_kind::character, 1}, HR_TYPE_CHARACTER, 2},
    {{value_kind::integer, 8}, HR_TYPE_INTEGER, 4},
    {{value_kind::integer, 2}, HR_TYPE_INTEGER, 12},
    {{value_kind::integer, 1}, HR_TYPE_INTEGER, 14},
};
constexpr std::size_t type_count = sizeof types / sizeof types[0];

struct state {
  double cost = std::numeric_limits<double>::infinity();
  int before = -1;  // the type of the value before, at the place where this one begins
};

struct value_costs {
  double first = 0;  // of an item
  double next = 0;   // behind another value of the item
};

// The cost of one value of a type in all rows. Rows that agree are told once: what is the same
// everywhere is no evidence. Below each other values of a column are near each other too.
value_costs costs_at(const unsigned char* bytes, std::size_t rows, std::size_t row_bytes,
                     std::size_t place, const value_model& model, bool big) {
  const auto width = static_cast<std::size_t>(model.bytes);
  value_costs costs;
  value_bits above;
  for (std::size_t row = 0; row < rows; ++row) {
    const unsigned char* const at = bytes + row * row_bytes + place;
    const value_bits bits = value_at(at, model.bytes, big);
    if (row != 0 && bits.low == above.low) {
      costs.first += 1;
      costs.next += 1;
      continue;
    }
    const bool letters = model.kind == value_kind::character;
    const double alone =
        row == 0 || letters ? lone_cost(bits, model) : next_cost(bits, above, model);
    costs.first += alone;
    costs.next +=
        place < width
            ? alone
            : std::min(alone, next_cost(bits, value_at(at - width, model.bytes, big), model));
    above = bits;
  }
  return costs;
}

class item_splitter {
 public:
  item_splitter(const unsigned char* bytes, std::size_t rows, std::size_t row_bytes, bool big)
      : bytes_(bytes),
        rows_(rows),
        row_bytes_(row_bytes),
        big_(big),
        states_((row_bytes + 1) * type_count) {}

  std::vector<hr_item> run() {
    const double change = new_item * static_cast<double>(std::min<std::size_t>(rows_, 4));
    for (std::size_t place = 0; place < row_bytes_; ++place)
      for (std::size_t t = 0; t < type_count; ++t) extend(place, t, change);
    return trace();
  }

 private:
  state& at(std::size_t place, std::size_t t) { return states_[place * type_count + t]; }

  void extend(std::size_t place, std::size_t t, double change) {
    const auto width = static_cast<std::size_t>(types[t].model.bytes);
    if (place + width > row_bytes_) return;
    const value_costs costs = costs_at(bytes_, rows_, row_bytes_, place, types[t].model, big_);
    double best = std::numeric_limits<double>::infinity();
    int before = -1;
    for (std::size_t u = 0; u < type_count && place != 0; ++u) {
      const double cost =
          at(place, u).cost + (u == t ? costs.next : costs.first + change + types[t].begin);
      if (cost < best) {
        best = cost;
        before = static_cast<int>(u);
      }
    }
    if (place == 0) best = types[t].begin + costs.first;
    if (best == std::numeric_limits<double>::infinity()) return;
    state& target = at(place + width, t);
    if (best < target.cost) target = {best, before};
  }

  std::vector<hr_item> trace() {
    std::size_t t = 0, place = row_bytes_;
    for (std::size_t u = 1; u < type_count; ++u)
      if (at(place, u).cost < at(place, t).cost) t = u;
    std::vector<hr_item> items;
    while (place != 0) {
      const auto width = static_cast<std::size_t>(types[t].model.bytes);
      const int before = at(place, t).before;
      place -= width;
      if (items.empty() || items.back().type != types[t].type || items.back().elem_len != width)
        items.push_back({types[t].type, width, 0, 0});
      ++items.back().values;
      items.back().offset = static_cast<std::int64_t>(place);
      if (before < 0) break;
      t = static_cast<std::size_t>(before);
    }
    std::reverse(items.begin(), items.end());
    return items;
  }

  const unsigned char* bytes_;
  std::size_t rows_, row_bytes_;
  bool big_;
  std::vector<state> states_;
};

bool zeros_everywhere(const unsigned char* bytes, std::size_t rows, std::size_t row_bytes,
                      const hr_item& item) {
  for (std::size_t row = 0; row < rows; ++row) {
    const unsigned char* const first = bytes + row * row_bytes + item.offset;
    const std::size_t size = static_cast<std::size_t>(item.values) * item.elem_len;
    if (std::any_of(first, first + size, [](unsigned char b) { return b != 0; })) return false;
  }
  return true;
}

}  // namespace

std::vector<hr_item> split_items(const unsigned char* bytes, std::size_t rows,
                                 std::size_t row_bytes, bool big) {
  if (rows == 0 || row_bytes == 0) return {};
  rows = std::min(rows, most_rows);
  std::vector<hr_item> items = item_splitter(bytes, rows, row_bytes, big).run();
  for (hr_item& item : items)
    if (zeros_everywhere(bytes, rows, row_bytes, item)) item.type = 0;
  return items;
}

}  // namespace headrace
