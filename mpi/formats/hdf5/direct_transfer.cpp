// The way of our own: HDF5 says at which byte a dataset begins, the MPI ranks do the rest.
#include <algorithm>

#include "../../move/plans.hpp"
#include "../../move/shared_array.hpp"
#include "../../together/from_root.hpp"
#include "transfer.hpp"

namespace headrace {
namespace {

// Calls move(byte in the file, place in data, bytes) for the part of a piece in each segment.
template <class Move>
status for_each_place(const std::vector<hdf5_segment>& segments, const piece& part,
                      std::size_t elem_len, Move move) {
  auto at = std::upper_bound(
      segments.begin(), segments.end(), part.first,
      [](std::int64_t element, const hdf5_segment& one) { return element < one.last; });
  const auto bytes = static_cast<std::int64_t>(elem_len);
  for (std::int64_t first = part.first; at != segments.end() && first < part.last; ++at) {
    const std::int64_t last = std::min(part.last, at->last);
    if (status s = move(at->address + (first - at->first) * bytes, (first - part.first) * bytes,
                        (last - first) * bytes);
        !s.ok())
      return s;
    first = last;
  }
  return {};
}

}  // namespace

status segments_from_root(const communicator& comm, const segment_search& find,
                          std::vector<hdf5_segment>& segments) {
  const auto make = [&](root_message& all) {
    std::vector<hdf5_segment> found;
    if (status s = find(found); !s.ok()) return s;
    for (const hdf5_segment& one : found)
      all.numbers.insert(all.numbers.end(), {one.first, one.last, one.address});
    return status();
  };
  return from_root(comm, make, [&](const root_message& all) {
    segments.clear();
    for (std::size_t i = 0; i + 2 < all.numbers.size(); i += 3)
      segments.push_back({all.numbers[i], all.numbers[i + 1], all.numbers[i + 2]});
  });
}

hdf5_direct_transfer::hdf5_direct_transfer(std::string path, const parallel_settings& settings,
                                           parallel_notes& notes)
    : path_(std::move(path)), settings_(settings), notes_(notes) {}

status hdf5_direct_transfer::open(const communicator& comm, bool writes) {
  if (opened_) return {};
  const auto during = notes_.line.during(HR_PHASE_OPEN);
  status opened;
  if (comm.rank() == 0 || settings_.pattern != write_pattern::serial)
    opened = writes ? file_.open_to_write(path_) : file_.open_to_read(path_);
  opened = agree(comm, opened);
  opened_ = opened.ok();
  return opened;
}

// One segment is the case that counts: everything but steps beyond HDF5's largest chunk. Several of
// them go by the exchange whatever the pattern.
status hdf5_direct_transfer::write(const hdf5_cargo& cargo,
                                   const std::vector<hdf5_segment>& segments) {
  if (status s = open(cargo.layout.comm(), true); !s.ok()) return s;
  if (segments.size() == 1)
    return write_shared({file_, segments.front().address, 0}, cargo.local, cargo.layout, settings_,
                        notes_);
  const element_form form = form_of(cargo.local);
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_array(cargo.layout, form, settings_, notes_, plan); !s.ok()) return s;
  return exchange_out(cargo.layout, cargo.local, form, *plan, notes_.line,
                      [&](const piece& part, char* data, std::size_t) {
                        return for_each_place(
                            segments, part, cargo.kind.elem_len,
                            [&](std::int64_t byte, std::int64_t at, std::int64_t bytes) {
                              return file_.write_at(byte, data + at, bytes);
                            });
                      });
}

status hdf5_direct_transfer::read(const hdf5_cargo& cargo,
                                  const std::vector<hdf5_segment>& segments) {
  if (status s = open(cargo.layout.comm(), false); !s.ok()) return s;
  const hdf5_kind& kind = cargo.kind;
  const std::size_t swapped_word = kind.swapped ? kind.word_bytes : 0;
  if (segments.size() == 1)
    return read_shared({file_, segments.front().address, swapped_word}, cargo.local, cargo.layout,
                       settings_, notes_);
  const element_form form = form_of(cargo.local).with_words_swapped(swapped_word);
  std::unique_ptr<piece_plan> plan;
  if (status s = plan_shared_array(cargo.layout, form, settings_, notes_, plan); !s.ok()) return s;
  return exchange_in(cargo.layout, cargo.local, form, *plan, notes_.line,
                     [&](const piece& part, char* data, std::size_t) {
                       return for_each_place(
                           segments, part, kind.elem_len,
                           [&](std::int64_t byte, std::int64_t at, std::int64_t bytes) {
                             return file_.read_at(byte, data + at, bytes);
                           });
                     });
}

}  // namespace headrace
