#include "spread_arrays.hpp"

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace hdf5_tests {
namespace {

constexpr char untouched = '\x5a';

template <class Value>
void put(char* element, Value value) {
  std::memcpy(element, &value, sizeof value);
}

void put_text(std::int64_t place, char* element, std::size_t bytes) {
  std::string text = "t" + std::to_string(place);
  text.resize(bytes, ' ');
  std::memcpy(element, text.data(), bytes);
}

// Where part number `at` of `parts` begins: not evenly, and not the same for every cut.
long long begin_of(long long extent, int parts, int at, int cut) {
  if (at <= 0) return 0;
  if (at >= parts) return extent;
  long long begin = 0;
  for (int part = 1; part <= at; ++part) {
    const long long shift = (cut * part) % 3 - (cut > 1 ? 1 : 0);
    begin = std::max(begin, std::min(extent, extent * part / parts + shift));
  }
  return begin;
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

void put_value(const kind& of, std::int64_t place, char* element) {
  const std::string name = of.name;
  const auto number = static_cast<double>(place) + 0.25;
  if (name == "int8") put(element, static_cast<std::int8_t>(place * 7 % 251 - 125));
  if (name == "int16") put(element, static_cast<std::int16_t>(place * 31 % 65521 - 32000));
  if (name == "int32") put(element, static_cast<std::int32_t>(place * 65537 % 2147483647));
  if (name == "int64") put(element, std::int64_t{place * 4294967311});
  if (name == "real32") put(element, static_cast<float>(number));
  if (name == "real64") put(element, number);
  if (name == "complex64")
    put(element, std::complex<float>(static_cast<float>(number), static_cast<float>(-place)));
  if (name == "complex128") put(element, std::complex<double>(number, -number * 3));
  const bool yes = place % 3 == 1;
  if (name == "logical1") put(element, static_cast<std::int8_t>(yes));
  if (name == "logical4") put(element, static_cast<std::int32_t>(yes));
  if (name == "logical8") put(element, static_cast<std::int64_t>(yes));
  if (of.type == HR_TYPE_CHARACTER) put_text(place, element, of.bytes);
}

spread_array::spread_array(MPI_Comm comm, const kind& of, const extents& global, int cut,
                           memory form, int ranks)
    : kind_(of), global_(global), start_(global.size()), count_(global.size()) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int holders = ranks == 0 ? size : ranks;
  const auto array_rank = static_cast<int>(global.size());
  std::vector<int> parts(global.size(), 0);
  MPI_Dims_create(holders, array_rank, parts.data());
  int rest = rank;
  for (std::size_t d = 0; d < global.size(); ++d) {
    const int at = rest % parts[d];
    rest /= parts[d];
    const long long begin = begin_of(global[d], parts[d], at, cut);
    start_[d] = begin + 1;
    count_[d] = rank < holders ? begin_of(global[d], parts[d], at + 1, cut) - begin : 0;
  }
  array_.elem_len = of.bytes;
  array_.type = of.type;
  array_.array_rank = array_rank;
  const long long halo = form == memory::halo ? 2 : 0;
  const std::ptrdiff_t step = form == memory::every_second ? 2 : 1;
  auto stride = static_cast<std::ptrdiff_t>(of.bytes) * step;
  std::ptrdiff_t first = 0;
  for (std::size_t d = 0; d < global.size(); ++d) {
    array_.extent[d] = count_[d];
    array_.stride[d] = stride;
    first += halo * stride;
    stride *= count_[d] + 2 * halo;
  }
  bytes_.assign(static_cast<std::size_t>(stride) + 1, untouched);
  array_.base = bytes_.data() + first;
  if (form == memory::backwards && !count_.empty() && count_[0] > 0) {
    array_.base = bytes_.data() + (count_[0] - 1) * array_.stride[0];
    array_.stride[0] = -array_.stride[0];
  }
  hr_error error{};
  if (hr_make_layout(&layout_, comm, array_rank, global.data(), start_.data(), count_.data(),
                     &error) != 0)
    std::fprintf(stderr, "layout: %s\n", error.message);
}

spread_array::~spread_array() {
  hr_free_layout(&layout_, nullptr);
}

// visit(place in the whole array, element)
template <class Visit>
void spread_array::for_each(Visit visit) const {
  for (const long long count : count_)
    if (count == 0) return;
  std::vector<long long> index(count_.size(), 0);
  for (;;) {
    std::int64_t place = 0;
    char* element = static_cast<char*>(array_.base);
    for (std::size_t d = count_.size(); d-- > 0;) {
      place = place * global_[d] + start_[d] - 1 + index[d];
      element += index[d] * array_.stride[d];
    }
    visit(place, element);
    std::size_t d = 0;
    for (; d < index.size(); ++d) {
      if (++index[d] < count_[d]) break;
      index[d] = 0;
    }
    if (d == index.size()) return;
  }
}

void spread_array::fill(std::int64_t offset) {
  for_each([&](std::int64_t place, char* element) { put_value(kind_, place + offset, element); });
}

void spread_array::clear() {
  std::fill(bytes_.begin(), bytes_.end(), untouched);
}

std::int64_t spread_array::wrong(std::int64_t offset) const {
  std::int64_t found = 0;
  std::vector<char> beside = bytes_;
  std::vector<char> expected(kind_.bytes);
  for_each([&](std::int64_t place, char* element) {
    put_value(kind_, place + offset, expected.data());
    found += std::memcmp(element, expected.data(), kind_.bytes) != 0 ? 1 : 0;
    std::memset(beside.data() + (element - bytes_.data()), untouched, kind_.bytes);
  });
  for (const char byte : beside) found += byte != untouched ? 1 : 0;
  return found;
}

checks::checks(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
}

bool checks::that(bool condition, const std::string& what) {
  ++done_;
  if (condition) return true;
  ++failed_;
  std::fprintf(stderr, "MPI rank %d: %s\n", rank_, what.c_str());
  return false;
}

bool checks::ok(int code, const hr_error& error, const std::string& what) {
  return that(code == 0, what + ": status " + std::to_string(code) + ", " + error.message);
}

bool checks::fails(int code, const hr_error& error, int expected, const std::string& words,
                   const std::string& what) {
  const std::string message = error.message;
  bool good = that(code == expected, what + ": expected status " + std::to_string(expected) +
                                         ", found " + std::to_string(code) + ": " + message);
  good = that(message.find(words) != std::string::npos,
              what + ": no \"" + words + "\" in the message: " + message) &&
         good;
  std::vector<char> first(HR_MESSAGE_BYTES, '\0');
  message.copy(first.data(), first.size() - 1);
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, comm_);
  return that(message == first.data(), what + ": another message than on MPI rank 0: " + message) &&
         good;
}

int checks::finish(const char* name) {
  long long counts[2] = {done_, failed_};
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG_LONG, MPI_SUM, comm_);
  if (rank_ == 0)
    std::printf("%s: %lld checks on %d MPI ranks, %lld failed\n", name, counts[0], size_,
                counts[1]);
  std::fflush(stdout);
  return counts[1] == 0 && counts[0] > 0 ? 0 : 1;
}

hr_parallel_options options(const char* pattern, const char* transfer, const char* dataset) {
  hr_parallel_options chosen{};
  chosen.pattern = pattern;
  chosen.transfer = transfer;
  chosen.dataset = dataset;
  return chosen;
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

const std::vector<way> ways = {
    {"shared_collective", "headrace"}, {"shared_independent", "headrace"}, {"serial", "headrace"},
    {"shared_collective", "library"},  {"shared_independent", "library"},  {"serial", "library"}};

std::string text_of(const way& one) {
  return std::string(one.pattern) + " by " + one.transfer;
}

}  // namespace hdf5_tests
