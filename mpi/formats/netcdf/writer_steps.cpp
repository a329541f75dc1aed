// The part of netcdf_writer that ends a file with steps: their numbers, and what was left out.
#include <algorithm>

#include "writer.hpp"

namespace headrace {

// Afterwards every array says which steps it has, unless it has all of them.
status netcdf_writer::finish_steps() {
  if (steps_.all().empty()) return {};
  for (const auto& [name, array] : arrays_)
    if (status s = mark_gaps(array); !s.ok()) return s;
  if (status s = end_define(); !s.ok()) return s;
  if (status s = write_step_numbers(); !s.ok()) return s;
  for (const auto& [name, array] : arrays_)
    if (status s = fill_gaps(array); !s.ok()) return s;
  return {};
}

status netcdf_writer::mark_gaps(const written_array& array) {
  if (array.axis == nullptr || array.records.size() == array.axis->numbers.size()) return {};
  return agree_on(*comm_, [&] {
    if (file_ == nullptr) return status();
    std::vector<std::int64_t> records = array.records;
    std::sort(records.begin(), records.end());
    std::vector<std::int64_t> numbers;
    for (const std::int64_t record : records)
      numbers.push_back(array.axis->numbers[static_cast<std::size_t>(record)]);
    status done = file_->define();
    if (done.ok())
      done = file_->put_attribute(array.id, netcdf_steps_attribute, netcdf_type::int64,
                                  static_cast<std::int64_t>(numbers.size()), numbers.data());
    if (done.ok() && array.form.type != netcdf_type::text)
      done = file_->put_attribute(array.id, "missing_value", array.form.type, 1,
                                  fill_values(array.form.type, 1).data());
    return done;
  });
}

// All memory is there before the first call: libraries wait for all MPI ranks in some.
status netcdf_writer::fill_gaps(const written_array& array) {
  if (array.axis == nullptr || array.records.size() == array.axis->numbers.size()) return {};
  gaps_to_fill gaps;
  const status found = agree_on(*comm_, [&] {
    if (file_ != nullptr) find_gaps(array, gaps);
    return status();
  });
  if (!found.ok()) return found;
  return agree_on(*comm_, [&] { return gaps.records.empty() ? status() : put_gaps(array, gaps); });
}

void netcdf_writer::find_gaps(const written_array& array, gaps_to_fill& gaps) const {
  std::vector<bool> is_there(array.axis->numbers.size(), false);
  std::size_t end = 0;  // behind the last record that somebody must write
  for (const std::int64_t record : array.records) {
    is_there[static_cast<std::size_t>(record)] = true;
    end = std::max(end, static_cast<std::size_t>(record) + 1);
  }
  if (!file_->pads_records()) end = is_there.size();
  for (std::size_t record = 0; record < end; ++record)
    if (!is_there[record]) gaps.records.push_back(static_cast<std::int64_t>(record));
  if (gaps.records.empty()) return;
  constexpr std::int64_t part_bytes = std::int64_t{16} << 20;
  const std::int64_t element_bytes = array.bytes / volume(array.whole);
  gaps.parts = parts_for_calls(array.whole, std::max<std::int64_t>(1, part_bytes / element_bytes));
  gaps.nothing = fill_values(array.form.type, volume(gaps.parts.front()) * array.form.parts);
}

// Not collective: the MPI ranks that have the file share the parts.
status netcdf_writer::put_gaps(const written_array& array, const gaps_to_fill& gaps) {
  bool collective = false;
  status done = file_->use(array.id, collective);
  const bool alone = settings_.pattern == write_pattern::serial;
  const auto ranks = static_cast<std::size_t>(alone ? 1 : comm_->size());
  for (const std::int64_t record : gaps.records)
    for (auto i = static_cast<std::size_t>(comm_->rank()); i < gaps.parts.size() && done.ok();
         i += ranks)
      done = file_->put(array.id, array.form.type,
                        section_of(gaps.parts[i], array.form, record, false), gaps.nothing.data());
  return done;
}

status netcdf_writer::write_step_numbers() {
  std::vector<std::vector<std::int64_t>> numbers;  // PnetCDF swaps bytes in place
  const status copied = agree_on(*comm_, [&] {
    for (const auto& axis : steps_.all())
      if (file_ != nullptr) numbers.push_back(axis->numbers);
    return status();
  });
  if (!copied.ok()) return copied;
  const auto write = [&] {
    if (file_ == nullptr) return status();
    return file_->write_little([&] { return put_step_numbers(numbers); });
  };
  // Together it agrees within.
  return is_together() ? agree(*comm_, write()) : agree_on(*comm_, write);
}

status netcdf_writer::put_step_numbers(std::vector<std::vector<std::int64_t>>& numbers) {
  status done;
  auto own = numbers.begin();
  for (const auto& axis : steps_.all()) {
    box all;
    all.array_rank = 1;
    all.count[0] = static_cast<std::int64_t>(own->size());
    const netcdf_form form{netcdf_type::int64, 1, "", ""};
    bool collective = true;
    done.keep_first(file_->use(axis->variable, collective));
    done.keep_first(file_->put(axis->variable, form.type,
                               section_of(all, form, -1, comm_->rank() != 0), own->data()));
    ++own;
  }
  return done;
}

}  // namespace headrace
