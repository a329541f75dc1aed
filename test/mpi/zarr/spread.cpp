#include "spread.hpp"

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <utility>

namespace zarr_tests {
namespace {

constexpr char untouched = '\x5a';

template <class Value>
void put(char* element, Value value) {
  std::memcpy(element, &value, sizeof value);
}

using ranges = std::vector<std::pair<long long, long long>>;  // begin and count by dimension

// A share of an extent: rounded up, or as even as possible.
std::pair<long long, long long> share(long long extent, int parts, int at, bool rounded_up) {
  const long long each = (extent + parts - 1) / parts;
  const long long begin = rounded_up ? std::min(extent, at * each) : extent * at / parts;
  const long long end = rounded_up ? std::min(extent, (at + 1) * each) : extent * (at + 1) / parts;
  return {begin, end - begin};
}

ranges cut_by(const std::vector<long long>& global, const std::vector<int>& parts, int rank,
              bool rounded_up) {
  ranges block;
  for (std::size_t d = 0; d < global.size(); ++d) {
    block.push_back(share(global[d], parts[d], rank % parts[d], rounded_up));
    rank /= parts[d];
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

ranges block_of(const std::vector<long long>& global, cut how, int rank, int size) {
  std::vector<int> parts(global.size(), how == cut::equal || how == cut::balanced ? 0 : 1);
  ranges whole;
  for (const long long extent : global) whole.emplace_back(0, extent);
  switch (how) {
    case cut::equal:
    case cut::balanced:
      MPI_Dims_create(size, static_cast<int>(parts.size()), parts.data());
      return cut_by(global, parts, rank, how == cut::equal);
    case cut::last:
      parts.back() = size;
      return cut_by(global, parts, rank, true);
    case cut::first:
      parts.front() = size;
      return cut_by(global, parts, rank, false);
    case cut::bisected:
      return bisect(whole, rank, size, 0);
    case cut::one_holder:
      if (rank != size - 1)
        for (auto& range : whole) range.second = 0;
      return whole;
  }
  return whole;
}

}  // namespace

const std::vector<kind> kinds = {
    {"int8", HR_TYPE_INTEGER, 1},      {"int16", HR_TYPE_INTEGER, 2},
    {"int32", HR_TYPE_INTEGER, 4},     {"int64", HR_TYPE_INTEGER, 8},
    {"real32", HR_TYPE_REAL, 4},       {"real64", HR_TYPE_REAL, 8},
    {"complex64", HR_TYPE_COMPLEX, 8}, {"complex128", HR_TYPE_COMPLEX, 16},
    {"logical1", HR_TYPE_LOGICAL, 1},  {"logical4", HR_TYPE_LOGICAL, 4},
    {"logical8", HR_TYPE_LOGICAL, 8},  {"character7", HR_TYPE_CHARACTER, 7}};

const std::vector<cut> cuts = {cut::equal, cut::balanced, cut::last,
                               cut::first, cut::bisected, cut::one_holder};

const char* name_of(cut how) {
  static constexpr const char* names[] = {"equal", "balanced", "last",
                                          "first", "bisected", "one_holder"};
  return names[static_cast<int>(how)];
}

const kind& kind_named(const std::string& name) {
  for (const kind& one : kinds)
    if (name == one.name) return one;
  std::fprintf(stderr, "no kind %s\n", name.c_str());
  MPI_Abort(MPI_COMM_WORLD, 2);
  return kinds.front();
}

void put_value(const kind& of, std::int64_t place, char* element) {
  const double number = static_cast<double>(place) + 0.25;
  const bool yes = place % 3 == 1;
  switch (of.type * 100 + static_cast<int>(of.bytes)) {
    case HR_TYPE_INTEGER * 100 + 1:
      return put(element, static_cast<std::int8_t>(place % 251 - 125));
    case HR_TYPE_INTEGER * 100 + 2:
      return put(element, static_cast<std::int16_t>(place % 65521 - 32000));
    case HR_TYPE_INTEGER * 100 + 4:
      return put(element, static_cast<std::int32_t>(place * 65537 % 2147483647));
    case HR_TYPE_INTEGER * 100 + 8:
      return put(element, std::int64_t{place * 4294967311});
    case HR_TYPE_REAL * 100 + 4:
      return put(element, static_cast<float>(number));
    case HR_TYPE_REAL * 100 + 8:
      return put(element, number);
    case HR_TYPE_COMPLEX * 100 + 8:
      return put(element, std::complex<float>(static_cast<float>(number), -1.5F));
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

spread::spread(MPI_Comm comm, const kind& of, std::vector<long long> global, cut how, form memory)
    : kind_(of), global_(std::move(global)) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (const auto& [begin, count] : block_of(global_, how, rank, size)) {
    start_.push_back(begin);
    count_.push_back(count);
  }
  lay_out(memory);
  std::vector<long long> from_one = start_;
  for (long long& start : from_one) ++start;
  hr_error error{};
  if (hr_make_layout(&layout_, comm, array_.array_rank, global_.data(), from_one.data(),
                     count_.data(), &error) == 0)
    return;
  std::fprintf(stderr, "cannot make the layout %s: %s\n", name_of(how), error.message);
  MPI_Abort(comm, 2);
}

spread::~spread() {
  hr_free_layout(&layout_, nullptr);
}

void spread::lay_out(form memory) {
  array_.elem_len = kind_.bytes;
  array_.type = kind_.type;
  array_.array_rank = static_cast<int>(global_.size());
  const long long halo = memory == form::halo ? 1 : 0;
  auto stride = static_cast<std::ptrdiff_t>(kind_.bytes) * (memory == form::every_second ? 2 : 1);
  std::ptrdiff_t first = 0;
  for (std::size_t d = 0; d < global_.size(); ++d) {
    array_.extent[d] = count_[d];
    array_.stride[d] = stride;
    first += halo * stride;
    stride *= count_[d] + 2 * halo;
  }
  bytes_.assign(static_cast<std::size_t>(stride) + 1, untouched);
  array_.base = bytes_.data() + first;
  if (memory != form::backwards || count_[0] == 0) return;
  array_.base = bytes_.data() + (count_[0] - 1) * array_.stride[0];
  array_.stride[0] = -array_.stride[0];
}

// act(place in the global array, address) for each element.
template <class Visit>
void spread::visit(Visit act) const {
  std::vector<long long> at(count_.size(), 0);
  for (const long long count : count_)
    if (count == 0) return;
  for (;;) {
    std::int64_t place = 0;
    std::ptrdiff_t offset = 0;
    for (std::size_t d = count_.size(); d-- > 0;) {
      place = place * global_[d] + start_[d] + at[d];
      offset += at[d] * array_.stride[d];
    }
    act(place, static_cast<char*>(array_.base) + offset);
    std::size_t d = 0;
    for (; d < at.size(); ++d) {
      if (++at[d] < count_[d]) break;
      at[d] = 0;
    }
    if (d == at.size()) return;
  }
}

void spread::fill(std::int64_t first) {
  visit([&](std::int64_t place, char* element) { put_value(kind_, first + place, element); });
}

void spread::clear() {
  std::fill(bytes_.begin(), bytes_.end(), untouched);
}

std::int64_t spread::wrong(std::int64_t first) const {
  std::vector<char> expected(bytes_.size(), untouched);
  visit([&](std::int64_t place, char* element) {
    put_value(kind_, first + place, expected.data() + (element - bytes_.data()));
  });
  std::int64_t count = 0;
  for (std::size_t i = 0; i < bytes_.size(); ++i) count += bytes_[i] != expected[i] ? 1 : 0;
  return count;
}

checks::checks() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

void checks::that(bool good, const std::string& what) {
  int mine = good ? 1 : 0;
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  ++done_;
  if (all != 0) return;
  ++failed_;
  if (!good) std::printf("failed on MPI rank %d: %s\n", rank_, what.c_str());
  std::fflush(stdout);
}

void checks::ok(int code, const hr_error& error, const std::string& what) {
  that(code == 0, what + (code == 0 ? "" : std::string(": ") + error.message));
}

void checks::fails(int code, const hr_error& error, int expected,
                   const std::vector<std::string>& words, const std::string& what) {
  std::string first = error.message;
  first.resize(HR_MESSAGE_BYTES);
  MPI_Bcast(first.data(), HR_MESSAGE_BYTES, MPI_CHAR, 0, MPI_COMM_WORLD);
  that(first.compare(0, std::strlen(error.message) + 1, error.message,
                     std::strlen(error.message) + 1) == 0,
       what + ": MPI ranks were told differently: " + error.message);
  that(code == expected && error.status == code, what + ": expected " + std::to_string(expected) +
                                                     ", found " + std::to_string(code) + ": " +
                                                     error.message);
  for (const std::string& word : words)
    that(std::string(error.message).find(word) != std::string::npos,
         what + ": no \"" + word + "\" in: " + error.message);
}

int checks::result() const {
  if (rank_ == 0) std::printf("%lld checks, %lld failed\n", done_, failed_);
  return failed_ == 0 && done_ > 0 ? 0 : 1;
}

hr_parallel_options options(const char* pattern, const char* checksum, const char* compression,
                            const char* hints) {
  hr_parallel_options chosen{};
  chosen.format = "zarr";
  chosen.pattern = pattern;
  chosen.checksum = checksum;
  chosen.compression = compression;
  chosen.hints = hints;
  return chosen;
}

void write_store(checks& check, const std::string& file, const spread& from,
                 const hr_parallel_options& how, const std::string& what,
                 hr_parallel_report* report) {
  hr_error error{};
  const int code =
      hr_write_parallel(file.c_str(), from.array(), from.layout(), &how, report, &error);
  check.ok(code, error, "write " + what);
}

void read_store(checks& check, const std::string& file, spread& to, const std::string& what) {
  hr_error error{};
  hr_parallel_options how{};
  how.format = "zarr";
  to.clear();
  const int code = hr_read_parallel(file.c_str(), to.array(), to.layout(), &how, nullptr, &error);
  check.ok(code, error, "read " + what);
  const std::int64_t wrong = to.wrong();
  check.that(wrong == 0, std::to_string(wrong) + " wrong bytes: " + what);
}

}  // namespace zarr_tests
