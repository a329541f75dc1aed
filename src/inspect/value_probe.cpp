#include "value_probe.hpp"

#include <algorithm>
#include <limits>

namespace headrace {
namespace {

constexpr std::size_t most_values = 8192;

struct candidate {
  value_kind kind;
  int bytes;
  double prior;  // bits; decides if the values do not
};
constexpr candidate candidates[] = {
    {value_kind::real, 8, 1},      {value_kind::integer, 4, 1}, {value_kind::real, 4, 2},
    {value_kind::character, 1, 3}, {value_kind::integer, 8, 5}, {value_kind::integer, 2, 30},
    {value_kind::integer, 1, 34},  {value_kind::real, 16, 8},
};

int type_of(value_kind kind) noexcept {
  return kind == value_kind::real      ? HR_TYPE_REAL
         : kind == value_kind::integer ? HR_TYPE_INTEGER
                                       : HR_TYPE_CHARACTER;
}

void note(hr_value_probe& result, const classified& found, double value) noexcept {
  if (result.values < 4) result.first[result.values] = value;
  ++result.values;
  result.zeros += found.zero;
  result.not_a_number += found.not_a_number;
  result.infinite += found.infinite;
  if (found.not_a_number || found.infinite) return;
  result.smallest = std::min(result.smallest, value);
  result.largest = std::max(result.largest, value);
}

hr_value_probe probe(const unsigned char* bytes, std::size_t size, const candidate& tried,
                     bool big) {
  const value_model model{tried.kind, tried.bytes};
  const auto width = static_cast<std::size_t>(tried.bytes);
  const std::size_t values = size / width;
  // Stretches of neighbours spread over all values.
  const std::size_t stretch = 64;
  const std::size_t stretches = std::max<std::size_t>(1, std::min(values, most_values) / stretch);
  hr_value_probe result{};
  result.type = type_of(tried.kind);
  result.elem_len = width;
  result.big_endian = big;
  result.smallest = std::numeric_limits<double>::infinity();
  result.largest = -result.smallest;
  adaptive_cost cost(model);
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t first = values <= most_values ? s * stretch : values / stretches * s;
    const std::size_t last =
        s + 1 == stretches && values <= most_values ? values : std::min(values, first + stretch);
    for (std::size_t k = first; k < last; ++k) {
      const value_bits bits = value_at(bytes + k * width, tried.bytes, big);
      const classified found = classify(bits, model);
      cost.add(found, bits);
      note(result, found, number_of(bits, model));
    }
  }
  result.bits =
      result.values == 0 ? 0 : (cost.bits() + tried.prior) / static_cast<double>(result.values);
  return result;
}

}  // namespace

value_bits value_at(const unsigned char* bytes, int width, bool big) noexcept {
  value_bits result;
  for (int k = 0; k < width; ++k) {
    const std::uint64_t byte = bytes[big ? width - 1 - k : k];
    (k < 8 ? result.low : result.high) |= byte << (8 * (k % 8));
  }
  return result;
}

std::vector<hr_value_probe> probe_values(const unsigned char* bytes, std::size_t size,
                                         probed_order order) {
  std::vector<hr_value_probe> results;
  for (const candidate& tried : candidates)
    for (const bool big : {false, true}) {
      if ((big && order == probed_order::little) || (!big && order == probed_order::big)) continue;
      if (tried.bytes == 1 && big && order == probed_order::both) continue;
      if (size < static_cast<std::size_t>(tried.bytes)) continue;
      results.push_back(probe(bytes, size, tried, big));
    }
  const auto per_byte = [](const hr_value_probe& p) {
    return p.bits / static_cast<double>(p.elem_len);
  };
  std::stable_sort(results.begin(), results.end(),
                   [&](const auto& a, const auto& b) { return per_byte(a) < per_byte(b); });
  return results;
}

}  // namespace headrace
