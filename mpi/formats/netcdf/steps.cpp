// The part of definitions that ends a file with steps: their numbers, and what was left out.
#include <algorithm>

#include "definitions.hpp"

namespace headrace::netcdf {

// All memory that the MPI ranks need, and every array says which steps it has, unless it has all.
status definitions::prepare_end() {
  stored_ = 0;
  for (auto& [name, array] : arrays_) {
    if (status s = mark_gaps(array); !s.ok()) return s;
    stored_ += volume(array.whole) * static_cast<std::int64_t>(array.elem_len) *
               (array.axis == nullptr ? 1 : static_cast<std::int64_t>(array.records.size()));
  }
  for (const auto& axis : axes_) axis->collect_unwritten();
  return {};
}

status definitions::mark_gaps(defined_array& array) {
  if (array.has_all() && !array.is_marked) return {};
  std::vector<std::int64_t> records = array.records;
  std::sort(records.begin(), records.end());
  for (std::int64_t& record : records) record = array.axis->numbers[record];
  status done = define(96 + 8 * static_cast<std::int64_t>(records.size()), "the list of steps");
  if (done.ok())
    done = file_->put_attribute(array.id, steps_attribute, value_type::int64,
                                static_cast<std::int64_t>(records.size()), records.data());
  if (done.ok() && !array.is_marked && array.form.type != value_type::text)
    done = file_->put_attribute(array.id, "missing_value", array.form.type, 1,
                                fill_values(array.form.type, 1).data());
  array.is_marked = true;
  return done;
}

// Records that somebody must write. Behind the last one of an array NetCDF-4 has the value itself.
std::vector<std::int64_t> definitions::gaps_of(const defined_array& array) const {
  std::vector<std::int64_t> gaps;
  if (array.axis == nullptr || array.records.empty()) return gaps;
  const std::int64_t end = classic_ ? array.axis->numbers.count()
                                    : *std::max_element(array.records.begin(), array.records.end());
  std::vector<bool> is_there(static_cast<std::size_t>(end) + 1, false);
  for (const auto* list : {&array.records, &array.filled})
    for (const std::int64_t record : *list) is_there[static_cast<std::size_t>(record)] = true;
  for (std::int64_t record = 0; record < end; ++record)
    if (!is_there[static_cast<std::size_t>(record)]) gaps.push_back(record);
  return gaps;
}

status definitions::fill_gaps() {
  for (auto& [name, array] : arrays_) {
    if (array.has_all()) continue;
    bool collective = false;
    if (status s = file_->use(array.id, collective); !s.ok()) return s;
    if (!puts()) continue;
    const std::vector<std::int64_t> gaps = gaps_of(array);
    if (status s = fill(array, gaps); !s.ok()) return s;
  }
  return {};
}

status definitions::fill(defined_array& array, const std::vector<std::int64_t>& gaps) {
  if (gaps.empty()) return {};
  constexpr std::int64_t part_bytes = std::int64_t{16} << 20;
  const auto most = part_bytes / static_cast<std::int64_t>(array.elem_len);
  const std::vector<box> parts = parts_for_calls(array.whole, std::max<std::int64_t>(1, most));
  const std::int64_t values = volume(parts.front()) * array.form.parts;
  for (const std::int64_t record : gaps) {
    for (const box& part : parts) {
      const std::vector<char> nothing = fill_values(array.form.type, values);  // see unwritten
      if (status s =
              file_->put(array.id, section_of(part, array.form, record, false), nothing.data());
          !s.ok())
        return s;
    }
    array.filled.push_back(record);
  }
  return {};
}

// The numbers of steps come last: in a classic file they make the records count.
status definitions::write_numbers() {
  for (const auto& axis : axes_) {
    if (axis->unwritten.empty()) continue;
    bool collective = !classic_;
    status done = file_->end_define();
    done.keep_first(file_->use(axis->variable, collective));
    file_section part;
    part.dimensions = 1;
    part.start[0] = puts() ? static_cast<std::int64_t>(axis->written) : 0;
    part.count[0] = puts() ? static_cast<std::int64_t>(axis->unwritten.size()) : 0;
    part.values = part.count[0];
    if (puts() || collective)
      done.keep_first(file_->put(axis->variable, part, axis->unwritten.data()));
    collective = true;
    done.keep_first(file_->use(axis->variable, collective));
    if (!done.ok()) return done;
    axis->written += axis->unwritten.size();
    axis->unwritten.clear();
  }
  return {};
}

// What a classic file has written: the header, the arrays, and the numbers.
std::vector<byte_range> definitions::places() const {
  std::vector<byte_range> found;
  if (!classic_) return found;
  found.push_back({0, file_->header_bytes()});
  const auto add = [&](int variable, std::int64_t records, std::int64_t bytes) {
    for (std::int64_t record = 0; record < std::max<std::int64_t>(1, records); ++record) {
      const std::int64_t begin = file_->offset_of(variable, record);
      found.push_back({begin, begin + bytes});
    }
  };
  for (const auto& axis : axes_) add(axis->variable, axis->numbers.count(), 8);
  for (const auto& [name, array] : arrays_)
    add(array.id, array.axis == nullptr ? 1 : array.axis->numbers.count(),
        volume(array.whole) * static_cast<std::int64_t>(array.elem_len));
  return joined(std::move(found));
}

}  // namespace headrace::netcdf
