#include "record_index.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_places = std::size_t{1} << 17;

}  // namespace

// Keeps the places among count records that begin one stride after another.
void record_index::note(std::uint64_t number, std::uint64_t begin, std::uint64_t count,
                        std::uint64_t stride) {
  for (;;) {
    const std::uint64_t next = places_.size() * spacing_ + 1;
    if (next >= number + count) return;
    places_.push_back(begin + (next - number) * stride);
    if (places_.size() < most_places) continue;
    for (std::size_t i = 0; 2 * i < places_.size(); ++i) places_[i] = places_[2 * i];
    places_.resize(places_.size() / 2);
    spacing_ *= 2;
  }
}

// Until the record of that number is reached, or no further record can be passed.
void record_index::pass_until(std::uint64_t number) {
  record_extent record;
  while (frontier_.number() < number && frontier_.next(record)) {
    note(record.number, record.begin, 1, 0);
    if (record.pieces != 1) continue;
    const std::uint64_t begin = frontier_.begin();
    const std::uint64_t first = frontier_.number();
    const std::uint64_t equal = frontier_.skip_equal(record.bytes, number - first);
    note(first, begin, equal, record.end - record.begin);
  }
}

status record_index::missing(std::int64_t number) {
  pass_until(UINT64_MAX);
  if (number > 0 && !frontier_.failure().ok()) return frontier_.failure();
  const std::string count = std::to_string(known()) + (known() == 1 ? " record" : " records");
  return status::failure(stat_code::record_missing, "there is no record " + std::to_string(number))
      .expected("a number from 1 to " + std::to_string(known() + 1), std::to_string(number))
      .advise(frontier_.failure().ok() ? "the file has " + count + "; the last number is its end"
                                       : "the file has " + count + " before it is damaged");
}

status record_index::go_to(std::int64_t given, record_walk& walk) {
  if (given < 1) return missing(given);
  const auto number = static_cast<std::uint64_t>(given);
  pass_until(number);
  if (number > frontier_.number()) return missing(given);
  if (number == frontier_.number()) {
    walk.go_to(frontier_.begin(), number);
    return {};
  }
  const std::uint64_t place = (number - 1) / spacing_;
  walk.go_to(places_[place], place * spacing_ + 1);
  if (walk.skip(number - walk.number())) return {};
  if (!walk.failure().ok()) return walk.failure();
  return record_file_shrank(walk.file(), walk.begin());
}

status record_index::count(std::uint64_t& records) {
  pass_until(UINT64_MAX);
  records = known();
  return frontier_.failure();
}

}  // namespace headrace
