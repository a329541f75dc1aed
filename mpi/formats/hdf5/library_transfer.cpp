// The library's way: H5Dwrite and H5Dread, of all MPI ranks together or each by itself.
#include <algorithm>
#include <array>

#include "../../disk/library_files.hpp"
#include "../../move/plans.hpp"
#include "../../move/slabs.hpp"
#include "mpi_file.hpp"
#include "transfer.hpp"

namespace headrace {
namespace {

// act(box, data) for boxes, one after another.
template <class Act>
status for_each_box(const box_list& boxes, std::size_t elem_len, char* data, Act act) {
  for (const box& one : boxes) {
    if (status s = act(one, data); !s.ok()) return s;
    data += static_cast<std::size_t>(volume(one)) * elem_len;
  }
  return {};
}

std::array<char, 4096> file_of(hid_t object) noexcept {
  std::array<char, 4096> file{};
  H5Fget_name(object, file.data(), file.size());
  return file;
}

// What a call on a dataset needs beside the part.
class library_call {
 public:
  library_call(hid_t dataset, std::int64_t step, parallel_notes& notes)
      : dataset_(dataset), step_(step), notes_(notes), how_(owned_properties(H5P_DEFAULT)) {}

  status prepare(const hdf5_kind& kind, bool collective) {
    if (status s = hdf5_memory_type(kind, memory_); !s.ok()) return s;
    if (!collective) return {};
    hdf5_handle how = owned_properties(H5Pcreate(H5P_DATASET_XFER));
    if (!how || H5Pset_dxpl_mpio(how.get(), H5FD_MPIO_COLLECTIVE) < 0)
      return hdf5_failure("cannot ask for collective transfers");
    how_ = std::move(how);
    nothing_ = owned_space(H5Dget_space(dataset_));
    if (nothing_ && H5Sselect_none(nothing_.get()) >= 0) return {};
    return hdf5_failure("cannot select nothing of a dataset");
  }
  status write(const box& part, const char* data) {
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    if (status s = select(part); !s.ok()) {
      if (nothing_)
        H5Dwrite(dataset_, memory_.get(), nothing_.get(), nothing_.get(), how_.get(), data);
      return s;
    }
    if (H5Dwrite(dataset_, memory_.get(), memory_space_.get(), file_space_.get(), how_.get(),
                 data) >= 0)
      return {};
    return failure("cannot write an array through HDF5");
  }
  status read(const box& part, char* data) {
    const auto during = notes_.line.during(HR_PHASE_TRANSFER);
    if (status s = select(part); !s.ok()) {
      if (nothing_)
        H5Dread(dataset_, memory_.get(), nothing_.get(), nothing_.get(), how_.get(), data);
      return s;
    }
    if (H5Dread(dataset_, memory_.get(), memory_space_.get(), file_space_.get(), how_.get(),
                data) >= 0)
      return {};
    return failure("cannot read an array through HDF5");
  }

 private:
  // The others wait in a collective call for who has no selection: it makes one of nothing.
  status select(const box& part) {
    return caught([&] { return hdf5_select(dataset_, part, step_, file_space_, memory_space_); });
  }
  status failure(const char* what) const {
    status failed = caught([&] { return hdf5_failure(what); });  // other calls forget the reason
    const std::array<char, 4096> file = file_of(dataset_);
    drop_locks(file.data());
    return std::move(failed).in_file(file.data());
  }

  hid_t dataset_;
  std::int64_t step_;
  parallel_notes& notes_;
  hdf5_handle how_;
  hdf5_handle memory_;
  hdf5_handle file_space_;
  hdf5_handle memory_space_;
  hdf5_handle nothing_;  // of the dataset, for a collective call without a part
};

// MPI rank 0 does it all, piece by piece.
status serial_plan(const hdf5_cargo& cargo, parallel_notes& notes,
                   std::unique_ptr<piece_plan>& made) {
  notes.writers = 1;
  return plan_shared_file(cargo.layout, static_cast<std::int64_t>(cargo.kind.elem_len),
                          default_piece_bytes, 1, made);
}

box_list boxes_of(const piece& part) {
  return boxes_of_range(part.of, part.first, part.last);
}

bytes_ahead bytes_of_segments(const hdf5_cargo& cargo, hid_t dataset,
                              const std::vector<hdf5_segment>& segments) {
  const auto bytes = static_cast<std::int64_t>(cargo.kind.elem_len);
  bytes_ahead stored{file_of(dataset).data()};
  for (const hdf5_segment& one : segments)
    stored.places.push_back({one.address, one.address + (one.last - one.first) * bytes});
  return stored;
}

bool is_collective(const parallel_settings& settings) {
  return settings.pattern == write_pattern::shared_collective;
}

}  // namespace

status hdf5_library_write(const hdf5_cargo& cargo, hid_t dataset, const parallel_settings& settings,
                          parallel_notes& notes) {
  const communicator& comm = cargo.layout.comm();
  const bool serial = settings.pattern == write_pattern::serial;
  library_call call(dataset, cargo.step, notes);
  collective_calls calls{true, 0};
  if (is_collective(settings)) calls = hdf5_calls_that_end(cargo.layout, dataset);
  // Between the chunks of a step lie the nodes of their index, or other arrays.
  if (cargo.step >= 0) calls.bytes /= 2;
  if (cargo.scattered_chunk > 0) calls.bytes = std::min(calls.bytes, cargo.scattered_chunk);
  if (status s = agree(comm, call.prepare(cargo.kind, !calls.apart)); !s.ok()) return s;
  const element_form form = form_of(cargo.local);
  std::unique_ptr<piece_plan> plan;
  if (serial)
    if (status s = serial_plan(cargo, notes, plan); !s.ok()) return s;
  if (serial)
    return exchange_out(cargo.layout, cargo.local, form, *plan, notes.line,
                        [&](const piece& part, char* data, std::size_t) {
                          return for_each_box(
                              boxes_of(part), cargo.kind.elem_len, data,
                              [&](const box& one, char* at) { return call.write(one, at); });
                        });
  notes.writers = comm.size();
  const auto put = [&](const box& part, char* data) { return call.write(part, data); };
  return write_slabs(cargo.layout, cargo.local, form, put, cargo.can_fail ? calls.bytes : 0);
}

status hdf5_library_read(const hdf5_cargo& cargo, hid_t dataset, bool parallel,
                         const segment_search& find, const parallel_settings& settings,
                         parallel_notes& notes) {
  const communicator& comm = cargo.layout.comm();
  const bool serial = settings.pattern == write_pattern::serial;
  library_call call(dataset, cargo.step, notes);
  collective_calls calls{true, 0, true, false};
  if (parallel && is_collective(settings))
    calls = hdf5_calls_that_end(cargo.layout, dataset);
  else if (parallel)
    calls.look_before_reads = must_look_before_reads(comm, file_of(dataset).data());
  if (status s = agree(comm, call.prepare(cargo.kind, !calls.read_apart)); !s.ok()) return s;
  const element_form form = form_of(cargo.local);
  std::unique_ptr<piece_plan> plan;
  if (serial)
    if (status s = serial_plan(cargo, notes, plan); !s.ok()) return s;
  if (serial)
    return exchange_in(cargo.layout, cargo.local, form, *plan, notes.line,
                       [&](const piece& part, char* data, std::size_t) {
                         return for_each_box(
                             boxes_of(part), cargo.kind.elem_len, data,
                             [&](const box& one, char* at) { return call.read(one, at); });
                       });
  notes.writers = comm.size();
  bool few = false;
  if (status s = agree_on(comm, [&] { return hdf5_count_chunks(dataset, few); }); !s.ok()) return s;
  std::vector<hdf5_segment> segments;
  if (calls.look_before_reads && few)
    if (status s = find(segments); !s.ok()) return s;
  bytes_ahead stored;
  const status ready = agree_on(comm, [&] {
    stored = bytes_of_segments(cargo, dataset, segments);
    return status();
  });
  if (!ready.ok()) return ready;
  stored.look_before = calls.look_before_reads;
  const auto get = [&](const box& part, char* data) {
    status done = call.read(part, data);
    // Where they lie is asked for only now, because that can take long.
    if (done.ok() || calls.look_before_reads || !few || !stored.places.empty()) return done;
    if (hdf5_segments_of(dataset, cargo.layout.global(), cargo.step, segments).ok())
      stored = bytes_of_segments(cargo, dataset, segments);
    return done;
  };
  return read_slabs(cargo.layout, cargo.local, form, get, stored);
}

}  // namespace headrace
