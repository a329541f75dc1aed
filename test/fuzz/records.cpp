// Files of records in every dialect: the walk forth and back, the index and the reader find what
// the plainest walk finds, and stop where it stops.
#include <algorithm>
#include <optional>

#include "../kernels/record_reference.hpp"
#include "binary/record_reader.hpp"
#include "memory_file.hpp"
#include "targets.hpp"

namespace headrace::fuzz {
namespace {

void compare(const record_extent& found, const reference_file& truth, std::size_t i) {
  require(i < truth.records.size(), "a record that is none");
  const reference_record& record = truth.records[i];
  require(found.number == i + 1, "wrong number of a record");
  require(found.begin == record.begin && found.end == record.end, "wrong place of a record");
  require(found.bytes == record.data.size(), "wrong length of a record");
  require(found.pieces == record.pieces.size(), "wrong number of pieces");
}

void check_failure(const status& failure, bool damaged) {
  require(failure.ok() == !damaged, damaged ? "damage was passed" : failure.message());
  if (!damaged) return;
  require(failure.code() == static_cast<int>(stat_code::record_marker_damaged) ||
              failure.code() == static_cast<int>(stat_code::truncated_record),
          "another failure: " + failure.message());
  require(failure.message().find("byte ") != std::string::npos, "no offset");
}

void walk_forth_and_back(const file_reader& file, const record_dialect& dialect,
                         const reference_file& truth) {
  record_walk walk(file, dialect);
  record_extent record;
  std::size_t passed = 0;
  for (; walk.next(record); ++passed) compare(record, truth, passed);
  require(passed == truth.records.size(), "fewer records than there are");
  check_failure(walk.failure(), truth.damaged);
  if (dialect.segmented) return;
  for (; walk.previous(record); --passed) {
    require(passed > 0, "a record before the first");
    compare(record, truth, passed - 1);
  }
  require(passed == 0 && walk.failure().ok(), "the way back stops: " + walk.failure().message());
}

void skip_in_steps(const file_reader& file, const record_dialect& dialect,
                   const reference_file& truth, std::size_t step) {
  record_walk walk(file, dialect);
  const std::size_t last = truth.records.size();
  for (std::size_t at = 0; at + step <= last; at += step) {
    require(walk.skip(step), "cannot skip " + walk.failure().message());
    require(walk.number() == at + step + 1, "skipped to another record");
  }
  require(!walk.skip(step), "skipped beyond the end");
  require(walk.number() == last + 1, "stopped before another record");
}

array_view bytes_view(std::string& space, std::size_t word, std::size_t records) {
  array_view view{space.data(), word, type_class::integer, 2};
  const std::size_t words = space.size() / word / records;
  view.extent = {static_cast<std::ptrdiff_t>(words), static_cast<std::ptrdiff_t>(records)};
  view.stride = {static_cast<std::ptrdiff_t>(word), static_cast<std::ptrdiff_t>(word * words)};
  return view;
}

std::string swapped(std::string data, std::size_t word, const record_dialect& dialect) {
  if (dialect.order == byte_order::big)
    for (std::size_t at = 0; at + word <= data.size(); at += word)
      std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                   data.begin() + static_cast<std::ptrdiff_t>(at + word));
  return data;
}

// Reads the next records, as many at once as have one length.
std::size_t read_some(record_reader& reader, const reference_file& truth, std::size_t at,
                      const record_dialect& dialect) {
  const std::size_t bytes = truth.records[at].data.size();
  std::uint64_t found = 0;
  const status next = reader.next_bytes(found);
  require(next.ok() && found == bytes, "wrong next length " + next.message());
  std::string other(bytes + 1, '?');
  require(reader.read(bytes_view(other, 1, 1)).code() ==
              static_cast<int>(stat_code::record_size_mismatch),
          "read into an array of another size");
  require(other == std::string(bytes + 1, '?'), "touched an array of another size");
  std::size_t records = 1;
  std::string expected = truth.records[at].data;
  while (at + records < truth.records.size() && truth.records[at + records].data.size() == bytes)
    expected += truth.records[at + records++].data;
  const std::size_t word = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
  std::string space(expected.size(), '?');
  const status read = reader.read_many(bytes_view(space, word, records));
  require(read.ok(), "cannot read: " + read.message());
  require(space == swapped(expected, word, dialect), "other bytes");
  return records;
}

void read_all(record_reader& reader, const reference_file& truth, const record_dialect& dialect) {
  std::size_t at = 0;
  while (at < truth.records.size()) at += read_some(reader, truth, at, dialect);
  std::uint64_t bytes = 0;
  const status end = reader.next_bytes(bytes);
  if (truth.damaged)
    check_failure(end, true);
  else
    require(end.code() == static_cast<int>(stat_code::end_of_file), "no end: " + end.message());
}

void find_by_number(record_reader& reader, const reference_file& truth, std::size_t step) {
  const std::size_t records = truth.records.size();
  std::uint64_t count = 0;
  check_failure(reader.count(count), truth.damaged);
  require(count == records, "counted wrongly");
  std::vector<record_part> parts;
  for (std::size_t i = 0; i < records; i += step) {
    const std::size_t number = records - i;
    require(reader.go_to(static_cast<std::int64_t>(number)).ok(), "cannot go to a record");
    std::uint64_t bytes = 0;
    require(reader.next_bytes(bytes).ok() && bytes == truth.records[number - 1].data.size(),
            "went to another record");
    require(reader.locate(static_cast<std::int64_t>(number), 3, parts).ok(), "cannot locate");
    const auto& pieces = truth.records[number - 1].pieces;
    require(parts.size() >= std::min<std::size_t>(3, pieces.size()), "located fewer pieces");
    for (std::size_t k = 0; k < parts.size() && k < pieces.size(); ++k)
      require(parts[k].number == number && parts[k].offset == pieces[k].first &&
                  parts[k].bytes == pieces[k].second,
              "located another piece");
  }
  require(!reader.go_to(static_cast<std::int64_t>(records) + 2).ok(), "went beyond the end");
}

}  // namespace

void records(std::string_view bytes) {
  fuzz_input input(bytes);
  const std::vector<record_dialect> dialects = all_dialects();
  const record_dialect dialect = dialects[input.choose(dialects.size())];
  const std::size_t step = 1 + input.choose(9);
  // Repeated, short inputs make files of many windows.
  const std::size_t repeats = input.choose(4) == 3 ? 1 + input.choose(64) : 1;
  std::string content;
  for (std::size_t i = 0; i < repeats; ++i) content += input.rest();
  const memory_file memory(content);
  const reference_file truth = reference_walk(content, dialect);
  file_reader file;
  require(file.open(memory.path()).ok(), "cannot open");
  walk_forth_and_back(file, dialect, truth);
  skip_in_steps(file, dialect, truth, step);
  record_reader reader;
  require(reader.open(memory.path(), {dialect}).ok(), "cannot open to read");
  read_all(reader, truth, dialect);
  find_by_number(reader, truth, step);
  record_reader guess;
  if (const status s = guess.open(memory.path(), dialects); !s.ok())
    require(s.message().find("record_marker=8") != std::string::npos, "not told what was tried");
}

}  // namespace headrace::fuzz
