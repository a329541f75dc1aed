// I/O lists from the bytes of an input.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "../targets.hpp"
#include "twin.hpp"

namespace headrace::fuzz {

struct item_kind {
  int type, kind;
};
inline constexpr item_kind item_kinds[] = {
    {run::real_item, 8},      {run::real_item, 4},    {run::integer_item, 4},
    {run::character_item, 1}, {run::integer_item, 8}, {run::logical_item, 4},
    {run::complex_item, 8},   {run::integer_item, 1}, {run::integer_item, 2},
    {run::complex_item, 4},   {run::logical_item, 1}, {run::logical_item, 8},
};
inline constexpr std::size_t item_kind_count = sizeof item_kinds / sizeof item_kinds[0];

// A value of a real: one that is hard to write, or any bits.
inline double real_value(fuzz_input& input) {
  static const double hard[] = {0.0,
                                -0.0,
                                1.0,
                                -1.5,
                                0.1,
                                1e100,
                                -1e-100,
                                123456.789,
                                9.9999999,
                                2.5,
                                0.5,
                                99.995,
                                1e-3,
                                1e23,
                                1e15,
                                1e16,
                                0.05,
                                999999.5,
                                1e-30,
                                3e-39,
                                5e-324,
                                1e308,
                                -1e-308,
                                1.0 / 3,
                                std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
  const std::size_t which = input.choose(64);
  if (which < sizeof hard / sizeof hard[0]) return hard[which];
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits = bits << 8 | input.choose(256);
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::int64_t integer_value(fuzz_input& input) {
  static const std::int64_t some[] = {
      0, 1, -1, 7, 10, 99999, -100000, 2147483647, -2147483648ll, INT64_MAX, INT64_MIN};
  const std::size_t which = input.choose(20);
  if (which < sizeof some / sizeof some[0]) return some[which];
  return static_cast<std::int64_t>(input.choose(256) << 24 | input.choose(256) << 12 |
                                   input.choose(256)) -
         (1 << 20);
}

inline void add_value(io_item& item, fuzz_input& input) {
  char bytes[16] = {};
  std::size_t size = static_cast<std::size_t>(item.kind);
  if (item.type == run::real_item || item.type == run::complex_item) {
    const int parts = item.type == run::complex_item ? 2 : 1;
    for (int i = 0; i < parts; ++i) {
      const double value = real_value(input);
      const float single = static_cast<float>(value > 3e38 && value < 1e309 ? 3e38
                                              : value < -3e38               ? -3e38
                                                                            : value);
      std::memcpy(bytes + static_cast<std::size_t>(i) * size,
                  size == 8 ? static_cast<const void*>(&value) : &single, size);
    }
    size *= static_cast<std::size_t>(parts);
  } else if (item.type == run::logical_item) {
    bytes[0] = static_cast<char>(input.choose(2));
  } else {
    const std::int64_t value = integer_value(input);
    std::memcpy(bytes, &value, size);
  }
  item.bytes.append(bytes, size);
}

// What a statement writes; READ takes the types and lengths only.
inline std::vector<io_item> some_items(fuzz_input& input, std::size_t most) {
  std::vector<io_item> items(input.choose(most + 1));
  for (io_item& item : items) {
    const item_kind& chosen = item_kinds[input.choose(item_kind_count)];
    item.type = chosen.type;
    item.kind = chosen.kind;
    const std::size_t shape = input.choose(8);
    item.count = shape < 6 ? 0 : shape == 6 ? 1 + input.choose(12) : 40;
    const std::size_t n = item.count > 0 ? item.count : 1;
    if (item.type == run::character_item) {
      const std::size_t length = input.choose(20);
      for (std::size_t i = 0; i < n * length; ++i)
        item.bytes += i < 20 ? static_cast<char>(input.choose(256)) : 'x';
      if (length == 0) item.count = 0;
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        if (i < 4)
          add_value(item, input);
        else
          item.bytes.append(item.bytes.data(), item.bytes.size() / i);
      }
    }
  }
  return items;
}

}  // namespace headrace::fuzz
