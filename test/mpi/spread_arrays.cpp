#include "spread_arrays.hpp"

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>

namespace spread {
namespace {

constexpr char untouched = '\x5a';

template <class Value>
void put(char* element, Value value) {
  std::memcpy(element, &value, sizeof value);
}

struct range {
  long long begin;  // from 0
  long long count;
};
using ranges = std::vector<range>;  // by dimension

// Where part number `at` of an extent begins.
long long begin_of(long long extent, int parts, int at, cut how) {
  if (how == cut::equal) return std::min(extent, at * ((extent + parts - 1) / parts));
  if (how == cut::balanced || at >= parts) return extent * at / parts;
  long long begin = 0;
  for (int part = 1; part <= at; ++part) {
    const long long shift = how == cut::skewed ? 2 * part % 3 - 1 : part % 3;
    begin = std::max(begin, std::min(extent, extent * part / parts + shift));
  }
  return begin;
}

ranges cut_by(const extents& global, const std::vector<int>& parts, int rank, cut how) {
  ranges block;
  for (std::size_t d = 0; d < global.size(); ++d) {
    const int at = rank % parts[d];
    rank /= parts[d];
    const long long begin = begin_of(global[d], parts[d], at, how);
    block.push_back({begin, begin_of(global[d], parts[d], at + 1, how) - begin});
  }
  return block;
}

ranges bisect(ranges block, int rank, int size, std::size_t dimension) {
  if (size == 1) return block;
  auto& [begin, count] = block[dimension % block.size()];
  const int low = size / 2;
  const long long at = (count * low + size / 3) / size;
  if (rank >= low) begin += at;
  count = rank < low ? at : count - at;
  return rank < low ? bisect(block, rank, low, dimension + 1)
                    : bisect(block, rank - low, size - low, dimension + (size > 2 ? 2 : 1));
}

ranges block_of(const extents& global, cut how, int rank, int size) {
  ranges whole;
  for (const long long extent : global) whole.push_back({0, extent});
  const ranges nothing(global.size(), {0, 0});
  std::vector<int> parts(global.size(), 1);
  const int holders = how == cut::few_holders ? (size + 1) / 2 : size;
  switch (how) {
    case cut::bisected:
      return bisect(whole, rank, size, 0);
    case cut::one_holder:
      return rank == size - 1 ? whole : nothing;
    case cut::last:
      parts.back() = size;
      return cut_by(global, parts, rank, cut::equal);
    case cut::first:
      parts.front() = size;
      return cut_by(global, parts, rank, cut::balanced);
    default:
      parts.assign(global.size(), 0);
      MPI_Dims_create(holders, static_cast<int>(parts.size()), parts.data());
      return rank < holders ? cut_by(global, parts, rank, how) : nothing;
  }
}

}  // namespace

const std::vector<kind> kinds = {
    {"int8", HR_TYPE_INTEGER, 1},      {"int16", HR_TYPE_INTEGER, 2},
    {"int32", HR_TYPE_INTEGER, 4},     {"int64", HR_TYPE_INTEGER, 8},
    {"real32", HR_TYPE_REAL, 4},       {"real64", HR_TYPE_REAL, 8},
    {"complex64", HR_TYPE_COMPLEX, 8}, {"complex128", HR_TYPE_COMPLEX, 16},
    {"logical1", HR_TYPE_LOGICAL, 1},  {"logical4", HR_TYPE_LOGICAL, 4},
    {"logical8", HR_TYPE_LOGICAL, 8},  {"character7", HR_TYPE_CHARACTER, 7}};

const kind& kind_named(const std::string& name) {
  for (const kind& one : kinds)
    if (name == one.name) return one;
  std::fprintf(stderr, "no kind %s\n", name.c_str());
  MPI_Abort(MPI_COMM_WORLD, 2);
  return kinds.front();
}

const char* name_of(cut how) {
  static constexpr const char* names[] = {"equal",  "balanced",    "uneven",
                                          "skewed", "few_holders", "one_holder",
                                          "last",   "first",       "bisected"};
  return names[static_cast<int>(how)];
}

void put_value(const kind& of, std::int64_t place, char* element) {
  const auto number = static_cast<double>(place) + 0.25;
  const bool yes = place % 3 == 1;
  switch (of.type * 100 + static_cast<int>(of.bytes)) {
    case HR_TYPE_INTEGER * 100 + 1:
      return put(element, static_cast<std::int8_t>(place * 7 % 251 - 125));
    case HR_TYPE_INTEGER * 100 + 2:
      return put(element, static_cast<std::int16_t>(place * 31 % 65521 - 32000));
    case HR_TYPE_INTEGER * 100 + 4:
      return put(element, static_cast<std::int32_t>(place * 65537 % 2147483647));
    case HR_TYPE_INTEGER * 100 + 8:
      return put(element, std::int64_t{place * 4294967311});
    case HR_TYPE_REAL * 100 + 4:
      return put(element, static_cast<float>(number));
    case HR_TYPE_REAL * 100 + 8:
      return put(element, number);
    case HR_TYPE_COMPLEX * 100 + 8:
      return put(element,
                 std::complex<float>(static_cast<float>(number), static_cast<float>(-place)));
    case HR_TYPE_COMPLEX * 100 + 16:
      return put(element, std::complex<double>(number, -number * 3));
    case HR_TYPE_LOGICAL * 100 + 1:
      return put(element, static_cast<std::int8_t>(yes));
    case HR_TYPE_LOGICAL * 100 + 4:
      return put(element, static_cast<std::int32_t>(yes));
    case HR_TYPE_LOGICAL * 100 + 8:
      return put(element, static_cast<std::int64_t>(yes));
    default:
      break;
  }
  std::string text = "t" + std::to_string(place);
  text.resize(of.bytes, ' ');
  std::memcpy(element, text.data(), of.bytes);
}

spread_array::spread_array(MPI_Comm comm, const kind& of, const extents& global, cut how,
                           memory form)
    : kind_(of), global_(global) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  extents from_one;
  for (const auto& [begin, count] : block_of(global_, how, rank, size)) {
    start_.push_back(begin);
    from_one.push_back(begin + 1);
    count_.push_back(count);
  }
  lay_out(form);
  hr_error error{};
  if (hr_make_layout(&layout_, comm, array_.array_rank, global_.data(), from_one.data(),
                     count_.data(), &error) == 0)
    return;
  std::fprintf(stderr, "cannot make the layout %s: %s\n", name_of(how), error.message);
  MPI_Abort(comm, 2);
}

spread_array::~spread_array() {
  hr_free_layout(&layout_, nullptr);
}

void spread_array::lay_out(memory form) {
  array_.elem_len = kind_.bytes;
  array_.type = kind_.type;
  array_.array_rank = static_cast<int>(global_.size());
  const long long halo = form == memory::halo ? 2 : 0;
  auto stride = static_cast<std::ptrdiff_t>(kind_.bytes) * (form == memory::every_second ? 2 : 1);
  std::ptrdiff_t first = 0;
  for (std::size_t d = 0; d < global_.size(); ++d) {
    array_.extent[d] = count_[d];
    array_.stride[d] = stride;
    first += halo * stride;
    stride *= count_[d] + 2 * halo;
  }
  bytes_.assign(static_cast<std::size_t>(stride) + 1, untouched);
  array_.base = bytes_.data() + first;
  if (form != memory::backwards || count_[0] == 0) return;
  array_.base = bytes_.data() + (count_[0] - 1) * array_.stride[0];
  array_.stride[0] = -array_.stride[0];
}

// act(place in the whole array, element)
template <class Visit>
void spread_array::visit(Visit act) const {
  for (const long long count : count_)
    if (count == 0) return;
  extents at(count_.size(), 0);  // of the first element of a row
  for (;;) {
    std::int64_t place = 0;
    char* element = static_cast<char*>(array_.base);
    for (std::size_t d = count_.size(); d-- > 0;) {
      place = place * global_[d] + start_[d] + at[d];
      element += at[d] * array_.stride[d];
    }
    for (long long i = 0; i < count_[0]; ++i, ++place, element += array_.stride[0])
      act(place, element);
    std::size_t d = 1;
    for (; d < at.size(); ++d) {
      if (++at[d] < count_[d]) break;
      at[d] = 0;
    }
    if (d >= at.size()) return;
  }
}

void spread_array::fill(std::int64_t first) {
  visit([&](std::int64_t place, char* element) { put_value(kind_, first + place, element); });
}

void spread_array::clear() {
  std::fill(bytes_.begin(), bytes_.end(), untouched);
}

std::int64_t spread_array::wrong(std::int64_t first) const {
  std::vector<char> expected(bytes_.size(), untouched);
  visit([&](std::int64_t place, char* element) {
    put_value(kind_, first + place, expected.data() + (element - bytes_.data()));
  });
  std::int64_t found = 0;
  for (std::size_t i = 0; i < bytes_.size(); ++i) found += bytes_[i] != expected[i] ? 1 : 0;
  return found;
}

hr_array scalar(void* value, int type, std::size_t bytes) {
  hr_array described{};
  described.base = value;
  described.type = type;
  described.elem_len = bytes;
  return described;
}

hr_array list(void* values, int type, std::size_t bytes, std::ptrdiff_t count) {
  hr_array described = scalar(values, type, bytes);
  described.array_rank = 1;
  described.extent[0] = count;
  described.stride[0] = static_cast<std::ptrdiff_t>(bytes);
  return described;
}

}  // namespace spread
